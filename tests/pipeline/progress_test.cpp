// The progress line.
#include "pipeline/progress.hpp"

#include <doctest/doctest.h>

using outcrop::pipeline::progress_text;

TEST_CASE("progress tells share, rates and time left") {
  CHECK(progress_text(250, 1000, 50'000'000, 10) == " 25 %  5 MB/s  25 pixels/s  30.00 s left");
}

TEST_CASE("nothing done yet and nothing to do are no divisions by zero") {
  CHECK(progress_text(0, 1000, 0, 0).find("  0 %") == 0);
  CHECK(progress_text(0, 0, 0, 0).find("100 %") == 0);
}
