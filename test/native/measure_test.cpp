// Measuring the extremes of a result, for the range mode that stretches them to 0...1.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "backends.h"
#include "pictures.h"

namespace convolve::test {
namespace {

std::shared_ptr<const Image> Edges() { return Picture<uint8_t>(6, 1, {0, 0, 255, 255, 0, 0}); }

TEST_CASE_TEMPLATE("the extremes are those of the last pass before its range mode", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  Pass sobel = PassOf(SobelX());  // +-1020 of 255
  for (const RangeKind kind : {RangeKind::kFloat, RangeKind::kClamp, RangeKind::kSigned}) {
    sobel.range.kind = kind;
    const Extremes extremes = backend->Measure({{sobel}}, Edges(), CancelToken());
    CHECK(extremes.minimum == doctest::Approx(-4.0));
    CHECK(extremes.maximum == doctest::Approx(4.0));
  }
  // An earlier pass's range mode does count.
  sobel.range.kind = RangeKind::kClamp;
  const Extremes after = backend->Measure({{sobel, PassOf(Kernel(1, 1, {1}))}}, Edges(), CancelToken());
  CHECK(after.minimum == doctest::Approx(0.0));
  CHECK(after.maximum == doctest::Approx(1.0));
}

TEST_CASE_TEMPLATE("a plan without passes measures the picture", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const Extremes extremes = backend->Measure({}, Picture<float>(3, 1, {-0.5F, 2.0F, 1.0F}), CancelToken());
  CHECK(extremes.minimum == -0.5);
  CHECK(extremes.maximum == 2.0);
}

TEST_CASE_TEMPLATE("alpha is not measured", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const auto image = Picture<uint8_t>(2, 1, {102, 255, 153, 255}, Alpha::kLast);
  const Extremes extremes = backend->Measure({{PassOf(Kernel(1, 1, {1}))}}, image, CancelToken());
  CHECK(extremes.minimum == doctest::Approx(0.4));
  CHECK(extremes.maximum == doctest::Approx(0.6));
}

TEST_CASE_TEMPLATE("values that are no numbers are not measured", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const Plan plan{{PassOf(Kernel(1, 1, {1}))}};
  const Extremes extremes = backend->Measure(plan, Picture<float>(4, 1, {kNan, 0.25F, 0.75F, kNan}), CancelToken());
  CHECK(extremes.minimum == 0.25);
  CHECK(extremes.maximum == 0.75);
}

TEST_CASE_TEMPLATE("rescale makes the measured extremes black and white", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  Pass sobel = PassOf(SobelX(), BorderKind::kReplicate, RangeKind::kFloat);
  const Extremes extremes = backend->Measure({{sobel}}, Edges(), CancelToken());
  sobel.range = {RangeKind::kRescale, extremes.minimum, extremes.maximum};
  CHECK(Result<uint8_t>(*backend, {{sobel}}, Edges()) == std::vector<uint8_t>{128, 255, 255, 0, 0, 128});
}

TEST_CASE_TEMPLATE("in linear light the extremes are measured in light, where rescale works", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  Pass pass = PassOf(Kernel(1, 1, {1}), BorderKind::kReplicate, RangeKind::kFloat);
  pass.light = LightMode::kLinear;
  const auto image = Picture<uint8_t>(3, 1, {64, 128, 192});
  const Extremes extremes = backend->Measure({{pass}}, image, CancelToken());
  CHECK(extremes.minimum == doctest::Approx(0.05126946).epsilon(1e-5));  // ((64/255 + 0.055) / 1.055)^2.4
  CHECK(extremes.maximum == doctest::Approx(0.52711513).epsilon(1e-5));
  pass.range = {RangeKind::kRescale, extremes.minimum, extremes.maximum};
  const auto result = Result<uint8_t>(*backend, {{pass}}, image);
  CHECK(result.front() == 0);
  CHECK(result.back() == 255);
}

}  // namespace
}  // namespace convolve::test
