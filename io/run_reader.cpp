// Reads runs of rows: as few calls as the layout allows, and no byte that no pixel needs but for small gaps.
#include "io/run_reader.hpp"

#include <algorithm>
#include <utility>

#include "core/check.hpp"

namespace outcrop::io {
namespace {

/// A job that copies less is not worth handing to another thread.
constexpr std::int64_t job_bytes = 256 * 1024;

/// Bytes that are read with one call.
struct Run {
  std::int64_t address = 0;
  std::int64_t bytes = 0;
  std::int64_t raw_offset = 0;
};

/// Wanted layers [begin, end) of the group of a chunk.
struct Job {
  TouchedChunk chunk;
  std::int64_t address = -1;
  std::size_t begin = 0;
  std::size_t end = 0;
};

}  // namespace

class RunTile final : public PlaneTile {
 public:
  RunTile(const RunReader& reader, const TileRect& rect) : reader_(reader), rect_(rect) {
    for (const TouchedChunk& chunk : touched_chunks(reader.plane_, rect)) {
      const h5::StoredChunk* stored = reader.index_.find(chunk.number);
      const std::int64_t address = stored != nullptr ? stored->address : -1;
      add_jobs(chunk, address);
      if (address >= 0) add_runs(chunk, address);
    }
    is_direct_ = can_be_direct();
    if (is_direct_) {
      std::erase_if(jobs_, [](const Job& job) { return job.address >= 0; });
    } else {
      merge_runs();
    }
  }

  std::int64_t raw_bytes() const override { return raw_bytes_; }
  std::int64_t num_jobs() const override { return static_cast<std::int64_t>(jobs_.size()); }
  DecodeVolume decode_volume() const override { return {0, float_bytes(reader_.plane_, rect_)}; }

  std::int64_t fetch(std::span<std::byte> raw, const View<float, 2>& out) const override {
    if (is_direct_) return fetch_direct(out);
    for (const Run& run : runs_) {
      const auto to = raw.subspan(static_cast<std::size_t>(run.raw_offset), static_cast<std::size_t>(run.bytes));
      reader_.file_->read(run.address, to, reader_.plane_.dataset);
    }
    return raw_bytes_;
  }

  void decode(std::int64_t number, std::span<const std::byte> raw, const View<float, 2>& out,
              std::span<std::byte>) const override {
    const Job& job = jobs_[static_cast<std::size_t>(number)];
    if (job.address < 0) {
      put_fill(reader_.plane_, job.chunk, rect_, out);
      return;
    }
    const auto& layers = group(job.chunk).layers;
    for (std::size_t i = job.begin; i < job.end; ++i) put_layer(job, layers[i], raw, out);
  }

 private:
  const LayerGroup& group(const TouchedChunk& chunk) const {
    return reader_.plane_.groups[static_cast<std::size_t>(chunk.group)];
  }

  std::int64_t row_bytes() const { return reader_.plane_.chunk.cols * reader_.plane_.element.size_bytes; }

  /// File offset of the first wanted element of a row of `chunk.part`.
  std::int64_t row_address(const TouchedChunk& chunk, std::int64_t address, std::int64_t layer,
                           std::int64_t row) const {
    return address + (layer * reader_.plane_.chunk.rows + chunk.row + row) * row_bytes() +
           chunk.col * reader_.plane_.element.size_bytes;
  }

  void add_jobs(const TouchedChunk& chunk, std::int64_t address) {
    const std::size_t count = group(chunk).layers.size();
    const std::int64_t layer_bytes = chunk.part.pixels() * reader_.plane_.element.size_bytes;
    const auto layers_a_job = static_cast<std::size_t>(std::max<std::int64_t>(job_bytes / layer_bytes, 1));
    const std::size_t step = address < 0 ? count : layers_a_job;
    for (std::size_t begin = 0; begin < count; begin += step) {
      jobs_.push_back({chunk, address, begin, std::min(begin + step, count)});
    }
  }

  void add_runs(const TouchedChunk& chunk, std::int64_t address) {
    const std::int64_t part_bytes = chunk.part.cols * reader_.plane_.element.size_bytes;
    const bool in_one = part_bytes == row_bytes();
    std::int64_t last_layer = -1;
    for (const WantedLayer& wanted : group(chunk).layers) {
      if (wanted.in_chunk == last_layer) continue;
      last_layer = wanted.in_chunk;
      for (std::int64_t row = 0; row < (in_one ? 1 : chunk.part.rows); ++row) {
        const std::int64_t bytes = in_one ? part_bytes * chunk.part.rows : part_bytes;
        append({row_address(chunk, address, wanted.in_chunk, row), bytes, 0});
      }
    }
  }

  /// Whether the rows of a layer of the tile lie in the file as they are wanted in the plane, for every layer.
  bool can_be_direct() const {
    constexpr std::int64_t worth_a_call_bytes = 8 * 1024;
    return reader_.can_be_direct() && reader_.plane_.shape.cols == rect_.cols &&
           row_bytes() * std::min(rect_.rows, reader_.plane_.chunk.rows) >= worth_a_call_bytes;
  }

