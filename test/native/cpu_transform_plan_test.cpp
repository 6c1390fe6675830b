// Which tiles and lines the engine transforms, against test/fixtures/transforms.json: the page and the command line
// predict by their own count of the same (core/transformTiles.ts), which test/unit/core/transformTiles.test.ts holds
// against that file.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "cpu/fft_plan.h"
#include "cpu/prepared_plan.h"
#include "golden.h"
#include "pictures.h"

namespace convolve::test {
namespace {

SampleType TypeNamed(const std::string& name) {
  return name == "u8" ? SampleType::kU8 : name == "u16" ? SampleType::kU16 : SampleType::kF32;
}

/// As a picture alone is filtered, to its own samples; of four channels the last is alpha, full everywhere.
template <typename T>
std::vector<cpu::PreparedPass<T>> PassesOf(Work work, const Image& image) {
  const Pass pass = PassOf(std::move(work), BorderKind::kMirror);
  cpu::Purpose purpose;
  purpose.type = image.type();
  purpose.byte_sums = true;
  return cpu::Prepare<T>({{pass}}, image, true, FullScale(image.type()), purpose).passes;
}

/// Weights without a pattern, which no divisor makes whole.
std::vector<double> Uneven(int count) {
  std::vector<double> weights;
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += weights.emplace_back(0.3 + (i * 7919 % 1000) / 1013.0);
  for (double& weight : weights) weight /= sum;
  return weights;
}

/// As wide as its vector shows, with a sum of 1.
std::vector<double> Gaussian(int taps) {
  std::vector<double> weights;
  double sum = 0;
  for (int i = 0; i < taps; ++i) {
    const double t = 6.0 * (i - (taps - 1) / 2.0) / taps;
    sum += weights.emplace_back(std::exp(-t * t / 2));
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

template <typename T>
void CheckGrid(const nlohmann::json& grid, const Image& image) {
  const int side = grid.at("kernel");
  CAPTURE(side);
  const auto passes = PassesOf<T>(FftWeights{Kernel(side, side, Uneven(side * side))}, image);
  REQUIRE(passes.size() == 1);
  CHECK((passes[0].fft != nullptr) == grid.contains("width"));
  if (passes[0].fft == nullptr || !grid.contains("width")) return;
  const cpu::FftPlan& fft = *passes[0].fft;
  CHECK(fft.width == grid.at("width"));
  CHECK(fft.height == grid.at("height"));
  CHECK(fft.step_x == grid.at("stepX"));
  CHECK(fft.step_y == grid.at("stepY"));
}

template <typename T>
void CheckLines(const nlohmann::json& lines, const Image& image) {
  const int taps = lines.at("kernel");
  const int pairs = lines.at("pairs");
  CAPTURE(taps);
  CAPTURE(pairs);
  SeparableWeights separable{taps, taps, taps / 2, taps / 2, {}, static_cast<double>(pairs)};
  for (int i = 0; i < pairs; ++i) separable.pairs.push_back({Gaussian(taps), Gaussian(taps)});
  const auto passes = PassesOf<T>(separable, image);
  REQUIRE((passes.size() == 2) == lines.contains("down"));
  if (passes.size() != 2) return;
  CHECK(passes[0].fft->height == lines.at("down"));
  CHECK(passes[1].fft->width == lines.at("across"));
}

template <typename T>
void CheckPicture(const nlohmann::json& expected, const Image& image) {
  for (const nlohmann::json& grid : expected.at("grids")) CheckGrid<T>(grid, image);
  for (const nlohmann::json& lines : expected.at("lines")) CheckLines<T>(lines, image);
}

}  // namespace

TEST_CASE("cpu transforms by the tiles and lines that predictions count") {
  for (const nlohmann::json& expected : GoldenManifest("../fixtures/transforms.json")) {
    const nlohmann::json& picture = expected.at("picture");
    CAPTURE(picture.dump());
    const SampleType type = TypeNamed(picture.at("sampleType"));
    const int channels = picture.at("channels");
    const Image image(picture.at("width"), picture.at("height"), channels, channels == 4, type);
    if (type == SampleType::kU16) {
      CheckPicture<double>(expected, image);
    } else {
      CheckPicture<float>(expected, image);
    }
  }
}

}  // namespace convolve::test
