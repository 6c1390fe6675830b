// Errors of three kinds add up: of the column's whole numbers, whose sums the row then means over; of the row's, on the
// means that the column left; and of rounding in between to one part of 256 times the sum of the column's whole
// numbers. On noise they are independent, so that their squares add; the largest errors add as they are.
//
// Flat areas are exact but for the rounding in between, which is far from a half where a flat area stays what it is.
// Where it becomes something else, halves are nothing rare: then only weights that need no rounding at all are taken.
#include "cpu/byte_pairs.h"

#include <algorithm>
#include <cmath>

#include "cpu/whole_weights.h"

namespace convolve::cpu {
namespace {

/// Sums of magnitudes: 128 * 256 * this is below 2^31, and so is what V can be times this.
constexpr double kMostSum = 65280;
constexpr double kMostExactSum = 255;  // of whole numbers that are taken 256 times, so that V needs no rounding
constexpr double kMostShare = 0.0008;
constexpr double kShareOfWeights = 0.0003;  // what either direction's whole numbers may cost, and
constexpr double kGoodShareOfWeights = 0.0001;
constexpr double kExactShare = 1e-9;
constexpr double kMostError = 0.25;  // so that rounding stays within one level
constexpr double kMostFloatError = 1e-4;
constexpr size_t kMostColumnTaps = 511;  // rows in the ring: taller ones would leave every cache
constexpr double kExact = 1e-9;

struct Sums {
  double plain = 0;
  double magnitudes = 0;
  double length = 0;  // the root of the sum of squares

  explicit Sums(const std::vector<double>& weights) {
    for (const double weight : weights) {
      plain += weight;
      magnitudes += std::abs(weight);
      length += weight * weight;
    }
    length = std::sqrt(length);
  }
};

/// With what the other direction makes of its errors.
std::optional<WholeWeights> Near(const std::vector<double>& weights, double grows) {
  return WholeWeightsOf(weights, {32767, kMostSum, kShareOfWeights / grows, kGoodShareOfWeights / grows});
}

std::optional<WholeWeights> Exact(const std::vector<double>& weights, double most_sum) {
  std::optional<WholeWeights> whole = WholeWeightsOf(weights, {127, most_sum, kExactShare, kExactShare});
  if (whole && whole->share != 0) return std::nullopt;
  return whole;
}

bool IsWhole(double value) { return std::abs(value - std::nearbyint(value)) < kExact; }

}  // namespace

std::optional<BytePair> BytePairOf(const SeparableWeights& weights, const Epilogue& epilogue) {
  if (weights.pairs.size() != 1 || epilogue.input != 0) return std::nullopt;
  const std::vector<double>& column = weights.pairs.front().column;
  std::vector<double> row = weights.pairs.front().row;
  for (double& weight : row) weight *= epilogue.result / weights.divisor;
  const Sums down(column);
  const Sums across(row);
  if (!(down.length > 0) || !(across.length > 0) || !std::isfinite(down.length * across.length)) return std::nullopt;
  const double offset = epilogue.offset * 255;
  const double gain = down.plain * across.plain;
  const double most = 256 * down.magnitudes * across.magnitudes + std::abs(offset);
  if (column.size() > kMostColumnTaps || !(most < kMostResult)) return std::nullopt;

  std::optional<WholeWeights> whole_column = Exact(column, kMostExactSum);
  std::optional<WholeWeights> whole_row = Exact(row, kMostSum);
  const bool exact = whole_column && whole_row;
  const bool whole_steps = whole_column.has_value();  // V is a whole number without rounding
  if (whole_column) {
    for (int& weight : whole_column->weights) weight *= 256;
    whole_column->scale /= 256;
  }
  if (!exact) {
    const bool odd = column.size() % 2 == 1 && row.size() % 2 == 1;
    if (!odd || !IsWhole(offset) || !IsWhole(gain) || std::abs(gain) > 1 + kExact) return std::nullopt;
    if (!whole_column) whole_column = Near(column, across.length);
    if (!whole_row) whole_row = Near(row, down.length);
    if (!whole_column || !whole_row) return std::nullopt;
  }

  BytePair pair;
  const double step = whole_steps ? 0 : 256 * whole_column->scale;  // that V is rounded to, in code values
  const double rounding = std::sqrt(2 / 3.14159265358979323846) * step / std::sqrt(12.0) * across.length;
  pair.expected_share = std::hypot(whole_column->share * across.length, whole_row->share * down.length, rounding);
  pair.largest_error =
      whole_column->largest * across.magnitudes + whole_row->largest * down.magnitudes + step / 2 * across.magnitudes;
  if (pair.expected_share > kMostShare || pair.largest_error > kMostError) return std::nullopt;

  const double scale = 256 * whole_column->scale * whole_row->scale;
  const double above = exact ? AboveHalf(scale, offset) : 0;
  // The sum as float, the scale and the offset err by 2^-24 of their size, and what is not cut off lies within 256 of
  // the offset.
  const double floats = std::ldexp(3 * (128 * std::abs(gain) + std::abs(offset) + 256), -24);
  if (!(floats < (above > 0 ? above : kMostFloatError))) return std::nullopt;
  pair.scale = static_cast<float>(scale);
  pair.offset = static_cast<float>(128 * gain + offset + 0.5 + above);
  pair.column = PackRows(whole_column->weights, static_cast<int>(column.size()), 16);
  pair.row = PackRows(whole_row->weights, static_cast<int>(row.size()), 16);
  return pair;
}

}  // namespace convolve::cpu
