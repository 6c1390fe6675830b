// Ratios are a peer's least time over ours. Beside the wall clock stands the same from CPU time over threads, which
// other work on the machine disturbs less; where the two differ, the machine was not quiet.
#include "report.h"

#include <cstdio>
#include <optional>

#include "engine/backend.h"
#include "floors.h"
#include "goals.h"
#include "peers.h"
#include "ratios.h"

namespace convolve::bench {
namespace {

/// The share of exactly rounded samples, or how much of the tolerance was used.
std::string RightText(const std::string& format, const Exactness& exactness) {
  char text[32];
  if (IsInteger(format)) {
    std::snprintf(text, sizeof text, "%8.4f%%%s", 100 * exactness.Share(), exactness.right() ? "" : " WRONG");
  } else {
    std::snprintf(text, sizeof text, "%5.2f tol%s", exactness.worst, exactness.right() ? "" : " WRONG");
  }
  return text;
}

/// "12.3 3.4x 3.1x >=3 met": time, ratio by wall clock, by CPU time, and what was set out for.
std::string PeerText(const RowResult& row, const PathResult& path, const std::string& family, int threads,
                     const std::optional<double>& goal) {
  const PeerResult* const best = Best(row, family);
  if (best == nullptr) return "";
  const Ratios ratios = *RatiosTo(row, path, family, threads);
  char text[160];
  std::snprintf(text, sizeof text, "%9.2f%s %6.2fx %6.2fx", best->timing.minimum, best->share < 1 ? "~" : " ",
                ratios.wall, ratios.quiet);
  std::string line = text;
  if (goal) {
    std::snprintf(text, sizeof text, " (%g %s)", *goal, ratios.wall >= *goal ? "met" : "not met");
    line += text;
  }
  return line;
}

}  // namespace

void PrintOpening(const Options& options) {
  std::printf("ours: %s\n", MakeCpuBackend()->info().description.c_str());
  if (options.peers) std::printf("peers: %s; %s\n", OpenCvName().c_str(), VipsName().c_str());
  std::printf("floors: %s. Times in ms, least of the rounds; ratios by wall clock, then by CPU time over threads.\n",
              FloorInstructions().c_str());
  std::printf("right: integers, share of samples exactly rounded; floating point, share of the tolerance used.\n");
  std::printf("results begin %zu bytes behind a cache line's first one; +N: or N bytes.\n", options.begins.front());
  std::printf("copy, fma: share of the floor's speed that the row reaches. ~: on a band of the picture, scaled.\n");
}

void PrintSetting(const SettingResult& setting) {
  std::printf("\n%s, %d x %d, %d thread%s\n", setting.format.c_str(), setting.width, setting.height, setting.threads,
              setting.threads == 1 ? "" : "s");
  std::printf("  %-16s %-13s %8s %8s %8s %7s %8s %5s %5s %-12s %-38s %-38s %s\n", "row", "path", "median", "least",
              "cpu", "GB/s", "GFLOP/s", "copy", "fma", "right", "OpenCV at its best", "libvips", "load");
}

void PrintRow(const SettingResult& setting, const RowResult& row) {
  const Goal goal = setting.all_threads ? GoalOf(setting.format, row.row) : Goal{};
  for (const PathResult& path : row.paths) {
    const bool moved = path.begin != row.paths.front().begin;
    std::string name = path.name;
    if (moved) {
      name += '+';
      name += std::to_string(path.begin);
    } else if (!path.planned) {
      name += " *";
    }
    if (!path.refusal.empty()) {
      std::printf("  %-16s %-13s %s\n", row.row.c_str(), name.c_str(), path.refusal.c_str());
      continue;
    }
    const double seconds = path.timing.minimum / 1000;
    const double flops = path.operations * setting.samples;
    const double most = row.multiply_add_operations / (row.multiply_adds.minimum / 1000);
    const std::string right = RightText(setting.format, path.exactness);
    const std::string exact = PeerText(row, path, "OpenCV", setting.threads, goal.exact);
    const std::string quick = PeerText(row, path, "libvips", setting.threads, goal.quick);
    std::printf("  %-16s %-13s %8.2f %8.2f %8.2f %7.2f %8.1f %4.0f%% %4.0f%% %-12s %-38s %-38s %.1f\n", row.row.c_str(),
                name.c_str(), path.timing.median, path.timing.minimum, path.timing.cpu_minimum,
                setting.bytes / seconds / 1e9, flops / seconds / 1e9, 100 * row.copy.minimum / path.timing.minimum,
                100 * flops / seconds / most, right.c_str(), exact.c_str(), quick.c_str(), row.load);
  }
  std::fflush(stdout);
}

}  // namespace convolve::bench
