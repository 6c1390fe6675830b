// Reads what scripts/benchCpu.ts writes.
#include "planned.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "options.h"

namespace convolve::bench {

std::string PictureName(const std::string& format, int width, int height) {
  return format + " " + std::to_string(width) + " x " + std::to_string(height);
}

Planned::Planned(const std::string& file) {
  if (file.empty()) return;
  std::ifstream stream(file);
  if (!stream) throw UsageError("--plan: cannot read " + file);
  const nlohmann::json json = nlohmann::json::parse(stream);
  for (const auto& [picture, rows] : json.items()) {
    for (const auto& [row, planned] : rows.items()) {
      PlannedRow& one = pictures_[picture][row];
      one.path = planned.at("path").get<std::string>();
      if (planned.at("milliseconds").is_number()) one.milliseconds = planned.at("milliseconds").get<double>();
    }
  }
}

PlannedRow Planned::For(const std::string& format, int width, int height, const Row& row) const {
  const auto rows = pictures_.find(PictureName(format, width, height));
  if (rows == pictures_.end()) return {row.paths.front().name, std::nullopt};
  const auto found = rows->second.find(row.name);
  return found == rows->second.end() ? PlannedRow{row.paths.front().name, std::nullopt} : found->second;
}

}  // namespace convolve::bench
