// The bench's command line.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace convolve::bench {

/// The words on the command line are not understood: says which.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Options {
  /// Regular expressions, found anywhere in the name; empty takes every row that is not an extra, and every format.
  std::string rows;
  std::string formats;
  std::vector<double> megapixels = {12, 24};
  /// 0 stands for all threads of the machine.
  std::vector<int> threads = {1, 0};
  /// A path by name, "every" for all of them, or empty for the planned one.
  std::string path;
  /// JSON file of what the app plans (planned.h); without it each row takes its usual path.
  std::string plan;
  /// Bytes behind a cache line's first one where results begin. JavaScript's memory mostly begins behind the sixteen in
  /// which malloc keeps the books. More than one: each path runs for each, in turns.
  std::vector<size_t> begins = {16};
  std::string json;
  bool quick = false;
  bool peers = true;
  bool slow_peers = false;
  bool describe = false;
};

/// Throws UsageError.
Options ParseOptions(const std::vector<std::string>& words);

}  // namespace convolve::bench
