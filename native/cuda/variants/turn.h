// Turn: something on a device that only one launch may use at a time, such as a __constant__ array: whoever changes it
// waits, on its stream, for the launch that used it last.
#pragma once

#include <cuda_runtime_api.h>

#include <map>
#include <mutex>

#include "cuda/check.h"

namespace convolve::cuda {

class Turn {
 public:
  /// Calls `work`, which queues work on the stream, after everything queued by calls before on the same device.
  template <typename Work>
  void Take(int device, cudaStream_t stream, const Work& work) {
    const std::lock_guard lock(mutex_);
    cudaEvent_t& last = last_[device];
    if (last == nullptr) Check(cudaEventCreateWithFlags(&last, cudaEventDisableTiming), "event");
    if (cudaStreamWaitEvent(stream, last) != cudaSuccess) {
      // The device was reset since; so is what was queued on it.
      cudaGetLastError();
      Check(cudaEventCreateWithFlags(&last, cudaEventDisableTiming), "event");
    }
    work();
    Check(cudaEventRecord(last, stream), "event");
  }

 private:
  std::mutex mutex_;
  std::map<int, cudaEvent_t> last_;
};

}  // namespace convolve::cuda
