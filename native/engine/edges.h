// Edges from a gradient: thinned to one pixel across (non-maximum suppression) and kept where they are strong or go on
// from a strong one (hysteresis). J. Canny, "A Computational Approach to Edge Detection", IEEE TPAMI 8(6), 1986; the
// comparisons are those of OpenCV's Canny, so that both find the same pixels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/backend.h"
#include "engine/pages.h"
#include "engine/view.h"

namespace convolve {

/// The length of a gradient: |x| + |y|, or sqrt(x^2 + y^2).
enum class GradientNorm { kL1, kL2 };

/// In the units of the gradient. Longer than `high` is an edge; longer than `low` is one where it touches an edge.
struct EdgeThresholds {
  double low = 0;
  double high = 0;
  GradientNorm norm = GradientNorm::kL2;
};

/// Finds the edges of one picture, whose gradient comes in rows from top to bottom.
///
/// Thinning: the gradient's direction is one of four, told apart by tan 22.5°. A pixel stays where its gradient is
/// longer than that of the neighbour above or to the left in that direction and at least as long as that of the one
/// below or to the right; on the two diagonals it has to be longer than both. Outside the picture the length is 0. Of
/// several channels each pixel takes the one with the longest gradient (the first of equals). What is not a number is
/// no edge.
///
/// Time is linear in pixels. Memory: one byte a pixel, 4 bytes for each edge pixel that waits to be followed, and a few
/// rows; nothing recurses.
class EdgeTracer {
 public:
  /// `colours`: the first channels that count. Throws Error kInvalidPlan unless 0 <= low <= high, both finite.
  EdgeTracer(int width, int height, int colours, const EdgeThresholds& thresholds);

  /// The gradient of the next rows: two views of one size, `width` wide, with at least `colours` channels.
  void AddRows(const View<const float>& x, const View<const float>& y, const CancelToken& cancel);

  /// Follows the edges; once, after all rows.
  void Trace(const CancelToken& cancel);

  /// Whether the pixel is an edge; after Trace.
  bool IsEdge(int x, int y) const { return map_[Index(x, y)] == kEdge; }

 private:
  enum : uint8_t { kNone = 0, kWeak = 1, kEdge = 2 };

  /// The map has a frame of one pixel that is never an edge, so that following one needs no look at the borders.
  size_t Index(int x, int y) const { return (static_cast<size_t>(y) + 1) * stride_ + static_cast<size_t>(x) + 1; }
  double* Lengths(int y) { return lengths_.data() + static_cast<size_t>((y + 3) % 3) * stride_; }
  float* Slopes(int y) { return slopes_.data() + static_cast<size_t>((y + 2) % 2) * 2 * static_cast<size_t>(width_); }
  void Measure(const float* x, const float* y, int channels);
  void Suppress(int y);

  int width_;
  int height_;
  int colours_;
  bool squared_;  // lengths are squares (L2)
  double low_;
  double high_;
  size_t stride_;
  int rows_ = 0;                                      // added so far
  std::vector<double> lengths_;                       // of three rows, each with a 0 at both ends
  std::vector<float> slopes_;                         // x and y of two rows
  std::vector<uint8_t, PageAllocator<uint8_t>> map_;  // kNone, kWeak or kEdge
  std::vector<uint32_t, PageAllocator<uint32_t>> waiting_;
};

}  // namespace convolve
