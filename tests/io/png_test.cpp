// Pictures as PNG: what libpng reads back is what was drawn.
#include "io/png.hpp"

#include <doctest/doctest.h>
#include <png.h>

#include <cstring>
#include <filesystem>

#include "io/replace_file.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/temp_folder.hpp"

using namespace outcrop;

namespace {

io::Picture read_back(const std::vector<std::byte>& bytes) {
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  REQUIRE(png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) != 0);
  CHECK(image.format == PNG_FORMAT_RGB);
  io::Picture picture{image.width, image.height, std::vector<std::uint8_t>(PNG_IMAGE_SIZE(image))};
  REQUIRE(png_image_finish_read(&image, nullptr, picture.rgb.data(), 0, nullptr) != 0);
  return picture;
}

io::Picture pattern(std::int64_t width, std::int64_t height) {
  io::Picture picture{width, height, {}};
  for (std::int64_t i = 0; i < 3 * width * height; ++i) {
    picture.rgb.push_back(static_cast<std::uint8_t>(i * 2654435761U >> 13 & 255));
  }
  return picture;
}

}  // namespace

TEST_CASE("a picture of any size is read back as it was") {
  for (const auto& [width, height] : {std::pair{1, 1}, {1, 700}, {700, 1}, {31, 17}, {640, 480}}) {
    const io::Picture picture = pattern(width, height);
    const io::Picture back = read_back(io::encode_png(picture));
    CHECK(back.width == width);
    CHECK(back.height == height);
    CHECK(back.rgb == picture.rgb);
  }
}

TEST_CASE("the same picture gives the same bytes") {
  CHECK(io::encode_png(pattern(50, 40)) == io::encode_png(pattern(50, 40)));
}

TEST_CASE("a picture whose sizes disagree is refused") {
  io::Picture picture = pattern(4, 4);
  picture.rgb.pop_back();
  CHECK(test::contains(test::error_of([&] { io::encode_png(picture); }), "three bytes a pixel"));
  CHECK(test::contains(test::error_of([&] { io::encode_png({0, 4, {}}); }), "positive sizes"));
}

TEST_CASE("a replaced file is complete, takes the place of an older one, and leaves nothing beside it") {
  const test::TempFolder folder;
  const std::string path = folder.file("page.html");
  test::write_bytes(path, "an older and much longer text");
  io::replace_file(path, std::string("new"));
  CHECK(test::read_bytes(path) == "new");
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("a file that cannot be made says which, and the older one stays") {
  const test::TempFolder folder;
  CHECK(test::contains(test::error_of([&] { io::replace_file(folder.file("none/x.png"), std::string("x")); }),
                       "none/.outcrop"));
  std::filesystem::create_directory(folder.file("x.png"));
  CHECK(test::contains(test::error_of([&] { io::replace_file(folder.file("x.png"), std::string("x")); }), "x.png"));
}
