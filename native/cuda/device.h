// Device: one GPU that the backend uses, its memory and the lanes on which runs go side by side.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cuda/faults.h"
#include "cuda/fft.h"
#include "engine/backend.h"
#include "engine/view.h"

namespace convolve::cuda {

/// What the runtime says about a device without starting it.
struct DeviceTraits {
  int index = 0;
  std::string name;
  std::string description;  // name, compute capability, memory, driver
  int capability = 0;       // 90 for 9.0
  int multiprocessors = 1;
  int block_shared_bytes = 48 << 10;  // most shared memory of a block
  size_t memory_bytes = 0;
  bool pools = false;  // stream-ordered allocation
};

/// The device with the traits' index, or the reason why it cannot be used in `why_not`.
bool ProbeDevice(DeviceTraits* traits, std::string* why_not);

/// The first device and all others that compute the same bits: those of its compute capability and shared memory. None,
/// and the reason in `why_not`, where the first cannot be used.
std::vector<DeviceTraits> ProbeDevices(std::string* why_not);

/// Device memory, freed in the order of its stream: work queued before the end of its life may still use it.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  DeviceMemory(void* pointer, size_t bytes, bool pooled, cudaStream_t stream)
      : pointer_(pointer), bytes_(bytes), pooled_(pooled), stream_(stream) {}
  DeviceMemory(DeviceMemory&& other) noexcept { *this = std::move(other); }
  DeviceMemory& operator=(DeviceMemory&& other) noexcept;
  ~DeviceMemory() { Free(); }

  void* get() const { return pointer_; }
  size_t bytes() const { return bytes_; }

 private:
  void Free() noexcept;

  void* pointer_ = nullptr;
  size_t bytes_ = 0;
  bool pooled_ = false;
  cudaStream_t stream_ = nullptr;
};

/// A rectangle of a picture in device memory: rows `pitch` bytes apart, the first sample 256-byte aligned.
struct DeviceView {
  void* data = nullptr;
  int64_t pitch = 0;
  SampleType type = SampleType::kF32;  // kF64 only as the result of a reduction
  int channels = 0;
  Region area;  // which part of the picture
};

struct DevicePicture {
  DeviceMemory memory;
  DeviceView view;
};

/// Page-locked memory for one chunk of a transfer, and the event that says when the device has done with it.
class StagingSlot {
 public:
  StagingSlot();
  StagingSlot(const StagingSlot&) = delete;
  StagingSlot& operator=(const StagingSlot&) = delete;
  ~StagingSlot();

  /// At least `bytes`, its former contents lost. Waits for the device to have done with it.
  std::byte* Reserve(size_t bytes);
  /// To be called after queueing work that uses the memory.
  void Used(cudaStream_t stream);
  void Wait();

 private:
  std::byte* memory_ = nullptr;
  size_t bytes_ = 0;
  cudaEvent_t done_ = nullptr;
};

/// What one run needs for itself: a stream and staging memory.
struct Lane {
  Lane();
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;
  ~Lane();

  static constexpr int kSlots = 8;
  cudaStream_t stream = nullptr;
  std::vector<std::unique_ptr<StagingSlot>> slots;
  cudaEvent_t pace[2] = {};
};

class Device {
 public:
  /// Starts the device. `faults`, where given, outlives it. Throws Error kBackendUnavailable, kOutOfMemory or
  /// kDeviceFailed.
  explicit Device(const DeviceTraits& traits, Faults* faults = nullptr);
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ~Device();

  const DeviceTraits& traits() const { return traits_; }
  /// Makes the device current on this thread.
  void Use() const;
  /// Throws Error kOutOfMemory where even the pool's reserve is not enough.
  DeviceMemory Allocate(size_t bytes, cudaStream_t stream) const;
  /// A picture part of its own, rows padded to 256 bytes.
  DevicePicture AllocatePicture(SampleType type, int channels, const Region& area, cudaStream_t stream) const;

  /// Bytes allocated now.
  uint64_t MemoryBytes() const;

  /// To be called before each launch of a run.
  void Launching() const {
    if (faults_ != nullptr) faults_->Launching();
  }
  /// Spectra of kernels, kept from run to run.
  FftSpectra& spectra() const { return spectra_; }

  /// A lane for one run; it goes back when the handle dies, after everything queued on it has ended.
  class LaneHandle {
   public:
    LaneHandle(Device* device, std::unique_ptr<Lane> lane) : device_(device), lane_(std::move(lane)) {}
    LaneHandle(LaneHandle&&) = default;
    LaneHandle& operator=(LaneHandle&&) = delete;
    ~LaneHandle();
    Lane& operator*() const { return *lane_; }
    Lane* operator->() const { return lane_.get(); }

   private:
    Device* device_;
    std::unique_ptr<Lane> lane_;
  };
  LaneHandle TakeLane();

 private:
  DeviceTraits traits_;
  Faults* faults_;
  cudaMemPool_t pool_ = nullptr;
  mutable FftSpectra spectra_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Lane>> free_lanes_;
};

}  // namespace convolve::cuda
