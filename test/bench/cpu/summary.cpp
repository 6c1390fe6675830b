// What follows from all rows together, each against what was set out for.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <utility>

#include "goals.h"
#include "ratios.h"
#include "report.h"

namespace convolve::bench {
namespace {

/// Set out for: how far a prediction may be off, and how much longer than the best path the planned one may take.
constexpr double kPredictionError = 0.3;
constexpr double kChoiceLoss = 0.1;

void PrintMeans(const SettingResult& setting) {
  for (const std::string family : {"OpenCV", "libvips"}) {
    double wall = 0;
    double quiet = 0;
    int count = 0;
    for (const RowResult& row : setting.rows) {
      const PathResult* const path = PlannedPath(row);
      const auto ratios = path == nullptr ? std::nullopt : RatiosTo(row, *path, family, setting.threads);
      if (!ratios) continue;
      wall += std::log(ratios->wall);
      quiet += std::log(ratios->quiet);
      ++count;
    }
    if (count == 0) continue;
    std::printf("%s, %d threads, over %s: geometric mean %.2fx by the wall clock, %.2fx by CPU time, %d rows",
                setting.format.c_str(), setting.threads, family.c_str(), std::exp(wall / count),
                std::exp(quiet / count), count);
    const auto goal = MeanGoalOf(setting.format);
    if (goal && setting.all_threads && family == "OpenCV") {
      std::printf(" (%g %s)", *goal, std::exp(wall / count) >= *goal ? "met" : "not met");
    }
    std::printf("\n");
  }
}

void PrintGoals(const SettingResult& setting) {
  if (!setting.all_threads) return;
  int goals = 0;
  int met = 0;
  for (const RowResult& row : setting.rows) {
    const PathResult* const path = PlannedPath(row);
    if (path == nullptr) continue;
    const Goal goal = GoalOf(setting.format, row.row);
    for (const auto& [family, wanted] : {std::pair{"OpenCV", goal.exact}, std::pair{"libvips", goal.quick}}) {
      const auto ratios = RatiosTo(row, *path, family, setting.threads);
      if (!ratios) continue;
      if (wanted) {
        ++goals;
        met += ratios->wall >= *wanted ? 1 : 0;
      }
      if (ratios->wall < kLeast) {
        std::printf("  below %gx: %s, %s against %s: %.2fx\n", kLeast, setting.format.c_str(), row.row.c_str(), family,
                    ratios->wall);
      }
    }
  }
  if (goals > 0) std::printf("%s: %d of %d goals met\n", setting.format.c_str(), met, goals);
}

void PrintGrowth(const SettingResult& setting) {
  std::map<int, double> dense;
  for (const RowResult& row : setting.rows) {
    const PathResult* const path = PlannedPath(row);
    if (path != nullptr && row.curve == "dense") dense[row.size] = path->timing.minimum;
  }
  if (!dense.contains(31) || !dense.contains(127)) return;
  const double growth = dense[127] / dense[31];
  std::printf("%s, %d threads: dense 127 takes %.2f times dense 31 (at most 1.5: %s)\n", setting.format.c_str(),
              setting.threads, growth, growth <= 1.5 ? "met" : "not met");
}

/// How well the plan knew: predictions against the clock, and the planned path against the fastest of those measured.
void PrintPlanning(const SettingResult& setting) {
  if (!setting.all_threads) return;
  int predicted = 0;
  int near = 0;
  int compared = 0;
  int best = 0;
  for (const RowResult& row : setting.rows) {
    const PathResult* const planned = PlannedPath(row);
    if (planned == nullptr) continue;
    if (row.predicted) {
      const double error = *row.predicted / planned->timing.median - 1;
      ++predicted;
      near += std::abs(error) <= kPredictionError ? 1 : 0;
      if (std::abs(error) > kPredictionError) {
        std::printf("  predicted badly: %s, %s as %s: %.2f ms, took %.2f (%+.0f%%)\n", setting.format.c_str(),
                    row.row.c_str(), planned->name.c_str(), *row.predicted, planned->timing.median, 100 * error);
      }
    }
    const PathResult* fastest = planned;
    int measured = 0;
    for (const PathResult& path : row.paths) {
      if (!path.refusal.empty()) continue;
      ++measured;
      if (path.timing.cpu_minimum < fastest->timing.cpu_minimum) fastest = &path;
    }
    if (measured < 2) continue;
    ++compared;
    const double loss = planned->timing.cpu_minimum / fastest->timing.cpu_minimum - 1;
    best += loss <= kChoiceLoss ? 1 : 0;
    if (loss > kChoiceLoss) {
      std::printf("  planned badly: %s, %s as %s, which takes %.0f%% longer than %s (CPU time)\n",
                  setting.format.c_str(), row.row.c_str(), planned->name.c_str(), 100 * loss, fastest->name.c_str());
    }
  }
  if (predicted > 0) {
    std::printf("%s: %d of %d predictions within %.0f%%\n", setting.format.c_str(), near, predicted,
                100 * kPredictionError);
  }
  if (compared > 0) {
    std::printf("%s: %d of %d planned paths within %.0f%% of the fastest\n", setting.format.c_str(), best, compared,
                100 * kChoiceLoss);
  }
}

/// One thread's time over all threads' time, row by row.
void PrintScaling(const SettingResult& one, const SettingResult& all) {
  std::printf("%s, %d x %d, from 1 to %d threads (by wall clock / by CPU time a thread):", one.format.c_str(),
              one.width, one.height, all.threads);
  for (const RowResult& row : one.rows) {
    const auto found =
        std::find_if(all.rows.begin(), all.rows.end(), [&](const RowResult& other) { return other.row == row.row; });
    const PathResult* const before = PlannedPath(row);
    const PathResult* const after = found == all.rows.end() ? nullptr : PlannedPath(*found);
    if (before == nullptr || after == nullptr) continue;
    std::printf(" %s %.2f/%.2f;", row.row.c_str(), before->timing.minimum / after->timing.minimum,
                before->timing.Quiet(1) / after->timing.Quiet(all.threads));
  }
  std::printf("\n");
}

}  // namespace

bool AllRight(const std::vector<SettingResult>& settings) {
  bool right = true;
  for (const SettingResult& setting : settings) {
    for (const RowResult& row : setting.rows) {
      for (const PathResult& path : row.paths) {
        right = right && (!path.refusal.empty() || IsRight(setting.format, path.exactness));
      }
    }
  }
  return right;
}

void PrintSummary(const std::vector<SettingResult>& settings) {
  std::printf("\n");
  for (const SettingResult& setting : settings) {
    PrintMeans(setting);
    PrintGoals(setting);
    PrintGrowth(setting);
    PrintPlanning(setting);
    for (const SettingResult& all : settings) {
      if (setting.threads == 1 && all.threads > 1 && all.all_threads && all.format == setting.format &&
          all.width == setting.width) {
        PrintScaling(setting, all);
      }
    }
    for (const RowResult& row : setting.rows) {
      for (const PathResult& path : row.paths) {
        if (!path.refusal.empty() || IsRight(setting.format, path.exactness)) continue;
        std::printf("  not right: %s, %s as %s: worst %.3f, exact %.4f%%\n", setting.format.c_str(), row.row.c_str(),
                    path.name.c_str(), path.exactness.worst, 100 * path.exactness.Share());
      }
    }
  }
}

}  // namespace convolve::bench
