// Root attributes as text, in every form that InSAR programs write them, and written back as MintPy writes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace outcrop::io {

/// Names and text values in the order of the file. Keys are case-sensitive.
class Attributes {
 public:
  std::optional<std::string> get(const std::string& name) const;

  /// The value as a number: blanks around it, "39582.0" and "1e3" are fine; the C locale always.
  /// nullopt when absent. Throws Errc::input naming the attribute and its text when it is not a finite number.
  std::optional<double> number(const std::string& name) const;
  std::optional<std::int64_t> integer(const std::string& name) const;  ///< "2.0" is 2; 2.5 is an error

  void set(const std::string& name, std::string value);  ///< replaces or appends
  void remove(const std::string& name);

  const std::vector<std::pair<std::string, std::string>>& all() const { return items_; }

 private:
  std::vector<std::pair<std::string, std::string>> items_;
};

namespace h5 {

class File;

/// Attributes of an object of the file ("/" for the root, or a dataset). Numbers become text as Python's str() gives
/// it: shortest round-trip form, ".0" on whole floats; one-element arrays count as scalars; longer ones become a list.
/// Values that have no text (references, compounds, opaque bytes) are left out.
Attributes read_attributes(const File& file, const std::string& object = "/");

/// Scalar variable-length UTF-8 strings, null-terminated; those that are there already are replaced.
void write_attributes(const File& file, const Attributes& attributes);

}  // namespace h5
}  // namespace outcrop::io