  std::int64_t fetch_direct(const View<float, 2>& out) const {
    std::int64_t read = 0;
    for (const TouchedChunk& chunk : touched_chunks(reader_.plane_, rect_)) {
      const h5::StoredChunk* stored = reader_.index_.find(chunk.number);
      if (stored == nullptr) continue;
      const std::int64_t bytes = chunk.part.rows * row_bytes();
      for (const WantedLayer& wanted : group(chunk).layers) {
        float* to = out.data_handle() + wanted.in_plane * out.stride(0) + (chunk.part.row - rect_.row) * rect_.cols;
        reader_.file_->read(row_address(chunk, stored->address, wanted.in_chunk, 0),
                            {reinterpret_cast<std::byte*>(to), static_cast<std::size_t>(bytes)},
                            reader_.plane_.dataset);
        read += bytes;
      }
    }
    return read;
  }

  /// Makes the last run longer when the new one follows closely.
  void append(const Run& run) {
    if (!runs_.empty()) {
      Run& last = runs_.back();
      const std::int64_t gap = run.address - (last.address + last.bytes);
      if (run.address >= last.address && gap <= reader_.largest_gap_bytes_) {
        last.bytes = std::max(last.bytes, run.address + run.bytes - last.address);
        return;
      }
    }
    runs_.push_back(run);
  }

  /// Brings the runs of all chunks into the order of the file and gives them their places in the raw area.
  void merge_runs() {
    std::vector<Run> unsorted = std::move(runs_);
    runs_.clear();
    std::sort(unsorted.begin(), unsorted.end(), [](const Run& a, const Run& b) { return a.address < b.address; });
    for (const Run& run : unsorted) append(run);
    for (Run& run : runs_) {
      run.raw_offset = raw_bytes_;
      raw_bytes_ += run.bytes;
    }
  }

  /// Where the byte at a file offset lies in the raw area, and how many bytes of its run follow.
  std::pair<std::int64_t, std::int64_t> find(std::int64_t address) const {
    auto run = std::upper_bound(runs_.begin(), runs_.end(), address,
                                [](std::int64_t a, const Run& r) { return a < r.address; });
    OUTCROP_EXPECT(run != runs_.begin(), "a row of a tile is in none of its runs");
    --run;
    const std::int64_t into = address - run->address;
    return {run->raw_offset + into, run->bytes - into};
  }

  void put_layer(const Job& job, const WantedLayer& wanted, std::span<const std::byte> raw,
                 const View<float, 2>& out) const {
    const std::int64_t part_bytes = job.chunk.part.cols * reader_.plane_.element.size_bytes;
    TileRect part = job.chunk.part;
    for (std::int64_t row = 0; row < job.chunk.part.rows; row += part.rows) {
      const auto [offset, left] = find(row_address(job.chunk, job.address, wanted.in_chunk, row));
      OUTCROP_EXPECT(left >= part_bytes, "a row of a tile is cut by the end of its run");
      part.row = job.chunk.part.row + row;
      part.rows = std::min((left - part_bytes) / row_bytes() + 1, job.chunk.part.rows - row);
      put_rows(reader_.plane_.element, raw.data() + offset, row_bytes(), part, rect_, wanted.in_plane, out);
    }
  }

  const RunReader& reader_;
  TileRect rect_;
  bool is_direct_ = false;  ///< fetch() puts all that is stored into the plane
  std::vector<Run> runs_;   ///< by address
  std::vector<Job> jobs_;
  std::int64_t raw_bytes_ = 0;
};

RunReader::RunReader(StoredPlane plane, std::shared_ptr<const StoredFile> file, h5::ChunkIndex index,
                     std::int64_t largest_gap_bytes)
    : plane_(std::move(plane)),
      file_(std::move(file)),
      index_(std::move(index)),
      largest_gap_bytes_(largest_gap_bytes) {}

bool RunReader::can_be_direct() const {
  return plane_.element.is_native_float() && plane_.chunk.cols == plane_.shape.cols;
}

StoredVolume RunReader::stored() const {
  const std::int64_t row_bytes = plane_.chunk.cols * plane_.element.size_bytes;
  std::int64_t bytes = 0;
  for (const h5::StoredChunk& chunk : index_.chunks()) {
    const LayerGroup* group = find_group(plane_, chunk.number);
    if (group == nullptr) continue;
    const std::int64_t chunk_row = chunk.number / plane_.chunks_across() % plane_.chunks_down();
    const std::int64_t rows = std::min(plane_.chunk.rows, plane_.shape.rows - chunk_row * plane_.chunk.rows);
    bytes += group->distinct * rows * row_bytes;
  }
  return {bytes, 0, 0, can_be_direct()};
}

std::unique_ptr<PlaneTile> RunReader::tile(const TileRect& rect) const {
  return std::make_unique<RunTile>(*this, rect);
}

}  // namespace outcrop::io
