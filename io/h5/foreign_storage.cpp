// Follows links, virtual sources and external storage before the first value is read: HDF5 itself gives fill values or
// zeros, without a word, where a file is missing or too short.
#include "io/h5/foreign_storage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <set>
#include <utility>

#include "io/h5/call.hpp"
#include "io/h5/library_reader.hpp"

namespace outcrop::io::h5 {
namespace {

namespace fs = std::filesystem;

constexpr int deepest_chain = 8;  // of virtual datasets of virtual datasets

std::string name_of(const Dataset& dataset) {
  return fmt::format("{} in {}", dataset.info().name, dataset.info().path);
}

fs::path folder_of(const Dataset& dataset) {
  return fs::absolute(dataset.info().path).lexically_normal().parent_path();
}

/// By its name; symbolic links are the user's own doing and are followed.
bool is_below(const fs::path& folder, const fs::path& path) {
  const auto mismatch = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return mismatch.first == folder.end();
}

[[noreturn]] void refuse(const Dataset& dataset, const std::string& found) {
  fail(Errc::input, fmt::format("{} {}; use --allow-external if you trust that file", name_of(dataset), found));
}

struct VirtualSource {
  std::string file;
  std::string dataset;
  friend auto operator<=>(const VirtualSource&, const VirtualSource&) = default;
};

std::string text_of(ssize_t length, const auto& read) {
  std::string text(static_cast<std::size_t>(length) + 1, '\0');
  read(text.data(), text.size());
  text.pop_back();
  return text;
}

std::set<VirtualSource> virtual_sources(const Dataset& dataset) {
  const PropertyHandle creation(call("H5Dget_create_plist", H5Dget_create_plist(dataset.id())));
  std::size_t count = 0;
  call("H5Pget_virtual_count", H5Pget_virtual_count(creation.get(), &count));
  std::set<VirtualSource> sources;
  for (std::size_t i = 0; i < count; ++i) {
    const ssize_t file = call("H5Pget_virtual_filename", H5Pget_virtual_filename(creation.get(), i, nullptr, 0));
    const ssize_t name = call("H5Pget_virtual_dsetname", H5Pget_virtual_dsetname(creation.get(), i, nullptr, 0));
    sources.insert(
        {text_of(file, [&](char* to, std::size_t n) { H5Pget_virtual_filename(creation.get(), i, to, n); }),
         text_of(name, [&](char* to, std::size_t n) { H5Pget_virtual_dsetname(creation.get(), i, to, n); })});
  }
  return sources;
}

class Follower {
 public:
  explicit Follower(bool allow_external) : allow_external_(allow_external) {}

  void check(const std::string& opened, const Dataset& dataset, int depth) const {
    if (depth > deepest_chain) {
      fail(Errc::input,
           fmt::format("{} is a virtual dataset whose sources lead to one another more than {} times; make an "
                       "ordinary dataset of it",
                       name_of(dataset), deepest_chain));
    }
    if (dataset.info().path != opened && !allow_external_) {
      refuse(dataset, fmt::format("is reached through a link from {}", opened));
    }
    if (dataset.info().external) check_external(dataset);
    if (dataset.info().layout == Layout::is_virtual) {
      for (const VirtualSource& source : virtual_sources(dataset)) check_source(dataset, source, depth);
    }
  }

 private:
  void check_source(const Dataset& dataset, const VirtualSource& source, int depth) const {
    if (source.file.find('%') != std::string::npos || source.dataset.find('%') != std::string::npos) {
      fail(Errc::unsupported,
           fmt::format("{} is a virtual dataset with numbered sources ({}), which cannot be checked; make "
                       "an ordinary dataset of it",
                       name_of(dataset), source.file));
    }
    const fs::path folder = folder_of(dataset);
    const fs::path path = source.file == "." ? fs::absolute(dataset.info().path) : (folder / source.file);
    if (!is_below(folder, path.lexically_normal()) && !allow_external_) {
      refuse(dataset, fmt::format("is a virtual dataset with a source outside its folder: {}", source.file));
    }
    try {
      const File file = File::open(path.lexically_normal().string());
      const Dataset inner = Dataset::open(file, source.dataset);
      for (const Filter& filter : inner.info().filters) require_filter(inner, filter);
      check(file.path(), inner, depth + 1);
    } catch (Error& error) {
      throw std::move(error).within(fmt::format("looking at a source of the virtual dataset {}", name_of(dataset)));
    }
  }

  static void require_filter(const Dataset& dataset, const Filter& filter) {
    if (has_filter(filter.id)) return;
    fail(Errc::unsupported,
         fmt::format("{} is stored with filter {} ('{}'), which HDF5 cannot undo for a virtual dataset; make "
                     "an ordinary dataset of it",
                     name_of(dataset), filter.id, filter.name));
  }

  void check_external(const Dataset& dataset) const {
    if (!allow_external_) refuse(dataset, "has its values in other files (external storage)");
    const PropertyHandle creation(call("H5Dget_create_plist", H5Dget_create_plist(dataset.id())));
    const int count = call("H5Pget_external_count", H5Pget_external_count(creation.get()));
    std::int64_t left = dataset.info().type.size_bytes;
    for (const std::int64_t size : dataset.info().shape) left *= size;
    for (int i = 0; i < count && left > 0; ++i) left -= check_external_file(dataset, creation.get(), i, left);
  }

  /// Gives: the bytes of the dataset that the file holds.
  static std::int64_t check_external_file(const Dataset& dataset, hid_t creation, int i, std::int64_t left) {
    std::array<char, 4096> name{};
    off_t offset = 0;
    hsize_t size = 0;
    call("H5Pget_external",
         H5Pget_external(creation, static_cast<unsigned>(i), name.size() - 1, name.data(), &offset, &size));
    const bool is_last = size == H5F_UNLIMITED || size > static_cast<hsize_t>(left);
    const std::int64_t wanted = is_last ? left : static_cast<std::int64_t>(size);
    std::error_code failure;
    const auto found = fs::file_size(name.data(), failure);
    if (failure) {
      fail(Errc::input, fmt::format("{} has its values in {}, which cannot be read: {}", name_of(dataset), name.data(),
                                    failure.message()));
    }
    if (offset < 0 || static_cast<std::int64_t>(found) - wanted < std::int64_t{offset}) {
      fail(Errc::corrupt,
           fmt::format("{} needs {} bytes at offset {} of {}, which has {}: it is cut off; copy it again",
                       name_of(dataset), wanted, offset, name.data(), found));
    }
    return wanted;
  }

  bool allow_external_;
};

}  // namespace

void check_foreign_storage(const File& file, const Dataset& dataset, bool allow_external) {
  const auto lock = library_lock();
  Follower(allow_external).check(file.path(), dataset, 0);
}

}  // namespace outcrop::io::h5
