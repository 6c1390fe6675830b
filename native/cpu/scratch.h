// Scratch memory that is kept from run to run: the first touch of fresh pages is slower than any filter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace convolve::cpu {

/// Cuts one buffer into 64-byte-aligned arrays. Without a buffer it only counts, so that the same code says first how
/// much it needs and then takes it.
class Carver {
 public:
  explicit Carver(std::byte* buffer = nullptr) : buffer_(buffer) {}

  template <typename T>
  T* Take(size_t count) {
    T* taken = buffer_ == nullptr ? nullptr : reinterpret_cast<T*>(buffer_ + used_);
    used_ += (count * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
    return taken;
  }

  size_t used() const { return used_; }
  /// Lets later arrays overlay everything taken after `used` was read.
  void Rewind(size_t used) { used_ = used; }

 private:
  static constexpr size_t kAlignment = 64;  // a cache line, an AVX-512 register
  std::byte* buffer_;
  size_t used_ = 0;
};

/// What a pool has done so far, for tests and for stating the peak.
struct ScratchStatistics {
  uint64_t allocations = 0;
  size_t bytes = 0;       // held now, lent or free
  size_t peak_bytes = 0;  // most ever held
};

class ScratchPool {
 public:
  class Buffer {
   public:
    Buffer() = default;
    Buffer(Buffer&& other) noexcept;
    Buffer& operator=(Buffer&& other) noexcept;
    ~Buffer();

    std::byte* data() const { return data_; }
    size_t bytes() const { return bytes_; }

   private:
    friend class ScratchPool;
    explicit Buffer(size_t bytes);  // throws std::bad_alloc
    std::byte* data_ = nullptr;
    size_t bytes_ = 0;
  };

  /// Buffers on loan; they go back to the pool when the lease ends.
  class Lease {
   public:
    Lease(ScratchPool& pool, std::vector<Buffer> buffers) : pool_(&pool), buffers_(std::move(buffers)) {}
    Lease(Lease&&) = default;
    Lease& operator=(Lease&&) = delete;
    ~Lease();
    std::byte* data(size_t index) const { return buffers_[index].data(); }

   private:
    friend class ScratchPool;
    ScratchPool* pool_;
    std::vector<Buffer> buffers_;
  };

  /// At most `kept` free buffers stay in the pool.
  explicit ScratchPool(size_t kept) : kept_(kept) {}

  /// `count` buffers of at least `bytes` bytes each, their contents left over from earlier use (zero at first).
  /// Throws Error kOutOfMemory.
  Lease Borrow(size_t count, size_t bytes);

  ScratchStatistics statistics() const;

 private:
  void Return(std::vector<Buffer>& buffers);
  void Drop(std::vector<Buffer>::iterator buffer);

  const size_t kept_;
  mutable std::mutex mutex_;
  std::vector<Buffer> free_;
  ScratchStatistics statistics_;
};

}  // namespace convolve::cpu
