// mmap or VirtualAlloc, with huge pages where the block is large enough to gain from them.
#include "engine/pages.h"

#include <cstdint>

#if defined(_WIN32)
#include <windows.h>
#else
#include <sys/mman.h>
#endif

namespace convolve {
namespace {

constexpr size_t kHugePage = size_t{2} << 20;     // bytes; x86-64 and most arm64 systems
constexpr size_t kHugePagesFrom = 4 * kHugePage;  // smaller blocks gain little and would waste up to a page
constexpr size_t kLargestBlock = std::numeric_limits<size_t>::max() / 2;

#if !defined(_WIN32)

constexpr size_t RoundUp(size_t bytes, size_t step) { return (bytes + step - 1) / step * step; }

/// What is mapped for `bytes`: whole huge pages where they are used, otherwise the system rounds to its page by itself.
constexpr size_t MappedBytes(size_t bytes) { return bytes >= kHugePagesFrom ? RoundUp(bytes, kHugePage) : bytes; }

std::byte* Map(size_t bytes) {
  void* const mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return mapped == MAP_FAILED ? nullptr : static_cast<std::byte*>(mapped);
}

/// A mapping that starts at a huge page: one huge page too much is mapped, and what lies around it given back.
std::byte* MapHuge(size_t bytes) {
  std::byte* const mapped = Map(bytes + kHugePage);
  if (mapped == nullptr) return nullptr;
  const size_t before = RoundUp(reinterpret_cast<uintptr_t>(mapped), kHugePage) - reinterpret_cast<uintptr_t>(mapped);
  if (before > 0) munmap(mapped, before);
  if (before < kHugePage) munmap(mapped + before + bytes, kHugePage - before);
#if defined(MADV_HUGEPAGE)
  // Only advice: where the system has no huge pages nothing changes.
  madvise(mapped + before, bytes, MADV_HUGEPAGE);
#endif
  return mapped + before;
}

#endif

}  // namespace

std::byte* AllocatePages(size_t bytes) noexcept {
  if (bytes == 0 || bytes > kLargestBlock) return nullptr;
#if defined(_WIN32)
  return static_cast<std::byte*>(VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE));
#else
  return bytes >= kHugePagesFrom ? MapHuge(MappedBytes(bytes)) : Map(bytes);
#endif
}

void FreePages(std::byte* pages, [[maybe_unused]] size_t bytes) noexcept {
  if (pages == nullptr) return;
#if defined(_WIN32)
  VirtualFree(pages, 0, MEM_RELEASE);
#else
  munmap(pages, MappedBytes(bytes));
#endif
}

}  // namespace convolve
