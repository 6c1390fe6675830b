// Sums of 8-bit samples with whole-number weights: exact integers, four (or two) taps to an instruction, from rows of
// bytes to rows of bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/pass.h"

namespace convolve::cpu {

/// A kernel as whole numbers: result = scale * sum(weights * samples) + offset, or its absolute value.
struct ByteKernel {
  /// Bits of a weight: 8 (four weights in each word of `words`) or 16 (two).
  int bits = 8;
  int rows = 0;
  int groups = 0;  // words for each row
  std::vector<uint32_t> words;
  /// For eight rows of results at once, of 16-bit weights: for each word of a row its even rows, its odd rows, and the
  /// even less the odd (with a last row of zeros where there are fewer odd ones). Where the last word of a row is one
  /// weight, those of all rows are paired down the rows instead, in words that begin with the first, then in words that
  /// begin with a zero before it. Empty where a difference has more than 16 bits, or rows are too few or many.
  std::vector<uint32_t> halved;
  bool paired_column = false;  // so are the last words of `halved`
  float scale = 1;
};

/// A linear pass or a magnitude on bytes.
struct ByteWeights {
  std::vector<ByteKernel> kernels;  // one, or the two of a magnitude, equally large
  float offset = 0;                 // in code values
  float half = 0.5f;  // what is added before cutting off: a half, and so little more that exact halves reach it
  bool absolute = false;
  /// Every result lies within bytes, and halves are rare: floats may round to whole numbers by themselves.
  bool inside = false;
  /// What the whole numbers cost: the expected share of samples, on noise, that are not rounded exactly, and the
  /// largest error before rounding, in code values.
  double expected_share = 0;
  double largest_error = 0;
};

/// What may be turned into whole numbers: each linear pass is its weights times `result` over the divisor, plus `input`
/// at the anchor, plus `offset`.
struct ByteSource {
  const DenseWeights* kernel = nullptr;
  const DenseWeights* other = nullptr;  // the second of a magnitude
  /// The window that both lie in (prepared_plan.h): its size, and where each kernel's anchor is.
  int width = 0;
  int height = 0;
  int anchor_x = 0;
  int anchor_y = 0;
  Epilogue epilogue;
  RangeKind range = RangeKind::kClamp;
};

/// The pass as whole numbers, or nothing where 16 bits are too coarse for it or its sums might overflow 32 bits. The
/// bounds hold for every picture: see byte_sums.cpp.
std::optional<ByteWeights> ByteWeightsOf(const ByteSource& source);

/// Rows of bytes become rows of bytes.
struct ByteJob {
  const uint8_t* const* rows = nullptr;  // window rows + outputs - 1
  uint8_t* const* output = nullptr;
  size_t samples = 0;  // at least kByteBlock, or `padded`
  size_t step = 0;     // the channels
  const ByteWeights* weights = nullptr;
  bool stream = false;          // past the caches, where that is possible
  bool padded = false;          // output rows may be written kByteBlock samples too far
  size_t alpha_channels = 0;    // 2 or 4: the last of these is not the sum; 0: all are
  bool alpha_of_input = false;  // it is the pixel's own, else full scale
  /// Of eight rows: part of the sums of the next eight, kept for them, and what the eight before kept; null for the
  /// first.
  int32_t* carry = nullptr;
  const int32_t* carried = nullptr;
  size_t input_row = 0;  // of the window, where the pixel itself lies
  size_t input_offset = 0;
};

/// Kernels of so many rows have `halved`: smaller ones gain little, larger ones are transformed.
inline constexpr size_t kLeastHalvedRows = 5;
inline constexpr size_t kMostHalvedRows = 17;
/// The most rows of results that are computed together.
inline constexpr int kByteRowsAtOnce = 8;
/// Samples that are computed at once.
inline constexpr size_t kByteBlock = 64;
/// Bytes that may be read after the last sample of a window.
inline constexpr size_t kBytesBeyond = 32;

/// `outputs` is 1, 4 (at least 3 window rows) or 8 (the kernel has `halved`).
using ByteRows = void (*)(const ByteJob& job, int outputs);

/// The best function that this build and machine have beside AVX-512; null where there is none.
ByteRows VnniByteRows();

}  // namespace convolve::cpu
