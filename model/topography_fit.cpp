// Tables of the fit: rows of the dates in use, and the shared columns in an orthonormal basis.
#include "model/topography_fit.hpp"

#include <algorithm>
#include <cmath>

#include "model/dates.hpp"
#include "model/orthogonal_basis.hpp"

namespace outcrop::model {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

/// Years from the reference date, in float32 arithmetic as MintPy has them.
std::vector<float> years(const CorrectTopography& p) {
  constexpr float days_of_year = 365.25F;
  const std::int64_t origin_s = parse_date_s(p.dates[at(p.reference_date)]);
  std::vector<float> values;
  for (const auto& date : p.dates) {
    values.push_back(static_cast<float>(days_between(origin_s, parse_date_s(date))) / days_of_year);
  }
  return values;
}

void choose_rows(TopographyFit& fit, const CorrectTopography& p) {
  for (std::int32_t date = 0; date < fit.num_dates; ++date) {
    if (!p.excluded[at(date)]) fit.row_date.push_back(date);
  }
  if (p.phase_velocity) {
    const std::vector<float> year = years(p);
    const std::vector<std::int32_t> used = std::move(fit.row_date);
    fit.row_date.clear();
    for (std::size_t i = 1; i < used.size(); ++i) {
      fit.row_date.push_back(used[i]);
      fit.row_minus.push_back(used[i - 1]);
      const double step_yr = static_cast<double>(year[at(used[i])]) - static_cast<double>(year[at(used[i - 1])]);
      fit.row_factor.push_back(1 / step_yr);
    }
  }
  fit.num_rows = static_cast<std::int32_t>(fit.row_date.size());
}

std::vector<double> rows_of(const TopographyFit& fit, const std::vector<double>& dates) {
  std::vector<double> rows(at(fit.num_rows));
  pixel::rows_of_dates(
      fit.view(), [&](std::int32_t date) { return dates[at(date)]; }, rows.data());
  return rows;
}

/// Values of rows to values of dates, the transpose of rows_of().
std::vector<double> dates_of(const TopographyFit& fit, const std::vector<double>& rows) {
  std::vector<double> dates(at(fit.num_dates), 0.0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double value = rows[i] * (fit.row_minus.empty() ? 1 : fit.row_factor[i]);
    dates[at(fit.row_date[i])] += value;
    if (!fit.row_minus.empty()) dates[at(fit.row_minus[i])] -= value;
  }
  return dates;
}

/// [from.size() / columns, columns] with zeros to the right up to `padded` columns.
std::vector<double> padded_columns(const std::vector<double>& from, std::int64_t columns, std::int64_t padded) {
  if (columns == 0) return {};
  const std::int64_t rows = static_cast<std::int64_t>(from.size()) / columns;
  std::vector<double> to(at(rows * padded), 0.0);
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) to[at(i * padded + j)] = from[at(i * columns + j)];
  }
  return to;
}

/// The constant is lost in differences.
std::vector<const DesignColumn*> columns_in_use(const CorrectTopography& p) {
  std::vector<const DesignColumn*> columns;
  for (const DesignColumn& column : p.columns) {
    if (!p.phase_velocity || column.name != "constant") columns.push_back(&column);
  }
  return columns;
}

/// predict = S0 W, gram = W' W.
void set_tables(TopographyFit& fit, const OrthogonalBasis& basis, const std::vector<const DesignColumn*>& columns) {
  const std::int64_t rank = basis.rank;
  std::vector<double> predict(at(fit.num_dates * rank), 0.0);
  fit.gram.assign(at(std::int64_t{fit.rank} * fit.rank), 0.0);
  for (std::size_t n = 0; n < columns.size(); ++n) {
    const double* const w = basis.w.data() + static_cast<std::int64_t>(n) * rank;
    for (std::int64_t j = 0; j < rank; ++j) {
      for (std::int64_t d = 0; d < fit.num_dates; ++d) predict[at(d * rank + j)] += columns[n]->value[at(d)] * w[j];
      for (std::int64_t i = 0; i < rank; ++i) fit.gram[at(i * fit.rank + j)] += w[i] * w[j];
    }
  }
  fit.basis = padded_columns(basis.q, rank, fit.rank);
  fit.predict = padded_columns(predict, rank, fit.rank);
}

void set_data(TopographyFit& fit) {
  fit.data.assign(at(std::int64_t{fit.num_dates} * fit.rank), 0.0);
  for (std::int64_t j = 0; j < fit.rank; ++j) {
    std::vector<double> rows;
    for (std::int64_t i = 0; i < fit.num_rows; ++i) rows.push_back(fit.basis[at(i * fit.rank + j)]);
    const std::vector<double> dates = dates_of(fit, rows);
    for (std::int64_t d = 0; d < fit.num_dates; ++d) fit.data[at(d * fit.rank + j)] = dates[at(d)];
  }
}

}  // namespace

