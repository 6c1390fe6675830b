#include "cpu/strips.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace convolve::cpu {
namespace {

/// What is kept of all passes should stay in the caches that the threads share,
constexpr size_t kSharedBytes = 12 << 20;
constexpr int kLeastSharedRows = 64;  // of a band: threads wait for each other after each pass of it
/// or in the second-level cache of one.
constexpr size_t kOwnBytes = 512 * 1024;
constexpr int kOwnRows = 32;
constexpr int kNarrowest = 192;  // pixels of a strip
constexpr int kWidest = 1024;
constexpr size_t kBoundedWorkers = 2;  // whose blocks count among the bytes that are bounded
constexpr int kStripsPerThread = 4;    // so that no thread waits long for the last one
constexpr int kBandsPerLoad = 2;       // heights of a kernel that a band is high where rows are loaded for it
constexpr double kMostTwice = 0.2;     // share of a strip that is computed by its neighbours too
constexpr int kHighestBand = 1024;
constexpr int kGroup = 16;  // rows that separable passes compute together, at most
/// Where the bound on scratch asks for strips that are computed once more by their neighbours, so much work may become
/// of it; what would need more is not bounded.
constexpr double kMostWork = 4;

int Divided(int value, int by) { return (value + by - 1) / by; }
int RoundUp(int value, int step) { return Divided(value, step) * step; }

/// What it costs to begin a band, as a share of what loading all of its rows in linear light would: most passes read
/// rows where they lie, others load as many as their kernel is tall, and running sums begin with as many.
template <typename T>
double LoadWeight(const PreparedPass<T>& pass) {
  if (pass.to_linear) return 1;
  const bool reads = !pass.premultiply && (pass.direct || !pass.pair.empty() || pass.fft != nullptr);
  return reads ? 0 : 0.25;
}

/// Rows of a band that threads share: few enough that what is kept stays in the caches, many enough that threads do not
/// wait for each other all the time, and that running sums do not start too often.
template <typename T>
int SharedRows(const PreparedPlan<T>& plan, const std::vector<IndexSet>& columns, int height, int step) {
  int64_t row_bytes = 0;
  int64_t halo_bytes = 0;
  for (size_t k = 0; k + 1 < plan.passes.size(); ++k) {
    const int64_t bytes = static_cast<int64_t>(KeptRowBytes(plan.passes[k], columns[k].size(), plan.channels));
    row_bytes += bytes;
    // Rows further ahead have been computed by then.
    halo_bytes += (plan.passes[k + 1].window_height() - 1) * bytes;
  }
  int least = kLeastSharedRows;
  for (const PreparedPass<T>& pass : plan.passes) {
    least = std::max(least, static_cast<int>(kBandsPerLoad * LoadWeight(pass) * pass.window_height()));
  }
  // Where bands do not end with the last pass's tiles, those between two bands are transformed for both.
  constexpr int kTilesPerBand = 4;
  const FftPlan* const fft = plan.passes.back().fft.get();
  if (fft != nullptr && fft->tile_height() % step != 0) least = std::max(least, kTilesPerBand * fft->tile_height());
  const int64_t fits = (static_cast<int64_t>(kSharedBytes) - halo_bytes) / std::max<int64_t>(row_bytes, 1);
  return std::max(static_cast<int>(std::clamp<int64_t>(fits, 0, height)), least);
}

/// Bands end where tiles of the last pass do, and pixels of the level.
template <typename T>
int BandStepOf(const PreparedPlan<T>& plan, int level) {
  const FftPlan* fft = plan.passes.back().fft.get();
  // Rows of a second half go with the tiles of the first.
  const size_t count = plan.passes.size();
  if (count > 1 && plan.passes[count - 2].first_half) fft = plan.passes[count - 2].fft.get();
  if (fft != nullptr && fft->tile_height() % (1 << level) == 0) return fft->tile_height();
  return std::max(kGroup, 1 << level);
}

/// `count` strips or fewer, side by side.
template <typename T>
Tiling CutInto(const PreparedPlan<T>& plan, const Region& region, int level, int count) {
  const FftPlan* const fft = plan.passes.empty() ? nullptr : plan.passes.back().fft.get();
  const int grain = std::max(kGroup, 1 << level);
  const bool tiles = fft != nullptr && fft->tile_width() % grain == 0;
  Tiling tiling;
  tiling.unit_width = std::min(RoundUp(Divided(region.width, count), tiles ? fft->tile_width() : grain), region.width);
  tiling.unit_height = region.height;
  tiling.block_width = tiling.unit_width;
  tiling.block_height = tiling.unit_height;
  tiling.columns = Divided(region.width, tiling.unit_width);
  tiling.rows = 1;
  return tiling;
}

/// Columns that all passes compute, of all strips.
template <typename T>
int64_t ColumnsComputed(const PreparedPlan<T>& plan, const Region& region, const Tiling& strips) {
  int64_t columns = 0;
  for (size_t unit = 0; unit < strips.units(); ++unit) {
    const Region strip = UnitAt(strips, region, unit);
    for (const IndexSet& one : ColumnsOf(plan, IndexSet(strip.x, strip.x + strip.width))) columns += one.size();
  }
  return columns;
}

/// Relative time of a row in bands of this height: what separable passes, which do little for each row that they read,
/// read of the rows that were there before comes from memory again (measured with Gaussians of 121 rows), and threads
/// wait for each other after each pass.
template <typename T>
double BandCost(const PreparedPlan<T>& plan, int height) {
  constexpr double kReading = 0.1;
  constexpr double kWaiting = 2;  // rows
  double read = 0;
  for (const PreparedPass<T>& pass : plan.passes) read += pass.separable() ? pass.window_height() - 1 : 0;
  const double share = read / static_cast<double>(plan.passes.size()) / height;
  return 1 + kReading * share + kWaiting / height;
}

/// As the pool counts it, in whole MiB of each buffer.
size_t ScratchBytes(size_t kept, size_t block, size_t workers) {
  constexpr size_t kStep = size_t{1} << 20;
  const auto whole = [](size_t bytes) { return (bytes + kStep - 1) / kStep * kStep; };
  return whole(kept) + workers * whole(block);
}

/// The strips and bands whose bytes the bound allows and that cost least; `cut` where it allows none.
template <typename T, typename Fits>
SharedStrips CheapestCut(const PreparedPlan<T>& plan, const Region& region, int level, SharedStrips cut,
                         const Fits& fits) {
  if (fits(cut)) return cut;
  const int lowest = RoundUp(kGroup, BandStepOf(plan, level));
  int highest = lowest;
  while (2 * highest <= kHighestBand) highest *= 2;
  const int64_t once = ColumnsComputed(plan, region, cut.strips);
  double least = std::numeric_limits<double>::infinity();
  int before = 0;
  for (int count = 1; region.width / count >= kGroup; ++count) {
    SharedStrips tried{CutInto(plan, region, level, count), {}};
    if (tried.strips.columns == before) continue;
    before = tried.strips.columns;
    const double work = static_cast<double>(ColumnsComputed(plan, region, tried.strips)) / static_cast<double>(once);
    if (work > kMostWork || work >= least) break;
    // The highest bands that fit cost least.
    for (int height = highest; height >= lowest; height /= 2) {
      tried.shape = {height, true};
      const double cost = work * BandCost(plan, height);
      if (cost >= least) break;
      if (!fits(tried)) continue;
      least = cost;
      cut = tried;
      break;
    }
  }
  return cut;
}

}  // namespace

