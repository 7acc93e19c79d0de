// The numbers of a run report, in words, for the page.
#pragma once

#include <string>

#include "tools/outcrop/quicklook/html.hpp"

namespace outcrop::tools {

/// Title, lead and tables of a page, from the JSON text of a run report. The keys of its facts are the report's:
/// "pixels.solved".
Page page_of_report(const std::string& report);

}  // namespace outcrop::tools
