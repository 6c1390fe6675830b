// The JSON form, without what is as usual.
#include "case.h"

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

namespace convolve {

NLOHMANN_JSON_SERIALIZE_ENUM(BorderKind, {{BorderKind::kMirror, "mirror"},
                                          {BorderKind::kZero, "zero"},
                                          {BorderKind::kConstant, "constant"},
                                          {BorderKind::kReplicate, "replicate"},
                                          {BorderKind::kReflect, "reflect"},
                                          {BorderKind::kWrap, "wrap"}})
NLOHMANN_JSON_SERIALIZE_ENUM(AlphaMode, {{AlphaMode::kStraight, "straight"},
                                         {AlphaMode::kWeighted, "weighted"},
                                         {AlphaMode::kColourOnly, "colourOnly"}})
NLOHMANN_JSON_SERIALIZE_ENUM(RangeKind, {{RangeKind::kClamp, "clamp"},
                                         {RangeKind::kAbsolute, "absolute"},
                                         {RangeKind::kSigned, "signed"},
                                         {RangeKind::kFloat, "float"},
                                         {RangeKind::kRescale, "rescale"}})
NLOHMANN_JSON_SERIALIZE_ENUM(BlendMode, {{BlendMode::kNormal, "normal"},
                                         {BlendMode::kMultiply, "multiply"},
                                         {BlendMode::kScreen, "screen"},
                                         {BlendMode::kOverlay, "overlay"},
                                         {BlendMode::kSoftLight, "softLight"},
                                         {BlendMode::kLighten, "lighten"},
                                         {BlendMode::kDarken, "darken"},
                                         {BlendMode::kDifference, "difference"},
                                         {BlendMode::kLuminosity, "luminosity"},
                                         {BlendMode::kAddition, "addition"}})
NLOHMANN_JSON_SERIALIZE_ENUM(SampleType, {{SampleType::kU8, "u8"},
                                          {SampleType::kU16, "u16"},
                                          {SampleType::kF32, "f32"},
                                          {SampleType::kF64, "f64"}})

}  // namespace convolve

namespace convolve::fuzz {

NLOHMANN_JSON_SERIALIZE_ENUM(Content, {{Content::kNoise, "noise"},
                                       {Content::kOpaque, "opaque"},
                                       {Content::kCoarse, "coarse"},
                                       {Content::kBright, "bright"},
                                       {Content::kSpecial, "special"}})
NLOHMANN_JSON_SERIALIZE_ENUM(Drawn, {{Drawn::kPositive, "positive"},
                                     {Drawn::kMixed, "mixed"},
                                     {Drawn::kWhole, "whole"},
                                     {Drawn::kDyadic, "dyadic"},
                                     {Drawn::kZeroSum, "zeroSum"}})
NLOHMANN_JSON_SERIALIZE_ENUM(WorkKind, {{WorkKind::kDense, "dense"},
                                        {WorkKind::kSparse, "sparse"},
                                        {WorkKind::kFft, "fft"},
                                        {WorkKind::kSeparable, "separable"},
                                        {WorkKind::kBox, "box"},
                                        {WorkKind::kMagnitude, "magnitude"},
                                        {WorkKind::kDiffusion, "diffusion"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(WorkSpec, kind, width, height, anchor_x, anchor_y, drawn, seed, pairs)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(MixSpec, there, opacity, blend, red, green, blue, alpha, luminance,
                                                mask, other)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(PassSpec, work, other, border, border_value, valid, alpha, linear,
                                                result, input, offset, range, minimum, maximum, repeat, mix)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(CaseSpec, width, height, channels, alpha, type, content, seed, passes,
                                                level, left, top, right, bottom, destination, padding)

namespace {

using Json = nlohmann::ordered_json;

/// `value` without the members that `usual` has too, deeply.
Json Without(const Json& value, const Json& usual) {
  if (!value.is_object()) return value;
  Json rest = Json::object();
  for (const auto& [name, member] : value.items()) {
    if (usual.contains(name) && usual[name] == member) continue;
    rest[name] = usual.contains(name) ? Without(member, usual[name]) : member;
  }
  return rest;
}

/// A name that no member has would silently be the usual value.
void RequireKnown(const nlohmann::json& value, const nlohmann::json& usual, const std::string& where) {
  if (!value.is_object()) throw std::invalid_argument(where + " is no object");
  for (const auto& [name, member] : value.items()) {
    if (!usual.contains(name)) throw std::invalid_argument(where + " has no member " + name);
    if (usual[name].is_object()) RequireKnown(member, usual[name], where + "." + name);
  }
}

}  // namespace

std::string TextOf(const CaseSpec& spec) {
  Json json = Without(Json(nlohmann::json(spec)), Json(nlohmann::json(CaseSpec{})));
  Json passes = Json::array();
  for (const PassSpec& pass : spec.passes) {
    passes.push_back(Without(Json(nlohmann::json(pass)), Json(nlohmann::json(PassSpec{}))));
  }
  json["passes"] = passes;
  return json.dump();
}

CaseSpec CaseOf(const std::string& text) {
  const auto json = nlohmann::json::parse(text);
  RequireKnown(json, CaseSpec{}, "case");
  for (const auto& pass : json.value("passes", nlohmann::json::array())) RequireKnown(pass, PassSpec{}, "pass");
  return json.get<CaseSpec>();
}

}  // namespace convolve::fuzz
