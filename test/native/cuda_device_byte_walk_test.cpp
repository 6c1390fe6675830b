// Small kernels of 8-bit pictures that are summed in whole numbers, two or four bytes at once, against reference.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "engine/backend.h"
#include "engine/plan.h"
#include "pictures.h"

namespace convolve::test {
namespace {

constexpr BorderKind kBorders[] = {BorderKind::kZero,    BorderKind::kConstant, BorderKind::kReplicate,
                                   BorderKind::kReflect, BorderKind::kMirror,   BorderKind::kWrap};

struct Difference {
  int largest = 0;
  double share = 0;  // of unequal samples
};

Difference AgainstReference(const Plan& plan, const std::shared_ptr<const Image>& image) {
  const auto cuda = MakeCudaBackend();
  REQUIRE(cuda->info().available);
  const auto reference = MakeReferenceBackend();
  const auto got = Result<uint8_t>(*cuda, plan, image);
  const auto expected = Result<uint8_t>(*reference, plan, image);
  Difference difference;
  for (size_t i = 0; i < got.size(); ++i) {
    const int apart = std::abs(int{got[i]} - int{expected[i]});
    difference.largest = std::max(difference.largest, apart);
    if (apart > 0) difference.share += 1.0 / static_cast<double>(got.size());
  }
  return difference;
}

/// Weights -0.05 ... 0.2.
DenseWeights NoiseGrid(int side, uint32_t seed) {
  DenseWeights grid = Kernel(side, side, {});
  for (const float share : Noise<float>(static_cast<size_t>(side * side), seed)) {
    grid.weights.push_back((static_cast<double>(share) - 0.2) / 4);
  }
  return grid;
}

DenseWeights WholeGrid(int side, uint32_t seed, int least, int most, double divisor) {
  DenseWeights grid = Kernel(side, side, {}, divisor);
  for (const uint16_t word : Noise<uint16_t>(static_cast<size_t>(side * side), seed)) {
    grid.weights.push_back(least + word % (most - least + 1));
  }
  return grid;
}

SeparableWeights Pair(int side, std::vector<double> column, std::vector<double> row, double divisor) {
  return {side, side, side / 2, side / 2, {{std::move(column), std::move(row)}}, divisor};
}

TEST_CASE("<cuda> byte walks of grids agree with reference: sides, channels, borders, divisors") {
  uint32_t seed = 1200;
  for (const int side : {3, 5}) {
    CAPTURE(side);
    for (const int channels : {1, 3, 4}) {
      CAPTURE(channels);
      for (const BorderKind border : kBorders) {
        CAPTURE(static_cast<int>(border));
        ++seed;
        Pass pass = PassOf(NoiseGrid(side, seed), border);
        pass.border.value = 102.0 / 255;
        const Difference noise = AgainstReference({{pass}}, NoisePicture<uint8_t>(517, 131, channels, seed));
        CHECK(noise.largest <= 1);
        CHECK(noise.share <= 0.001);
        // Whole weights are exact, whatever divides their sum.
        for (const double divisor : {1.0, 9.0, 16.0, 273.0}) {
          CAPTURE(divisor);
          pass.work = WholeGrid(side, seed, -20, 30, divisor);
          CHECK(AgainstReference({{pass}}, NoisePicture<uint8_t>(71, 45, channels, seed)).largest == 0);
        }
      }
    }
  }
}

TEST_CASE("<cuda> byte walks of separable kernels agree with reference: sides, channels, borders") {
  uint32_t seed = 1300;
  for (const int side : {3, 5, 7, 9, 11, 13, 15}) {
    CAPTURE(side);
    for (const int channels : {1, 4}) {
      CAPTURE(channels);
      ++seed;
      std::vector<double> line;
      double sum = 0;
      for (int i = 0; i < side; ++i) {
        const double place = 5.0 * (i - side / 2) / side;
        line.push_back(std::exp(-place * place / 2));
        sum += line.back();
      }
      Pass pass = PassOf(Pair(side, line, line, sum * sum), kBorders[seed % 6]);
      pass.border.value = 51.0 / 255;
      CAPTURE(static_cast<int>(pass.border.kind));
      const Difference smooth = AgainstReference({{pass}}, NoisePicture<uint8_t>(517, 131, channels, seed));
      CHECK(smooth.largest <= 1);
      CHECK(smooth.share <= 0.001);
      for (double& weight : line) weight = std::floor(weight * 9);
      pass.work = Pair(side, line, line, 37);
      CHECK(AgainstReference({{pass}}, NoisePicture<uint8_t>(71, 45, channels, seed)).largest == 0);
    }
  }
}

TEST_CASE("<cuda> byte walks of magnitudes agree with reference: channels, divisors") {
  for (const int channels : {1, 3, 4}) {
    CAPTURE(channels);
    for (const double divisor : {1.0, 3.0, 4.0}) {
      CAPTURE(divisor);
      const Plan plan{{PassOf(MagnitudeWeights{SobelX(divisor), SobelY(divisor)}, BorderKind::kReplicate)}};
      const Difference edges = AgainstReference(plan, NoisePicture<uint8_t>(517, 131, channels, 1400));
      CHECK(edges.largest <= 1);
      CHECK(edges.share <= 0.001);
    }
  }
}

TEST_CASE("<cuda> byte walks of grids over several blocks agree with reference, at every edge of each") {
  uint32_t seed = 1450;
  for (const BorderKind border : kBorders) {
    CAPTURE(static_cast<int>(border));
    for (const int channels : {1, 3, 4}) {
      CAPTURE(channels);
      ++seed;
      // Blocks whose columns lie inside the picture and whose rows do not, and the other way round.
      const auto image = NoisePicture<uint8_t>(6400 / channels + 5, 53, channels, seed);
      for (Pass pass : {PassOf(NoiseGrid(3, seed), border), PassOf(NoiseGrid(5, seed), border),
                        PassOf(MagnitudeWeights{SobelX(4), SobelY(4)}, border)}) {
        pass.border.value = 102.0 / 255;
        const Difference noise = AgainstReference({{pass}}, image);
        CHECK(noise.largest <= 1);
        CHECK(noise.share <= 0.001);
      }
    }
  }
}

TEST_CASE("<cuda> byte walks keep to epilogue, range and alpha, and an opaque picture stays opaque") {
  auto samples = Noise<uint8_t>(517 * 131 * 4, 1500);
  for (const bool opaque : {false, true}) {
    CAPTURE(opaque);
    for (size_t i = 3; i < samples.size(); i += 4) samples[i] = opaque ? 255 : samples[i] / 2 + 128;
    const auto image = Picture<uint8_t>(517, 131, samples, Alpha::kLast);
    for (const AlphaMode mode : {AlphaMode::kWeighted, AlphaMode::kStraight, AlphaMode::kColourOnly}) {
      CAPTURE(static_cast<int>(mode));
      Pass grid = PassOf(NoiseGrid(5, 1501), BorderKind::kMirror);
      grid.alpha = mode;
      Pass pair = PassOf(Pair(7, {1, 2, 3, 4, 3, 2, 1}, {1, 2, 3, 4, 3, 2, 1}, 256), BorderKind::kMirror);
      pair.alpha = mode;
      Pass mixed = grid;
      mixed.epilogue = {-0.8, 0.9, 0.1};
      mixed.range.kind = RangeKind::kSigned;
      for (const Pass& pass : {grid, pair, mixed}) CHECK(AgainstReference({{pass}}, image).largest <= 1);
    }
  }
}

TEST_CASE("<cuda> bytes to floats keep to the tolerance of floats: no rounded weights on the way") {
  const auto cuda = MakeCudaBackend();
  const auto reference = MakeReferenceBackend();
  const auto image = NoisePicture<uint8_t>(97, 45, 4, 1550);
  const Work works[] = {NoiseGrid(3, 1551), NoiseGrid(5, 1552),
                        Pair(7, {1, 2, 3, 4.3, 3, 2, 1}, {1, 2, 3, 4.3, 3, 2, 1}, 260),
                        MagnitudeWeights{SobelX(4), SobelY(4)}};
  for (const Work& work : works) {
    const Plan plan{{PassOf(work, BorderKind::kMirror, RangeKind::kFloat)}};
    const auto got = Result<float>(*cuda, plan, image);
    const auto expected = Result<float>(*reference, plan, image);
    double largest = 0;
    for (size_t i = 0; i < got.size(); ++i) largest = std::max(largest, double{std::abs(got[i] - expected[i])});
    CHECK(largest <= 1e-6);
  }
}

TEST_CASE("<cuda> byte walks give the same bytes in any tiling") {
  const auto cuda = MakeCudaBackend();
  const Plan plans[] = {{{PassOf(NoiseGrid(3, 1600), BorderKind::kMirror)}},
                        {{PassOf(NoiseGrid(5, 1601), BorderKind::kReflect)}},
                        {{PassOf(WholeGrid(5, 1602, -3, 9, 77), BorderKind::kMirror)}},
                        {{PassOf(MagnitudeWeights{SobelX(4), SobelY(4)}, BorderKind::kMirror)}},
                        {{PassOf(Pair(5, {1, 4, 6.5, 4, 1}, {1, 4, 6.5, 4, 1}, 272), BorderKind::kWrap)}},
                        {{PassOf(Pair(15, std::vector<double>(15, 0.3), std::vector<double>(15, 0.7), 47))}}};
  for (const Plan& plan : plans) {
    for (const int channels : {1, 3, 4}) {
      CAPTURE(channels);
      const auto image = NoisePicture<uint8_t>(1283, 611, channels, 1603);
      const auto whole = Result<uint8_t>(*cuda, plan, image);
      for (const Region& region : {Region{0, 0, 256, 256}, Region{512, 256, 256, 256}, Region{1100, 500, 183, 111},
                                   Region{211, 3, 1, 600}, Region{450, 225, 37, 5}}) {
        CHECK(Unequal(Part<uint8_t>(*cuda, plan, image, region), region, whole, image->width(), channels) == 0);
      }
    }
  }
}

}  // namespace
}  // namespace convolve::test
