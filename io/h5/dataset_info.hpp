// How an open dataset is stored.
#pragma once

#include <string>

#include "io/h5/dataset.hpp"

namespace outcrop::io::h5 {

/// `name` is what the dataset was opened by. The caller holds library_lock() and adds the context to errors.
DatasetInfo read_info(hid_t dataset, const std::string& name);

}  // namespace outcrop::io::h5
