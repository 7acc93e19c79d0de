// Descriptor: the owner of a file descriptor.
#pragma once

#include <unistd.h>

#include "core/unique_handle.hpp"

namespace outcrop::io {

struct DescriptorTraits {
  using type = int;
  static type none() { return -1; }
  static void close(type fd) noexcept { ::close(fd); }
};

using Descriptor = UniqueHandle<DescriptorTraits>;

}  // namespace outcrop::io
