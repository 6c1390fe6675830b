// Chooses the whole numbers. A weight t becomes W = round(t * m / most) for some m that fits the bits; scale is chosen
// so that the sum of all errors e = scale * W - t is 0: flat areas are exact. Then, for samples v,
//   largest error     = 255 * max(sum of positive e, -sum of negative e): every sample that counts is 0 or 255;
//   expected error    = sqrt(2 / pi) * s * sqrt(sum of e^2) on noise, whose samples have the deviation s = 255 /
//   sqrt(12); share misrounded  = expected error: an error of d moves a value of random fraction across a half with
//   probability d.
// Both are worked out from the errors as they are, so that weights which are whole numbers (times anything) cost
// nothing. The conversion to float and its one multiplication add less than 4e-5.
#include "cpu/byte_sums.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace convolve::cpu {
namespace {

constexpr double kMostShare = 0.0004;
constexpr double kGoodShare = 0.0002;  // good enough to stop looking
constexpr double kMostError = 0.25;    // so that rounding stays within one level
constexpr int kMostLooks = 20000;      // weights looked at in search of a good m
/// Sums stay below this, so that no order of additions overflows 32 bits.
constexpr double kMostSum = 2147000000.0;
constexpr double kExact = 1e-12;

struct Whole {
  std::vector<int> weights;
  double scale = 1;
  double share = 1;
  double largest = 1e9;
};

/// The whole numbers for one m; weights are given as multiples of the largest. Gives up above `most_share`.
bool Quantise(const std::vector<double>& weights, double most, int m, double most_share, Whole& whole) {
  const double per = m / most;
  const double deviation = 255 / std::sqrt(12.0) * std::sqrt(2 / 3.14159265358979323846);
  double sum = 0;
  double absolute = 0;
  double whole_sum = 0;
  whole.weights.resize(weights.size());
  // A first bound, which most coarse choices of m do not pass: the errors before the sum is set right.
  double squares = 0;
  const double most_squares = most_share / deviation * per * most_share / deviation * per * 4;
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
  if (cancels) {
    double missing = std::nearbyint(sum * per) - whole_sum;
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
  whole.scale = cancels ? 1 / per : sum / whole_sum;
  double positive = 0;
  double negative = 0;
  double errors = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    double error = whole.scale * whole.weights[i] - weights[i];
    if (std::abs(error) < kExact * most) error = 0;
    errors += error * error;
    (error > 0 ? positive : negative) += std::abs(error);
    if (std::abs(whole.weights[i]) > 32767) return false;
  }
  whole.share = deviation * std::sqrt(errors) + 127.5 * std::abs(positive - negative);
  whole.largest = 255 * std::max(positive, negative);
  return whole.share <= most_share && whole.largest <= kMostError;
}

bool Fits(const Whole& whole, int most) {
  double sum = 0;
  for (const int weight : whole.weights) {
    if (std::abs(weight) > most) return false;
    sum += std::abs(weight);
  }
  return 255 * sum < kMostSum;
}

std::optional<Whole> WholeOf(const std::vector<double>& weights, int most_weight) {
  double most = 0;
  for (const double weight : weights) most = std::max(most, std::abs(weight));
  Whole whole;
  if (most == 0) {
    whole.weights.assign(weights.size(), 0);
    whole.share = whole.largest = 0;
    return whole;
  }
  if (most_weight <= 127) {
    for (int m = 1; m <= most_weight; ++m) {
      if (Quantise(weights, most, m, kGoodShare, whole) && Fits(whole, most_weight)) return whole;
    }
    return std::nullopt;
  }
  Whole best;
  double sum = 0;
  for (const double weight : weights) sum += std::abs(weight) / most;
  // One less than may be: setting the sum right may add to the largest, and rounding to them all.
  const double room = kMostSum / 255 - static_cast<double>(weights.size());
  const int first = static_cast<int>(std::min<double>(most_weight - 1, room / sum));
  const int looks = std::max(1, kMostLooks / static_cast<int>(weights.size()));
  for (int look = 0; look < looks; ++look) {
    const int m = first - look;
    if (m < first / 2 || m < 1) break;
    if (!Quantise(weights, most, m, std::min(best.share, kMostShare), whole) || !Fits(whole, most_weight)) continue;
    best = whole;
    if (best.share <= kGoodShare) break;
  }
  if (best.weights.empty()) return std::nullopt;
  return best;
}

/// Rows of weights as words: `bits` for each weight, a row's last word filled with zeros.
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

/// ByteKernel::halved, of a kernel of 16-bit weights.
std::vector<uint32_t> HalvedOf(const std::vector<int>& weights, int width) {
  std::vector<int> even;
  std::vector<int> odd;
  const size_t pitch = static_cast<size_t>(width);
  for (size_t at = 0; at < weights.size(); ++at) (at / pitch % 2 == 0 ? even : odd).push_back(weights[at]);
  std::vector<int> difference = even;
  for (size_t at = 0; at < odd.size(); ++at) difference[at] -= odd[at];
  const auto fits = [](int weight) { return weight >= -32768 && weight <= 32767; };
  if (!std::all_of(difference.begin(), difference.end(), fits)) return {};
  const size_t groups = (pitch + 1) / 2;
  std::vector<uint32_t> halved;
  const std::vector<uint32_t> parts[] = {PackRows(even, width, 16), PackRows(odd, width, 16),
                                         PackRows(difference, width, 16)};
  for (size_t g = 0; g < groups; ++g) {
    for (const std::vector<uint32_t>& part : parts) {
      for (size_t at = g; at < part.size(); at += groups) halved.push_back(part[at]);
    }
  }
  return halved;
}

ByteKernel Pack(const Whole& whole, int width, int height, int bits) {
  ByteKernel kernel;
  kernel.bits = bits;
  kernel.rows = height;
  kernel.groups = (width + 32 / bits - 1) / (32 / bits);
  kernel.scale = static_cast<float>(whole.scale);
  kernel.words = PackRows(whole.weights, width, bits);
  const size_t rows = static_cast<size_t>(height);
  if (bits == 16 && rows >= kLeastHalvedRows && rows <= kMostHalvedRows) {
    kernel.halved = HalvedOf(whole.weights, width);
  }
  return kernel;
}

/// The kernel's weights over its divisor, in the window that the source gives.
std::vector<double> InWindow(const DenseWeights& kernel, const ByteSource& source, double factor) {
  std::vector<double> weights(static_cast<size_t>(source.width) * static_cast<size_t>(source.height), 0.0);
  const int left = source.anchor_x - kernel.anchor_x;
  const int top = source.anchor_y - kernel.anchor_y;
  for (int j = 0; j < kernel.height; ++j) {
    for (int i = 0; i < kernel.width; ++i) {
      const size_t at = static_cast<size_t>((top + j) * source.width + left + i);
      weights[at] = kernel.weights[static_cast<size_t>(j * kernel.width + i)] * factor / kernel.divisor;
    }
  }
  return weights;
}

/// Where all results are multiples of 1 / (2 D), exact halves among them: a quarter of that step, which is far more
/// than float errs and less than the way to the next multiple. 0 where there is no such step.
double AboveHalf(double scale, double offset) {
  if (2 * offset != std::nearbyint(2 * offset)) return 0;
  for (int k = 1; k <= 16; ++k) {
    const double steps = std::abs(k / scale);
    if (steps > 2048) return 0;
    if (steps >= 0.5 && std::abs(steps - std::nearbyint(steps)) < 1e-9 * steps) return 1 / (8 * std::nearbyint(steps));
  }
  return 0;
}

}  // namespace

