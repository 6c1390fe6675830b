// Linear light: the sRGB curve, the curves of other colour profiles, and filters that mix light instead of stored
// values.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "backends.h"
#include "engine/edge_picture.h"
#include "engine/tone_curve.h"
#include "pictures.h"

namespace convolve::test {
namespace {

double Linear(double value) { return SrgbCurve()->Linear(value); }
double Encoded(double light) { return SrgbCurve()->Encoded(light); }

/// Adobe RGB, ProPhoto, and a curve of all seven numbers.
const CurveParameters kAdobe{2.19921875, 1, 0, 1, 0, 0, 0};
const CurveParameters kProPhoto{1.8, 1, 0, 1.0 / 16, 1.0 / 32, 0, 0};
const CurveParameters kSeven{2.2, 0.94, 0.05, 0.1, 0.04, 0.0073, 0.008};

std::shared_ptr<const ToneCurve> CurveOf(const CurveParameters& parameters) {
  return std::make_shared<const ToneCurve>(parameters);
}

using Samples = std::vector<double>;

/// v^2 at 1025 points, which lines between them follow to 3e-7.
std::shared_ptr<const ToneCurve> Squares() {
  std::vector<double> samples;
  for (int i = 0; i <= 1024; ++i) samples.push_back(i / 1024.0 * (i / 1024.0));
  return std::make_shared<const ToneCurve>(samples);
}

Pass LinearPass(Work work, RangeKind range = RangeKind::kClamp) {
  Pass pass = PassOf(std::move(work), BorderKind::kReplicate, range);
  pass.light = LightMode::kLinear;
  return pass;
}

TEST_CASE("the sRGB curve has the standard's values, mirrors below 0 and goes on above 1") {
  CHECK(Linear(0) == 0);
  CHECK(Linear(1) == doctest::Approx(1).epsilon(1e-12));
  CHECK(Linear(0.5) == doctest::Approx(0.21404114).epsilon(1e-7));
  CHECK(Linear(0.04) == doctest::Approx(0.04 / 12.92).epsilon(1e-12));
  CHECK(Encoded(0.5) == doctest::Approx(0.73535698).epsilon(1e-7));
  CHECK(Encoded(0.003) == doctest::Approx(0.03876).epsilon(1e-12));
  CHECK(Linear(2) == doctest::Approx(std::pow(2.055 / 1.055, 2.4)).epsilon(1e-12));
  for (double value = -2; value <= 2; value += 0.01) {
    CAPTURE(value);
    CHECK(Linear(-value) == -Linear(value));
    CHECK(std::abs(Encoded(Linear(value)) - value) < 2e-7);  // the standard's two pieces meet to within this
  }
}

TEST_CASE("curves of profiles lead back to every value") {
  for (const auto& curve : {CurveOf(kAdobe), CurveOf(kProPhoto), CurveOf(kSeven), Squares()}) {
    double before = -1;
    for (int step = -2000; step <= 2000; ++step) {
      const double value = step / 1000.0;
      CAPTURE(value);
      CHECK(std::abs(curve->Encoded(curve->Linear(value)) - value) < 1e-4);  // kSeven's parts meet to within this
      CHECK(curve->Linear(-value) == -curve->Linear(value));
      if (step > 0) CHECK(curve->Linear(value) > before);
      before = curve->Linear(value);
    }
  }
  CHECK(CurveOf(kAdobe)->Linear(0.5) == doctest::Approx(std::pow(0.5, 2.19921875)).epsilon(1e-12));
  CHECK(Squares()->Linear(0.3) == doctest::Approx(0.09).epsilon(1e-5));
  CHECK(Squares()->Linear(2) > 1);
}

TEST_CASE("a curve that begins level leads back to its least value") {
  const ToneCurve curve(Samples{0, 0, 0, 0.25, 1});
  CHECK(curve.Encoded(0) == 0);
  CHECK(curve.Encoded(0.125) == doctest::Approx(0.625));
  CHECK(curve.Linear(0.4) == 0);
}

TEST_CASE("a power whose base is a rounding below 0 just above the knee is 0") {
  const ToneCurve curve(CurveParameters{2.5, 1.25, -0.25, 0, 0.2 - 1e-10, 0, 0});
  CHECK(curve.Linear(0.2 - 5e-11) == 0);
  CHECK(curve.Linear(1) == 1);
}

TEST_CASE("curves without a way back are refused by name") {
  const auto refused = [](const std::function<void()>& make) { return CodeOf(make) == ErrorCode::kInvalidArgument; };
  CHECK(refused([] { ToneCurve(Samples{0.5}); }));
  CHECK(refused([] { ToneCurve(Samples{0, 0.6, 0.5, 1}); }));
  CHECK(refused([] { ToneCurve(Samples{0, 1, 1}); }));
  CHECK(refused([] { ToneCurve(Samples{0, 0.1}); }));
  CHECK(refused([] { ToneCurve(Samples{0, std::nan(""), 1}); }));
  CHECK(refused([] { ToneCurve(CurveParameters{-1, 1, 0, 1, 0, 0, 0}); }));
  CHECK(refused([] { ToneCurve(CurveParameters{2, 1, 0, 5, 0.5, 0, 0}); }));  // falls at its knee
  CHECK(refused([] { ToneCurve(CurveParameters{2, 1, -0.5, 1, 0, 0, 0}); }));
}

/// What a box of three does in light to these four values, by nothing but the definition.
template <typename Light, typename Back>
std::vector<double> Mixed(const std::vector<double>& values, const Light& light, const Back& back) {
  std::vector<double> mixed;
  for (size_t i = 1; i + 1 < values.size(); ++i) {
    mixed.push_back(back((light(values[i - 1]) + light(values[i]) + light(values[i + 1])) / 3));
  }
  return mixed;
}

TEST_CASE_TEMPLATE("light is mixed by the picture's own curve, at every depth", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  struct Known {
    CurveParameters parameters;
    double (*light)(double);
    double (*back)(double);
  };
  const Known known[] = {
      {kAdobe, [](double v) { return std::pow(v, 2.19921875); }, [](double l) { return std::pow(l, 1 / 2.19921875); }},
      {kProPhoto, [](double v) { return v < 1.0 / 32 ? v / 16 : std::pow(v, 1.8); },
       [](double l) { return l < 1.0 / 512 ? 16 * l : std::pow(l, 1 / 1.8); }}};
  const std::vector<double> shares = {0, 1, 0.2, 0.6, 0.02, 0.01};
  Pass blur = LinearPass(Box(3, 1));
  blur.size = SizeMode::kValid;
  for (const Known& one : known) {
    std::vector<uint8_t> bytes;
    std::vector<uint16_t> words;
    std::vector<double> byte_shares;
    for (const double share : shares) {
      bytes.push_back(static_cast<uint8_t>(std::lround(share * 255)));
      byte_shares.push_back(bytes.back() / 255.0);
      words.push_back(static_cast<uint16_t>(std::lround(share * 65535)));
    }
    const auto curve = CurveOf(one.parameters);
    const auto expected = Mixed(shares, one.light, one.back);
    const auto of_bytes = Mixed(byte_shares, one.light, one.back);
    const auto from_bytes = Result<uint8_t>(*backend, {{blur}}, Picture<uint8_t>(6, 1, bytes, Alpha::kNone, curve));
    const auto from_words = Result<uint16_t>(*backend, {{blur}}, Picture<uint16_t>(6, 1, words, Alpha::kNone, curve));
    const auto from_floats =
        Result<float>(*backend, {{blur}},
                      Picture<float>(6, 1, std::vector<float>(shares.begin(), shares.end()), Alpha::kNone, curve));
    for (size_t i = 0; i < expected.size(); ++i) {
      CHECK(int{from_bytes[i]} == std::lround(of_bytes[i] * 255));
      CHECK(std::abs(from_words[i] - expected[i] * 65535) < 1.5);
      CHECK(from_floats[i] == doctest::Approx(expected[i]).epsilon(1e-5));
    }
  }
}

TEST_CASE_TEMPLATE("nothing in light gives every stored value back, whatever the curve", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  std::vector<uint8_t> bytes;
  for (int i = 0; i < 256; ++i) bytes.push_back(static_cast<uint8_t>(i));
  std::vector<uint16_t> words;
  for (int i = 0; i < 4096; ++i) words.push_back(static_cast<uint16_t>(i * 16));
  const Pass nothing = LinearPass(Kernel(1, 1, {1}));
  for (const CurveParameters& parameters : {kAdobe, kProPhoto, kSeven}) {
    const auto curve = CurveOf(parameters);
    CHECK(Result<uint8_t>(*backend, {{nothing}}, Picture<uint8_t>(16, 16, bytes, Alpha::kNone, curve)) == bytes);
    const auto ramp = Result<uint16_t>(*backend, {{nothing}}, Picture<uint16_t>(64, 64, words, Alpha::kNone, curve));
    int most = 0;
    for (size_t i = 0; i < words.size(); ++i) most = std::max(most, std::abs(int{ramp[i]} - int{words[i]}));
    CHECK(most <= 1);
  }
}

TEST_CASE_TEMPLATE("a curve of samples mixes as on the reference, at every depth", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto reference = MakeReferenceBackend();
  const auto backend = Tested::Make();
  const Plan plan{{LinearPass(Box(3, 3))}};
  const Region whole{0, 0, 31, 17};
  const auto with_curve = [](const auto& samples) {
    using T = typename std::decay_t<decltype(samples)>::value_type;
    return Picture<T>(31, 17, samples, Alpha::kLast, Squares());
  };
  const auto difference = [&](const auto& samples) {
    using T = typename std::decay_t<decltype(samples)>::value_type;
    return LargestDifference<T>(*backend, *reference, plan, with_curve(samples), whole);
  };
  CHECK(difference(Noise<uint8_t>(31 * 17 * 4, 1)) <= 1);
  CHECK(difference(Noise<uint16_t>(31 * 17 * 4, 2)) <= 1);
  CHECK(difference(Noise<float>(31 * 17 * 4, 3)) < 1e-5);
}

TEST_CASE_TEMPLATE("a curve that begins level and goes on beyond 1 leads back on every backend", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const auto curve = std::make_shared<const ToneCurve>(Samples{0, 0, 0, 0.25, 1});
  const std::vector<float> values = {-1.5F, -0.6F, 0.0F, 0.4F, 0.625F, 0.75F, 1.0F, 1.5F};
  const auto result = Result<float>(*backend, {{LinearPass(Kernel(1, 1, {1}), RangeKind::kFloat)}},
                                    Picture<float>(8, 1, values, Alpha::kNone, curve));
  for (size_t i = 0; i < values.size(); ++i) {
    CHECK(result[i] == doctest::Approx(curve->Encoded(curve->Linear(double{values[i]}))).epsilon(1e-6));
  }
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  for (const auto& any : {curve, SrgbCurve()}) {
    const auto others = Result<float>(*backend, {{LinearPass(Kernel(1, 1, {1}), RangeKind::kFloat)}},
                                      Picture<float>(2, 1, {nan, infinity}, Alpha::kNone, any));
    CHECK(std::isnan(others[0]));
    CHECK(others[1] == infinity);
  }
}

TEST_CASE("a coarser level and a picture of edges keep the curve") {
  const auto image = Picture<uint8_t>(4, 1, {0, 0, 255, 255}, Alpha::kNone, CurveOf(kAdobe));
  CHECK(Reduce(*image, 1)->curve() == image->curve());
  EdgeFilter edges;
  edges.x = SobelX(8);
  edges.y = SobelY(8);
  edges.thresholds = {0.1, 0.2};
  const auto backend = MakeReferenceBackend();
  CHECK(EdgePicture(*backend, {}, edges, image, CancelToken())->curve() == image->curve());
}

TEST_CASE_TEMPLATE("black beside white mixes to 156 and 213 in light, to 85 and 170 in stored values", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const auto image = Picture<uint8_t>(4, 1, {0, 0, 255, 255});
  CHECK(Result<uint8_t>(*backend, {{LinearPass(Box(3, 1))}}, image) == std::vector<uint8_t>{0, 156, 213, 255});
  CHECK(Result<uint8_t>(*backend, {{PassOf(Box(3, 1))}}, image) == std::vector<uint8_t>{0, 85, 170, 255});
}

TEST_CASE_TEMPLATE("a pass that changes nothing in light gives every stored value back", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  std::vector<uint8_t> levels;
  for (int i = 0; i < 256; ++i) levels.push_back(static_cast<uint8_t>(i));
  CHECK(Result<uint8_t>(*backend, {{LinearPass(Kernel(1, 1, {1}))}}, Picture<uint8_t>(16, 16, levels)) == levels);
}

TEST_CASE_TEMPLATE("negative light and light above white survive in float", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const std::vector<float> samples = {-0.75F, -0.01F, 0.0F, 0.02F, 1.0F, 1.75F};
  const auto result =
      Result<float>(*backend, {{LinearPass(Kernel(1, 1, {1}), RangeKind::kFloat)}}, Picture<float>(6, 1, samples));
  for (size_t i = 0; i < samples.size(); ++i) CHECK(std::abs(result[i] - samples[i]) < 5e-6);
}

TEST_CASE_TEMPLATE("offset and range work in light", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const auto image = Picture<float>(1, 1, {0.5F});
  Pass brighter = LinearPass(Kernel(1, 1, {1}));
  brighter.epilogue.offset = 0.25;
  CHECK(Result<float>(*backend, {{brighter}}, image)[0] == doctest::Approx(Encoded(Linear(0.5) + 0.25)).epsilon(1e-5));
  const Pass mapped = LinearPass(Kernel(1, 1, {1}), RangeKind::kSigned);
  CHECK(Result<float>(*backend, {{mapped}}, image)[0] == doctest::Approx(Encoded(0.5 + Linear(0.5) / 2)).epsilon(1e-5));
}

TEST_CASE_TEMPLATE("the border's constant is a stored value: it becomes light with the picture", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  Pass blur = LinearPass(Box(3, 1));
  blur.border = {BorderKind::kConstant, 0.5};
  CHECK(Result<float>(*backend, {{blur}}, Picture<float>(1, 1, {0.5F}))[0] == doctest::Approx(0.5).epsilon(1e-5));
}

TEST_CASE_TEMPLATE("alpha is never light", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const auto image = Picture<uint8_t>(4, 1, {0, 255, 0, 255, 255, 0, 255, 0}, Alpha::kLast);
  for (const AlphaMode alpha : {AlphaMode::kWeighted, AlphaMode::kStraight}) {
    Pass blur = LinearPass(Box(3, 1));
    blur.alpha = alpha;
    const auto result = Result<uint8_t>(*backend, {{blur}}, image);
    CHECK(int{result[1]} == 255);
    CHECK(int{result[3]} == 170);
    CHECK(int{result[5]} == 85);
    CHECK(int{result[7]} == 0);
  }
}

}  // namespace
}  // namespace convolve::test
