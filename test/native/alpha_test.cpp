// Alpha: hidden colour never shows, opaque stays opaque under kernels that sum to zero and under any offset, and colour
// and coverage fade together.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "backends.h"
#include "pictures.h"

namespace convolve::test {
namespace {

constexpr std::array kEveryRange = {RangeKind::kClamp, RangeKind::kAbsolute, RangeKind::kSigned, RangeKind::kFloat,
                                    RangeKind::kRescale};

Pass AlphaPass(Work work, AlphaMode alpha, RangeKind range = RangeKind::kClamp) {
  Pass pass = PassOf(std::move(work), BorderKind::kReplicate, range);
  pass.alpha = alpha;
  return pass;
}

Pass Weighted(Work work, RangeKind range = RangeKind::kClamp) {
  return AlphaPass(std::move(work), AlphaMode::kWeighted, range);
}

/// Opaque red on the left, transparent green on the right.
std::shared_ptr<const Image> RedBesideHiddenGreen() {
  return Picture<uint8_t>(4, 1, {255, 0, 0, 255, 255, 0, 0, 255, 0, 255, 0, 0, 0, 255, 0, 0}, Alpha::kLast);
}

template <typename T>
std::vector<T> ChannelOf(const std::vector<T>& samples, size_t channel, size_t channels) {
  std::vector<T> values;
  for (size_t i = channel; i < samples.size(); i += channels) values.push_back(samples[i]);
  return values;
}

TEST_CASE_TEMPLATE("weighted: a blur fades red out and the hidden green never shows", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  CHECK(Result<uint8_t>(*backend, {{Weighted(Box(3, 1))}}, RedBesideHiddenGreen()) ==
        std::vector<uint8_t>{255, 0, 0, 255, 255, 0, 0, 170, 255, 0, 0, 85, 0, 0, 0, 0});
}

TEST_CASE_TEMPLATE("straight: every channel alone, so the hidden green shows", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  CHECK(Result<uint8_t>(*backend, {{AlphaPass(Box(3, 1), AlphaMode::kStraight)}}, RedBesideHiddenGreen()) ==
        std::vector<uint8_t>{255, 0, 0, 255, 170, 85, 0, 170, 85, 170, 0, 85, 0, 255, 0, 0});
}

TEST_CASE_TEMPLATE("colour only: colour as it is stored, alpha as it was", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  CHECK(Result<uint8_t>(*backend, {{AlphaPass(Box(3, 1), AlphaMode::kColourOnly)}}, RedBesideHiddenGreen()) ==
        std::vector<uint8_t>{255, 0, 0, 255, 170, 85, 0, 255, 85, 170, 0, 0, 0, 255, 0, 0});
}

TEST_CASE_TEMPLATE("opaque stays opaque whatever the kernel, the offset and the range", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  std::vector<uint8_t> samples = Noise<uint8_t>(15 * 11 * 4, 11);
  for (size_t i = 3; i < samples.size(); i += 4) samples[i] = 255;
  const auto image = Picture<uint8_t>(15, 11, samples, Alpha::kLast);
  const std::vector<Work> works = {Laplacian(),
                                   Sharpen(),
                                   Emboss(),
                                   SobelX(),
                                   Box(5, 3),
                                   Kernel(1, 1, {-3}),
                                   Kernel(2, 2, {1, 0, 0, -1}),
                                   MagnitudeWeights{SobelX(), SobelY()},
                                   Kernel(1, 1, {0})};
  for (const AlphaMode alpha : {AlphaMode::kWeighted, AlphaMode::kColourOnly}) {
    for (size_t w = 0; w < works.size(); ++w) {
      for (const double offset : {0.0, 0.5, -0.5}) {
        for (const RangeKind range : kEveryRange) {
          CAPTURE(static_cast<int>(alpha));
          CAPTURE(w);
          CAPTURE(offset);
          CAPTURE(static_cast<int>(range));
          Pass pass = AlphaPass(works[w], alpha, range);
          pass.epilogue.offset = offset;
          CHECK(ChannelOf(Result<uint8_t>(*backend, {{pass}}, image), 3, 4) == std::vector<uint8_t>(15 * 11, 255));
        }
      }
    }
  }
}

TEST_CASE_TEMPLATE("a kernel that sums to zero keeps alpha, and filters colour as on an opaque picture", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const std::vector<uint8_t> grey = Noise<uint8_t>(9 * 7, 12);
  std::vector<uint8_t> opaque;
  for (const uint8_t value : grey) opaque.insert(opaque.end(), {value, 255});
  const auto result =
      Result<uint8_t>(*backend, {{Weighted(Laplacian())}}, Picture<uint8_t>(9, 7, opaque, Alpha::kLast));
  CHECK(ChannelOf(result, 0, 2) == Result<uint8_t>(*backend, {{PassOf(Laplacian())}}, Picture<uint8_t>(9, 7, grey)));
  CHECK(ChannelOf(result, 1, 2) == std::vector<uint8_t>(63, 255));
}

TEST_CASE_TEMPLATE("a gain below a thousandth of the weights counts as zero", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const auto image = Picture<float>(2, 1, {0.5F, 1.0F, 0.5F, 0.5F}, Alpha::kLast);
  // The right pixel reads itself and the left one. Gain 0.0005 of 1.9995: dust, alpha is its own.
  const auto dust = Result<float>(*backend, {{Weighted(Kernel(2, 1, {1, -0.9995}))}}, image);
  CHECK(dust[3] == doctest::Approx(0.5));
  // Gain 0.01 of 1.99: alpha = (1 - 0.99 * 0.5) / 0.01 = 50.5, clamped.
  const auto gain = Result<float>(*backend, {{Weighted(Kernel(2, 1, {1, -0.99}))}}, image);
  CHECK(gain[3] == doctest::Approx(1.0));
  const auto kept = Result<float>(*backend, {{Weighted(Kernel(2, 1, {1, -0.99}), RangeKind::kFloat)}}, image);
  CHECK(kept[3] == doctest::Approx(50.5).epsilon(1e-4));
  CHECK(kept[2] == doctest::Approx(0.5 * 0.01).epsilon(1e-4));  // colour times the gain
}

TEST_CASE_TEMPLATE("a blurred disc fades its alpha as the blurred mask does, and keeps its colour", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const int side = 25;
  std::vector<uint8_t> mask;
  std::vector<uint8_t> disc;
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const bool inside = (x - 12) * (x - 12) + (y - 12) * (y - 12) <= 49;
      mask.push_back(inside ? 255 : 0);
      disc.insert(disc.end(), {200, 100, 50, mask.back()});
    }
  }
  const auto blurred =
      Result<uint8_t>(*backend, {{Weighted(Box(5, 5))}}, Picture<uint8_t>(side, side, disc, Alpha::kLast));
  CHECK(ChannelOf(blurred, 3, 4) ==
        Result<uint8_t>(*backend, {{PassOf(Box(5, 5))}}, Picture<uint8_t>(side, side, mask)));
  for (size_t i = 0; i < blurred.size(); i += 4) {
    CAPTURE(i);
    const bool seen = blurred[i + 3] > 0;
    CHECK(int{blurred[i]} == (seen ? 200 : 0));
    CHECK(int{blurred[i + 1]} == (seen ? 100 : 0));
    CHECK(int{blurred[i + 2]} == (seen ? 50 : 0));
  }
}

