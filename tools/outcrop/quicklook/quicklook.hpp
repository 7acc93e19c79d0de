// Quicklook: maps of a run's outputs, picked up while it goes, and a page with its settings and numbers.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/log.hpp"
#include "io/tile_sink.hpp"
#include "tools/outcrop/quicklook/html.hpp"
#include "tools/outcrop/quicklook/map_samples.hpp"
#include "tools/outcrop/quicklook/wishes.hpp"

namespace outcrop::tools {

/// Pixels of at least this temporal coherence count in the root mean square, as in MintPy's maskTempCoh.h5.
inline constexpr float counted_coherence = 0.7F;

class Quicklook {
 public:
  /// Throws Errc::usage when the folder is no folder or cannot be written.
  Quicklook(std::string folder, QuicklookWishes wishes);
  ~Quicklook();
  Quicklook(const Quicklook&) = delete;
  Quicklook& operator=(const Quicklook&) = delete;

  /// The sink that the run is to write to. Any sink whose planes have the names of the wishes.
  std::unique_ptr<io::TileSink> watch(std::unique_ptr<io::TileSink> sink) const;

  /// Before the run: makes the folder, reads the coherence. Throws Errc::usage when the folder cannot be written.
  void open(Log& log);

  /// After the products are complete: draws the maps and, last, writes index.html.
  /// `report`: the run report (JSON). Throws Errc::io naming the file.
  void write(const std::string& report, const std::vector<std::string>& products);

  std::string page_path() const;

 private:
  /// Of each step: which cells have no data.
  using NoData = std::map<int, std::vector<bool>>;

  std::vector<bool> cells_without_data(int step) const;
  std::vector<ColourScale> scales(const NoData& no_data) const;
  std::vector<Figure> write_maps() const;
  Figure write_rms() const;
  FactTable rms_table() const;
  std::string path_of(const std::string& file) const;

  std::string folder_;
  QuicklookWishes wishes_;
  std::shared_ptr<MapSamples> samples_;
  bool made_folder_ = false;
  bool written_ = false;
};

}  // namespace outcrop::tools
