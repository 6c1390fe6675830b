// Chain: the passes of a plan, one after the other, on the device: which part of each result is needed, scratch between
// the passes, launches, and what ends at the destination.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "cuda/device.h"
#include "cuda/image_cache.h"
#include "cuda/lowering.h"
#include "cuda/point.h"
#include "cuda/ready_pass.h"
#include "engine/backend.h"

namespace convolve::cuda {

/// The part of a pass's input that a part of its result needs, borders resolved: the smallest rectangle that holds
/// every pixel read. `region` is in pixels of the result.
Region NeededInput(const LoweredPass& pass, const Region& region, int channels, int input_width, int input_height);

/// Where the target's rows should begin (in pixels of the result, at or left of the region) so that a walk can use wide
/// stores.
int AlignedLeft(const LoweredPass& pass, const DeviceView& source, SampleType target, const Region& region);

/// Whether the pass is a byte walk from this source to such a target: where weights were rounded, only bytes may
/// follow.
bool UsesByteWalk(const LoweredPass& pass, const DeviceView& source, SampleType target);
/// Whether the pass runs on the tensor cores from this source to such a target; as with byte walks, only bytes may
/// follow weights that were rounded to 16 bits.
bool UsesMatrix(const ReadyPass& pass, const DeviceView& source, SampleType target);
/// Whether a pair does.
bool UsesMatrixPair(const ReadyPass& pass, const FinishParameters& finish, const DeviceView& source, SampleType target);

/// Computes `region` (in pixels of the result) of one pass into `target`, which holds it. Source pixels are those of
/// the pass's input picture. In linear light both are linear here. `scratch` gives memory that lives until the launches
/// end.
void LaunchPass(const ReadyPass& pass, const FinishParameters& finish, const DeviceView& source, int input_width,
                int input_height, const DeviceView& target, const Region& region, const Device& device,
                cudaStream_t stream, const std::function<void()>& between);

/// The pictures of a pass's mix on the device, where it has some.
struct MixPictures {
  std::shared_ptr<const ResidentImage> mask;
  std::shared_ptr<const ResidentImage> input;
};

class Chain {
 public:
  /// The arguments outlive the chain. `mixes`: one for each pass.
  Chain(const Device& device, Lane& lane, const CancelToken& cancel, const std::vector<LoweredPass>& passes,
        const std::vector<MixPictures>& mixes, const PictureKind& kind, const DeviceView& source);

  /// The region (in pixels of the plan's result) as `type`, or with `encode` false as it is before the last encoding
  /// and scaling. Queued, not awaited.
  DevicePicture Compute(const Region& region, SampleType type, bool encode = true);

  /// Size of the plan's result.
  int width() const { return sizes_.back().width; }
  int height() const { return sizes_.back().height; }

 private:
  void Between();
  /// The region as float32, its light kept or decoded.
  DevicePicture Floats(const DeviceView& source, const Region& region, PointLight light);
  /// The region of a pass's result as `type`, wholly finished, or with `encode` false as it is before its encoding.
  DevicePicture Step(size_t index, const DeviceView& source, const Region& region, SampleType type, bool last,
                     bool encode);
  /// The same as `type` in the pass's light, before its mix. `store`: scaled to the type.
  DevicePicture Filtered(size_t index, const DeviceView& source, const Region& region, SampleType type, bool store);
  /// What is left of a pass after its filter: its mix and the way back to encoded light.
  DevicePicture Mixed(size_t index, const DeviceView& source, const DeviceView& filtered, const Region& region,
                      SampleType type, const FinishParameters& store);
  DevicePicture Encoded(const DeviceView& filtered, const Region& region, SampleType type,
                        const FinishParameters& store);

  const Device& device_;
  Lane& lane_;
  const CancelToken& cancel_;
  const std::vector<LoweredPass>& passes_;
  const std::vector<MixPictures>& mixes_;
  PictureKind kind_;
  DeviceView source_;
  std::vector<ResultSize> sizes_;     // of each pass's input, then of the result
  std::optional<ReadyPasses> ready_;  // from the first computation on
  unsigned launches_ = 0;
};

}  // namespace convolve::cuda
