// The page beside the maps, as one HTML file that needs nothing but the pictures: no script, no network.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace outcrop::tools {

struct Figure {
  std::string file;  ///< beside the page
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::string title;
  std::string caption;
};

struct Fact {
  std::string key;  ///< for programs: the value's attribute data-key
  std::string label;
  std::string value;
};

struct FactTable {
  std::string heading;
  std::vector<Fact> facts;
  bool folded = false;  ///< only the heading is seen until it is opened
};

/// All texts as they are, not yet HTML.
struct Page {
  std::string title;
  std::string lead;  ///< one line below the title
  std::vector<Figure> figures;
  std::vector<std::string> notes;
  std::vector<FactTable> tables;
};

std::string page_html(const Page& page);

/// Any bytes as text of HTML, in an element or between quotes: what has a meaning there is escaped; what is no UTF-8,
/// or a control character, becomes U+FFFD.
std::string html_text(const std::string& bytes);

}  // namespace outcrop::tools
