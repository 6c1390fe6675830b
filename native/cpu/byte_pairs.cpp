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
constexpr double kGoodShare = 0.0005;       // good enough to stop looking
constexpr double kMostLooks = 20000;        // weights looked at in search of it, and
constexpr double kMostSteps = 500;          // whole numbers
constexpr double kShareOfWeights = 0.0003;  // what either direction's whole numbers may cost, and
constexpr double kGoodShareOfWeights = 0.0001;
constexpr double kExactShare = 1e-9;
constexpr double kMostError = 0.25;  // so that rounding stays within one level
constexpr double kMostFloatError = 1e-4;
constexpr size_t kMostColumnTaps = 511;  // rows in the ring: taller ones would leave every cache
constexpr double kExact = 1e-9;
const double kMeanOfNormal = std::sqrt(2 / 3.14159265358979323846);  // of its magnitude, over its deviation

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

/// By how much whole numbers of this scale miss the sum of the weights, which WholeWeightsAt has them meet as nearly as
/// they can.
double SumError(double sum, double scale) { return scale * std::nearbyint(sum / scale) - sum; }

/// What whole numbers err by.
struct Errors {
  double squares = 0;
  double with_weights = 0;  // sum of error * weight

  Errors(const std::vector<double>& weights, const WholeWeights& whole) {
    for (size_t i = 0; i < weights.size(); ++i) {
      const double error = whole.scale * whole.weights[i] - weights[i];
      squares += error * error;
      with_weights += error * weights[i];
    }
  }
};

/// What multiplies the sum of a row, with the column's.
std::vector<double> RowOf(const SeparableWeights& weights, const Epilogue& epilogue) {
  std::vector<double> row = weights.pairs.front().row;
  for (double& weight : row) weight *= epilogue.result / weights.divisor;
  return row;
}

/// Without a zero before the first weight, then with one.
void PackColumn(const std::vector<int>& column, BytePair& pair) {
  const size_t length = column.size() / 2 * 2 + 2;
  for (const int late : {0, 1}) {
    std::vector<int> weights(length, 0);
    std::copy(column.begin(), column.end(), weights.begin() + late);
    (late == 1 ? pair.late_column : pair.column) = PackRows(weights, static_cast<int>(length), 16);
  }
}

/// The pair with scales that are powers of two, so that results need no multiplication, where they all lie within
/// bytes.
std::optional<BytePair> PowerPairOf(const SeparableWeights& weights, const Epilogue& epilogue) {
  std::vector<double> column = weights.pairs.front().column;
  std::vector<double> row = RowOf(weights, epilogue);
  // The column's magnitudes become 1.
  const double magnitudes = Sums(column).magnitudes;
  for (double& weight : column) weight /= magnitudes;
  for (double& weight : row) weight *= magnitudes;
  const Sums down(column);
  const Sums across(row);
  const double offset = epilogue.offset * 255;
  const double gain = down.plain * across.plain;
  const double darkest = offset - 255 * (down.magnitudes * across.magnitudes - gain) / 2;
  const double lightest = offset + 255 * (down.magnitudes * across.magnitudes + gain) / 2;
  if (!(darkest > -kExact * 255 && lightest < 255 + kExact * 255)) return std::nullopt;

  // Of positive weights the sum of samples less 128 may be -2^31, but not 2^31.
  const bool positive = std::all_of(column.begin(), column.end(), [](double weight) { return weight >= 0; });
  const double most_steps = positive ? 65536 : 32768;
  const double start = (128 * gain + offset - 128 + 0.5) * 16777216.0;
  const bool odd = column.size() % 2 == 1 && row.size() % 2 == 1;
  const bool may_err = odd && IsWhole(offset) && IsWhole(gain);
  const double taps = static_cast<double>(column.size() + row.size());
  const double looks = may_err ? std::clamp(kMostLooks / taps, 1.0, kMostSteps) : 1;
  std::optional<BytePair> best;
  for (double steps = most_steps; steps > most_steps * 3 / 4 && steps > most_steps - looks; --steps) {
    const double most_share = best ? best->expected_share : kMostShare;
    const double row_scale = steps / 4294967296.0;
    // Most steps fail by the errors of the sums alone, which need no weight.
    const double sums = 127.5 * std::abs(SumError(down.plain, 1 / steps) * across.plain +
                                         SumError(across.plain, row_scale) * down.plain);
    const double rounding = kMeanOfNormal * 256 / steps / std::sqrt(12.0) * across.length;  // of V, in code values
    const bool may_be_steps = IsWhole(column.front() * steps / 256);
    if ((may_be_steps ? 0 : rounding) + sums > most_share) continue;
    const std::optional<WholeWeights> whole_column = WholeWeightsAt(column, 1 / steps);
    const std::optional<WholeWeights> whole_row = WholeWeightsAt(row, row_scale);
    if (!whole_column || !whole_row) continue;
    const auto is_step = [](int weight) { return weight % 256 == 0; };
    const bool whole_steps =
        whole_column->share == 0 && std::all_of(whole_column->weights.begin(), whole_column->weights.end(), is_step);
    const bool exact = whole_steps && whole_row->share == 0 && IsWhole(start);
    if (!exact && !may_err) continue;
    const Errors errors_down(column, *whole_column);
    const Errors errors_across(row, *whole_row);
    // Of the kernel, which is their product, but for the product of both errors.
    const double squares = errors_down.squares * across.length * across.length +
                           errors_across.squares * down.length * down.length +
                           2 * errors_down.with_weights * errors_across.with_weights;
    const double of_weights = kMeanOfNormal * 255 / std::sqrt(12.0) * std::sqrt(std::max(squares, 0.0));
    const double share = exact ? 0 : std::hypot(of_weights, whole_steps ? 0 : rounding) + sums;
    const double step = whole_steps ? 0 : 256 / steps;
    const double largest =
        whole_column->largest * across.magnitudes + whole_row->largest * down.magnitudes + step / 2 * across.magnitudes;
    if (share > most_share || largest > kMostError) continue;
    best.emplace();
    best->expected_share = share;
    best->largest_error = largest;
    best->start = static_cast<int32_t>(std::llround(start));
    PackColumn(whole_column->weights, *best);
    best->row = PackRows(whole_row->weights, static_cast<int>(row.size()), 16);
    if (share <= kGoodShare) break;
  }
  return best;
}

}  // namespace

std::optional<BytePair> BytePairOf(const SeparableWeights& weights, const Epilogue& epilogue) {
  if (weights.pairs.size() != 1 || epilogue.input != 0) return std::nullopt;
  const std::vector<double>& column = weights.pairs.front().column;
  const std::vector<double> row = RowOf(weights, epilogue);
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
  if (std::optional<BytePair> scaled = PowerPairOf(weights, epilogue)) {
    if (!exact || scaled->expected_share == 0) return scaled;
  }
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
  const double rounding = kMeanOfNormal * step / std::sqrt(12.0) * across.length;
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
  PackColumn(whole_column->weights, pair);
  pair.row = PackRows(whole_row->weights, static_cast<int>(row.size()), 16);
  return pair;
}

}  // namespace convolve::cpu