TEST_CASE_TEMPLATE("an offset raises the colour that is seen, never alpha, never what is fully transparent", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  Pass emboss = Weighted(Emboss());
  emboss.epilogue.offset = 0.5;
  std::vector<float> samples;
  for (int i = 0; i < 16; ++i) samples.insert(samples.end(), {0.25F, 0.125F, 0.0F, 0.5F});
  const auto half = Result<float>(*backend, {{emboss}}, Picture<float>(4, 4, samples, Alpha::kLast));
  for (size_t i = 0; i < half.size(); i += 4) {
    CHECK(half[i] == doctest::Approx(0.75));
    CHECK(half[i + 1] == doctest::Approx(0.625));
    CHECK(half[i + 2] == doctest::Approx(0.5));
    CHECK(half[i + 3] == doctest::Approx(0.5));
  }
  const auto hidden = Picture<uint8_t>(2, 1, {10, 20, 30, 0, 40, 50, 60, 0}, Alpha::kLast);
  CHECK(Result<uint8_t>(*backend, {{emboss}}, hidden) == std::vector<uint8_t>(8, 0));
}

TEST_CASE_TEMPLATE("a border outside that is transparent makes an opaque picture fade at its rim", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const auto image = Picture<uint8_t>(3, 1, {90, 255, 90, 255, 90, 255}, Alpha::kLast);
  Pass blur = Weighted(Box(3, 1));
  CHECK(Result<uint8_t>(*backend, {{blur}}, image) == std::vector<uint8_t>{90, 255, 90, 255, 90, 255});
  blur.border.kind = BorderKind::kZero;
  CHECK(Result<uint8_t>(*backend, {{blur}}, image) == std::vector<uint8_t>{90, 170, 90, 255, 90, 170});
}

