// `outcrop model table --html`: sigma over K, regimes, scenes and break-even on one page without scripts or links.
#pragma once

#include <string>

#include "tools/outcrop/model/table.hpp"

namespace outcrop::tools {

/// The whole page as HTML text.
std::string table_page(const ModelTable& table);

}  // namespace outcrop::tools
