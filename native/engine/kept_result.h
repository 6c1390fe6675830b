// KeptResult: what the first passes of a plan make of an image, computed as it is asked for and kept between runs, so
// that changing a later pass runs only that one and those behind it. Values are a backend's own, unrounded: a run from
// them gives the same bytes as a run from the image.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/backend.h"
#include "engine/image.h"
#include "engine/pass.h"
#include "engine/view.h"

namespace convolve {

/// Side of the squares, in pixels, in which a result is kept.
inline constexpr int kKeptSquare = 256;

class KeptResult {
 public:
  /// Takes no memory yet. Throws what ValidatePlan throws, and kInvalidPlan for a plan without passes.
  KeptResult(std::shared_ptr<const Image> image, Plan before);
  ~KeptResult();
  KeptResult(const KeptResult&) = delete;
  KeptResult& operator=(const KeptResult&) = delete;

  const std::shared_ptr<const Image>& image() const { return image_; }
  const Plan& before() const { return before_; }
  /// The whole plan that ends with these passes.
  Plan Followed(const Plan& by) const;
  int width() const { return size_.width; }
  int height() const { return size_.height; }

  /// Room for the whole result with this many bytes a sample, always the same; the system gives memory to what is
  /// written: how values are kept follows from the image and the passes. Throws kOutOfMemory, and kInternal for another
  /// number of bytes.
  std::byte* Samples(size_t bytes_per_sample);
  /// Bytes from row to row of Samples: whole cache lines, an odd number of them.
  size_t row_bytes() const { return row_bytes_; }

  /// Makes sure that all squares are there that these regions touch: calls `compute` for regions of the result that
  /// together are those which are not. Where it throws, its region stays missing. Any thread; one computes at a time.
  void Require(const std::vector<Region>& needed, const std::function<void(const Region&)>& compute);

 private:
  std::vector<Region> Missing(const std::vector<Region>& needed) const;

  const std::shared_ptr<const Image> image_;
  const Plan before_;
  const ResultSize size_;
  const int columns_;  // of squares
  const int rows_;
  std::mutex mutex_;
  std::vector<bool> there_;  // row after row of squares
  std::byte* samples_ = nullptr;
  size_t bytes_ = 0;
  size_t bytes_per_sample_ = 0;
  size_t row_bytes_ = 0;
};

}  // namespace convolve
