// Works backwards from each band to what every pass has to leave, then forwards to what is new in it.
#include "cpu/bands.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "cpu/copy_block.h"
#include "cpu/pair_buffers.h"
#include "cpu/pass_block.h"

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
constexpr int kStripsPerThread = 4;  // so that no thread waits long for the last one
constexpr int kBandsPerLoad = 2;     // heights of a kernel that a band is high where rows are loaded for it
constexpr double kMostTwice = 0.2;   // share of a strip that is computed by its neighbours too
constexpr int kGroup = 16;           // rows that separable passes compute together, at most
constexpr size_t kLine = 64;         // bytes

int Divided(int value, int by) { return (value + by - 1) / by; }
int RoundUp(int value, int step) { return Divided(value, step) * step; }
size_t WholeLines(size_t bytes) { return (bytes + kLine - 1) / kLine * kLine; }

/// Bytes from row to row of what a pass keeps: whole cache lines, an odd number of them, so that rows do not compete
/// for the same places.
template <typename T>
size_t KeptRowBytes(const PreparedPass<T>& pass, int pixels, int channels) {
  const size_t samples = static_cast<size_t>(pixels) * static_cast<size_t>(channels);
  return ((samples * BytesPerSample(pass.kept_type) + kRowSlackBytes + kLine - 1) / kLine | 1) * kLine;
}

/// The columns that every pass has to leave for these of the last one's result.
template <typename T>
std::vector<IndexSet> ColumnsOf(const PreparedPlan<T>& plan, IndexSet columns) {
  std::vector<IndexSet> needs(plan.passes.size());
  for (size_t k = plan.passes.size(); k-- > 0;) {
    const PreparedPass<T>& pass = plan.passes[k];
    needs[k] = columns;
    // A transform looks at the input of whole tiles of its grid.
    if (pass.fft != nullptr) columns = WholeTiles(columns, pass.fft->tile_width(), pass.output_width);
    if (k > 0) columns = NeededInput(columns, pass.across, pass.border, pass.input_width);
  }
  return needs;
}

/// Of a pass's result in one band.
struct BandRows {
  IndexSet fresh;  // computed
  IndexSet there;  // kept for the next pass afterwards
};

/// Which rows every pass computes for a band, where `rows` is what the band before it has left; becomes what this one
/// leaves. Passes compute what the next one needs for its fresh rows, without what is there.
template <typename T>
void NextBand(const PreparedPlan<T>& plan, const Interval& band, std::vector<BandRows>& rows) {
  IndexSet needed(band.begin, band.end);
  for (size_t k = plan.passes.size(); k-- > 0;) {
    const PreparedPass<T>& pass = plan.passes[k];
    const bool last = k + 1 == plan.passes.size();
    // Whole tiles, so that the next band need not transform them again.
    const IndexSet whole =
        pass.fft == nullptr ? needed : WholeTiles(needed, pass.fft->tile_height(), pass.output_height);
    rows[k].fresh = last ? needed : rows[k].there.Extend(whole);
    if (rows[k].fresh.intervals().empty()) {
      for (size_t earlier = 0; earlier < k; ++earlier) rows[earlier].fresh = IndexSet();
      return;
    }
    if (k > 0) needed = NeededInput(last ? whole : rows[k].fresh, pass.down, pass.border, pass.input_height);
  }
}

/// Bytes of a kept row of every pass, and of the rows that the passes behind it reach beyond a band.
struct KeptBytes {
  int64_t row = 0;
  int64_t halo = 0;
};

template <typename T>
KeptBytes KeptBytesOf(const PreparedPlan<T>& plan, const std::vector<IndexSet>& columns) {
  KeptBytes kept;
  for (size_t k = 0; k + 1 < plan.passes.size(); ++k) {
    const int64_t bytes = static_cast<int64_t>(KeptRowBytes(plan.passes[k], columns[k].size(), plan.channels));
    kept.row += bytes;
    // Rows further ahead have been computed by then.
    kept.halo += (plan.passes[k + 1].window_height() - 1) * bytes;
  }
  return kept;
}

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
  const KeptBytes kept = KeptBytesOf(plan, columns);
  int least = kLeastSharedRows;
  for (const PreparedPass<T>& pass : plan.passes) {
    least = std::max(least, static_cast<int>(kBandsPerLoad * LoadWeight(pass) * pass.window_height()));
  }
  // Where bands do not end with the last pass's tiles, those between two bands are transformed for both.
  constexpr int kTilesPerBand = 4;
  const FftPlan* const fft = plan.passes.back().fft.get();
  if (fft != nullptr && fft->tile_height() % step != 0) least = std::max(least, kTilesPerBand * fft->tile_height());
  const int64_t fits = (static_cast<int64_t>(kSharedBytes) - kept.halo) / std::max<int64_t>(kept.row, 1);
  return std::max(static_cast<int>(std::clamp<int64_t>(fits, 0, height)), least);
}

/// Bands end where tiles of the last pass do, and pixels of the level.
template <typename T>
int BandStepOf(const PreparedPlan<T>& plan, int level) {
  const FftPlan* const fft = plan.passes.back().fft.get();
  if (fft != nullptr && fft->tile_height() % (1 << level) == 0) return fft->tile_height();
  return std::max(kGroup, 1 << level);
}

/// Intervals that do not cross the end of the ring.
std::vector<Interval> CutAtRing(const Interval& rows, const KeptRows& kept) {
  std::vector<Interval> cut;
  for (int begin = rows.begin; begin < rows.end; begin = cut.back().end) {
    const int left = kept.ring - (begin + kept.shift) % kept.ring;
    cut.push_back({begin, std::min(rows.end, begin + left)});
  }
  return cut;
}

