// Reads runs of rows: as few calls as the layout allows, and no byte that no pixel needs but for small gaps.
#include "io/run_reader.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/check.hpp"
#include "io/byte_runs.hpp"
#include "io/near_rows.hpp"

namespace outcrop::io {
namespace {

/// A job that copies less is not worth handing to another thread; what it reads stays in the cache.
constexpr std::int64_t job_bytes = 256 * 1024;

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
  RunTile(const RunReader& reader, const TileRect& rect)
      : reader_(reader), plane_(reader.plane_), rect_(rect), runs_(reader.largest_gap_bytes_) {
    is_direct_ = can_be_direct();
    for (const TouchedChunk& chunk : touched_chunks(plane_, rect)) {
      const h5::StoredChunk* stored = reader.index_.find(chunk.number);
      const std::int64_t address = stored != nullptr ? stored->address : -1;
      add_jobs(chunk, address);
      if (address >= 0 && !is_direct_) add_runs(chunk, address);
    }
    runs_.merge();
  }

  std::int64_t raw_bytes() const override { return runs_.total_bytes(); }
  std::int64_t num_jobs() const override { return static_cast<std::int64_t>(jobs_.size()); }

  bool is_near() const override {
    return are_probes_near(jobs_.size(), [this](std::size_t i) {
      const Job& job = jobs_[i];
      if (job.address < 0) return true;
      const std::int64_t layer = layers_of(job).front().in_chunk;
      const std::int64_t bytes = (job.chunk.part.rows - 1) * plane_.row_bytes() + part_row_bytes(plane_, job.chunk);
      return reader_.file_->is_near(row_address(plane_, job.chunk, job.address, layer, 0), bytes);
    });
  }

  DecodeVolume decode_volume(bool fetched) const override {
    DecodeVolume volume{0, float_bytes(plane_, rect_)};
    if (fetched) return volume;
    for (const Job& job : jobs_) {
      if (job.address < 0) continue;
      volume.read += static_cast<std::int64_t>(job.end - job.begin) * near_rows({}).layer_bytes(job.chunk);
    }
    return volume;
  }

  std::int64_t fetch(std::span<std::byte> raw, const View<float, 2>& out) const override {
    if (is_direct_) return fetch_direct(out);
    for (const ByteRuns::Run& run : runs_.all()) reader_.file_->announce(run.address, run.bytes);
    for (const ByteRuns::Run& run : runs_.all()) {
      const auto to = raw.subspan(static_cast<std::size_t>(run.offset), static_cast<std::size_t>(run.bytes));
      reader_.file_->read(run.address, to, plane_.dataset);
    }
    return runs_.total_bytes();
  }

  void decode(std::int64_t number, const FetchedBytes& raw, const View<float, 2>& out,
              std::span<std::byte> scratch) const override {
    const Job& job = jobs_[static_cast<std::size_t>(number)];
    if (job.address < 0) {
      put_fill(plane_, job.chunk, rect_, out);
    } else if (is_direct_) {
      if (!raw) read_direct(job, &StoredFile::read_near, out);
    } else if (raw) {
      for (const WantedLayer& wanted : layers_of(job)) put_layer(job, wanted, *raw, out);
    } else {
      near_rows(scratch).put(job.chunk, job.address, layers_of(job), rect_, out);
    }
  }

 private:
  const LayerGroup& group(const TouchedChunk& chunk) const {
    return plane_.groups[static_cast<std::size_t>(chunk.group)];
  }

  std::span<const WantedLayer> layers_of(const Job& job) const {
    return std::span(group(job.chunk).layers).subspan(job.begin, job.end - job.begin);
  }

  NearRows near_rows(std::span<std::byte> scratch) const {
    return {plane_, *reader_.file_, reader_.largest_gap_bytes_, scratch};
  }

  void add_jobs(const TouchedChunk& chunk, std::int64_t address) {
    const std::size_t count = group(chunk).layers.size();
    const auto layers_a_job =
        static_cast<std::size_t>(std::max<std::int64_t>(job_bytes / part_layer_bytes(plane_, chunk), 1));
    const std::size_t step = address < 0 ? count : layers_a_job;
    for (std::size_t begin = 0; begin < count; begin += step) {
      jobs_.push_back({chunk, address, begin, std::min(begin + step, count)});
    }
  }

