// Sums in float64 over code values: for 8 and 16 bit the error is far below what could change a rounding, except at
// ties.
#include "exactness.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <variant>
#include <vector>

#include "engine/border.h"
#include "engine/sample.h"

namespace convolve::bench {
namespace {

/// Multiply-adds that a check may cost.
constexpr double kBudget = 3e8;
/// The golden set's tolerance for single precision: times 1 + the largest possible sum.
constexpr double kSingle = 6e-7;
/// A float64 sum this near to a half rounds either way.
constexpr double kTie = 1e-9;

/// The kernel with all its weights.
DenseWeights Written(const Row& row) {
  DenseWeights kernel = row.kernel;
  if (!kernel.weights.empty()) return kernel;
  for (const double down : row.taps) {
    for (const double across : row.taps) kernel.weights.push_back(down * across);
  }
  return kernel;
}

double Gain(const DenseWeights& kernel) {
  double sum = 0;
  for (const double weight : kernel.weights) sum += std::abs(weight);
  return sum / std::abs(kernel.divisor);
}

template <typename T>
double SumAt(const DenseWeights& kernel, BorderKind border, const View<const T>& source, int x, int y, int channel) {
  double sum = 0;
  for (int j = 0; j < kernel.height; ++j) {
    const int row = MapPosition(border, int64_t{y} + j - kernel.anchor_y, source.height);
    if (row < 0) continue;
    const T* const samples = source.Row(row);
    const double* const weights = kernel.weights.data() + static_cast<size_t>(j) * kernel.width;
    for (int i = 0; i < kernel.width; ++i) {
      const int column = MapPosition(border, int64_t{x} + i - kernel.anchor_x, source.width);
      if (column >= 0) sum += weights[i] * static_cast<double>(samples[column * source.channels + channel]);
    }
  }
  return sum / kernel.divisor;
}

std::vector<int> RowsToCheck(int height, int reach) {
  std::vector<int> rows = {0, 1, reach / 2, reach, height / 3, height / 2, height / 2 + 1, height - 2, height - 1};
  for (int& row : rows) row = std::clamp(row, 0, height - 1);
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

std::vector<int> ColumnsToCheck(int width, int reach, size_t most) {
  std::vector<int> columns;
  const int edge = std::min({reach + 2, width / 2, static_cast<int>(most / 4) + 1});
  for (int x = 0; x < edge; ++x) columns.insert(columns.end(), {x, width - 1 - x});
  const int step = std::max(1, static_cast<int>(static_cast<size_t>(width) / std::max<size_t>(most / 2, 1)));
  // An odd step meets every place in a vector.
  for (int x = edge; x < width - edge; x += step | 1) columns.push_back(x);
  return columns;
}

}  // namespace

Exactness CheckResult(const Row& row, BorderKind border, const Image& source, const AnyView& result) {
  Exactness found;
  const bool magnitude = row.operation == Operation::kMagnitude;
  const DenseWeights kernel = Written(row);
  const double gain = Gain(kernel) + (magnitude ? Gain(row.other) : 0);
  std::visit(
      [&](const auto& from) {
        using T = std::remove_const_t<std::remove_pointer_t<decltype(from.data)>>;
        const auto to = std::get<View<T>>(result);
        const double full = FullScale(source.type());
        const int reach = std::max(kernel.width, kernel.height) / 2;
        const std::vector<int> rows = RowsToCheck(from.height, reach);
        const double cost = static_cast<double>(kernel.weights.size()) * from.channels * (magnitude ? 2 : 1);
        const double columns = kBudget / (cost * static_cast<double>(rows.size()));
        for (const int y : rows) {
          for (const int x : ColumnsToCheck(from.width, reach, static_cast<size_t>(columns))) {
            for (int c = 0; c < from.channels; ++c) {
              const bool alpha = source.alpha() && c == from.channels - 1;
              double value = SumAt(kernel, border, from, x, y, c);
              if (magnitude && alpha) {
                value = static_cast<double>(from.Row(y)[x * from.channels + c]);
              } else if (magnitude) {
                value = std::hypot(value, SumAt(row.other, border, from, x, y, c));
              }
              value = std::clamp(value, 0.0, full);
              const double have = static_cast<double>(to.Row(y)[x * from.channels + c]);
              ++found.samples;
              if constexpr (std::is_integral_v<T>) {
                const double low = static_cast<double>(StoredSample<T>(value - kTie));
                const double high = static_cast<double>(StoredSample<T>(value + kTie));
                const double off = std::min(std::abs(have - low), std::abs(have - high));
                if (off == 0) ++found.exact;
                found.worst = std::max(found.worst, off);
              } else {
                if (have == static_cast<double>(static_cast<T>(value))) ++found.exact;
                const double off = std::abs(have - value) / (kSingle * (1 + gain));
                found.worst = std::max(found.worst, std::isnan(off) ? 1e9 : off);
              }
            }
          }
        }
      },
      source.view());
  return found;
}

}  // namespace convolve::bench
