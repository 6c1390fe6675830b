// Boxes and gradients. Everything is computed in double from absolute positions.
#include "engine/mask_coverage.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "engine/mask_brush.h"

namespace convolve {
namespace {

struct Point {
  double x = 0;
  double y = 0;
};

double Cross(Point a, Point b) { return a.x * b.y - a.y * b.x; }
double Dot(Point a, Point b) { return a.x * b.x + a.y * b.y; }

/// The picture in a box's own axes, in which the box reaches from -1 to 1 on both.
struct BoxAxes {
  explicit BoxAxes(const MaskBox& box) : centre{box.x, box.y} {
    const double turn = box.angle * std::numbers::pi / 180;
    const double half_width = box.width / 2;
    const double half_height = box.height / 2;
    const double cosine = std::cos(turn);
    const double sine = std::sin(turn);
    across = {cosine / half_width, sine / half_height};
    along = {-sine / half_width, cosine / half_height};
    reach_x = std::abs(half_width * cosine) + std::abs(half_height * sine);
    reach_y = std::abs(half_width * sine) + std::abs(half_height * cosine);
  }

  Point Of(double x, double y) const {
    const double dx = x - centre.x;
    const double dy = y - centre.y;
    return {dx * across.x + dy * along.x, dx * across.y + dy * along.y};
  }

