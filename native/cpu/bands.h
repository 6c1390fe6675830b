// How a plan of several passes runs: in bands of result rows, and each pass in turn on the rows that a band needs of
// it. Rows that the next band needs too are kept, so that nothing is computed twice, and no more of a pass's result
// exists at a time than its reader looks at. Each thread goes through the bands of a strip of its own, whose kept rows
// stay in its second-level cache; where kernels reach too far for that, all threads share the bands of the whole
// region.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "cpu/axis.h"
#include "cpu/prepared_plan.h"
#include "cpu/tiling.h"
#include "engine/view.h"

namespace convolve::cpu {

/// A rectangle of a pass's result, and how the threads share it.
struct BandPiece {
  Region region;
  Tiling tiling;
};

/// What one band computes of one pass: rows that no band before it has left.
struct BandStep {
  size_t pass = 0;
  std::vector<BandPiece> pieces;
  IndexSet rows;     // of the result that are there afterwards
  bool ring = true;  // row r lies at place (r + KeptRows::shift) % KeptRows::ring; else they lie side by side
};

/// Where a pass's result is kept for the next pass.
struct KeptRows {
  IndexSet columns;
  size_t row_bytes = 0;
  int ring = 0;  // rows
  int shift = 0;
};

struct Bands {
  std::vector<KeptRows> kept;  // of every pass but the last
  std::vector<BandStep> steps;
  std::vector<size_t> running_bytes;  // of every pass: running sums that go on from band to band
  size_t kept_bytes = 0;              // of both
  size_t block_bytes = 0;             // of scratch for each worker
  size_t most_units = 0;              // of a step
};

/// The bands of a region (at level 0 of the plan's result) for threads that share them; 0: for one that goes through
/// them alone.
template <typename T>
Bands CutBands(const PreparedPlan<T>& plan, const Region& region, int level, int threads);

/// Cuts the region into strips for the threads, a unit each; nothing where they had better share its bands.
template <typename T>
std::optional<Tiling> CutStrips(const PreparedPlan<T>& plan, const Region& region, int level, int threads);

}  // namespace convolve::cpu
