// How a picture is cut into chunks of whole rows, and which thread moves which chunk.
#include "cuda/transfer.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <mutex>
#include <thread>
#include <type_traits>
#include <variant>
#include <vector>

#include "cuda/check.h"

namespace convolve::cuda {
namespace {

constexpr int64_t kChunkBytes = int64_t{4} << 20;
constexpr int64_t kThreadBytes = int64_t{8} << 20;  // a further thread for so much
constexpr int kSlotsOfThread = 2;                   // one with the host, one with the device
constexpr int kMostThreads = Lane::kSlots / kSlotsOfThread;

/// Runs `work(thread)` on as many threads as the bytes are worth and the system gives, the caller's among them; each
/// takes chunks until none is left. The first exception is thrown.
template <typename Work>
void OnThreads(const Device& device, int64_t bytes, int chunks, const Work& work) {
  const int hardware = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const int count = std::clamp(static_cast<int>(bytes / kThreadBytes), 1, std::min({kMostThreads, chunks, hardware}));
  std::exception_ptr failure;
  std::mutex mutex;
  const auto guarded = [&](int thread) {
    try {
      device.Use();
      work(thread);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  try {
    for (int i = 1; i < count; ++i) threads.emplace_back(guarded, i);
  } catch (...) {
    // No more threads, or no memory for them: those that there are do it all, and must be joined.
  }
  guarded(0);
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
}

/// Whole rows that make about one chunk.
int RowsOfChunk(int64_t row_bytes, int height) {
  return static_cast<int>(std::clamp<int64_t>(kChunkBytes / std::max<int64_t>(row_bytes, 1), 1, height));
}

/// Samples from one type to the same, or between f64 and f32.
template <typename From, typename To>
void CopySamples(const From* from, int64_t count, To* to) {
  if constexpr (std::is_same_v<From, To>) {
    std::memcpy(to, from, static_cast<size_t>(count) * sizeof(To));
  } else {
    for (int64_t i = 0; i < count; ++i) to[i] = static_cast<To>(from[i]);
  }
}

template <typename T>
using StagedType = std::conditional_t<std::is_same_v<T, double>, float, T>;

template <typename T>
void UploadTyped(const Device& device, Lane& lane, const View<const T>& from, const DeviceView& to) {
  using Staged = StagedType<T>;
  const int64_t row_samples = int64_t{from.width} * from.channels;
  const int64_t row_bytes = row_samples * static_cast<int64_t>(sizeof(Staged));
  const int chunk_rows = RowsOfChunk(row_bytes, from.height);
  const int chunks = (from.height + chunk_rows - 1) / chunk_rows;
  std::atomic<int> next{0};
  OnThreads(device, row_bytes * from.height, chunks, [&](int thread) {
    int turn = 0;
    for (int chunk = next++; chunk < chunks; chunk = next++) {
      StagingSlot& slot = *lane.slots[static_cast<size_t>(thread * kSlotsOfThread + turn++ % kSlotsOfThread)];
      const int y = chunk * chunk_rows;
      const int rows = std::min(chunk_rows, from.height - y);
      auto* staged = reinterpret_cast<Staged*>(slot.Reserve(static_cast<size_t>(row_bytes * rows)));
      if (from.stride == row_samples) {
        CopySamples(from.Row(y), row_samples * rows, staged);
      } else {
        for (int row = 0; row < rows; ++row) CopySamples(from.Row(y + row), row_samples, staged + row * row_samples);
      }
      Check(cudaMemcpy2DAsync(static_cast<char*>(to.data) + y * to.pitch, static_cast<size_t>(to.pitch), staged,
                              static_cast<size_t>(row_bytes), static_cast<size_t>(row_bytes), static_cast<size_t>(rows),
                              cudaMemcpyHostToDevice, lane.stream),
            "upload");
      slot.Used(lane.stream);
    }
  });
}

/// `Staged` is what lies on the device, T what is wanted.
template <typename Staged, typename T>
void DownloadTyped(const Device& device, Lane& lane, const DeviceView& from, const Region& part, const View<T>& to,
                   const CancelToken& cancel) {
  const int64_t row_samples = int64_t{to.width} * to.channels;
  const int64_t row_bytes = row_samples * static_cast<int64_t>(sizeof(Staged));
  const int chunk_rows = RowsOfChunk(4 * row_bytes, to.height);  // smaller, so that host and device overlap sooner
  const int chunks = (to.height + chunk_rows - 1) / chunk_rows;
  const char* first = static_cast<const char*>(from.data) + (part.y - from.area.y) * from.pitch +
                      int64_t{part.x - from.area.x} * from.channels * static_cast<int64_t>(sizeof(Staged));
  std::atomic<int> next{0};
  OnThreads(device, row_bytes * to.height, chunks, [&](int thread) {
    struct Pending {
      StagingSlot* slot = nullptr;
      const Staged* samples = nullptr;
      int y = 0;
      int rows = 0;
    };
    Pending pending;
    int turn = 0;
    for (;;) {
      cancel.ThrowIfCancelled();
      Pending started;
      const int chunk = next++;
      if (chunk < chunks) {
        started.slot = lane.slots[static_cast<size_t>(thread * kSlotsOfThread + turn++ % kSlotsOfThread)].get();
        started.y = chunk * chunk_rows;
        started.rows = std::min(chunk_rows, to.height - started.y);
        std::byte* memory = started.slot->Reserve(static_cast<size_t>(row_bytes * started.rows));
        started.samples = reinterpret_cast<const Staged*>(memory);
        Check(cudaMemcpy2DAsync(memory, static_cast<size_t>(row_bytes), first + started.y * from.pitch,
                                static_cast<size_t>(from.pitch), static_cast<size_t>(row_bytes),
                                static_cast<size_t>(started.rows), cudaMemcpyDeviceToHost, lane.stream),
              "download");
        started.slot->Used(lane.stream);
      }
      if (pending.slot != nullptr) {
        pending.slot->Wait();
        for (int row = 0; row < pending.rows; ++row) {
          CopySamples(pending.samples + row * row_samples, row_samples, to.Row(pending.y + row));
        }
      }
      if (started.slot == nullptr) break;
      pending = started;
    }
  });
}

}  // namespace

SampleType DeviceType(SampleType type) { return type == SampleType::kF64 ? SampleType::kF32 : type; }

void UploadImage(const Device& device, Lane& lane, const Image& image, const DeviceView& to) {
  std::visit([&](const auto& view) { UploadTyped(device, lane, view, to); }, image.view());
}

void DownloadPart(const Device& device, Lane& lane, const DeviceView& from, const Region& part, const AnyView& to,
                  const CancelToken& cancel) {
  std::visit(
      [&](const auto& view) {
        using T = std::remove_pointer_t<decltype(view.data)>;
        if constexpr (std::is_same_v<T, double>) {
          if (from.type == SampleType::kF32) return DownloadTyped<float>(device, lane, from, part, view, cancel);
        }
        DownloadTyped<T>(device, lane, from, part, view, cancel);
      },
      to);
}

}  // namespace convolve::cuda
