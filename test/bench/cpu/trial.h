// One row on one format, size and number of threads: first whether ours is right, then ours and theirs in turns.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "crew.h"
#include "engine/backend.h"
#include "exactness.h"
#include "formats.h"
#include "options.h"
#include "planned.h"
#include "race.h"
#include "rows.h"

namespace convolve::bench {

struct PictureSize {
  int width = 0;
  int height = 0;
};

/// 4000 x 3000 for 12, 6000 x 4000 for 24, four thirds as wide as high otherwise.
PictureSize SizeOf(double megapixels);

/// Buffers and threads that the rows of one setting share, so that all memory is warm.
struct Setting {
  Setting(const Format& format, double megapixels, int threads);

  Format format;
  int width;
  int height;
  int threads;
  std::shared_ptr<Image> source;
  /// Room for a result of `source`'s size that begins anywhere.
  Image destination;
  std::unique_ptr<Backend> backend;
  Crew crew;

  /// Bytes read and written at least.
  double bytes() const { return 2.0 * static_cast<double>(source->bytes()); }
  /// The place of a result that begins `begin` bytes behind a page's first one. Rows follow without a gap.
  AnyView ResultFrom(size_t begin);
  double samples() const { return static_cast<double>(width) * height * format.channels; }
};

struct PathResult {
  std::string name;
  size_t begin = 0;  // of its results, in bytes behind a cache line's first one
  bool planned = false;
  double operations = 0;  // a sample
  /// Why the engine refused; then there is nothing else.
  std::string refusal;
  Exactness exactness;
  Timing timing;
};

struct PeerResult {
  std::string name;
  std::string family;
  int threads = 1;
  double share = 1;
  Timing timing;
};

struct RowResult {
  std::string row;
  std::string curve;
  int size = 0;
  std::vector<PathResult> paths;
  std::vector<PeerResult> peers;
  Timing copy;
  Timing multiply_adds;
  double multiply_add_operations = 0;
  double load = 0;                  // of the machine, before
  std::optional<double> predicted;  // milliseconds of the planned path on all threads
};

RowResult MeasureRow(const Row& row, const PlannedRow& planned, Setting& setting, const Options& options);

}  // namespace convolve::bench
