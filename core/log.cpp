#include "core/log.hpp"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

namespace outcrop {
namespace {

spdlog::level::level_enum level_of(Verbosity verbosity) {
  switch (verbosity) {
    case Verbosity::quiet:
      return spdlog::level::warn;
    case Verbosity::verbose:
      return spdlog::level::debug;
    case Verbosity::normal:
      break;
  }
  return spdlog::level::info;
}

}  // namespace

struct Log::Impl {
  explicit Impl(Verbosity v)
      : verbosity(v), logger("outcrop", std::make_shared<spdlog::sinks::stderr_color_sink_mt>()) {
    logger.set_pattern("%H:%M:%S %^%l%$ %v");
    logger.set_level(level_of(v));
    logger.flush_on(spdlog::level::debug);
  }
  Verbosity verbosity;
  spdlog::logger logger;
};

Log::Log(Verbosity verbosity) : impl_(std::make_unique<Impl>(verbosity)) {}
Log::~Log() = default;

void Log::detail(const std::string& sentence) { impl_->logger.debug(spdlog::string_view_t(sentence)); }
void Log::info(const std::string& sentence) { impl_->logger.info(spdlog::string_view_t(sentence)); }
void Log::warn(const std::string& sentence) { impl_->logger.warn(spdlog::string_view_t(sentence)); }
void Log::error(const std::string& sentence) { impl_->logger.error(spdlog::string_view_t(sentence)); }

Verbosity Log::verbosity() const { return impl_->verbosity; }

}  // namespace outcrop
