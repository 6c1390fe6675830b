// A row and a column of weights on 8-bit samples in whole numbers: columns are summed to 16 bits, those are summed
// across and rounded to bytes. Two taps to an instruction in either direction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/pass.h"

namespace convolve::cpu {

/// result = scale * sum over i of row[i] * V[i] + offset, where V = round(sum over j of column[j] * (sample - 128) /
/// 256). Two neighbouring weights to a word, filled up with zeros.
struct BytePair {
  /// Words that begin with the first weight, and as many that begin with a zero before it.
  std::vector<uint32_t> column;
  std::vector<uint32_t> late_column;
  std::vector<uint32_t> row;
  float scale = 1;
  float offset = 0;  // in code values, with the half that is added before cutting off
  /// Where every result lies within bytes and the scale is 2^-24: the sum, and this, less 128 results in its upper
  /// byte.
  std::optional<int32_t> start;
  /// What the whole numbers cost: the expected share of samples, on noise, that are not rounded exactly, and the
  /// largest error before rounding, in code values.
  double expected_share = 0;
  double largest_error = 0;
};

/// The pass as whole numbers, or nothing where 16 bits are too coarse for it. Results are the column's times the row's
/// sum times epilogue.result over the divisor, plus epilogue.offset, cut to bytes.
std::optional<BytePair> BytePairOf(const SeparableWeights& weights, const Epilogue& epilogue);

/// output[q][x] = V of the rows from q on, for kBytePairRows results.
struct ByteColumnsJob {
  const uint8_t* const* rows = nullptr;  // ByteColumnRows(word_count) of them
  const uint32_t* words = nullptr;
  const uint32_t* late_words = nullptr;
  size_t word_count = 0;
  size_t samples = 0;         // rows are read, and written, to the next multiple of kByteColumnsBlock
  int16_t* output = nullptr;  // aligned
  size_t output_stride = 0;   // a multiple of kByteColumnsBlock
};

/// Rows of bytes from rows of V, which are read up to kByteRowsBeyond samples behind their last one.
struct ByteAcrossJob {
  const int16_t* input = nullptr;
  size_t input_stride = 0;
  size_t rows = 0;  // up to kBytePairRows
  const uint32_t* words = nullptr;
  size_t word_count = 0;
  size_t step = 0;  // the channels
  size_t samples = 0;
  float scale = 1;
  float offset = 0;
  std::optional<int32_t> start;      // BytePair's
  size_t opaque_channels = 0;        // 2 or 4: the last of these becomes 255; 0: none does
  uint8_t* const* output = nullptr;  // for each row; exactly `samples` are written
  bool stream = false;               // past the caches
  /// Memory that will be read soon and is fetched meanwhile, `samples` bytes for each row; null: none.
  const uint8_t* const* ahead = nullptr;
};

inline constexpr size_t kBytePairRows = 8;
/// Rows of samples under kBytePairRows results of so many words.
constexpr size_t ByteColumnRows(size_t words) { return kBytePairRows + 2 * words - 2; }
inline constexpr size_t kByteColumnsBlock = 32;
inline constexpr size_t kByteRowsBeyond = 192;

struct BytePairKernels {
  void (*columns)(const ByteColumnsJob& job) = nullptr;
  void (*across)(const ByteAcrossJob& job) = nullptr;
};

/// The functions that this build and machine have beside AVX-512; null where there are none.
BytePairKernels VnniBytePairs();

}  // namespace convolve::cpu
