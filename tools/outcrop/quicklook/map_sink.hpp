// MapSink: passes everything on to another sink, and shows it to the samples of the maps on the way.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "io/tile_sink.hpp"
#include "tools/outcrop/quicklook/map_samples.hpp"

namespace outcrop::tools {

class MapSink final : public io::TileSink {
 public:
  /// `drawing_bytes`: what drawing the maps will take, for the plan.
  MapSink(std::unique_ptr<io::TileSink> next, std::shared_ptr<MapSamples> samples, std::int64_t drawing_bytes)
      : next_(std::move(next)), samples_(std::move(samples)), drawing_bytes_(drawing_bytes) {}

  const std::vector<io::SinkPlane>& planes() const override { return next_->planes(); }
  std::int64_t held_bytes() const override {
    return next_->held_bytes() + samples_->held_bytes(next_->planes()) + drawing_bytes_;
  }
  std::int64_t late_bytes() const override { return next_->late_bytes(); }
  std::int64_t space_bytes() const override { return next_->space_bytes(); }
  void begin() override {
    samples_->begin(next_->planes());
    next_->begin();
  }
  std::int64_t write(const io::PlaneBlock& block) override {
    samples_->note(block);
    return next_->write(block);
  }
  void commit(const std::vector<io::LateAttribute>& attributes) override { next_->commit(attributes); }
  void abandon() noexcept override { next_->abandon(); }

 private:
  std::unique_ptr<io::TileSink> next_;
  std::shared_ptr<MapSamples> samples_;
  std::int64_t drawing_bytes_;
};

}  // namespace outcrop::tools