pixel::FitView TopographyFit::view() const {
  pixel::FitView view;
  view.num_dates = num_dates;
  view.num_rows = num_rows;
  view.rank = rank;
  view.row_date = row_date.data();
  view.row_minus = row_minus.empty() ? nullptr : row_minus.data();
  view.row_factor = row_factor.data();
  view.basis = basis.data();
  view.predict = predict.data();
  view.gram = gram.data();
  return view;
}

std::int64_t TopographyFit::num_bytes() const {
  const std::size_t numbers = row_factor.size() + basis.size() + predict.size() + gram.size() + data.size();
  return static_cast<std::int64_t>(numbers * sizeof(double) +
                                   (row_date.size() + row_minus.size()) * sizeof(std::int32_t));
}

TopographyFit plan_topography_fit(const CorrectTopography& p) {
  TopographyFit fit;
  fit.num_dates = static_cast<std::int32_t>(p.num_dates());
  choose_rows(fit, p);
  const auto columns = columns_in_use(p);
  std::vector<std::vector<double>> rows;
  for (const DesignColumn* column : columns) rows.push_back(rows_of(fit, column->value));
  const OrthogonalBasis basis = orthogonalise(rows, fit.num_rows);
  fit.true_rank = basis.rank;
  fit.rank = (basis.rank + pixel::basis_group - 1) / pixel::basis_group * pixel::basis_group;
  set_tables(fit, basis, columns);
  set_data(fit);
  for (std::size_t n = 0; n < columns.size(); ++n) {
    const bool zero = std::all_of(rows[n].begin(), rows[n].end(), [](double value) { return value == 0; });
    if (zero) fit.zero_columns.push_back(columns[n]->name);
    if (!zero && !basis.determined[n]) fit.undetermined.push_back(columns[n]->name);
  }
  fit.dependent = basis.rank < static_cast<int>(columns.size());
  const bool rows_enough = fit.num_rows > static_cast<std::int32_t>(columns.size());
  fit.surprising = rows_enough && !fit.undetermined.empty();
  return fit;
}

std::vector<double> relative_baselines(const CorrectTopography& p) {
  std::vector<double> relative;
  for (const double value : p.bperp_m) relative.push_back(value - p.bperp_m[at(p.reference_date)]);
  return relative;
}

pixel::SharedBaselineView SharedBaselines::view(const TopographyFit& fit) const {
  return {baseline_m.data(), slope.data(), column.data(), fit.data.data(), dependent, zero, square};
}

SharedBaselines plan_shared_baselines(const TopographyFit& fit, const CorrectTopography& p) {
  SharedBaselines shared;
  shared.baseline_m = relative_baselines(p);
  const pixel::FitView view = fit.view();
  const std::vector<double> c = rows_of(fit, shared.baseline_m);
  shared.column.assign(at(fit.rank), 0.0);
  std::vector<double> left = c;
  // Twice: the second pass removes what rounding of the first one left.
  for (int time = 0; time < 2; ++time) {
    std::vector<double> part(at(fit.rank));
    std::vector<double> unused(at(fit.rank));
    pixel::coefficients(view, left.data(), left.data(), part.data(), unused.data());
    for (std::int64_t i = 0; i < fit.num_rows; ++i) {
      for (std::int64_t j = 0; j < fit.rank; ++j) left[at(i)] -= fit.basis[at(i * fit.rank + j)] * part[at(j)];
    }
    for (std::size_t j = 0; j < part.size(); ++j) shared.column[j] += part[j];
  }
  double whole = 0;
  double square = 0;
  for (std::size_t i = 0; i < c.size(); ++i) {
    whole += c[i] * c[i];
    square += left[i] * left[i];
  }
  shared.zero = whole == 0;
  shared.dependent = !(square > pixel::dependent_square * whole);
  if (!shared.dependent) {
    for (double& value : left) value /= square;
    shared.slope = dates_of(fit, left);
    return shared;
  }
  shared.square = pixel::gram_product(view, shared.column.data(), shared.column.data());
  // The unknowns of c with those of the series: column' gram data'.
  shared.slope.assign(at(fit.num_dates), 0.0);
  for (std::int64_t d = 0; d < fit.num_dates; ++d) {
    shared.slope[at(d)] = pixel::gram_product(view, shared.column.data(), fit.data.data() + d * fit.rank);
  }
  return shared;
}

}  // namespace outcrop::model
