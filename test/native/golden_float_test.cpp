// The 1284 float cases: every picture, kernel, border and orientation against SciPy's result.
#include <doctest/doctest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "backends.h"
#include "golden.h"
#include "pictures.h"

namespace convolve::test {
namespace {

void CheckRefused(Backend& backend, const Plan& plan, const std::shared_ptr<const Image>& image) {
  CHECK_THROWS_AS(SizeAfter(plan, image->width(), image->height()), Error);
  float sample = 0;
  const View<float> destination{&sample, 1, 1, image->channels(), image->channels()};
  try {
    backend.Run(plan, image, {{0, 0, 1, 1}, 0}, destination, CancelToken());
    FAIL_CHECK("a kernel larger than the picture ran as valid");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kInvalidPlan);
  }
}

template <typename Tested>
void CheckCase(Backend& backend, const nlohmann::json& golden) {
  const auto image = GoldenImage(golden.at("input"));
  const DenseWeights kernel = GoldenKernel(golden);
  const Plan plan{{GoldenPass(golden, kernel)}};
  if (golden.value("empty", false)) {
    CheckRefused(backend, plan, image);
    return;
  }
  const Array& expected = GoldenArray(golden.at("expected"));
  const ResultSize size = SizeAfter(plan, image->width(), image->height());
  CHECK(size.width == expected.width());
  CHECK(size.height == expected.height());
  if (plan.passes[0].size == SizeMode::kValid) {
    CHECK(golden.at("validOrigin").at(0) == kernel.anchor_x);
    CHECK(golden.at("validOrigin").at(1) == kernel.anchor_y);
  }
  CHECK(LargestDifference(Result<float>(backend, plan, image), expected.values) <= golden.at("tolF32"));
  const double tolerance = golden.at(Tested::kDouble ? "tol" : "tolF32");
  CHECK(LargestDifference(Result<double>(backend, plan, image), expected.values) <= tolerance);
  // The same kernel, computed in other ways.
  for (const Work& work : {Work(FftWeights{kernel}), Work(SparseWeights{kernel})}) {
    CAPTURE(work.index());
    const Plan other{{GoldenPass(golden, work)}};
    CHECK(LargestDifference(Result<float>(backend, other, image), expected.values) <= golden.at("tolF32"));
  }
}

TEST_CASE_TEMPLATE("golden: float pictures, kernels, borders and orientations", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const nlohmann::json manifest = GoldenManifest("manifest.json");
  int walked = 0;
  for (const auto& golden : manifest.at("cases")) {
    const std::string id = golden.at("id");
    CAPTURE(id);
    CheckCase<Tested>(*backend, golden);
    ++walked;
  }
  CHECK(walked == 1284);
}

}  // namespace
}  // namespace convolve::test
