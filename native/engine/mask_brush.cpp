// Distances to the lines of a path, row by row; only the lines that come near a row are looked at.
#include "engine/mask_brush.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

namespace convolve {
namespace {

/// A line of a path: points (x + t dx, y + t dy), t from 0 to 1.
struct Line {
  double x, y, dx, dy;
  double inverse_square;  // of its length; 0 for a point
  double top, bottom;     // of what the brush may touch
};

struct ReadyStroke {
  double radius, hardness, flow;
  double reach;  // to where the profile is 0
  bool erases;
  double top, bottom;
  std::vector<Line> lines;
};

/// The integral of the profile, without its average, from 0 to `distance`.
double ProfileIntegral(double distance, double inner, double radius) {
  if (distance <= inner) return distance;
  const double width = radius - inner;
  if (distance >= radius) return inner + width / 2;
  const double t = (distance - inner) / width;
  return inner + width * (t - t * t * t + t * t * t * t / 2);
}

ReadyStroke Ready(const MaskStroke& stroke, const MaskRows& rows) {
  ReadyStroke ready{stroke.size / 2, stroke.hardness, stroke.flow, stroke.size / 2 + 0.5, stroke.erases, 0, 0, {}};
  ready.top = std::numeric_limits<double>::infinity();
  ready.bottom = -ready.top;
  const std::vector<double>& points = stroke.points;
  const size_t count = points.size() / 2;
  for (size_t i = 0; i < count; ++i) {
    // The last point is a line to itself where it is the only one.
    const size_t next = std::min(i + 1, count - 1);
    if (next == i && count > 1) break;
    const double x = points[2 * i];
    const double y = points[2 * i + 1];
    const double dx = points[2 * next] - x;
    const double dy = points[2 * next + 1] - y;
    const double square = dx * dx + dy * dy;
    const Line line{x,
                    y,
                    dx,
                    dy,
                    square > 0 ? 1 / square : 0,
                    std::min(y, y + dy) - ready.reach,
                    std::max(y, y + dy) + ready.reach};
    if (line.bottom <= rows.top || line.top >= rows.bottom) continue;
    ready.top = std::min(ready.top, line.top);
    ready.bottom = std::max(ready.bottom, line.bottom);
    ready.lines.push_back(line);
  }
  return ready;
}

/// The columns of a row that may lie within `reach` of the line.
MaskSpan Columns(const Line& line, double reach, double middle, const MaskRows& rows) {
  double first = 0;
  double last = 1;
  if (line.dy != 0) {
    const double a = (middle - reach - line.y) / line.dy;
    const double b = (middle + reach - line.y) / line.dy;
    first = std::clamp(std::min(a, b), 0.0, 1.0);
    last = std::clamp(std::max(a, b), 0.0, 1.0);
  }
  const double from = line.x + first * line.dx;
  const double to = line.x + last * line.dx;
  const double width = rows.width;
  const double begin = std::floor(std::min(from, to) - reach) - rows.left;
  const double end = std::ceil(std::max(from, to) + reach) - rows.left;
  return {static_cast<int>(std::clamp(begin, 0.0, width)), static_cast<int>(std::clamp(end, 0.0, width))};
}

/// Lowers the squares of distances in a row to those of this line. In float, which is ample: pixels are compared with a
/// radius of at most 5000.
void Approach(const Line& line, double middle, int left, MaskSpan span, float* squares) {
  const auto dx = static_cast<float>(line.dx);
  const auto dy = static_cast<float>(line.dy);
  const auto along_y = static_cast<float>(middle - line.y);
  const auto scale = static_cast<float>(line.inverse_square);
  const double start = left + 0.5;
  for (int i = span.begin; i < span.end; ++i) {
    const auto px = static_cast<float>(start + i - line.x);
    float t = (px * dx + along_y * dy) * scale;
    t = t < 0 ? 0 : t;
    t = t > 1 ? 1 : t;
    const float ex = px - t * dx;
    const float ey = along_y - t * dy;
    const float square = ex * ex + ey * ey;
    squares[i] = square < squares[i] ? square : squares[i];
  }
}

class Brush {
 public:
  Brush(const MaskBrush& shape, const MaskRows& rows) : rows_(rows), squares_(static_cast<size_t>(rows.width)) {
    for (const MaskStroke& stroke : shape.strokes) {
      ReadyStroke ready = Ready(stroke, rows);
      if (!ready.lines.empty()) strokes_.push_back(std::move(ready));
    }
  }

