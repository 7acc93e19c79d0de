// MintPy's names for what a scene holds.
#include "tools/outcrop/simulate/files.hpp"

#include <fmt/format.h>

#include <utility>

namespace outcrop::tools {
namespace {

io::Attributes common_attributes(const Scene& scene) {
  io::Attributes a;
  const auto number = [](auto value) { return fmt::format("{}", value); };
  a.set("ALOOKS", number(Scene::azimuth_looks));
  a.set("RLOOKS", number(Scene::range_looks));
  a.set("ANTENNA_SIDE", "-1");
  a.set("AZIMUTH_PIXEL_SIZE", "41.88");
  a.set("RANGE_PIXEL_SIZE", number(scene.range_pixel_size_m));
  a.set("STARTING_RANGE", number(Scene::starting_range_m));
  a.set("WAVELENGTH", number(Scene::wavelength_m));
  a.set("EARTH_RADIUS", number(Scene::earth_radius_m));
  a.set("HEIGHT", number(Scene::height_m));
  a.set("CENTER_LINE_UTC", "42000.0");
  a.set("HEADING", "-168.0");
  a.set("ORBIT_DIRECTION", "DESCENDING");
  a.set("PLATFORM", "Sen");
  a.set("POLARIZATION", "VV");
  a.set("PROCESSOR", "isce");
  a.set("PROJECT_NAME", "Simulated");
  a.set("beam_mode", "IW");
  a.set("relative_orbit", "128");
  a.set("LENGTH", number(scene.rows()));
  a.set("WIDTH", number(scene.cols()));
  a.set("START_DATE", scene.network.dates.front());
  a.set("END_DATE", scene.network.dates.back());
  return a;
}

io::Attributes attributes_of(const Scene& scene, const char* file_type, const char* unit) {
  io::Attributes a = common_attributes(scene);
  a.set("FILE_TYPE", file_type);
  a.set("UNIT", unit);
  return a;
}

void set_reference(const Scene& scene, io::Attributes& a) {
  a.set("REF_Y", fmt::format("{}", scene.reference_row));
  a.set("REF_X", fmt::format("{}", scene.reference_col));
}

io::SmallDataset dates_dataset(const Scene& scene) { return {"date", scene.network.dates, {}, {}}; }

io::TiledDataset cube(const char* name, const char* plane, std::int64_t depth, DType dtype = DType::f32) {
  return {name, plane, depth, false, dtype, {}};
}

io::TiledDataset map(const char* name, const char* plane, DType dtype = DType::f32) {
  return {name, plane, 1, true, dtype, {}};
}

io::OutputFile stack_file(const Scene& scene) {
  const Network& network = scene.network;
  std::vector<std::string> dates;
  std::vector<float> bperp;
  for (const DatePair& pair : network.pairs) {
    const auto first = static_cast<std::size_t>(pair.first);
    const auto second = static_cast<std::size_t>(pair.second);
    dates.push_back(network.dates[first]);
    dates.push_back(network.dates[second]);
    bperp.push_back(static_cast<float>(network.bperp_m[second] - network.bperp_m[first]));
  }
  const std::int64_t pairs = network.num_pairs();
  io::OutputFile file{
      scene.options.dir + "/inputs/ifgramStack.h5", attributes_of(scene, "ifgramStack", "radian"), {}, {}};
  set_reference(scene, file.attributes);
  file.attributes.set("DATA_TYPE", "float32");
  file.small.push_back({"date", std::move(dates), {pairs, 2}, {}});
  file.small.push_back({"bperp", std::move(bperp), {}, {}});
  file.small.push_back({"dropIfgram", std::vector<bool>(network.pairs.size(), true), {}, {}});
  file.tiled = {cube("unwrapPhase", "phase", pairs), cube("coherence", "coherence", pairs),
                cube("connectComponent", "component", pairs, DType::u8)};
  return file;
}

io::OutputFile geometry_file(const Scene& scene) {
  io::OutputFile file{scene.options.dir + "/inputs/geometryRadar.h5", attributes_of(scene, "geometry", "m"), {}, {}};
  file.tiled = {map("height", "height"), map("incidenceAngle", "incidence"), map("slantRangeDistance", "slant_range")};
  if (scene.options.bperp3d) {
    file.small.push_back(dates_dataset(scene));
    file.tiled.push_back(cube("bperp", "bperp", scene.network.num_dates()));
  }
  return file;
}

io::OutputFile water_file(const Scene& scene) {
  io::OutputFile file{scene.options.dir + "/waterMask.h5", attributes_of(scene, "waterMask", "1"), {}, {}};
  file.tiled = {map("waterMask", "land", DType::u8)};
  return file;
}

io::OutputFile truth_file(const Scene& scene) {
  io::OutputFile file{scene.options.dir + "/truth.h5", attributes_of(scene, "timeseries", "m"), {}, {}};
  set_reference(scene, file.attributes);
  file.attributes.set("REF_DATE", scene.network.dates.front());
  std::vector<float> bperp(scene.network.bperp_m.begin(), scene.network.bperp_m.end());
  file.small = {dates_dataset(scene), {"bperp", std::move(bperp), {}, {}}};
  file.tiled = {map("velocity", "velocity"), map("demErr", "dem_error"), map("pixelKind", "kind", DType::u8),
                cube("displacement", "displacement", scene.network.num_dates()),
                cube("timeseries", "series", scene.network.num_dates())};
  return file;
}

}  // namespace

std::vector<io::OutputFile> truth_files(const Scene& scene) {
  std::vector<io::OutputFile> files{truth_file(scene)};
  if (scene.options.water) files.push_back(water_file(scene));
  return files;
}

std::vector<io::OutputFile> input_files(const Scene& scene) {
  std::vector<io::OutputFile> files{geometry_file(scene), stack_file(scene)};
  for (auto& file : files) {
    for (auto& tiled : file.tiled) {
      tiled.chunk_layers = scene.layout.chunk[0];
      tiled.chunk_rows = scene.layout.chunk[1];
      tiled.chunk_cols = scene.layout.chunk[2];
    }
  }
  return files;
}

}  // namespace outcrop::tools
