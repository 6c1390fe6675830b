// Works backwards from each band to what every pass has to leave for it.
#include "cpu/band_rows.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace convolve::cpu {
namespace {

/// The multiple of `step` above the value.
int NextMultiple(int value, int step) {
  const int64_t down = value >= 0 ? value / step : -((int64_t{step} - 1 - value) / step);
  return static_cast<int>((down + 1) * step);
}

}  // namespace

template <typename T>
bool HasEndlessRows(const PreparedPlan<T>& plan) {
  for (const PreparedPass<T>& pass : plan.passes) {
    const bool reads_picture = &pass == &plan.passes.front();
    const bool moves = pass.border != BorderKind::kWrap && (reads_picture || pass.window_height() > 1);
    const bool other = pass.input_height != pass.output_height || pass.fft != nullptr;
    if (moves || other || (pass.mix && &pass != &plan.passes.back())) return false;
  }
  return true;
}

template <typename T>
BandRows<T>::BandRows(const PreparedPlan<T>& plan, const Interval& result, int height)
    : plan_(plan),
      result_(result),
      height_(height),
      endless_(HasEndlessRows(plan)),
      end_(result.begin),
      passes_(plan.passes.size()),
      begins_(plan.passes.size()),
      ends_(plan.passes.size(), std::numeric_limits<int>::max()),
      aheads_(plan.passes.size()),
      begun_(plan.passes.size()) {
  FindBegins();
  FindEnds();
  for (size_t k = 0; gradual_ && k < passes_.size(); ++k) end_ = std::min(end_, begins_[k] - aheads_[k]);
  // Of little reach all may as well begin at once, with a band that is a little higher.
  if (result.begin - end_ <= height / 2) end_ = result.begin;
}

template <typename T>
void BandRows<T>::FindBegins() {
  IndexSet first(result_.begin, result_.begin + 1);
  int64_t ahead = 0;
  for (size_t k = passes_.size(); k-- > 0;) {
    const PreparedPass<T>& pass = plan_.passes[k];
    begins_[k] = first.intervals().front().begin;
    aheads_[k] = static_cast<int>(ahead);
    if (k == 0) return;
    if (pass.fft != nullptr) ahead += pass.fft->tile_height();
    first = Needed(k, Whole(k, first));
    ahead += pass.down.offset + pass.down.after;
    // Where both ends of the picture are needed at once, nothing is gained by beginning with one of them.
    if (first.intervals().size() > 1) gradual_ = false;
  }
}

template <typename T>
void BandRows<T>::FindEnds() {
  IndexSet last(result_.end - 1, result_.end);
  for (size_t k = passes_.size(); k-- > 0 && last.intervals().size() == 1;) {
    last = Whole(k, last);
    ends_[k] = last.intervals().back().end;
    if (k > 0) last = Needed(k, last);
  }
}

/// Whether all rows of a pass are there, or have been, that are ever needed.
template <typename T>
bool BandRows<T>::Finished(size_t pass) const {
  if (pass + 1 == passes_.size()) return false;
  const std::vector<Interval>& there = passes_[pass].there.intervals();
  return gradual_ && begun_[pass] != 0 && (there.empty() || there.back().end >= ends_[pass]);
}

/// Whole tiles, so that the next band need not transform them again.
template <typename T>
IndexSet BandRows<T>::Whole(size_t pass, const IndexSet& rows) const {
  const PreparedPass<T>& one = plan_.passes[pass];
  return one.fft == nullptr ? rows : WholeTiles(rows, one.fft->tile_height(), one.output_height);
}

/// The rows of the pass before it that a pass reads for some of its own.
template <typename T>
IndexSet BandRows<T>::Needed(size_t pass, const IndexSet& rows) const {
  const PreparedPass<T>& reader = plan_.passes[pass];
  if (!endless_) return NeededInput(rows, reader.down, reader.border, reader.input_height);
  const Interval& own = rows.intervals().front();
  return {own.begin + reader.down.offset - reader.down.before, own.end + reader.down.offset + reader.down.after};
}

/// What a pass leaves while the next one has not begun.
template <typename T>
IndexSet BandRows<T>::Ahead(size_t pass) const {
  const int64_t ahead = int64_t{end_} + aheads_[pass];
  const int64_t end = endless_ ? ahead : std::min<int64_t>(ahead, plan_.passes[pass].output_height);
  return end > begins_[pass] ? IndexSet(begins_[pass], static_cast<int>(end)) : IndexSet();
}

template <typename T>
bool BandRows<T>::Next() {
  if (end_ >= result_.end) return false;
  band_.begin = std::max(end_, result_.begin);
  end_ = std::min(NextMultiple(end_, height_), result_.end);
  band_.end = std::max(end_, band_.begin);
  IndexSet needed = band_.begin < band_.end ? IndexSet(band_.begin, band_.end) : IndexSet();
  for (size_t k = passes_.size(); k-- > 0;) {
    const bool last = k + 1 == passes_.size();
    PassRows& rows = passes_[k];
    const IndexSet whole = Whole(k, needed);
    if (whole.intervals().empty()) {
      rows.fresh = IndexSet();
    } else {
      begun_[k] = 1;
      rows.fresh = last ? needed : rows.there.Extend(whole);
    }
    if (k == 0) return true;
    if (!rows.fresh.intervals().empty()) {
      needed = Needed(k, last ? whole : rows.fresh);
    } else if (gradual_ && begun_[k] == 0) {
      needed = Ahead(k - 1);
    } else {
      needed = IndexSet();
      if (Finished(k)) passes_[k - 1].there = IndexSet();
    }
  }
  return true;
}

#define CONVOLVE_INSTANTIATE(T) \
  template class BandRows<T>;   \
  template bool HasEndlessRows<T>(const PreparedPlan<T>&);
CONVOLVE_INSTANTIATE(float)
CONVOLVE_INSTANTIATE(double)
#undef CONVOLVE_INSTANTIATE

}  // namespace convolve::cpu