  MaskSpan Cover(int y, float* row) {
    MaskSpan covered{rows_.width, 0};
    for (const ReadyStroke& stroke : strokes_) {
      const MaskSpan span = Distances(stroke, y);
      if (span.begin >= span.end) continue;
      if (stroke.erases && covered.begin >= covered.end) continue;
      if (!stroke.erases) Grow(covered, span, row);
      Lay(stroke, span, row, covered);
    }
    return covered.begin < covered.end ? covered : MaskSpan{};
  }

 private:
  /// Fills squares_ in the span that it answers.
  MaskSpan Distances(const ReadyStroke& stroke, int y) {
    MaskSpan touched{rows_.width, 0};
    if (y + 1 <= stroke.top || y >= stroke.bottom) return touched;
    const double middle = y + 0.5;
    spans_.clear();
    for (const Line& line : stroke.lines) {
      MaskSpan span{};
      if (middle > line.top && middle < line.bottom) span = Columns(line, stroke.reach, middle, rows_);
      spans_.push_back(span);
      if (span.begin >= span.end) continue;
      touched = {std::min(touched.begin, span.begin), std::max(touched.end, span.end)};
    }
    if (touched.begin >= touched.end) return touched;
    std::fill(squares_.begin() + touched.begin, squares_.begin() + touched.end, std::numeric_limits<float>::max());
    for (size_t i = 0; i < spans_.size(); ++i) {
      if (spans_[i].begin < spans_[i].end) {
        Approach(stroke.lines[i], middle, rows_.left, spans_[i], squares_.data());
      }
    }
    return touched;
  }

  /// Zeroes what the row newly holds.
  static void Grow(MaskSpan& covered, MaskSpan span, float* row) {
    if (covered.begin >= covered.end) {
      std::fill(row + span.begin, row + span.end, 0.0F);
      covered = span;
      return;
    }
    if (span.begin < covered.begin) std::fill(row + span.begin, row + covered.begin, 0.0F);
    if (span.end > covered.end) std::fill(row + covered.end, row + span.end, 0.0F);
    covered = {std::min(covered.begin, span.begin), std::max(covered.end, span.end)};
  }

  void Lay(const ReadyStroke& stroke, MaskSpan span, float* row, MaskSpan covered) {
    const auto outside = static_cast<float>(stroke.reach * stroke.reach);
    const double full = std::max(0.0, stroke.hardness * stroke.radius - 0.5);
    const auto inside = static_cast<float>(full * full);
    const auto flow = static_cast<float>(stroke.flow);
    const int begin = std::max(span.begin, covered.begin);
    const int end = std::min(span.end, covered.end);
    for (int i = begin; i < end; ++i) {
      const float square = squares_[static_cast<size_t>(i)];
      if (square >= outside) continue;
      const float value =
          square <= inside && full > 0
              ? flow
              : flow * static_cast<float>(StrokeProfile(std::sqrt(square), stroke.radius, stroke.hardness));
      row[i] = stroke.erases ? row[i] * (1 - value) : row[i] + value - row[i] * value;
    }
  }

  MaskRows rows_;
  std::vector<ReadyStroke> strokes_;
  std::vector<float> squares_;
  std::vector<MaskSpan> spans_;
};

}  // namespace

double StrokeProfile(double distance, double radius, double hardness) {
  const double inner = hardness * radius;
  const auto integral = [&](double at) { return at < 0 ? at : ProfileIntegral(at, inner, radius); };
  return std::clamp(integral(distance + 0.5) - integral(distance - 0.5), 0.0, 1.0);
}

CoverRow BrushRows(const MaskBrush& shape, const MaskRows& rows) {
  return [brush = std::make_shared<Brush>(shape, rows)](int y, float* row) { return brush->Cover(y, row); };
}

}  // namespace convolve
