// Strips: how many output rows a block should walk down.
#pragma once

#include <algorithm>

namespace convolve::cuda {

/// Blocks stand `across` side by side and `slots` of them run at once; a block that writes n rows works for n + `extra`
/// rows. Returns the rows of a strip, a multiple of `step` and at most `most`, for which the last block ends soonest.
inline int StripRows(int rows, int across, int slots, int extra, int step, int most) {
  int best = 0;
  long long best_cost = 0;
  for (int down = 1; down <= std::max(1, rows / step); ++down) {
    const int strip = ((rows + down - 1) / down + step - 1) / step * step;
    if (strip > most) continue;
    const int strips = (rows + strip - 1) / strip;
    const long long waves = (static_cast<long long>(across) * strips + slots - 1) / slots;
    const long long cost = waves * (strip + extra);
    if (best == 0 || cost < best_cost) {
      best = strip;
      best_cost = cost;
    }
  }
  return best == 0 ? std::min(most, (rows + step - 1) / step * step) : best;
}

}  // namespace convolve::cuda
