// Index sets stay small: an interior interval and, outside the image, at most a kernel's width of single positions.
#include "cpu/axis.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "engine/border.h"

namespace convolve::cpu {

IndexSet::IndexSet(std::vector<Interval> intervals) {
  std::sort(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
  for (const Interval& interval : intervals) {
    if (interval.begin >= interval.end) continue;
    if (!intervals_.empty() && interval.begin <= intervals_.back().end) {
      intervals_.back().end = std::max(intervals_.back().end, interval.end);
    } else {
      intervals_.push_back(interval);
    }
  }
}

int IndexSet::size() const {
  int size = 0;
  for (const Interval& interval : intervals_) size += interval.end - interval.begin;
  return size;
}

int IndexSet::Place(int index) const {
  int place = 0;
  for (const Interval& interval : intervals_) {
    if (index < interval.end) return place + index - interval.begin;
    place += interval.end - interval.begin;
  }
  return place;
}

IndexSet IndexSet::Extend(const IndexSet& wanted) {
  if (intervals_.size() == 1 && wanted.intervals_.size() == 1) {
    const Interval have = intervals_.front();
    const Interval& want = wanted.intervals_.front();
    if (have.begin <= want.begin && want.begin <= have.end) {
      intervals_ = {{want.begin, std::max(have.end, want.end)}};
      return have.end < want.end ? IndexSet(have.end, want.end) : IndexSet();
    }
  }
  intervals_ = wanted.intervals_;
  return wanted;
}

int IndexSet::End(int index) const {
  for (const Interval& interval : intervals_) {
    if (index < interval.end) return interval.end;
  }
  return index;
}

IndexSet NeededInput(const IndexSet& outputs, const Window& window, BorderKind border, int size) {
  if (outputs.intervals().size() == 1) {
    const Interval& only = outputs.intervals().front();
    const int64_t begin = int64_t{only.begin} + window.offset - window.before;
    const int64_t end = int64_t{only.end} + window.offset + window.after;
    if (begin >= 0 && end <= size && begin < end) return {static_cast<int>(begin), static_cast<int>(end)};
  }
  std::vector<Interval> needed;
  for (const Interval& interval : outputs.intervals()) {
    const int64_t begin = int64_t{interval.begin} + window.offset - window.before;
    const int64_t end = int64_t{interval.end} + window.offset + window.after;
    const int64_t inside_begin = std::clamp<int64_t>(begin, 0, size);
    const int64_t inside_end = std::clamp<int64_t>(end, 0, size);
    needed.push_back({static_cast<int>(inside_begin), static_cast<int>(inside_end)});
    const auto add = [&](int64_t position) {
      const int index = MapPosition(border, position, size);
      if (index >= 0) needed.push_back({index, index + 1});
    };
    for (int64_t position = begin; position < std::min<int64_t>(end, 0); ++position) add(position);
    for (int64_t position = std::max<int64_t>(begin, size); position < end; ++position) add(position);
  }
  IndexSet set(std::move(needed));
  // A window wholly outside a constant border needs nothing; one index keeps the axis from being empty.
  return set.intervals().empty() ? IndexSet(0, 1) : set;
}

size_t MapPositions(int first, int count, BorderKind border, int size, const IndexSet& present, AxisRun* runs) {
  size_t used = 0;
  const auto add = [&](int to, int place) {
    AxisRun* last = used > 0 ? &runs[used - 1] : nullptr;
    if (last != nullptr && (last->from < 0) == (place < 0)) {
      const int step = place < 0 ? 0 : place - (last->from + (last->count - 1) * last->step);
      const bool continues = last->count == 1 ? step >= -1 && step <= 1 : step == last->step;
      if (continues) {
        last->step = step;
        ++last->count;
        return;
      }
    }
    runs[used++] = {to, place, 1, place < 0 ? 0 : 1};
  };
  for (int i = 0; i < count; ++i) {
    const int64_t position = int64_t{first} + i;
    const int index = MapPosition(border, position, size);
    add(i, index < 0 ? -1 : present.Place(index));
    AxisRun& last = runs[used - 1];
    if (position < 0 || index != position || (last.count > 1 && last.step != 1)) continue;
    // Inside, positions follow each other to the end of an interval.
    const int more = std::min(present.End(index) - index, count - i) - 1;
    if (more <= 0) continue;
    last.step = 1;
    last.count += more;
    i += more;
  }
  return used;
}

}  // namespace convolve::cpu
