// The estimate and the cut.
#include "cuda/spread.h"

#include <algorithm>
#include <cstdint>
#include <variant>

#include "engine/plan.h"

namespace convolve::cuda {
namespace {

/// Rough rates of a device of 2024; only the order of magnitude decides.
constexpr double kMultiplyAdds = 15e9;   // a millisecond
constexpr double kFetchedBytes = 40e6;   // a millisecond, to host memory
constexpr double kUploadedBytes = 25e6;  // a millisecond, from host memory
constexpr double kStartMilliseconds = 300;
/// A helper is taken only where it saves this much, because the estimate is rough.
constexpr double kWorthMilliseconds = 1;

/// Multiply-adds for each sample.
struct MultiplyAddsVisitor {
  double operator()(const DenseWeights& dense) const { return double{1} * dense.width * dense.height; }
  double operator()(const FftWeights& fft) const {
    // A transform's work hardly grows with the kernel.
    constexpr double kMost = 100;
    return std::min(kMost, (*this)(static_cast<const DenseWeights&>(fft)));
  }
  double operator()(const SeparableWeights& separable) const {
    return static_cast<double>(separable.pairs.size()) * (separable.width + separable.height);
  }
  double operator()(const BoxWeights& /*box*/) const { return 4; }
  double operator()(const DiffusionStep& /*step*/) const { return 20; }
  double operator()(const MagnitudeWeights& magnitude) const { return (*this)(magnitude.x) + (*this)(magnitude.y); }
};

double MultiplyAdds(const Plan& plan) {
  constexpr double kPass = 20;  // loading, storing and the like
  double sum = 0;
  for (const Pass& pass : plan.passes) sum += pass.repeat * (std::visit(MultiplyAddsVisitor{}, pass.work) + kPass);
  return sum;
}

/// `count` bands of about equal rows.
std::vector<Region> Cut(const Region& region, size_t count) {
  std::vector<Region> bands;
  for (size_t i = 0; i < count; ++i) {
    const auto at = [&](size_t k) {
      return static_cast<int>(int64_t{region.height} * static_cast<int64_t>(k) / static_cast<int64_t>(count));
    };
    bands.push_back({region.x, region.y + at(i), region.width, at(i + 1) - at(i)});
  }
  return bands;
}

}  // namespace

std::vector<Band> Spread(const Plan& plan, const Image& image, const Region& region, size_t bytes_per_sample,
                         size_t home, const std::vector<Helper>& helpers, bool always) {
  const double samples = static_cast<double>(region.width) * region.height * image.channels();
  const double work =
      samples * MultiplyAdds(plan) / kMultiplyAdds + samples * static_cast<double>(bytes_per_sample) / kFetchedBytes;
  const auto readiness = [&](const Helper& helper) {
    return (helper.open ? 0 : kStartMilliseconds) +
           (helper.holds ? 0 : static_cast<double>(image.bytes()) / kUploadedBytes);
  };
  std::vector<Helper> ready = helpers;
  std::stable_sort(ready.begin(), ready.end(),
                   [&](const Helper& a, const Helper& b) { return readiness(a) < readiness(b); });
  // The more devices, the less work for each, and the longer the last of them takes to be ready.
  size_t best = 1;
  double best_time = work - kWorthMilliseconds;
  for (size_t count = 2; count <= ready.size() + 1; ++count) {
    if (region.height < kSmallestBandRows * static_cast<int>(count)) break;
    const double time = readiness(ready[count - 2]) + work / static_cast<double>(count);
    if (always || time < best_time) {
      best = count;
      best_time = time;
    }
  }
  const std::vector<Region> regions = Cut(region, best);
  std::vector<Band> bands;
  for (size_t i = 0; i < best; ++i) bands.push_back({i == 0 ? home : ready[i - 1].device, regions[i]});
  return bands;
}

}  // namespace convolve::cuda
