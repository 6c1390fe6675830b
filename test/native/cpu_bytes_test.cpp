// Sums of bytes with whole-number weights: which kernels are taken, what is promised of them, and that the results keep
// the promise: exactly rounded in at least 99.9 % of samples, within one level everywhere, without overflow.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "cpu/byte_sums.h"
#include "cpu/cpu_backend.h"
#include "cpu_cases.h"
#include "engine/backend.h"
#include "pictures.h"

namespace convolve::test {
namespace {

std::optional<cpu::ByteWeights> WeightsOf(const DenseWeights& kernel, Epilogue epilogue = {},
                                          RangeKind range = RangeKind::kClamp) {
  return cpu::ByteWeightsOf(
      {&kernel, nullptr, kernel.width, kernel.height, kernel.anchor_x, kernel.anchor_y, epilogue, range});
}

DenseWeights Random(Dice& dice, int width, int height, double least) {
  std::vector<double> weights;
  double sum = 0;
  for (int i = 0; i < width * height; ++i) sum += weights.emplace_back(dice.Share() + least);
  return Kernel(width, height, weights, sum);
}

/// How many samples differ, and by how much at most.
struct Differences {
  int64_t samples = 0;
  int64_t wrong = 0;
  int worst = 0;
};

Differences Differ(const std::vector<uint8_t>& expected, const std::vector<uint8_t>& got) {
  Differences result;
  result.samples = static_cast<int64_t>(expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    const int by = std::abs(int{expected[i]} - int{got[i]});
    if (by != 0) ++result.wrong;
    result.worst = std::max(result.worst, by);
  }
  return result;
}

/// Noise, gradients with noise of one level as photos have, and stripes of black and white.
std::vector<std::shared_ptr<const Image>> Pictures(int width, int height, int channels) {
  const Alpha alpha = channels % 2 == 0 ? Alpha::kLast : Alpha::kNone;
  const auto noise = Noise<uint8_t>(static_cast<size_t>(width * height * channels), 11);
  std::vector<std::shared_ptr<const Image>> pictures;
  for (int kind = 0; kind < 3; ++kind) {
    std::vector<uint8_t> samples = noise;
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        for (int c = 0; c < channels; ++c) {
          uint8_t& sample = samples[static_cast<size_t>((y * width + x) * channels + c)];
          if (kind == 1) sample = static_cast<uint8_t>((x * (c + 1) / 3 + y / 2) % 250 + sample % 3);
          if (kind == 2) sample = (x / 2 + y / 3) % 2 == 0 ? 0 : 255;
          if (alpha == Alpha::kLast && c == channels - 1) sample = 255;
        }
      }
    }
    pictures.push_back(Picture<uint8_t>(width, height, samples, alpha));
  }
  return pictures;
}

TEST_CASE("whole-number weights cost nothing, times anything") {
  for (const double factor : {1.0, 0.1, 1.0 / 3, 1e6}) {
    for (DenseWeights kernel : {Laplacian(), Sharpen(), Emboss(), Box(3, 3), Box(5, 5), SobelX()}) {
      for (double& weight : kernel.weights) weight *= factor;
      kernel.divisor *= factor;
      const auto weights = WeightsOf(kernel);
      REQUIRE(weights.has_value());
      CHECK(weights->kernels.front().bits == 8);
      CHECK(weights->expected_share == 0);
      CHECK(weights->largest_error == 0);
    }
  }
}

TEST_CASE("other weights are taken within the bounds only, and sums of the largest weights do not overflow") {
  Dice dice(3);
  int taken = 0;
  for (int side = 2; side <= 33; ++side) {
    for (const double least : {0.0, -0.3}) {
      const DenseWeights kernel = Random(dice, side, side, least);
      const auto weights = WeightsOf(kernel);
      if (!weights) continue;
      ++taken;
      CHECK(weights->expected_share <= 0.0005);
      CHECK(weights->largest_error <= 0.25);
      double sum = 0;
      for (const uint32_t word : weights->kernels.front().words) {
        sum += std::abs(static_cast<int16_t>(word & 0xffff)) + std::abs(static_cast<int16_t>(word >> 16));
      }
      if (weights->kernels.front().bits == 16) CHECK(255 * sum < 2147483648.0);
    }
  }
  CHECK(taken > 10);
  // One weight that dwarfs the others leaves them too few bits.
  CHECK_FALSE(WeightsOf(Kernel(3, 1, {1e-5, 1000, 3.3e-4})).has_value());
}

