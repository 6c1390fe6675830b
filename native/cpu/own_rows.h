// The pixels themselves, of a second half (pair_lines.h): its input are the first half's sums, and what it looks at
// beside them lies before that one.
#pragma once

#include <cstddef>
#include <optional>

#include "cpu/axis.h"
#include "cpu/kernels.h"
#include "cpu/prepared_plan.h"
#include "cpu/row_source.h"
#include "cpu/scratch.h"
#include "engine/view.h"

namespace convolve::cpu {

/// Scratch of the rows of a block of at most this size; nothing for other passes.
template <typename T>
struct OwnBuffers {
  OwnBuffers(Carver& carver, const PreparedPass<T>& pass, int channels, int width, int height) {
    if (pass.own == nullptr || !pass.needs_input) return;
    row = carver.Take<T>(static_cast<size_t>(width) * static_cast<size_t>(channels) + kRowSlackBytes / sizeof(T));
    runs = carver.Take<AxisRun>(static_cast<size_t>(width));
    places = carver.Take<int>(static_cast<size_t>(height));
  }

  T* row = nullptr;
  AxisRun* runs = nullptr;
  int* places = nullptr;
};

template <typename T>
class OwnRows {
 public:
  OwnRows(const Kernels<T>& kernels, const PreparedPlan<T>& plan, const PreparedPass<T>& pass, const Pixels& pixels,
          const Region& block, const OwnBuffers<T>& buffers)
      : row_(buffers.row) {
    if (row_ == nullptr) return;
    const PreparedPass<T>& own = *pass.own;
    const size_t runs = MapPositions(block.x + own.across.offset, block.width, own.border, own.input_width,
                                     *pixels.own->columns, buffers.runs);
    source_.emplace(kernels, own, plan, *pixels.own, buffers.runs, runs,
                    MapRows(own, *pixels.own, block.y, block.height, buffers.places));
  }

  /// Whether this is where the pixels come from.
  bool has() const { return row_ != nullptr; }
  /// Row `y` of the block, in linear light and premultiplied where the pass asks for it.
  const T* Load(int y) const {
    source_->Load(y, row_);
    return row_;
  }

 private:
  T* row_;
  std::optional<RowSource<T>> source_;
};

}  // namespace convolve::cpu
