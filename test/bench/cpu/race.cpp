// Rounds begin with another contestant each time, so that nobody always follows the same one.
#include "race.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <map>

namespace convolve::bench {
namespace {

/// A first run as long as this, in milliseconds, is not repeated just to be warm.
constexpr double kLong = 3000;
/// A contestant slower than this times the best of its family leaves.
constexpr double kBehind = 1.5;

struct Turn {
  double wall = 0;
  double cpu = 0;
};

/// Process CPU time of all threads, milliseconds.
double CpuNow() { return 1000.0 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

Turn TakeTurn(const Contestant& contestant) {
  if (contestant.prepare) contestant.prepare();
  const double cpu = CpuNow();
  const auto start = std::chrono::steady_clock::now();
  contestant.run();
  const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - start;
  return {wall.count() / contestant.share, (CpuNow() - cpu) / contestant.share};
}

double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Timing Summary(const std::vector<Turn>& turns) {
  std::vector<double> wall;
  std::vector<double> cpu;
  for (const Turn& turn : turns) {
    wall.push_back(turn.wall);
    cpu.push_back(turn.cpu);
  }
  return {Median(wall), *std::min_element(wall.begin(), wall.end()), Median(cpu),
          *std::min_element(cpu.begin(), cpu.end()), static_cast<int>(turns.size())};
}

}  // namespace

std::vector<Timing> Race(const std::vector<Contestant>& contestants, const RaceLimits& limits) {
  const size_t count = contestants.size();
  std::vector<std::vector<Turn>> turns(count);
  std::vector<double> spent(count, 0);
  std::vector<bool> out(count, false);
  std::map<std::string, double> best;
  for (size_t i = 0; i < count; ++i) {
    const Turn warm = TakeTurn(contestants[i]);
    const double took = warm.wall * contestants[i].share;
    turns[i].push_back(warm);
    spent[i] = took >= kLong ? took : 0;
    const std::string& family = contestants[i].family;
    if (family.empty()) continue;
    const auto known = best.find(family);
    best[family] = known == best.end() ? warm.cpu / contestants[i].threads
                                       : std::min(known->second, warm.cpu / contestants[i].threads);
  }
  for (size_t i = 0; i < count; ++i) {
    const std::string& family = contestants[i].family;
    out[i] = !family.empty() && turns[i][0].cpu / contestants[i].threads > kBehind * best[family];
    // A long first run stands for itself; a short one was only to get warm.
    if (spent[i] == 0 && !out[i]) turns[i].clear();
  }
  for (int round = 0; round < limits.most_rounds; ++round) {
    bool ran = false;
    for (size_t k = 0; k < count; ++k) {
      const size_t i = (k + static_cast<size_t>(round)) % count;
      const bool enough = spent[i] >= limits.budget && (round >= limits.least_rounds || spent[i] >= kLong);
      if (out[i] || enough) continue;
      turns[i].push_back(TakeTurn(contestants[i]));
      spent[i] += turns[i].back().wall * contestants[i].share;
      ran = true;
    }
    if (!ran) break;
  }
  std::vector<Timing> timings;
  for (const std::vector<Turn>& taken : turns) timings.push_back(Summary(taken));
  return timings;
}

}  // namespace convolve::bench
