// Ours against theirs: a peer's least time over ours, and what counts as right.
#pragma once

#include <optional>
#include <string>

#include "trial.h"

namespace convolve::bench {

struct Ratios {
  double wall = 0;
  double quiet = 0;  // by CPU time over threads
};

/// The fastest of a family by the wall clock, or nullptr.
const PeerResult* Best(const RowResult& row, const std::string& family);

/// Nothing where the family did not run, or the path did not.
std::optional<Ratios> RatiosTo(const RowResult& row, const PathResult& path, const std::string& family, int threads);

/// The path that the app takes, or nullptr where it was not measured.
const PathResult* PlannedPath(const RowResult& row);

bool IsInteger(const std::string& format);

/// Integers within a level and exactly rounded in 99.9 % of samples, floating point within the tolerance.
bool IsRight(const std::string& format, const Exactness& exactness);

}  // namespace convolve::bench
