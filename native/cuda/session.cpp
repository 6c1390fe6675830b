// A run from image to destination: resident image, lowered passes, chain, level, download; halves of the region where
// memory is short.
#include "cuda/session.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>
#include <variant>
#include <vector>

#include "cuda/chain.h"
#include "cuda/check.h"
#include "cuda/reduce.h"
#include "cuda/transfer.h"
#include "engine/reduce.h"
#include "engine/sample.h"

namespace convolve::cuda {
namespace {

/// Regions smaller than this many pixels of level 0 are not halved again: then the device is really too small.
constexpr int64_t kSmallestPart = 64 * 64;
/// f32 samples that a measurement holds at once.
constexpr int64_t kMeasuredSamples = int64_t{256} << 20;

SampleType TypeOf(const AnyView& view) {
  return std::visit(
      [](const auto& typed) {
        using T = std::remove_pointer_t<decltype(typed.data)>;
        if constexpr (std::is_same_v<T, uint8_t>) return SampleType::kU8;
        if constexpr (std::is_same_v<T, uint16_t>) return SampleType::kU16;
        if constexpr (std::is_same_v<T, double>) return SampleType::kF64;
        return SampleType::kF32;
      },
      view);
}

PictureKind KindOf(const Image& image, const ResidentImage& resident) {
  PictureKind kind;
  kind.channels = image.channels();
  kind.alpha = image.alpha();
  kind.opaque = resident.opaque;
  kind.depth = image.type();
  kind.stored = resident.picture.view.type;
  kind.curve = image.curve();
  return kind;
}

/// The level's region as pixels of level 0, cut where the result ends.
Region AtLevelZero(const Region& region, int level, int width, int height) {
  const int64_t block = int64_t{1} << level;
  const auto x = static_cast<int>(region.x * block);
  const auto y = static_cast<int>(region.y * block);
  return {x, y, static_cast<int>(std::min<int64_t>(region.width * block, width - x)),
          static_cast<int>(std::min<int64_t>(region.height * block, height - y))};
}

/// What the mixes of the passes take, on the device.
std::vector<MixPictures> MixPicturesOf(const std::vector<LoweredPass>& passes, ImageCache* images, Lane& lane) {
  const auto on_device = [&](const std::shared_ptr<const Image>& image) {
    return image == nullptr ? nullptr : images->Get(image, lane);
  };
  std::vector<MixPictures> mixes;
  for (const LoweredPass& pass : passes) {
    mixes.push_back(pass.mix ? MixPictures{on_device(pass.mix->mask), on_device(pass.mix->input)} : MixPictures{});
  }
  return mixes;
}

/// One run's constants.
struct RunContext {
  const Device& device;
  Lane& lane;
  Chain& chain;
  bool alpha;
  int channels;
  int level;
  const CancelToken& cancel;
  std::function<bool()> make_room;  // lets go of other images; says whether there were any
};

DevicePicture Reduced(const RunContext& run, const DevicePicture& stored, const Region& blocks, const Region& region,
                      SampleType type) {
  DevicePicture reduced = run.device.AllocatePicture(type, run.channels, region, run.lane.stream);
  const DeviceView& from = stored.view;
  ReduceJob job = {};
  job.source = static_cast<const char*>(from.data) +
               int64_t{blocks.x - from.area.x} * run.channels * static_cast<int64_t>(BytesPerSample(from.type));
  job.source_pitch = from.pitch;
  job.width = blocks.width;
  job.height = blocks.height;
  job.source_type = from.type;
  job.target = reduced.view.data;
  job.target_pitch = reduced.view.pitch;
  job.target_width = region.width;
  job.target_height = region.height;
  job.target_type = type;
  job.channels = run.channels;
  job.alpha = run.alpha;
  job.level = run.level;
  run.cancel.ThrowIfCancelled();
  run.device.Launching();
  LaunchReduce(job, run.lane.stream);
  return reduced;
}

/// `region` is at the run's level.
void ComputePart(const RunContext& run, const Region& region, const AnyView& destination) {
  const SampleType wanted = TypeOf(destination);
  const Region blocks = AtLevelZero(region, run.level, run.chain.width(), run.chain.height());
  const DevicePicture stored = run.chain.Compute(blocks, DeviceType(wanted));
  if (run.level == 0) {
    DownloadPart(run.device, run.lane, stored.view, region, destination, run.cancel);
  } else {
    const DevicePicture reduced = Reduced(run, stored, blocks, region, wanted);
    DownloadPart(run.device, run.lane, reduced.view, region, destination, run.cancel);
  }
}

/// Where memory is short: without the other images, then halves the region until its parts fit.
void ComputeParts(const RunContext& run, const Region& region, const AnyView& destination) {
  bool room = false;
  try {
    return ComputePart(run, region, destination);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kOutOfMemory) throw;
    room = run.make_room();
    const int64_t pixels = (int64_t{region.width} * region.height) << (2 * run.level);
    const bool divisible = region.width > 1 || region.height > 1;
    if (!room && (!divisible || pixels < kSmallestPart)) throw;
  }
  if (room) return ComputeParts(run, region, destination);
  Region first = region;
  Region second = region;
  if (region.width >= region.height) {
    first.width /= 2;
    second.x += first.width;
    second.width -= first.width;
  } else {
    first.height /= 2;
    second.y += first.height;
    second.height -= first.height;
  }
  ComputeParts(run, first, PartOf(destination, region, first));
  ComputeParts(run, second, PartOf(destination, region, second));
}

}  // namespace

