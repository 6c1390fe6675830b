// A weight t becomes W = round(t * m / most) for some m that fits the bits; scale is chosen
// so that the sum of all errors e = scale * W - t is 0: flat areas are exact. Then, for samples v,
//   largest error     = 255 * max(sum of positive e, -sum of negative e): every sample that counts is 0 or 255;
//   expected error    = sqrt(2 / pi) * s * sqrt(sum of e^2) on noise, whose samples deviate by s = 255 / sqrt(12);
//   share misrounded  = expected error: an error of d moves a value of random fraction across a half with probability
//   d.
// Both are worked out from the errors as they are, so that weights which are whole numbers (times anything) cost
// nothing. The conversion to float and its one multiplication add less than 4e-5.
#include "cpu/whole_weights.h"

#include <algorithm>
#include <cmath>

namespace convolve::cpu {
namespace {

constexpr double kMostError = 0.25;  // so that rounding stays within one level
constexpr int kMostLooks = 20000;    // weights looked at in search of a good m
constexpr int kFewBits = 127;        // weights up to this are looked through from the smallest on
constexpr double kExact = 1e-12;
constexpr int kMostWeight = 32767;
const double kDeviation = 255 / std::sqrt(12.0) * std::sqrt(2 / 3.14159265358979323846);  // of noise, times the mean's

/// Adds `missing` to the whole numbers, one by one, where it costs least.
void SetSumRight(const std::vector<double>& weights, double per, double missing, WholeWeights& whole) {
  while (missing != 0) {
    const int by = missing > 0 ? 1 : -1;
    size_t best = 0;
    double best_rest = -1e9;
    for (size_t i = 0; i < weights.size(); ++i) {
      const double rest = by * (weights[i] * per - whole.weights[i]);
      if (rest > best_rest) {
        best_rest = rest;
        best = i;
      }
    }
    whole.weights[best] += by;
    missing -= by;
  }
}

/// What the whole numbers cost; errors below `none` are none.
void SetErrors(const std::vector<double>& weights, double none, WholeWeights& whole) {
  double positive = 0;
  double negative = 0;
  double errors = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    double error = whole.scale * whole.weights[i] - weights[i];
    if (std::abs(error) < none) error = 0;
    errors += error * error;
    (error > 0 ? positive : negative) += std::abs(error);
  }
  whole.share = kDeviation * std::sqrt(errors) + 127.5 * std::abs(positive - negative);
  whole.largest = 255 * std::max(positive, negative);
}

/// The whole numbers for one m; weights are given as multiples of the largest. Gives up above `most_share`.
bool Quantise(const std::vector<double>& weights, double most, int m, double most_share, WholeWeights& whole) {
  const double per = m / most;
  double sum = 0;
  double absolute = 0;
  double whole_sum = 0;
  whole.weights.resize(weights.size());
  // A first bound, which most coarse choices of m do not pass: the errors before the sum is set right.
  double squares = 0;
  const double most_squares = most_share / kDeviation * per * most_share / kDeviation * per * 4;
  for (size_t i = 0; i < weights.size(); ++i) {
    const double scaled = weights[i] * per;
    const double rounded = std::nearbyint(scaled);
    squares += (scaled - rounded) * (scaled - rounded);
    if (squares > most_squares) return false;
    whole.weights[i] = static_cast<int>(rounded);
    sum += weights[i];
    absolute += std::abs(weights[i]);
    whole_sum += rounded;
  }
  if (std::abs(sum) < kExact * absolute) sum = 0;
  // Sums that nearly cancel are set right one by one, where it costs least; others by the scale.
  const bool cancels = std::abs(sum) < 0.25 * absolute;
  if (cancels) SetSumRight(weights, per, std::nearbyint(sum * per) - whole_sum, whole);
  whole.scale = cancels ? 1 / per : sum / whole_sum;
  SetErrors(weights, kExact * most, whole);
  for (const int weight : whole.weights) {
    if (std::abs(weight) > kMostWeight) return false;
  }
  return whole.share <= most_share && whole.largest <= kMostError;
}

bool Fits(const WholeWeights& whole, const WholeLimits& limits) {
  double sum = 0;
  for (const int weight : whole.weights) {
    if (std::abs(weight) > limits.most_weight) return false;
    sum += std::abs(weight);
  }
  return sum <= limits.most_sum;
}

}  // namespace

