// A box in one launch, or in two: every row of the buffer across, then those sums down.
#include "cuda/box.h"

#include <cmath>
#include <cstdint>

#include "cuda/box_launch.h"
#include "cuda/device.h"

namespace convolve::cuda {
namespace {

/// Boxes as tall as this have bands: they cost a trip through memory.
constexpr int kBandsPay = 80;

/// Sets what turns integer sums into rounded bytes, where the pass is no more than a division by a whole number. With
/// divisor^2 <= 2^(24 + shift) and the multiplier above 2^(32 + shift) / divisor by at most 1, the quotient is exact
/// for sums below 256 divisors; by whole bytes, so that it is a byte of the product.
void SetMultiplier(double divisor, BoxLaunch* launch) {
  const BoxJob& job = launch->job;
  const FinishParameters& finish = job.output.finish;
  const double cells = static_cast<double>(job.width) * job.height;
  const bool whole = divisor == std::floor(divisor) && divisor >= 2 && divisor >= cells && divisor <= double{1 << 20};
  const bool full = finish.alpha != AlphaRule::kFull || divisor == cells;  // what is opaque stays so by itself
  if (!job.integers || job.source.type != SampleType::kU8 || job.source.premultiply ||
      job.output.target.type != SampleType::kU8 || job.output.rule != SumRule::kFinish || !finish.simple || !whole ||
      !full || 255 * cells + divisor >= 4294967296.0) {
    return;
  }
  const auto number = static_cast<uint64_t>(divisor);
  while ((uint64_t{256} << launch->shift) < number) launch->shift += 8;
  launch->multiplier = static_cast<uint32_t>((uint64_t{1} << (32 + launch->shift)) / number + 1);
  launch->half = static_cast<uint32_t>(number / 2);
}

}  // namespace

void LaunchBox(const BoxJob& job, int channels, const Device& device, cudaStream_t stream,
               const std::function<void()>& between) {
  BoxLaunch launch = {};
  launch.job = job;
  launch.inverse = job.divisor != 0 ? 1 / job.divisor : 0;
  SetMultiplier(job.divisor != 0 ? job.divisor : static_cast<double>(job.output.finish.divisor.value), &launch);
  const int shared_bytes = device.traits().block_shared_bytes;
  if (BoxRings(job, channels, shared_bytes)) {
    between();
    LaunchBoxRing(launch, channels, stream);
    return;
  }
  if (BoxWalks(job, channels, shared_bytes)) {
    DeviceMemory bands;
    launch.first_band = WalkFirstBand(job);
    launch.last_band = WalkLastBand(job);
    const int count = launch.last_band - launch.first_band;
    if (WalkBands({job.width, job.height}) && count > 0) {
      bands = device.Allocate(
          static_cast<size_t>(job.source.columns) * static_cast<size_t>(count) * static_cast<size_t>(channels) * 4,
          stream);
      launch.bands = bands.get();
    }
    between();
    LaunchBoxWalk(launch, channels, stream);
    return;
  }
  const TargetParameters& target = job.output.target;
  launch.segment = BoxSegment(job.width);
  launch.first_x = target.x0 / launch.segment * launch.segment;
  launch.segments = (target.x1 - launch.first_x + launch.segment - 1) / launch.segment;
  launch.sums_pitch = launch.segments * launch.segment * channels;
  BoxSums sums = BoxSums::kFloats;
  if (job.integers) {
    const bool words = job.source.type == SampleType::kU8 && !job.source.premultiply && job.width <= 257;
    sums = words ? BoxSums::kWords : BoxSums::kIntegers;
  }
  const size_t bytes =
      static_cast<size_t>(launch.sums_pitch) * static_cast<size_t>(job.source.rows) * (sums == BoxSums::kWords ? 2 : 4);
  const DeviceMemory memory = device.Allocate(bytes, stream);
  launch.sums = memory.get();
  between();
  LaunchBoxAcross(launch, sums, channels, stream);
  const SourceParameters& source = job.source;
  launch.first_band = (source.top + kBoxBand - 1) / kBoxBand;
  launch.last_band = (source.top + source.rows) / kBoxBand;
  const int count = launch.last_band - launch.first_band;
  DeviceMemory bands;
  // The grid's second dimension is short; so tall a buffer does without.
  if (job.height >= kBandsPay && count > 0 && count <= 65535) {
    bands = device.Allocate(static_cast<size_t>(launch.sums_pitch) * static_cast<size_t>(count) * 4, stream);
    launch.bands = bands.get();
    between();
    LaunchBoxBands(launch, sums, stream);
  }
  between();
  LaunchBoxDown(launch, sums, channels, stream);
}

}  // namespace convolve::cuda