AnyView PartOf(const AnyView& view, const Region& whole, const Region& part) {
  return std::visit(
      [&](auto typed) -> AnyView {
        typed.data = typed.Row(part.y - whole.y) + static_cast<ptrdiff_t>(part.x - whole.x) * typed.channels;
        typed.width = part.width;
        typed.height = part.height;
        return typed;
      },
      view);
}

Session::Session(const DeviceTraits& traits, Faults* faults)
    : device_(traits, faults), images_(&device_, traits.memory_bytes / 2) {}

void Session::Upload(const std::shared_ptr<const Image>& image) {
  device_.Use();
  const Device::LaneHandle lane = device_.TakeLane();
  images_.Get(image, *lane);
}

void Session::Run(const Plan& plan, const std::shared_ptr<const Image>& image, const RunRequest& request,
                  const AnyView& destination, const CancelToken& cancel) {
  device_.Use();
  std::shared_ptr<const ResidentImage> resident;  // outlives the lane, which waits for the work that reads it
  std::vector<LoweredPass> passes;
  std::vector<MixPictures> mixes;
  const Device::LaneHandle lane = device_.TakeLane();
  resident = images_.Get(image, *lane);
  const PictureKind kind = KindOf(*image, *resident);
  passes = Lower(plan, kind, device_.traits().block_shared_bytes, false);
  mixes = MixPicturesOf(passes, &images_, *lane);
  Chain chain(device_, *lane, cancel, passes, mixes, kind, resident->picture.view);
  const RunContext run{device_,           *lane,         chain,  image->alpha(),
                       image->channels(), request.level, cancel, [&] { return images_.KeepOnly(image.get()); }};
  ComputeParts(run, request.region, destination);
}

