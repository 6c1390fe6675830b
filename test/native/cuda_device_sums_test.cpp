// Boxes, sparse kernels, small kernels of bytes on the tensor cores and long separable kernels on the device against
// reference; any tiling.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "engine/backend.h"
#include "engine/plan.h"
#include "pictures.h"

namespace convolve::test {
namespace {

constexpr BorderKind kBorders[] = {BorderKind::kZero,    BorderKind::kConstant, BorderKind::kReplicate,
                                   BorderKind::kReflect, BorderKind::kMirror,   BorderKind::kWrap};

BoxWeights BoxOf(int width, int height) {
  return {width, height, width / 2, height / 3, static_cast<double>(width) * height};
}

std::vector<double> Shares(size_t count, uint32_t seed) {
  std::vector<double> shares;
  for (const float share : Noise<float>(count, seed)) shares.push_back(static_cast<double>(share));
  return shares;
}

/// `count` cells of noise among zeros.
SparseWeights SparseOf(int width, int height, int count, uint32_t seed) {
  SparseWeights sparse;
  const auto cells = static_cast<size_t>(width) * static_cast<size_t>(height);
  static_cast<DenseWeights&>(sparse) = Kernel(width, height, std::vector<double>(cells, 0.0), 1);
  const auto places = Noise<uint16_t>(static_cast<size_t>(count), seed);
  const auto values = Noise<float>(static_cast<size_t>(count), seed + 1);
  sparse.divisor = 1e-9;
  for (size_t i = 0; i < places.size(); ++i) {
    double& weight = sparse.weights[places[i] % cells];
    if (weight != 0) continue;
    weight = static_cast<double>(values[i]) - 0.3;
    sparse.divisor += std::abs(weight) * 0.7;
  }
  return sparse;
}

struct Difference {
  double largest = 0;
  double share = 0;  // of unequal samples
};

template <typename T>
Difference AgainstReference(const Plan& plan, const std::shared_ptr<const Image>& image) {
  const auto cuda = MakeCudaBackend();
  REQUIRE(cuda->info().available);
  const auto reference = MakeReferenceBackend();
  const auto got = Result<T>(*cuda, plan, image);
  const auto expected = Result<T>(*reference, plan, image);
  Difference difference;
  for (size_t i = 0; i < got.size(); ++i) {
    const double a = static_cast<double>(got[i]);
    const double b = static_cast<double>(expected[i]);
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    const double apart = std::abs(a - b);
    difference.largest = std::max(difference.largest, apart < 1e30 ? apart : 1e30);
    difference.share += 1.0 / static_cast<double>(got.size());
  }
  return difference;
}

TEST_CASE("<cuda> boxes agree with reference: sizes, borders, channels and depths") {
  struct Size {
    int width, height;
  };
  uint32_t seed = 100;
  for (const Size size : {Size{1, 7}, Size{9, 9}, Size{31, 96}, Size{85, 6}, Size{255, 40}, Size{256, 1},
                          Size{257, 300}, Size{4095, 4095}}) {
    CAPTURE(size.width);
    for (const int channels : {1, 2, 3, 4}) {
      CAPTURE(channels);
      ++seed;
      Pass pass = PassOf(BoxOf(size.width, size.height), kBorders[seed % 6]);
      pass.border.value = 0.2;
      CAPTURE(static_cast<int>(pass.border.kind));
      const Difference bytes = AgainstReference<uint8_t>({{pass}}, NoisePicture<uint8_t>(97, 175, channels, seed));
      CHECK(bytes.largest == 0);
      const Difference words = AgainstReference<uint16_t>({{pass}}, NoisePicture<uint16_t>(131, 70, channels, seed));
      CHECK(words.largest <= 1);
      CHECK(words.share <= 0.005);  // float32 holds the sums of a column
      pass.range.kind = RangeKind::kFloat;
      CHECK(AgainstReference<float>({{pass}}, NoisePicture<float>(140, 135, channels, seed)).largest <= 1e-6);
    }
  }
}

TEST_CASE("<cuda> boxes agree with reference: alpha, valid, wide pictures") {
  for (const AlphaMode mode : {AlphaMode::kWeighted, AlphaMode::kStraight, AlphaMode::kColourOnly}) {
    CAPTURE(static_cast<int>(mode));
    for (const int channels : {2, 4}) {
      Pass pass = PassOf(BoxOf(15, 81), BorderKind::kReflect);
      pass.alpha = mode;
      pass.epilogue = {0.7, 0.2, 0.05};
      auto samples = Noise<uint8_t>(static_cast<size_t>(200 * 60 * channels), 13);
      for (size_t i = static_cast<size_t>(channels) - 1; i < samples.size(); i += static_cast<size_t>(channels)) {
        samples[i] = static_cast<uint8_t>(samples[i] / 2 + 128);
      }
      const Difference bytes = AgainstReference<uint8_t>({{pass}}, Picture<uint8_t>(200, 60, samples, Alpha::kLast));
      CHECK(bytes.largest <= 1);
      CHECK(bytes.share <= 0.001);
    }
  }
  Pass valid = PassOf(BoxOf(40, 60), BorderKind::kMirror, RangeKind::kFloat);
  valid.size = SizeMode::kValid;
  CHECK(AgainstReference<float>({{valid}}, NoisePicture<float>(1300, 77, 1, 11)).largest <= 1e-6);
  const Pass wide = PassOf(BoxOf(500, 140), BorderKind::kMirror);
  CHECK(AgainstReference<uint8_t>({{wide}}, NoisePicture<uint8_t>(2300, 290, 3, 12)).largest == 0);
}

TEST_CASE("<cuda> boxes over several segments, strips and bands agree with reference") {
  struct Size {
    int width, height, picture_width, picture_height;
  };
  uint32_t seed = 150;
  for (const Size size : {Size{31, 21, 1100, 280}, Size{520, 3, 2100, 30}, Size{5, 300, 500, 330}}) {
    CAPTURE(size.width);
    for (const int channels : {1, 3, 4}) {
      CAPTURE(channels);
      ++seed;
      Pass pass = PassOf(BoxOf(size.width, size.height), kBorders[seed % 6]);
      pass.border.value = 0.2;
      const auto difference = [&](auto sample) {
        using T = decltype(sample);
        return AgainstReference<T>({{pass}}, NoisePicture<T>(size.picture_width, size.picture_height, channels, seed));
      };
      CHECK(difference(uint8_t{}).largest == 0);
      CHECK(difference(uint16_t{}).largest <= 1);
      CHECK(difference(uint16_t{}).share <= 0.005);  // small ones are pairs, summed in float32
      pass.range.kind = RangeKind::kFloat;
      CHECK(difference(float{}).largest <= 1e-6);
    }
  }
}

TEST_CASE("<cuda> boxes of 16-bit pictures are divided once, in linear light and beside a border between levels too") {
  for (const int channels : {1, 4}) {
    CAPTURE(channels);
    Pass pass = PassOf(BoxOf(29, 28), BorderKind::kConstant);
    pass.border.value = 0.0021;
    const auto image = NoisePicture<uint16_t>(141, 67, channels, 172);
    CHECK(AgainstReference<uint16_t>({{pass}}, image).largest <= 1);
    pass.light = LightMode::kLinear;
    CHECK(AgainstReference<uint16_t>({{pass}}, image).largest <= 2);
  }
}

TEST_CASE("<cuda> boxes divided by anything are rounded to bytes as reference does") {
  for (const double divisor : {1.0, 2.0, 3.0, 7.0, 255.0, 256.0, 961.0, 1023.0, 4096.5, 100000.0}) {
    CAPTURE(divisor);
    Pass pass = PassOf(BoxOf(31, 31), BorderKind::kMirror);
    std::get<BoxWeights>(pass.work).divisor = divisor;
    CHECK(AgainstReference<uint8_t>({{pass}}, NoisePicture<uint8_t>(301, 97, 4, 171)).largest == 0);
  }
}

TEST_CASE("<cuda> boxes keep numbers that are not finite to their reach") {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const int side : {9, 40, 300}) {
    CAPTURE(side);
    for (const int channels : {1, 3, 4}) {
      CAPTURE(channels);
      for (const float special : {std::numeric_limits<float>::quiet_NaN(), infinity, -infinity}) {
        CAPTURE(special);
        auto samples = Noise<float>(static_cast<size_t>(700 * 400 * channels), 18);
        samples[static_cast<size_t>((20 * 700 + 350) * channels + channels / 2)] = special;
        samples[static_cast<size_t>((22 * 700 + 352) * channels + channels / 2)] = infinity;
        // Tall ones begin with sums of bands.
        const Plan plan{{PassOf(BoxOf(side, side == 40 ? 260 : 91), BorderKind::kMirror, RangeKind::kFloat)}};
        const Difference floats = AgainstReference<float>(plan, Picture<float>(700, 400, samples));
        CHECK(floats.largest <= 1e-6);
      }
    }
  }
}

TEST_CASE("<cuda> sparse kernels agree with reference") {
  uint32_t seed = 200;
  for (const int channels : {1, 2, 3, 4}) {
    CAPTURE(channels);
    for (const BorderKind border : kBorders) {
      CAPTURE(static_cast<int>(border));
      seed += 2;
      Pass pass = PassOf(SparseOf(43, 29, 90, seed), border);
      pass.border.value = 0.6;
      const Difference bytes = AgainstReference<uint8_t>({{pass}}, NoisePicture<uint8_t>(150, 110, channels, seed));
      CHECK(bytes.largest <= 1);
      CHECK(bytes.share <= 0.001);
      const Difference words = AgainstReference<uint16_t>({{pass}}, NoisePicture<uint16_t>(60, 30, channels, seed));
      CHECK(words.largest <= 1);
      pass.range.kind = RangeKind::kFloat;
      CHECK(AgainstReference<float>({{pass}}, NoisePicture<float>(111, 73, channels, seed)).largest <= 1e-5);
    }
  }
  Pass weighted = PassOf(SparseOf(301, 301, 12, 300), BorderKind::kReplicate);
  for (double& weight : std::get<SparseWeights>(weighted.work).weights) weight = std::abs(weight);
  auto samples = Noise<uint8_t>(333 * 60 * 4, 13);
  for (size_t i = 3; i < samples.size(); i += 4) samples[i] = static_cast<uint8_t>(samples[i] / 2 + 128);
  CHECK(AgainstReference<uint8_t>({{weighted}}, Picture<uint8_t>(333, 60, samples, Alpha::kLast)).largest <= 1);
}

TEST_CASE("<cuda> small kernels of bytes agree with reference: shapes, anchors, digits, epilogues") {
  uint32_t seed = 400;
  for (int width = 1; width <= 17; ++width) {
    CAPTURE(width);
    const int height = 1 + static_cast<int>(seed % 15);
    ++seed;
    DenseWeights noise = Kernel(width, height, {}, 0);
    for (const float share : Noise<float>(static_cast<size_t>(width * height), seed)) {
      noise.weights.push_back(static_cast<double>(share) - 0.35);
      noise.divisor += std::abs(noise.weights.back()) * 0.7;
    }
    noise.anchor_x = static_cast<int>(seed) % width;
    noise.anchor_y = static_cast<int>(seed) % height;
    Pass pass = PassOf(noise, kBorders[seed % 6]);
    pass.border.value = 102.0 / 255;
    const auto image = NoisePicture<uint8_t>(300, 90, 4, seed);
    const Difference floats = AgainstReference<uint8_t>({{pass}}, image);
    CHECK(floats.largest <= 1);
    CHECK(floats.share <= 0.001);
    // Whole numbers of one, two and three digits, and of 64ths.
    for (const double largest : {1.0, 127.0, 128.0, 32639.0, 40000.0, 1.0 / 64}) {
      CAPTURE(largest);
      DenseWeights whole = noise;
      double magnitude = 0;
      for (double& weight : whole.weights) {
        weight = std::round(weight * largest * 64) / 64;
        if (largest >= 1) weight = std::round(weight);
        magnitude += std::abs(weight);
      }
      whole.weights[0] = largest;
      magnitude += largest;
      if (magnitude * 255 >= 16777216) continue;  // beyond what float32 holds
      whole.divisor = std::max(1.0, std::round(magnitude / 2));
      pass.work = whole;
      CHECK(AgainstReference<uint8_t>({{pass}}, image).largest == 0);
    }
    pass.work = noise;
    pass.epilogue = {-0.8, 0.9, 0.1};
    pass.range.kind = RangeKind::kSigned;
    CHECK(AgainstReference<uint8_t>({{pass}}, image).largest <= 1);
  }
  for (const double divisor : {1.0, 3.0}) {
    MagnitudeWeights sobel{SobelX(divisor), SobelY(divisor)};
    if (divisor == 3) sobel.x.anchor_x = sobel.y.anchor_x = 2;
    for (const Alpha alpha : {Alpha::kNone, Alpha::kLast}) {
      Pass pass = PassOf(sobel, BorderKind::kReplicate);
      pass.alpha = AlphaMode::kColourOnly;
      const Difference edges = AgainstReference<uint8_t>({{pass}}, NoisePicture<uint8_t>(211, 97, 4, 500, alpha));
      CHECK(edges.largest <= 1);
      CHECK(edges.share <= 0.0005);
    }
  }
}

TEST_CASE("<cuda> pairs of bytes on the tensor cores agree with reference: sizes, anchors, borders, alpha") {
  struct Size {
    int width, height, anchor_x, anchor_y;
  };
  uint32_t seed = 800;
  for (const Size size :
       {Size{7, 7, 3, 3}, Size{15, 15, 7, 7}, Size{17, 9, 0, 8}, Size{31, 31, 15, 15}, Size{33, 20, 30, 1},
        Size{1, 40, 0, 20}, Size{50, 1, 25, 0}, Size{61, 61, 30, 30}, Size{65, 65, 64, 2}, Size{12, 65, 5, 64}}) {
    CAPTURE(size.width);
    CAPTURE(size.height);
    ++seed;
    SeparableWeights separable{size.width, size.height, size.anchor_x, size.anchor_y, {{}}, 1};
    double sum_x = 0;
    double sum_y = 0;
    for (const float share : Noise<float>(static_cast<size_t>(size.width), seed)) {
      separable.pairs[0].row.push_back(static_cast<double>(share) - 0.2);
      sum_x += std::abs(separable.pairs[0].row.back());
    }
    for (const float share : Noise<float>(static_cast<size_t>(size.height), seed + 50)) {
      separable.pairs[0].column.push_back(static_cast<double>(share) - 0.2);
      sum_y += std::abs(separable.pairs[0].column.back());
    }
    separable.divisor = sum_x * sum_y * 0.7;
    Pass pass = PassOf(separable, kBorders[seed % 6]);
    pass.border.value = 0.4;
    const Difference noise = AgainstReference<uint8_t>({{pass}}, NoisePicture<uint8_t>(301, 203, 4, seed));
    CHECK(noise.largest <= 1);
    CHECK(noise.share <= 0.001);
    // Whole numbers are summed exactly.
    for (double& weight : separable.pairs[0].row) weight = std::floor(weight * 9);
    for (double& weight : separable.pairs[0].column) weight = std::floor(weight * 9);
    separable.divisor = 37;
    pass.work = separable;
    CHECK(AgainstReference<uint8_t>({{pass}}, NoisePicture<uint8_t>(150, 140, 4, seed)).largest == 0);
  }
}

TEST_CASE("<cuda> separable kernels of up to 4095 cells agree with reference") {
  std::vector<double> line;
  for (int i = 0; i < 4095; ++i) line.push_back(1 + i % 7);
  double sum = 0;
  for (const double value : line) sum += value;
  const std::vector<double> one{1.0};
  const auto image = NoisePicture<float>(61, 47, 4, 600);
  const Pass across = PassOf(SeparableWeights{4095, 1, 2047, 0, {{one, line}}, sum}, BorderKind::kMirror);
  CHECK(AgainstReference<float>({{across}}, image).largest <= 1e-5);
  const Pass down = PassOf(SeparableWeights{1, 4095, 0, 100, {{line, one}}, sum}, BorderKind::kWrap);
  CHECK(AgainstReference<float>({{down}}, image).largest <= 1e-5);
  line.resize(700);
  sum = 0;
  for (const double value : line) sum += value;
  const Pass both = PassOf(SeparableWeights{700, 700, 350, 350, {{line, line}}, sum * sum}, BorderKind::kReflect);
  CHECK(AgainstReference<uint8_t>({{both}}, NoisePicture<uint8_t>(61, 47, 3, 601)).largest <= 1);
}

TEST_CASE("<cuda> boxes, sparse kernels and small kernels give the same bytes in any tiling") {
  const auto cuda = MakeCudaBackend();
  DenseWeights small = Kernel(6, 5, {}, 12);
  for (const float share : Noise<float>(30, 700)) small.weights.push_back(static_cast<double>(share));
  const Plan plans[] = {{{PassOf(BoxOf(31, 150), BorderKind::kMirror)}},
                        {{PassOf(BoxOf(400, 20), BorderKind::kReflect), PassOf(BoxOf(9, 99), BorderKind::kWrap)}},
                        {{PassOf(SparseOf(120, 90, 40, 701), BorderKind::kReplicate), PassOf(BoxOf(12, 260))}},
                        {{PassOf(small, BorderKind::kMirror)}},
                        {{PassOf(SeparableWeights{15, 23, 7, 3, {{Shares(23, 704), Shares(15, 705)}}, 90})}}};
  const auto check = [&](const Plan& plan, const auto& image, auto sample) {
    using T = decltype(sample);
    const int width = image->width();
    const int channels = image->channels();
    const auto whole = Result<T>(*cuda, plan, image);
    for (const Region& region : {Region{0, 0, 256, 256}, Region{512, 256, 256, 256}, Region{1100, 500, 183, 111},
                                 Region{211, 3, 1, 600}, Region{450, 225, 37, 5}}) {
      const auto part = Part<T>(*cuda, plan, image, region);
      CHECK(Unequal(part, region, whole, width, channels) == 0);
    }
  };
  for (const Plan& plan : plans) {
    for (const int channels : {1, 3, 4}) {
      CAPTURE(channels);
      check(plan, NoisePicture<float>(1283, 611, channels, 702), float{});
      check(plan, NoisePicture<uint8_t>(1283, 611, channels, 703), uint8_t{});
    }
  }
}

}  // namespace
}  // namespace convolve::test
