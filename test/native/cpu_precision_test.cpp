// What float sums must keep: ties of dyadic weights, flat pictures under very large kernels, and the last digit of
// 16-bit samples.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "cpu/cpu_backend.h"
#include "cpu_cases.h"
#include "engine/backend.h"
#include "pictures.h"

namespace convolve::test {
namespace {

template <typename Check>
void OnEveryTarget(const Check& check) {
  for (const cpu::Target& target : cpu::AvailableTargets()) {
    INFO(target.name);
    cpu::CpuBackend backend(2, target);
    check(backend);
  }
}

TEST_CASE("cpu rounds ties half away from zero, whatever the weights' form") {
  const auto image = Picture<uint8_t>(4, 1, {0, 1, 2, 255});
  OnEveryTarget([&](Backend& backend) {
    // (a + b) / 2 with the left neighbour: 0, 0.5, 1.5, 128.5.
    const std::vector<uint8_t> expected{0, 1, 2, 129};
    CHECK(Result<uint8_t>(backend, {{PassOf(Kernel(2, 1, {0.5, 0.5}))}}, image) == expected);
    CHECK(Result<uint8_t>(backend, {{PassOf(Kernel(2, 1, {1, 1}, 2))}}, image) == expected);
    CHECK(Result<uint8_t>(backend, {{PassOf(Kernel(2, 1, {3, 3}, 6))}}, image) == expected);
    const SeparableWeights pair{2, 1, 1, 0, {{{1}, {0.5, 0.5}}}, 1};
    CHECK(Result<uint8_t>(backend, {{PassOf(pair)}}, image) == expected);
    // Just below a half is not a half: 0.49999997 is the number before it.
    const auto below = Picture<float>(1, 1, {std::nextafter(0.5f, 0.0f) / 255});
    CHECK(Part<uint8_t>(backend, {}, below, {0, 0, 1, 1}) == std::vector<uint8_t>{0});
  });
}

TEST_CASE("cpu keeps ties of weighted pictures: 8-bit colour times alpha is still exact") {
  // Opaque and half transparent pixels whose weighted mean ends in a half: (10 * 2 + 13 * 2) / 4 = 11.5.
  const auto image = Picture<uint8_t>(2, 1, {10, 2, 13, 2}, Alpha::kLast);
  OnEveryTarget([&](Backend& backend) {
    const auto result = Result<uint8_t>(backend, {{PassOf(Kernel(2, 1, {1, 1}, 2))}}, image);
    CHECK(result == std::vector<uint8_t>{10, 2, 12, 2});
  });
}

TEST_CASE("cpu keeps a flat picture flat under kernels up to 511 x 511, within single precision") {
  OnEveryTarget([&](Backend& backend) {
    for (const int side : {7, 15, 31, 101, 511}) {
      for (const float value : {1.0f, 0.7f, 0.1f}) {
        CAPTURE(side);
        const double weight = 1.0 / (side * side);
        const Pass pass = PassOf(Kernel(side, side, std::vector<double>(static_cast<size_t>(side * side), weight)),
                                 BorderKind::kReplicate, RangeKind::kFloat);
        const auto result = Result<float>(backend, {{pass}}, Flat<float>(3, 2, 1, value));
        for (const float got : result) CHECK(std::abs(double{got} - double{value}) <= 6e-7 * (1 + value));
      }
    }
  });
}

TEST_CASE("cpu keeps within single precision on noise under a kernel of 511 x 511 weights of both signs") {
  Dice dice(5);
  Case tried;
  tried.image = RandomPicture(dice, 9, 6, 1, false, SampleType::kF32);
  tried.type = SampleType::kF64;
  tried.request.region = {0, 0, 9, 6};
  std::vector<double> weights;
  double sum = 0;
  for (int i = 0; i < 511 * 511; ++i) sum += std::abs(weights.emplace_back((dice.Share() - 0.4) / 1000));
  tried.plan.passes = {PassOf(Kernel(511, 511, weights), BorderKind::kWrap, RangeKind::kFloat)};
  tried.tolerance = 6e-7 * (1 + sum);
  const auto expected = ResultOf(*MakeReferenceBackend(), tried);
  OnEveryTarget([&](Backend& backend) {
    const Difference difference = Compare(tried, *expected, *ResultOf(backend, tried));
    CAPTURE(difference.worst);
    CHECK(difference.beyond == 0);
  });
}

TEST_CASE("cpu rounds 16-bit results exactly in at least 99.9 % of samples, under large kernels too") {
  const auto reference = MakeReferenceBackend();
  for (const int side : {3, 31}) {
    Dice dice(static_cast<uint32_t>(side));
    Case tried;
    tried.image = RandomPicture(dice, 60, 40, 3, false, SampleType::kU16);
    tried.type = SampleType::kU16;
    tried.request.region = {0, 0, 60, 40};
    std::vector<double> weights;
    double sum = 0;
    for (int i = 0; i < side * side; ++i) sum += weights.emplace_back(dice.Share());
    tried.plan.passes = {PassOf(Kernel(side, side, weights, sum))};
    const auto expected = ResultOf(*reference, tried);
    OnEveryTarget([&](Backend& backend) {
      const Difference difference = Compare(tried, *expected, *ResultOf(backend, tried));
      CHECK(difference.beyond == 0);
      CHECK(static_cast<double>(difference.exact) >= 0.999 * static_cast<double>(difference.samples));
    });
  }
}

TEST_CASE("cpu computes a magnitude whose squares would overflow or vanish") {
  const float huge = 3e30f;
  const float tiny = 3e-30f;
  const auto image = Picture<float>(2, 2, {0, huge, tiny, 0});
  const DenseWeights three = Kernel(1, 1, {1});
  const DenseWeights four = Kernel(1, 1, {4}, 3);
  OnEveryTarget([&](Backend& backend) {
    const Pass pass = PassOf(MagnitudeWeights{three, four}, BorderKind::kReplicate, RangeKind::kFloat);
    const auto result = Result<float>(backend, {{pass}}, image);
    CHECK(result[0] == 0);
    CHECK(result[1] == doctest::Approx(5e30));
    CHECK(result[2] / 5e-30f == doctest::Approx(1));
  });
}

TEST_CASE("cpu copies float64 samples of an empty plan digit for digit") {
  const auto image = Picture<double>(3, 1, {0.1, 1.0 / 3, std::nextafter(0.5, 1.0)});
  OnEveryTarget([&](Backend& backend) {
    CHECK(Result<double>(backend, {}, image) == std::vector<double>{0.1, 1.0 / 3, std::nextafter(0.5, 1.0)});
  });
}

}  // namespace
}  // namespace convolve::test
