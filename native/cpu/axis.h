// One axis of a block: which indices of a pass's input it needs, and how the positions of a row with its halo map to
// them through the border.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/pass.h"

namespace convolve::cpu {

/// Indices begin ... end - 1.
struct Interval {
  int begin = 0;
  int end = 0;
};

/// Some indices of an axis, as disjoint intervals in rising order; stored side by side they are a compact axis.
class IndexSet {
 public:
  IndexSet() = default;
  IndexSet(int begin, int end) : intervals_{{begin, end}} {}
  /// Any intervals; overlapping and touching ones are merged.
  explicit IndexSet(std::vector<Interval> intervals);

  const std::vector<Interval>& intervals() const { return intervals_; }
  /// How many indices.
  int size() const;
  /// Place of an index on the compact axis; the index must be in the set.
  int Place(int index) const;
  /// Becomes `wanted`, with what the set has from its begin on where the two are intervals of which the second
  /// continues the first; returns the indices that are new.
  IndexSet Extend(const IndexSet& wanted);
  /// End of the interval that holds an index of the set.
  int End(int index) const;

 private:
  std::vector<Interval> intervals_;
};

/// The window of a pass on one axis: output index o reads input positions o + offset - before ... o + offset + after.
struct Window {
  int offset = 0;
  int before = 0;
  int after = 0;
};

/// The input indices (0 ... size - 1) that these outputs need. A wrapped border needs both ends of the axis, not what
/// lies between.
IndexSet NeededInput(const IndexSet& outputs, const Window& window, BorderKind border, int size);

/// `count` positions from `to` on lie at places `from`, `from` + `step`, ... of the compact axis; step is 1, 0 or -1.
/// `from` -1 (then step is 0): outside, where the border's constant applies.
struct AxisRun {
  int to = 0;
  int from = 0;
  int count = 0;
  int step = 0;
};

/// Maps positions first ... first + count - 1 of an axis of `size` indices, of which `present` exist. Writes at most
/// `count` runs and returns how many.
size_t MapPositions(int first, int count, BorderKind border, int size, const IndexSet& present, AxisRun* runs);

}  // namespace convolve::cpu
