// The window rows of a block of bytes: where they lie, if the picture goes on far enough around them, or copied with
// what the border puts there into a ring that stays in the caches. Whatever is summed then reads whole rows, and may
// read behind their ends.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/axis.h"
#include "cpu/kernels.h"
#include "cpu/prepared_plan.h"
#include "cpu/row_source.h"
#include "cpu/scratch.h"
#include "engine/view.h"

namespace convolve::cpu {

template <typename T>
class ByteRing {
 public:
  /// Takes (or, with a counting carver, counts) the memory of `rows` rows for blocks of at most this size, `beyond`
  /// bytes behind the end of each.
  ByteRing(Carver& carver, const PreparedPass<T>& pass, int channels, int width, int height, size_t rows,
           size_t beyond);

  /// Before the first rows of a block.
  void Begin(const PreparedPass<T>& pass, const PreparedPlan<T>& plan, const Pixels& pixels, const Region& block);
  /// The `count` window rows from `first` on, which must not be before those of the call before; rows behind the
  /// window's last one are that one again. At most the ring's rows.
  void Find(int first, size_t count, const uint8_t** rows);
  /// A window row where it lies, or null where it will be copied, or there is none.
  const uint8_t* Ahead(int row) const { return row < window_rows_ && InPlace(row) ? At(row) : nullptr; }

 private:
  bool InPlace(int row) const { return in_place_ && places_[row] >= 0; }
  const uint8_t* At(int row) const;
  uint8_t* Row(int row) const { return ring_ + static_cast<size_t>(row) % rows_ * stride_; }
  void Copy(int row) const;
  void FillOutside(uint8_t* at, int pixels) const;

  size_t rows_;
  size_t beyond_;
  size_t stride_;
  uint8_t* ring_;
  AxisRun* runs_;
  int* places_;
  const PreparedPass<T>* pass_ = nullptr;
  const Pixels* pixels_ = nullptr;
  size_t channels_ = 0;
  bool alpha_ = false;
  int positions_ = 0;    // columns that the block reads
  int window_rows_ = 0;  // and rows
  size_t run_count_ = 0;
  bool in_place_ = false;  // rows that lie in the picture are read there
  int copied_ = 0;         // window rows so far
};

}  // namespace convolve::cpu
