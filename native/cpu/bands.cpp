#include "cpu/bands.h"

#include <algorithm>
#include <utility>

#include "cpu/copy_block.h"
#include "cpu/pair_buffers.h"
#include "cpu/pass_block.h"
#include "cpu/row_stride.h"

namespace convolve::cpu {
namespace {

constexpr int kGroup = 16;            // rows that separable passes compute together, at most
constexpr int kMostCarriedShare = 4;  // one of so many rows of a band: copying them costs next to nothing

int RoundUp(int value, int step) { return (value + step - 1) / step * step; }

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
size_t BlockBytes(const PreparedPlan<T>& plan, size_t pass, const BandPiece& piece) {
  const Tiling& tiling = piece.tiling;
  const int width = std::min(tiling.block_width, piece.region.width);
  const int height = std::min({tiling.block_height, tiling.unit_height, piece.region.height});
  if (plan.passes.empty()) return CopyBlockBytes<T>(plan.channels, width);
  return PassBlockBytes(plan.passes[pass], plan.channels, width, height);
}

/// Whether few rows of a pass are carried from band to band, beside those that it computes.
template <typename T>
bool CarriesFew(const PreparedPlan<T>& plan, size_t pass, int rows) {
  const PreparedPass<T>& reader = plan.passes[pass + 1];
  const bool tiles = plan.passes[pass].fft != nullptr || reader.fft != nullptr;
  return !tiles && (reader.window_height() - 1) * kMostCarriedShare <= rows;
}

/// Where what all passes but the last leave in these columns is kept; how many rows of it is left open.
template <typename T>
std::vector<KeptRows> KeptOf(const PreparedPlan<T>& plan, const std::vector<IndexSet>& columns,
                             const BandShape& shape) {
  std::vector<KeptRows> all;
  for (size_t k = 0; k + 1 < plan.passes.size(); ++k) {
    KeptRows kept;
    kept.columns = columns[k];
    kept.row_bytes = KeptRowBytes(plan.passes[k], kept.columns.size(), plan.channels);
    kept.carries = shape.carries && CarriesFew(plan, k, shape.rows);
    all.push_back(std::move(kept));
  }
  return all;
}

/// Where passes reach so little that they all begin with the first band (band_rows.h), the rows that it computes of
/// each; else 0.
template <typename T>
std::vector<int> FirstRows(const PreparedPlan<T>& plan, const Region& region, int height) {
  std::vector<int> rows(plan.passes.size());
  const int end = std::min((region.y / height + 1) * height, region.y + region.height);
  int64_t begin = region.y;
  int64_t ahead = 0;
  int64_t earliest = region.y;
  for (size_t k = plan.passes.size(); k-- > 0;) {
    rows[k] = static_cast<int>(std::min<int64_t>(end + ahead - begin, plan.passes[k].output_height));
    earliest = std::min(earliest, begin - ahead);
    const Window& down = plan.passes[k].down;
    ahead += down.offset + down.after;
    begin = std::max<int64_t>(begin + down.offset - down.before, 0);
  }
  if (region.y - earliest > height / 2) std::fill(rows.begin(), rows.end(), 0);
  return rows;
}

/// The rows that are there in a band without being computed in it.
IndexSet CarriedRows(const PassRows& rows) {
  std::vector<Interval> carried;
  for (const Interval& interval : rows.there.intervals()) {
    int begin = interval.begin;
    for (const Interval& fresh : rows.fresh.intervals()) {
      if (fresh.end <= begin || fresh.begin >= interval.end) continue;
      if (fresh.begin > begin) carried.push_back({begin, fresh.begin});
      begin = fresh.end;
    }
    if (begin < interval.end) carried.push_back({begin, interval.end});
  }
  return IndexSet(std::move(carried));
}

}  // namespace

template <typename T>
size_t KeptRowBytes(const PreparedPass<T>& pass, int pixels, int channels) {
  const size_t samples = static_cast<size_t>(pixels) * static_cast<size_t>(channels);
  const size_t terms = pass.first_half ? std::max<size_t>(pass.terms.size(), 1) : 1;
  return terms * RowStride(samples * BytesPerSample(pass.kept_type) + kRowSlackBytes);
}

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

KeptPlaces::KeptPlaces(Carver& carver, const std::vector<KeptRows>& kept, const std::vector<size_t>& running_bytes) {
  // A pass reads the place of the one before it and writes the other.
  size_t shared[2] = {};
  for (size_t k = 0; k < kept.size(); ++k) {
    const size_t bytes = static_cast<size_t>(kept[k].ring) * kept[k].row_bytes;
    if (kept[k].carries) shared[k % 2] = std::max(shared[k % 2], bytes);
  }
  std::byte* const places[2] = {carver.Take<std::byte>(shared[0]), carver.Take<std::byte>(shared[1])};
  for (size_t k = 0; k < kept.size(); ++k) {
    const KeptRows& one = kept[k];
    const auto take = [&](int count) { return carver.Take<std::byte>(static_cast<size_t>(count) * one.row_bytes); };
    rows.push_back(one.carries ? places[k % 2] : take(one.ring));
    carried.push_back(one.carries ? take(one.carried) : nullptr);
  }
  for (const size_t bytes : running_bytes) running.push_back(bytes == 0 ? nullptr : carver.Take<std::byte>(bytes));
}

template <typename T>
BandBytes ExpectBandBytes(const PreparedPlan<T>& plan, const Region& region, int threads, const BandShape& shape) {
  const std::vector<IndexSet> columns = ColumnsOf(plan, IndexSet(region.x, region.x + region.width));
  const int rows = std::min(shape.rows, region.height);
  const std::vector<int> first = FirstRows(plan, region, shape.rows);
  std::vector<KeptRows> all = KeptOf(plan, columns, shape);
  BandBytes bytes;
  for (size_t k = 0; k < all.size(); ++k) {
    const int again = plan.passes[k + 1].window_height() - 1;
    KeptRows& kept = all[k];
    kept.ring = std::min(std::max(rows + again, first[k]), plan.passes[k].output_height);
    if (kept.carries) {
      kept.carried = std::min(again, kept.ring - 1);
    } else {
      kept.ring = RoundUp(kept.ring, kGroup);
    }
    const Interval& widest = columns[k].intervals().front();
    const Region piece{widest.begin, 0, widest.end - widest.begin, std::min(rows, plan.passes[k].output_height)};
    bytes.block = std::max(bytes.block, BlockBytes(plan, k, {piece, CutRegion(plan, k, piece, 0, threads)}));
  }
  Carver carver;
  KeptPlaces(carver, all, {});
  bytes.kept = carver.used();
  return bytes;
}

template <typename T>
Bands<T>::Bands(const PreparedPlan<T>& plan, const Region& region, int level, int threads, const BandShape& shape)
    : plan_(&plan), region_(region), level_(level), threads_(threads), shape_(shape) {
  if (plan.passes.size() > 1) {
    columns_ = ColumnsOf(plan, IndexSet(region.x, region.x + region.width));
    Keep();
  }
  Measure();
}

/// Makes room for the most that any band leaves.
template <typename T>
void Bands<T>::Keep() {
  const PreparedPlan<T>& plan = *plan_;
  kept_ = KeptOf(plan, columns_, shape_);
  for (KeptRows& kept : kept_) kept.shift = -1;
  BandRows<T> rows(plan, {region_.y, region_.y + region_.height}, shape_.rows);
  endless_rows_ = rows.endless();
  while (rows.Next()) {
    for (size_t k = 0; k < kept_.size(); ++k) {
      KeptRows& kept = kept_[k];
      const IndexSet& there = rows.passes()[k].there;
      if (there.intervals().empty()) continue;
      kept.ring = std::max(kept.ring, there.size());
      if (kept.carries) kept.carried = std::max(kept.carried, CarriedRows(rows.passes()[k]).size());
      // Rows come in groups: none is cut at the end of the ring from the second band on.
      if (kept.shift < 0) kept.shift = ((-there.intervals().back().end) % kGroup + kGroup) % kGroup;
    }
  }
  for (KeptRows& kept : kept_) {
    carries_ = carries_ || kept.carries;
    if (!kept.carries) kept.ring = RoundUp(kept.ring, kGroup);
    // Rows may be counted from far above the picture.
    if (endless_rows_) kept.shift += RoundUp(1 << 24, std::max(kept.ring, 1) * kGroup);
  }
  // Threads that share a band take other columns of the next one.
  for (size_t k = 0; threads_ == 0 && k < plan.passes.size(); ++k) {
    const bool one = columns_[k].intervals().size() == 1;
    running_bytes_.push_back(one ? RunningSumsBytes(plan.passes[k], plan.channels, columns_[k].size()) : 0);
  }
  Carver carver;
  KeptPlaces(carver, kept_, running_bytes_);
  kept_bytes_ = carver.used();
}

template <typename T>
void Bands<T>::Measure() {
  constexpr size_t kMostStored = 1024;  // steps, of some hundred bytes
  size_t count = 0;
  Walk([&](const std::vector<BandStep>& steps) {
    for (const BandStep& step : steps) {
      size_t units = 0;
      for (const BandPiece& piece : step.pieces) {
        block_bytes_ = std::max(block_bytes_, BlockBytes(*plan_, step.pass, piece));
        units += piece.tiling.units();
      }
      most_units_ = std::max(most_units_, units);
    }
    count += steps.size();
    if (count <= kMostStored) steps_.push_back(steps);
  });
  if (count > kMostStored) steps_ = {};
}

template <typename T>
void Bands<T>::StepsOf(const BandRows<T>& rows, const std::vector<PassRows>* next, std::vector<BandStep>& steps) const {
  const size_t last = plan_->passes.size() - 1;
  for (size_t k = 0; k < last; ++k) {
    const bool read = !rows.passes()[k + 1].fresh.intervals().empty();
    AddKept(k, rows.passes()[k], next == nullptr ? nullptr : &(*next)[k], read, steps);
  }
  const Interval& band = rows.band();
  if (band.begin >= band.end) return;
  BandStep& step = steps.emplace_back();
  step.pass = last;
  AddPiece(step, {region_.x, band.begin, region_.width, band.end - band.begin}, level_);
}

/// `read`: the next pass computes something in this band.
template <typename T>
void Bands<T>::AddKept(size_t pass, const PassRows& rows, const PassRows* next, bool read,
                       std::vector<BandStep>& steps) const {
  const KeptRows& kept = kept_[pass];
  if (rows.fresh.intervals().empty() && !(kept.carries && read)) return;
  BandStep& step = steps.emplace_back();
  step.pass = pass;
  // Wrapped borders need both ends of the picture.
  step.ring = !kept.carries && rows.there.intervals().size() == 1;
  for (const Interval& fresh : rows.fresh.intervals()) {
    const std::vector<Interval> parts = step.ring ? CutAtRing(fresh, kept) : std::vector<Interval>{fresh};
    for (const Interval& part : parts) {
      for (const Interval& columns : columns_[pass].intervals()) {
        AddPiece(step, {columns.begin, part.begin, columns.end - columns.begin, part.end - part.begin}, 0);
      }
    }
  }
  step.rows = rows.there;
  if (!kept.carries) return;
  step.brought = CarriedRows(rows);
  if (next != nullptr) step.carried = CarriedRows(*next);
}

template <typename T>
void Bands<T>::AddPiece(BandStep& step, const Region& region, int level) const {
  Tiling tiling{region.width, region.height, region.width, region.height, 1, 1};
  if (threads_ > 0) tiling = CutRegion(*plan_, step.pass, region, level, threads_);
  step.pieces.push_back({region, tiling});
}

#define CONVOLVE_INSTANTIATE(T)                                                                        \
  template class Bands<T>;                                                                             \
  template BandBytes ExpectBandBytes<T>(const PreparedPlan<T>&, const Region&, int, const BandShape&); \
  template std::vector<IndexSet> ColumnsOf<T>(const PreparedPlan<T>&, IndexSet);                       \
  template size_t KeptRowBytes<T>(const PreparedPass<T>&, int, int);
CONVOLVE_INSTANTIATE(float)
CONVOLVE_INSTANTIATE(double)
#undef CONVOLVE_INSTANTIATE

}  // namespace convolve::cpu
