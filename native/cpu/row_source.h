// Rows of a pass's input with their halo: loaded through the border, in linear light and premultiplied where the pass
// asks for it. Kernels behind it never see an edge.
#pragma once

#include <cstddef>
#include <vector>

#include "cpu/axis.h"
#include "cpu/kernels.h"
#include "cpu/prepared_plan.h"
#include "engine/view.h"

namespace convolve::cpu {

/// The pixels that exist of a pass's input: the picture itself, or a cut of an earlier pass's result.
struct Pixels {
  const std::byte* data = nullptr;
  ptrdiff_t row_bytes = 0;
  SampleType type = SampleType::kU8;
  const IndexSet* columns = nullptr;  // which columns of the input `data` holds side by side
  const IndexSet* rows = nullptr;     // and which rows
  int ring = 0;                       // row r lies at place (r + shift) % ring; 0: rows lie side by side too
  int shift = 0;
  ptrdiff_t term_bytes = 0;     // from the sums of one pair to those of the next (pair_terms.h)
  const Pixels* own = nullptr;  // for a second half (own_rows.h): what the first one reads
  bool endless = false;         // rows beyond the input's top and bottom are there too (HasEndlessRows)

  int PlaceOfRow(int row) const { return ring > 0 ? (row + shift) % ring : rows->Place(row); }
};

/// For each window row of a block of result rows y ... y + height - 1 the row of `pixels` that it is, -1 for outside;
/// writes height + window_height - 1 places and returns them.
template <typename T>
const int* MapRows(const PreparedPass<T>& pass, const Pixels& pixels, int y, int height, int* places);

template <typename T>
class RowSource {
 public:
  /// `runs` maps the row's positions to columns (MapPositions), `places` its rows to rows of `pixels`, -1 for outside.
  RowSource(const Kernels<T>& kernels, const PreparedPass<T>& pass, const PreparedPlan<T>& plan, const Pixels& pixels,
            const AxisRun* runs, size_t run_count, const int* places);

  /// Fills `row` with window row `j` of the block. Writes up to kRowSlackBytes more than the row has.
  void Load(int j, T* row) const;

 private:
  template <typename From>
  void LoadRuns(const From* from, T* row) const;
  void FillOutside(T* at, int pixels) const;

  const Kernels<T>& kernels_;
  const PreparedPass<T>& pass_;
  const Pixels& pixels_;
  const AxisRun* runs_;
  size_t run_count_;
  const int* places_;
  size_t channels_;
  size_t samples_;  // of a whole row
  bool alpha_;
  const double* light_table_;  // linear light of each code value, for integer pixels of a pass in linear light
};

}  // namespace convolve::cpu
