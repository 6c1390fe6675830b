// The cuda backend: checks what it is asked and chooses the devices: an image stays with one of them, a run large
// enough is cut into bands for all, and a band whose device fails goes to another.
#include "cuda/backend.h"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <utility>
#include <variant>

#include "cuda/cuda_unavailable.h"
#include "cuda/keeper.h"
#include "cuda/spread.h"
#include "engine/plan.h"

namespace convolve {
namespace cuda {
namespace {

void RequireImage(const std::shared_ptr<const Image>& image) {
  if (image == nullptr) throw Error(ErrorCode::kInvalidArgument, "image", "an image", "none");
}

template <typename Work>
void WithMemoryErrors(const Work& work) {
  try {
    work();
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::kOutOfMemory, "cuda backend, host memory");
  }
}

size_t BytesPerSample(const AnyView& view) {
  return std::visit([](const auto& typed) { return sizeof(*typed.data); }, view);
}

/// Whether another device may do what this failure kept from being done.
bool IsOfTheDevice(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const Error& error) {
    return error.code() == ErrorCode::kDeviceFailed || error.code() == ErrorCode::kBackendUnavailable ||
           error.code() == ErrorCode::kOutOfMemory;
  } catch (...) {
    return false;
  }
}

std::string Described(const std::vector<DeviceTraits>& devices) {
  const std::string& first = devices.front().description;
  return devices.size() == 1 ? first : std::to_string(devices.size()) + " devices, the first: " + first;
}

class CudaBackend final : public Backend {
 public:
  CudaBackend(const std::vector<DeviceTraits>& devices, const BackendOptions& options)
      : description_(Described(devices)), spread_always_(options.spread_always), faults_(options.faults) {
    for (const DeviceTraits& traits : devices) keepers_.push_back(std::make_unique<Keeper>(traits, &faults_));
  }

  BackendInfo info() const override {
    uint64_t bytes = 0;
    for (const auto& keeper : keepers_) bytes += keeper->MemoryBytes();
    return {"cuda", true, description_, bytes};
  }

  void Upload(const std::shared_ptr<const Image>& image) override {
    RequireImage(image);
    WithMemoryErrors([&] { HomeOf(*image).Do([&](Session& session) { session.Upload(image); }); });
  }

  void Run(const Plan& plan, const std::shared_ptr<const Image>& image, const RunRequest& request,
           const AnyView& destination, const CancelToken& cancel) override {
    RequireImage(image);
    Validate(plan, *image, request, destination);
    cancel.ThrowIfCancelled();
    WithMemoryErrors([&] {
      if (NeedsNoDevice(plan, *image, request, destination)) return CopyOnHost(*image, request, destination, cancel);
      const std::vector<Band> bands = BandsOf(plan, *image, request, destination);
      const auto run = [&](size_t device, const Region& region) {
        keepers_[device]->Do([&](Session& session) {
          session.Run(plan, image, {region, request.level}, PartOf(destination, request.region, region), cancel);
        });
      };
      RunBands(bands, run);
    });
  }

  Extremes Measure(const Plan& plan, const std::shared_ptr<const Image>& image, const CancelToken& cancel) override {
    RequireImage(image);
    ValidatePlan(plan, *image);
    cancel.ThrowIfCancelled();
    Extremes extremes;
    WithMemoryErrors(
        [&] { HomeOf(*image).Do([&](Session& session) { extremes = session.Measure(plan, image, cancel); }); });
    return extremes;
  }

 private:
  /// The device that an image stays with: one that holds it, else the one with the least to do. One that has yet to be
  /// started counts as busy, because that takes longer than most runs.
  size_t HomeIndex(const Image& image) {
    constexpr int kUnopened = 2;
    size_t home = 0;
    int least = 0;
    for (size_t i = 0; i < keepers_.size(); ++i) {
      Keeper& keeper = *keepers_[i];
      if (keeper.Holds(image)) return i;
      const int busy = keeper.busy() + (i == 0 || keeper.IsOpen() ? 0 : kUnopened);
      if (i == 0 || busy < least) {
        home = i;
        least = busy;
      }
    }
    return home;
  }
  Keeper& HomeOf(const Image& image) { return *keepers_[HomeIndex(image)]; }

  std::vector<Band> BandsOf(const Plan& plan, const Image& image, const RunRequest& request,
                            const AnyView& destination) {
    const size_t home = HomeIndex(image);
    std::vector<Helper> helpers;
    for (size_t i = 0; i < keepers_.size(); ++i) {
      if (i != home && request.level == 0) helpers.push_back({i, keepers_[i]->IsOpen(), keepers_[i]->Holds(image)});
    }
    return Spread(plan, image, request.region, BytesPerSample(destination), home, helpers, spread_always_);
  }

  /// All bands at once. What failed because of its device is done by another; where none can, the failure is thrown.
  template <typename RunBand>
  void RunBands(const std::vector<Band>& bands, const RunBand& run) const {
    std::vector<std::exception_ptr> failures(bands.size());
    const auto guarded = [&](size_t i, size_t device) {
      failures[i] = nullptr;
      try {
        run(device, bands[i].region);
      } catch (...) {
        failures[i] = std::current_exception();
      }
    };
    std::vector<std::thread> threads;
    std::vector<size_t> own = {0};  // bands that the caller's thread does
    for (size_t i = 1; i < bands.size(); ++i) {
      try {
        threads.emplace_back(guarded, i, bands[i].device);
      } catch (...) {  // no more threads, or no memory for one
        own.push_back(i);
      }
    }
    for (const size_t i : own) guarded(i, bands[i].device);
    for (std::thread& thread : threads) thread.join();

    for (size_t i = 0; i < bands.size(); ++i) {
      for (const size_t device : OtherDevices(bands, failures)) {
        if (failures[i] == nullptr || !IsOfTheDevice(failures[i])) break;
        guarded(i, device);
      }
      if (failures[i] != nullptr) std::rethrow_exception(failures[i]);
    }
  }

  /// Devices that may do a failed band: those that did theirs, then those that had none.
  std::vector<size_t> OtherDevices(const std::vector<Band>& bands,
                                   const std::vector<std::exception_ptr>& failures) const {
    std::vector<size_t> sound;
    std::vector<size_t> idle;
    for (size_t device = 0; device < keepers_.size(); ++device) {
      const auto band = std::find_if(bands.begin(), bands.end(), [&](const Band& one) { return one.device == device; });
      if (band == bands.end()) {
        idle.push_back(device);
      } else if (failures[static_cast<size_t>(band - bands.begin())] == nullptr) {
        sound.push_back(device);
      }
    }
    sound.insert(sound.end(), idle.begin(), idle.end());
    return sound;
  }

  const std::string description_;
  const bool spread_always_;
  Faults faults_;
  std::vector<std::unique_ptr<Keeper>> keepers_;
};

}  // namespace

std::unique_ptr<Backend> MakeBackendOn(const std::vector<DeviceTraits>& devices, const BackendOptions& options) {
  return std::make_unique<CudaBackend>(devices, options);
}

}  // namespace cuda

std::unique_ptr<Backend> MakeCudaBackend() {
  std::string why_not;
  const std::vector<cuda::DeviceTraits> devices = cuda::ProbeDevices(&why_not);
  if (devices.empty()) return std::make_unique<cuda::UnavailableBackend>(why_not);
  const char* const faults = std::getenv(cuda::kFaultVariable);
  try {
    return cuda::MakeBackendOn(devices, {faults == nullptr ? "" : faults, false});
  } catch (const Error& error) {
    return std::make_unique<cuda::UnavailableBackend>(error.what());
  }
}

}  // namespace convolve
