// Passes that repeat, on the device: several steps in one trip through memory give what as many single steps give, for
// every border, size, depth, alpha mode and region.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "engine/backend.h"
#include "pictures.h"

namespace convolve::test {
namespace {

constexpr BorderKind kBorders[] = {BorderKind::kZero,    BorderKind::kConstant, BorderKind::kReplicate,
                                   BorderKind::kReflect, BorderKind::kMirror,   BorderKind::kWrap};

/// Heat, explicit Euler, as people write it: the pixel plus 0.2 of its Laplacian.
Pass Heat(BorderKind border, RangeKind range = RangeKind::kClamp) {
  Pass heat = PassOf(Laplacian(), border, range);
  heat.border.value = 0.7;
  heat.epilogue = {0.2, 1, 0};
  return heat;
}

/// Nine different weights, so that none can take another's place.
Pass Uneven(BorderKind border, RangeKind range = RangeKind::kClamp) {
  Pass pass = PassOf(Kernel(3, 3, {3, 14, 1, 5, 92, 6, -5, 35, -8}, 150), border, range);
  pass.border.value = 0.3;
  return pass;
}

template <typename T>
double LargestDifference(const Plan& plan, const std::shared_ptr<const Image>& image, const Region& region) {
  const auto cuda = MakeCudaBackend();
  const auto reference = MakeReferenceBackend();
  return test::LargestDifference<T>(*cuda, *reference, plan, image, region);
}

TEST_CASE("<cuda> a stencil agrees with reference at every border, in pictures of any size") {
  struct Shape {
    int width;
    int height;
  };
  for (const Shape shape : {Shape{1, 1}, Shape{1, 7}, Shape{2, 2}, Shape{3, 1}, Shape{5, 40}, Shape{131, 67}}) {
    for (const BorderKind border : kBorders) {
      for (const int repeat : {2, 3, 8, 9, 21}) {
        for (const int channels : {1, 2, 3, 4}) {
          CAPTURE(shape.width);
          CAPTURE(shape.height);
          CAPTURE(static_cast<int>(border));
          CAPTURE(repeat);
          CAPTURE(channels);
          const auto image = NoisePicture<float>(shape.width, shape.height, channels, 5);
          Pass pass = repeat % 2 == 0 ? Heat(border) : Uneven(border, RangeKind::kFloat);
          pass.repeat = repeat;
          CHECK(LargestDifference<float>({{pass}}, image, {0, 0, shape.width, shape.height}) <= 1e-5);
        }
      }
    }
  }
}

TEST_CASE("<cuda> a stencil of integers is within a level, between other passes too") {
  for (const BorderKind border : kBorders) {
    for (const int repeat : {2, 8, 11}) {
      CAPTURE(static_cast<int>(border));
      CAPTURE(repeat);
      Pass pass = Uneven(border);
      pass.repeat = repeat;
      const Region all{0, 0, 200, 61};
      CHECK(LargestDifference<uint8_t>({{pass}}, NoisePicture<uint8_t>(200, 61, 4, 6), all) <= 1);
      CHECK(LargestDifference<uint16_t>({{pass}}, NoisePicture<uint16_t>(200, 61, 3, 7), all) <= 1);
      const Plan between{{PassOf(Box(5, 5), border), pass, PassOf(Sharpen(), border)}};
      CHECK(LargestDifference<uint8_t>(between, NoisePicture<uint8_t>(200, 61, 1, 8), all) <= 1);
    }
  }
}

TEST_CASE("<cuda> a stencil keeps to the alpha mode") {
  auto opaque = Noise<uint8_t>(90 * 50 * 4, 9);
  for (size_t i = 3; i < opaque.size(); i += 4) opaque[i] = 255;
  for (const BorderKind border : {BorderKind::kMirror, BorderKind::kZero}) {
    for (const AlphaMode alpha : {AlphaMode::kWeighted, AlphaMode::kStraight, AlphaMode::kColourOnly}) {
      CAPTURE(static_cast<int>(border));
      CAPTURE(static_cast<int>(alpha));
      Pass pass = Heat(border);
      pass.alpha = alpha;
      pass.repeat = 9;
      CHECK(LargestDifference<uint8_t>({{pass}}, Picture<uint8_t>(90, 50, opaque, Alpha::kLast), {0, 0, 90, 50}) <= 1);
      auto translucent = opaque;
      for (size_t i = 3; i < translucent.size(); i += 4) translucent[i] = static_cast<uint8_t>(128 + i % 127);
      CHECK(LargestDifference<uint8_t>({{pass}}, Picture<uint8_t>(90, 50, translucent, Alpha::kLast), {0, 0, 90, 50}) <=
            1);
    }
  }
}

TEST_CASE("<cuda> every pass that repeats and is no stencil runs as often all the same") {
  std::vector<Pass> passes = {Heat(BorderKind::kMirror),
                              Heat(BorderKind::kMirror),
                              Heat(BorderKind::kMirror),
                              PassOf(Box(5, 3)),
                              PassOf(KernelAt(3, 3, 0, 2, std::vector<double>(9, 1.0 / 9))),
                              PassOf(MagnitudeWeights{SobelX(4), SobelY(4)})};
  passes[0].epilogue.offset = 0.01;
  passes[1].light = LightMode::kLinear;
  passes[2].size = SizeMode::kValid;
  passes.push_back(Heat(BorderKind::kReplicate, RangeKind::kSigned));
  for (size_t i = 0; i < passes.size(); ++i) {
    CAPTURE(i);
    passes[i].repeat = 4;
    const Plan plan{{passes[i]}};
    const ResultSize size = SizeAfter(plan, 64, 48);
    CHECK(LargestDifference<float>(plan, NoisePicture<float>(64, 48, 3, 10), {0, 0, size.width, size.height}) <= 1e-5);
  }
}

TEST_CASE("<cuda> a stencil gives the same bits whole and in parts") {
  const auto cuda = MakeCudaBackend();
  const auto image = NoisePicture<float>(1013, 777, 4, 11);
  std::mt19937 random(12);
  for (const BorderKind border : kBorders) {
    CAPTURE(static_cast<int>(border));
    Pass pass = Uneven(border);
    pass.repeat = 19;
    const auto whole = Part<float>(*cuda, {{pass}}, image, {0, 0, 1013, 777});
    for (int i = 0; i < 12; ++i) {
      const int x = static_cast<int>(random() % 1013U);
      const int y = static_cast<int>(random() % 777U);
      const Region region{x, y, 1 + static_cast<int>(random() % static_cast<unsigned>(1013 - x)),
                          1 + static_cast<int>(random() % static_cast<unsigned>(777 - y))};
      const auto part = Part<float>(*cuda, {{pass}}, image, region);
      bool same = true;
      for (int row = 0; row < region.height; ++row) {
        const auto begin = whole.begin() + (static_cast<ptrdiff_t>(region.y + row) * 1013 + region.x) * 4;
        same = same && std::equal(begin, begin + static_cast<ptrdiff_t>(region.width) * 4,
                                  part.begin() + static_cast<ptrdiff_t>(row) * region.width * 4);
      }
      CHECK(same);
    }
  }
}

TEST_CASE("<cuda> a thousand steps of heat end where reference does") {
  Pass pass = Heat(BorderKind::kReflect, RangeKind::kFloat);
  pass.repeat = 1000;
  CHECK(LargestDifference<float>({{pass}}, NoisePicture<float>(40, 30, 1, 13), {0, 0, 40, 30}) <= 1e-5);
}

}  // namespace
}  // namespace convolve::test
