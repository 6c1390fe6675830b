// A plan bound to a picture: weights in the working type, kernels cut into parts that round little, and everything that
// all pixels of a pass share, worked out once for each run.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "cpu/axis.h"
#include "cpu/box_plan.h"
#include "cpu/byte_pairs.h"
#include "cpu/byte_sums.h"
#include "cpu/byte_taps.h"
#include "cpu/fft_plan.h"
#include "cpu/kernels.h"
#include "cpu/pair_plan.h"
#include "cpu/shared_values.h"
#include "cpu/sparse_plan.h"
#include "engine/backend.h"
#include "engine/image.h"
#include "engine/pass.h"
#include "engine/plan.h"

namespace convolve::cpu {

/// Copies share the weights: a pass that is repeated a hundred times holds them once.
template <typename T>
struct PreparedKernel {
  int width = 0;
  int height = 0;
  int column = 0;  // where the kernel lies in the pass's window (a magnitude's kernels may differ in size)
  int row = 0;
  SharedValues<T> weights;
  SharedValues<KernelPart> parts;
  /// Where a good part of the weights is 0: for each window row of kRowsAtOnce result rows and each column which of
  /// these rows have a weight there, as bits. Of kernels of one part; else empty.
  SharedValues<uint8_t> uses;
  std::vector<T> halved;     // for two rows of results that share their work (halved_plan.h); empty where none do
  bool compensated = false;  // so many parts that their sums are added with the rounding error carried along
  T divisor = 1;             // a power of two is already in the weights
};

template <typename T>
struct PreparedMix {
  std::optional<ThresholdJob<T>> threshold;  // rows left open
  MixJob<T> job;                             // rows left open
  bool linear = false;
  const ToneCurve* curve = nullptr;  // of the picture, which lives longer
  double opacity = 1;
  bool changes[4] = {};  // of the channels
  std::shared_ptr<const Image> mask;
  std::shared_ptr<const Image> input;  // null: the pass's own
  int left = 0;                        // where the result begins in the input
  int top = 0;
};

template <typename T>
struct PreparedPass {
  /// Of the pixels that it reads: the picture's, or what the pass before it keeps.
  SampleType input_type = kWorkingType<T>;
  /// Of its result where a pass follows: working values, or the integers that work as T where it is nothing else.
  SampleType kept_type = kWorkingType<T>;
  int input_width = 0;
  int input_height = 0;
  int output_width = 0;
  int output_height = 0;
  Reach reach;
  Window across;  // reach and offset of a `valid` result, on x
  Window down;    // and on y
  BorderKind border = BorderKind::kZero;
  T outside = 0;                     // the border's constant, as loaded
  T outside_alpha = 0;               // the same for the alpha channel
  const ToneCurve* curve = nullptr;  // of the picture, which lives longer
  bool to_linear = false;
  bool premultiply = false;
  bool to_encoded = false;
  bool loads_only = false;                  // nothing more than that happens (load_block.h)
  std::shared_ptr<const PreparedPass> own;  // of a second half: how the pixels themselves are loaded (own_rows.h)
  /// Of several pairs: each by itself, with nothing but its sums (pair_terms.h).
  std::vector<PreparedPass> terms;
  bool first_half = false;  // the columns of a pair, whose rows are the pass behind it (pair_lines.h)

  std::vector<PreparedKernel<T>> dense;  // one, or the two of a magnitude; none of a separable pass
  PreparedPairs<T> pair;
  std::optional<BytePair> byte_pair;  // of one pair, from bytes to bytes by whole-number sums
  PreparedBox<T> box;
  bool separable() const { return !pair.empty() || !box.empty(); }
  std::optional<Diffusion<T>> diffusion;
  std::shared_ptr<FftPlan> fft;  // overlap-save with the one kernel of `dense`; null where it is not computed like that
  std::shared_ptr<SparsePlan<T>> sparse;  // the taps of the one kernel of `dense`, where only they are summed
  std::optional<ByteTaps> byte_taps;      // the same from bytes to bytes by whole-number sums
  bool magnitude() const { return dense.size() == 2; }
  std::optional<Gradient> gradient;  // what the kernels of a magnitude are
  bool whole_gradient = false;       // from integers to integers, and nothing else happens but to alpha

  EpilogueJob<T> epilogue;  // rows left open
  FinishJob<T> finish;      // rows left open
  bool needs_epilogue = false;
  bool needs_finish = true;
  bool needs_input = false;  // the epilogue or alpha looks at the pixel itself

  bool direct = false;  // computed without rows of working values (direct_block.h), as samples of
  SampleType direct_type = kWorkingType<T>;
  std::optional<ByteWeights> bytes;  // from bytes to bytes by whole-number sums

  std::optional<PreparedMix<T>> mix;  // what is above ends before it, with the range

  int window_height() const { return reach.top + reach.bottom + 1; }
  int window_width() const { return reach.left + reach.right + 1; }
};

/// Columns of a result that begin cache lines in all its rows: `first`, and all that are whole steps from it. No step:
/// there are none, or they make no difference.
struct LineColumns {
  int first = 0;
  int step = 0;

  /// How many columns from `x` on lie before the next of these.
  int Before(int x) const { return step == 0 ? 0 : ((first - x) % step + step) % step; }
};

template <typename T>
struct PreparedPlan {
  std::vector<PreparedPass<T>> passes;
  int channels = 0;
  bool alpha = false;
  bool opaque = false;  // the result's alpha is full scale everywhere
  SampleType source_type = SampleType::kU8;
  const ToneCurve* curve = nullptr;  // of the picture, which lives longer
  bool from_picture = true;          // the first pass reads the picture itself, not what passes before it have left
  double full_scale = 1;
  double line_bytes = 0;  // of rows between the halves of a pass (pair_lines.h), at most
  ResultSize size;
  LineColumns lines;  // of the destination
};

/// How separable passes are summed: by counted work, or always in one way (for tests and measurements).
enum class PairSums { kCounted, kDirect, kTransformed };

/// What the result is for: samples of a type, or the extremes of the last pass before its range mode.
struct Purpose {
  bool measure = false;
  SampleType type = SampleType::kF32;
  bool byte_sums = false;  // the instruction set has them (byte_sums.h)
  PairSums pairs = PairSums::kCounted;
  bool halved = false;  // and these (halved_plan.h)
};

/// `opaque`: every pixel of the image has full alpha. `largest`: a bound on the image's code values, or infinity where
/// none is known. The plan must be valid for the image.
template <typename T>
PreparedPlan<T> Prepare(const Plan& plan, const Image& image, bool opaque, double largest, const Purpose& purpose);

/// Whether it matters for the plan how large the image's samples are, so that looking is worth its time. `halved`: as
/// Purpose's.
bool AsksForLargest(const Plan& plan, bool halved);

/// Whether it matters for the plan that the image is opaque, so that looking is worth its time.
bool AsksForOpacity(const Plan& plan, const Image& image);

}  // namespace convolve::cpu
