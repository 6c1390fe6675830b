// Pages: large blocks of memory straight from the operating system, for pixels. Inside Electron malloc and operator new
// are Chromium's: they end the process where memory is short, where a block has 2 GiB or more, or where more than 1 MiB
// of alignment is asked for. Pages fail with an error instead, and go back to the system as soon as they are freed.
#pragma once

#include <cstddef>
#include <limits>
#include <new>

namespace convolve {

/// At least `bytes` bytes (bytes >= 1), all zero, aligned to a page and, from a few huge pages on, to a huge page, for
/// which the system is asked. nullptr where there is no memory.
std::byte* AllocatePages(size_t bytes) noexcept;

/// `bytes` as they were asked for; nullptr is fine.
void FreePages(std::byte* pages, size_t bytes) noexcept;

/// Lets a standard container keep its elements in pages; throws std::bad_alloc.
template <typename T>
struct PageAllocator {
  using value_type = T;

  PageAllocator() = default;
  template <typename U>
  PageAllocator(const PageAllocator<U>&) {}

  T* allocate(size_t count) {
    if (count > std::numeric_limits<size_t>::max() / sizeof(T)) throw std::bad_alloc();
    std::byte* const pages = AllocatePages(count * sizeof(T));
    if (pages == nullptr) throw std::bad_alloc();
    return reinterpret_cast<T*>(pages);
  }
  void deallocate(T* elements, size_t count) noexcept {
    FreePages(reinterpret_cast<std::byte*>(elements), count * sizeof(T));
  }

  friend bool operator==(const PageAllocator&, const PageAllocator&) { return true; }
};

}  // namespace convolve
