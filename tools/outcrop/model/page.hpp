// `outcrop model table --html`: sigma over K, regimes, scenes and break-even on one page without scripts or links.
#pragma once

#include <string>

#include "tools/outcrop/model/table.hpp"

namespace outcrop::tools {

/// The whole page as HTML text; `more` is a part of it, after all others.
std::string table_page(const ModelTable& table, const std::string& more);

}  // namespace outcrop::tools