std::optional<WholeWeights> WholeWeightsOf(const std::vector<double>& weights, const WholeLimits& limits) {
  double most = 0;
  for (const double weight : weights) most = std::max(most, std::abs(weight));
  WholeWeights whole;
  if (most == 0) {
    whole.weights.assign(weights.size(), 0);
    whole.share = whole.largest = 0;
    return whole;
  }
  if (limits.most_weight <= kFewBits) {
    for (int m = 1; m <= limits.most_weight; ++m) {
      if (Quantise(weights, most, m, limits.good_share, whole) && Fits(whole, limits)) return whole;
    }
    return std::nullopt;
  }
  WholeWeights best;
  double sum = 0;
  for (const double weight : weights) sum += std::abs(weight) / most;
  // One less than may be: setting the sum right may add to the largest, and rounding to them all.
  const double room = limits.most_sum - static_cast<double>(weights.size());
  const int first = static_cast<int>(std::min<double>(limits.most_weight - 1, room / sum));
  const int looks = std::max(1, kMostLooks / static_cast<int>(weights.size()));
  for (int look = 0; look < looks; ++look) {
    const int m = first - look;
    if (m < first / 2 || m < 1) break;
    if (!Quantise(weights, most, m, std::min(best.share, limits.most_share), whole) || !Fits(whole, limits)) continue;
    best = whole;
    if (best.share <= limits.good_share) break;
  }
  if (best.weights.empty()) return std::nullopt;
  return best;
}

std::optional<WholeWeights> WholeWeightsAt(const std::vector<double>& weights, double scale) {
  WholeWeights whole;
  whole.scale = scale;
  const double per = 1 / scale;
  double sum = 0;
  double whole_sum = 0;
  double most = 0;
  for (const double weight : weights) {
    const double rounded = std::nearbyint(weight * per);
    // One less than may be, as the sum is set right below.
    if (!(std::abs(rounded) < kMostWeight)) return std::nullopt;
    whole.weights.push_back(static_cast<int>(rounded));
    sum += weight;
    whole_sum += rounded;
    most = std::max(most, std::abs(weight));
  }
  SetSumRight(weights, per, std::nearbyint(sum * per) - whole_sum, whole);
  SetErrors(weights, kExact * most, whole);
  for (const int weight : whole.weights) {
    if (std::abs(weight) > kMostWeight) return std::nullopt;
  }
  return whole;
}

bool FitsResult(const std::vector<double>& weights, double offset) {
  double most = std::abs(offset);
  for (const double weight : weights) most += 255 * std::abs(weight);
  return most < kMostResult;
}

std::vector<uint32_t> PackRows(const std::vector<int>& weights, int width, int bits) {
  const int in_word = 32 / bits;
  const uint32_t mask = bits == 8 ? 0xffu : 0xffffu;
  std::vector<uint32_t> words;
  for (size_t row = 0; row < weights.size(); row += static_cast<size_t>(width)) {
    for (int first = 0; first < width; first += in_word) {
      uint32_t word = 0;
      for (int i = 0; i < in_word && first + i < width; ++i) {
        word |= (static_cast<uint32_t>(weights[row + static_cast<size_t>(first + i)]) & mask) << (i * bits);
      }
      words.push_back(word);
    }
  }
  return words;
}

double AboveHalf(double scale, double offset) {
  if (2 * offset != std::nearbyint(2 * offset)) return 0;
  for (int k = 1; k <= 16; ++k) {
    const double steps = std::abs(k / scale);
    if (steps > 2048) return 0;
    if (steps >= 0.5 && std::abs(steps - std::nearbyint(steps)) < 1e-9 * steps) return 1 / (8 * std::nearbyint(steps));
  }
  return 0;
}

}  // namespace convolve::cpu
