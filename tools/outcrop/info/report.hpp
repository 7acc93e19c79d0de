// InfoReport: what `outcrop info` found, printed for people or as JSON.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace outcrop::tools {

/// A name with a number, a text, or several texts.
struct InfoItem {
  enum class Kind { number, text, texts };
  std::string name;
  Kind kind = Kind::text;
  std::vector<std::string> values;  ///< one, but for texts; a number as it is printed
};

/// Names and values under one heading. In JSON the blanks of names are underscores.
struct InfoSection {
  std::string title;
  std::vector<InfoItem> items;

  void add_number(std::string name, std::int64_t value);
  void add_number(std::string name, double value);
  void add_text(std::string name, std::string value);
  void add_texts(std::string name, std::vector<std::string> values);
};

struct InfoDataset {
  std::string name;
  std::vector<std::int64_t> shape;
  std::string storage;
  std::int64_t plain_bytes = 0;
  std::optional<std::int64_t> stored_bytes;  ///< nothing: in other files, or `problem` says why
  std::string problem;
};

struct InfoReport {
  InfoSection file;
  InfoSection attributes;
  std::vector<InfoDataset> datasets;
  std::vector<InfoSection> more;  ///< network, what a step would use
};

void print_text(const InfoReport& report, std::ostream& out);
void print_json(const InfoReport& report, std::ostream& out);

}  // namespace outcrop::tools
