#include "gpu/network_program.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace outcrop::gpu {
namespace {

using model::InvertNetwork;

/// Variances of observations do not depend on how the series is weighted.
model::Weights variances_of(const InvertNetwork& p) {
  if (!p.covariance) return {model::WeightFunction::none, 1};
  const bool known = p.kind == model::ObservationKind::offset;
  return {known ? model::WeightFunction::deviation : model::WeightFunction::variance, p.num_looks};
}

}  // namespace

NetworkProgram::NetworkProgram(const model::Step& step, const SlotLayout& layout)
    : Program(step, layout),
      owner_(step.parameters),
      parameters_(step.as<InvertNetwork>()),
      elimination_(model::plan_elimination(parameters_.network)),
      weights_(parameters_.weight, parameters_.num_looks),
      variances_(variances_of(parameters_)) {
  fill_scalars();
  fill_elimination();
  fill_columns();
  fill_host();
}

NetworkPixels NetworkProgram::on_device(const Slot& slot, const DeviceSlot& device) const {
  const SlotLayout& layout = slot.layout();
  NetworkPlanes planes;
  planes.stride = layout.pixel_capacity();
  planes.reference_pixel = reference_pixel(slot.rect);
  planes.observation = device.plane<float>(layout, plane("observation"));
  planes.coherence = device.plane<float>(layout, plane("coherence"));
  planes.deviation = device.plane<float>(layout, plane("std"));
  planes.mask = device.plane<float>(layout, plane("mask"));
  planes.water_mask = device.plane<float>(layout, plane("water_mask"));
  planes.quality_mask = device.plane<float>(layout, plane("quality_mask"));
  planes.timeseries = device.plane<float>(layout, plane("timeseries"));
  planes.quality = device.plane<float>(layout, plane("quality"));
  planes.count = device.plane<float>(layout, plane("count"));
  planes.status = device.plane<std::uint8_t>(layout, plane("status"));
  planes.islands = device.plane<std::uint8_t>(layout, plane("islands"));
  planes.covariance = device.plane<float>(layout, plane("covariance"));
  planes.findings = device.device_findings(layout, place());
  return {tables_on_device_, planes};
}

NetworkPixels NetworkProgram::on_host(const Slot& slot) const {
  NetworkPlanes planes;
  planes.stride = slot.layout().pixel_capacity();
  planes.observation = host_plane(slot, plane("observation"));
  planes.coherence = host_plane(slot, plane("coherence"));
  planes.deviation = host_plane(slot, plane("std"));
  planes.mask = host_plane(slot, plane("mask"));
  return {tables_on_host_, planes};
}

NetworkScratch NetworkProgram::carve_usual(Workspace& workspace, std::int64_t threads) const {
  NetworkScratch s;
  s.threads = threads;
  s.conductance = workspace.take<double>(elimination_.num_edges(), threads);
  s.x = workspace.take<double>(num_dates(), threads);
  s.inverse = workspace.take<double>(num_dates(), threads);
  s.redundancy = workspace.take<float>(num_dates(), threads);
  s.island = workspace.take<std::int32_t>(num_dates(), threads);
  s.number = workspace.take<std::int32_t>(num_dates(), threads);
  s.offset = workspace.take<double>(num_dates(), threads);
  if (has_covariance()) s.covariance = workspace.take<double>(num_dates() * num_dates(), threads);
  return s;
}

std::int64_t NetworkProgram::reference_pixel(const TileRect& rect) const {
  const InvertNetwork& p = parameters_;
  if (!p.has_reference_pixel || !rect.contains(p.reference_row, p.reference_col)) return -1;
  return (p.reference_row - rect.row) * rect.cols + p.reference_col - rect.col;
}

