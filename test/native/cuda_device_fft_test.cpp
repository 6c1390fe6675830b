// Large kernels by FFT on the device against reference: every channel count, depth, border and alpha mode; any tiling;
// tiles with numbers that are not finite; sums of integers.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "engine/backend.h"
#include "pictures.h"

namespace convolve::test {
namespace {

constexpr BorderKind kBorders[] = {BorderKind::kZero,    BorderKind::kConstant, BorderKind::kReplicate,
                                   BorderKind::kReflect, BorderKind::kMirror,   BorderKind::kWrap};

/// Weights between -0.3 and 0.7, the anchor off the middle; with the divisor a result stays within the input's scale.
FftWeights RandomFft(int width, int height, uint32_t seed) {
  FftWeights fft;
  static_cast<DenseWeights&>(fft) = Kernel(width, height, {}, 1);
  double magnitude = 0;
  for (const float share : Noise<float>(static_cast<size_t>(width * height), seed)) {
    fft.weights.push_back(static_cast<double>(share) - 0.3);
    magnitude += std::abs(fft.weights.back());
  }
  fft.anchor_x = width / 3;
  fft.anchor_y = height / 4;
  fft.divisor = magnitude * 0.5;
  return fft;
}

struct Difference {
  double largest = 0;
  int64_t unequal = 0;
  int64_t samples = 0;
};

template <typename T>
Difference Compare(const std::vector<T>& got, const std::vector<T>& expected) {
  REQUIRE(got.size() == expected.size());
  Difference difference;
  for (size_t i = 0; i < got.size(); ++i) {
    const double a = static_cast<double>(got[i]);
    const double b = static_cast<double>(expected[i]);
    ++difference.samples;
    if (std::isnan(a) && std::isnan(b)) continue;
    if (a == b) continue;
    ++difference.unequal;
    const double apart = std::abs(a - b);
    difference.largest = std::max(difference.largest, apart < 1e30 ? apart : 1e30);
  }
  return difference;
}

template <typename T>
Difference AgainstReference(const Plan& plan, const std::shared_ptr<const Image>& image) {
  const auto cuda = MakeCudaBackend();
  REQUIRE(cuda->info().available);
  const auto reference = MakeReferenceBackend();
  return Compare(Result<T>(*cuda, plan, image), Result<T>(*reference, plan, image));
}

TEST_CASE("<cuda> FFT agrees with reference: borders, channels and depths") {
  uint32_t seed = 1;
  for (const BorderKind border : kBorders) {
    CAPTURE(static_cast<int>(border));
    for (const int channels : {1, 2, 3, 4}) {
      CAPTURE(channels);
      ++seed;
      Pass pass = PassOf(RandomFft(19, 17, seed), border);
      pass.border.value = 0.37;
      const Difference bytes = AgainstReference<uint8_t>({{pass}}, NoisePicture<uint8_t>(301, 67, channels, seed));
      CHECK(bytes.largest <= 1);
      CHECK(static_cast<double>(bytes.unequal) <= 0.001 * static_cast<double>(bytes.samples));
      const Difference words = AgainstReference<uint16_t>({{pass}}, NoisePicture<uint16_t>(67, 270, channels, seed));
      CHECK(words.largest <= 1);
      CHECK(static_cast<double>(words.unequal) <= 0.05 * static_cast<double>(words.samples));
      pass.range.kind = RangeKind::kFloat;
      const Difference floats = AgainstReference<float>({{pass}}, NoisePicture<float>(150, 41, channels, seed));
      CHECK(floats.largest <= 1e-5);
    }
  }
}

TEST_CASE("<cuda> FFT agrees with reference: every size of window, valid, alpha") {
  for (const int side : {31, 63, 127, 255, 511}) {
    CAPTURE(side);
    // Direct sums in float64 take their time.
    const auto image = side > 200 ? NoisePicture<float>(31, 19, 2, 20) : NoisePicture<float>(97, 53, 2, 20);
    const Pass pass = PassOf(RandomFft(side, side, 7), BorderKind::kMirror, RangeKind::kFloat);
    CHECK(AgainstReference<float>({{pass}}, image).largest <= 1e-5);
    const Pass wide = PassOf(RandomFft(side, 21, 8), BorderKind::kWrap, RangeKind::kFloat);
    CHECK(AgainstReference<float>({{wide}}, image).largest <= 1e-5);
    const Pass high = PassOf(RandomFft(18, side, 9), BorderKind::kReflect, RangeKind::kFloat);
    CHECK(AgainstReference<float>({{high}}, image).largest <= 1e-5);
  }
  Pass valid = PassOf(RandomFft(33, 25, 10), BorderKind::kMirror, RangeKind::kFloat);
  valid.size = SizeMode::kValid;
  CHECK(AgainstReference<float>({{valid}}, NoisePicture<float>(333, 77, 3, 11)).largest <= 1e-5);
  for (const AlphaMode mode : {AlphaMode::kWeighted, AlphaMode::kStraight, AlphaMode::kColourOnly}) {
    CAPTURE(static_cast<int>(mode));
    for (const int channels : {2, 4}) {
      FftWeights positive = RandomFft(21, 21, 12);
      for (double& weight : positive.weights) weight = std::abs(weight) + 0.05;
      Pass pass = PassOf(positive, BorderKind::kZero);
      pass.alpha = mode;
      pass.epilogue = {0.8, 0.3, 0.1};
      auto samples = Noise<uint8_t>(static_cast<size_t>(120 * 60 * channels), 13);
      for (size_t i = static_cast<size_t>(channels) - 1; i < samples.size(); i += static_cast<size_t>(channels)) {
        samples[i] = static_cast<uint8_t>(samples[i] / 2 + 128);
      }
      const auto image = Picture<uint8_t>(120, 60, samples, Alpha::kLast);
      CHECK(AgainstReference<uint8_t>({{pass}}, image).largest <= 1);
    }
  }
}

TEST_CASE("<cuda> FFT of integers by a kernel of whole numbers is exact") {
  FftWeights disc;
  static_cast<DenseWeights&>(disc) = Kernel(31, 31, {}, 1);
  double sum = 0;
  for (int y = -15; y <= 15; ++y) {
    for (int x = -15; x <= 15; ++x) {
      disc.weights.push_back(x * x + y * y <= 240 ? 1 : 0);
      sum += disc.weights.back();
    }
  }
  disc.divisor = sum;
  for (const int channels : {1, 3, 4}) {
    CAPTURE(channels);
    const auto image = NoisePicture<uint8_t>(310, 95, channels, 14);
    CHECK(AgainstReference<uint8_t>({{PassOf(disc, BorderKind::kReflect)}}, image).unequal == 0);
  }
}

TEST_CASE("<cuda> FFT gives the same bytes in any tiling, also between other passes") {
  const auto cuda = MakeCudaBackend();
  const std::vector<double> line{0.25, 0.5, 0.25};
  const Plan plans[] = {{{PassOf(RandomFft(31, 31, 15), BorderKind::kMirror)}},
                        {{PassOf(Sharpen(), BorderKind::kWrap), PassOf(RandomFft(40, 23, 16), BorderKind::kReflect),
                          PassOf(SeparableWeights{3, 3, 1, 1, {{line, line}}, 1}, BorderKind::kReplicate)}}};
  for (const Plan& plan : plans) {
    for (const int channels : {1, 3, 4}) {
      CAPTURE(channels);
      const int width = 983;
      const int height = 611;
      const auto image = NoisePicture<float>(width, height, channels, 17);
      const auto whole = Result<float>(*cuda, plan, image);
      for (const Region& region : {Region{0, 0, 256, 256}, Region{256, 256, 256, 256}, Region{700, 500, 283, 111},
                                   Region{211, 3, 1, 600}, Region{450, 225, 37, 5}}) {
        const auto part = Part<float>(*cuda, plan, image, region);
        CHECK(Unequal(part, region, whole, width, channels) == 0);
      }
    }
  }
}

TEST_CASE("<cuda> FFT keeps numbers that are not finite to the kernel's reach") {
  const float specials[] = {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 3e38F};
  for (const float special : specials) {
    CAPTURE(special);
    for (const int channels : {1, 3, 4}) {
      CAPTURE(channels);
      auto samples = Noise<float>(static_cast<size_t>(520 * 130 * channels), 18);
      samples[static_cast<size_t>((70 * 520 + 300) * channels)] = special;
      FftWeights kernel = RandomFft(17, 17, 19);
      for (double& weight : kernel.weights) weight = std::abs(weight) + 0.05;  // no difference of infinities
      const auto image = Picture<float>(520, 130, samples);
      const Plan plan{{PassOf(kernel, BorderKind::kMirror, RangeKind::kFloat)}};
      const auto cuda = MakeCudaBackend();
      const auto reference = MakeReferenceBackend();
      const auto got = Result<float>(*cuda, plan, image);
      const auto expected = Result<float>(*reference, plan, image);
      int64_t wrong = 0;
      int64_t special_results = 0;
      for (size_t i = 0; i < got.size(); ++i) {
        if (std::isfinite(expected[i]) != std::isfinite(got[i])) ++wrong;
        if (!std::isfinite(expected[i])) ++special_results;
        if (std::isfinite(expected[i]) &&
            std::abs(got[i] - expected[i]) > 1e-5 * std::max(1.0F, std::abs(expected[i]))) {
          ++wrong;
        }
      }
      CHECK(wrong == 0);
      CHECK(special_results == (special == 3e38F ? 0 : 17 * 17));
    }
  }
}

}  // namespace
}  // namespace convolve::test
