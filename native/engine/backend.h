// Backend: one way to run a Plan. Three exist: reference (the law), cpu, cuda.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/error.h"
#include "engine/image.h"
#include "engine/pass.h"
#include "engine/view.h"

namespace convolve {

/// Set from any thread; a running backend looks at it at least between tiles and stops with Error kCancelled.
class CancelToken {
 public:
  void Cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }
  void ThrowIfCancelled() const {
    if (cancelled()) throw Error(ErrorCode::kCancelled, "run");
  }

 private:
  std::atomic<bool> cancelled_{false};
};

struct BackendInfo {
  std::string name;  // "reference", "cpu" or "cuda"
  bool available = false;
  std::string description;    // instruction set and threads, or device; or why it is not available
  uint64_t memory_bytes = 0;  // of its devices' memory that it holds now; 0 where it has no memory of its own
};

/// Which part of the result to compute: `region` in pixels of `level` of the result. At level L each pixel is the mean
/// of 2^L x 2^L result pixels as they would be stored in the destination's sample type (alpha-weighted where there is
/// alpha).
struct RunRequest {
  Region region;
  int level = 0;
};

/// Smallest and largest colour sample of a result, as shares of full scale.
struct Extremes {
  double minimum = 0;
  double maximum = 0;
};

/// Size of the plan's result at level 0 for an image of this size; `valid` passes shrink it. Throws kInvalidPlan where
/// nothing would be left.
struct ResultSize {
  int width = 0;
  int height = 0;
};
ResultSize SizeAfter(const Plan& plan, int width, int height);

/// Throws Error (kInvalidPlan, kInvalidKernel, kInvalidArgument) unless the plan can run on the image and the request
/// and destination fit each other: sizes 1...511, anchors inside, finite weights, divisor not 0, region inside the
/// result, destination of the region's size and the image's channels.
void Validate(const Plan& plan, const Image& image, const RunRequest& request, const AnyView& destination);

class KeptResult;

class Backend {
 public:
  virtual ~Backend() = default;
  virtual BackendInfo info() const = 0;
  /// Makes the image ready where the backend computes, so that the first run does not wait for it.
  virtual void Upload(const std::shared_ptr<const Image>& image) = 0;
  /// Computes the requested part of the plan's result into the destination. Integer destinations are rounded half away
  /// from zero and clamped, once, at the end; other depths than the image's are scaled by the ratio of full scales.
  /// Any tiling of a result gives the same bytes.
  virtual void Run(const Plan& plan, const std::shared_ptr<const Image>& image, const RunRequest& request,
                   const AnyView& destination, const CancelToken& cancel) = 0;
  /// Extremes of the colour channels of the whole result, before any rounding.
  virtual Extremes Measure(const Plan& plan, const std::shared_ptr<const Image>& image, const CancelToken& cancel) = 0;
  /// The same, byte for byte, for the plan that `kept` begins and `after` ends (engine/kept_result.h). A backend that
  /// keeps results computes of the first passes only what is not there yet; these two compute everything anew.
  virtual void RunAfter(KeptResult& kept, const Plan& after, const RunRequest& request, const AnyView& destination,
                        const CancelToken& cancel);
  virtual Extremes MeasureAfter(KeptResult& kept, const Plan& after, const CancelToken& cancel);
};

std::unique_ptr<Backend> MakeReferenceBackend();
/// `threads` 0 means one for each hardware thread.
std::unique_ptr<Backend> MakeCpuBackend(int threads = 0);
/// Always succeeds; info().available is false, with the reason, where there is no driver, no device or no CUDA build.
std::unique_ptr<Backend> MakeCudaBackend();

}  // namespace convolve
