// Opening one plane of an HDF5 source: looks at how it is stored and picks the reader for it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "core/log.hpp"
#include "io/h5/file.hpp"
#include "io/h5_source.hpp"
#include "io/plane_reader.hpp"
#include "io/stored_file.hpp"

namespace outcrop::io {

/// How the readers go about it.
struct ReadManner {
  bool chunks_in_decode = false;  ///< filtered chunks are read one at a time, by the decoding jobs
  /// Unwanted bytes between runs that are read rather than skipped: a system call costs about as much as copying them.
  std::int64_t largest_gap_bytes = 1024;
};

/// A plane with what it is.
struct OpenedPlane {
  PlaneInfo info;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::unique_ptr<PlaneReader> reader;
};

/// Opens planes, each file once.
/// Expects: h5::library_lock() is held as long as it lives.
class PlaneOpener {
 public:
  PlaneOpener(const SourceOptions& options, const ReadManner& manner, Log& log)
      : options_(options), manner_(manner), log_(log) {}

  /// Throws: Errc::input, Errc::unsupported, Errc::corrupt naming file and dataset.
  OpenedPlane open(const PlaneRequest& request);

 private:
  const h5::File& file(const std::string& path);
  std::shared_ptr<const StoredFile> stored_file(const std::string& path);

  SourceOptions options_;
  ReadManner manner_;
  Log& log_;
  std::map<std::string, h5::File> files_;
  std::map<std::string, std::shared_ptr<const StoredFile>> stored_files_;
};

}  // namespace outcrop::io
