// The speed that was set out for: how many times as fast as the peers each row shall be, on all threads.
#pragma once

#include <optional>
#include <string>

namespace convolve::bench {

struct Goal {
  std::optional<double> exact;  // OpenCV at its best
  std::optional<double> quick;  // libvips' integer path
};

/// Of the format and row by their names. Rows without a goal of their own shall not be below kLeast.
Goal GoalOf(const std::string& format, const std::string& row);

/// No row of any format below this many times the best peer.
inline constexpr double kLeast = 1.2;
/// Geometric mean over the exact peer.
std::optional<double> MeanGoalOf(const std::string& format);

}  // namespace convolve::bench
