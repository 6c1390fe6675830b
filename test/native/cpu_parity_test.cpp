// The cpu backend against the law: every instruction set of this machine computes what the reference computes, integers
// within a level and nearly always exactly, floating point within the tolerance of single precision.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cpu/cpu_backend.h"
#include "cpu_cases.h"
#include "engine/backend.h"
#include "pictures.h"

namespace convolve::test {
namespace {

/// Integer results must be the exactly rounded value in at least this share of samples.
constexpr double kExactShare = 0.999;

struct Tried {
  std::string name;
  std::unique_ptr<Backend> backend;
  std::array<Difference, 4> totals;  // by destination type
};

std::vector<Tried> EveryTarget(int threads) {
  std::vector<Tried> every;
  for (const cpu::Target& target : cpu::AvailableTargets()) {
    every.push_back({target.name, std::make_unique<cpu::CpuBackend>(threads, target), {}});
  }
  return every;
}

void CheckCase(Backend& reference, std::vector<Tried>& every, const Case& tried) {
  const auto expected = ResultOf(reference, tried);
  for (Tried& one : every) {
    const Difference difference = Compare(tried, *expected, *ResultOf(*one.backend, tried));
    INFO(one.name, ": ", tried.description, "; worst ", difference.worst);
    CHECK(difference.beyond == 0);
    Difference& total = one.totals[static_cast<size_t>(tried.type)];
    total.samples += difference.samples;
    total.exact += difference.exact;
  }
}

void CheckExactShares(const std::vector<Tried>& every) {
  for (const Tried& one : every) {
    for (const SampleType type : {SampleType::kU8, SampleType::kU16}) {
      const Difference& total = one.totals[static_cast<size_t>(type)];
      INFO(one.name, ", ", FullScale(type), ": ", total.exact, " of ", total.samples);
      REQUIRE(total.samples > 0);
      CHECK(static_cast<double>(total.exact) >= kExactShare * static_cast<double>(total.samples));
    }
  }
}

TEST_CASE("cpu agrees with the reference on thousands of random plans, on every instruction set") {
  constexpr uint32_t kCases = 3000;
  const auto reference = MakeReferenceBackend();
  std::vector<Tried> every = EveryTarget(2);
  for (uint32_t seed = 0; seed < kCases; ++seed) CheckCase(*reference, every, RandomCase(seed));
  CheckExactShares(every);
}

TEST_CASE("cpu agrees with the reference for every width, channel count and sample type") {
  const auto reference = MakeReferenceBackend();
  std::vector<Tried> every = EveryTarget(1);
  std::vector<int> widths;
  for (int width = 1; width <= 40; ++width) widths.push_back(width);
  // Around one, four and eight vectors of any instruction set.
  for (const int width : {63, 64, 65, 127, 128, 129, 255, 256, 257}) widths.push_back(width);
  int height = 0;
  for (const int width : widths) {
    for (int channels = 1; channels <= 4; ++channels) {
      for (const SampleType type : {SampleType::kU8, SampleType::kU16, SampleType::kF32, SampleType::kF64}) {
        height = height % 9 + 1;
        Dice dice(static_cast<uint32_t>(width * 100 + channels * 10) + static_cast<uint32_t>(type));
        Case tried;
        tried.image = RandomPicture(dice, width, height, channels, channels % 2 == 0 && dice.OneIn(2), type);
        tried.type = type;
        std::vector<double> weights;
        for (int i = 0; i < 15; ++i) weights.push_back(dice.Share());
        tried.plan.passes = {PassOf(Kernel(5, 3, weights, 7))};
        tried.request.region = {0, 0, width, height};
        tried.tolerance = 6e-7 * (1 + 15.0 / 7);
        tried.description = "width " + std::to_string(width) + " channels " + std::to_string(channels);
        CheckCase(*reference, every, tried);
      }
    }
  }
  CheckExactShares(every);
}

TEST_CASE("cpu measures the extremes that the reference measures") {
  const auto reference = MakeReferenceBackend();
  std::vector<Tried> every = EveryTarget(2);
  int measured = 0;
  for (uint32_t seed = 10000; seed < 10300; ++seed) {
    const Case tried = RandomCase(seed);
    if (tried.image->alpha()) continue;  // a quotient of rests may be any extreme
    const Extremes expected = reference->Measure(tried.plan, tried.image, CancelToken());
    for (Tried& one : every) {
      INFO(one.name, ": ", tried.description);
      const Extremes got = one.backend->Measure(tried.plan, tried.image, CancelToken());
      const double most = 1 + std::max(std::abs(expected.minimum), std::abs(expected.maximum));
      CHECK(std::abs(got.minimum - expected.minimum) <= tried.tolerance * most);
      CHECK(std::abs(got.maximum - expected.maximum) <= tried.tolerance * most);
    }
    ++measured;
  }
  CHECK(measured > 100);
}

}  // namespace
}  // namespace convolve::test
