// The 8-bit, 16-bit, alpha, linear-light and gradient cases: OpenCV's, NumPy's and scikit-image's results on
// photographs.
#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "backends.h"
#include "golden.h"
#include "pictures.h"

namespace convolve::test {
namespace {

/// exp(-x^2 / (2 sigma^2)) at the cells' centres, over its sum.
std::vector<double> Gaussian(int size, double sigma) {
  std::vector<double> values;
  double sum = 0;
  for (int i = 0; i < size; ++i) {
    const double x = i - (size - 1) / 2.0;
    values.push_back(std::exp(-x * x / (2 * sigma * sigma)));
    sum += values.back();
  }
  for (double& value : values) value /= sum;
  return values;
}

Work Separable(const std::vector<double>& column, const std::vector<double>& row) {
  const int width = static_cast<int>(row.size());
  const int height = static_cast<int>(column.size());
  return SeparableWeights{width, height, width / 2, height / 2, {{column, row}}, 1};
}

Work GoldenWork(const nlohmann::json& golden) {
  const std::string op = golden.at("op");
  if (op == "filter2D") return GoldenKernel(golden);
  if (op == "separable") return Separable(golden.at("kernelY"), golden.at("kernelX"));
  REQUIRE(op == "gaussian");
  const std::vector<double> line = Gaussian(golden.at("size"), golden.at("sigma"));
  return Separable(line, line);
}

template <typename T>
void CheckIntegerCase(Backend& backend, const nlohmann::json& golden) {
  const auto image = GoldenImage(golden.at("input"));
  REQUIRE(image->type() == TypeOf<T>());
  Pass pass = GoldenPass(golden, GoldenWork(golden));
  pass.epilogue.offset = golden.at("delta").get<double>() / FullScale(image->type());
  pass.range.kind = RangeKind::kClamp;
  const Array& expected = GoldenArray(golden.at("expected"));
  CHECK(LargestDifference(Result<T>(backend, {{pass}}, image), expected.values) <= golden.at("maxDiff"));
  if (golden.at("op") != "filter2D") return;
  pass.work = FftWeights{GoldenKernel(golden)};
  CHECK(LargestDifference(Result<T>(backend, {{pass}}, image), expected.values) <= golden.at("maxDiff"));
}

TEST_CASE_TEMPLATE("golden: 8-bit photo", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  int walked = 0;
  const nlohmann::json manifest = GoldenManifest("u8_manifest.json");
  for (const auto& golden : manifest.at("cases")) {
    const std::string id = golden.at("id");
    CAPTURE(id);
    CheckIntegerCase<uint8_t>(*backend, golden);
    ++walked;
  }
  CHECK(walked == 31);
}

TEST_CASE_TEMPLATE("golden: 16-bit photo", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  int walked = 0;
  const nlohmann::json manifest = GoldenManifest("u16_manifest.json");
  for (const auto& golden : manifest.at("cases")) {
    const std::string id = golden.at("id");
    CAPTURE(id);
    CheckIntegerCase<uint16_t>(*backend, golden);
    ++walked;
  }
  CHECK(walked == 4);
}

/// The golden results are premultiplied: colour x alpha, alpha.
std::vector<float> Premultiplied(std::vector<float> samples) {
  for (size_t i = 0; i < samples.size(); i += 4) {
    for (size_t c = 0; c < 3; ++c) samples[i + c] *= samples[i + 3];
  }
  return samples;
}

TEST_CASE_TEMPLATE("golden: alpha-weighted filtering", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  int walked = 0;
  const nlohmann::json manifest = GoldenManifest("alpha_manifest.json");
  for (const auto& golden : manifest.at("cases")) {
    const std::string id = golden.at("id");
    CAPTURE(id);
    const auto image = GoldenImage(golden.at("input"), true);
    Pass pass = GoldenPass(golden, GoldenKernel(golden));
    pass.alpha = AlphaMode::kWeighted;
    const auto result = Premultiplied(Result<float>(*backend, {{pass}}, image));
    CHECK(LargestDifference(result, GoldenArray(golden.at("expected")).values) <= golden.at("tolF32"));
    ++walked;
  }
  CHECK(walked == 10);
}

TEST_CASE_TEMPLATE("golden: linear light", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  int walked = 0;
  const nlohmann::json manifest = GoldenManifest("linear_manifest.json");
  for (const auto& golden : manifest.at("cases")) {
    const std::string id = golden.at("id");
    CAPTURE(id);
    const auto image = GoldenImage(golden.at("input"));
    Pass pass = GoldenPass(golden, GoldenKernel(golden));
    pass.light = LightMode::kLinear;
    pass.range.kind = RangeKind::kClamp;
    const std::vector<double>& expected = GoldenArray(golden.at("expected")).values;
    CHECK(LargestDifference(Result<float>(*backend, {{pass}}, image), expected) <= golden.at("tol"));
    std::vector<double> levels;
    for (const double value : expected) levels.push_back(std::round(value * 255));
    CHECK(LargestDifference(Result<uint8_t>(*backend, {{pass}}, image), levels) <= golden.at("tol8bit"));
    // The same filter on the encoded values is far away, so the two cannot be mistaken for each other.
    pass.light = LightMode::kEncoded;
    const double encoded = LargestDifference(Result<float>(*backend, {{pass}}, image), expected);
    CHECK(encoded == doctest::Approx(golden.at("differsFromPlainBy").get<double>()).epsilon(1e-3));
    ++walked;
  }
  CHECK(walked == 3);
}

/// A gradient's two kernels from its smoothing column (top to bottom): columns for x, rows for y.
MagnitudeWeights Gradient(double edge, double middle, double divisor) {
  return {Kernel(3, 3, {-edge, 0, edge, -middle, 0, middle, -edge, 0, edge}, divisor),
          Kernel(3, 3, {-edge, -middle, -edge, 0, 0, 0, edge, middle, edge}, divisor)};
}

MagnitudeWeights GradientNamed(const std::string& op) {
  if (op == "sobel magnitude") return Gradient(1, 2, 1);
  if (op == "scharr magnitude") return Gradient(3, 10, 1);
  if (op == "prewitt magnitude") return Gradient(1, 1, 1);
  REQUIRE(op == "skimage.filters.sobel");
  return Gradient(1, 2, 4);
}

TEST_CASE_TEMPLATE("golden: gradient magnitudes", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  int walked = 0;
  const nlohmann::json manifest = GoldenManifest("edges_manifest.json");
  for (const auto& golden : manifest.at("cases")) {
    const std::string id = golden.at("id");
    CAPTURE(id);
    const auto image = GoldenImage(golden.at("input"));
    const std::string op = golden.at("op");
    Pass pass = GoldenPass(golden, GradientNamed(op));
    const Array& expected = GoldenArray(golden.at("expected"));
    if (expected.type == SampleType::kU8) {
      pass.range.kind = RangeKind::kClamp;
      CHECK(LargestDifference(Result<uint8_t>(*backend, {{pass}}, image), expected.values) <= golden.at("maxDiff"));
    } else {
      const bool shares = op == "skimage.filters.sobel";  // sqrt((gx^2 + gy^2) / 2) of values / 255
      if (shares) pass.epilogue.result = std::sqrt(0.5);
      const auto result = Result<float>(*backend, {{pass}}, image);
      CHECK(LargestDifference(result, expected.values, shares ? 1 : 255) <= golden.at("tol"));
    }
    ++walked;
  }
  CHECK(walked == 6);
}

}  // namespace
}  // namespace convolve::test
