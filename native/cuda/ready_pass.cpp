// One copy for all that the passes need.
#include "cuda/ready_pass.h"

#include <algorithm>
#include <cstring>

#include "cuda/check.h"

namespace convolve::cuda {
namespace {

constexpr size_t kAlignment = 256;  // bytes

/// Appends and says where.
size_t Append(const void* data, size_t bytes, std::vector<char>* all) {
  const size_t offset = all->size();
  all->resize(offset + (bytes + kAlignment - 1) / kAlignment * kAlignment);
  if (bytes > 0) std::memcpy(all->data() + offset, data, bytes);
  return offset;
}

/// Whether the weights do not travel with the launch.
bool NeedsWeights(Technique technique) {
  return technique == Technique::kTile || technique == Technique::kStaged || technique == Technique::kFft ||
         technique == Technique::kVariant;
}

}  // namespace

ReadyPasses::ReadyPasses(const Device& device, const std::vector<LoweredPass>& passes, const PictureKind& kind,
                         cudaStream_t stream) {
  struct Offsets {
    size_t weights = 0;
    size_t fragments = 0;
    size_t taps = 0;
    bool has_fragments = false;
  };
  std::vector<char> all;
  std::vector<Offsets> offsets;
  for (const LoweredPass& pass : passes) {
    Offsets at;
    if (NeedsWeights(pass.technique))
      at.weights = Append(pass.weights.data(), pass.weights.size() * sizeof(float), &all);
    const std::vector<int8_t>& fragments = pass.pair.steps > 0 ? pass.pair.fragments : pass.matrix.fragments;
    at.has_fragments = offsets.empty() && kind.stored == SampleType::kU8 && !fragments.empty() && MatrixRuns();
    if (at.has_fragments) at.fragments = Append(fragments.data(), fragments.size(), &all);
    at.taps = Append(pass.taps.data(), pass.taps.size() * sizeof(SparseTap), &all);
    offsets.push_back(at);
    spectra_.push_back(
        pass.technique == Technique::kFft
            ? device.spectra().Get(pass.exact, pass.kernels[0].width, pass.kernels[0].height, pass.fft, stream)
            : nullptr);
  }
  const std::vector<double>& samples = kind.curve->samples();
  const bool linear = std::any_of(passes.begin(), passes.end(), [](const LoweredPass& pass) { return pass.linear; });
  const size_t samples_at = linear ? Append(samples.data(), samples.size() * sizeof(double), &all) : 0;
  if (!all.empty()) {
    memory_ = device.Allocate(all.size(), stream);
    // From ordinary memory: has been read when the call returns.
    Check(cudaMemcpyAsync(memory_.get(), all.data(), all.size(), cudaMemcpyHostToDevice, stream), "weights");
  }
  const auto* const base = static_cast<const char*>(memory_.get());
  if (linear) curve_ = PointCurveOf(*kind.curve, reinterpret_cast<const double*>(base + samples_at));
  for (size_t i = 0; i < passes.size(); ++i) {
    ReadyPass ready;
    ready.lowered = &passes[i];
    if (NeedsWeights(passes[i].technique)) ready.weights = reinterpret_cast<const float*>(base + offsets[i].weights);
    if (offsets[i].has_fragments) ready.fragments = base + offsets[i].fragments;
    if (!passes[i].taps.empty()) ready.taps = reinterpret_cast<const SparseTap*>(base + offsets[i].taps);
    ready.spectrum = spectra_[i].get();
    ready_.push_back(ready);
  }
}

}  // namespace convolve::cuda