std::optional<ByteWeights> ByteWeightsOf(const ByteSource& source) {
  ByteWeights result;
  double factor = source.epilogue.result;
  double offset = source.epilogue.offset * 255;
  switch (source.range) {
    case RangeKind::kClamp:
    case RangeKind::kFloat:  // bytes clamp by themselves
      break;
    case RangeKind::kAbsolute:
      result.absolute = true;
      break;
    case RangeKind::kSigned:
      if (source.other != nullptr) return std::nullopt;
      factor /= 2;
      offset = offset / 2 + 127.5;
      break;
    case RangeKind::kRescale:
      return std::nullopt;
  }
  if (source.other != nullptr && (source.epilogue.input != 0 || offset != 0 || factor < 0)) return std::nullopt;

  std::vector<double> weights = InWindow(*source.kernel, source, factor);
  if (source.epilogue.input != 0) {
    const double input = source.range == RangeKind::kSigned ? source.epilogue.input / 2 : source.epilogue.input;
    weights[static_cast<size_t>(source.anchor_y * source.width + source.anchor_x)] += input;
  }
  // A tap is a multiplication of a byte whatever its weight: weights of 8 bits cost half as much as those of 16.
  const int bits = WholeOf(weights, 127).has_value() ? 8 : 16;
  const std::optional<Whole> whole = WholeOf(weights, bits == 8 ? 127 : 32767);
  if (!whole) return std::nullopt;
  result.kernels.push_back(Pack(*whole, source.width, source.height, bits));
  result.offset = static_cast<float>(offset);
  result.expected_share = whole->share;
  result.largest_error = whole->largest;
  if (source.other == nullptr) {
    if (whole->share == 0) result.half += static_cast<float>(AboveHalf(whole->scale, offset));
    return result;
  }
  const std::optional<Whole> other = WholeOf(InWindow(*source.other, source, factor), 127);
  if (bits != 8 || !other || whole->share != 0 || other->share != 0) return std::nullopt;
  result.kernels.push_back(Pack(*other, source.width, source.height, 8));
  return result;
}

}  // namespace convolve::cpu
