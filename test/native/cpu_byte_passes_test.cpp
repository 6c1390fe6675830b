// A row and a column on bytes by whole numbers: which pairs are taken, and that results keep what byte sums promise:
// exactly rounded in at least 99.9 % of samples, within one level everywhere, the same for any tiling.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "cpu/byte_pairs.h"
#include "cpu/byte_taps.h"
#include "cpu/cpu_backend.h"
#include "cpu_cases.h"
#include "engine/backend.h"
#include "pictures.h"

namespace convolve::test {
namespace {

std::vector<double> Gaussian(int taps) {
  const double sigma = 0.3 * ((taps - 1) * 0.5 - 1) + 0.8;
  std::vector<double> weights;
  double sum = 0;
  for (int i = 0; i < taps; ++i) {
    const double at = (i - (taps - 1) / 2) / sigma;
    sum += weights.emplace_back(std::exp(-at * at / 2));
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

SeparableWeights PairOf(const std::vector<double>& column, const std::vector<double>& row, double divisor = 1) {
  const int width = static_cast<int>(row.size());
  const int height = static_cast<int>(column.size());
  return {width, height, width / 2, height / 2, {{column, row}}, divisor};
}

bool IsTaken(const SeparableWeights& weights, const Epilogue& epilogue = {}) {
  const std::optional<cpu::BytePair> pair = cpu::BytePairOf(weights, epilogue);
  if (!pair) return false;
  CHECK(pair->expected_share <= 0.001);
  CHECK(pair->largest_error < 0.5);
  return true;
}

/// The cpu backend beside the reference: how many samples differ, none by more than a level.
int64_t Wrong(const Plan& plan, const std::shared_ptr<const Image>& image) {
  const auto expected = Result<uint8_t>(*MakeReferenceBackend(), plan, image);
  int64_t most = 0;
  for (const cpu::Target& target : cpu::AvailableTargets()) {
    INFO(target.name);
    cpu::CpuBackend backend(2, target);
    const auto got = Result<uint8_t>(backend, plan, image);
    int64_t wrong = 0;
    int worst = 0;
    for (size_t i = 0; i < got.size(); ++i) {
      const int by = std::abs(int{got[i]} - int{expected[i]});
      wrong += by != 0 ? 1 : 0;
      worst = std::max(worst, by);
    }
    CHECK(worst <= 1);
    most = std::max(most, wrong);
  }
  return most;
}

TEST_CASE("pairs of whole numbers cost nothing, Gaussians little, and what halves are frequent of is not taken") {
  const std::vector<double> binomial{1, 4, 6, 4, 1};
  const auto exact = cpu::BytePairOf(PairOf(binomial, binomial, 256), {});
  REQUIRE(exact.has_value());
  CHECK(exact->expected_share == 0);
  CHECK(exact->largest_error == 0);
  for (const int taps : {3, 5, 9, 15, 31, 61, 127}) {
    CAPTURE(taps);
    CHECK(IsTaken(PairOf(Gaussian(taps), Gaussian(taps))));
  }
  CHECK(IsTaken(PairOf({1, 2, 1}, {-1, 0, 1}, 8), {1, 0, 0.5}));
  CHECK_FALSE(IsTaken(PairOf(Gaussian(5), Gaussian(5), 2)));          // flat areas become halves
  CHECK_FALSE(IsTaken(PairOf(Gaussian(4), Gaussian(5))));             // edges do
  CHECK_FALSE(IsTaken(PairOf(Gaussian(5), Gaussian(5)), {1, 1, 0}));  // the pixel itself is not summed
  CHECK_FALSE(
      IsTaken(PairOf({1e-5, 0.99998, 1e-5}, {1e-5, 0.99998, 1e-5})));  // what is rounded in between is not meant over
}

TEST_CASE(
    "cpu rounds pairs on bytes exactly in at least 99.9 % of samples, whatever their taps and the picture's width") {
  for (const int taps : {3, 5, 7, 9, 15, 17, 31, 33, 61}) {
    for (const int channels : {1, 2, 3, 4}) {
      INFO(taps, " taps, ", channels, " channels");
      const int height = 50;
      const int width = 600 / channels + taps;
      const auto image = NoisePicture<uint8_t>(width, height, channels, static_cast<uint32_t>(taps));
      const int64_t wrong = Wrong({{PassOf(PairOf(Gaussian(taps), Gaussian(taps + 2)), BorderKind::kMirror)}}, image);
      CHECK(static_cast<double>(wrong) <= 0.001 * width * height * channels);
    }
  }
}

TEST_CASE(
    "cpu computes pairs of whole numbers on bytes exactly: every width and border, signs, offsets, valid results") {
  std::vector<Pass> passes;
  for (const BorderKind border : {BorderKind::kReplicate, BorderKind::kMirror, BorderKind::kWrap, BorderKind::kZero}) {
    passes.push_back(PassOf(PairOf({1, 4, 6, 4, 1}, {1, 2, 1}, 64), border));
    passes.push_back(PassOf(PairOf({1, 2, 1}, {-1, 0, 1}, 4), border));
    passes.back().epilogue.offset = 0.5;
  }
  passes.push_back(PassOf(PairOf({-127, 1}, {127}, 127)));
  passes.push_back(PassOf(PairOf({1, 1, 1, 1}, {1, 1}, 8)));
  passes.back().size = SizeMode::kValid;
  for (size_t i = 0; i < passes.size(); ++i) {
    CAPTURE(i);
    for (int width = 4; width <= 44; ++width) {
      CAPTURE(width);
      for (const Alpha alpha : {Alpha::kNone, Alpha::kLast}) {
        passes[i].alpha =
            width % 2 == 0 || passes[i].epilogue.offset != 0 ? AlphaMode::kWeighted : AlphaMode::kStraight;
        const int channels = alpha == Alpha::kLast ? 4 : width % 4 + 1;
        const auto image = NoisePicture<uint8_t>(width, 4 + width % 9, channels, static_cast<uint32_t>(width), alpha);
        if (alpha == Alpha::kLast && passes[i].alpha == AlphaMode::kWeighted) continue;
        CHECK(Wrong({{passes[i]}}, image) == 0);
      }
    }
  }
}

TEST_CASE(
    "a pair on bytes has the same bytes in any cut, and its sums of the largest weights and samples do not overflow") {
  const Plan plan{{PassOf(PairOf(Gaussian(15), Gaussian(31)), BorderKind::kMirror)}};
  const auto image = NoisePicture<uint8_t>(330, 70, 4, 3);
  cpu::CpuBackend backend(2, cpu::TargetNamed(""));
  const auto whole = Result<uint8_t>(backend, plan, image);
  for (const Region& region : {Region{0, 0, 1, 1}, Region{17, 3, 100, 40}, Region{200, 61, 130, 9}}) {
    const auto part = Part<uint8_t>(backend, plan, image, region);
    for (int y = 0; y < region.height; ++y) {
      for (int i = 0; i < region.width * 4; ++i) {
        const size_t at = static_cast<size_t>((region.y + y) * 330 * 4 + region.x * 4 + i);
        REQUIRE(part[static_cast<size_t>(y * region.width * 4 + i)] == whole[at]);
      }
    }
  }
  for (const uint8_t level : {uint8_t{0}, uint8_t{255}}) {
    const auto flat = Flat<uint8_t>(90, 20, 3, level);
    CHECK(Wrong(plan, flat) == 0);
    for (const double sign : {1.0, -1.0}) {
      Pass pass = PassOf(PairOf(std::vector<double>(255, sign), {127, 127}, 64770));
      CHECK(Wrong({{pass}}, flat) == 0);
    }
  }
}

TEST_CASE(
    "pairs of whole numbers on bytes are exact in wide pictures: edges, rows read where they lie, past the caches") {
  for (const int channels : {1, 2, 3, 4}) {
    for (const int width : {767, 1024, 1100}) {
      CAPTURE(channels);
      CAPTURE(width);
      const auto image = NoisePicture<uint8_t>(width, 19, channels, static_cast<uint32_t>(width));
      for (const BorderKind border : {BorderKind::kReplicate, BorderKind::kWrap, BorderKind::kZero}) {
        CHECK(Wrong({{PassOf(PairOf({1, 4, 6, 4, 1}, {1, 4, 6, 4, 1}, 256), border)}}, image) == 0);
        CHECK(Wrong({{PassOf(PairOf({1, 2, 1}, std::vector<double>(64, 1), 256), border)}}, image) == 0);
      }
    }
  }
  const auto large = NoisePicture<uint8_t>(2100, 1000, 4, 7);
  CHECK(Wrong({{PassOf(PairOf({1, 2, 1}, {1, 2, 1}, 16), BorderKind::kMirror)}}, large) == 0);
}

TEST_CASE("pairs whose results lie within bytes are scaled by a power of two, others not") {
  const auto start = [](const SeparableWeights& weights, const Epilogue& epilogue) {
    const std::optional<cpu::BytePair> pair = cpu::BytePairOf(weights, epilogue);
    return pair ? pair->start : std::nullopt;
  };
  for (const int taps : {5, 9, 15, 31, 61, 127}) {
    CAPTURE(taps);
    CHECK(start(PairOf(Gaussian(taps), Gaussian(taps)), {}).has_value());
  }
  CHECK(start(PairOf({1, 4, 6, 4, 1}, {-1, 0, 1}, 64), {1, 0, 0.5}).has_value());
  CHECK_FALSE(start(PairOf({1, 4, 6, 4, 1}, {-1, 0, 1}, 64), {}).has_value());  // half of the results are negative
  CHECK_FALSE(start(PairOf({1, 2, 1}, {1, 2, 1}, 8), {}).has_value());          // up to twice white
  CHECK_FALSE(start(PairOf({1, 1, 1}, {1, 1, 1}, 9), {}).has_value());          // no power of two is exact
}

SparseWeights Scattered(Dice& dice, int width, int height, int taps, bool whole) {
  SparseWeights sparse;
  sparse.width = width;
  sparse.height = height;
  sparse.anchor_x = dice.Between(0, width - 1);
  sparse.anchor_y = dice.Between(0, height - 1);
  sparse.weights.assign(static_cast<size_t>(width * height), 0);
  double sum = 0;
  for (int i = 0; i < taps; ++i) {
    const double weight = whole ? (dice.OneIn(3) ? -1 : 1) * dice.Between(1, 6) : dice.Share() + 0.1;
    sparse.weights[static_cast<size_t>(dice.Between(0, width * height - 1))] = weight;
  }
  for (const double weight : sparse.weights) sum += weight;
  sparse.divisor = whole ? 7 : sum;
  return sparse;
}

TEST_CASE("few taps on bytes: whole numbers exactly, others in at least 99.9 % of samples, of every width and border") {
  Dice dice(41);
  for (int width = 1; width <= 70; ++width) {
    CAPTURE(width);
    const bool whole = width % 2 == 0;
    const auto border = static_cast<BorderKind>(width % 5);
    Pass pass = PassOf(Scattered(dice, dice.Between(1, 19), dice.Between(1, 19), dice.Between(1, 25), whole), border);
    pass.epilogue.offset = whole ? 0.2 : 0;
    CHECK(cpu::ByteTapsOf(std::get<SparseWeights>(pass.work), pass.epilogue, 1).has_value());
    const int channels = width % 3 == 0 ? 4 : width % 3;
    const int samples = width * 20 * channels;
    const int64_t wrong = Wrong({{pass}}, NoisePicture<uint8_t>(width, 20, channels, static_cast<uint32_t>(width)));
    CHECK(static_cast<double>(wrong) <= (whole ? 0 : 0.001 * samples + 2));
  }
  for (const double sign : {1.0, -1.0}) {
    SparseWeights most = Scattered(dice, 61, 31, 1, true);
    std::fill(most.weights.begin(), most.weights.begin() + 512, 0.98765 * sign);
    most.divisor = 512;
    CHECK(Wrong({{PassOf(most, BorderKind::kReplicate)}}, Flat<uint8_t>(90, 20, 3, uint8_t{255})) == 0);
  }
}

TEST_CASE("bytes: borders beyond the samples and results beyond 32 bits end as the reference's do") {
  const auto image = NoisePicture<uint8_t>(70, 21, 3, 11);
  SparseWeights line{9, 9, 4, 4, std::vector<double>(81, 0), 9};
  for (size_t i = 0; i < 9; ++i) line.weights[i * 10] = 1;
  for (const double outside : {2.0, -1.0, 1.0}) {
    CAPTURE(outside);
    for (const Work& work : std::vector<Work>{PairOf({1, 4, 6, 4, 1}, {1, 4, 6, 4, 1}, 256), line, Sharpen()}) {
      Pass pass = PassOf(work, BorderKind::kConstant);
      pass.border.value = outside;
      CHECK(Wrong({{pass}}, image) == 0);
    }
  }
  SparseWeights huge{3, 3, 1, 1, std::vector<double>(9, 0), 1};
  huge.weights[4] = 1e7;
  CHECK(Wrong({{PassOf(huge)}}, image) == 0);
  CHECK(Wrong({{PassOf(Kernel(1, 1, {1e7}))}}, image) == 0);
  CHECK(Wrong({{PassOf(PairOf({1, 2, 1}, {-1e8, 0, 1e8}))}}, image) == 0);
  // The sum of bytes less 128, and what puts that back, are large numbers that cancel.
  for (const double divisor : {3e-5, 7e-7})
    CHECK(Wrong({{PassOf(PairOf({1, 1, 1}, {1, 1, 1}, divisor))}}, Flat<uint8_t>(40, 12, 3, uint8_t{0})) == 0);
}

}  // namespace
}  // namespace convolve::test
