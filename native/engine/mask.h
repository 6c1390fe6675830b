// A mask as plain data; core/mask.ts is the same in TypeScript, and says what each number means. Positions are pixels
// of the upright picture: (0, 0) is its corner, pixel (i, j) reaches from (i, j) to (i + 1, j + 1), y points down.
#pragma once

#include <optional>
#include <variant>
#include <vector>

namespace convolve {

/// How a shape's coverage s meets the coverage m before it: m + s - m s, m (1 - s), or m s.
enum class MaskCombination { kAdd, kSubtract, kIntersect };

/// Centre, sides before it is turned, and the angle in degrees counter-clockwise.
struct MaskBox {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
  double angle = 0;
};

struct MaskRectangle : MaskBox {};
struct MaskEllipse : MaskBox {};

/// Full at `from` and behind it, nothing at `to` and beyond.
struct MaskLinear {
  double from_x = 0;
  double from_y = 0;
  double to_x = 0;
  double to_y = 0;
};

/// Full to the share `inner` of the way from the centre to the ellipse, nothing there and beyond.
struct MaskRadial : MaskBox {
  double inner = 0;
};

/// `size` is the diameter; hardness, flow 0...1; `points` are x, y of each point of the path, one after another.
struct MaskStroke {
  double size = 1;
  double hardness = 1;
  double flow = 1;
  bool erases = false;
  std::vector<double> points;
};

struct MaskBrush {
  std::vector<MaskStroke> strokes;
};

struct MaskShape {
  MaskCombination combine = MaskCombination::kAdd;
  std::variant<MaskRectangle, MaskEllipse, MaskLinear, MaskRadial, MaskBrush> geometry;
};

/// Shares of full scale; full from `low` to `high`, nothing `softness` beyond. 0 and 1 are open ends.
struct MaskLuminance {
  double low = 0;
  double high = 1;
  double softness = 0;
};

/// Feather is no part of it: that is a convolution, which a plan does.
struct Mask {
  std::vector<MaskShape> shapes;
  std::optional<MaskLuminance> luminance;
  bool inverted = false;
};

}  // namespace convolve
