// The edges that OpenCV's and scikit-image's Canny find in a photograph.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "backends.h"
#include "engine/edge_picture.h"
#include "golden.h"
#include "pictures.h"

namespace convolve::test {
namespace {

/// What an agreement counts: two pictures of edges (not 0) of one size.
struct Comparison {
  size_t equal = 0;
  double f1 = 0;  // with one pixel of slack
  double share = 0;
};

/// How many edges of `a` have one of `b` in their 3 x 3 neighbourhood, and how many there are.
std::pair<size_t, size_t> Matched(const std::vector<double>& a, const std::vector<double>& b, int width, int height) {
  size_t matched = 0;
  size_t all = 0;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      if (a[static_cast<size_t>(y * width + x)] == 0) continue;
      ++all;
      bool found = false;
      for (int v = std::max(0, y - 1); v <= std::min(height - 1, y + 1); ++v) {
        for (int u = std::max(0, x - 1); u <= std::min(width - 1, x + 1); ++u) {
          found = found || b[static_cast<size_t>(v * width + u)] != 0;
        }
      }
      matched += found ? 1 : 0;
    }
  }
  return {matched, all};
}

Comparison Compare(const std::vector<double>& got, const std::vector<double>& expected, int width, int height) {
  Comparison result;
  for (size_t i = 0; i < got.size(); ++i) result.equal += got[i] == expected[i] ? 1 : 0;
  const auto [right, found] = Matched(got, expected, width, height);
  const auto [hit, wanted] = Matched(expected, got, width, height);
  const double precision = static_cast<double>(right) / static_cast<double>(found);
  const double recall = static_cast<double>(hit) / static_cast<double>(wanted);
  result.f1 = 2 * precision * recall / (precision + recall);
  result.share = static_cast<double>(found) / static_cast<double>(got.size());
  return result;
}

/// Each pixel of one channel as a byte: white where there is an edge.
std::vector<double> ShownEdges(const Image& edges) {
  return std::visit(
      [&](const auto& view) {
        std::vector<double> shown;
        for (int y = 0; y < view.height; ++y) {
          for (int x = 0; x < view.width; ++x) shown.push_back(view.Row(y)[x] == 0 ? 0 : 255);
        }
        return shown;
      },
      edges.view());
}

/// The Gaussian pass that the case asks for first, if any.
Plan Smoothing(const nlohmann::json& golden) {
  if (golden.at("smooth").is_null()) return {};
  const int size = golden.at("smooth").at("size");
  const double sigma = golden.at("smooth").at("sigma");
  std::vector<double> line;
  double sum = 0;
  for (int i = 0; i < size; ++i) {
    const double x = i - (size - 1) / 2.0;
    line.push_back(std::exp(-x * x / (2 * sigma * sigma)));
    sum += line.back();
  }
  return {{GoldenPass(golden, SeparableWeights{size, size, size / 2, size / 2, {{line, line}}, sum * sum})}};
}

TEST_CASE_TEMPLATE("golden: edges", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  int walked = 0;
  const nlohmann::json manifest = GoldenManifest("canny_manifest.json");
  for (const auto& golden : manifest.at("cases")) {
    const std::string id = golden.at("id");
    CAPTURE(id);
    const double full = golden.value("fullScale", 255.0);
    EdgeFilter filter;
    filter.x = SobelX();
    filter.y = SobelY();
    filter.border = GoldenPass(golden, SobelX()).border;
    filter.thresholds = {golden.at("low").get<double>() / full, golden.at("high").get<double>() / full,
                         golden.at("norm") == "l1" ? GradientNorm::kL1 : GradientNorm::kL2};
    const auto edges = EdgePicture(*backend, Smoothing(golden), filter, GoldenImage(golden.at("input")), CancelToken());
    REQUIRE(edges->type() == GoldenArray(golden.at("input")).type);
    const std::vector<double> got = ShownEdges(*edges);
    const Array& expected = GoldenArray(golden.at("expected"));
    REQUIRE(got.size() == expected.values.size());
    const Comparison comparison = Compare(got, expected.values, expected.width(), expected.height());
    const size_t differing = got.size() - comparison.equal;
    CAPTURE(differing);
    CAPTURE(comparison.f1);
    CAPTURE(comparison.share);
    const auto& agreement = golden.at("agreement");
    CHECK(static_cast<double>(comparison.equal) >= agreement.at("equal").get<double>() * got.size());
    CHECK(comparison.f1 >= agreement.at("f1").get<double>());
    const double share = golden.at("edgeShare");
    CHECK(std::abs(comparison.share - share) <= agreement.at("shareSlack").get<double>() * share);
    ++walked;
  }
  CHECK(walked == 6);
}

}  // namespace
}  // namespace convolve::test
