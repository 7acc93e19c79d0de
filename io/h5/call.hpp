// call("H5Dopen2", H5Dopen2(...)): a checked HDF5 call. A failure becomes an Error with the library's own stack as
// detail. Only one thread is inside HDF5 at a time: every public function of io/h5 holds `library_lock()`.
#pragma once

#include <hdf5.h>

#include <mutex>
#include <string>

#include "core/error.hpp"

namespace outcrop::io::h5 {

/// Throws Errc::io "HDF5 refused NAME (its last reason)" with the error stack as detail.
[[noreturn]] void throw_last_error(const char* function, SourceLocation where);

/// Gives the value of a call that reports failure by a negative number.
template <class T>
T call(const char* function, T result, SourceLocation where = SourceLocation::current()) {
  if (result < 0) throw_last_error(function, where);
  return result;
}

/// Held by whoever is inside HDF5. The first use switches automatic error printing and plug-in loading off.
std::unique_lock<std::recursive_mutex> library_lock();

}  // namespace outcrop::io::h5
