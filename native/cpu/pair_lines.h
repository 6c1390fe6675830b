// Long rows and columns of a separable pass are transformed instead of summed: it becomes two passes, the columns and
// then the rows, each of which is a transform along its own axis (FftAxes). The first leaves working values, a tile's
// rows of them at a time; what else a pass does to its pixels comes before the first and after the second.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "cpu/prepared_plan.h"
#include "engine/pass.h"

namespace convolve::cpu {

/// The halves of a pass; a side of one tap has none.
struct PairLines {
  std::optional<Pass> down;
  std::optional<Pass> across;
  double column_sum = 1;  // of the weights down
};

/// Bytes that rows between the halves of a pass may take in an image of so wide rows, beside what waits between the
/// filters of a stack and what threads work on.
double LineBytesOf(const std::vector<const Pass*>& steps, int width, size_t pixel_bytes);

/// The pass as transforms, where they take less than sums, or are asked for. It follows from plan and picture alone.
/// `direct`: the pass prepared to be summed.
template <typename T>
std::optional<PairLines> LinesOf(const Pass& pass, const PreparedPass<T>& direct, const PreparedPlan<T>& plan,
                                 const Purpose& purpose, bool last);

/// Makes the first half leave what it sums, and the second one read that.
template <typename T>
void JoinHalves(const PreparedPlan<T>& plan, double column_sum, PreparedPass<T>& down, PreparedPass<T>& across);

}  // namespace convolve::cpu
