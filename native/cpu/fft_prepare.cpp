// Which channels are looked at, which samples are whole numbers, and what counts as an ordinary size.
#include "cpu/fft_prepare.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <variant>

namespace convolve::cpu {
namespace {

bool IsInteger(SampleType type) { return type == SampleType::kU8 || type == SampleType::kU16; }

/// What an error of one half grows to.
double GainOf(const Pass& whole) {
  const auto* const separable = std::get_if<SeparableWeights>(&whole.work);
  if (separable == nullptr) return 0;
  double gain = 0;
  for (const RankPair& pair : separable->pairs) {
    double column = 0;
    double row = 0;
    for (const double weight : pair.column) column += std::abs(weight);
    for (const double weight : pair.row) row += std::abs(weight);
    gain += column * row;
  }
  return gain / std::abs(separable->divisor) * std::max(std::abs(whole.epilogue.result), 1.0);
}

}  // namespace

template <typename T>
void PrepareFft(const Pass& pass, const Pass& whole, const PreparedPlan<T>& plan, const Purpose& purpose, bool last,
                PreparedPass<T>& prepared) {
  const auto* const weights = std::get_if<FftWeights>(&pass.work);
  if (weights == nullptr) return;
  const AlphaWork alpha = prepared.finish.alpha;
  const bool all =
      alpha == AlphaWork::kNone || alpha == AlphaWork::kStraight || alpha == AlphaWork::kUnmultiplyByResult;
  FftSurroundings around;
  around.output_width = prepared.output_width;
  around.output_height = prepared.output_height;
  for (int c = 0; c < plan.channels - (all ? 0 : 1); ++c) around.channels.push_back(c);
  around.picture_channels = plan.channels;
  around.works_in_double = sizeof(T) == sizeof(double);
  const double full = plan.full_scale;
  around.largest = prepared.premultiply ? full * full : full;
  around.whole_samples =
      IsInteger(prepared.input_type) && !prepared.to_linear && prepared.outside == std::floor(prepared.outside);
  // What other passes read must not depend on where the last one goes: it may be kept for another run.
  around.strict = IsInteger(plan.source_type) || !last || IsInteger(purpose.type);
  // Of the first half of several pairs all are transformed alike, so that their tiles are as high.
  around.halfway = prepared.first_half;
  around.gain = GainOf(whole);
  around.uneven = prepared.premultiply || prepared.to_linear;
  around.weight_scale = prepared.dense.front().divisor == 1 ? 1 / weights->divisor : 1;
  const auto* const separable = std::get_if<SeparableWeights>(&whole.work);
  if (prepared.first_half) around.kept_bytes = plan.line_bytes / static_cast<double>(separable->pairs.size());
  if (!last || prepared.first_half)
    around.kept_row_bytes = static_cast<double>(prepared.output_width) * plan.channels * sizeof(T);
  prepared.fft = PlanFft(*weights, around);
  if (prepared.fft != nullptr) prepared.direct = false;
}

template <typename T>
void BindTarget(const PreparedPlan<T>& plan, SpectrumCache& cache, int64_t target) {
  for (const PreparedPass<T>& pass : plan.passes) {
    if (pass.fft != nullptr) BindSpectrum(*pass.fft, cache, target);
    for (const PreparedPass<T>& term : pass.terms) BindSpectrum(*term.fft, cache, target);
    if (pass.sparse != nullptr) pass.sparse->target = target;
  }
}

#define CONVOLVE_INSTANTIATE(T)                                                                       \
  template void PrepareFft<T>(const Pass&, const Pass&, const PreparedPlan<T>&, const Purpose&, bool, \
                              PreparedPass<T>&);                                                      \
  template void BindTarget<T>(const PreparedPlan<T>&, SpectrumCache&, int64_t);
CONVOLVE_INSTANTIATE(float)
CONVOLVE_INSTANTIATE(double)
#undef CONVOLVE_INSTANTIATE

}  // namespace convolve::cpu
