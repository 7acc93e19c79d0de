// Design columns that all pixels share: polynomial, periodic terms and steps in time.
#include "model/design.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <numbers>

#include "model/dates.hpp"

namespace outcrop::model {
namespace {

constexpr double day_s = 86400;
constexpr double days_of_year = 365.25;
constexpr std::size_t date_alone = 8;  ///< length of YYYYMMDD

double as_stored(double value) { return static_cast<double>(static_cast<float>(value)); }

std::vector<double> years_since_first(const std::vector<std::string>& dates, double time_of_day_s) {
  std::vector<double> tau;
  for (const auto& date : dates) {
    tau.push_back(decimal_year(date, time_of_day_s) - decimal_year(dates.front(), time_of_day_s));
  }
  return tau;
}

template <class Function>
DesignColumn column_of(std::string name, const std::vector<double>& tau, const Function& function) {
  DesignColumn column{std::move(name), {}};
  for (const double t : tau) column.value.push_back(as_stored(function(t)));
  return column;
}

/// tau^order / order!, factor by factor: neither the power nor the factorial may overflow.
double monomial(double tau, int order) {
  double term = 1;
  for (int i = 1; i <= order; ++i) term *= tau / i;
  return term;
}

}  // namespace

double decimal_year(const std::string& date, double time_of_day_s) {
  using namespace std::chrono;
  const sys_seconds moment{seconds{parse_date_s(date)}};
  const sys_days day = floor<days>(moment);
  const year_month_day calendar{day};
  const sys_days first_of_january{calendar.year() / January / 1};
  const double time_s = date.size() > date_alone ? static_cast<double>((moment - day).count()) : time_of_day_s;
  const double days_before = static_cast<double>((day - first_of_january).count());
  return static_cast<int>(calendar.year()) + days_before / days_of_year + time_s / (days_of_year * day_s);
}

std::vector<DesignColumn> design_columns(const std::vector<std::string>& dates, double time_of_day_s,
                                         const DesignTerms& terms) {
  const std::vector<double> tau = years_since_first(dates, time_of_day_s);
  std::vector<DesignColumn> columns;
  for (int order = 0; order <= terms.polynomial_order; ++order) {
    columns.push_back(column_of(order == 0 ? "constant" : fmt::format("order {}", order), tau,
                                [&](double t) { return monomial(t, order); }));
  }
  for (const double period_yr : terms.periods_yr) {
    const double pulsation = 2 * std::numbers::pi / period_yr;
    columns.push_back(
        column_of(fmt::format("cosine of {} yr", period_yr), tau, [&](double t) { return std::cos(pulsation * t); }));
    columns.push_back(
        column_of(fmt::format("sine of {} yr", period_yr), tau, [&](double t) { return std::sin(pulsation * t); }));
  }
  for (const auto& step : terms.steps) {
    DesignColumn column{"step " + step, {}};
    for (const auto& date : dates) {
      column.value.push_back(decimal_year(date, time_of_day_s) > decimal_year(step, 0) ? 1 : 0);
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

}  // namespace outcrop::model
