// The singular value decomposition by one-sided Jacobi rotations: slow for large matrices, accurate for small singular
// values, and short.
#include "model/orthogonal_basis.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace outcrop::model {
namespace {

using Column = std::vector<double>;
using Columns = std::vector<Column>;

double dot(const Column& a, const Column& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

double norm(const Column& a) { return std::sqrt(dot(a, a)); }

void scale(Column& a, double factor) {
  for (double& value : a) value *= factor;
}

void rotate(Column& a, Column& b, double cosine, double sine) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = a[i];
    a[i] = cosine * x - sine * b[i];
    b[i] = sine * x + cosine * b[i];
  }
}

/// a := a V with orthogonal columns; v := v V.
struct Rotation {
  Columns a;
  Columns v;

  /// Makes columns i and j orthogonal. Gives: whether there was something to do.
  bool turn(std::size_t i, std::size_t j) {
    constexpr double negligible = 1e-14;  // of columns of unit norm: what rounding leaves of a dependent one
    constexpr double orthogonal = 4e-16;
    const double ii = dot(a[i], a[i]);
    const double jj = dot(a[j], a[j]);
    const double ij = dot(a[i], a[j]);
    if (std::min(ii, jj) <= negligible * negligible || std::abs(ij) <= orthogonal * std::sqrt(ii * jj)) return false;
    const double zeta = (jj - ii) / (2 * ij);
    const double tangent = std::copysign(1 / (std::abs(zeta) + std::hypot(1.0, zeta)), zeta);
    const double cosine = 1 / std::hypot(1.0, tangent);
    rotate(a[i], a[j], cosine, cosine * tangent);
    rotate(v[i], v[j], cosine, cosine * tangent);
    return true;
  }

  void run() {
    constexpr int most_sweeps = 60;
    bool turned = true;
    for (int sweep = 0; turned && sweep < most_sweeps; ++sweep) {
      turned = false;
      for (std::size_t i = 0; i + 1 < a.size(); ++i) {
        for (std::size_t j = i + 1; j < a.size(); ++j) turned = turn(i, j) || turned;
      }
    }
  }
};

/// Norm of each column; 1 for columns of zeros.
Column norms_of(const Columns& columns) {
  Column norms;
  for (const Column& column : columns) norms.push_back(norm(column) > 0 ? norm(column) : 1.0);
  return norms;
}

Columns identity(std::size_t size) {
  Columns columns(size, Column(size, 0.0));
  for (std::size_t i = 0; i < size; ++i) columns[i][i] = 1;
  return columns;
}

/// The decomposition of the columns scaled to unit norm.
Rotation decompose(const Columns& columns, const Column& norms) {
  Rotation rotation{columns, identity(columns.size())};
  for (std::size_t j = 0; j < columns.size(); ++j) scale(rotation.a[j], 1 / norms[j]);
  rotation.run();
  return rotation;
}

double largest_norm(const Columns& columns) {
  double largest = 0;
  for (const Column& column : columns) largest = std::max(largest, norm(column));
  return largest;
}

/// Removes from `a` its parts along the orthonormal `directions`, and adds them to `parts`.
void remove_parts(Column& a, const Columns& directions, Column& parts) {
  for (std::size_t k = 0; k < directions.size(); ++k) {
    const double part = dot(a, directions[k]);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] -= part * directions[k][i];
    parts[k] += part;
  }
}

/// vectors [n] in an orthonormal basis: vector `order[k]` is the sum over j <= k of factor[k][j] times direction j.
struct Orthonormal {
  Columns direction;
  Columns factor;
  std::vector<std::size_t> order;
};

/// By Gram and Schmidt, the vector with the largest remainder first, each twice. The vectors are independent.
Orthonormal orthonormal(Columns vectors) {
  Orthonormal result;
  std::vector<bool> done(vectors.size(), false);
  Columns parts(vectors.size(), Column(vectors.size(), 0.0));
  for (std::size_t k = 0; k < vectors.size(); ++k) {
    std::size_t next = 0;
    double largest = -1;
    for (std::size_t j = 0; j < vectors.size(); ++j) {
      if (!done[j] && norm(vectors[j]) > largest) {
        next = j;
        largest = norm(vectors[j]);
      }
    }
    done[next] = true;
    remove_parts(vectors[next], result.direction, parts[next]);
    const double length = norm(vectors[next]);
    parts[next][k] = length;
    scale(vectors[next], 1 / length);
    result.direction.push_back(vectors[next]);
    for (std::size_t j = 0; j < vectors.size(); ++j) {
      if (done[j]) continue;
      const double part = dot(vectors[j], result.direction[k]);
      for (std::size_t i = 0; i < vectors[j].size(); ++i) vectors[j][i] -= part * result.direction[k][i];
      parts[j][k] += part;
    }
    result.factor.push_back(parts[next]);
    result.order.push_back(next);
  }
  return result;
}

/// The vector x of least norm whose product with vector `which` is 1 and with the others 0.
Column dual_vector(const Orthonormal& vectors, std::size_t which) {
  Column x(vectors.direction[which].size(), 0.0);
  Column weight;
  for (std::size_t k = 0; k < vectors.direction.size(); ++k) {
    double left = vectors.order[k] == which ? 1 : 0;
    for (std::size_t j = 0; j < k; ++j) left -= vectors.factor[k][j] * weight[j];
    weight.push_back(left / vectors.factor[k][k]);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += weight[k] * vectors.direction[k][i];
  }
  return x;
}

/// Columns of equal length as [rows, columns].
std::vector<double> row_major(const Columns& columns, std::size_t rows) {
  std::vector<double> values;
  for (std::size_t i = 0; i < rows; ++i) {
    for (const Column& column : columns) values.push_back(column[i]);
  }
  return values;
}

}  // namespace

OrthogonalBasis orthogonalise(const std::vector<std::vector<double>>& columns, int rows) {
  constexpr double takes_part = 1e-8;
  const Column norms = norms_of(columns);
  const Rotation unit = decompose(columns, norms);
  const double largest = largest_norm(unit.a);
  OrthogonalBasis basis;
  basis.rows = rows;
  basis.determined.assign(columns.size(), true);
  Columns q;
  Columns row_space;  // rows of Q' S in the units of the columns. Not of V': in the product equal columns stay equal
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const double value = norm(unit.a[j]);
    const bool kept = value > rank_tolerance * largest;
    for (std::size_t i = 0; i < columns.size() && !kept; ++i) {
      if (std::abs(unit.v[j][i]) > takes_part) basis.determined[i] = false;
    }
    if (!kept) continue;
    q.push_back(unit.a[j]);
    scale(q.back(), 1 / value);
    row_space.emplace_back();
    for (const Column& column : columns) row_space.back().push_back(dot(q.back(), column));
  }
  const Orthonormal directions = orthonormal(row_space);
  Columns w;
  for (std::size_t j = 0; j < q.size(); ++j) w.push_back(dual_vector(directions, j));
  basis.rank = static_cast<int>(q.size());
  basis.q = row_major(q, static_cast<std::size_t>(rows));
  basis.w = row_major(w, columns.size());
  return basis;
}

}  // namespace outcrop::model