TEST_CASE("cpu rounds bytes exactly in at least 99.9 % of samples, on noise, gradients and stripes") {
  const auto reference = MakeReferenceBackend();
  Dice dice(17);
  std::vector<Pass> passes;
  for (const int side : {3, 4, 5, 7, 11, 15}) passes.push_back(PassOf(Random(dice, side, side, 0.05)));
  for (const int side : {3, 5, 9}) passes.push_back(PassOf(Random(dice, side, side - 1, -0.25)));
  for (const Pass& pass : passes) {
    const auto& kernel = std::get<DenseWeights>(pass.work);
    INFO(kernel.width, " x ", kernel.height);
    for (const int channels : {1, 3, 4}) {
      for (const auto& image : Pictures(200, 60, channels)) {
        const auto expected = Result<uint8_t>(*reference, {{pass}}, image);
        for (const cpu::Target& target : cpu::AvailableTargets()) {
          INFO(target.name, ", ", channels, " channels");
          cpu::CpuBackend backend(2, target);
          const Differences differences = Differ(expected, Result<uint8_t>(backend, {{pass}}, image));
          CHECK(differences.worst <= 1);
          CHECK(static_cast<double>(differences.wrong) <= 0.001 * static_cast<double>(differences.samples));
        }
      }
    }
  }
}

TEST_CASE("cpu sums weights of 16 bits right whatever the kernel's height, the picture's and the signs") {
  const auto reference = MakeReferenceBackend();
  Dice dice(29);
  int halved = 0;
  for (int rows = 1; rows <= 20; ++rows) {
    for (const bool signs : {false, true}) {
      std::vector<double> weights;
      for (int i = 0; i < rows * 3; ++i) weights.push_back(std::floor(32000 * (dice.Share() - (signs ? 0.5 : 0))));
      weights[static_cast<size_t>(rows)] = 32766;
      const DenseWeights kernel = Kernel(3, rows, weights, rows * 50000.0);
      const auto whole = WeightsOf(kernel);
      REQUIRE(whole.has_value());
      CHECK(whole->kernels.front().bits == 16);
      halved += whole->kernels.front().halved.empty() ? 0 : 1;
      for (const int height : {7, 8, 29}) {
        const auto image = Picture<uint8_t>(30, height, Noise<uint8_t>(static_cast<size_t>(30 * height * 3), 5));
        Plan plan{{PassOf(kernel)}};
        plan.passes[0].epilogue.offset = signs ? 0.5 : 0;
        const auto expected = Result<uint8_t>(*reference, plan, image);
        for (const cpu::Target& target : cpu::AvailableTargets()) {
          INFO(rows, " rows, ", height, " pixels high, ", target.name);
          cpu::CpuBackend backend(1, target);
          const Differences differences = Differ(expected, Result<uint8_t>(backend, plan, image));
          CHECK(differences.worst <= 1);
          CHECK(static_cast<double>(differences.wrong) <= 0.002 * static_cast<double>(differences.samples));
        }
      }
    }
  }
  CHECK(halved >= 13);
}

