// What the app plans for each row, and how long it thinks that takes.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "rows.h"

namespace convolve::bench {

/// "u8 RGBA 4000 x 3000".
std::string PictureName(const std::string& format, int width, int height);

struct PlannedRow {
  std::string path;
  /// Predicted time on all threads.
  std::optional<double> milliseconds;
};

class Planned {
 public:
  /// Without a file every row takes its usual path. The file holds an object by picture (PictureName) of objects by row
  /// of {"path": ..., "milliseconds": number or null}. Throws UsageError where it cannot be read.
  explicit Planned(const std::string& file);

  PlannedRow For(const std::string& format, int width, int height, const Row& row) const;

 private:
  std::map<std::string, std::map<std::string, PlannedRow>> pictures_;
};

}  // namespace convolve::bench