Extremes Session::Measure(const Plan& plan, const std::shared_ptr<const Image>& image, const CancelToken& cancel) {
  device_.Use();
  // Without a pass the image itself is measured: a pass that changes nothing.
  Plan measured = plan;
  if (measured.passes.empty()) {
    Pass identity;
    identity.work = DenseWeights{1, 1, 0, 0, {1.0}, 1.0};
    identity.alpha = AlphaMode::kColourOnly;
    measured.passes.push_back(identity);
  }
  std::shared_ptr<const ResidentImage> resident;
  std::vector<LoweredPass> passes;
  std::vector<MixPictures> mixes;
  const Device::LaneHandle lane = device_.TakeLane();
  resident = images_.Get(image, *lane);
  const PictureKind kind = KindOf(*image, *resident);
  passes = Lower(measured, kind, device_.traits().block_shared_bytes, true);
  mixes = MixPicturesOf(passes, &images_, *lane);
  Chain chain(device_, *lane, cancel, passes, mixes, kind, resident->picture.view);

  uint32_t keys[2] = {kNoMinimum, kNoMaximum};
  const DeviceMemory device_keys = device_.Allocate(sizeof keys, lane->stream);
  Check(cudaMemcpyAsync(device_keys.get(), keys, sizeof keys, cudaMemcpyHostToDevice, lane->stream), "extremes");
  const int64_t row_samples = int64_t{chain.width()} * kind.channels;
  int band = static_cast<int>(std::clamp<int64_t>(kMeasuredSamples / row_samples, 1, chain.height()));
  for (int y = 0; y < chain.height();) {
    const Region rows{0, y, chain.width(), std::min(band, chain.height() - y)};
    try {
      const DevicePicture result = chain.Compute(rows, SampleType::kF32, false);
      const auto* data =
          static_cast<const float*>(result.view.data) + int64_t{rows.x - result.view.area.x} * kind.channels;
      LaunchExtremes(data, result.view.pitch, rows.width, rows.height, kind.channels, kind.alpha,
                     static_cast<uint32_t*>(device_keys.get()), lane->stream);
      y += rows.height;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kOutOfMemory || band == 1) throw;
      band /= 2;
    }
  }
  Check(cudaMemcpyAsync(keys, device_keys.get(), sizeof keys, cudaMemcpyDeviceToHost, lane->stream), "extremes");
  Check(cudaStreamSynchronize(lane->stream), "extremes");
  if (keys[0] > keys[1]) return {};  // no number at all
  const double full_scale = FullScale(kind.depth);
  return {KeyValue(keys[0]) / full_scale, KeyValue(keys[1]) / full_scale};
}

namespace {

/// Stores `region` (level 0) of the image, scaled to the destination's depth.
template <typename From, typename To>
void ConvertRegion(const View<const From>& from, double scale, const Region& region, const View<To>& to,
                   const CancelToken& cancel) {
  for (int y = 0; y < region.height; ++y) {
    cancel.ThrowIfCancelled();
    const From* source = from.Row(region.y + y) + static_cast<ptrdiff_t>(region.x) * from.channels;
    To* target = to.Row(y);
    for (int i = 0; i < region.width * from.channels; ++i) {
      if constexpr (std::is_same_v<From, To>) {
        target[i] = source[i];
      } else {
        target[i] = StoredSample<To>(static_cast<double>(source[i]) * scale);
      }
    }
  }
}

}  // namespace

bool NeedsNoDevice(const Plan& plan, const Image& image, const RunRequest& request, const AnyView& destination) {
  return plan.passes.empty() &&
         (request.level == 0 || image.type() == SampleType::kF64 || std::holds_alternative<View<double>>(destination));
}

void CopyOnHost(const Image& image, const RunRequest& request, const AnyView& destination, const CancelToken& cancel) {
  const Region blocks = AtLevelZero(request.region, request.level, image.width(), image.height());
  const double scale = FullScale(TypeOf(destination)) / FullScale(image.type());
  std::visit(
      [&](const auto& from, const auto& to) {
        using To = std::remove_pointer_t<decltype(to.data)>;
        if (request.level == 0) return ConvertRegion(from, scale, blocks, to, cancel);
        const int64_t row = int64_t{blocks.width} * from.channels;
        std::vector<To> stored(static_cast<size_t>(row * blocks.height));
        ConvertRegion(from, scale, blocks, View<To>{stored.data(), blocks.width, blocks.height, from.channels, row},
                      cancel);
        ReduceInto(View<const To>{stored.data(), blocks.width, blocks.height, from.channels, row}, image.alpha(),
                   request.level, destination);
      },
      image.view(), destination);
}

}  // namespace convolve::cuda