  void add_runs(const TouchedChunk& chunk, std::int64_t address) {
    const bool in_one = part_row_bytes(plane_, chunk) == plane_.row_bytes();
    std::int64_t last_layer = -1;
    for (const WantedLayer& wanted : group(chunk).layers) {
      if (wanted.in_chunk == last_layer) continue;
      last_layer = wanted.in_chunk;
      for (std::int64_t row = 0; row < (in_one ? 1 : chunk.part.rows); ++row) {
        const std::int64_t bytes = in_one ? part_layer_bytes(plane_, chunk) : part_row_bytes(plane_, chunk);
        runs_.add(row_address(plane_, chunk, address, wanted.in_chunk, row), bytes);
      }
    }
  }

  /// Whether the rows of a layer of the tile lie in the file as they are wanted in the plane, for every layer.
  bool can_be_direct() const {
    constexpr std::int64_t worth_a_call_bytes = 8 * 1024;
    return reader_.can_be_direct() && plane_.shape.cols == rect_.cols &&
           plane_.row_bytes() * std::min(rect_.rows, plane_.chunk.rows) >= worth_a_call_bytes;
  }

  std::int64_t fetch_direct(const View<float, 2>& out) const {
    for (const Job& job : jobs_) {
      if (job.address < 0) continue;
      for (const WantedLayer& wanted : layers_of(job)) {
        reader_.file_->announce(row_address(plane_, job.chunk, job.address, wanted.in_chunk, 0),
                                part_layer_bytes(plane_, job.chunk));
      }
    }
    std::int64_t read = 0;
    for (const Job& job : jobs_) {
      if (job.address >= 0) read += read_direct(job, &StoredFile::read, out);
    }
    return read;
  }

  using Read = void (StoredFile::*)(std::int64_t, std::span<std::byte>, std::string_view) const;

  /// Gives: bytes read.
  std::int64_t read_direct(const Job& job, Read how, const View<float, 2>& out) const {
    const auto bytes = static_cast<std::size_t>(part_layer_bytes(plane_, job.chunk));
    for (const WantedLayer& wanted : layers_of(job)) {
      float* to = out.data_handle() + wanted.in_plane * out.stride(0) + (job.chunk.part.row - rect_.row) * rect_.cols;
      (*reader_.file_.*how)(row_address(plane_, job.chunk, job.address, wanted.in_chunk, 0),
                            {reinterpret_cast<std::byte*>(to), bytes}, plane_.dataset);
    }
    return static_cast<std::int64_t>((job.end - job.begin) * bytes);
  }

  void put_layer(const Job& job, const WantedLayer& wanted, std::span<const std::byte> raw,
                 const View<float, 2>& out) const {
    const std::int64_t bytes = part_row_bytes(plane_, job.chunk);
    TileRect part = job.chunk.part;
    for (std::int64_t row = 0; row < job.chunk.part.rows; row += part.rows) {
      const auto [offset, left] = runs_.find(row_address(plane_, job.chunk, job.address, wanted.in_chunk, row));
      OUTCROP_EXPECT(left >= bytes, "a row of a tile is cut by the end of its run");
      part.row = job.chunk.part.row + row;
      part.rows = std::min((left - bytes) / plane_.row_bytes() + 1, job.chunk.part.rows - row);
      put_rows(plane_.element, raw.data() + offset, plane_.row_bytes(), part, rect_, wanted.in_plane, out);
    }
  }

  const RunReader& reader_;
  const StoredPlane& plane_;
  TileRect rect_;
  bool is_direct_ = false;  ///< fetch() puts all that is stored into the plane
  ByteRuns runs_;           ///< what else it reads
  std::vector<Job> jobs_;
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

std::int64_t RunReader::scratch_bytes() const { return job_bytes; }

StoredVolume RunReader::stored() const {
  std::int64_t bytes = 0;
  for (const h5::StoredChunk& chunk : index_.chunks()) {
    const LayerGroup* group = find_group(plane_, chunk.number);
    if (group == nullptr) continue;
    const std::int64_t chunk_row = chunk.number / plane_.chunks_across() % plane_.chunks_down();
    const std::int64_t rows = std::min(plane_.chunk.rows, plane_.shape.rows - chunk_row * plane_.chunk.rows);
    bytes += group->distinct * rows * plane_.row_bytes();
  }
  return {bytes, 0, 0, can_be_direct()};
}

std::unique_ptr<PlaneTile> RunReader::tile(const TileRect& rect) const {
  return std::make_unique<RunTile>(*this, rect);
}

}  // namespace outcrop::io
