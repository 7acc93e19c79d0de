// Values as the text that Python's str() gives: MintPy stores metadata so, and later compares it as text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace outcrop::io {

/// Shortest text that reads back as the same value: "0.4", "1.0", "2.5", "1e-05", "nan", "-inf".
std::string python_float(double value);
std::string python_float(float value);  ///< shortest among float32 values, as numpy.float32

std::string python_bool(bool value);  ///< "True", "False"

/// ['20160501', '20160812'], [] when empty. Quotes and backslashes in the items are escaped as Python does.
std::string python_list(const std::vector<std::string>& items);

/// A number as people and programs write it: blanks around it and a plus sign are fine, "1e3" too; never
/// locale-dependent. False when the text is anything else. `value` may be infinite or NaN.
bool parse_number(const std::string& text, double& value);

}  // namespace outcrop::io