int RowsOfOwnBands(int level) { return RoundUp(kOwnRows, std::max(kGroup, 1 << level)); }

template <typename T>
SharedStrips CutShared(const PreparedPlan<T>& plan, const Region& region, int level, int threads, size_t last_bytes,
                       const CancelToken& cancel) {
  SharedStrips cut{CutInto(plan, region, level, 1), {}};
  if (plan.passes.size() <= 1) return cut;
  const int step = BandStepOf(plan, level);
  const std::vector<IndexSet> columns = ColumnsOf(plan, IndexSet(region.x, region.x + region.width));
  const int rows = RoundUp(SharedRows(plan, columns, region.height, step), step);
  cut.shape = {rows, false};
  /// `bytes_of`: what bands of a strip hold.
  const auto fits = [&](const SharedStrips& tried, const auto& bytes_of) {
    const size_t workers = std::min<size_t>(static_cast<size_t>(threads), kBoundedWorkers);
    const size_t last = tried.strips.units() - 1;
    BandBytes most;
    // Those in the middle reach to both sides and are alike; where they do not fit, the others need not be looked at.
    for (const size_t unit : {(last + 1) / 2, size_t{0}, last}) {
      cancel.ThrowIfCancelled();
      const BandBytes bytes = bytes_of(UnitAt(tried.strips, region, unit), tried.shape);
      most = {std::max(most.kept, bytes.kept), std::max(most.block, bytes.block)};
      if (ScratchBytes(most.kept, most.block + last_bytes, workers) > kMostScratchBytes) return false;
      if (last == 0) break;
    }
    return true;
  };
  const auto fits_surely = [&](const SharedStrips& tried) {
    return fits(tried, [&](const Region& strip, const BandShape& shape) {
      return Bands<T>(plan, strip, level, threads, shape).bytes();
    });
  };
  // Most plans keep so little that there is nothing to work out.
  int64_t bytes = 0;
  for (size_t k = 0; k + 1 < plan.passes.size(); ++k) {
    const int64_t kept = rows + plan.passes[k + 1].window_height() - 1;
    bytes += kept * static_cast<int64_t>(KeptRowBytes(plan.passes[k], columns[k].size(), plan.channels));
  }
  const bool transforms = std::any_of(plan.passes.begin(), plan.passes.end(),
                                      [](const PreparedPass<T>& pass) { return pass.fft != nullptr; });
  if (!transforms) {
    if (bytes <= static_cast<int64_t>(kSharedBytes)) return cut;
    // Of a thousand passes it takes long to go through all bands: only what is found without that is looked at so.
    const SharedStrips found = CheapestCut(plan, region, level, cut, [&](const SharedStrips& tried) {
      return fits(tried, [&](const Region& strip, const BandShape& shape) {
        return ExpectBandBytes(plan, strip, threads, shape);
      });
    });
    if (fits_surely(found)) return found;
  }
  return CheapestCut(plan, region, level, cut, fits_surely);
}

