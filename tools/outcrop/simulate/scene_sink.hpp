// SceneSink: the files of a simulated scene, taking tiles from several threads.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>

#include "core/log.hpp"
#include "core/tile.hpp"
#include "io/encoding_sink.hpp"
#include "io/tile_sink.hpp"
#include "tools/outcrop/simulate/fields.hpp"
#include "tools/outcrop/simulate/samples.hpp"
#include "tools/outcrop/simulate/scene.hpp"

namespace outcrop::tools {

class SceneSink {
 public:
  SceneSink(const Scene& scene, Log& log);

  void begin();

  /// Any thread. Filtered chunks go into their files in the order of the tiles: the call for a tile waits for those of
  /// all tiles before it, each of which must be under way or come before any other of its thread.
  void write(std::int64_t tile, const TileRect& rect, const FieldTile& fields, const SampleTile& samples);

  /// Ends the waiting in write(): a tile that others wait for will not come.
  void stop();

  void commit();
  void abandon() noexcept;

 private:
  /// False when stop() came first.
  bool wait_for_turn(std::int64_t tile);
  void end_turn();

  std::unique_ptr<io::TileSink> flat_;
  std::unique_ptr<io::EncodingSink> encoding_;  ///< when the layout has filters
  std::mutex mutex_;
  std::condition_variable turn_;
  std::int64_t next_tile_ = 0;
  bool stopped_ = false;
};

}  // namespace outcrop::tools
