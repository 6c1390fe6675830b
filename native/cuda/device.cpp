// Finding the device, allocating its memory from a pool of our own, and handing out lanes.
#include "cuda/device.h"

#include <algorithm>
#include <utility>

#include "cuda/check.h"

namespace convolve::cuda {
namespace {

constexpr int64_t kPitchAlignment = 256;
constexpr uint64_t kMostKept = uint64_t{2} << 30;
constexpr size_t kSmallestSlot = size_t{4} << 20;

/// CUDA writes 13020 for 13.2.
std::string Version(int number) { return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10); }

int Attribute(cudaDeviceAttr attribute, int device) {
  int value = 0;
  return cudaDeviceGetAttribute(&value, attribute, device) == cudaSuccess ? value : 0;
}

}  // namespace

bool ProbeDevice(DeviceTraits* traits, std::string* why_not) {
  int driver = 0;
  int runtime = 0;
  cudaRuntimeGetVersion(&runtime);
  if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) {
    *why_not = "no NVIDIA driver";
    return false;
  }
  int devices = 0;
  const cudaError_t status = cudaGetDeviceCount(&devices);
  cudaGetLastError();
  if (status == cudaErrorNoDevice || (status == cudaSuccess && devices == 0)) {
    *why_not = "no CUDA device";
    return false;
  }
  if (status == cudaErrorInsufficientDriver) {
    *why_not = "the NVIDIA driver supports CUDA " + Version(driver) + ", this build needs " + Version(runtime);
    return false;
  }
  if (status != cudaSuccess) {
    *why_not = std::string("CUDA does not start: ") + cudaGetErrorString(status);
    return false;
  }
  if (traits->index >= devices) {
    *why_not = "no such CUDA device";
    return false;
  }
  cudaDeviceProp properties;
  if (cudaGetDeviceProperties(&properties, traits->index) != cudaSuccess) {
    cudaGetLastError();
    *why_not = "the CUDA device does not answer";
    return false;
  }
  traits->multiprocessors = properties.multiProcessorCount;
  traits->memory_bytes = properties.totalGlobalMem;
  traits->block_shared_bytes = std::max(48 << 10, Attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, traits->index));
  traits->name = properties.name;
  traits->capability = 10 * properties.major + properties.minor;
  traits->pools = Attribute(cudaDevAttrMemoryPoolsSupported, traits->index) != 0;
  traits->description = std::string(properties.name) + ", compute " + std::to_string(properties.major) + "." +
                        std::to_string(properties.minor) + ", " + std::to_string(properties.totalGlobalMem >> 20) +
                        " MiB, driver for CUDA " + Version(driver);
  return true;
}

std::vector<DeviceTraits> ProbeDevices(std::string* why_not) {
  std::vector<DeviceTraits> devices(1);
  if (!ProbeDevice(&devices.front(), why_not)) return {};
  int count = 1;
  if (cudaGetDeviceCount(&count) != cudaSuccess) cudaGetLastError();
  for (int index = 1; index < count; ++index) {
    DeviceTraits traits;
    traits.index = index;
    std::string why;
    const DeviceTraits& first = devices.front();
    if (ProbeDevice(&traits, &why) && traits.capability == first.capability &&
        traits.block_shared_bytes == first.block_shared_bytes) {
      devices.push_back(traits);
    }
  }
  return devices;
}

DeviceMemory& DeviceMemory::operator=(DeviceMemory&& other) noexcept {
  if (this == &other) return *this;
  Free();
  pointer_ = std::exchange(other.pointer_, nullptr);
  bytes_ = std::exchange(other.bytes_, 0);
  pooled_ = other.pooled_;
  stream_ = other.stream_;
  return *this;
}

void DeviceMemory::Free() noexcept {
  if (pointer_ == nullptr) return;
  // After a device failure freeing fails too; the memory goes with the context then.
  if ((pooled_ ? cudaFreeAsync(pointer_, stream_) : cudaFree(pointer_)) != cudaSuccess) cudaGetLastError();
  pointer_ = nullptr;
}

StagingSlot::StagingSlot() {
  Check(cudaEventCreateWithFlags(&done_, cudaEventDisableTiming | cudaEventBlockingSync), "event");
}

StagingSlot::~StagingSlot() {
  cudaFreeHost(memory_);
  cudaEventDestroy(done_);
  cudaGetLastError();
}

