// Field by field, in the order of core/mask.ts. core/maskSchema.ts has said what is wrong before; these limits keep the
// arithmetic finite.
#include "addon/mask_parser.h"

#include <array>
#include <string>
#include <utility>

namespace convolve::addon {
namespace {

constexpr std::array<Named<MaskCombination>, 3> kCombinations{{{"add", MaskCombination::kAdd},
                                                               {"subtract", MaskCombination::kSubtract},
                                                               {"intersect", MaskCombination::kIntersect}}};

enum class ShapeKind { kRectangle, kEllipse, kLinear, kRadial, kBrush };
constexpr std::array<Named<ShapeKind>, 5> kShapeKinds{{{"rectangle", ShapeKind::kRectangle},
                                                       {"ellipse", ShapeKind::kEllipse},
                                                       {"linear", ShapeKind::kLinear},
                                                       {"radial", ShapeKind::kRadial},
                                                       {"brush", ShapeKind::kBrush}}};

/// Twice the longest side that an image may have.
constexpr double kLargest = 2 * 1048576;

double NumberIn(const Field& field, double least, double most) {
  const double number = field.FiniteNumber();
  if (number < least || number > most) {
    field.Refuse(std::to_string(static_cast<int>(least)) + " to " + std::to_string(static_cast<int>(most)));
  }
  return number;
}

double Place(const Field& field) { return NumberIn(field, -kLargest, kLargest); }
double Share(const Field& field) { return NumberIn(field, 0, 1); }

MaskBox ParseBox(const Field& field) {
  return {Place(field["x"]), Place(field["y"]), NumberIn(field["width"], 0, kLargest),
          NumberIn(field["height"], 0, kLargest), NumberIn(field["angle"], -360, 360)};
}

MaskStroke ParseStroke(const Field& field) {
  MaskStroke stroke;
  stroke.size = NumberIn(field["size"], 0, kLargest);
  stroke.hardness = Share(field["hardness"]);
  stroke.flow = Share(field["flow"]);
  stroke.erases = field["erases"].Boolean();
  const Field points = field["points"];
  if (!points.value().IsTypedArray()) points.Refuse("a Float64Array");
  const size_t count = points.value().As<Napi::TypedArray>().ElementLength();
  if (count == 0 || count % 2 != 0) points.Refuse("an x and a y for each point");
  stroke.points = points.FiniteNumbers(static_cast<int64_t>(count));
  for (const double value : stroke.points) {
    if (value < -kLargest || value > kLargest) points.Refuse("positions near the picture");
  }
  return stroke;
}

MaskShape ParseShape(const Field& field) {
  MaskShape shape;
  shape.combine = field["combine"].OneOf(kCombinations);
  switch (field["kind"].OneOf(kShapeKinds)) {
    case ShapeKind::kRectangle:
      shape.geometry = MaskRectangle{ParseBox(field)};
      break;
    case ShapeKind::kEllipse:
      shape.geometry = MaskEllipse{ParseBox(field)};
      break;
    case ShapeKind::kLinear:
      shape.geometry =
          MaskLinear{Place(field["fromX"]), Place(field["fromY"]), Place(field["toX"]), Place(field["toY"])};
      break;
    case ShapeKind::kRadial:
      shape.geometry = MaskRadial{ParseBox(field), Share(field["inner"])};
      break;
    case ShapeKind::kBrush: {
      MaskBrush brush;
      for (const Field& stroke : field["strokes"].Elements()) brush.strokes.push_back(ParseStroke(stroke));
      shape.geometry = std::move(brush);
      break;
    }
  }
  return shape;
}

}  // namespace

Mask ParseMask(const Field& field) {
  Mask mask;
  for (const Field& shape : field["shapes"].Elements()) mask.shapes.push_back(ParseShape(shape));
  const Field luminance = field["luminance"];
  if (!luminance.absent()) {
    mask.luminance = MaskLuminance{Share(luminance["low"]), Share(luminance["high"]), Share(luminance["softness"])};
  }
  mask.inverted = field["inverted"].Boolean();
  return mask;
}

}  // namespace convolve::addon
