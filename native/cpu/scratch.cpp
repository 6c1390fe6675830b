// Buffers in pages of the operating system, handed out smallest fitting first.
#include "cpu/scratch.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <string>
#include <utility>

#include "engine/error.h"
#include "engine/pages.h"

namespace convolve::cpu {
namespace {

/// Buffers grow in steps of this size: one for the next, slightly different plan then often fits already.
constexpr size_t kStep = size_t{1} << 20;
/// What is held for runs to come gives way to what a run needs now, beyond this much of both.
constexpr size_t kMostHeld = size_t{64} << 20;

/// A small buffer is not taken out of a large one, which would then be missing where it is needed.
bool Suits(size_t has, size_t wanted) { return has >= wanted && has <= 4 * wanted + 4 * kStep; }

}  // namespace

ScratchPool::Buffer::Buffer(size_t bytes) : bytes_((std::max<size_t>(bytes, 1) + kStep - 1) / kStep * kStep) {
  // All zero at first: vectors read past the last sample of a row, and what they find there is always a number.
  data_ = AllocatePages(bytes_);
  if (data_ == nullptr) throw std::bad_alloc();
}

ScratchPool::Buffer::Buffer(Buffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

ScratchPool::Buffer& ScratchPool::Buffer::operator=(Buffer&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

ScratchPool::Buffer::~Buffer() { FreePages(data_, bytes_); }

ScratchPool::Lease::~Lease() {
  if (!buffers_.empty()) pool_->Return(buffers_);  // a lease that was moved from has none
}

ScratchPool::Lease ScratchPool::Borrow(size_t count, size_t bytes) {
  std::vector<Buffer> lent;
  lent.reserve(count);
  {
    const std::lock_guard lock(mutex_);
    while (lent.size() < count) {
      // Sorted by size: the first that fits is the smallest that fits.
      const auto fits =
          std::find_if(free_.begin(), free_.end(), [&](const Buffer& b) { return Suits(b.bytes(), bytes); });
      if (fits == free_.end()) break;
      lent.push_back(std::move(*fits));
      free_.erase(fits);
    }
    // Others make room for those to come, the largest where there would be too much.
    const size_t missing = count - lent.size();
    for (size_t i = 0; i < missing && !free_.empty() && free_.front().bytes() < bytes; ++i) Drop(free_.begin());
    while (missing > 0 && !free_.empty() && statistics_.bytes + missing * (bytes + kStep) > kMostHeld) {
      Drop(std::prev(free_.end()));
    }
  }
  Lease lease(*this, std::move(lent));
  try {
    while (lease.buffers_.size() < count) {
      lease.buffers_.push_back(Buffer(bytes));
      const std::lock_guard lock(mutex_);
      ++statistics_.allocations;
      statistics_.bytes += lease.buffers_.back().bytes();
      statistics_.peak_bytes = std::max(statistics_.peak_bytes, statistics_.bytes);
    }
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::kOutOfMemory, "scratch",
                std::to_string(bytes) + " bytes for each of " + std::to_string(count) + " threads");
  }
  return lease;
}

/// Frees a buffer that is not lent. Needs the mutex.
void ScratchPool::Drop(std::vector<Buffer>::iterator buffer) {
  statistics_.bytes -= buffer->bytes();
  free_.erase(buffer);
}

void ScratchPool::Return(std::vector<Buffer>& buffers) {
  const std::lock_guard lock(mutex_);
  for (Buffer& buffer : buffers) {
    try {
      free_.push_back(std::move(buffer));
    } catch (const std::bad_alloc&) {
      statistics_.bytes -= buffer.bytes();  // not kept, freed with `buffers`
    }
  }
  std::sort(free_.begin(), free_.end(), [](const Buffer& a, const Buffer& b) { return a.bytes() < b.bytes(); });
  while (free_.size() > kept_) Drop(free_.begin());
}

ScratchStatistics ScratchPool::statistics() const {
  const std::lock_guard lock(mutex_);
  return statistics_;
}

}  // namespace convolve::cpu
