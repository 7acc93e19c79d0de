// Design columns that all pixels share: polynomial, periodic terms and steps in time.
#pragma once

#include <string>
#include <vector>

namespace outcrop::model {

/// A column of the design matrix, over all dates.
struct DesignColumn {
  std::string name;           ///< for people: "constant", "order 1", "cosine of 1 yr", "step 20200312"
  std::vector<double> value;  ///< [D]
};

struct DesignTerms {
  int polynomial_order = 2;        ///< at least 1
  std::vector<double> periods_yr;  ///< a cosine and a sine for each
  std::vector<std::string> steps;  ///< dates; a step is 1 at dates after it
};

/// Year + (day of the year - 1) / 365.25 + time of day: MintPy's measure of time, in which every year has 365.25 days.
/// `time_of_day_s`: of texts that have none. Throws: Errc::input when the text is no date.
double decimal_year(const std::string& date, double time_of_day_s);

/// Constant, polynomial tau^k / k!, periodic terms, steps, in this order; tau in years since the first date. Values are
/// rounded to float32, as MintPy has them.
/// `time_of_day_s`: when the satellite passes, for dates without a time. A step without a time is at midnight.
std::vector<DesignColumn> design_columns(const std::vector<std::string>& dates, double time_of_day_s,
                                         const DesignTerms& terms);

}  // namespace outcrop::model
