// Texts into a fixed frame.
#include "tools/outcrop/quicklook/html.hpp"

#include <fmt/format.h>

#include <string_view>

namespace outcrop::tools {
namespace {

constexpr std::string_view style = R"(
:root { color-scheme: light dark; --ink: #20242c; --soft: #59616f; --paper: #f4f5f8; --card: #ffffff; --line: #d6dae2; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8eaf0; --soft: #a4acba; --paper: #15181e; --card: #20242c; --line: #3a404c; }
}
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 1500px; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.6rem; margin: 0; }
h2, summary { font-size: 1.1rem; font-weight: 600; margin: 0 0 .5rem; }
.lead { color: var(--soft); margin: .2rem 0 1.5rem; overflow-wrap: anywhere; }
.maps { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 480px), 1fr)); gap: 1rem; }
figure { margin: 0; padding: 1rem; background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
figure img { display: block; max-width: 100%; height: auto; margin: 0 auto; border-radius: 4px; }
figcaption { margin-top: .6rem; font-size: .9rem; color: var(--soft); }
figcaption b { color: var(--ink); }
.notes { margin: 1.5rem 0; padding-left: 1.2rem; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 420px), 1fr)); gap: 1rem; }
section, details { padding: 1rem; background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th { font-weight: 400; text-align: left; color: var(--soft); padding-right: 1rem; vertical-align: top; }
th, td { padding-block: .15rem; border-bottom: 1px solid var(--line); }
td { overflow-wrap: anywhere; }
)";

/// Bytes of a UTF-8 sequence by its first one; 0: none begins so.
std::size_t length_by_lead(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xc2) return 0;
  if (lead < 0xe0) return 2;
  if (lead < 0xf0) return 3;
  return lead < 0xf5 ? 4 : 0;
}

/// Overlong forms, surrogates, and what lies beyond the last code point.
bool is_forbidden(unsigned char lead, unsigned char second) {
  switch (lead) {
    case 0xe0:
      return second < 0xa0;
    case 0xed:
      return second > 0x9f;
    case 0xf0:
      return second < 0x90;
    case 0xf4:
      return second > 0x8f;
    default:
      return false;
  }
}

/// Bytes of the UTF-8 sequence that begins here; 0: none does.
std::size_t sequence_length(std::string_view bytes) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const std::size_t length = length_by_lead(at(0));
  if (length == 0 || length > bytes.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((at(i) & 0xc0) != 0x80) return 0;
  }
  return length > 1 && is_forbidden(at(0), at(1)) ? 0 : length;
}

std::string_view escaped(char letter) {
  switch (letter) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

bool is_control(char letter) {
  const auto code = static_cast<unsigned char>(letter);
  return (code < 0x20 && letter != '\n' && letter != '\t') || code == 0x7f;
}

std::string figure_html(const Figure& figure) {
  return fmt::format(
      "<figure><a href=\"{0}\"><img src=\"{0}\" width=\"{1}\" height=\"{2}\" alt=\"{3}\"></a>"
      "<figcaption><b>{3}.</b> {4}</figcaption></figure>\n",
      html_text(figure.file), figure.width, figure.height, html_text(figure.title), html_text(figure.caption));
}

std::string table_html(const FactTable& table) {
  std::string rows;
  for (const auto& fact : table.facts) {
    rows += fmt::format("<tr><th>{}</th><td data-key=\"{}\">{}</td></tr>\n", html_text(fact.label), html_text(fact.key),
                        html_text(fact.value));
  }
  const std::string heading = html_text(table.heading);
  if (table.folded) {
    return fmt::format("<details><summary>{}</summary><table>\n{}</table></details>\n", heading, rows);
  }
  return fmt::format("<section><h2>{}</h2><table>\n{}</table></section>\n", heading, rows);
}

}  // namespace

std::string html_text(const std::string& bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size();) {
    const std::size_t length = sequence_length(std::string_view(bytes).substr(i));
    if (length == 0 || (length == 1 && is_control(bytes[i]))) {
      text += "\xef\xbf\xbd";
    } else if (const auto entity = escaped(bytes[i]); length == 1 && !entity.empty()) {
      text += entity;
    } else {
      text.append(bytes, i, length);
    }
    i += length == 0 ? 1 : length;
  }
  return text;
}

std::string page_html(const Page& page) {
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>{0}</title>\n<link rel=\"icon\" "
      "href=\"data:,\">\n"
      "<style>{1}</style>\n</head>\n<body>\n<main>\n<h1>{0}</h1>\n<p class=\"lead\">{2}</p>\n<div class=\"maps\">\n",
      html_text(page.title), style, html_text(page.lead));
  for (const auto& figure : page.figures) html += figure_html(figure);
  html += "</div>\n<ul class=\"notes\">\n";
  for (const auto& note : page.notes) html += "<li>" + html_text(note) + "</li>\n";
  html += "</ul>\n<div class=\"facts\">\n";
  for (const auto& table : page.tables) html += table_html(table);
  return html + "</div>\n</main>\n</body>\n</html>\n";
}

}  // namespace outcrop::tools
