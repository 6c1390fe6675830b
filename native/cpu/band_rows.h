// Which rows of each pass's result a band computes, and which are there afterwards for the pass behind it.
#pragma once

#include <cstdint>
#include <vector>

#include "cpu/axis.h"
#include "cpu/prepared_plan.h"

namespace convolve::cpu {

/// Of a pass's result in one band.
struct PassRows {
  IndexSet fresh;  // computed
  IndexSet there;  // kept for the next pass afterwards; of the last pass nothing
};

/// Goes through the bands of a region from top to bottom. Before the first rows of the result come bands of the passes
/// before the last one alone: each pass begins as soon as the rows that it reads are there, so that none is ever
/// further ahead of the next one than that one looks.
template <typename T>
class BandRows {
 public:
  /// `result`: the rows of the plan's result that are asked for. Bands end at multiples of `height`.
  BandRows(const PreparedPlan<T>& plan, const Interval& result, int height);

  /// Goes on to the next band; false behind the last one.
  bool Next();
  /// Rows of the plan's result that the band ends with; none at first.
  const Interval& band() const { return band_; }
  const std::vector<PassRows>& passes() const { return passes_; }
  bool endless() const { return endless_; }

 private:
  IndexSet Needed(size_t pass, const IndexSet& rows) const;
  IndexSet Whole(size_t pass, const IndexSet& rows) const;
  IndexSet Ahead(size_t pass) const;
  void FindBegins();
  void FindEnds();
  bool Finished(size_t pass) const;

  const PreparedPlan<T>& plan_;
  const Interval result_;
  const int height_;
  const bool endless_;
  int end_;  // of the band, before the region while only earlier passes run
  Interval band_;
  std::vector<PassRows> passes_;
  std::vector<int> begins_;  // the first row of each pass that is ever needed
  std::vector<int> ends_;    // and the end of the last one
  std::vector<int> aheads_;  // how many rows further than the last pass each one has to be
  std::vector<char> begun_;
  bool gradual_ = true;
};

/// Whether rows are counted on beyond the picture's top and bottom, as if it was repeated for ever: where all borders
/// wrap around and every pass computes each row from its neighbours alone, that spares keeping both ends of the
/// picture.
template <typename T>
bool HasEndlessRows(const PreparedPlan<T>& plan);

}  // namespace convolve::cpu
