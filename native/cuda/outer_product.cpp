// Finding a row that all rows are multiples of; every weight is checked.
#include "cuda/outer_product.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace convolve::cuda {

std::optional<RankPair> OuterProduct(const DenseWeights& dense) {
  const auto at = [&](int j, int i) { return dense.weights[static_cast<size_t>(j) * dense.width + i]; };
  const auto found =
      std::find_if(dense.weights.begin(), dense.weights.end(), [](double weight) { return weight != 0; });
  if (found == dense.weights.end()) return std::nullopt;
  const auto pivot = static_cast<int>(found - dense.weights.begin());
  const int pivot_row = pivot / dense.width;
  const int pivot_column = pivot % dense.width;
  double factor = 0;
  for (int i = 0; i < dense.width; ++i) {
    const double weight = std::abs(at(pivot_row, i));
    if (weight != std::floor(weight) || weight > 65536) return std::nullopt;
    factor = std::gcd(static_cast<int64_t>(factor), static_cast<int64_t>(weight));
  }
  RankPair pair;
  for (int i = 0; i < dense.width; ++i) pair.row.push_back(at(pivot_row, i) / factor);
  for (int j = 0; j < dense.height; ++j) {
    pair.column.push_back(at(j, pivot_column) / pair.row[static_cast<size_t>(pivot_column)]);
  }
  for (int j = 0; j < dense.height; ++j) {
    for (int i = 0; i < dense.width; ++i) {
      if (pair.column[static_cast<size_t>(j)] * pair.row[static_cast<size_t>(i)] != at(j, i)) return std::nullopt;
    }
  }
  return pair;
}

}  // namespace convolve::cuda