std::byte* StagingSlot::Reserve(size_t bytes) {
  Wait();
  if (bytes > bytes_) {
    Check(cudaFreeHost(memory_), "staging memory");
    memory_ = nullptr;
    bytes_ = 0;
    const size_t wanted = std::max(bytes, kSmallestSlot);
    void* memory = nullptr;
    Check(cudaHostAlloc(&memory, wanted, cudaHostAllocDefault), "staging memory");
    memory_ = static_cast<std::byte*>(memory);
    bytes_ = wanted;
  }
  return memory_;
}

void StagingSlot::Used(cudaStream_t stream) { Check(cudaEventRecord(done_, stream), "event"); }

void StagingSlot::Wait() { Check(cudaEventSynchronize(done_), "waiting for the device"); }

Lane::Lane() {
  Check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
  for (cudaEvent_t& event : pace) {
    Check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming | cudaEventBlockingSync), "event");
  }
  for (int i = 0; i < kSlots; ++i) slots.push_back(std::make_unique<StagingSlot>());
}

Lane::~Lane() {
  for (const cudaEvent_t event : pace) cudaEventDestroy(event);
  cudaStreamDestroy(stream);
  cudaGetLastError();
}

Device::Device(const DeviceTraits& traits, Faults* faults) : traits_(traits), faults_(faults) {
  Use();
  if (!traits_.pools) return;
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = traits_.index;
  Check(cudaMemPoolCreate(&pool_, &properties), "memory pool");
  // What is freed stays ours up to this much, so that the next run does not wait for the driver.
  uint64_t kept = std::min<uint64_t>(traits_.memory_bytes / 4, kMostKept);
  Check(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &kept), "memory pool");
}

Device::~Device() {
  free_lanes_.clear();
  if (pool_ != nullptr) cudaMemPoolDestroy(pool_);
  cudaGetLastError();
}

void Device::Use() const { Check(cudaSetDevice(traits_.index), "device"); }

DeviceMemory Device::Allocate(size_t bytes, cudaStream_t stream) const {
  if (faults_ != nullptr) faults_->Allocating(bytes);
  void* pointer = nullptr;
  if (pool_ == nullptr) {
    Check(cudaMalloc(&pointer, bytes), "device memory");
  } else {
    if (cudaMallocFromPoolAsync(&pointer, bytes, pool_, stream) != cudaSuccess) {
      cudaGetLastError();
      Check(cudaStreamSynchronize(stream), "waiting for the device");
      Check(cudaMemPoolTrimTo(pool_, 0), "memory pool");
      Check(cudaMallocFromPoolAsync(&pointer, bytes, pool_, stream), "device memory");
    }
  }
  return DeviceMemory(pointer, bytes, pool_ != nullptr, stream);
}

uint64_t Device::MemoryBytes() const {
  uint64_t used = 0;
  if (pool_ != nullptr && cudaMemPoolGetAttribute(pool_, cudaMemPoolAttrUsedMemCurrent, &used) != cudaSuccess) {
    cudaGetLastError();
    return 0;
  }
  return used;
}

DevicePicture Device::AllocatePicture(SampleType type, int channels, const Region& area, cudaStream_t stream) const {
  const int64_t row = int64_t{area.width} * channels * static_cast<int64_t>(BytesPerSample(type));
  const int64_t pitch = (row + kPitchAlignment - 1) / kPitchAlignment * kPitchAlignment;
  DevicePicture picture;
  picture.memory = Allocate(static_cast<size_t>(pitch * area.height), stream);
  picture.view = {picture.memory.get(), pitch, type, channels, area};
  return picture;
}

Device::LaneHandle::~LaneHandle() {
  if (lane_ == nullptr) return;
  // A run that was cancelled leaves work behind that still uses the image and the staging memory.
  if (cudaStreamSynchronize(lane_->stream) != cudaSuccess) {
    cudaGetLastError();
    return;  // a failed device's lane is not used again
  }
  const std::lock_guard lock(device_->mutex_);
  device_->free_lanes_.push_back(std::move(lane_));
}

Device::LaneHandle Device::TakeLane() {
  {
    const std::lock_guard lock(mutex_);
    if (!free_lanes_.empty()) {
      std::unique_ptr<Lane> lane = std::move(free_lanes_.back());
      free_lanes_.pop_back();
      return LaneHandle(this, std::move(lane));
    }
  }
  return LaneHandle(this, std::make_unique<Lane>());
}

}  // namespace convolve::cuda
