// Long transforms do less for each result, short ones stay in the caches, leave fewer rows waiting for the pass behind
// them, and compute less that a view did not ask for.
#include "cpu/fft_line.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cpu/fft_length.h"

namespace convolve::cpu {
namespace {

/// Steps are multiples of it where it costs little: a tile is then whole pixels of a coarse level.
constexpr int kLevelGrain = 128;
/// Of a tile that a view needs a part of, so much counts as computed in vain.
constexpr double kPartly = 0.4;

int RoundDown(int value, int step) { return value / step * step; }

/// Relative time of a cell by the bytes of a strip: in the second-level cache or beyond; twice in double.
double CacheFactor(double length, size_t value_bytes) {
  const double bytes = length * 2 * kLineGrain * static_cast<double>(value_bytes);
  return (bytes <= 300e3 ? 1 : bytes <= 600e3 ? 1.15 : 1.5) * (static_cast<double>(value_bytes) / sizeof(float));
}

int StepOf(int length, const LineNeeds& needs) {
  int fits = length - needs.kernel + 1;
  if (needs.axes == FftAxes::kDown) fits = std::min(fits, std::max(needs.most_rows, kLeastLineRows));
  const int coarse = RoundDown(fits, kLevelGrain);
  const int fine = RoundDown(fits, kLineGrain);
  return coarse * 100 >= fine * 92 ? coarse : fine;
}

}  // namespace

LineShape ShapeOfLine(const LineNeeds& needs) {
  constexpr double kTranspose = 20;  // of a cell, there and back
  constexpr double kLoad = 12;       // of a cell from its samples
  constexpr double kStore = 20;      // of a cell of results
  LineShape best;
  best.work = std::numeric_limits<double>::infinity();
  for (const int length : LineSizes()) {
    const int step = StepOf(length, needs);
    if (step <= 0) continue;
    const double cell =
        2 * FftLengthOf<float>(length).instructions + 4 + kLoad + (needs.axes == FftAxes::kAcross ? kTranspose : 0);
    const double together = static_cast<double>(step) * needs.tiles;
    const double count = std::ceil(needs.output / together) + kPartly;
    const double transform = length * CacheFactor(length, needs.value_bytes) * cell + kStore * step;
    // Two real pictures share a cell.
    const double work = count * needs.tiles * transform / needs.output / 2;
    if (work < best.work) best = {length, step, work};
  }
  return best;
}

}  // namespace convolve::cpu
