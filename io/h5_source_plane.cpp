// From a dataset's header to the reader that suits it.
#include "io/h5_source_plane.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "core/check.hpp"
#include "io/chunk_reader.hpp"
#include "io/codec/codec.hpp"
#include "io/h5/call.hpp"
#include "io/h5/foreign_storage.hpp"
#include "io/h5/library_reader.hpp"
#include "io/library_plane.hpp"
#include "io/run_reader.hpp"

namespace outcrop::io {
namespace {

using SharedDataset = std::shared_ptr<const h5::Dataset>;

std::string name_of(const h5::DatasetInfo& info) { return fmt::format("{} in {}", info.name, info.path); }

/// HDF5 identifiers are given back under its lock, whoever lets go of them last.
SharedDataset share(h5::Dataset dataset) {
  return {new h5::Dataset(std::move(dataset)), [](const h5::Dataset* last) {
            const auto lock = h5::library_lock();
            delete last;
          }};
}

codec::Element element_of(const h5::StoredType& type) {
  if (!type.plain) return {};
  const auto integer = type.is_signed ? codec::ElementKind::signed_integer : codec::ElementKind::unsigned_integer;
  return {type.kind == h5::TypeClass::floating ? codec::ElementKind::floating : integer, type.size_bytes,
          type.big_endian};
}

Extent3 extent(const std::vector<std::int64_t>& sizes) {
  return sizes.size() == 2 ? Extent3{1, sizes[0], sizes[1]} : Extent3{sizes[0], sizes[1], sizes[2]};
}

void require_numbers(const h5::DatasetInfo& info) {
  if (info.type.kind == h5::TypeClass::string || info.type.kind == h5::TypeClass::other) {
    fail(Errc::unsupported,
         fmt::format("{} cannot be read as numbers: it is {}", name_of(info), h5::describe(info.type)));
  }
}

void require_image(const h5::DatasetInfo& info) {
  if (info.shape.size() != 2 && info.shape.size() != 3) {
    fail(Errc::input, fmt::format("{} cannot be read as an image or a stack of images: it has {} dimensions",
                                  name_of(info), info.shape.size()));
  }
  // Checks that all is positive and small enough to be counted.
  static_cast<void>(ChunkGrid(info.shape, info.shape));
}

/// The layers of the dataset that the plane asks for.
std::vector<std::int64_t> wanted_layers(const PlaneRequest& request, const h5::DatasetInfo& info) {
  if (info.shape.size() == 2) {
    if (!request.layers.empty()) {
      fail(Errc::input, fmt::format("{} is one image; it has no layers to choose from", name_of(info)));
    }
    return {0};
  }
  if (request.layers.empty())
    fail(Errc::input, fmt::format("none of the {} layers of {} is in use", info.shape[0], name_of(info)));
  for (const std::int64_t layer : request.layers) {
    if (layer < 0 || layer >= info.shape[0]) {
      fail(Errc::input, fmt::format("layer {} of {} is asked for; it has {}", layer, name_of(info), info.shape[0]));
    }
  }
  return request.layers;
}

StoredPlane stored_plane(const h5::DatasetInfo& info, const std::vector<std::int64_t>& layers) {
  StoredPlane plane;
  plane.path = info.path;
  plane.dataset = info.name;
  plane.shape = extent(info.shape);
  plane.chunk = info.chunk.empty() ? plane.shape : extent(info.chunk);
  plane.element = element_of(info.type);
  plane.fill_value = static_cast<float>(info.fill_value);
  plane.groups = group_layers(layers, plane.chunk.layers);
  return plane;
}

/// Why our own readers cannot have it; nullopt: they can.
std::optional<std::string> reason_for_library(const h5::DatasetInfo& info) {
  if (info.layout == h5::Layout::is_virtual) return "it is a virtual dataset";
  if (info.external) return "its values are in other files";
  if (!info.type.plain) return fmt::format("its numbers ({}) are of an unusual form", h5::describe(info.type));
  for (const h5::Filter& filter : info.filters) {
    if (!codec::is_known(filter.id)) return fmt::format("of its filter {} ('{}')", filter.id, filter.name);
  }
  return std::nullopt;
}

void require_library_filters(const h5::DatasetInfo& info) {
  for (const h5::Filter& filter : info.filters) {
    if (h5::has_filter(filter.id)) continue;
    fail(
        Errc::unsupported,
        fmt::format(
            "{} is stored with filter {} ('{}'), which cannot be undone here; store it without it, or with gzip or lzf",
            name_of(info), filter.id, filter.name));
  }
}

/// A tile would stage all of an image's chunks, or read each of them for a few rows.
bool is_image_like(const StoredPlane& plane) {
  return 4 * plane.chunk.rows * plane.chunk.cols >= plane.shape.rows * plane.shape.cols;
}

/// By the first filter that compresses.
Packing packing_of(const std::vector<h5::Filter>& filters) {
  for (const h5::Filter& filter : filters) {
    if (filter.id == codec::shuffle_filter || filter.id == codec::fletcher32_filter) continue;
    if (filter.id == codec::lzf_filter) return Packing::lzf;
    return filter.id == codec::deflate_filter ? Packing::gzip : Packing::other;
  }
  return Packing::none;
}

/// A dataset on its way to a reader.
struct Opening {
  h5::Dataset dataset;
  StoredPlane plane;
  std::shared_ptr<const StoredFile> file;
};

void require_plain_chunks(const StoredPlane& plane, const h5::ChunkIndex& index) {
  for (const h5::StoredChunk& chunk : index.chunks()) {
    if (chunk.bytes == plane.chunk_bytes()) continue;
    fail(Errc::corrupt,
         fmt::format("{} of {} in {} has {} bytes where {} are needed; the file is damaged, copy or make it again",
                     index.grid().place(chunk.number), plane.dataset, plane.path, chunk.bytes, plane.chunk_bytes()));
  }
}

codec::Pipeline pipeline(const h5::DatasetInfo& info, const StoredPlane& plane) {
  std::vector<codec::FilterSpec> filters;
  for (const h5::Filter& filter : info.filters) filters.push_back({filter.id, filter.parameters});
  return {std::move(filters), plane.chunk_bytes(), plane.element.size_bytes};
}

std::unique_ptr<PlaneReader> open_chunked(Opening opening, const ReadManner& manner, PlaneInfo& info, Log& log) {
  constexpr std::int64_t small_chunk_bytes = std::int64_t{1} << 20;
  const h5::DatasetInfo& stored = opening.dataset.info();
  StoredPlane& plane = opening.plane;
  h5::IndexResult found = h5::build_chunk_index(opening.dataset, *opening.file);
  const bool image_like = is_image_like(plane);
  if (stored.filters.empty()) require_plain_chunks(plane, found.index);
  if (stored.filters.empty() && !found.index.needs_library()) {
    if (image_like) info.chunk_rows = info.chunk_cols = 0;
    return std::make_unique<RunReader>(std::move(plane), std::move(opening.file), std::move(found.index),
                                       manner.largest_gap_bytes);
  }
  info.redecoded = image_like && plane.chunk_bytes() > small_chunk_bytes;
  if (info.redecoded) info.chunk_rows = info.chunk_cols = 0;
  ChunkStorage storage{std::move(opening.file), nullptr, std::move(found.index), pipeline(stored, plane)};
  if (storage.index.needs_library()) {
    log.detail(fmt::format(
        "the chunks of {} are read through HDF5, one thread at a time: its index is of a kind that only HDF5 "
        "can read",
        name_of(stored)));
    storage.dataset = share(std::move(opening.dataset));
  }
  return std::make_unique<ChunkReader>(std::move(plane), std::move(storage), info.redecoded || manner.chunks_in_decode);
}

std::unique_ptr<PlaneReader> open_contiguous(Opening opening, const ReadManner& manner) {
  const h5::DatasetInfo& stored = opening.dataset.info();
  const std::int64_t bytes = opening.plane.chunk_bytes();
  std::vector<h5::StoredChunk> chunks;
  if (stored.address >= 0) {
    if (stored.address > opening.file->size_bytes() || bytes > opening.file->size_bytes() - stored.address) {
      fail(Errc::corrupt,
           fmt::format("{} needs {} bytes at offset {}, but the file has {}: it is cut off; copy it again",
                       name_of(stored), bytes, stored.address, opening.file->size_bytes()));
    }
    chunks.push_back({0, stored.address, bytes, 0});
  }
  return std::make_unique<RunReader>(std::move(opening.plane), std::move(opening.file),
                                     h5::ChunkIndex(ChunkGrid(stored.shape, stored.shape), std::move(chunks)),
                                     manner.largest_gap_bytes);
}

std::unique_ptr<PlaneReader> open_compact(Opening opening, const std::vector<std::int64_t>& layers) {
  const auto& shape = opening.dataset.info().shape;
  std::vector<std::byte> bytes(static_cast<std::size_t>(opening.plane.chunk_bytes()));
  h5::read_box(opening.dataset, std::vector<std::int64_t>(shape.size(), 0), shape, true, bytes);
  opening.plane.groups = group_layers(layers, 1);
  return std::make_unique<ResidentReader>(std::move(opening.plane), std::move(bytes));
}

std::unique_ptr<PlaneReader> open_through_library(Opening opening, const std::vector<std::int64_t>& layers) {
  opening.plane.groups = group_layers(layers, 1);
  const bool as_stored = opening.dataset.info().type.plain;
  return std::make_unique<LibraryReader>(std::move(opening.plane), share(std::move(opening.dataset)), as_stored);
}

PlaneInfo describe_plane(const PlaneRequest& request, const h5::DatasetInfo& stored, std::size_t depth) {
  PlaneInfo info;
  info.name = request.name;
  info.path = request.path;
  info.dataset = request.dataset;
  info.depth = static_cast<std::int64_t>(depth);
  if (stored.layout == h5::Layout::chunked) {
    info.chunk_rows = extent(stored.chunk).rows;
    info.chunk_cols = extent(stored.chunk).cols;
  }
  info.storage = h5::describe(stored);
  info.integers = stored.type.kind != h5::TypeClass::floating;
  info.packing = packing_of(stored.filters);
  info.shuffled = std::any_of(stored.filters.begin(), stored.filters.end(),
                              [](const h5::Filter& filter) { return filter.id == codec::shuffle_filter; });
  const Extent3 image = extent(stored.shape);
  info.decoded_bytes = info.depth * image.rows * image.cols * std::int64_t{sizeof(float)};
  return info;
}

}  // namespace

OpenedPlane PlaneOpener::open(const PlaneRequest& request) {
  const h5::File& opened = file(request.path);
  h5::Dataset dataset = h5::Dataset::open(opened, request.dataset);
  const h5::DatasetInfo stored = dataset.info();
  h5::check_foreign_storage(opened, dataset, options_.allow_external);
  require_numbers(stored);
  require_image(stored);
  const auto layers = wanted_layers(request, stored);
  OpenedPlane plane;
  plane.info = describe_plane(request, stored, layers.size());
  plane.rows = extent(stored.shape).rows;
  plane.cols = extent(stored.shape).cols;
  Opening opening{std::move(dataset), stored_plane(stored, layers), nullptr};
  if (const auto reason = reason_for_library(stored)) {
    require_library_filters(stored);
    log_.warn(fmt::format(
        "{} is read through HDF5 itself, because {}: one thread at a time, several times slower than other data",
        name_of(stored), *reason));
    plane.reader = open_through_library(std::move(opening), layers);
  } else if (stored.layout == h5::Layout::compact) {
    plane.reader = open_compact(std::move(opening), layers);
  } else {
    opening.file = stored_file(stored.path);
    plane.reader = stored.layout == h5::Layout::chunked ? open_chunked(std::move(opening), manner_, plane.info, log_)
                                                        : open_contiguous(std::move(opening), manner_);
  }
  const StoredVolume volume = plane.reader->stored();
  plane.info.needed_bytes = volume.bytes;
  plane.info.chunks = volume.chunks;
  plane.info.packed_chunks = volume.packed;
  plane.info.direct = volume.direct;
  return plane;
}

const h5::File& PlaneOpener::file(const std::string& path) {
  const auto known = files_.find(path);
  return known != files_.end() ? known->second : files_.emplace(path, h5::File::open(path)).first->second;
}

std::shared_ptr<const StoredFile> PlaneOpener::stored_file(const std::string& path) {
  auto& known = stored_files_[path];
  if (!known) known = StoredFile::open(path, options_.read_near);
  return known;
}

}  // namespace outcrop::io
