// What to compute, as plain data: a Plan is a list of passes, one for each filter of the stack. core/pass.ts is the
// same in TypeScript. Weights are always correlation-oriented:
//   out(x, y) = sum over j, i of weights[j * width + i] * in(x + i - anchor_x, y + j - anchor_y) / divisor
#pragma once

#include <variant>
#include <vector>

namespace convolve {

enum class BorderKind { kZero, kConstant, kReplicate, kReflect, kMirror, kWrap };

/// How samples outside the image are found. `value` (kConstant only) is a share of full scale, every channel, alpha
/// too.
struct Border {
  BorderKind kind = BorderKind::kMirror;
  double value = 0;
};

enum class SizeMode { kSame, kValid };
enum class AlphaMode { kWeighted, kStraight, kColourOnly };
enum class LightMode { kEncoded, kLinear };
enum class RangeKind { kClamp, kAbsolute, kSigned, kFloat, kRescale };

/// `minimum` and `maximum` (kRescale only) are shares of full scale that become 0 and 1.
struct Range {
  RangeKind kind = RangeKind::kClamp;
  double minimum = 0;
  double maximum = 1;
};

/// The teaching variants of the cuda backend; native/cuda/variants says what each is.
enum class VariantName {
  kNone,
  kNaive1d,
  kNaive2d,
  kConstant,
  kShared1d,
  kShared2d,
  kTexture,
  kSeparable,
  kWinograd,
  kTensor,
  kCufft
};

struct DenseWeights {
  int width = 0;
  int height = 0;
  int anchor_x = 0;
  int anchor_y = 0;
  std::vector<double> weights;  // row-major, width * height
  double divisor = 1;
  VariantName variant = VariantName::kNone;  // the cuda backend computes by it, others as without it
};

/// A dense kernel of which only the weights that are not 0 are summed, because they are few.
struct SparseWeights : DenseWeights {};

/// A dense kernel that is computed by overlap-save with the fast Fourier transform, because it is large.
struct FftWeights : DenseWeights {};

/// width * height weights of 1: a running sum, whatever the size.
struct BoxWeights {
  int width = 0;
  int height = 0;
  int anchor_x = 0;
  int anchor_y = 0;
  double divisor = 1;
};

/// One term of a sum of outer products: weight(i, j) = column[j] * row[i].
struct RankPair {
  std::vector<double> column;  // height values
  std::vector<double> row;     // width values
};

struct SeparableWeights {
  int width = 0;
  int height = 0;
  int anchor_x = 0;
  int anchor_y = 0;
  std::vector<RankPair> pairs;  // r >= 1
  double divisor = 1;
};

/// sqrt(x^2 + y^2) of two linear results, colour channels only; alpha is kept.
struct MagnitudeWeights {
  DenseWeights x;
  DenseWeights y;
};

using Work = std::variant<DenseWeights, SparseWeights, FftWeights, SeparableWeights, BoxWeights, MagnitudeWeights>;

/// value = result * (sum / divisor) + input * (the pixel itself) + offset * full scale.
struct Epilogue {
  double result = 1;
  double input = 0;
  double offset = 0;
};

struct Pass {
  Work work;
  Border border;
  SizeMode size = SizeMode::kSame;
  AlphaMode alpha = AlphaMode::kWeighted;
  LightMode light = LightMode::kEncoded;
  Epilogue epilogue;
  Range range;
  /// How often the pass is applied, each time wholly and to the result of the time before: 1...kMaximumRepeat of
  /// engine/plan.h. A pass with repeat n means n equal passes with repeat 1.
  int repeat = 1;
};

struct Plan {
  std::vector<Pass> passes;
};

}  // namespace convolve
