// Grids of floats of which rows of results share their work: right for every size, border and ending, the same bytes
// however the result is cut, and given up where samples are too large or not finite.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "cpu/cpu_backend.h"
#include "cpu/halved_plan.h"
#include "engine/backend.h"
#include "pictures.h"

namespace convolve::test {
namespace {

constexpr double kSingle = 6e-7;  // the golden set's tolerance, times 1 + the largest possible sum

/// Weights of both signs, none of them 0, whose magnitudes sum to 2.
DenseWeights Grid(int width, int height, uint32_t seed) {
  const auto noise = Noise<double>(static_cast<size_t>(width * height), seed);
  std::vector<double> weights;
  double sum = 0;
  for (const double share : noise) sum += std::abs(weights.emplace_back(share < 0.4 ? share - 0.5 : share));
  return Kernel(width, height, weights, sum / 2);
}

template <typename Check>
void OnEveryTarget(const Check& check) {
  for (const cpu::Target& target : cpu::AvailableTargets()) {
    INFO(target.name);
    cpu::CpuBackend backend(2, target);
    check(backend);
  }
}

/// Equal within `error`, and alike where they are not finite.
int64_t Different(const std::vector<float>& got, const std::vector<float>& expected, double error) {
  int64_t different = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    const bool same = std::isfinite(expected[i])
                          ? std::abs(double{got[i]} - double{expected[i]}) <= error * (1 + std::abs(expected[i]))
                          : std::isnan(got[i]) || got[i] == expected[i];
    if (!same) ++different;
  }
  return different;
}

TEST_CASE("cpu shares the work of rows of floats under kernels of every height, within single precision") {
  const auto reference = MakeReferenceBackend();
  for (int height = cpu::kLeastHalvedHeight - 1; height <= cpu::kMostHalvedHeight + 1; ++height) {
    for (const int width : {1, 4, 7}) {
      const int channels = (height + width) % 4 + 1;
      const auto image = NoisePicture<float>(37 + height, 29 + width, channels, static_cast<uint32_t>(height));
      Pass pass = PassOf(Grid(width, height, 3), static_cast<BorderKind>(height % 6), RangeKind::kFloat);
      pass.border.value = 0.5;
      const auto expected = Result<float>(*reference, {{pass}}, image);
      OnEveryTarget([&](Backend& backend) {
        CAPTURE(height);
        CAPTURE(width);
        CHECK(Different(Result<float>(backend, {{pass}}, image), expected, kSingle * 3) == 0);
      });
    }
  }
}

TEST_CASE("cpu ends sums whose rows share their work as it ends all others") {
  const auto reference = MakeReferenceBackend();
  for (const int channels : {2, 4}) {
    const auto image = NoisePicture<float>(50, 23, channels, 9, Alpha::kLast);
    for (const RangeKind range : {RangeKind::kClamp, RangeKind::kAbsolute, RangeKind::kSigned, RangeKind::kFloat}) {
      for (const AlphaMode alpha : {AlphaMode::kStraight, AlphaMode::kColourOnly}) {
        Pass pass = PassOf(Grid(5, 6, 4), BorderKind::kMirror, range);
        pass.alpha = alpha;
        pass.epilogue.result = -0.5;
        pass.epilogue.input = 1.5;
        pass.epilogue.offset = 0.125;
        const auto expected = Result<float>(*reference, {{pass}}, image);
        OnEveryTarget([&](Backend& backend) {
          CHECK(Different(Result<float>(backend, {{pass}}, image), expected, kSingle * 4) == 0);
        });
      }
    }
  }
}

TEST_CASE("cpu computes the same bytes wherever a result is cut whose rows share their work") {
  const auto image = NoisePicture<float>(61, 43, 3, 5);
  const Plan plan{{PassOf(Grid(7, 7, 1), BorderKind::kWrap, RangeKind::kFloat),
                   PassOf(Grid(5, 4, 2), BorderKind::kMirror, RangeKind::kFloat)}};
  OnEveryTarget([&](Backend& backend) {
    const auto whole = Result<float>(backend, plan, image);
    for (int top = 0; top < 20; ++top) {
      for (const int height : {1, 2, 3, 8, 9, 10, 19}) {
        const Region region{top % 5, top, 50, height};
        CAPTURE(top);
        CAPTURE(height);
        CHECK(Unequal(Part<float>(backend, plan, image, region), region, whole, 61, 3) == 0);
      }
    }
  });
}

TEST_CASE("cpu keeps small samples beside huge ones, and infinity as it is, where rows would share their work") {
  constexpr int kWidth = 40;
  const auto reference = MakeReferenceBackend();
  DenseWeights grid = Grid(5, 5, 7);
  std::fill_n(grid.weights.begin() + 5, 5, 0.0);  // the second row looks away
  const Plan plan{{PassOf(grid, BorderKind::kReplicate, RangeKind::kFloat)}};
  for (const float bad :
       {1e30f, -1e9f, 100.0f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    CAPTURE(bad);
    std::vector<float> samples = Noise<float>(kWidth * 31, 2);
    for (float& sample : samples) sample *= 1e-3f;
    std::fill_n(samples.begin() + ptrdiff_t{13} * kWidth, kWidth, bad);
    const auto image = Picture<float>(kWidth, 31, samples);
    const auto expected = Result<float>(*reference, plan, image);
    OnEveryTarget(
        [&](Backend& backend) { CHECK(Different(Result<float>(backend, plan, image), expected, kSingle * 3) == 0); });
  }
}

TEST_CASE("cpu keeps huge weights finite, and small ones beside them, where rows would share their work") {
  constexpr int kWidth = 20;
  const auto reference = MakeReferenceBackend();
  std::vector<float> samples(kWidth * 21, 0.0f);
  std::fill(samples.begin() + ptrdiff_t{10} * kWidth, samples.end(), 1e-3f);
  const auto image = Picture<float>(kWidth, 21, samples);
  std::vector<double> uneven(9, 1.0);
  std::fill_n(uneven.begin(), 3, 1e8);
  for (const std::vector<double>& weights : {std::vector<double>(9, 2.5e38), uneven}) {
    const Plan plan{{PassOf(Kernel(3, 3, weights), BorderKind::kReplicate, RangeKind::kFloat)}};
    const auto expected = Result<float>(*reference, plan, image);
    OnEveryTarget([&](Backend& backend) {
      const auto got = Result<float>(backend, plan, image);
      for (size_t i = 0; i < got.size(); ++i) {
        CHECK(std::abs(double{got[i]} - double{expected[i]}) <= kSingle * std::abs(double{expected[i]}));
      }
    });
  }
}

TEST_CASE("cpu keeps flat pictures flat where rows share their work") {
  OnEveryTarget([&](Backend& backend) {
    for (int side = cpu::kLeastHalvedHeight; side <= cpu::kMostHalvedHeight; ++side) {
      for (const float value : {1.0f, 0.7f, 0.1f}) {
        CAPTURE(side);
        const Plan plan{{PassOf(Box(side, side), BorderKind::kReplicate, RangeKind::kFloat)}};
        for (const float got : Result<float>(backend, plan, Flat<float>(20, 9, 1, value))) {
          CHECK(std::abs(double{got} - double{value}) <= kSingle * (1 + value));
        }
      }
    }
  });
}

}  // namespace
}  // namespace convolve::test
