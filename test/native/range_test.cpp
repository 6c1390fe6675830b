// Ranges and precision: what becomes of values outside 0...1, rounding once at the end, and measuring extremes.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "backends.h"
#include "pictures.h"

namespace convolve::test {
namespace {

Pass Identity(Range range) {
  Pass pass = PassOf(Kernel(1, 1, {1}));
  pass.range = range;
  return pass;
}

void CheckNear(const std::vector<float>& got, const std::vector<double>& expected, double tolerance = 1e-6) {
  REQUIRE(got.size() == expected.size());
  for (size_t i = 0; i < got.size(); ++i) {
    CAPTURE(i);
    CHECK(std::abs(got[i] - expected[i]) <= tolerance);
  }
}

TEST_CASE_TEMPLATE("each range mode is a function of the value", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const auto image = Picture<float>(6, 1, {-2.0F, -0.5F, 0.0F, 0.25F, 1.0F, 1.5F});
  const auto result = [&](Range range) { return Result<float>(*backend, {{Identity(range)}}, image); };
  CheckNear(result({RangeKind::kClamp, 0, 1}), {0, 0, 0, 0.25, 1, 1});
  CheckNear(result({RangeKind::kAbsolute, 0, 1}), {1, 0.5, 0, 0.25, 1, 1});
  CheckNear(result({RangeKind::kSigned, 0, 1}), {0, 0.25, 0.5, 0.625, 1, 1});
  CheckNear(result({RangeKind::kFloat, 0, 1}), {-2, -0.5, 0, 0.25, 1, 1.5});
  CheckNear(result({RangeKind::kRescale, -2, 1.5}), {0, 1.5 / 3.5, 2 / 3.5, 2.25 / 3.5, 3 / 3.5, 1});
  CheckNear(result({RangeKind::kRescale, 0.25, 0.25}), {0, 0, 0, 0, 0, 0});
}

// An edge up and an edge down, 8-bit: Sobel's x is 1020 at one and -1020 at the other.
std::shared_ptr<const Image> UpAndDown() { return Picture<uint8_t>(8, 1, {0, 0, 0, 255, 255, 255, 0, 0}); }

TEST_CASE_TEMPLATE("both sides of an edge survive: signed inside, shown by an explicit rule", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  Pass sobel = PassOf(SobelX());
  const auto with = [&](RangeKind kind, double offset) {
    sobel.range.kind = kind;
    sobel.epilogue.offset = offset;
    return Result<uint8_t>(*backend, {{sobel}}, UpAndDown());
  };
  CHECK(with(RangeKind::kClamp, 0) == std::vector<uint8_t>{0, 0, 255, 255, 0, 0, 0, 0});
  CHECK(with(RangeKind::kAbsolute, 0) == std::vector<uint8_t>{0, 0, 255, 255, 0, 255, 255, 0});
  CHECK(with(RangeKind::kSigned, 0) == std::vector<uint8_t>{128, 128, 255, 255, 128, 0, 0, 128});
  CHECK(with(RangeKind::kClamp, 0.5) == std::vector<uint8_t>{128, 128, 255, 255, 128, 0, 0, 128});
  sobel.range.kind = RangeKind::kFloat;
  sobel.epilogue.offset = 0;
  CHECK(Result<float>(*backend, {{sobel}}, UpAndDown()) == std::vector<float>{0, 0, 4, 4, 0, -4, -4, 0});
}

TEST_CASE_TEMPLATE("sharpened noise is the exact sum, clamped, without a wrapped speck", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const int width = 37;
  const int height = 29;
  std::vector<uint8_t> samples = Noise<uint8_t>(37 * 29, 7);
  for (uint8_t& sample : samples) sample = sample < 128 ? 0 : 255;
  const auto at = [&](int x, int y) {
    return int{samples[static_cast<size_t>(std::clamp(y, 0, height - 1) * width + std::clamp(x, 0, width - 1))]};
  };
  std::vector<uint8_t> expected;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const int sum = 5 * at(x, y) - at(x - 1, y) - at(x + 1, y) - at(x, y - 1) - at(x, y + 1);
      expected.push_back(static_cast<uint8_t>(std::clamp(sum, 0, 255)));
    }
  }
  CHECK(Result<uint8_t>(*backend, {{PassOf(Sharpen())}}, Picture<uint8_t>(width, height, samples)) == expected);
}

