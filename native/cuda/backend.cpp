// The cuda backend: checks what it is asked, opens the device at the first need, and after a device failure gives every
// call a typed error until nothing runs any more; then the next call starts the device anew.
#include <cuda_runtime_api.h>

#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <utility>

#include "cuda/cuda_unavailable.h"
#include "cuda/session.h"
#include "engine/plan.h"

namespace convolve {
namespace cuda {
namespace {

void RequireImage(const std::shared_ptr<const Image>& image) {
  if (image == nullptr) throw Error(ErrorCode::kInvalidArgument, "image", "an image", "none");
}

class CudaBackend final : public Backend {
 public:
  explicit CudaBackend(DeviceTraits traits) : traits_(std::move(traits)) {}

  BackendInfo info() const override { return {"cuda", true, traits_.description}; }

  void Upload(const std::shared_ptr<const Image>& image) override {
    RequireImage(image);
    OnDevice([&](Session& session) { session.Upload(image); });
  }

  void Run(const Plan& plan, const std::shared_ptr<const Image>& image, const RunRequest& request,
           const AnyView& destination, const CancelToken& cancel) override {
    RequireImage(image);
    Validate(plan, *image, request, destination);
    cancel.ThrowIfCancelled();
    if (NeedsNoDevice(plan, *image, request, destination)) {
      return WithMemoryErrors([&] { CopyOnHost(*image, request, destination, cancel); });
    }
    OnDevice([&](Session& session) { session.Run(plan, image, request, destination, cancel); });
  }

  Extremes Measure(const Plan& plan, const std::shared_ptr<const Image>& image, const CancelToken& cancel) override {
    RequireImage(image);
    ValidatePlan(plan, image->width(), image->height());
    cancel.ThrowIfCancelled();
    Extremes extremes;
    OnDevice([&](Session& session) { extremes = session.Measure(plan, image, cancel); });
    return extremes;
  }

 private:
  template <typename Work>
  static void WithMemoryErrors(const Work& work) {
    try {
      work();
    } catch (const std::bad_alloc&) {
      throw Error(ErrorCode::kOutOfMemory, "cuda backend, host memory");
    }
  }

  /// Works on the session; a device failure ends the session for every later call.
  template <typename Work>
  void OnDevice(const Work& work) {
    const std::shared_ptr<Session> session = Opened();
    WithMemoryErrors([&] {
      try {
        work(*session);
      } catch (const Error& error) {
        if (error.code() == ErrorCode::kDeviceFailed) {
          const std::lock_guard lock(mutex_);
          if (session_ == session) failed_ = true;
        }
        throw;
      }
    });
  }

  std::shared_ptr<Session> Opened() {
    const std::lock_guard lock(mutex_);
    if (failed_) {
      if (session_.use_count() > 1) {
        throw Error(ErrorCode::kDeviceFailed, "cuda", "a device that works", "it failed and is not yet restarted");
      }
      session_.reset();
      // The only cure for a failed context; what it held is gone.
      if (cudaSetDevice(traits_.index) == cudaSuccess) cudaDeviceReset();
      cudaGetLastError();
      failed_ = false;
    }
    if (session_ == nullptr) session_ = std::make_shared<Session>(traits_);
    return session_;
  }

  const DeviceTraits traits_;
  std::mutex mutex_;
  std::shared_ptr<Session> session_;
  bool failed_ = false;
};

}  // namespace
}  // namespace cuda

std::unique_ptr<Backend> MakeCudaBackend() {
  cuda::DeviceTraits traits;
  std::string why_not;
  if (!cuda::ProbeDevice(&traits, &why_not)) return std::make_unique<cuda::UnavailableBackend>(why_not);
  return std::make_unique<cuda::CudaBackend>(std::move(traits));
}

}  // namespace convolve