template <typename T>
size_t BlockBytes(const PreparedPlan<T>& plan, size_t pass, int width, int height) {
  if (plan.passes.empty()) return CopyBlockBytes<T>(plan.channels, width);
  return PassBlockBytes(plan.passes[pass], plan.channels, width, height);
}

template <typename T>
class BandCutter {
 public:
  BandCutter(const PreparedPlan<T>& plan, const Region& region, int level, int threads)
      : plan_(plan), region_(region), level_(level), threads_(threads) {}

  Bands Cut() {
    if (plan_.passes.size() <= 1) {
      BandStep step;
      AddPiece(step, region_, level_);
      AddStep(std::move(step));
      return std::move(bands_);
    }
    columns_ = ColumnsOf(plan_, IndexSet(region_.x, region_.x + region_.width));
    const int step = BandStepOf(plan_, level_);
    const int rows = RoundUp(threads_ == 0 ? kOwnRows : SharedRows(plan_, columns_, region_.height, step), step);
    std::vector<Interval> bands;
    std::vector<std::vector<BandRows>> left;
    std::vector<BandRows> now(plan_.passes.size());
    for (int y = region_.y; y < region_.y + region_.height; y = bands.back().end) {
      bands.push_back({y, std::min(region_.y + region_.height, (y / rows + 1) * rows)});
      NextBand(plan_, bands.back(), now);
      left.push_back(now);
    }
    Keep(left);
    for (size_t b = 0; b < bands.size(); ++b) {
      for (size_t k = 0; k + 1 < plan_.passes.size(); ++k) AddKept(k, std::move(left[b][k]));
      BandStep step;
      step.pass = plan_.passes.size() - 1;
      AddPiece(step, {region_.x, bands[b].begin, region_.width, bands[b].end - bands[b].begin}, level_);
      AddStep(std::move(step));
    }
    return std::move(bands_);
  }

 private:
  /// Makes room for the most that any band leaves.
  void Keep(const std::vector<std::vector<BandRows>>& left) {
    for (size_t k = 0; k + 1 < plan_.passes.size(); ++k) {
      KeptRows kept;
      kept.columns = columns_[k];
      kept.row_bytes = KeptRowBytes(plan_.passes[k], kept.columns.size(), plan_.channels);
      for (const std::vector<BandRows>& rows : left) kept.ring = std::max(kept.ring, rows[k].there.size());
      // Rows come in groups: none is cut at the end of the ring from the second band on.
      kept.ring = RoundUp(kept.ring, kGroup);
      const std::vector<Interval>& first = left.front()[k].there.intervals();
      kept.shift = (kGroup - first.back().end % kGroup) % kGroup;
      bands_.kept_bytes += WholeLines(static_cast<size_t>(kept.ring) * kept.row_bytes);
      bands_.kept.push_back(std::move(kept));
    }
    // Threads that share a band take other columns of the next one.
    if (threads_ > 0) return;
    for (size_t k = 0; k < plan_.passes.size(); ++k) {
      const bool one = columns_[k].intervals().size() == 1;
      const int width = columns_[k].size();
      bands_.running_bytes.push_back(one ? RunningSumsBytes(plan_.passes[k], plan_.channels, width) : 0);
      bands_.kept_bytes += bands_.running_bytes.back();
    }
  }

  void AddKept(size_t pass, BandRows rows) {
    if (rows.fresh.intervals().empty()) return;
    BandStep step;
    step.pass = pass;
    // Wrapped borders need both ends of the picture.
    step.ring = rows.there.intervals().size() == 1;
    for (const Interval& fresh : rows.fresh.intervals()) {
      const std::vector<Interval> parts =
          step.ring ? CutAtRing(fresh, bands_.kept[pass]) : std::vector<Interval>{fresh};
      for (const Interval& part : parts) {
        for (const Interval& columns : columns_[pass].intervals()) {
          AddPiece(step, {columns.begin, part.begin, columns.end - columns.begin, part.end - part.begin}, 0);
        }
      }
    }
    step.rows = std::move(rows.there);
    AddStep(std::move(step));
  }

  void AddPiece(BandStep& step, const Region& region, int level) {
    Tiling tiling{region.width, region.height, region.width, region.height, 1, 1};
    if (threads_ > 0) tiling = CutRegion(plan_, step.pass, region, level, threads_);
    const int width = std::min(tiling.block_width, region.width);
    const int height = std::min({tiling.block_height, tiling.unit_height, region.height});
    bands_.block_bytes = std::max(bands_.block_bytes, BlockBytes(plan_, step.pass, width, height));
    step.pieces.push_back({region, tiling});
  }

  void AddStep(BandStep step) {
    size_t units = 0;
    for (const BandPiece& piece : step.pieces) units += piece.tiling.units();
    bands_.most_units = std::max(bands_.most_units, units);
    bands_.steps.push_back(std::move(step));
  }

  const PreparedPlan<T>& plan_;
  const Region region_;
  const int level_;
  const int threads_;
  std::vector<IndexSet> columns_;
  Bands bands_;
};

}  // namespace

template <typename T>
Bands CutBands(const PreparedPlan<T>& plan, const Region& region, int level, int threads) {
  return BandCutter<T>(plan, region, level, threads).Cut();
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
  tiling.block_width = tiling.unit_width;
  tiling.block_height = tiling.unit_height;
  return tiling;
}

template Bands CutBands<float>(const PreparedPlan<float>&, const Region&, int, int);
template Bands CutBands<double>(const PreparedPlan<double>&, const Region&, int, int);
template std::optional<Tiling> CutStrips<float>(const PreparedPlan<float>&, const Region&, int, int);
template std::optional<Tiling> CutStrips<double>(const PreparedPlan<double>&, const Region&, int, int);

}  // namespace convolve::cpu
