// Edge-preserving diffusion on every backend: worked out by hand, held to NumPy's results, and to what Perona and Malik
// say of it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "backends.h"
#include "engine/plan.h"
#include "golden.h"
#include "pictures.h"

namespace convolve::test {
namespace {

constexpr double kLittle = 1e-6;  // single precision

Pass DiffusionPass(EdgeStopping stopping, double conductance, double rate, int repeat = 1,
                   BorderKind border = BorderKind::kReplicate) {
  Pass pass = PassOf(DiffusionStep{stopping, conductance, rate}, border, RangeKind::kFloat);
  pass.repeat = repeat;
  return pass;
}

AlphaMode AlphaModeNamed(const std::string& name) {
  if (name == "weighted") return AlphaMode::kWeighted;
  return name == "colourOnly" ? AlphaMode::kColourOnly : AlphaMode::kStraight;
}

void CheckNear(const std::vector<double>& got, const std::vector<double>& wanted) {
  REQUIRE(got.size() == wanted.size());
  for (size_t i = 0; i < got.size(); ++i) {
    CAPTURE(i);
    CHECK(std::abs(got[i] - wanted[i]) <= kLittle);
  }
}

TEST_CASE_TEMPLATE("diffusion: what flows between two pixels leaves one and reaches the other", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const auto image = Picture<float>(2, 1, {0, 0.1f});
  const auto after = [&](EdgeStopping stopping) {
    return Result<double>(*backend, {{DiffusionPass(stopping, 0.1, 0.25)}}, image);
  };
  const double flow = 0.25 * std::exp(-1) * 0.1;
  CheckNear(after(EdgeStopping::kExponential), {flow, 0.1 - flow});
  CheckNear(after(EdgeStopping::kRational), {0.0125, 0.0875});
}

TEST_CASE_TEMPLATE("diffusion: an edge in one colour stops them all, and grey is the same in one channel or three",
                   Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const Plan plan{{DiffusionPass(EdgeStopping::kExponential, 0.2, 0.25)}};
  // s^2 = (0.3^2 + 0.06^2) / 3
  const double g = std::exp(-(0.09 + 0.0036) / 3 / 0.04);
  CheckNear(Result<double>(*backend, plan, Picture<float>(2, 1, {0.2f, 0.2f, 0.2f, 0.5f, 0.26f, 0.2f})),
            {0.2 + g * 0.075, 0.2 + g * 0.015, 0.2, 0.5 - g * 0.075, 0.26 - g * 0.015, 0.2});
  const auto grey = Noise<float>(20, 4);
  std::vector<float> tripled;
  for (const float sample : grey) tripled.insert(tripled.end(), 3, sample);
  const auto one = Result<double>(*backend, plan, Picture<float>(5, 4, grey));
  const auto three = Result<double>(*backend, plan, Picture<float>(5, 4, tripled));
  for (size_t i = 0; i < three.size(); ++i) CHECK(std::abs(three[i] - one[i / 3]) <= kLittle);
}

TEST_CASE_TEMPLATE("diffusion: hidden colour stays hidden where alpha weights, and an edge of alpha is one", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const auto image = Picture<float>(2, 1, {0.5f, 1, 1, 0}, Alpha::kLast);  // the second pixel's white cannot be seen
  Pass pass = DiffusionPass(EdgeStopping::kExponential, 1, 0.25);
  pass.alpha = AlphaMode::kWeighted;
  const double moved = 0.25 * std::exp(-1.25);  // of alpha; s^2 = 0.5^2 + 1
  CheckNear(Result<double>(*backend, {{pass}}, image), {0.5, 1 - moved, 0.5, moved});
  pass.alpha = AlphaMode::kStraight;
  CheckNear(Result<double>(*backend, {{pass}}, image), {0.5 + 0.5 * moved, 1 - moved, 1 - 0.5 * moved, moved});
  pass.alpha = AlphaMode::kColourOnly;
  const double colour = 0.25 * std::exp(-0.25) * 0.5;
  CheckNear(Result<double>(*backend, {{pass}}, image), {0.5 + colour, 1, 1 - colour, 0});
}

TEST_CASE_TEMPLATE("diffusion: what it took away depends on an edge of alpha as what it left does", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto image = Picture<float>(2, 1, {0.5f, 0.9f, 1, 0.2f}, Alpha::kLast);
  Pass pass = DiffusionPass(EdgeStopping::kExponential, 1, 0.25);
  pass.alpha = AlphaMode::kWeighted;
  pass.epilogue.input = -1;
  CheckNear(Result<double>(*Tested::Make(), {{pass}}, image), Result<double>(*MakeReferenceBackend(), {{pass}}, image));
}

TEST_CASE_TEMPLATE("diffusion: without an edge that stops it, it is the heat equation", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const auto image = NoisePicture<float>(23, 17, 3, 5);
  Pass heat = PassOf(Kernel(3, 3, {0, 0.2, 0, 0.2, 0.2, 0.2, 0, 0.2, 0}), BorderKind::kMirror, RangeKind::kFloat);
  heat.repeat = 4;
  for (const EdgeStopping stopping : {EdgeStopping::kExponential, EdgeStopping::kRational}) {
    const Pass pass = DiffusionPass(stopping, 1e6, 0.2, 4, BorderKind::kMirror);
    CheckNear(Result<double>(*backend, {{pass}}, image), Result<double>(*backend, {{heat}}, image));
  }
}

TEST_CASE_TEMPLATE("diffusion: noise goes, the edge stays, nothing is lost and nothing exceeds what was there", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  constexpr int kSide = 32;
  std::vector<float> samples = Noise<float>(kSide * kSide, 6);
  for (int i = 0; i < kSide * kSide; ++i) {
    float& sample = samples[static_cast<size_t>(i)];
    sample = 0.08f * sample + (i % kSide < kSide / 2 ? 0.2f : 0.7f);
  }
  const auto image = Picture<float>(kSide, kSide, samples);
  const auto spread = [](const std::vector<double>& values, int left, int right) {
    double least = 1;
    double most = 0;
    for (int y = 0; y < kSide; ++y) {
      for (int x = left; x < right; ++x) {
        least = std::min(least, values[static_cast<size_t>(y * kSide + x)]);
        most = std::max(most, values[static_cast<size_t>(y * kSide + x)]);
      }
    }
    return most - least;
  };
  const auto result = Result<double>(*backend, {{DiffusionPass(EdgeStopping::kExponential, 0.1, 0.25, 60)}}, image);
  CHECK(spread(result, 0, kSide / 2) < 0.01);
  CHECK(spread(result, kSide / 2, kSide) < 0.01);
  CHECK(std::abs(spread(result, 0, kSide) - 0.5) < 0.02);
  const double before = std::accumulate(samples.begin(), samples.end(), 0.0);
  CHECK(std::abs(std::accumulate(result.begin(), result.end(), 0.0) - before) < 1e-3);
  CHECK(*std::max_element(result.begin(), result.end()) <= *std::max_element(samples.begin(), samples.end()));
  CHECK(*std::min_element(result.begin(), result.end()) >= *std::min_element(samples.begin(), samples.end()));
}

TEST_CASE_TEMPLATE("golden: edge-preserving diffusion", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const nlohmann::json manifest = GoldenManifest("diffusion_manifest.json");
  int walked = 0;
  for (const auto& golden : manifest.at("cases")) {
    const std::string id = golden.at("id");
    CAPTURE(id);
    const std::string alpha = golden.at("alpha");
    const auto image = GoldenImage(golden.at("input"), alpha != "none");
    const EdgeStopping stopping =
        golden.at("stopping") == "rational" ? EdgeStopping::kRational : EdgeStopping::kExponential;
    Pass pass = GoldenPass(golden, DiffusionStep{stopping, golden.at("conductance"), golden.at("rate")});
    pass.repeat = golden.at("repeat");
    pass.alpha = AlphaModeNamed(alpha);
    if (golden.value("valid", false)) pass.size = SizeMode::kValid;
    auto got = Result<double>(*backend, {{pass}}, image);
    auto expected = GoldenArray(golden.at("expected")).values;
    REQUIRE(got.size() == expected.size());
    // Where one is no number, or is infinite, neither is the other.
    for (size_t i = 0; i < got.size(); ++i) {
      if (std::isfinite(expected[i])) continue;
      CHECK(!std::isfinite(got[i]));
      got[i] = expected[i] = 0;
    }
    CHECK(LargestDifference(got, expected) <= (Tested::kDouble ? 1e-12 : 4e-6));
    ++walked;
  }
  CHECK(walked == 35);
}

}  // namespace
}  // namespace convolve::test
