// Weights of byte walks, and which kernels are worth one.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "cuda/byte_walk.h"

namespace convolve::cuda {
namespace {

constexpr double kMostWeight = 32767;
constexpr int kMostShift = 24;
constexpr int kLargestGrid = 5;
constexpr int kLargestPair = 15;

/// Noise of bytes: its mean and its deviation. So large an error, in levels, rounds fewer than one result in a thousand
/// to another level.
constexpr double kMean = 127.5;
constexpr double kDeviation = 74;
constexpr double kMostError = 9e-4;

template <typename Weights>
bool Centred(const Weights& weights) {
  return weights.width == weights.height && weights.width % 2 == 1 && weights.anchor_x == weights.width / 2 &&
         weights.anchor_y == weights.height / 2;
}

double Most(const std::vector<double>& weights) {
  double most = 0;
  for (const double weight : weights) most = std::max(most, std::abs(weight));
  return most;
}

/// Of magnitudes.
double SumOf(const std::vector<double>& weights) {
  double sum = 0;
  for (const double weight : weights) sum += std::abs(weight);
  return sum;
}

bool Whole(const std::vector<double>& weights, double factor) {
  return std::all_of(weights.begin(), weights.end(),
                     [factor](double weight) { return weight * factor == std::floor(weight * factor); });
}

/// Whole numbers for scaled weights, none above kMostWeight, and what rounding them does to a sum of noise.
struct Numbers {
  std::vector<int16_t> numbers;
  double noise = 0;  // deviation
  double mean = 0;

  /// The share of results that reach another level, where each sum is multiplied by `factor`.
  double Error(double factor) const { return std::hypot(0.8 * noise, mean) * std::abs(factor); }
};

Numbers Rounded(const std::vector<double>& scaled) {
  Numbers to;
  std::vector<double> lost;
  double sum = 0;
  for (const double weight : scaled) {
    to.numbers.push_back(static_cast<int16_t>(std::floor(weight + 0.5)));
    lost.push_back(weight - to.numbers.back());
    sum += lost.back();
  }
  // Each is the nearest; those that lost most by it now go the other way until the sum is kept.
  for (const double step = sum < 0 ? -1 : 1; std::abs(sum) > 0.5; sum -= step) {
    const auto most =
        std::max_element(lost.begin(), lost.end(), [step](double a, double b) { return a * step < b * step; });
    int16_t& number = to.numbers[static_cast<size_t>(most - lost.begin())];
    number = static_cast<int16_t>(number + static_cast<int>(step));
    *most -= step;
  }
  double squares = 0;
  for (const double rest : lost) squares += rest * rest;
  to.noise = kDeviation * std::sqrt(squares);
  to.mean = kMean * std::abs(sum);
  return to;
}

std::vector<double> Scaled(const std::vector<double>& weights, double factor) {
  std::vector<double> scaled;
  for (const double weight : weights) scaled.push_back(weight * factor);
  return scaled;
}

/// The factor by which weights are whole, 1 or 64, or 0.
double WholeFactor(const std::vector<double>& weights) {
  for (const double factor : {1.0, 64.0}) {
    if (Whole(weights, factor) && Most(weights) * factor <= kMostWeight) return factor;
  }
  return 0;
}

}  // namespace

ByteWalkWeights ByteWalkOf(const DenseWeights& dense, double taken, int channels) {
  ByteWalkWeights to;
  if (channels == 2 || !Centred(dense) || dense.width < 3 || dense.width > kLargestGrid) return to;
  const double most = std::abs(Most(dense.weights) / taken);
  if (!(most > 0) || most > kMostWeight) return to;
  double factor = taken == 1 ? WholeFactor(dense.weights) : 0;
  if (factor == 0) {
    int exponent = 0;
    std::frexp(most / (kMostWeight - 1), &exponent);
    factor = std::ldexp(1.0, std::clamp(-exponent, 0, kMostShift));
  }
  const Numbers numbers = Rounded(Scaled(dense.weights, factor / taken));
  if (numbers.Error(1 / factor) > kMostError) return to;
  to.weights = numbers.numbers;
  to.exact = numbers.noise == 0;
  to.shift = std::ilogb(factor);
  to.side = dense.width;
  to.kind = WalkKind::kDense;
  return to;
}

ByteWalkWeights ByteWalkOf(const SeparableWeights& separable, double taken, int channels) {
  ByteWalkWeights to;
  if ((channels != 1 && channels != 4) || separable.pairs.size() != 1 || !Centred(separable) || separable.width < 3 ||
      separable.width > kLargestPair) {
    return to;
  }
  const RankPair& pair = separable.pairs[0];
  const double most_row = Most(pair.row);
  const double most_column = std::abs(Most(pair.column) / taken);
  const auto fits = [](double most) { return most > 1e-30 && most < 1e30; };
  if (!fits(most_row) || !fits(most_column)) return to;
  double factor = WholeFactor(pair.row);
  if (factor == 0) {
    // As large as 16 bits allow, and so that the numbers' sum is whole too: a flat area then keeps its level.
    factor = (kMostWeight - 1) / most_row;
    const double sum = std::abs(std::accumulate(pair.row.begin(), pair.row.end(), 0.0));
    if (sum * factor >= 1) factor = std::floor(sum * factor) / sum;
  }
  const Numbers numbers = Rounded(Scaled(pair.row, factor));
  double squares = 0;
  double sum = 0;
  for (const double weight : pair.column) {
    to.column.push_back(static_cast<float>(weight / taken / factor));
    squares += weight * weight;
    sum += weight;
  }
  const double noise = 0.8 * numbers.noise * std::sqrt(squares);
  if (std::hypot(noise, numbers.mean * sum) / std::abs(taken) / factor > kMostError) return to;
  to.weights = numbers.numbers;
  to.exact = numbers.noise == 0;
  if (taken == 1 && factor == 1 && Whole(pair.column, 1)) to.whole = SumOf(pair.row) * SumOf(pair.column);
  to.side = separable.width;
  to.kind = WalkKind::kSeparable;
  return to;
}

ByteWalkWeights ByteWalkOf(const MagnitudeWeights& magnitude, double taken_x, double taken_y, int channels) {
  ByteWalkWeights to;
  const DenseWeights& x = magnitude.x;
  const DenseWeights& y = magnitude.y;
  if (channels == 2 || taken_x != 1 || taken_y != 1 || !Centred(x) || !Centred(y) || x.width != 3 || y.width != 3) {
    return to;
  }
  if (!Whole(x.weights, 1) || !Whole(y.weights, 1) || Most(x.weights) > 127 || Most(y.weights) > 127) return to;
  for (const DenseWeights* dense : {&x, &y}) {
    for (const double weight : dense->weights) to.weights.push_back(static_cast<int16_t>(weight));
  }
  to.exact = true;
  to.side = 3;
  to.kind = WalkKind::kMagnitude;
  return to;
}

int ByteWalkAlignment(const ByteWalkWeights& weights) {
  return weights.kind == WalkKind::kSeparable && weights.side > 5 ? 8 : 16;
}

void LaunchByteWalk(const ByteWalkJob& job) {
  if (job.weights->kind == WalkKind::kSeparable) return LaunchBytePair(job);
  LaunchByteGrid(job);
}

}  // namespace convolve::cuda