void NetworkProgram::fill_scalars() {
  const InvertNetwork& p = parameters_;
  NetworkTables& t = tables_on_device_;
  t.zero_is_data = p.zero_is_data;
  t.weight = {weights_.function(), nullptr, static_cast<double>(weights_.num_looks())};
  t.weight_is_deviation = p.kind == model::ObservationKind::offset;
  t.mask = p.mask;
  t.mask_source = p.mask_source;
  t.mask_threshold = p.mask_threshold;
  t.deviation_limits = {p.mask_threshold, p.outlier_threshold};
  t.min_redundancy = p.min_redundancy;
  t.untested_position = position_of(p.removed_date);
  t.norm = p.norm;
  t.metres_per_unit = p.metres_per_unit;
  t.quality_is_residual = p.kind == model::ObservationKind::offset;
  if (t.quality_is_residual) t.skipped_quality = std::numeric_limits<float>::quiet_NaN();
  if (!p.covariance) return;
  t.has_covariance = true;
  t.variance = {variances_.function(), nullptr, static_cast<double>(variances_.num_looks())};
  t.covariance_position = position_of(p.covariance->reference_date);
  t.covariance_factor = p.covariance->factor;
}

void NetworkProgram::fill_elimination() {
  model::EliminationView& plan = tables_on_device_.plan;
  plan = elimination_.view();
  tables_.add(elimination_.position, plan.position);
  tables_.add(elimination_.pair_first, plan.pair_first);
  tables_.add(elimination_.pair_second, plan.pair_second);
  tables_.add(elimination_.pair_edge, plan.pair_edge);
  tables_.add(elimination_.edge_begin, plan.edge_begin);
  tables_.add(elimination_.neighbour, plan.neighbour);
  tables_.add(elimination_.target, plan.target);
}

void NetworkProgram::fill_columns() {
  const InvertNetwork& p = parameters_;
  NetworkTables& t = tables_on_device_;
  for (const float step : model::date_steps_yr(p.network)) step_yr_.push_back(static_cast<double>(step));
  for (std::size_t k = 0; k < p.reference.size(); ++k) {
    if (std::isfinite(p.reference[k])) pair_in_use_.push_back(static_cast<std::int32_t>(k));
  }
  // By edge: the kernel finishes one conductance after the other.
  std::stable_sort(pair_in_use_.begin(), pair_in_use_.end(),
                   [this](std::int32_t a, std::int32_t b) { return edge_of(a) < edge_of(b); });
  t.num_in_use = static_cast<std::int32_t>(pair_in_use_.size());
  t.reference_count = static_cast<float>(p.reference_count.value_or(t.num_in_use));
  // A series is relative to the date it begins with. Velocities add up from the first, whatever was removed.
  const int origin = p.norm == model::MinimumNorm::phase ? p.removed_date : 0;
  std::vector<std::int32_t> series_position;
  for (const int date : model::order_without(p.network.num_dates(), origin)) {
    series_position.push_back(position_of(date));
  }
  tables_.add(step_yr_, t.step_yr);
  tables_.add(pair_in_use_, t.pair_in_use);
  tables_.add(series_position, t.series_position);
  tables_.add(p.reference, t.reference);
  tables_.add(p.median, t.median);
  tables_.add(std::vector<float>(weights_.table().begin(), weights_.table().end()), t.weight.table);
  tables_.add(std::vector<float>(variances_.table().begin(), variances_.table().end()), t.variance.table);
}

/// Of the tables those that assembly reads.
void NetworkProgram::fill_host() {
  NetworkTables& t = tables_on_host_;
  t = tables_on_device_;
  t.plan = elimination_.view();
  t.step_yr = step_yr_.data();
  t.pair_in_use = pair_in_use_.data();
  t.reference = parameters_.reference.data();
  t.median = parameters_.median.data();
  t.weight.table = weights_.table().data();
}

std::int32_t NetworkProgram::position_of(int date) const {
  return elimination_.position[static_cast<std::size_t>(date)];
}

std::int32_t NetworkProgram::edge_of(std::int32_t pair) const {
  return elimination_.pair_edge[static_cast<std::size_t>(pair)];
}

}  // namespace outcrop::gpu
