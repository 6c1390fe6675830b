// Timing contestants against each other: they take turns, so that what disturbs the machine disturbs all of them.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace convolve::bench {

/// One way to do the work. `prepare` is not timed.
struct Contestant {
  std::string name;
  std::function<void()> run;
  std::function<void()> prepare;
  /// Threads that `run` keeps busy: CPU time over this is what the wall clock would say on a quiet machine.
  int threads = 1;
  /// `run` does this share of the work, because all of it would take minutes; times are divided by it.
  double share = 1;
  /// Contestants of one family that are much slower than the best of it leave after their first turn.
  std::string family;
};

/// Milliseconds of one run, of all of the work.
struct Timing {
  double median = 0;
  double minimum = 0;
  /// CPU time of the whole process: median and least.
  double cpu = 0;
  double cpu_minimum = 0;
  int rounds = 0;

  /// The least wall time that a quiet machine would show, by the CPU time.
  double Quiet(int threads) const { return cpu_minimum / threads; }
};

struct RaceLimits {
  /// Milliseconds for each contestant, warm-up not counted.
  double budget = 400;
  int least_rounds = 3;
  int most_rounds = 40;
};

/// One timing for each contestant, in order. Each runs once before, untimed, unless that alone takes seconds.
std::vector<Timing> Race(const std::vector<Contestant>& contestants, const RaceLimits& limits);

}  // namespace convolve::bench
