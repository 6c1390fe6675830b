// Ratios are a peer's least time over ours. Beside the wall clock stands the same from CPU time over threads, which
// other work on the machine disturbs less; where the two differ, the machine was not quiet.
#include "report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/backend.h"
#include "floors.h"
#include "goals.h"
#include "peers.h"

namespace convolve::bench {
namespace {

constexpr double kExactShare = 0.999;

/// The fastest of a family by the wall clock, or nullptr.
const PeerResult* Best(const RowResult& row, const std::string& family) {
  const PeerResult* best = nullptr;
  for (const PeerResult& peer : row.peers) {
    if (peer.family == family && (best == nullptr || peer.timing.minimum < best->timing.minimum)) best = &peer;
  }
  return best;
}

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

struct Ratios {
  double wall = 0;
  double quiet = 0;
};

std::optional<Ratios> RatiosTo(const RowResult& row, const PathResult& path, const std::string& family, int threads) {
  const PeerResult* const best = Best(row, family);
  if (best == nullptr || !path.refusal.empty()) return std::nullopt;
  return Ratios{best->timing.minimum / path.timing.minimum, *QuietBest(row, family) / path.timing.Quiet(threads)};
}

bool IsInteger(const std::string& format) { return format.starts_with("u"); }

bool IsRight(const std::string& format, const Exactness& exactness) {
  return exactness.right() && (!IsInteger(format) || exactness.Share() >= kExactShare);
}

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

nlohmann::json AsJson(const Timing& timing) {
  return {{"medianMs", timing.median},
          {"minimumMs", timing.minimum},
          {"cpuMs", timing.cpu},
          {"cpuMinimumMs", timing.cpu_minimum},
          {"rounds", timing.rounds}};
}

nlohmann::json AsJson(const PathResult& path) {
  nlohmann::json json = {{"path", path.name}, {"planned", path.planned}};
  if (!path.refusal.empty()) {
    json["refusal"] = path.refusal;
    return json;
  }
  json["operationsPerSample"] = path.operations;
  json["checkedSamples"] = path.exactness.samples;
  json["exactShare"] = path.exactness.Share();
  json["worst"] = path.exactness.worst;
  json["timing"] = AsJson(path.timing);
  return json;
}

nlohmann::json AsJson(const PeerResult& peer) {
  return {{"name", peer.name},
          {"family", peer.family},
          {"threads", peer.threads},
          {"share", peer.share},
          {"timing", AsJson(peer.timing)}};
}

const PathResult* Planned(const RowResult& row) {
  for (const PathResult& path : row.paths) {
    if (path.planned && path.refusal.empty()) return &path;
  }
  return nullptr;
}

void PrintMeans(const SettingResult& setting) {
  for (const std::string family : {"OpenCV", "libvips"}) {
    double wall = 0;
    double quiet = 0;
    int count = 0;
    for (const RowResult& row : setting.rows) {
      const PathResult* const path = Planned(row);
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
    const PathResult* const path = Planned(row);
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
    const PathResult* const path = Planned(row);
    if (path != nullptr && row.curve == "dense") dense[row.size] = path->timing.minimum;
  }
  if (!dense.contains(31) || !dense.contains(127)) return;
  const double growth = dense[127] / dense[31];
  std::printf("%s, %d threads: dense 127 takes %.2f times dense 31 (at most 1.5: %s)\n", setting.format.c_str(),
              setting.threads, growth, growth <= 1.5 ? "met" : "not met");
}

/// One thread's time over all threads' time, row by row.
void PrintScaling(const SettingResult& one, const SettingResult& all) {
  std::printf("%s, %d x %d, from 1 to %d threads (by wall clock / by CPU time a thread):", one.format.c_str(),
              one.width, one.height, all.threads);
  for (const RowResult& row : one.rows) {
    const auto found =
        std::find_if(all.rows.begin(), all.rows.end(), [&](const RowResult& other) { return other.row == row.row; });
    const PathResult* const before = Planned(row);
    const PathResult* const after = found == all.rows.end() ? nullptr : Planned(*found);
    if (before == nullptr || after == nullptr) continue;
    std::printf(" %s %.2f/%.2f;", row.row.c_str(), before->timing.minimum / after->timing.minimum,
                before->timing.Quiet(1) / after->timing.Quiet(all.threads));
  }
  std::printf("\n");
}

}  // namespace

void PrintOpening(const Options& options) {
  std::printf("ours: %s\n", MakeCpuBackend()->info().description.c_str());
  if (options.peers) std::printf("peers: %s; %s\n", OpenCvName().c_str(), VipsName().c_str());
  std::printf("floors: %s. Times in ms, least of the rounds; ratios by wall clock, then by CPU time over threads.\n",
              FloorInstructions().c_str());
  std::printf("right: integers, share of samples exactly rounded; floating point, share of the tolerance used.\n");
  std::printf("copy, fma: share of the floor's speed that the row reaches. ~: on a band of the picture, scaled.\n");
}

void PrintSetting(const SettingResult& setting) {
  std::printf("\n%s, %d x %d, %d thread%s\n", setting.format.c_str(), setting.width, setting.height, setting.threads,
              setting.threads == 1 ? "" : "s");
  std::printf("  %-16s %-10s %8s %8s %8s %7s %8s %5s %5s %-12s %-38s %-38s %s\n", "row", "path", "median", "least",
              "cpu", "GB/s", "GFLOP/s", "copy", "fma", "right", "OpenCV at its best", "libvips", "load");
}

void PrintRow(const SettingResult& setting, const RowResult& row) {
  const Goal goal = setting.all_threads ? GoalOf(setting.format, row.row) : Goal{};
  for (const PathResult& path : row.paths) {
    const std::string name = path.name + (path.planned ? "" : " *");
    if (!path.refusal.empty()) {
      std::printf("  %-16s %-10s %s\n", row.row.c_str(), name.c_str(), path.refusal.c_str());
      continue;
    }
    const double seconds = path.timing.minimum / 1000;
    const double flops = path.operations * setting.samples;
    const double most = row.multiply_add_operations / (row.multiply_adds.minimum / 1000);
    const std::string right = RightText(setting.format, path.exactness);
    const std::string exact = PeerText(row, path, "OpenCV", setting.threads, goal.exact);
    const std::string quick = PeerText(row, path, "libvips", setting.threads, goal.quick);
    std::printf("  %-16s %-10s %8.2f %8.2f %8.2f %7.2f %8.1f %4.0f%% %4.0f%% %-12s %-38s %-38s %.1f\n", row.row.c_str(),
                name.c_str(), path.timing.median, path.timing.minimum, path.timing.cpu_minimum,
                setting.bytes / seconds / 1e9, flops / seconds / 1e9, 100 * row.copy.minimum / path.timing.minimum,
                100 * flops / seconds / most, right.c_str(), exact.c_str(), quick.c_str(), row.load);
  }
  std::fflush(stdout);
}

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

std::string ResultsAsJson(const std::vector<SettingResult>& settings) {
  nlohmann::json all = nlohmann::json::array();
  for (const SettingResult& setting : settings) {
    nlohmann::json rows = nlohmann::json::array();
    for (const RowResult& row : setting.rows) {
      nlohmann::json paths = nlohmann::json::array();
      for (const PathResult& path : row.paths) paths.push_back(AsJson(path));
      nlohmann::json peers = nlohmann::json::array();
      for (const PeerResult& peer : row.peers) peers.push_back(AsJson(peer));
      const double speed = row.multiply_add_operations / (std::max(row.multiply_adds.minimum, 1e-9) * 1e6);
      rows.push_back({{"row", row.row},
                      {"curve", row.curve},
                      {"size", row.size},
                      {"load", row.load},
                      {"copyFloor", AsJson(row.copy)},
                      {"multiplyAddFloorGflops", speed},
                      {"paths", paths},
                      {"peers", peers}});
    }
    all.push_back({{"format", setting.format},
                   {"width", setting.width},
                   {"height", setting.height},
                   {"threads", setting.threads},
                   {"bytes", setting.bytes},
                   {"samples", setting.samples},
                   {"rows", rows}});
  }
  const nlohmann::json document = {{"ours", MakeCpuBackend()->info().description},
                                   {"peers", {OpenCvName(), VipsName()}},
                                   {"floors", FloorInstructions()},
                                   {"settings", all}};
  return document.dump(1);
}

std::string RowsAsJson(const std::vector<Row>& rows) {
  nlohmann::json all = nlohmann::json::array();
  for (const Row& row : rows) {
    nlohmann::json paths = nlohmann::json::array();
    for (const Path& path : row.paths) paths.push_back(path.name);
    nlohmann::json json = {{"row", row.name},
                           {"curve", row.curve},
                           {"size", row.size},
                           {"paths", paths},
                           {"width", row.kernel.width},
                           {"height", row.kernel.height},
                           {"anchorX", row.kernel.anchor_x},
                           {"anchorY", row.kernel.anchor_y},
                           {"divisor", row.kernel.divisor}};
    if (row.taps.empty()) {
      json["weights"] = row.kernel.weights;
    } else {
      json["taps"] = row.taps;
    }
    all.push_back(std::move(json));
  }
  return all.dump();
}

}  // namespace convolve::bench
