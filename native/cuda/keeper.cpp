// Opening, failing and opening again.
#include "cuda/keeper.h"

#include <cuda_runtime_api.h>

#include "engine/error.h"

namespace convolve::cuda {
namespace {

/// Counts a call while it lasts.
class Count {
 public:
  explicit Count(std::atomic<int>* count) : count_(count) { ++*count_; }
  ~Count() { --*count_; }
  Count(const Count&) = delete;
  Count& operator=(const Count&) = delete;

 private:
  std::atomic<int>* count_;
};

/// A context in which something failed for good answers every call with that failure; ending it is the only cure.
void ResetIfBroken(int device) {
  if (cudaSetDevice(device) == cudaSuccess && cudaDeviceSynchronize() != cudaSuccess) cudaDeviceReset();
  cudaGetLastError();
}

}  // namespace

void Keeper::Do(const std::function<void(Session&)>& work) {
  const Count count(&busy_);
  const std::shared_ptr<Session> session = Opened();
  try {
    work(*session);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kDeviceFailed) {
      const std::lock_guard lock(mutex_);
      if (session_ == session) failed_ = true;
    }
    throw;
  }
}

bool Keeper::IsOpen() {
  const std::lock_guard lock(mutex_);
  return session_ != nullptr && !failed_;
}

bool Keeper::Holds(const Image& image) {
  const std::lock_guard lock(mutex_);
  return session_ != nullptr && !failed_ && session_->Holds(image);
}

uint64_t Keeper::MemoryBytes() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  return lock && session_ != nullptr && !failed_ ? session_->device().MemoryBytes() : 0;
}

std::shared_ptr<Session> Keeper::Opened() {
  const std::lock_guard lock(mutex_);
  if (failed_) {
    if (session_.use_count() > 1) {
      throw Error(ErrorCode::kDeviceFailed, "cuda", "a device that works", "it failed and is not yet restarted");
    }
    session_.reset();
    ResetIfBroken(traits_.index);
    failed_ = false;
  }
  if (session_ == nullptr) session_ = std::make_shared<Session>(traits_, faults_);
  return session_;
}

}  // namespace convolve::cuda
