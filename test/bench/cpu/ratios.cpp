// Families: "OpenCV" and "libvips". The best of one is whichever of its functions was fastest.
#include "ratios.h"

#include <algorithm>

namespace convolve::bench {
namespace {

constexpr double kExactShare = 0.999;

/// The fastest of a family by CPU time over threads, milliseconds.
std::optional<double> QuietBest(const RowResult& row, const std::string& family) {
  std::optional<double> best;
  for (const PeerResult& peer : row.peers) {
    if (peer.family != family) continue;
    const double quiet = peer.timing.Quiet(peer.threads);
    best = best ? std::min(*best, quiet) : quiet;
  }
  return best;
}

}  // namespace

const PeerResult* Best(const RowResult& row, const std::string& family) {
  const PeerResult* best = nullptr;
  for (const PeerResult& peer : row.peers) {
    if (peer.family == family && (best == nullptr || peer.timing.minimum < best->timing.minimum)) best = &peer;
  }
  return best;
}

std::optional<Ratios> RatiosTo(const RowResult& row, const PathResult& path, const std::string& family, int threads) {
  const PeerResult* const best = Best(row, family);
  if (best == nullptr || !path.refusal.empty()) return std::nullopt;
  return Ratios{best->timing.minimum / path.timing.minimum, *QuietBest(row, family) / path.timing.Quiet(threads)};
}

bool IsInteger(const std::string& format) { return format.starts_with("u"); }

bool IsRight(const std::string& format, const Exactness& exactness) {
  return exactness.right() && (!IsInteger(format) || exactness.Share() >= kExactShare);
}

const PathResult* PlannedPath(const RowResult& row) {
  for (const PathResult& path : row.paths) {
    if (path.planned && path.refusal.empty()) return &path;
  }
  return nullptr;
}

}  // namespace convolve::bench
