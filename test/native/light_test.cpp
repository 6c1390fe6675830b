// Linear light: the sRGB curve, and filters that mix light instead of stored values.
#include "engine/light.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "backends.h"
#include "pictures.h"

namespace convolve::test {
namespace {

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
