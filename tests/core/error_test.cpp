// Tests of core/error: messages, context, and whatever else can be thrown.
#include "core/error.hpp"

#include <doctest/doctest.h>

#include <new>
#include <stdexcept>
#include <string>

#include "core/check.hpp"

using outcrop::current_error;
using outcrop::Errc;
using outcrop::Error;
using outcrop::fail;

namespace {

template <class Thrown>
Error caught(Thrown thrown) {
  try {
    throw thrown;
  } catch (...) {
    return current_error();
  }
}

}  // namespace

TEST_CASE("context is put in front, the outermost frame first") {
  Error error(Errc::io, "the file ends too early");
  error.within("reading chunk 3").within("reading ts.h5");
  CHECK(std::string(error.what()) == "reading ts.h5: reading chunk 3: the file ends too early");
  CHECK(error.code() == Errc::io);
}

TEST_CASE("the library's own words stay out of the message") {
  const Error error = Error(Errc::corrupt, "chunk 3 does not decode").with_detail("deflate: bad header");
  CHECK(std::string(error.what()) == "chunk 3 does not decode");
  CHECK(error.detail() == "deflate: bad header");
}

TEST_CASE("fail throws an Error that knows where it was made") {
  int line = 0;
  try {
    line = __LINE__ + 1;
    fail(Errc::usage, "--rows is 0");
  } catch (const Error& error) {
    CHECK(error.where().line == line);
    CHECK(std::string(error.where().file).find("error_test.cpp") != std::string::npos);
    return;
  }
  FAIL("nothing was thrown");
}

TEST_CASE("current_error keeps an Error as it is") {
  const Error error = caught(Error(Errc::device, "no queue left").within("tile 4"));
  CHECK(error.code() == Errc::device);
  CHECK(std::string(error.what()) == "tile 4: no queue left");
}

TEST_CASE("current_error makes an Error of anything that was thrown") {
  CHECK(caught(std::bad_alloc()).code() == Errc::out_of_memory);
  const Error error = caught(std::runtime_error("a library's exception"));
  CHECK(error.code() == Errc::internal);
  CHECK(std::string(error.what()) == "a library's exception");
  CHECK(caught(42).code() == Errc::internal);
}

TEST_CASE("OUTCROP_EXPECT makes its text only when the condition is false") {
  int evaluated = 0;
  const auto text = [&] {
    ++evaluated;
    return std::string("broken");
  };
  OUTCROP_EXPECT(1 + 1 == 2, text());
  CHECK(evaluated == 0);
  CHECK_THROWS_WITH_AS(OUTCROP_EXPECT(1 + 1 == 3, text()), "broken", Error);
  CHECK(evaluated == 1);
}
