// Chooses the whole numbers (whole_weights.h), for exact integer sums. The conversion to float and its one
// multiplication add less than 4e-5 to their error.
#include "cpu/byte_sums.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cpu/whole_weights.h"

namespace convolve::cpu {
namespace {

std::optional<WholeWeights> WholeOf(const std::vector<double>& weights, int most_weight) {
  return WholeWeightsOf(weights, ByteSumLimits(most_weight));
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
  const size_t groups = pitch / 2;
  std::vector<uint32_t> halved;
  const std::vector<uint32_t> parts[] = {PackRows(even, width, 16), PackRows(odd, width, 16),
                                         PackRows(difference, width, 16)};
  for (size_t g = 0; g < groups; ++g) {
    for (const std::vector<uint32_t>& part : parts) {
      for (size_t at = g; at < part.size(); at += (pitch + 1) / 2) halved.push_back(part[at]);
    }
  }
  if (pitch % 2 == 0) return halved;
  for (const std::vector<int>& part : {even, odd, difference}) {
    std::vector<int> column;
    for (size_t at = pitch - 1; at < part.size(); at += pitch) column.push_back(part[at]);
    for (const int zeros : {0, 1}) {
      if (zeros == 1) column.insert(column.begin(), 0);
      const std::vector<uint32_t> words = PackRows(column, static_cast<int>(column.size()), 16);
      halved.insert(halved.end(), words.begin(), words.end());
    }
  }
  return halved;
}

ByteKernel Pack(const WholeWeights& whole, int width, int height, int bits) {
  ByteKernel kernel;
  kernel.bits = bits;
  kernel.rows = height;
  kernel.groups = (width + 32 / bits - 1) / (32 / bits);
  kernel.scale = static_cast<float>(whole.scale);
  kernel.words = PackRows(whole.weights, width, bits);
  const size_t rows = static_cast<size_t>(height);
  if (bits == 16 && rows >= kLeastHalvedRows && rows <= kMostHalvedRows) {
    kernel.halved = HalvedOf(whole.weights, width);
    kernel.paired_column = width % 2 == 1;
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

/// ByteWeights::inside. Floats round halves to even numbers: only weights that are not exact, where flat areas stay
/// whole numbers, never meet any.
bool LiesInside(const std::vector<double>& weights, double offset, const ByteWeights& whole) {
  constexpr double kMargin = 0.4;
  constexpr double kExact = 1e-9;
  const auto is_whole = [](double value) { return std::abs(value - std::nearbyint(value)) < kExact; };
  double darkest = offset;
  double lightest = offset;
  for (const double weight : weights) (weight < 0 ? darkest : lightest) += 255 * weight;
  const double gain = std::accumulate(weights.begin(), weights.end(), 0.0);
  return !whole.absolute && whole.expected_share > 0 && is_whole(offset) && is_whole(gain) &&
         darkest - whole.largest_error > -kMargin && lightest + whole.largest_error < 255 + kMargin;
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
  if (!FitsResult(weights, offset)) return std::nullopt;
  // A tap is a multiplication of a byte whatever its weight: weights of 8 bits cost half as much as those of 16.
  std::optional<WholeWeights> whole = WholeOf(weights, 127);
  const int bits = whole ? 8 : 16;
  if (!whole) whole = WholeOf(weights, 32767);
  if (!whole) return std::nullopt;
  result.kernels.push_back(Pack(*whole, source.width, source.height, bits));
  result.offset = static_cast<float>(offset);
  result.expected_share = whole->share;
  result.largest_error = whole->largest;
  if (source.other == nullptr) {
    result.inside = LiesInside(weights, offset, result);
    if (whole->share == 0) result.half += static_cast<float>(AboveHalf(whole->scale, offset));
    return result;
  }
  const std::vector<double> second = InWindow(*source.other, source, factor);
  const std::optional<WholeWeights> other = FitsResult(second, 0) ? WholeOf(second, 127) : std::nullopt;
  if (bits != 8 || !other || whole->share != 0 || other->share != 0) return std::nullopt;
  result.kernels.push_back(Pack(*other, source.width, source.height, 8));
  return result;
}

}  // namespace convolve::cpu
