// What the bench says: a table while it runs, a summary at the end, and everything as JSON.
#pragma once

#include <string>
#include <vector>

#include "options.h"
#include "rows.h"
#include "trial.h"

namespace convolve::bench {

struct SettingResult {
  std::string format;
  int width = 0;
  int height = 0;
  int threads = 0;
  bool all_threads = false;
  double bytes = 0;
  double samples = 0;
  std::vector<RowResult> rows;
};

/// Who is compared, on what.
void PrintOpening(const Options& options);
void PrintSetting(const SettingResult& setting);
void PrintRow(const SettingResult& setting, const RowResult& row);
/// Geometric means, goals met, rows below the least ratio, scaling over threads, and results that were not right.
void PrintSummary(const std::vector<SettingResult>& settings);

std::string ResultsAsJson(const std::vector<SettingResult>& settings);
/// Rows with their kernels and paths, and the pictures that they are measured on: what the app needs to plan them.
std::string DescriptionAsJson(const std::vector<Row>& rows, const std::vector<Format>& formats,
                              const std::vector<double>& megapixels);

/// Whether every path that ran was right.
bool AllRight(const std::vector<SettingResult>& settings);

}  // namespace convolve::bench
