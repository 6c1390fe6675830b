// Spectra of kernels, ready to be multiplied with the transforms of tiles, kept for the runs to come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/pages.h"

namespace convolve::cpu {

/// What a spectrum depends on.
struct SpectrumKey {
  int kernel_width = 0;
  int kernel_height = 0;
  std::vector<double> weights;  // row-major
  int width = 0;                // of the transform; 1 where it goes down only,
  int height = 0;               // or across only: of a kernel that is one column or row
  bool in_double = false;       // the type it is stored in
  int64_t target = 0;           // the instruction set, whose lanes order it

  friend bool operator==(const SpectrumKey&, const SpectrumKey&) = default;
};

/// For correlation, over the number of cells (the inverse transforms do not divide). Cells in the order in which the
/// steps across see them: groups of as many rows as a vector has lanes, in each a cell for every column. Of a transform
/// along one axis: a complex number for each place of that axis.
struct Spectrum {
  std::vector<std::byte, PageAllocator<std::byte>> bytes;

  template <typename F>
  const F* values() const {
    return reinterpret_cast<const F*>(bytes.data());
  }
};

/// Transforms the kernel, in float64 whatever it is stored in. Throws std::bad_alloc.
std::shared_ptr<const Spectrum> MakeSpectrum(const SpectrumKey& key);

/// The spectra used last, up to a number of bytes (the newest one is kept whatever its size).
class SpectrumCache {
 public:
  explicit SpectrumCache(size_t most_bytes) : most_bytes_(most_bytes) {}

  /// Looks it up or makes it. May be called by several threads at once.
  std::shared_ptr<const Spectrum> Find(const SpectrumKey& key);

  size_t bytes() const;
  uint64_t made() const;

 private:
  struct Entry {
    SpectrumKey key;
    std::shared_ptr<const Spectrum> spectrum;
  };
  static size_t BytesOf(const Entry& entry);

  const size_t most_bytes_;
  mutable std::mutex mutex_;
  std::list<Entry> entries_;  // the newest first
  size_t bytes_ = 0;
  uint64_t made_ = 0;
};

}  // namespace convolve::cpu
