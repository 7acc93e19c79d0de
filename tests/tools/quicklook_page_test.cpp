// The page: any text is only text in it.
#include <doctest/doctest.h>

#include <filesystem>

#include "tests/support/error_text.hpp"
#include "tests/support/temp_folder.hpp"
#include "tools/outcrop/quicklook/html.hpp"
#include "tools/outcrop/quicklook/quicklook.hpp"

using namespace outcrop;
using namespace outcrop::tools;

TEST_CASE("what has a meaning in HTML is escaped") {
  CHECK(html_text("a < b > c & \"d\" 'e'") == "a &lt; b &gt; c &amp; &quot;d&quot; &#39;e&#39;");
  CHECK(html_text("Gal\xc3\xa1pagos \xf0\x9f\x8c\x8b") == "Gal\xc3\xa1pagos \xf0\x9f\x8c\x8b");
}

TEST_CASE("bytes that are no UTF-8, and control characters, become a mark") {
  const std::string mark = "\xef\xbf\xbd";
  CHECK(html_text("\xff") == mark);
  CHECK(html_text("a\xc3") == "a" + mark);
  CHECK(html_text("\xc0\xafx") == mark + mark + "x");
  CHECK(html_text("\xed\xa0\x80") == mark + mark + mark);
  CHECK(html_text(std::string("a\0b\x1b[31m", 7)) == "a" + mark + "b" + mark + "[31");
}

TEST_CASE("a page holds its texts, its pictures and nothing from elsewhere") {
  Page page{
      "T<i>tle", "lead", {{"a.png", 10, 20, "A \"map\"", "caption"}}, {"a note"}, {{"Table", {{"k", "l", "<v>"}}}}};
  const std::string html = page_html(page);
  CHECK(test::contains(html, "<title>T&lt;i&gt;tle</title>"));
  CHECK(test::contains(html, "<img src=\"a.png\" width=\"10\" height=\"20\" alt=\"A &quot;map&quot;\">"));
  CHECK(test::contains(html, "<td data-key=\"k\">&lt;v&gt;</td>"));
  CHECK_FALSE(test::contains(html, "http"));
  CHECK_FALSE(test::contains(html, "<script"));
}

TEST_CASE("a folder that is a file is refused, and one that was made for nothing is removed") {
  const test::TempFolder folder;
  QuicklookWishes wishes;
  wishes.rows = wishes.cols = 3;
  test::write_bytes(folder.file("file"), "x");
  CHECK(test::contains(test::error_of([&] { Quicklook(folder.file("file"), wishes); }), "no folder"));
  Log log(Verbosity::quiet);
  {
    Quicklook quicklook(folder.file("maps"), wishes);
    CHECK_FALSE(std::filesystem::exists(folder.file("maps")));
    quicklook.open(log);
    CHECK(std::filesystem::exists(folder.file("maps")));
  }
  CHECK_FALSE(std::filesystem::exists(folder.file("maps")));
  Quicklook below_a_file(folder.file("file/maps"), wishes);
  CHECK(test::contains(test::error_of([&] { below_a_file.open(log); }), "--quicklook"));
}
