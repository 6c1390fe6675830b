// Results that are kept between runs: runs from them give the same bytes as runs from the image, whatever is there
// already, and nothing is computed twice.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "cpu/cpu_backend.h"
#include "cpu_cases.h"
#include "engine/kept_result.h"
#include "pictures.h"

namespace convolve::test {
namespace {

Plan Cut(const Plan& plan, size_t begin, size_t end) {
  return {{plan.passes.begin() + static_cast<ptrdiff_t>(begin), plan.passes.begin() + static_cast<ptrdiff_t>(end)}};
}

std::unique_ptr<Image> ResultAfter(Backend& backend, KeptResult& kept, const Plan& after, const Case& tried) {
  const Region& region = tried.request.region;
  auto result =
      std::make_unique<Image>(region.width, region.height, tried.image->channels(), tried.image->alpha(), tried.type);
  backend.RunAfter(kept, after, tried.request, result->view(), CancelToken());
  return result;
}

/// Some part of what was asked for.
Region PartOfRegion(Dice& dice, const Region& all) {
  const int x = dice.Between(0, all.width - 1);
  const int y = dice.Between(0, all.height - 1);
  return {all.x + x, all.y + y, dice.Between(1, all.width - x), dice.Between(1, all.height - y)};
}

/// Parts of the result, from a kept result of the plan's first `count` passes, beside the same from the image.
int64_t DifferentBytes(Backend& backend, const Case& tried, size_t count, Dice& dice) {
  KeptResult kept(tried.image, Cut(tried.plan, 0, count));
  const Plan after = Cut(tried.plan, count, tried.plan.passes.size());
  int64_t different = 0;
  for (int i = 0; i < 4; ++i) {
    Case part = tried;
    part.request.region = PartOfRegion(dice, tried.request.region);
    const auto expected = ResultOf(backend, part);
    const auto got = ResultAfter(backend, kept, after, part);
    if (std::memcmp(expected->data(), got->data(), expected->bytes()) != 0) ++different;
  }
  const Extremes expected = backend.Measure(tried.plan, tried.image, CancelToken());
  const Extremes got = backend.MeasureAfter(kept, after, CancelToken());
  if (got.minimum != expected.minimum || got.maximum != expected.maximum) ++different;
  return different;
}

TEST_CASE("cpu runs from a kept result give the same bytes as from the image, cut anywhere") {
  cpu::CpuBackend backend(2, cpu::TargetNamed(""));
  Dice dice(11);
  int cuts = 0;
  for (uint32_t seed = 0; seed < 300; ++seed) {
    // Every third picture is wider and higher than a square of what is kept.
    const CaseLimits limits = seed % 3 == 0 ? CaseLimits{620, 300, 4} : CaseLimits{40, 9, 4};
    const Case tried = RandomCase(seed, limits);
    for (size_t count = 1; count < tried.plan.passes.size(); ++count, ++cuts) {
      INFO("seed ", seed, ", cut after ", count, ": ", tried.description);
      CHECK(DifferentBytes(backend, tried, count, dice) == 0);
    }
  }
  CHECK(cuts > 100);
}

TEST_CASE("cpu transforms give the same bytes from a kept result") {
  cpu::CpuBackend backend(2, cpu::TargetNamed(""));
  Dice dice(12);
  for (uint32_t seed = 0; seed < 8; ++seed) {
    const size_t transformed = 2;  // FftWeights among Work's kinds
    const Case tried = RandomCase(seed, {700, 300, 3, transformed, 31});
    for (size_t count = 1; count < tried.plan.passes.size(); ++count) {
      INFO("seed ", seed, ", cut after ", count);
      CHECK(DifferentBytes(backend, tried, count, dice) == 0);
    }
  }
}

TEST_CASE("what is kept of floats does not depend on where the first run went") {
  cpu::CpuBackend backend(2, cpu::TargetNamed(""));
  const int width = 300;
  const int height = 200;
  std::vector<double> weights(31 * 31);
  for (size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<double>(i * 7919 % 101) / 48500;
  Pass transform = PassOf(FftWeights{Kernel(31, 31, weights)});
  transform.light = LightMode::kLinear;
  Case tried;
  tried.image = Picture<float>(width, height, Noise<float>(width * height * 3, 14));
  tried.plan.passes = {transform, PassOf(Sharpen())};
  tried.request.region = {0, 0, width, height};
  tried.type = SampleType::kU16;
  const auto expected = ResultOf(backend, tried);
  KeptResult kept(tried.image, Cut(tried.plan, 0, 1));
  const Plan after = Cut(tried.plan, 1, 2);
  (void)backend.MeasureAfter(kept, after, CancelToken());
  const auto got = ResultAfter(backend, kept, after, tried);
  CHECK(std::memcmp(expected->data(), got->data(), expected->bytes()) == 0);
}

TEST_CASE("backends that keep nothing run the whole plan") {
  const auto reference = MakeReferenceBackend();
  Dice dice(13);
  for (uint32_t seed = 0; seed < 6; ++seed) {
    const Case tried = RandomCase(seed);
    for (size_t count = 1; count < tried.plan.passes.size(); ++count) {
      CHECK(DifferentBytes(*reference, tried, count, dice) == 0);
    }
  }
}

TEST_CASE("a kept result computes each square once, and again what failed") {
  const auto image = std::make_shared<Image>(700, 600, 3, false, SampleType::kU8);
  KeptResult kept(image, {{PassOf(Sharpen())}});
  std::vector<int> times(700 * 600, 0);
  const auto compute = [&](const Region& region) {
    for (int y = region.y; y < region.y + region.height; ++y) {
      for (int x = region.x; x < region.x + region.width; ++x) ++times[static_cast<size_t>(y) * 700 + x];
    }
  };
  const auto fail = [](const Region&) { throw Error(ErrorCode::kCancelled, "run"); };
  CHECK_THROWS_AS(kept.Require({{0, 0, 10, 10}}, fail), Error);
  kept.Require({{0, 0, 10, 10}}, compute);
  CHECK(times[255 * 700 + 255] == 1);
  CHECK(times[256 * 700] == 0);
  kept.Require({{200, 100, 100, 300}, {650, 0, 50, 1}}, compute);
  kept.Require({{0, 0, 700, 600}}, compute);
  kept.Require({{0, 0, 700, 600}}, fail);
  for (const int count : times) REQUIRE(count == 1);
}

TEST_CASE("a kept result holds samples of one size") {
  KeptResult kept(std::make_shared<Image>(40, 30, 3, false, SampleType::kU8), {{PassOf(Sharpen())}});
  std::byte* const samples = kept.Samples(1);
  CHECK(kept.Samples(1) == samples);
  CHECK_THROWS_AS(kept.Samples(4), Error);
}

TEST_CASE("a kept result has at least one pass, and one that fits the picture") {
  const auto image = std::make_shared<Image>(4, 4, 3, false, SampleType::kU8);
  CHECK_THROWS_AS(KeptResult(image, {}), Error);
  Pass pass = PassOf(DenseWeights{5, 5, 2, 2, std::vector<double>(25, 1.0), 25});
  pass.size = SizeMode::kValid;
  CHECK_THROWS_AS(KeptResult(image, {{pass}}), Error);
}

}  // namespace
}  // namespace convolve::test