  Point centre;
  Point across;  // what one pixel to the right is in the box's axes
  Point along;   // what one pixel down is
  double reach_x;
  double reach_y;
};

/// The columns that may be touched by what lies within `reach` of `centre`.
MaskSpan Columns(const MaskRows& rows, double centre, double reach) {
  const double begin = std::floor(centre - reach) - rows.left;
  const double end = std::ceil(centre + reach) - rows.left;
  const double width = rows.width;
  return {static_cast<int>(std::clamp(begin, 0.0, width)), static_cast<int>(std::clamp(end, 0.0, width))};
}

/// A pixel as a parallelogram in a box's axes.
using Quad = std::array<Point, 4>;

Quad QuadAround(Point middle, const BoxAxes& axes) {
  const Point a{(axes.across.x + axes.along.x) / 2, (axes.across.y + axes.along.y) / 2};
  const Point b{(axes.across.x - axes.along.x) / 2, (axes.across.y - axes.along.y) / 2};
  return {{{middle.x - a.x, middle.y - a.y},
           {middle.x + b.x, middle.y + b.y},
           {middle.x + a.x, middle.y + a.y},
           {middle.x - b.x, middle.y - b.y}}};
}

/// A convex polygon of at most 8 corners: a parallelogram clipped by four lines.
struct Polygon {
  std::array<Point, 8> corners;
  int count = 0;
};

/// What of the polygon lies where sign * coordinate <= 1.
Polygon Clip(const Polygon& polygon, double Point::*coordinate, double sign) {
  Polygon kept;
  for (int i = 0; i < polygon.count; ++i) {
    const Point a = polygon.corners[static_cast<size_t>(i)];
    const Point b = polygon.corners[static_cast<size_t>((i + 1) % polygon.count)];
    const double out_a = sign * (a.*coordinate) - 1;
    const double out_b = sign * (b.*coordinate) - 1;
    if (out_a <= 0) kept.corners[static_cast<size_t>(kept.count++)] = a;
    if ((out_a < 0 && out_b > 0) || (out_a > 0 && out_b < 0)) {
      const double t = out_a / (out_a - out_b);
      kept.corners[static_cast<size_t>(kept.count++)] = {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
    }
    if (kept.count >= 7) break;  // a parallelogram and four lines leave no more
  }
  return kept;
}

double AreaInSquare(const Quad& quad) {
  Polygon polygon;
  for (const Point corner : quad) polygon.corners[static_cast<size_t>(polygon.count++)] = corner;
  polygon = Clip(polygon, &Point::x, 1);
  polygon = Clip(polygon, &Point::x, -1);
  polygon = Clip(polygon, &Point::y, 1);
  polygon = Clip(polygon, &Point::y, -1);
  double twice = 0;
  for (int i = 0; i < polygon.count; ++i) {
    twice +=
        Cross(polygon.corners[static_cast<size_t>(i)], polygon.corners[static_cast<size_t>((i + 1) % polygon.count)]);
  }
  return std::abs(twice) / 2;
}

double Sector(Point a, Point b) { return std::atan2(Cross(a, b), Dot(a, b)) / 2; }

/// Signed area that the unit disc shares with the triangle of its centre and the side from a to b.
double AreaInDisc(Point a, Point b) {
  const Point side{b.x - a.x, b.y - a.y};
  const double square = Dot(side, side);
  const double towards = Dot(a, side);
  const double root = towards * towards - square * (Dot(a, a) - 1);
  if (root <= 0) return Sector(a, b);
  const double enters = (-towards - std::sqrt(root)) / square;
  const double leaves = (-towards + std::sqrt(root)) / square;
  if (leaves <= 0 || enters >= 1) return Sector(a, b);
  const auto at = [&](double t) { return Point{a.x + t * side.x, a.y + t * side.y}; };
  const Point p = enters > 0 ? at(enters) : a;
  const Point q = leaves < 1 ? at(leaves) : b;
  return Cross(p, q) / 2 + (enters > 0 ? Sector(a, p) : 0) + (leaves < 1 ? Sector(q, b) : 0);
}

double AreaInDisc(const Quad& quad) {
  double area = 0;
  for (size_t i = 0; i < quad.size(); ++i) area += AreaInDisc(quad[i], quad[(i + 1) % quad.size()]);
  return std::abs(area);
}

CoverRow NoRows() {
  return [](int, float*) { return MaskSpan{}; };
}

/// A row of a box's pixels: `cover` maps the pixel's middle in the box's axes to its coverage.
template <typename Cover>
CoverRow BoxRows(const BoxAxes& axes, const MaskRows& rows, const Cover& cover) {
  const MaskSpan columns = Columns(rows, axes.centre.x, axes.reach_x);
  return [=](int y, float* row) {
    if (y + 1 <= axes.centre.y - axes.reach_y || y >= axes.centre.y + axes.reach_y) return MaskSpan{};
    const double middle = y + 0.5;
    for (int i = columns.begin; i < columns.end; ++i) {
      row[i] = static_cast<float>(cover(axes.Of(rows.left + i + 0.5, middle)));
    }
    return columns;
  };
}

/// The longest way from a pixel's middle to its corner, in a box's axes.
double CornerReach(const BoxAxes& axes) {
  return std::max(std::hypot(axes.across.x + axes.along.x, axes.across.y + axes.along.y),
                  std::hypot(axes.across.x - axes.along.x, axes.across.y - axes.along.y)) /
         2;
}

double PixelArea(const BoxAxes& axes) { return std::abs(Cross(axes.across, axes.along)); }

bool IsEmpty(const MaskBox& box) { return box.width <= 0 || box.height <= 0; }

CoverRow RowsOf(const MaskRectangle& box, const MaskRows& rows) {
  if (IsEmpty(box)) return NoRows();
  const BoxAxes axes(box);
  const double reach_x = (std::abs(axes.across.x) + std::abs(axes.along.x)) / 2;
  const double reach_y = (std::abs(axes.across.y) + std::abs(axes.along.y)) / 2;
  return BoxRows(axes, rows, [=, pixel = PixelArea(axes)](Point at) {
    const double x = std::abs(at.x);
    const double y = std::abs(at.y);
    if (x >= 1 + reach_x || y >= 1 + reach_y) return 0.0;
    if (x <= 1 - reach_x && y <= 1 - reach_y) return 1.0;
    return std::min(1.0, AreaInSquare(QuadAround(at, axes)) / pixel);
  });
}

CoverRow RowsOf(const MaskEllipse& box, const MaskRows& rows) {
  if (IsEmpty(box)) return NoRows();
  const BoxAxes axes(box);
  return BoxRows(axes, rows, [axes, reach = CornerReach(axes), pixel = PixelArea(axes)](Point at) {
    const double square = Dot(at, at);
    if (square >= (1 + reach) * (1 + reach)) return 0.0;
    if (reach < 1 && square <= (1 - reach) * (1 - reach)) return 1.0;
    return std::min(1.0, AreaInDisc(QuadAround(at, axes)) / pixel);
  });
}

/// The integral of t held to 0...1, from far below to t.
double RampIntegral(double t) { return t <= 0 ? 0 : t < 1 ? t * t / 2 : t - 0.5; }

/// The mean of t held to 0...1 over a pixel in which t changes by `step`.
double MeanRamp(double t, double step) {
  const double half = step / 2;
  if (t - half >= 0 && t + half <= 1) return t;
  if (t + half <= 0) return 0;
  if (t - half >= 1) return 1;
  return (RampIntegral(t + half) - RampIntegral(t - half)) / step;
}

CoverRow RowsOf(const MaskLinear& shape, const MaskRows& rows) {
  const Point back{shape.from_x - shape.to_x, shape.from_y - shape.to_y};
  const double square = Dot(back, back);
  if (square <= 0) return NoRows();
  const double step = 1 / std::sqrt(square);
  return [=](int y, float* row) {
    const double down = (y + 0.5 - shape.to_y) * back.y;
    for (int i = 0; i < rows.width; ++i) {
      const double t = ((rows.left + i + 0.5 - shape.to_x) * back.x + down) / square;
      row[i] = static_cast<float>(MeanRamp(t, step));
    }
    return MaskSpan{0, rows.width};
  };
}

CoverRow RowsOf(const MaskRadial& shape, const MaskRows& rows) {
  if (IsEmpty(shape)) return NoRows();
  const BoxAxes axes(shape);
  // Narrower than any pixel: a hard edge.
  const double width = std::max(1 - shape.inner, 1e-9);
  const double reach = CornerReach(axes);
  return BoxRows(axes, rows, [=](Point at) {
    const double distance = std::sqrt(Dot(at, at));
    if (distance >= 1 + reach) return 0.0;
    if (distance + reach <= 1 - width) return 1.0;
    const double t = (1 - distance) / width;
    // Wholly on the slope, the middle is the mean.
    if (distance + reach <= 1 && distance - reach >= 1 - width) return t;
    if (distance <= 0) return std::min(t, 1.0);
    // How much the distance changes from one pixel to the next, straight outwards.
    const double step = std::hypot(Dot(at, axes.across), Dot(at, axes.along)) / distance;
    return MeanRamp(t, step / width);
  });
}

CoverRow RowsOf(const MaskBrush& shape, const MaskRows& rows) { return BrushRows(shape, rows); }

}  // namespace

CoverRow CoverageOf(const MaskShape& shape, const MaskRows& rows) {
  return std::visit([&](const auto& geometry) { return RowsOf(geometry, rows); }, shape.geometry);
}

}  // namespace convolve
