#include "tests/cuda_stand_in/plan.hpp"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>

namespace outcrop::test::stand_in {
namespace {

[[noreturn]] void refuse(const std::string& word) {
  std::fprintf(stderr, "OUTCROP_STAND_IN: '%s' says nothing to the stand-in for CUDA\n", word.c_str());
  std::abort();
}

std::map<std::string, std::string> words_of_environment() {
  std::map<std::string, std::string> words;
  const char* const text = std::getenv("OUTCROP_STAND_IN");
  std::istringstream all(text != nullptr ? text : "");
  for (std::string word; std::getline(all, word, ',');) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) refuse(word);
    words[word.substr(0, equals)] = word.substr(equals + 1);
  }
  return words;
}

template <class Number>
void take(std::map<std::string, std::string>& words, const char* key, Number& number) {
  const auto word = words.extract(key);
  if (!word.empty()) number = static_cast<Number>(std::strtoll(word.mapped().c_str(), nullptr, 10));
}

}  // namespace

Plan plan_of_environment() {
  Plan plan;
  auto words = words_of_environment();
  take(words, "devices", plan.devices);
  take(words, "count_error", plan.count_error);
  take(words, "driver", plan.driver);
  take(words, "has_kernels", plan.has_kernels);
  take(words, "memory", plan.memory);
  take(words, "taken_later", plan.taken_later);
  take(words, "pinned", plan.pinned);
  take(words, "call", plan.call);
  take(words, "order", plan.order);
  take(words, "error", plan.error);
  take(words, "is_lasting", plan.is_lasting);
  take(words, "delay_us", plan.delay_us);
  if (const auto log = words.extract("log"); !log.empty()) plan.log = log.mapped();
  if (!words.empty()) refuse(words.begin()->first);
  return plan;
}

}  // namespace outcrop::test::stand_in
