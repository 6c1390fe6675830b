// What to compute, as plain data: a Plan is a list of passes, one for each filter of the stack. core/pass.ts is the
// same in TypeScript. Weights are always correlation-oriented:
//   out(x, y) = sum over j, i of weights[j * width + i] * in(x + i - anchor_x, y + j - anchor_y) / divisor
#pragma once

#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace convolve {

class Image;

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

/// How much of an edge lets diffusion through, g(s) of its strength s over the conductance k: exp(-(s / k)^2), which
/// favours strong edges over weak ones, or 1 / (1 + (s / k)^2), which favours large flat regions over small ones.
enum class EdgeStopping { kExponential, kRational };

/// One step of edge-preserving diffusion: every number of a pixel moves by rate * sum of g(s) * (neighbour - pixel)
/// over the neighbours above, below, to the left and to the right. P. Perona and J. Malik, "Scale-Space and Edge
/// Detection Using Anisotropic Diffusion", IEEE TPAMI 12(7), 1990, equations 7 and 8.
///
/// All numbers of a pixel share one g, so that no colour runs further than another and edges get no fringes: s is the
/// root of the mean square of the colours' differences, as shares of full scale (G. Gerig et al., "Nonlinear
/// Anisotropic Filtering of MRI Data", IEEE TMI 11(2), 1992, without the mean, by which a grey picture is the same with
/// one channel or three). They are differences of working values: in the pass's light, of weighted alpha premultiplied.
/// Where alpha is filtered (kWeighted, kStraight) it moves with the colours and the square of its difference adds to
/// s^2.
///
/// No result lies beyond the largest and the smallest of the five pixels.
struct DiffusionStep {
  EdgeStopping stopping = EdgeStopping::kExponential;
  double conductance = 0.1;  // k, a share of full scale; at least kLeastConductance of engine/plan.h
  double rate = 0.2;         // 0...1/4
};

using Work = std::variant<DenseWeights, SparseWeights, FftWeights, SeparableWeights, BoxWeights, MagnitudeWeights,
                          DiffusionStep>;

/// value = result * (sum / divisor) + input * (the pixel itself) + offset * full scale.
struct Epilogue {
  double result = 1;
  double input = 0;
  double offset = 0;
};

/// How two colours become one, in shares of full scale, where b is the colour of the input and s the filtered one. W3C,
/// "Compositing and Blending Level 1", 9.1 and 9.2:
/// - kMultiply b s. kScreen b + s - b s. kLighten, kDarken the larger, the smaller. kDifference |b - s|.
/// - kOverlay: 2 b s where b <= 1/2, else the screen of s and 2 b - 1.
/// - kSoftLight: b - (1 - 2 s) b (1 - b) where s <= 1/2, else b + (2 s - 1) (d(b) - b) with d(b) = ((16 b - 12) b + 4)
/// b
///   where b <= 1/4, else sqrt(b).
/// - kLuminosity: SetLum(b, Lum(s)), Lum = 0.3 red + 0.59 green + 0.11 blue, and its ClipColor unless the range is
/// float. kAddition: b + s, at most 1 unless the range is float.
enum class BlendMode {
  kNormal,
  kMultiply,
  kScreen,
  kOverlay,
  kSoftLight,
  kLighten,
  kDarken,
  kDifference,
  kLuminosity,
  kAddition
};

/// Which of a pixel's numbers a mix changes.
struct MixChannels {
  bool red = true;
  bool green = true;
  bool blue = true;
  bool alpha = true;
  /// Instead of the colours themselves: hue and chroma stay, as SetLum(b, Lum(the blended colour)).
  bool luminance = false;
};

/// How a pass's result enters its input, between its range and the way back to encoded light:
///   m = opacity * mask; result = b + (blend(b, s) - b) * m in the channels that it changes, b in others.
/// Alpha, if that changes: alpha(b) + (alpha(s) - alpha(b)) m.
/// Weighted alpha: s gives way to the blend as far as b is there, f = (1 - alpha(b)) s + alpha(b) blend(b, s), and each
/// counts by its alpha: result = (b u + f v) / (u + v) with u = alpha(b) (1 - m) and v = alpha(s) m, and 0 where u + v
/// is 0. So hidden colour never shows, and opaque pictures mix as if they had no alpha.
/// m = 0 is the pixel of the input itself, whatever both hold, and a channel that changes with m = 1 and kNormal is
/// that of s. The one colour of a grey picture is red, green and blue, and its own luminance.
///
/// Threshold: s is b itself in each channel, alpha too, in which the result before its range differs from b by less
/// than it, in the light that the pass works in. Before the range, or what is cut off at white would count as small.
/// Colour under a fully transparent pixel of b is no colour to keep where alpha is weighted.
struct Mix {
  double opacity = 1;  // 0...1
  BlendMode blend = BlendMode::kNormal;
  MixChannels channels;
  double threshold = 0;  // a share of full scale, not negative; 0: none
  /// One channel of kU16, 0...65535 for 0...1, of the size of the input; null: 1 everywhere.
  std::shared_ptr<const Image> mask;
  /// b where it is another picture than the pass's own input: of the same channels and alpha. Result pixel (0, 0) lies
  /// at (input_x, input_y) of it. Of the pass's own input it lies where a `valid` result begins.
  std::shared_ptr<const Image> input;
  int input_x = 0;
  int input_y = 0;
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
  /// Only of a pass with repeat 1.
  std::optional<Mix> mix;
};

struct Plan {
  std::vector<Pass> passes;
};

}  // namespace convolve
