// How a plan of several passes runs: in bands of result rows, and each pass in turn on the rows that a band needs of
// it. Rows that the next band needs too are kept, so that nothing is computed twice, and no more of a pass's result
// exists at a time than its reader looks at.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "cpu/axis.h"
#include "cpu/band_rows.h"
#include "cpu/prepared_plan.h"
#include "cpu/scratch.h"
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
  IndexSet brought;  // of a carried pass: of its rows those that the band before it has carried,
  IndexSet carried;  // and those that are carried to the next one
};

/// Where a pass's result is kept for the next pass: in a ring of its own; or, carried, in a place that passes use in
/// turn, where only the few rows that the next band looks at too have a place of their own.
struct KeptRows {
  IndexSet columns;
  size_t row_bytes = 0;
  bool carries = false;
  int ring = 0;  // rows, here and below; of a carried pass those of the shared place
  int shift = 0;
  int carried = 0;
};

/// How high bands are, and which passes carry.
struct BandShape {
  int rows = 0;
  bool carries = false;  // those of which much fewer rows are carried than computed
};

struct BandBytes {
  size_t kept = 0;   // that last from step to step
  size_t block = 0;  // of scratch for each worker
};

/// The bands of a region (at level 0 of the plan's result) for threads that share them; 0: for one that goes through
/// them alone.
template <typename T>
class Bands {
 public:
  Bands(const PreparedPlan<T>& plan, const Region& region, int level, int threads, const BandShape& shape);

  const std::vector<KeptRows>& kept() const { return kept_; }                  // of every pass but the last
  const std::vector<size_t>& running_bytes() const { return running_bytes_; }  // of every pass: RunningSums
  bool endless_rows() const { return endless_rows_; }                          // HasEndlessRows
  size_t kept_bytes() const { return kept_bytes_; }                            // of all that lasts from step to step
  size_t block_bytes() const { return block_bytes_; }                          // of scratch for each worker
  BandBytes bytes() const { return {kept_bytes_, block_bytes_}; }
  size_t most_units() const { return most_units_; }  // of a step

  /// Calls run(steps) for each band in turn, with the steps of its passes from the first to the last.
  template <typename Run>
  void ForEach(const Run& run) const;

 private:
  template <typename Run>
  void Walk(const Run& run) const;
  void Keep();
  void Measure();
  void StepsOf(const BandRows<T>& rows, const std::vector<PassRows>* next, std::vector<BandStep>& steps) const;
  void AddKept(size_t pass, const PassRows& rows, const PassRows* next, bool read, std::vector<BandStep>& steps) const;
  void AddPiece(BandStep& step, const Region& region, int level) const;

  const PreparedPlan<T>* plan_;
  Region region_;
  int level_;
  int threads_;
  BandShape shape_;
  std::vector<IndexSet> columns_;             // of each pass
  bool carries_ = false;                      // any pass
  std::vector<std::vector<BandStep>> steps_;  // of every band, where that are few
  std::vector<KeptRows> kept_;
  std::vector<size_t> running_bytes_;
  bool endless_rows_ = false;
  size_t kept_bytes_ = 0;
  size_t block_bytes_ = 0;
  size_t most_units_ = 0;
};

/// The memory of the kept rows. With a counting carver it only counts.
struct KeptPlaces {
  KeptPlaces(Carver& carver, const std::vector<KeptRows>& kept, const std::vector<size_t>& running_bytes);

  std::vector<std::byte*> rows;     // of each kept pass
  std::vector<std::byte*> carried;  // null where the pass does not carry
  std::vector<std::byte*> running;  // null where there are none
};

/// What bands hold, found without going through them: right where they follow each other evenly, as they do in the
/// middle of a picture that is higher than they reach. Not of plans with transforms.
template <typename T>
BandBytes ExpectBandBytes(const PreparedPlan<T>& plan, const Region& region, int threads, const BandShape& shape);

/// The columns that every pass has to leave for these of the last one's result.
template <typename T>
std::vector<IndexSet> ColumnsOf(const PreparedPlan<T>& plan, IndexSet columns);

/// Bytes from row to row of what a pass keeps of so many pixels.
template <typename T>
size_t KeptRowBytes(const PreparedPass<T>& pass, int pixels, int channels);

template <typename T>
template <typename Run>
void Bands<T>::ForEach(const Run& run) const {
  if (steps_.empty()) return Walk(run);
  for (const std::vector<BandStep>& steps : steps_) run(steps);
}

template <typename T>
template <typename Run>
void Bands<T>::Walk(const Run& run) const {
  std::vector<BandStep> steps;
  if (plan_->passes.size() <= 1) {
    BandStep& step = steps.emplace_back();
    AddPiece(step, region_, level_);
    return run(steps);
  }
  // One band ahead, which says what is carried to it.
  const Interval result{region_.y, region_.y + region_.height};
  BandRows<T> now(*plan_, result, shape_.rows);
  std::optional<BandRows<T>> ahead;
  if (carries_) ahead.emplace(*plan_, result, shape_.rows);
  bool more = carries_ && ahead->Next();
  while (now.Next()) {
    more = more && ahead->Next();
    steps.clear();
    StepsOf(now, more ? &ahead->passes() : nullptr, steps);
    run(steps);
  }
}

}  // namespace convolve::cpu
