// The bounds are those of byte sums (whole_weights.h): weights of 0 are whole numbers.
#include "cpu/byte_taps.h"

#include "cpu/whole_weights.h"

namespace convolve::cpu {
namespace {

constexpr size_t kMostTaps = 1024;

}  // namespace

std::optional<ByteTaps> ByteTapsOf(const SparseWeights& weights, const Epilogue& epilogue, size_t channels) {
  if (epilogue.input != 0) return std::nullopt;
  ByteTaps result;
  std::vector<double> values;
  const double offset = epilogue.offset * 255;
  const size_t width = static_cast<size_t>(weights.width);
  for (size_t at = 0; at < weights.weights.size(); ++at) {
    if (weights.weights[at] == 0) continue;
    result.taps.push_back({at / width, at % width * channels});
    values.push_back(weights.weights[at] * epilogue.result / weights.divisor);
  }
  if (values.empty() || values.size() > kMostTaps || !FitsResult(values, offset)) return std::nullopt;
  const std::optional<WholeWeights> whole = WholeWeightsOf(values, ByteSumLimits(32767));
  if (!whole) return std::nullopt;
  if (result.taps.size() % 2 == 1) result.taps.push_back(result.taps.back());
  result.words = PackRows(whole->weights, static_cast<int>(values.size()), 16);
  result.scale = static_cast<float>(whole->scale);
  result.offset = static_cast<float>(offset + 0.5 + (whole->share == 0 ? AboveHalf(whole->scale, offset) : 0));
  return result;
}

}  // namespace convolve::cpu
