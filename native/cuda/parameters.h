// What every kernel is told: where its input lies and how it ends at the borders, where its output goes, and how a sum
// becomes a sample. Plain data, filled in by the host (lowering.cpp), passed by value.
#pragma once

#include <cstdint>

#include "engine/pass.h"
#include "engine/view.h"

namespace convolve::cuda {

/// A pass's input: a buffer that holds part of a picture, `left`, `top` ... of it, in picture pixels. Every position
/// that the border can lead to from the pass's region lies in the buffer.
struct SourceParameters {
  const void* data;  // the buffer's first pixel, 16-byte aligned
  int pitch;         // bytes from row to row, a multiple of 256
  int left, top, columns, rows;
  int width, height;  // the whole picture, where the border begins
  SampleType type;    // kU8, kU16 or kF32
  BorderKind border;
  bool bordered;      // false: every position asked for lies in the buffer, also outside the picture
  bool premultiply;   // colour x (alpha x alpha_scale) while loading
  float alpha_scale;  // 1, but 1 / 65535 for u16, so that opaque samples stay exact
  float outside[4];   // the pixel of kZero and kConstant, not premultiplied
};

/// A pass's output. `left`, `top` is the position of the buffer's first pixel in the pixels of the *input*.
struct TargetParameters {
  void* data;
  int pitch;
  int left, top;
  int x0, y0, x1, y1;  // what to write, half open, in the pixels of the input
  SampleType type;     // kU8, kU16 or kF32
  bool vector;         // groups of samples may be written with wide stores
};

/// Where alpha comes from and whether colour is divided by it.
enum class AlphaRule {
  kNone,         // no alpha: every channel is colour
  kGain,         // weighted: alpha = filtered / gain, colour = filtered / alpha
  kWeightedOwn,  // weighted, zero-sum: alpha is the pixel's own, colour = filtered / alpha
  kStraight,     // alpha is a channel like the others, without the offset
  kOwn,          // alpha is the pixel's own, colour as filtered
  kFull,         // everything is opaque: alpha is full scale, colour as filtered
};

/// Steps of FinishSamples that are needed; the others would change nothing.
enum FinishStep : uint32_t {
  kStepMix = 1,        // result and input shares
  kStepAlpha = 2,      // any AlphaRule but kNone
  kStepOffset = 4,     // where there is no alpha; with alpha the offset is part of kStepAlpha
  kStepAbsolute = 8,   // |v|
  kStepStretch = 16,   // v * stretch + shift
  kStepBound = 32,     // 0 ... full scale
  kStepMultiply = 64,  // to a larger full scale
  kStepDivide = 128,   // to a smaller full scale
  kStepOwn = 256,      // the pixel itself is read
  kStepBoundAlpha = 512,
  kStepMixInput = 1024,  // the input's share is not 0
  kStepFlat = 2048,      // 0, whatever the value: a stretch of no span
};

enum class DivisionKind {
  kNone,      // by 1
  kMultiply,  // by the reciprocal: exact for powers of two, else a rounding more than a division
  kCorrect,   // as a true division, for finite values: the first quotient's remainder corrects it
};

/// A division by a constant.
struct Divisor {
  float value;
  float reciprocal;
  DivisionKind kind;
};

struct FinishParameters {
  uint32_t steps;
  bool simple;  // nothing but division and clamp, and alpha made full where alpha is kFull
  AlphaRule alpha;
  Divisor divisor;    // of the sum (of a magnitude: x)
  Divisor divisor_y;  // of a magnitude's second sum
  Divisor gain;
  float result, input;
  float offset;       // code values
  float transparent;  // code values: below it colour is 0
  float alpha_scale;
  float stretch, shift;
  float full_scale;
  Divisor store;  // kStepDivide
  float store_factor;
};

/// What becomes of a launch's sums.
enum class SumRule {
  kFinish,     // divided, finished, stored as the target's type
  kStore,      // stored as they are, f32
  kAdd,        // `partial` plus the sums, stored as they are, f32
  kAddFinish,  // `partial` plus the sums, then as kFinish
};

/// The output of the kernels that write pixel by pixel.
struct OutputParameters {
  SourceParameters own;  // where the pixel itself is read (kStepOwn)
  TargetParameters target;
  FinishParameters finish;
  SumRule rule;
  const float* partial;
  int partial_pitch;  // bytes
  int partial_left, partial_top;
};

/// A dense kernel in device memory, row-major.
struct DeviceKernel {
  const float* weights;
  int width, height;
  int anchor_x, anchor_y;
};

}  // namespace convolve::cuda
