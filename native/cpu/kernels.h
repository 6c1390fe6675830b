// The seam between the portable code and the vector code: plain jobs over rows of samples, and one table of functions
// for each instruction set. `T` is the working type: float, or double for 16-bit sources (see prepared_pass.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "cpu/box_kernels.h"
#include "cpu/byte_pairs.h"
#include "cpu/byte_sums.h"
#include "cpu/diffusion_kernels.h"
#include "cpu/pair_kernels.h"
#include "engine/pass.h"
#include "engine/tone_curve.h"
#include "engine/view.h"

namespace convolve::cpu {

/// Every row that a kernel writes has room for this many bytes after its last sample, and every row that it reads may
/// be read that far: vectors never stop at the last sample, so that each sample sees the same instructions.
inline constexpr size_t kRowSlackBytes = 128;

/// Result rows that are computed together.
inline constexpr int kRowsAtOnce = 4;

/// Samples of the working type.
template <typename T>
inline constexpr SampleType kWorkingType = sizeof(T) == 4 ? SampleType::kF32 : SampleType::kF64;

/// A part of a kernel that is summed in one chain. Rounding grows with the length of a chain, so that a large kernel is
/// many short chains whose sums are then added.
struct KernelPart {
  int row = 0;
  int rows = 0;
  int column = 0;
  int columns = 0;
};

/// How a sum reaches its output row: stored, added, or added with the rounding error carried along (Kahan).
enum class SumMode { kStore, kAdd, kCompensatedStore, kCompensatedAdd };

/// Weighted sums of a part of a kernel for `outputs` neighbouring result rows and the samples `begin`...`end`:
///   output[q][x] = sum over j, i of weights[j * weight_stride + i] * rows[q + j][offset + x + i * step]
/// Each sum runs over j, then i, whatever `outputs`, `begin` and `end` are.
template <typename T>
struct SumJob {
  const T* const* rows = nullptr;  // kernel_rows + outputs - 1 input rows
  size_t offset = 0;               // samples from an input row's start to the part's first column for x = 0
  size_t kernel_rows = 0;
  size_t kernel_columns = 0;
  size_t step = 0;  // samples from one column to the next: the channels
  const T* weights = nullptr;
  size_t weight_stride = 0;
  T* const* output = nullptr;
  T* const* lost = nullptr;  // compensated modes only: the rounding error so far, one row for each output row
  size_t begin = 0;
  size_t end = 0;
  SumMode mode = SumMode::kStore;
};

/// Where a pass's alpha comes from, once the plan and the picture are known.
enum class AlphaWork {
  kNone,                // no alpha: every channel is colour
  kStraight,            // filtered like a colour, without the offset
  kOpaque,              // full scale everywhere
  kInput,               // the input's own; colour is not premultiplied
  kUnmultiplyByResult,  // filtered alpha / gain; colour is premultiplied
  kUnmultiplyByInput,   // the input's own; colour is premultiplied
};

/// What happens to a row of sums: row = result * (row / divisor) + input_factor * input.
template <typename T>
struct EpilogueJob {
  T* row = nullptr;
  const T* input = nullptr;  // needed only where input_factor is not 0
  size_t samples = 0;
  T divisor = 1;
  T result = 1;
  T input_factor = 0;
};

/// The rest of a pass for one row, in place: alpha, un-premultiply, offset, range. Values are code values.
template <typename T>
struct FinishJob {
  T* row = nullptr;
  const T* input = nullptr;  // needed only by kInput and kUnmultiplyByInput
  size_t samples = 0;
  size_t channels = 0;
  AlphaWork alpha = AlphaWork::kNone;
  T gain = 1;
  T full_scale = 1;
  T offset = 0;
  RangeKind range = RangeKind::kFloat;
  T range_minimum = 0;  // code value that becomes 0 (kRescale)
  T range_span = 1;     // maximum - minimum as shares; 0 makes every colour 0
};

/// A pass's result enters its input (Mix of engine/pass.h), row by row; all in the light that the pass works in.
template <typename T>
struct MixJob {
  const T* below = nullptr;     // the input
  const T* filtered = nullptr;  // after the range
  const T* amount = nullptr;    // of each sample: opacity * mask, 0 in channels that do not change
  T* blended = nullptr;         // scratch
  T* mixed = nullptr;
  size_t samples = 0;
  size_t channels = 0;
  bool alpha = false;  // the last channel is
  T full_scale = 1;
  BlendMode blend = BlendMode::kNormal;
  bool luminance = false;  // hue and chroma of the input; three colours
  bool cut = true;         // the range has an end
  bool weighted = false;   // colours count by their alpha
  bool replaces = false;   // an amount of 1 is the filtered value itself
};

/// Threshold of a mix, before it: filtered = below where they differ by less, else filtered in its range.
template <typename T>
struct ThresholdJob {
  const T* below = nullptr;
  T* filtered = nullptr;
  size_t samples = 0;
  T threshold = 0;
  bool weighted = false;  // colours count by their alpha
  FinishJob<T> range;     // of which range, channels, full scale and alpha count
};

/// A row of working values becomes samples of the destination's type.
template <typename T>
struct StoreJob {
  const T* row = nullptr;
  size_t samples = 0;
  T multiplier = 1;            // scales code values from the source's depth to the destination's: times this,
  T divisor = 1;               // then over that; at most one of them is not 1
  size_t opaque_channels = 0;  // 2 or 4: the last of these channels is stored as full scale; 0: none is
  double destination_full_scale = 1;
  void* destination = nullptr;  // exactly `samples` samples are written
};

/// One kernel of a direct job: its weights and where it lies in the pass's window.
template <typename T>
struct DirectKernel {
  const T* weights = nullptr;
  size_t weight_stride = 0;
  const KernelPart* parts = nullptr;
  size_t part_count = 0;
  const uint8_t* uses = nullptr;  // PreparedKernel::uses; null: every weight is looked at
  size_t row = 0;
  size_t offset = 0;  // samples
  T divisor = 1;      // a magnitude divides each of its sums
};

/// A kernel of floats of which rows of results share their work (halved_plan.h); no weights: they do not.
template <typename T>
struct HalvedKernel {
  const T* weights = nullptr;
  int rows = 0;
  size_t columns = 0;
};

/// Two 3 x 3 kernels of a magnitude that are differences across and down, each smoothed in the other direction (Sobel,
/// Prewitt, Scharr): [-a 0 a; -b 0 b; -a 0 a] and [-c -d -c; 0 0 0; c d c], either with any sign, which a length
/// forgets.
struct Gradient {
  double across[2] = {};  // a, b
  double down[2] = {};    // c, d
};

/// Rows of samples become rows of a result without rows in between: sums, epilogue, alpha, range and rounding happen in
/// registers. The same operations in the same order as the row by row jobs above.
template <typename T>
struct DirectJob {
  const std::byte* const* rows = nullptr;  // window rows + outputs - 1, each from its first column for the sample 0
  std::byte* const* output = nullptr;      // of samples of the destination
  size_t samples = 0;
  size_t step = 0;  // samples from one column to the next: the channels
  DirectKernel<T> kernels[2];
  HalvedKernel<T> halved;
  EpilogueJob<T> epilogue;  // rows left open
  FinishJob<T> finish;      // rows left open
  bool needs_epilogue = false;
  bool needs_finish = false;
  bool magnitude = false;
  std::optional<Gradient> gradient;  // what the kernels of a magnitude are, both at the first one's place
  bool to_integers = false;          // the destination's samples are the integers that work as T, else they are T
  size_t input_row = 0;              // of the window, where the pixel itself lies
  size_t input_offset = 0;
  bool padded = false;  // rows may be read and written kRowSlackBytes too far; else `samples` fill a vector at least
  bool stream = false;  // past the caches, where vectors are aligned for it
};

inline constexpr size_t kGradientSamples = 32;

/// Functions of one instruction set for one working type.
template <typename T>
struct Kernels {
  size_t lanes = 0;
  PairKernels<T> pair;
  BoxKernels<T> box;
  DiffusionKernels<T> diffusion;
  /// `outputs` is 1, 2 (kernel_rows >= 1) or 4 (kernel_rows >= 3).
  void (*sum)(const SumJob<T>& job, int outputs) = nullptr;
  /// row = sqrt((row / divisor)^2 + (other / other_divisor)^2), without overflow on the way.
  void (*magnitude)(T* row, const T* other, size_t samples, T divisor, T other_divisor) = nullptr;
  void (*epilogue)(const EpilogueJob<T>& job) = nullptr;
  void (*finish)(const FinishJob<T>& job) = nullptr;
  /// Colour of each pixel times its last channel, in place.
  void (*premultiply)(T* row, size_t samples, size_t channels) = nullptr;
  /// The curve on every channel, or on all but the last of `channels` where `alpha`; in place.
  void (*to_linear)(T* row, size_t samples, size_t channels, bool alpha, T full_scale,
                    const ToneCurve& curve) = nullptr;
  void (*to_encoded)(T* row, size_t samples, size_t channels, bool alpha, T full_scale,
                     const ToneCurve& curve) = nullptr;
  /// Smallest and largest colour, NaN left out; the values given are kept where nothing is beyond them.
  void (*extremes)(const T* row, size_t samples, size_t channels, bool alpha, T* minimum, T* maximum) = nullptr;
  /// The range of filtered values, without which they came, unless they differ too little from those below.
  void (*threshold)(const ThresholdJob<T>& job) = nullptr;
  void (*mix)(const MixJob<T>& job) = nullptr;
  /// mixed = below where amount is 0.
  void (*keep)(T* mixed, const T* below, const T* amount, size_t samples) = nullptr;
  /// Samples of a source become working values. Null where that source is never loaded as T.
  void (*load[4])(const void* source, size_t samples, T* row) = {};
  void (*store[4])(const StoreJob<T>& job) = {};
  /// By the source: working values (0) or the integers that work as T (1). `outputs` is 1 or 4 (at least 3 rows in the
  /// first part of each kernel).
  void (*direct[2])(const DirectJob<T>& job, int outputs) = {};
  /// Of a kernel with `halved`, from floats to floats; `outputs` is 2 or kHalvedAtOnce. Null where the instruction set
  /// has too few registers for it.
  void (*halved)(const DirectJob<T>& job, int outputs) = nullptr;
  /// A gradient of whole weights from the integers that work as T to themselves, with nothing else but alpha that is
  /// full or the input's. `outputs` is 1 or 4; `samples` are kGradientSamples at least, or padded.
  void (*gradient)(const DirectJob<T>& job, int outputs) = nullptr;
  /// Null where the instruction set has none.
  ByteRows byte_rows = nullptr;
  BytePairKernels byte_pairs;
};

/// The table of an instruction set, given as one of Highway's HWY_* target bits that this build and machine have.
template <typename T>
const Kernels<T>& KernelsFor(int64_t target);

}  // namespace convolve::cpu
