// cpu_bench: picks rows, formats, sizes and threads, measures them one after the other and reports.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <regex>
#include <string>
#include <thread>
#include <vector>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "options.h"
#include "planned.h"
#include "report.h"
#include "rows.h"
#include "trial.h"

namespace convolve::bench {
namespace {

/// Memory that a library frees stays with the process and is warm when it asks again: the first touch of fresh pages
/// would take longer than most filters.
void KeepMemoryWarm() {
#if defined(__GLIBC__)
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
  mallopt(M_ARENA_MAX, 1);
#endif
}

std::regex Pattern(const std::string& option, const std::string& text) {
  try {
    return std::regex(text);
  } catch (const std::regex_error&) {
    throw UsageError(option + ": expected a regular expression, got '" + text + "'");
  }
}

std::vector<Row> ChosenRows(const std::string& wanted) {
  const std::regex pattern = Pattern("--rows", wanted);
  std::vector<Row> chosen;
  for (Row& row : MakeRows()) {
    const bool named = !wanted.empty() && std::regex_search(row.name, pattern);
    if (named || (wanted.empty() && !row.extra)) chosen.push_back(std::move(row));
  }
  if (chosen.empty()) throw UsageError("--rows: no row's name matches '" + wanted + "'");
  return chosen;
}

std::vector<Format> ChosenFormats(const std::string& wanted) {
  const std::regex pattern = Pattern("--formats", wanted);
  std::vector<Format> chosen;
  for (const Format& format : Formats()) {
    if (std::regex_search(format.name, pattern)) chosen.push_back(format);
  }
  if (chosen.empty()) throw UsageError("--formats: no format's name matches '" + wanted + "'");
  return chosen;
}

SettingResult MeasureSetting(const Format& format, double megapixels, int threads, const std::vector<Row>& rows,
                             const Planned& planned, const Options& options) {
  Setting setting(format, megapixels, threads);
  SettingResult result{format.name,
                       setting.width,
                       setting.height,
                       setting.threads,
                       setting.threads == static_cast<int>(std::thread::hardware_concurrency()),
                       setting.bytes(),
                       setting.samples(),
                       {}};
  PrintSetting(result);
  for (const Row& row : rows) {
    const PlannedRow expected = planned.For(format.name, setting.width, setting.height, row);
    result.rows.push_back(MeasureRow(row, expected, setting, options));
    PrintRow(result, result.rows.back());
  }
  return result;
}

int Main(const std::vector<std::string>& words) {
  const Options options = ParseOptions(words);
  const std::vector<Row> rows = ChosenRows(options.rows);
  if (options.describe) {
    std::printf("%s\n", DescriptionAsJson(rows, ChosenFormats(options.formats), options.megapixels).c_str());
    return 0;
  }
  KeepMemoryWarm();
  const Planned planned(options.plan);
  PrintOpening(options);
  std::vector<SettingResult> settings;
  for (const double megapixels : options.megapixels) {
    for (const Format& format : ChosenFormats(options.formats)) {
      for (const int threads : options.threads) {
        settings.push_back(MeasureSetting(format, megapixels, threads, rows, planned, options));
      }
    }
  }
  PrintSummary(settings);
  if (!options.json.empty()) {
    std::ofstream stream(options.json);
    stream << ResultsAsJson(settings) << '\n';
    if (!stream.flush()) throw UsageError("--json: cannot write " + options.json);
  }
  return AllRight(settings) ? 0 : 1;
}

}  // namespace
}  // namespace convolve::bench

int main(int count, char** words) {
  try {
    return convolve::bench::Main({words + 1, words + count});
  } catch (const convolve::bench::UsageError& error) {
    std::fprintf(stderr, "%s\n`npm run bench:cpu -- --help` lists the options.\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
}
