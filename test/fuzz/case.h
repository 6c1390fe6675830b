// A case, written down small: pictures and weights by kind and seed, everything else as it is. It prints as one line of
// JSON, from which it can be run again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/pass.h"
#include "engine/view.h"

namespace convolve::fuzz {

/// What a picture holds. kSpecial: noise with a few samples that are not finite (floating point only). kBright: -2...6
/// of full scale (floating point only). kCoarse: blocks of few values, as drawings have.
enum class Content { kNoise, kOpaque, kCoarse, kBright, kSpecial };

/// How weights are drawn. kDyadic: small whole numbers over a power of two, so that sums of integers are exact in
/// float.
enum class Drawn { kPositive, kMixed, kWhole, kDyadic, kZeroSum };

enum class WorkKind { kDense, kSparse, kFft, kSeparable, kBox, kMagnitude, kDiffusion };

/// A diffusion has no size; its numbers are drawn by the seed.
struct WorkSpec {
  WorkKind kind = WorkKind::kDense;
  int width = 1;
  int height = 1;
  int anchor_x = 0;
  int anchor_y = 0;
  Drawn drawn = Drawn::kPositive;
  uint32_t seed = 1;
  int pairs = 1;  // separable only
};

/// How a pass enters its input (Mix of engine/pass.h), without a threshold: which side of it a sample lies on may
/// depend on its last digit.
struct MixSpec {
  bool there = false;
  double opacity = 1;
  BlendMode blend = BlendMode::kNormal;
  bool red = true, green = true, blue = true, alpha = true;
  bool luminance = false;
  uint32_t mask = 0;   // a seed; 0: none
  uint32_t other = 0;  // the seed of another picture than the pass's input; 0: none
};

struct PassSpec {
  WorkSpec work;
  WorkSpec other;  // the second kernel of a magnitude
  BorderKind border = BorderKind::kMirror;
  double border_value = 0;
  bool valid = false;
  AlphaMode alpha = AlphaMode::kStraight;
  bool linear = false;
  double result = 1;
  double input = 0;
  double offset = 0;
  RangeKind range = RangeKind::kClamp;
  double minimum = 0;
  double maximum = 1;
  int repeat = 1;
  MixSpec mix;
};

struct CaseSpec {
  int width = 1;
  int height = 1;
  int channels = 1;
  bool alpha = false;
  SampleType type = SampleType::kU8;
  Content content = Content::kNoise;
  uint32_t seed = 1;
  std::vector<PassSpec> passes;
  int level = 0;
  /// In thousandths of the result's size: where the region begins and ends. It is never empty.
  int left = 0, top = 0, right = 1000, bottom = 1000;
  SampleType destination = SampleType::kU8;
  int padding = 0;  // samples after each row of the destination
};

/// One line of JSON; what has its default value is left out.
std::string TextOf(const CaseSpec& spec);
/// Throws std::exception where the text is no case.
CaseSpec CaseOf(const std::string& text);

}  // namespace convolve::fuzz
