// A kernel of few weights on 8-bit samples in whole numbers: exact integer sums of its taps alone, two to an
// instruction, from rows of bytes to rows of bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/pass.h"

namespace convolve::cpu {

/// Where a tap lies in the window: its row, and its column in samples.
struct ByteTap {
  size_t row = 0;
  size_t offset = 0;
};

/// result = scale * sum(weights * samples) + offset. Two taps to a word of weights, the last one of an odd number with
/// a zero.
struct ByteTaps {
  std::vector<ByteTap> taps;  // an even number
  std::vector<uint32_t> words;
  float scale = 1;
  float offset = 0;  // in code values, with the half that is added before cutting off
};

/// The pass as whole numbers, or nothing where 16 bits are too coarse for it or there are too many taps for this to be
/// the quickest way. Results are the sum times epilogue.result over the divisor, plus epilogue.offset, cut to bytes.
std::optional<ByteTaps> ByteTapsOf(const SparseWeights& weights, const Epilogue& epilogue, size_t channels);

struct ByteTapsJob {
  const uint8_t* const* rows =
      nullptr;  // window rows, which are read up to kByteTapsBeyond bytes behind the last sample
  const ByteTaps* taps = nullptr;
  size_t samples = 0;
  size_t opaque_channels = 0;  // 2 or 4: the last of these becomes 255; 0: none does
  uint8_t* output = nullptr;   // exactly `samples` are written
  bool stream = false;         // past the caches
};

inline constexpr size_t kByteTapsBeyond = 128;

using ByteTapsRow = void (*)(const ByteTapsJob& job);

/// The function that this build and machine have beside AVX-512; null where there is none.
ByteTapsRow VnniByteTaps();

}  // namespace convolve::cpu
