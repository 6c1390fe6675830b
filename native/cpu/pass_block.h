// One pass over one block of its result: rows stream through a ring that holds as many input rows as the kernel is
// tall, four result rows at a time, and each finished row goes to a sink.
#pragma once

#include <cstddef>
#include <limits>

#include "cpu/kernels.h"
#include "cpu/own_rows.h"
#include "cpu/prepared_plan.h"
#include "cpu/row_source.h"
#include "cpu/scratch.h"
#include "engine/backend.h"
#include "engine/view.h"

namespace convolve::cpu {

/// Where rows of a block may be written at once.
struct RowPlace {
  std::byte* data = nullptr;  // the block's first sample
  ptrdiff_t row_bytes = 0;
  bool stream = false;  // larger than the caches
  bool padded = false;  // rows may be written kRowSlackBytes too far
};

/// Takes the finished rows of a block, from the first to the last.
template <typename T>
class RowSink {
 public:
  virtual ~RowSink() = default;
  /// A place for all rows, as samples of this type (nothing else has to be done with them then); no data: use Put.
  virtual RowPlace Place(SampleType /*type*/) { return {}; }
  /// Row `y`, rounded already to samples of the type that the sink stores.
  virtual void PutStored(int y, const std::byte* row) = 0;
  /// Row `y` of the block; it may be changed, and is only valid during the call.
  virtual void Put(int y, T* row) = 0;
};

/// Running sums of a box down the columns of a strip, which outlive a block so that the one below it goes on with them.
struct RunningSums {
  static constexpr int kNoRow = std::numeric_limits<int>::min();
  std::byte* sums = nullptr;  // null: none are kept
  int next_row = kNoRow;      // of the result, that they are the sums for
  BoxSum kind = BoxSum::kDouble;
  bool loaded = false;  // of rows that were loaded: border and all, where others have the columns of the picture
};

/// Takes (or, with a counting carver, counts) the scratch memory of a block of at most this size.
template <typename T>
struct BlockBuffers {
  BlockBuffers(Carver& carver, const PreparedPass<T>& pass, int channels, int width, int height);

  size_t input_stride = 0;   // samples from one ring row of input to the next
  size_t output_stride = 0;  // and of sums
  size_t ring_rows = 0;
  T* input = nullptr;   // ring of input rows with halo
  T* output = nullptr;  // kRowsAtOnce rows
  T* other = nullptr;   // the second kernel of a magnitude
  T* lost = nullptr;    // compensation
  const T** window = nullptr;
  AxisRun* runs = nullptr;
  int* places = nullptr;
  OwnBuffers<T> own;
};

/// Scratch bytes of a block of at most this size that is computed row by row, and of any block.
template <typename T>
size_t RowsBlockBytes(const PreparedPass<T>& pass, int channels, int width, int height);
template <typename T>
size_t PassBlockBytes(const PreparedPass<T>& pass, int channels, int width, int height);

/// As RunPassBlock, always by summing rows.
template <typename T>
void RunRowsBlock(const Kernels<T>& kernels, const PreparedPlan<T>& plan, const PreparedPass<T>& pass,
                  const Pixels& pixels, const Region& block, Carver& carver, RowSink<T>& sink,
                  const CancelToken& cancel);

/// Computes `block` (in pixels of the pass's result) from pixels that hold everything it needs. Looks at `cancel` at
/// least every kRowsAtOnce rows. `running`: of the blocks of these columns.
template <typename T>
void RunPassBlock(const Kernels<T>& kernels, const PreparedPlan<T>& plan, const PreparedPass<T>& pass,
                  const Pixels& pixels, const Region& block, Carver& carver, RowSink<T>& sink,
                  const CancelToken& cancel, RunningSums* running = nullptr);

}  // namespace convolve::cpu