TEST_CASE("cpu computes whole-number kernels on bytes exactly: divisors, ranges, bias, mixed-in input, every width") {
  const auto reference = MakeReferenceBackend();
  std::vector<Pass> passes;
  for (const RangeKind range : {RangeKind::kClamp, RangeKind::kAbsolute, RangeKind::kSigned, RangeKind::kFloat}) {
    for (const DenseWeights& kernel : {Laplacian(), Sharpen(), Emboss(), Box(3, 3), Box(4, 2), Box(6, 5), SobelX(3),
                                       Kernel(3, 3, std::vector<double>(9, 127)), Kernel(1, 1, {-127})}) {
      passes.push_back(PassOf(kernel, BorderKind::kMirror, range));
    }
  }
  passes.push_back(PassOf(Emboss()));
  passes.back().epilogue.offset = 0.5;
  passes.push_back(PassOf(Box(3, 3), BorderKind::kWrap));
  passes.back().epilogue = {-1, 2, 0};
  for (const AlphaMode alpha : {AlphaMode::kStraight, AlphaMode::kColourOnly}) {
    passes.push_back(PassOf(Box(3, 3), BorderKind::kZero));
    passes.back().alpha = alpha;
  }
  passes.push_back(PassOf(MagnitudeWeights{SobelX(), SobelY()}));
  passes.push_back(PassOf(MagnitudeWeights{SobelX(4), SobelY(4)}));
  for (size_t i = 0; i < passes.size(); ++i) {
    CAPTURE(i);
    for (int width = 1; width <= 48; ++width) {
      CAPTURE(width);
      const int channels = width % 4 + 1;
      const bool alpha = channels % 2 == 0;
      const auto image =
          NoisePicture<uint8_t>(width, 6, channels, static_cast<uint32_t>(width),
                                alpha && passes[i].alpha != AlphaMode::kWeighted ? Alpha::kLast : Alpha::kNone);
      const auto expected = Result<uint8_t>(*reference, {{passes[i]}}, image);
      for (const cpu::Target& target : cpu::AvailableTargets()) {
        INFO(target.name);
        cpu::CpuBackend backend(1, target);
        CHECK(Result<uint8_t>(backend, {{passes[i]}}, image) == expected);
      }
    }
  }
}

TEST_CASE("cpu's byte sums of the largest weights and samples do not overflow") {
  const auto reference = MakeReferenceBackend();
  const auto white = Flat<uint8_t>(90, 20, 3, uint8_t{255});
  for (const int side : {3, 7, 15, 31}) {
    for (const double sign : {1.0, -1.0}) {
      std::vector<double> weights(static_cast<size_t>(side * side), sign);
      weights[3] = sign * 0.98765;  // no whole number
      for (const double divisor : {1.0, static_cast<double>(side * side)}) {
        for (const RangeKind range : {RangeKind::kClamp, RangeKind::kAbsolute}) {
          const Plan plan{{PassOf(Kernel(side, side, weights, divisor), BorderKind::kReplicate, range)}};
          const auto expected = Result<uint8_t>(*reference, plan, white);
          for (const cpu::Target& target : cpu::AvailableTargets()) {
            INFO(target.name, ", side ", side, ", divisor ", divisor);
            cpu::CpuBackend backend(1, target);
            CHECK(Differ(expected, Result<uint8_t>(backend, plan, white)).worst <= 1);
          }
        }
      }
    }
  }
}

TEST_CASE("floats round by themselves only what stays within bytes and hardly ever is a half") {
  Dice dice(41);
  const DenseWeights mean = Random(dice, 5, 5, 0.05);
  CHECK(WeightsOf(mean)->inside);
  CHECK_FALSE(WeightsOf(Random(dice, 5, 5, -0.25))->inside);
  CHECK_FALSE(WeightsOf(mean, {}, RangeKind::kAbsolute)->inside);
  // Half of an odd flat area is a half, and so is what a bias adds to it.
  DenseWeights darker = mean;
  darker.divisor *= 2;
  CHECK_FALSE(WeightsOf(darker)->inside);
  CHECK_FALSE(WeightsOf(mean, {1, 0, 0.5 / 255})->inside);
  // Whole numbers are exact, with halves where their divisor is even.
  CHECK_FALSE(WeightsOf(Kernel(3, 3, {1, 2, 1, 2, 4, 2, 1, 2, 1}, 16))->inside);
  DenseWeights lighter = mean;
  lighter.divisor /= 2;
  CHECK_FALSE(WeightsOf(lighter)->inside);
}

}  // namespace
}  // namespace convolve::test
