// Narrow strips whose rows in use stay in the second-level cache, in bands long enough that loading the halo above them
// costs little.
#include "cpu/tiling.h"

#include <algorithm>
#include <cstdint>

#include "cpu/byte_pair_block.h"
#include "cpu/pair_buffers.h"
#include "cpu/pass_block.h"

namespace convolve::cpu {
namespace {

// Measured: rings of 384 KiB to 1.5 MiB are equally fast where the second-level cache has 1 MiB.
constexpr size_t kRingBytes = 512 * 1024;
// Rows that are read where they lie are streams: the longer, the better they are fetched ahead.
constexpr size_t kDirectBytes = 1024 * 1024;
constexpr int kNarrowest = 128;     // pixels: narrower strips load more halo than picture
constexpr int kUnitsPerThread = 6;  // so that no thread waits long for the last one
constexpr int kHalosPerStrip = 2;   // whose loading costs little
constexpr int kUnbounded = 1 << 30;

int Divided(int value, int by) { return (value + by - 1) / by; }

/// The length cut into equal pieces of at most `most`, each a multiple of `grain`.
int Even(int length, int most, int grain) {
  const int pieces = Divided(length, std::max(1, most));
  return Divided(Divided(length, pieces), grain) * grain;
}

template <typename T>
int StripWidth(const PreparedPlan<T>& plan, size_t index, int width) {
  if (plan.passes.empty()) return width;
  const PreparedPass<T>& pass = plan.passes[index];
  const SampleType source = pass.input_type;
  const int grain = std::max(16, plan.lines.step);
  if (pass.byte_pair) return Even(width, BytePairStripPixels(pass, plan.channels), grain);
  if (pass.separable()) return Even(width, PairStripPixels(pass, plan.channels, source), grain);
  const size_t rows = static_cast<size_t>(pass.window_height()) + 2 * kRowsAtOnce - 1;
  const size_t sample = pass.direct || pass.byte_taps ? BytesPerSample(source) : sizeof(T);
  const size_t pixel = static_cast<size_t>(plan.channels) * sample;
  const int fits = static_cast<int>((pass.direct ? kDirectBytes : kRingBytes) / (rows * pixel));
  return Even(width, std::max(fits - (pass.window_width() - 1), kNarrowest), 16);
}

/// Units that are tiles of a pass's grid, so that no tile is transformed twice; several where pixels of the level are
/// larger.
Tiling CutAlongGrid(const FftPlan& fft, const Region& region, int grain) {
  Tiling tiling;
  tiling.unit_width = std::max(fft.tile_width(), grain);
  tiling.unit_height = std::max(fft.tile_height(), grain);
  tiling.block_width = tiling.unit_width;
  tiling.block_height = tiling.unit_height;
  tiling.lead_x = region.x % tiling.unit_width;
  tiling.lead_y = region.y % tiling.unit_height;
  tiling.columns = Divided(tiling.lead_x + region.width, tiling.unit_width);
  tiling.rows = Divided(tiling.lead_y + region.height, tiling.unit_height);
  return tiling;
}

/// Whether tiles of the pass's grid are whole pixels of a level, or whole tiles make one.
bool HasGrid(const FftPlan* fft, int grain) {
  const auto fits = [&](int side) { return side % grain == 0 || grain % side == 0; };
  return fft != nullptr && fits(fft->tile_width()) && fits(fft->tile_height());
}

}  // namespace

template <typename T>
Tiling CutRegion(const PreparedPlan<T>& plan, size_t pass, const Region& region, int level, int threads) {
  const int grain = 1 << level;
  const PreparedPass<T>* const cut = plan.passes.empty() ? nullptr : &plan.passes[pass];
  if (cut != nullptr && HasGrid(cut->fft.get(), grain)) return CutAlongGrid(*cut->fft, region, grain);
  Tiling tiling;
  tiling.block_width = std::min(StripWidth(plan, pass, region.width), region.width);
  const int strips = Divided(region.width, tiling.block_width);
  const int wanted = Divided(threads * kUnitsPerThread, strips);
  // Pairs of working values read the rows around a band where they lie, without loading or filtering them once more.
  // Those of bytes copy them, which is little beside their sums.
  const bool free = cut == nullptr || !cut->pair.empty();
  const int halo = free ? 0 : cut->window_height() - 1;
  const int shortest = std::min(std::max(16, kHalosPerStrip * halo), Divided(region.height, Divided(threads, strips)));
  tiling.unit_height = std::max(Divided(region.height, wanted), shortest);
  const int group = 16;  // rows that separable passes compute together, at most
  tiling.unit_height = Divided(tiling.unit_height, group) * group;
  tiling.block_height = kUnbounded;
  tiling.unit_width = tiling.block_width;
  if (level > 0) {
    tiling.unit_width = std::max(tiling.unit_width / grain * grain, grain);
    tiling.unit_height = std::max(tiling.unit_height / grain * grain, grain);
    // A unit of several blocks is one pixel of the level high, so that it finishes one row of the level at its end.
    const bool several = tiling.unit_width > tiling.block_width || tiling.unit_height > tiling.block_height;
    if (several) tiling.unit_height = grain;
  }
  tiling.unit_width = std::min(tiling.unit_width, region.width);
  tiling.unit_height = std::min(tiling.unit_height, region.height);
  tiling.block_width = std::min(tiling.block_width, tiling.unit_width);
  tiling.block_height = std::min(tiling.block_height, tiling.unit_height);
  // Rows that are written together go past the caches only where all of them begin cache lines: what lies before the
  // first one is a strip of its own.
  if (level == 0 && cut != nullptr && pass + 1 == plan.passes.size() && (cut->byte_pair || cut->separable())) {
    const int before = plan.lines.Before(region.x);
    if (before > 0 && before < region.width) tiling.lead_x = tiling.unit_width - before;
  }
  tiling.columns = Divided(tiling.lead_x + region.width, tiling.unit_width);
  tiling.rows = Divided(region.height, tiling.unit_height);
  return tiling;
}

Region UnitAt(const Tiling& tiling, const Region& region, size_t index) {
  const int column = static_cast<int>(index % static_cast<size_t>(tiling.columns));
  const int row = static_cast<int>(index / static_cast<size_t>(tiling.columns));
  const int left = column * tiling.unit_width - tiling.lead_x;
  const int top = row * tiling.unit_height - tiling.lead_y;
  const int x = std::max(left, 0);
  const int y = std::max(top, 0);
  return {region.x + x, region.y + y, std::min(left + tiling.unit_width, region.width) - x,
          std::min(top + tiling.unit_height, region.height) - y};
}

template Tiling CutRegion<float>(const PreparedPlan<float>&, size_t, const Region&, int, int);
template Tiling CutRegion<double>(const PreparedPlan<double>&, size_t, const Region&, int, int);

}  // namespace convolve::cpu
