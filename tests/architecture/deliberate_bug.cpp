// Bugs made on purpose: a sanitizer build that does not report them checks nothing. Built only with a sanitizer.
#include <climits>
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

namespace {

volatile int outside = 8;
volatile int largest = INT_MAX;
int shared_counter = 0;

int heap_overflow() {
  const std::vector<int> eight(8);
  return eight.data()[outside];
}

int signed_overflow() { return largest + 1; }

int data_race() {
  const auto count = [] {
    for (int i = 0; i < 100000; ++i) ++shared_counter;
  };
  std::thread first(count);
  std::thread second(count);
  first.join();
  second.join();
  return shared_counter;
}

}  // namespace

int main(int argc, char** argv) {
  const char* bug = argc > 1 ? argv[1] : "";
  int result = -1;
  if (std::strcmp(bug, "heap_overflow") == 0) result = heap_overflow();
  if (std::strcmp(bug, "signed_overflow") == 0) result = signed_overflow();
  if (std::strcmp(bug, "data_race") == 0) result = data_race();
  static_cast<void>(std::printf("%s went by unnoticed (%d)\n", bug, result));
  return 0;
}
