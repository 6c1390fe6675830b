// Long rows and columns of a separable pass are transformed instead of summed: it becomes two passes, the columns and
// then the rows, each of which is a transform along its own axis (FftAxes). The first leaves working values, a tile's
// rows of them at a time; what else a pass does to its pixels comes before the first and after the second. Several
// pairs are summed where the second half ends (pair_terms.h).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "cpu/prepared_plan.h"
#include "engine/pass.h"

namespace convolve::cpu {

/// A pass that is a transform along one axis, or the halves of one of both: for each pair the columns, then the rows.
struct PairLines {
  std::optional<Pass> one;
  std::vector<Pass> down;
  std::vector<Pass> across;
  std::vector<double> column_sums;  // of the weights down
};

/// Shares out the bytes that rows between the halves of passes may take, beside what waits between the filters of a
/// stack and what threads work on. What a step gets follows from those before it and from whether it is the last one:
/// what it leaves may be kept and read by others (kept_result.h).
class LineBudget {
 public:
  /// `width`: of the image; `pixel_bytes`: of a pixel in working values.
  LineBudget(int width, size_t pixel_bytes) : width_(width), pixel_bytes_(static_cast<double>(pixel_bytes)) {}

  /// To be called for each step in turn.
  double Take(const Pass& step, bool last);

 private:
  static constexpr double kMostBytes = 46 << 20;
  double width_;
  double pixel_bytes_;
  double left_ = kMostBytes;
  bool first_ = true;
  bool unbounded_ = false;
};

/// The pass as transforms, where they take less than sums, or are asked for. It follows from plan and picture alone.
/// `direct`: the pass prepared to be summed.
template <typename T>
std::optional<PairLines> LinesOf(const Pass& pass, const PreparedPass<T>& direct, const PreparedPlan<T>& plan,
                                 const Purpose& purpose, bool last);

/// Of each pair its columns and rows, prepared: the halves. Makes the first leave what it sums, and the second read
/// that.
template <typename T>
struct Halves {
  PreparedPass<T> down;
  PreparedPass<T> across;
};
template <typename T>
Halves<T> JoinHalves(const PreparedPlan<T>& plan, const std::vector<double>& column_sums,
                     std::vector<PreparedPass<T>> down, std::vector<PreparedPass<T>> across);

}  // namespace convolve::cpu