/// A Gaussian as one pair, as wide as three sigma to each side.
SeparableWeights Gaussian(double sigma) {
  const int reach = static_cast<int>(std::ceil(3 * sigma));
  std::vector<double> line;
  for (int i = -reach; i <= reach; ++i) line.push_back(std::exp(-i * i / (2 * sigma * sigma)));
  const double sum = std::accumulate(line.begin(), line.end(), 0.0);
  for (double& value : line) value /= sum;
  return {2 * reach + 1, 2 * reach + 1, reach, reach, {{line, line}}, 1};
}

TEST_CASE_TEMPLATE("white stays white under every Gaussian", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const auto image = Flat<uint8_t>(9, 7, 1, 255);
  for (const double sigma : {0.3, 0.5, 0.8, 1.0, 1.7, 2.5, 4.0, 7.3, 12.0, 20.0, 33.0, 50.0}) {
    CAPTURE(sigma);
    CHECK(Result<uint8_t>(*backend, {{PassOf(Gaussian(sigma), BorderKind::kMirror)}}, image) ==
          std::vector<uint8_t>(63, 255));
  }
}

double Mean(const std::vector<uint8_t>& samples) {
  return std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
}

TEST_CASE_TEMPLATE("a blur keeps the mean of a picture", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const auto samples = Noise<uint8_t>(128 * 128, 8);
  const auto result =
      Result<uint8_t>(*backend, {{PassOf(Gaussian(1.5), BorderKind::kWrap)}}, Picture<uint8_t>(128, 128, samples));
  CHECK(std::abs(Mean(result) - Mean(samples)) < 0.05);
}

TEST_CASE_TEMPLATE("values are rounded once at the end, not between passes", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  // A hundredth, then a hundred times: rounding in between would leave 0 or 100 of it.
  const Plan plan{{PassOf(Kernel(1, 1, {1}, 100)), PassOf(Kernel(1, 1, {100}))}};
  CHECK(Result<uint8_t>(*backend, plan, Picture<uint8_t>(4, 1, {1, 49, 51, 255})) ==
        std::vector<uint8_t>{1, 49, 51, 255});
}

TEST_CASE_TEMPLATE("the same kernel eight times gives 8-bit and float pictures alike", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const auto samples = Noise<uint8_t>(24 * 18, 9);
  std::vector<float> shares;
  for (const uint8_t sample : samples) shares.push_back(static_cast<float>(sample / 255.0));
  const Plan plan{std::vector<Pass>(8, PassOf(Kernel(3, 3, {1, 1, 1, 1, 0, 1, 1, 1, 1}, 8)))};
  const auto levels = Result<uint8_t>(*backend, plan, Picture<uint8_t>(24, 18, samples));
  const auto numbers = Result<float>(*backend, plan, Picture<float>(24, 18, shares));
  for (size_t i = 0; i < levels.size(); ++i) {
    CAPTURE(i);
    CHECK(std::abs(levels[i] - numbers[i] * 255.0) <= 0.51);
  }
}

TEST_CASE_TEMPLATE("16 bits stay 16 bits", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  std::vector<uint16_t> ramp;
  for (int i = 0; i < 4096; ++i) ramp.push_back(static_cast<uint16_t>(i * 16 + 7));
  const DenseWeights identity = Kernel(3, 3, {0, 0, 0, 0, 1, 0, 0, 0, 0});
  CHECK(Result<uint16_t>(*backend, {{PassOf(identity)}}, Picture<uint16_t>(64, 64, ramp)) == ramp);
}

TEST_CASE_TEMPLATE("a value that is no number spoils only the pixels that read it", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  std::vector<float> samples = Noise<float>(40 * 36, 10);
  samples[20 * 40 + 15] = std::numeric_limits<float>::quiet_NaN();
  const Pass pass = PassOf(Box(31, 5), BorderKind::kReplicate, RangeKind::kFloat);
  const auto result = Result<float>(*backend, {{pass}}, Picture<float>(40, 36, samples));
  for (int y = 0; y < 36; ++y) {
    for (int x = 0; x < 40; ++x) {
      CAPTURE(x);
      CAPTURE(y);
      const bool reads = std::abs(x - 15) <= 15 && std::abs(y - 20) <= 2;
      CHECK(std::isnan(result[static_cast<size_t>(y * 40 + x)]) == reads);
    }
  }
}

}  // namespace
}  // namespace convolve::test
