// A pass's result enters its input: opacity, blend modes, channels, masks, alpha and light, on every backend. Expected
// values are worked out by hand from the formulas of W3C, "Compositing and Blending Level 1".
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "backends.h"
#include "engine/plan.h"
#include "pictures.h"

namespace convolve::test {
namespace {

using Bytes = std::vector<uint8_t>;

/// A pass whose filtered colour is `level` of 255 everywhere.
Pass FlatPass(int level, const Mix& mix) {
  Pass pass = PassOf(Kernel(1, 1, {0}));
  pass.epilogue.offset = level / 255.0;
  pass.mix = mix;
  return pass;
}

Mix MixOf(double opacity, BlendMode blend = BlendMode::kNormal, MixChannels channels = {}) {
  Mix mix;
  mix.opacity = opacity;
  mix.blend = blend;
  mix.channels = channels;
  return mix;
}

std::shared_ptr<const Image> MaskOf(int width, int height, const std::vector<uint16_t>& values) {
  return Picture<uint16_t>(width, height, values);
}

constexpr MixChannels kRed = {true, false, false, false, false};
constexpr MixChannels kLuminance = {true, true, true, false, true};

TEST_CASE_TEMPLATE("mix: opacity goes in a straight line from the input to the filtered value", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const auto image = Picture<uint8_t>(3, 1, {0, 100, 255});
  const auto at = [&](double opacity) { return Result<uint8_t>(*backend, {{FlatPass(200, MixOf(opacity))}}, image); };
  CHECK(at(0) == Bytes{0, 100, 255});
  CHECK(at(0.25) == Bytes{50, 125, 241});
  CHECK(at(0.5) == Bytes{100, 150, 228});  // 227.5, half away from zero
  CHECK(at(1) == Bytes{200, 200, 200});
}

TEST_CASE_TEMPLATE("mix: every grey gets the luminance of white and of black", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  std::vector<uint16_t> greys;
  for (int level = 0; level < 4096; ++level) greys.insert(greys.end(), 3, static_cast<uint16_t>(level * 16 + 5));
  const auto fine = Picture<uint16_t>(64, 64, greys);
  Bytes coarse;
  for (int level = 0; level < 256; ++level) coarse.insert(coarse.end(), 3, static_cast<uint8_t>(level));
  const auto bytes = Picture<uint8_t>(16, 16, coarse);
  std::vector<float> shares;
  for (const uint16_t grey : greys) shares.push_back(static_cast<float>(grey) / 65535);
  const auto floats = Picture<float>(64, 64, shares);
  for (const int level : {0, 255}) {
    for (const Mix& mix : {MixOf(1, BlendMode::kLuminosity), MixOf(1, BlendMode::kNormal, kLuminance)}) {
      const Plan plan{{FlatPass(level, mix)}};
      INFO("level ", level, ", blend ", static_cast<int>(mix.blend));
      CHECK(Result<uint8_t>(*backend, plan, bytes) == Bytes(coarse.size(), static_cast<uint8_t>(level)));
      CHECK(Result<uint16_t>(*backend, plan, fine) ==
            std::vector<uint16_t>(greys.size(), static_cast<uint16_t>(level * 257)));
      for (const double value : Result<double>(*backend, plan, floats)) CHECK(std::abs(value - level / 255) < 1e-5);
    }
  }
}

TEST_CASE_TEMPLATE("mix: every separable blend mode", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const auto image = Picture<uint8_t>(3, 1, {20, 100, 220});
  const auto blended = [&](int level, BlendMode mode) {
    return Result<uint8_t>(*backend, {{FlatPass(level, MixOf(1, mode))}}, image);
  };
  CHECK(blended(200, BlendMode::kNormal) == Bytes{200, 200, 200});
  CHECK(blended(200, BlendMode::kMultiply) == Bytes{16, 78, 173});
  CHECK(blended(200, BlendMode::kScreen) == Bytes{204, 222, 247});
  CHECK(blended(200, BlendMode::kOverlay) == Bytes{31, 157, 240});
  CHECK(blended(200, BlendMode::kSoftLight) == Bytes{45, 134, 230});
  CHECK(blended(50, BlendMode::kSoftLight) == Bytes{9, 63, 202});
  CHECK(blended(200, BlendMode::kLighten) == Bytes{200, 200, 220});
  CHECK(blended(200, BlendMode::kDarken) == Bytes{20, 100, 200});
  CHECK(blended(200, BlendMode::kDifference) == Bytes{180, 100, 20});
  CHECK(blended(200, BlendMode::kAddition) == Bytes{220, 255, 255});
  CHECK(Result<uint8_t>(*backend, {{FlatPass(200, MixOf(0.5, BlendMode::kMultiply))}}, image) == Bytes{18, 89, 196});
}

TEST_CASE_TEMPLATE("mix: luminosity keeps hue and chroma, and is clipped as W3C says", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const auto image = Picture<uint8_t>(2, 1, {200, 100, 60, 255, 0, 0});
  // Lum(200, 100, 60) = 125.6; of pure red 76.5, and 200 of it would need a red of 378.5.
  CHECK(Result<uint8_t>(*backend, {{FlatPass(128, MixOf(1, BlendMode::kLuminosity))}}, image) ==
        Bytes{202, 102, 62, 255, 74, 74});
  CHECK(Result<uint8_t>(*backend, {{FlatPass(200, MixOf(1, BlendMode::kLuminosity))}}, image) ==
        Bytes{255, 181, 152, 255, 176, 176});
  CHECK(Result<uint8_t>(*backend, {{FlatPass(128, MixOf(1, BlendMode::kNormal, kLuminance))}}, image) ==
        Bytes{202, 102, 62, 255, 74, 74});
  // The luminance of a product: Lum(200 * 128 / 255, ...) = 125.6 * 128 / 255 = 63.05.
  CHECK(Result<uint8_t>(*backend, {{FlatPass(128, MixOf(1, BlendMode::kMultiply, kLuminance))}},
                        Picture<uint8_t>(1, 1, {200, 180, 190})) == Bytes{107, 87, 97});
  const auto grey = Picture<uint8_t>(1, 1, {90});
  CHECK(Result<uint8_t>(*backend, {{FlatPass(128, MixOf(1, BlendMode::kLuminosity))}}, grey) == Bytes{128});
  CHECK(Result<uint8_t>(*backend, {{FlatPass(128, MixOf(0.5, BlendMode::kNormal, kLuminance))}}, grey) == Bytes{109});
}

/// Unsharp masking by a row of three, its difference before the amount held against `threshold`.
Pass UnsharpPass(double amount, double threshold) {
  Pass pass = PassOf(Kernel(3, 1, {1, 1, 1}, 3));
  pass.epilogue = {-amount, 1 + amount, 0};
  Mix mix;
  mix.threshold = amount * threshold;
  pass.mix = mix;
  return pass;
}

TEST_CASE_TEMPLATE("mix: a channel that differs by less than the threshold stays what it was", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  // Means 13.3, 23.3 and 33.3; differences -3.3, -3.3 and 6.7.
  const auto row = Picture<uint8_t>(3, 1, {10, 20, 40});
  const auto at = [&](double levels, double amount = 1) {
    return Result<uint8_t>(*backend, {{UnsharpPass(amount, levels / 255)}}, row);
  };
  CHECK(at(0) == Bytes{7, 17, 47});  // 6.67, 16.67, 46.67
  CHECK(at(3.5) == Bytes{10, 20, 47});
  CHECK(at(6) == Bytes{10, 20, 47});
  CHECK(at(7) == Bytes{10, 20, 40});
  CHECK(at(3.5, 2) == Bytes{10, 20, 53});
  // Each channel alone.
  const auto colours = Picture<uint8_t>(2, 1, {100, 50, 7, 130, 53, 7});
  CHECK(Result<uint8_t>(*backend, {{UnsharpPass(1, 5.0 / 255)}}, colours) == Bytes{90, 50, 7, 140, 53, 7});
}

TEST_CASE_TEMPLATE("mix: the threshold looks at the result before its range, and not at equal values", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  // 250 - mean 170 is 80: white, although cut off it is only 5 from what it was.
  const auto bright = Picture<uint8_t>(3, 1, {10, 250, 250});
  CHECK(Result<uint8_t>(*backend, {{UnsharpPass(1, 20.0 / 255)}}, bright) == Bytes{0, 255, 250});
  // Exactly the threshold is enough.
  const auto halves = Picture<float>(2, 1, {0.25f, 0.5f});
  Pass pass = PassOf(Kernel(1, 1, {1}), BorderKind::kReplicate, RangeKind::kFloat);
  pass.epilogue.offset = 0.125;
  pass.mix = Mix{};
  pass.mix->threshold = 0.125;
  CHECK(Result<float>(*backend, {{pass}}, halves) == std::vector<float>{0.375f, 0.625f});
  pass.mix->threshold = 0.13;
  CHECK(Result<float>(*backend, {{pass}}, halves) == std::vector<float>{0.25f, 0.5f});
  // Not-a-number differs from everything.
  const float none = std::numeric_limits<float>::quiet_NaN();
  const auto broken = Result<float>(*backend, {{pass}}, Picture<float>(2, 1, {0.25f, none}));
  CHECK(broken[0] == 0.25f);
  CHECK(std::isnan(broken[1]));
}

TEST_CASE_TEMPLATE("mix: what the threshold keeps is blended like any other result", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const auto image = Picture<uint8_t>(2, 1, {100, 200});
  Mix mix = MixOf(0.5, BlendMode::kMultiply);
  mix.threshold = 30.0 / 255;
  // 110 is too near to 100: 100 * 100 / 255 = 39.2; 200 * 110 / 255 = 86.3.
  CHECK(Result<uint8_t>(*backend, {{FlatPass(110, mix)}}, image) == Bytes{70, 143});
}

TEST_CASE_TEMPLATE("mix: hidden colour is none to keep", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  // The first pixel's 100 cannot be seen; half of the second's alpha spreads over it, with the second's colour.
  const auto image = Picture<float>(2, 1, {0.4f, 0, 0.5f, 1}, Alpha::kLast);
  Pass pass = PassOf(Kernel(2, 1, {1, 1}, 2), BorderKind::kReplicate, RangeKind::kFloat);
  pass.alpha = AlphaMode::kWeighted;
  std::get<DenseWeights>(pass.work).anchor_x = 0;
  pass.mix = Mix{};
  pass.mix->threshold = 0.2;
  const auto result = Result<float>(*backend, {{pass}}, image);
  CHECK(result[0] == doctest::Approx(0.5));
  CHECK(result[1] == doctest::Approx(0.5));
}

TEST_CASE_TEMPLATE("mix: only the chosen channels change, and alpha is none of them", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const auto image = Picture<uint8_t>(2, 1, {10, 20, 30, 255, 40, 50, 60, 128}, Alpha::kLast);
  CHECK(Result<uint8_t>(*backend, {{FlatPass(200, MixOf(1, BlendMode::kNormal, kRed))}}, image) ==
        Bytes{200, 20, 30, 255, 200, 50, 60, 128});
  CHECK(Result<uint8_t>(*backend, {{FlatPass(200, MixOf(0.5, BlendMode::kNormal, {false, true, true, false, false}))}},
                        image) == Bytes{10, 110, 115, 255, 40, 125, 130, 128});
  // Straight alpha is filtered to 0 here, which only counts where every channel changes.
  Pass straight = FlatPass(200, MixOf(1, BlendMode::kNormal, kRed));
  straight.alpha = AlphaMode::kStraight;
  CHECK(Result<uint8_t>(*backend, {{straight}}, image) == Bytes{200, 20, 30, 255, 200, 50, 60, 128});
  straight.mix = MixOf(0.5);
  CHECK(Result<uint8_t>(*backend, {{straight}}, image) == Bytes{105, 110, 115, 128, 120, 125, 130, 64});
}

TEST_CASE_TEMPLATE("mix: a mask scales the opacity pixel by pixel", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const auto image = Flat<uint8_t>(5, 1, 3, 100);
  Mix mix = MixOf(1);
  mix.mask = MaskOf(5, 1, {0, 13107, 32768, 52428, 65535});
  const auto red_of = [&] {
    const Bytes all = Result<uint8_t>(*backend, {{FlatPass(200, mix)}}, image);
    return Bytes{all[0], all[3], all[6], all[9], all[12]};
  };
  CHECK(red_of() == Bytes{100, 120, 150, 180, 200});
  mix.opacity = 0.5;
  CHECK(red_of() == Bytes{100, 110, 125, 140, 150});
}

TEST_CASE_TEMPLATE("mix: input and mask of a result of whole windows begin at its first pixel", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const auto image = Picture<uint8_t>(5, 1, {10, 20, 30, 40, 50});
  Pass pass = PassOf(KernelAt(3, 1, 0, 0, {0, 0, 0}));
  pass.size = SizeMode::kValid;
  pass.mix = MixOf(1);
  pass.mix->mask = MaskOf(5, 1, {0, 0, 65535, 0, 0});
  CHECK(Result<uint8_t>(*backend, {{pass}}, image) == Bytes{10, 20, 0});
  std::get<DenseWeights>(pass.work).anchor_x = 2;
  CHECK(Result<uint8_t>(*backend, {{pass}}, image) == Bytes{0, 40, 50});
}

TEST_CASE_TEMPLATE("mix: another input than the pass's own", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const auto image = Picture<uint8_t>(3, 1, {10, 20, 30});
  Pass pass = PassOf(Kernel(1, 1, {1}));
  pass.mix = MixOf(0.5);
  pass.mix->input = Picture<float>(4, 1, {0, 1, 0, 1});
  pass.mix->input_x = 1;
  pass.mix->mask = MaskOf(4, 1, {0, 65535, 65535, 0});
  CHECK(Result<uint8_t>(*backend, {{PassOf(Kernel(1, 1, {1})), pass}}, image) == Bytes{133, 10, 255});
}

TEST_CASE_TEMPLATE("mix: no opacity is the input byte for byte, whatever the pass", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const auto check = [&]<typename T>(T /*zero*/) {
    const auto image = NoisePicture<T>(21, 9, 4, 3, Alpha::kLast);
    const std::vector<T> samples = Noise<T>(21 * 9 * 4, 3);
    for (const AlphaMode alpha : {AlphaMode::kWeighted, AlphaMode::kStraight, AlphaMode::kColourOnly}) {
      for (const LightMode light : {LightMode::kEncoded, LightMode::kLinear}) {
        Pass pass = PassOf(Box(3, 3), BorderKind::kZero, RangeKind::kSigned);
        pass.alpha = alpha;
        pass.light = light;
        pass.mix = MixOf(0, BlendMode::kOverlay);
        CHECK(Result<T>(*backend, {{pass}}, image) == samples);
        pass.mix = MixOf(1);
        pass.mix->mask = MaskOf(21, 9, std::vector<uint16_t>(21 * 9, 0));
        CHECK(Result<T>(*backend, {{pass}}, image) == samples);
      }
    }
  };
  check(uint8_t{});
  check(uint16_t{});
  check(float{});
}

TEST_CASE_TEMPLATE("mix: full opacity is the filtered picture", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const auto image = NoisePicture<uint8_t>(31, 7, 4, 5, Alpha::kLast);
  for (const LightMode light : {LightMode::kEncoded, LightMode::kLinear}) {
    Pass pass = PassOf(Box(3, 3));
    pass.light = light;
    const Bytes filtered = Result<uint8_t>(*backend, {{pass}}, image);
    pass.mix = MixOf(1);
    CHECK(Result<uint8_t>(*backend, {{pass}}, image) == filtered);
  }
}

TEST_CASE_TEMPLATE("mix: in linear light where the pass is", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  Pass pass = PassOf(Kernel(1, 1, {0}));
  pass.mix = MixOf(0.5);
  const auto white = Picture<uint8_t>(1, 1, {255});
  CHECK(Result<uint8_t>(*backend, {{pass}}, white) == Bytes{128});
  pass.light = LightMode::kLinear;
  CHECK(Result<uint8_t>(*backend, {{pass}}, white) == Bytes{188});  // half of white's light
}

TEST_CASE_TEMPLATE("mix: a signed result is mixed as it is shown", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  Pass pass = PassOf(Kernel(1, 1, {0}), BorderKind::kReplicate, RangeKind::kSigned);
  pass.mix = MixOf(0.5);
  CHECK(Result<uint8_t>(*backend, {{pass}}, Picture<uint8_t>(1, 1, {27})) == Bytes{77});  // (27 + 127.5) / 2
}

TEST_CASE_TEMPLATE("mix: hidden colour never shows, and coverage fades in", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  // Opaque red beside hidden green: a blur over both is half as opaque, and red.
  const auto image = Picture<uint8_t>(2, 1, {255, 0, 0, 255, 0, 255, 0, 0}, Alpha::kLast);
  Pass pass = PassOf(Kernel(2, 1, {0.5, 0.5}));
  std::get<DenseWeights>(pass.work).anchor_x = 1;
  pass.mix = MixOf(0.5);
  CHECK(Result<uint8_t>(*backend, {{pass}}, image) == Bytes{255, 0, 0, 255, 255, 0, 0, 64});
  // Over nothing every mode is normal; over all of it, it is the mode.
  pass.mix = MixOf(1, BlendMode::kDifference);
  CHECK(Result<uint8_t>(*backend, {{pass}}, image) == Bytes{0, 0, 0, 255, 255, 0, 0, 128});
}

TEST_CASE_TEMPLATE("mix: opaque stays opaque", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  std::vector<float> samples = Noise<float>(16 * 4, 7);
  for (size_t i = 3; i < samples.size(); i += 4) samples[i] = 1;
  for (const double opacity : {0.1, 0.3, 0.7, 0.9}) {
    Pass pass = PassOf(Box(3, 1), BorderKind::kReplicate, RangeKind::kFloat);
    pass.mix = MixOf(opacity, BlendMode::kScreen);
    const auto result = Result<float>(*backend, {{pass}}, Picture<float>(16, 1, samples, Alpha::kLast));
    for (size_t i = 3; i < result.size(); i += 4) CHECK(result[i] == 1);
  }
}

TEST_CASE_TEMPLATE("mix: what is not a number stays where the filter has no share", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto image = Picture<float>(4, 1, {nan, 0.5F, 0.25F, 1});
  Pass pass = PassOf(Kernel(1, 1, {2}), BorderKind::kReplicate, RangeKind::kFloat);
  pass.mix = MixOf(1);
  pass.mix->mask = MaskOf(4, 1, {0, 65535, 0, 65535});
  auto result = Result<float>(*backend, {{pass}}, image);
  CHECK(std::isnan(result[0]));
  CHECK(std::vector<float>(result.begin() + 1, result.end()) == std::vector<float>{1, 0.25F, 2});
  // Addition has no end where the range has none.
  pass.mix = MixOf(1, BlendMode::kAddition);
  result = Result<float>(*backend, {{pass}}, image);
  CHECK(std::vector<float>(result.begin() + 1, result.end()) == std::vector<float>{1.5F, 0.75F, 3});
}

/// Two passes that mix, then one that does not.
Plan SeveralMixes(int width, int height, LightMode light) {
  Pass blur = PassOf(Box(5, 3), BorderKind::kWrap);
  blur.light = light;
  blur.mix = MixOf(0.6, BlendMode::kOverlay);
  blur.mix->mask = MaskOf(width, height, Noise<uint16_t>(static_cast<size_t>(width) * height, 4));
  Pass edges = PassOf(MagnitudeWeights{SobelX(), SobelY()}, BorderKind::kMirror);
  edges.mix = MixOf(0.5, BlendMode::kLuminosity);
  return {{blur, edges, PassOf(Sharpen())}};
}

TEST_CASE_TEMPLATE("mix: any tiling gives the same bytes", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  for (const LightMode light : {LightMode::kEncoded, LightMode::kLinear}) {
    for (const Alpha alpha : {Alpha::kNone, Alpha::kLast}) {
      const int channels = alpha == Alpha::kLast ? 4 : 3;
      const auto image = NoisePicture<uint8_t>(53, 37, channels, 8, alpha);
      const Plan plan = SeveralMixes(53, 37, light);
      const Bytes whole = Result<uint8_t>(*backend, plan, image);
      for (const Region& region :
           {Region{0, 0, 16, 16}, Region{13, 7, 29, 1}, Region{40, 20, 13, 17}, Region{52, 36, 1, 1}}) {
        CHECK(Unequal(Part<uint8_t>(*backend, plan, image, region), region, whole, 53, channels) == 0);
      }
    }
  }
}

TEST_CASE_TEMPLATE("mix: extremes are measured before it", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  Pass pass = PassOf(Kernel(1, 1, {2}), BorderKind::kReplicate, RangeKind::kRescale);
  pass.mix = MixOf(0.25);
  const Extremes extremes = backend->Measure({{pass}}, Picture<uint8_t>(2, 1, {51, 102}), CancelToken());
  CHECK(std::abs(extremes.minimum - 0.4) < 1e-6);
  CHECK(std::abs(extremes.maximum - 0.8) < 1e-6);
}

/// What a plan of this pass on a picture of 4 x 3 pixels is refused for, and with which field.
std::string Refusal(const Pass& pass, int channels = 3) {
  try {
    ValidatePlan({{pass}}, Image(4, 3, channels, false, SampleType::kU8));
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kInvalidPlan);
    return error.subject();
  }
  return "";
}

TEST_CASE("mix: what does not fit is refused by its field") {
  CHECK(Refusal(FlatPass(1, MixOf(0.5))).empty());
  CHECK(Refusal(FlatPass(1, MixOf(1.01))) == "passes[0].mix.opacity");
  CHECK(Refusal(FlatPass(1, MixOf(std::numeric_limits<double>::quiet_NaN()))) == "passes[0].mix.opacity");
  for (const double threshold : {-0.1, std::numeric_limits<double>::infinity()}) {
    Mix mix;
    mix.threshold = threshold;
    CHECK(Refusal(FlatPass(1, mix)) == "passes[0].mix.threshold");
  }
  CHECK(Refusal(FlatPass(1, MixOf(1, BlendMode::kNormal, {false, false, false, false, false}))) ==
        "passes[0].mix.channels");
  Pass often = FlatPass(1, MixOf(0.5));
  often.repeat = 2;
  CHECK(Refusal(often) == "passes[0].mix");
  Pass masked = FlatPass(1, MixOf(0.5));
  masked.mix->mask = MaskOf(3, 4, std::vector<uint16_t>(12));
  CHECK(Refusal(masked) == "passes[0].mix.mask");
  masked.mix->mask = Flat<uint8_t>(4, 3, 1, 0);
  CHECK(Refusal(masked) == "passes[0].mix.mask");
  masked.mix->mask = MaskOf(4, 3, std::vector<uint16_t>(12));
  CHECK(Refusal(masked).empty());
  Pass other = FlatPass(1, MixOf(0.5));
  other.mix->input = Flat<uint8_t>(4, 3, 3, 0);
  CHECK(Refusal(other).empty());
  other.mix->input_x = 1;
  CHECK(Refusal(other) == "passes[0].mix.input");
  other.mix->input = Flat<uint8_t>(6, 6, 1, 0);
  CHECK(Refusal(other) == "passes[0].mix.input");
  // Four colours without alpha are no RGB.
  CHECK(Refusal(FlatPass(1, MixOf(0.5)), 4).empty());
  CHECK(Refusal(FlatPass(1, MixOf(0.5, BlendMode::kLuminosity)), 4) == "passes[0].mix");
  CHECK(Refusal(FlatPass(1, MixOf(0.5, BlendMode::kNormal, kRed)), 2) == "passes[0].mix");
}

}  // namespace
}  // namespace convolve::test
