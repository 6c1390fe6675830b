// The JSON forms. Times are milliseconds.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/backend.h"
#include "floors.h"
#include "peers.h"
#include "report.h"

namespace convolve::bench {
namespace {

nlohmann::json AsJson(const Timing& timing) {
  return {{"medianMs", timing.median},
          {"minimumMs", timing.minimum},
          {"cpuMs", timing.cpu},
          {"cpuMinimumMs", timing.cpu_minimum},
          {"rounds", timing.rounds}};
}

nlohmann::json AsJson(const PathResult& path) {
  nlohmann::json json = {{"path", path.name}, {"begin", path.begin}, {"planned", path.planned}};
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

}  // namespace

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
      const nlohmann::json predicted = row.predicted ? nlohmann::json(*row.predicted) : nlohmann::json();
      rows.push_back({{"row", row.row},
                      {"predictedMs", predicted},
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

std::string DescriptionAsJson(const std::vector<Row>& rows, const std::vector<Format>& formats,
                              const std::vector<double>& megapixels) {
  nlohmann::json pictures = nlohmann::json::array();
  for (const Format& format : formats) {
    for (const double million : megapixels) {
      const PictureSize size = SizeOf(million);
      pictures.push_back({{"name", PictureName(format.name, size.width, size.height)},
                          {"width", size.width},
                          {"height", size.height},
                          {"channels", format.channels},
                          {"sampleType", NameOf(format.type)}});
    }
  }
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
  return nlohmann::json({{"pictures", pictures}, {"rows", all}}).dump();
}

}  // namespace convolve::bench