TEST_CASE_TEMPLATE("a constant border is a pixel of that value, alpha too", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  Pass blur = Weighted(Box(3, 1));
  blur.border = {BorderKind::kConstant, 0.5};
  const auto result = Result<float>(*backend, {{blur}}, Picture<float>(1, 1, {1.0F, 0.0F, 0.25F, 1.0F}, Alpha::kLast));
  // alpha = (1 + 0.5 + 0.5) / 3; premultiplied red = (1 + 0.25 + 0.25) / 3; colour = one over the other.
  CHECK(result[0] == doctest::Approx(0.75));
  CHECK(result[1] == doctest::Approx(0.25));
  CHECK(result[2] == doctest::Approx(0.375));
  CHECK(result[3] == doctest::Approx(2.0 / 3));
}

TEST_CASE_TEMPLATE("gain multiplies colour and leaves alpha", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const auto image = Picture<uint8_t>(1, 1, {20, 40, 60, 100}, Alpha::kLast);
  const std::vector<uint8_t> doubled = {40, 80, 120, 100};
  CHECK(Result<uint8_t>(*backend, {{Weighted(Kernel(1, 1, {2}))}}, image) == doubled);
  Pass epilogue = Weighted(Kernel(1, 1, {1}));
  epilogue.epilogue = {3, -1, 0};
  CHECK(Result<uint8_t>(*backend, {{epilogue}}, image) == doubled);
}

TEST_CASE_TEMPLATE("one colour under any alpha stays that colour, also where alpha overshoots", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  std::vector<float> samples;
  for (const float alpha : Noise<float>(12 * 9, 13)) samples.insert(samples.end(), {0.5F, 0.25F, 0.75F, alpha});
  const auto image = Picture<float>(12, 9, samples, Alpha::kLast);
  const auto kept = Result<float>(*backend, {{Weighted(Sharpen(), RangeKind::kFloat)}}, image);
  const auto clamped = Result<float>(*backend, {{Weighted(Sharpen())}}, image);
  int overshoots = 0;
  for (size_t i = 0; i < kept.size(); i += 4) {
    CAPTURE(i);
    CHECK(kept[i] == doctest::Approx(0.5).epsilon(1e-3));
    CHECK(kept[i + 2] == doctest::Approx(0.75).epsilon(1e-3));
    CHECK(clamped[i] == doctest::Approx(0.5).epsilon(1e-3));
    CHECK(clamped[i + 3] == doctest::Approx(std::clamp(kept[i + 3], 0.0F, 1.0F)));
    if (kept[i + 3] < 0 || kept[i + 3] > 1) ++overshoots;
  }
  CHECK(overshoots > 20);
}

TEST_CASE_TEMPLATE("every range mode but float keeps alpha within its scale, in every alpha mode", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const auto image = Picture<float>(2, 1, {0.5F, 1.25F, 0.5F, -0.25F}, Alpha::kLast);
  for (const AlphaMode alpha : {AlphaMode::kWeighted, AlphaMode::kStraight, AlphaMode::kColourOnly}) {
    for (const RangeKind range : kEveryRange) {
      CAPTURE(static_cast<int>(alpha));
      CAPTURE(static_cast<int>(range));
      const auto result = Result<float>(*backend, {{AlphaPass(Kernel(1, 1, {1}), alpha, range)}}, image);
      const bool kept = range == RangeKind::kFloat;
      CHECK(result[1] == doctest::Approx(kept ? 1.25 : 1.0));
      CHECK(result[3] == doctest::Approx(kept ? -0.25 : 0.0));
    }
  }
}

TEST_CASE_TEMPLATE("straight: the epilogue's shares apply to alpha, its offset does not", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  Pass pass = AlphaPass(Kernel(1, 1, {1}), AlphaMode::kStraight);
  pass.epilogue = {0.5, 0.25, 0.125};
  const auto result = Result<float>(*backend, {{pass}}, Picture<float>(1, 1, {0.5F, 0.5F}, Alpha::kLast));
  CHECK(result[0] == doctest::Approx(0.5));
  CHECK(result[1] == doctest::Approx(0.375));
}

TEST_CASE_TEMPLATE("a magnitude keeps alpha in every alpha mode", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const std::vector<uint8_t> samples = Noise<uint8_t>(8 * 6 * 2, 14);
  for (const AlphaMode alpha : {AlphaMode::kWeighted, AlphaMode::kStraight, AlphaMode::kColourOnly}) {
    CAPTURE(static_cast<int>(alpha));
    const Pass pass = AlphaPass(MagnitudeWeights{SobelX(), SobelY()}, alpha);
    const auto result = Result<uint8_t>(*backend, {{pass}}, Picture<uint8_t>(8, 6, samples, Alpha::kLast));
    CHECK(ChannelOf(result, 1, 2) == ChannelOf(samples, 1, 2));
  }
}

}  // namespace
}  // namespace convolve::test
