// Field by field, in the order of core/pass.ts.
#include "addon/plan_parser.h"

#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "addon/image_handle.h"

namespace convolve::addon {
namespace {

constexpr std::array<Named<BorderKind>, 6> kBorderKinds{{{"zero", BorderKind::kZero},
                                                         {"constant", BorderKind::kConstant},
                                                         {"replicate", BorderKind::kReplicate},
                                                         {"reflect", BorderKind::kReflect},
                                                         {"mirror", BorderKind::kMirror},
                                                         {"wrap", BorderKind::kWrap}}};
constexpr std::array<Named<SizeMode>, 2> kSizeModes{{{"same", SizeMode::kSame}, {"valid", SizeMode::kValid}}};
constexpr std::array<Named<AlphaMode>, 3> kAlphaModes{
    {{"weighted", AlphaMode::kWeighted}, {"straight", AlphaMode::kStraight}, {"colourOnly", AlphaMode::kColourOnly}}};
constexpr std::array<Named<LightMode>, 2> kLightModes{
    {{"encoded", LightMode::kEncoded}, {"linear", LightMode::kLinear}}};
constexpr std::array<Named<RangeKind>, 5> kRangeKinds{{{"clamp", RangeKind::kClamp},
                                                       {"absolute", RangeKind::kAbsolute},
                                                       {"signed", RangeKind::kSigned},
                                                       {"rescale", RangeKind::kRescale},
                                                       {"float", RangeKind::kFloat}}};

constexpr std::array<Named<BlendMode>, 10> kBlendModes{{{"normal", BlendMode::kNormal},
                                                        {"multiply", BlendMode::kMultiply},
                                                        {"screen", BlendMode::kScreen},
                                                        {"overlay", BlendMode::kOverlay},
                                                        {"softLight", BlendMode::kSoftLight},
                                                        {"lighten", BlendMode::kLighten},
                                                        {"darken", BlendMode::kDarken},
                                                        {"difference", BlendMode::kDifference},
                                                        {"luminosity", BlendMode::kLuminosity},
                                                        {"addition", BlendMode::kAddition}}};
/// Whether it is the luminance alone.
constexpr std::array<Named<bool>, 2> kChannelSets{{{"all", false}, {"luminance", true}}};
constexpr std::array<Named<bool MixChannels::*>, 3> kColourChannels{
    {{"red", &MixChannels::red}, {"green", &MixChannels::green}, {"blue", &MixChannels::blue}}};
constexpr std::array<Named<GradientNorm>, 2> kGradientNorms{{{"l1", GradientNorm::kL1}, {"l2", GradientNorm::kL2}}};

constexpr std::array<Named<VariantName>, 10> kVariantNames{{{"naive1d", VariantName::kNaive1d},
                                                            {"naive2d", VariantName::kNaive2d},
                                                            {"constant", VariantName::kConstant},
                                                            {"shared1d", VariantName::kShared1d},
                                                            {"shared2d", VariantName::kShared2d},
                                                            {"texture", VariantName::kTexture},
                                                            {"separable", VariantName::kSeparable},
                                                            {"winograd", VariantName::kWinograd},
                                                            {"tensor", VariantName::kTensor},
                                                            {"cufft", VariantName::kCufft}}};

enum class WorkKind { kDense, kSparse, kFft, kSeparable, kBox, kMagnitude, kDiffusion };
constexpr std::array<Named<WorkKind>, 7> kWorkKinds{{{"dense", WorkKind::kDense},
                                                     {"sparse", WorkKind::kSparse},
                                                     {"fft", WorkKind::kFft},
                                                     {"separable", WorkKind::kSeparable},
                                                     {"box", WorkKind::kBox},
                                                     {"magnitude", WorkKind::kMagnitude},
                                                     {"diffusion", WorkKind::kDiffusion}}};
constexpr std::array<Named<EdgeStopping>, 2> kEdgeStoppings{
    {{"exponential", EdgeStopping::kExponential}, {"rational", EdgeStopping::kRational}}};

/// Where the kernel lies and what it is divided by: what all kinds of weights have in common.
template <typename Weights>
void ParseGeometry(const Field& field, Weights& weights) {
  weights.width = field["width"].WholeNumber();
  weights.height = field["height"].WholeNumber();
  weights.anchor_x = field["anchorX"].WholeNumber();
  weights.anchor_y = field["anchorY"].WholeNumber();
  weights.divisor = field["divisor"].FiniteNumber();
}

DenseWeights ParseDense(const Field& field) {
  DenseWeights dense;
  ParseGeometry(field, dense);
  dense.weights = field["weights"].FiniteNumbers(int64_t{dense.width} * dense.height);
  return dense;
}

BoxWeights ParseBox(const Field& field) {
  BoxWeights box;
  ParseGeometry(field, box);
  return box;
}

SeparableWeights ParseSeparable(const Field& field) {
  SeparableWeights separable;
  ParseGeometry(field, separable);
  for (const Field& pair : field["pairs"].Elements()) {
    separable.pairs.push_back(
        {pair["column"].FiniteNumbers(separable.height), pair["row"].FiniteNumbers(separable.width)});
  }
  return separable;
}

Work ParseWork(const Field& field) {
  switch (field["kind"].OneOf(kWorkKinds)) {
    case WorkKind::kDense: {
      DenseWeights dense = ParseDense(field["weights"].WithCode(ErrorCode::kInvalidKernel));
      const Field variant = field["variant"];
      if (!variant.absent()) dense.variant = variant.OneOf(kVariantNames);
      return dense;
    }
    case WorkKind::kSparse:
      return SparseWeights{ParseDense(field["weights"].WithCode(ErrorCode::kInvalidKernel))};
    case WorkKind::kFft:
      return FftWeights{ParseDense(field["weights"].WithCode(ErrorCode::kInvalidKernel))};
    case WorkKind::kBox:
      return ParseBox(field["weights"].WithCode(ErrorCode::kInvalidKernel));
    case WorkKind::kSeparable:
      return ParseSeparable(field["weights"].WithCode(ErrorCode::kInvalidKernel));
    case WorkKind::kMagnitude:
      return MagnitudeWeights{ParseDense(field["x"].WithCode(ErrorCode::kInvalidKernel)),
                              ParseDense(field["y"].WithCode(ErrorCode::kInvalidKernel))};
    case WorkKind::kDiffusion:
      return DiffusionStep{field["stopping"].OneOf(kEdgeStoppings), field["conductance"].FiniteNumber(),
                           field["rate"].FiniteNumber()};
  }
  field.Refuse("a known kind of work");
}

Border ParseBorder(const Field& field) {
  Border border;
  border.kind = field["kind"].OneOf(kBorderKinds);
  if (border.kind == BorderKind::kConstant) border.value = field["value"].FiniteNumber();
  return border;
}

Epilogue ParseEpilogue(const Field& field) {
  return {field["result"].FiniteNumber(), field["input"].FiniteNumber(), field["offset"].FiniteNumber()};
}

Range ParseRange(const Field& field) {
  Range range;
  range.kind = field["kind"].OneOf(kRangeKinds);
  if (range.kind == RangeKind::kRescale) {
    range.minimum = field["minimum"].FiniteNumber();
    range.maximum = field["maximum"].FiniteNumber();
  }
  return range;
}

MixChannels ParseChannels(const Field& field) {
  if (!field.value().IsArray()) {
    const bool luminance = field.OneOf(kChannelSets);
    return {true, true, true, !luminance, luminance};
  }
  MixChannels channels{false, false, false, false, false};
  for (const Field& colour : field.Elements()) channels.*colour.OneOf(kColourChannels) = true;
  return channels;
}

Mix ParseMix(const Field& field) {
  Mix mix;
  mix.opacity = field["opacity"].FiniteNumber();
  mix.blend = field["blend"].OneOf(kBlendModes);
  mix.channels = ParseChannels(field["channels"]);
  const Field threshold = field["threshold"];
  if (!threshold.absent()) mix.threshold = threshold.FiniteNumber();
  const Field mask = field["mask"];
  if (!mask.absent()) mix.mask = ImageHandle::From(mask);
  const Field input = field["input"];
  if (input.absent()) return mix;
  mix.input = ImageHandle::From(input["image"]);
  mix.input_x = input["x"].WholeNumber();
  mix.input_y = input["y"].WholeNumber();
  return mix;
}

Pass ParsePass(const Field& field) {
  const Field repeat = field["repeat"];
  Pass pass{ParseWork(field["work"]),
            ParseBorder(field["border"]),
            field["size"].OneOf(kSizeModes),
            field["alpha"].OneOf(kAlphaModes),
            field["light"].OneOf(kLightModes),
            ParseEpilogue(field["epilogue"]),
            ParseRange(field["range"]),
            repeat.absent() ? 1 : repeat.WholeNumber(),
            std::nullopt};
  const Field mix = field["mix"];
  if (!mix.absent()) pass.mix = ParseMix(mix);
  return pass;
}

}  // namespace

Plan ParsePlan(const Field& passes) {
  Plan plan;
  for (const Field& pass : passes.Elements()) plan.passes.push_back(ParsePass(pass));
  return plan;
}

namespace {

constexpr std::array<Named<GradientUse>, 2> kGradientUses{
    {{"edges", GradientUse::kEdges}, {"direction", GradientUse::kDirection}}};

}  // namespace

EdgeFilter ParseEdgeFilter(const Field& edges) {
  EdgeFilter filter;
  filter.x = ParseWork(edges["x"]);
  filter.y = ParseWork(edges["y"]);
  filter.border = ParseBorder(edges["border"]);
  filter.size = edges["size"].OneOf(kSizeModes);
  filter.alpha = edges["alpha"].OneOf(kAlphaModes);
  filter.light = edges["light"].OneOf(kLightModes);
  filter.thresholds = {edges["low"].FiniteNumber(), edges["high"].FiniteNumber(), edges["norm"].OneOf(kGradientNorms)};
  if (!edges["use"].absent()) filter.use = edges["use"].OneOf(kGradientUses);
  return filter;
}

}  // namespace convolve::addon
