#include "tools/outcrop/invert_network/reference_date.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "io/mintpy/date_text.hpp"
#include "io/mintpy/template.hpp"

namespace outcrop::tools {
namespace {

namespace fs = std::filesystem;

constexpr const char* key = "mintpy.reference.date";

/// The first word of a text file.
std::string first_word(const std::string& path, const std::string& config) {
  std::ifstream file(path);
  std::string word;
  if (file >> word) return word;
  fail(Errc::input, fmt::format("--calc-cov: {} says {} = {}, and that file {}; write the reference date into it",
                                config, key, path, fs::exists(path) ? "holds no date" : "is not there"));
}

}  // namespace

int covariance_reference_date(const std::string& stack_path, const model::Network& network) {
  const fs::path folder = fs::absolute(stack_path).parent_path().parent_path();
  const std::string config = fs::proximate(folder / "smallbaselineApp.cfg").string();
  if (!fs::exists(config)) {
    fail(Errc::input,
         fmt::format("--calc-cov takes the reference date from {} in {}, which is not there", key, config));
  }
  const auto value = io::mintpy::Template::read(config).get(key);
  if (!value || *value == "None" || *value == "False") {
    fail(Errc::input,
         fmt::format("--calc-cov needs a reference date: {} has no {}; give it a date or a text file with one", config,
                     key));
  }
  const std::string date = io::mintpy::is_date(*value) ? *value : first_word(*value, config);
  const auto found = std::find(network.dates.begin(), network.dates.end(), date);
  if (found != network.dates.end()) return static_cast<int>(found - network.dates.begin());
  fail(Errc::input, fmt::format("--calc-cov: the reference date {} of {} is none of the {} dates from {} to {}", date,
                                config, network.num_dates(), network.dates.front(), network.dates.back()));
}

}  // namespace outcrop::tools