template <typename T>
std::optional<Tiling> CutStrips(const PreparedPlan<T>& plan, const Region& region, int level, int threads) {
  const size_t count = plan.passes.size();
  const auto transformed = [](const PreparedPass<T>& pass) { return pass.fft != nullptr; };
  if (count <= 1 || std::any_of(plan.passes.begin(), plan.passes.end(), transformed)) return std::nullopt;
  // What passes reach beyond a strip is computed twice, and kept in the cache too.
  int64_t column_bytes = 0;
  int64_t halo_bytes = 0;
  int64_t across = 0;
  int64_t down = 0;
  int64_t reach_x = 0;
  int64_t reach_y = 0;
  for (size_t k = count - 1; k > 0; --k) {
    reach_x += plan.passes[k].window_width() - 1;
    reach_y += plan.passes[k].window_height() - 1;
    across += reach_x;
    down += reach_y;
    const int64_t pixel = plan.channels * static_cast<int64_t>(BytesPerSample(plan.passes[k].input_type));
    const int64_t bytes = pixel * (kOwnRows + plan.passes[k].window_height() - 1);
    column_bytes += bytes;
    halo_bytes += reach_x * bytes;
  }
  const int64_t fits = (static_cast<int64_t>(kOwnBytes) - halo_bytes) / column_bytes;
  const int most = static_cast<int>(std::clamp<int64_t>(fits, kNarrowest, kWidest));
  const int grain = std::max(kGroup, 1 << level);
  Tiling tiling;
  tiling.unit_width = std::min(RoundUp(Divided(region.width, Divided(region.width, most)), grain), region.width);
  tiling.columns = Divided(region.width, tiling.unit_width);
  const int pieces = Divided(threads * kStripsPerThread, tiling.columns);
  tiling.unit_height = std::min(RoundUp(Divided(region.height, pieces), std::max(kOwnRows, grain)), region.height);
  tiling.rows = Divided(region.height, tiling.unit_height);
  double twice = static_cast<double>(across) / tiling.unit_width + static_cast<double>(down) / tiling.unit_height;
  for (const PreparedPass<T>& pass : plan.passes) {
    // Running sums go on from band to band.
    if (pass.box.empty() || pass.to_linear) twice += LoadWeight(pass) * (pass.window_height() - 1) / kOwnRows;
  }
  if (twice > kMostTwice * static_cast<double>(count)) return std::nullopt;
  // Many passes may keep more than a thread's share of the bound.
  if (column_bytes * tiling.unit_width + halo_bytes > static_cast<int64_t>(kMostScratchBytes / 4)) {
    return std::nullopt;
  }
  tiling.block_width = tiling.unit_width;
  tiling.block_height = tiling.unit_height;
  return tiling;
}

#define CONVOLVE_INSTANTIATE(T)                                                                                    \
  template SharedStrips CutShared<T>(const PreparedPlan<T>&, const Region&, int, int, size_t, const CancelToken&); \
  template std::optional<Tiling> CutStrips<T>(const PreparedPlan<T>&, const Region&, int, int);
CONVOLVE_INSTANTIATE(float)
CONVOLVE_INSTANTIATE(double)
#undef CONVOLVE_INSTANTIATE

}  // namespace convolve::cpu
