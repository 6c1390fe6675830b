// Plans: what is refused before anything runs, by field and code; sizes of results.
#include "engine/plan.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "backends.h"
#include "engine/backend.h"
#include "pictures.h"

namespace convolve::test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A sound run: one 3 x 3 pass over a 10 x 8 grey picture, all of the result.
struct Run {
  Pass pass = PassOf(Sharpen());
  std::shared_ptr<const Image> image = Flat<uint8_t>(10, 8, 1, 100);
  RunRequest request{{0, 0, 10, 8}, 0};
  std::vector<uint8_t> samples = std::vector<uint8_t>(2000);
  View<uint8_t> destination{samples.data(), 10, 8, 1, 10};
};

struct Refusal {
  ErrorCode code;
  std::string subject;
  std::function<void(Run&)> spoil;
};

DenseWeights& DenseOf(Run& run) { return std::get<DenseWeights>(run.pass.work); }

SeparableWeights Binomial() { return {3, 3, 1, 1, {{{1, 2, 1}, {1, 2, 1}}}, 16}; }

const std::vector<Refusal>& Refusals() {
  static const std::vector<Refusal> refusals = {
      {ErrorCode::kInvalidKernel, "passes[0].work.weights.weights[4]", [](Run& r) { DenseOf(r).weights[4] = kNan; }},
      {ErrorCode::kInvalidKernel, "passes[0].work.weights.weights[0]",
       [](Run& r) { DenseOf(r).weights[0] = kInfinity; }},
      {ErrorCode::kInvalidKernel, "passes[0].work.weights.weights", [](Run& r) { DenseOf(r).weights.pop_back(); }},
      {ErrorCode::kInvalidKernel, "passes[0].work.weights.weights", [](Run& r) { DenseOf(r).weights.clear(); }},
      {ErrorCode::kInvalidKernel, "passes[0].work.weights.divisor", [](Run& r) { DenseOf(r).divisor = 0; }},
      {ErrorCode::kInvalidKernel, "passes[0].work.weights.divisor", [](Run& r) { DenseOf(r).divisor = kNan; }},
      {ErrorCode::kInvalidKernel, "passes[0].work.weights.anchor", [](Run& r) { DenseOf(r).anchor_x = 3; }},
      {ErrorCode::kInvalidKernel, "passes[0].work.weights.anchor", [](Run& r) { DenseOf(r).anchor_x = -1; }},
      {ErrorCode::kInvalidKernel, "passes[0].work.weights.anchor", [](Run& r) { DenseOf(r).anchor_y = 3; }},
      {ErrorCode::kInvalidKernel, "passes[0].work.weights.anchor", [](Run& r) { DenseOf(r).anchor_y = -1; }},
      {ErrorCode::kInvalidKernel, "passes[0].work.weights size",
       [](Run& r) { r.pass.work = Kernel(512, 1, std::vector<double>(512, 1.0)); }},
      {ErrorCode::kInvalidKernel, "passes[0].work.weights size",
       [](Run& r) { r.pass.work = Kernel(1, 512, std::vector<double>(512, 1.0)); }},
      {ErrorCode::kInvalidKernel, "passes[0].work.weights size", [](Run& r) { r.pass.work = Kernel(0, 0, {}); }},
      {ErrorCode::kInvalidKernel, "passes[0].work.weights size", [](Run& r) { r.pass.work = Kernel(-3, -3, {}); }},
      {ErrorCode::kInvalidKernel, "passes[0].work.weights.pairs",
       [](Run& r) { r.pass.work = SeparableWeights{3, 3, 1, 1, {}, 1}; }},
      {ErrorCode::kInvalidKernel, "passes[0].work.weights.pairs[0].row",
       [](Run& r) {
         r.pass.work = SeparableWeights{3, 3, 1, 1, {{{1, 2, 1}, {1, 2}}}, 1};
       }},
      {ErrorCode::kInvalidKernel, "passes[0].work.weights.pairs[1].column",
       [](Run& r) {
         r.pass.work = SeparableWeights{3, 3, 1, 1, {{{1, 2, 1}, {1, 2, 1}}, {{1}, {1, 2, 1}}}, 1};
       }},
      {ErrorCode::kInvalidKernel, "passes[0].work.weights.pairs[0].column[2]",
       [](Run& r) {
         r.pass.work = SeparableWeights{3, 3, 1, 1, {{{1, 2, kNan}, {1, 2, 1}}}, 1};
       }},
      {ErrorCode::kInvalidKernel, "passes[0].work.weights.divisor",
       [](Run& r) {
         SeparableWeights weights = Binomial();
         weights.divisor = 0;
         r.pass.work = weights;
       }},
      {ErrorCode::kInvalidKernel, "passes[0].work.x.weights[0]",
       [](Run& r) {
         r.pass.work = MagnitudeWeights{Kernel(1, 1, {kNan}), Kernel(1, 1, {1})};
       }},
      {ErrorCode::kInvalidKernel, "passes[0].work.y.divisor",
       [](Run& r) {
         r.pass.work = MagnitudeWeights{Kernel(1, 1, {1}), Kernel(1, 1, {1}, 0)};
       }},
      {ErrorCode::kInvalidPlan, "passes[0].work.conductance",
       [](Run& r) {
         r.pass.work = DiffusionStep{EdgeStopping::kExponential, 0, 0.2};
       }},
      {ErrorCode::kInvalidPlan, "passes[0].work.conductance",
       [](Run& r) {
         r.pass.work = DiffusionStep{EdgeStopping::kRational, kInfinity, 0.2};
       }},
      {ErrorCode::kInvalidPlan, "passes[0].work.rate",
       [](Run& r) {
         r.pass.work = DiffusionStep{EdgeStopping::kRational, 0.1, 0.26};
       }},
      {ErrorCode::kInvalidPlan, "passes[0].work.rate",
       [](Run& r) {
         r.pass.work = DiffusionStep{EdgeStopping::kRational, 0.1, kNan};
       }},
      {ErrorCode::kInvalidPlan, "passes[0].border.value", [](Run& r) { r.pass.border.value = kNan; }},
      {ErrorCode::kInvalidPlan, "passes[0].epilogue.result", [](Run& r) { r.pass.epilogue.result = kInfinity; }},
      {ErrorCode::kInvalidPlan, "passes[0].epilogue.input", [](Run& r) { r.pass.epilogue.input = kNan; }},
      {ErrorCode::kInvalidPlan, "passes[0].epilogue.offset", [](Run& r) { r.pass.epilogue.offset = kNan; }},
      {ErrorCode::kInvalidPlan, "passes[0].range.minimum", [](Run& r) { r.pass.range.minimum = kNan; }},
      {ErrorCode::kInvalidPlan, "passes[0].range.maximum", [](Run& r) { r.pass.range.maximum = kInfinity; }},
      {ErrorCode::kInvalidPlan, "passes[0].range.maximum",
       [](Run& r) {
         r.pass.range = {RangeKind::kRescale, 1, 0};
       }},
      {ErrorCode::kInvalidPlan, "passes[0].repeat", [](Run& r) { r.pass.repeat = 0; }},
      {ErrorCode::kInvalidPlan, "passes[0].repeat", [](Run& r) { r.pass.repeat = -3; }},
      {ErrorCode::kInvalidPlan, "passes[0].repeat", [](Run& r) { r.pass.repeat = kMaximumRepeat + 1; }},
      {ErrorCode::kInvalidPlan, "passes[0].size",
       [](Run& r) {
         r.pass.size = SizeMode::kValid;
         r.pass.repeat = 4;
       }},
      {ErrorCode::kInvalidPlan, "passes[0].size",
       [](Run& r) {
         r.pass.work = Box(11, 1);
         r.pass.size = SizeMode::kValid;
       }},
      {ErrorCode::kInvalidArgument, "region", [](Run& r) { r.request.region.x = 1; }},
      {ErrorCode::kInvalidArgument, "region", [](Run& r) { r.request.region.y = 1; }},
      {ErrorCode::kInvalidArgument, "region", [](Run& r) { r.request.region.x = -1; }},
      {ErrorCode::kInvalidArgument, "region", [](Run& r) { r.request.region.y = -1; }},
      {ErrorCode::kInvalidArgument, "region", [](Run& r) { r.request.region.width = 0; }},
      {ErrorCode::kInvalidArgument, "region", [](Run& r) { r.request.region.height = -8; }},
      {ErrorCode::kInvalidArgument, "region", [](Run& r) { r.request.region.x = std::numeric_limits<int>::max(); }},
      {ErrorCode::kInvalidArgument, "region", [](Run& r) { r.pass.size = SizeMode::kValid; }},  // only 8 x 6 are left
      {ErrorCode::kInvalidArgument, "region", [](Run& r) { r.request.level = 1; }},             // only 5 x 4 there
      {ErrorCode::kInvalidArgument, "level", [](Run& r) { r.request.level = -1; }},
      {ErrorCode::kInvalidArgument, "level", [](Run& r) { r.request.level = 21; }},
      {ErrorCode::kInvalidArgument, "destination", [](Run& r) { r.destination.data = nullptr; }},
      {ErrorCode::kInvalidArgument, "destination size", [](Run& r) { r.destination.width = 9; }},
      {ErrorCode::kInvalidArgument, "destination size", [](Run& r) { r.destination.height = 9; }},
      {ErrorCode::kInvalidArgument, "destination channels", [](Run& r) { r.destination.channels = 3; }},
      {ErrorCode::kInvalidArgument, "destination stride", [](Run& r) { r.destination.stride = 9; }},
  };
  return refusals;
}

TEST_CASE("a sound plan, image, request and destination are accepted") {
  const Run run;
  CHECK_NOTHROW(Validate({{run.pass}}, *run.image, run.request, run.destination));
}

TEST_CASE("Validate refuses each unsound field by name") {
  for (const Refusal& refusal : Refusals()) {
    CAPTURE(refusal.subject);
    Run run;
    refusal.spoil(run);
    try {
      Validate({{run.pass}}, *run.image, run.request, run.destination);
      FAIL_CHECK("accepted");
    } catch (const Error& error) {
      CHECK(error.code() == refusal.code);
      CHECK(error.subject() == refusal.subject);
    }
  }
}

TEST_CASE("an error's message names the field, what was expected and what came") {
  Run run;
  DenseOf(run).anchor_x = 7;
  try {
    Validate({{PassOf(Sharpen()), run.pass}}, *run.image, run.request, run.destination);
    FAIL_CHECK("accepted");
  } catch (const Error& error) {
    CHECK(std::string(error.what()) ==
          "invalidKernel: passes[1].work.weights.anchor: expected a cell of the 3 x 3 kernel: got 7, 1");
  }
}

TEST_CASE_TEMPLATE("a run refuses what Validate refuses, and writes nothing", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  for (const Refusal& refusal : Refusals()) {
    CAPTURE(refusal.subject);
    Run run;
    refusal.spoil(run);
    try {
      backend->Run({{run.pass}}, run.image, run.request, run.destination, CancelToken());
      FAIL_CHECK("ran");
    } catch (const Error& error) {
      CHECK(error.code() == refusal.code);
    }
    CHECK(run.samples == std::vector<uint8_t>(2000));
  }
}

TEST_CASE_TEMPLATE("no image is an invalid argument", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  Run run;
  const auto code = [](const auto& call) {
    try {
      call();
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::kInternal;
  };
  CHECK(code([&] { backend->Run({{run.pass}}, nullptr, run.request, run.destination, CancelToken()); }) ==
        ErrorCode::kInvalidArgument);
  CHECK(code([&] { backend->Measure({{run.pass}}, nullptr, CancelToken()); }) == ErrorCode::kInvalidArgument);
  CHECK(code([&] { backend->Upload(nullptr); }) == ErrorCode::kInvalidArgument);
}

TEST_CASE("kernels of 511 cells a side are accepted") {
  Run run;
  run.pass.work = Kernel(511, 511, std::vector<double>(511 * 511, 1.0), 511 * 511);
  CHECK_NOTHROW(Validate({{run.pass}}, *run.image, run.request, run.destination));
}

TEST_CASE("the result keeps the image's size, and each valid pass takes its reach away") {
  Pass valid = PassOf(KernelAt(5, 3, 0, 2, std::vector<double>(15, 1.0)));
  valid.size = SizeMode::kValid;
  const auto size = [](const Plan& plan) { return SizeAfter(plan, 20, 10); };
  CHECK(size({}).width == 20);
  CHECK(size({{PassOf(Sharpen())}}).height == 10);
  CHECK(size({{valid}}).width == 16);
  CHECK(size({{valid}}).height == 8);
  CHECK(size({{valid, PassOf(Sharpen()), valid}}).width == 12);
  CHECK(size({{valid, PassOf(Sharpen()), valid}}).height == 6);
  CHECK_THROWS_AS(size({{valid, valid, valid, valid, valid}}), Error);
  valid.repeat = 3;
  CHECK(size({{valid}}).width == 8);
  CHECK(size({{valid}}).height == 4);
  valid.repeat = 5;
  CHECK_THROWS_AS(size({{valid}}), Error);
}

TEST_CASE("a magnitude reaches as far as the larger of its kernels on each side") {
  const Reach reach =
      ReachOf(PassOf(MagnitudeWeights{KernelAt(3, 1, 2, 0, {1, 1, 1}), KernelAt(1, 4, 0, 1, {1, 1, 1, 1})}));
  CHECK(reach.left == 2);
  CHECK(reach.right == 0);
  CHECK(reach.top == 1);
  CHECK(reach.bottom == 2);
}

}  // namespace
}  // namespace convolve::test
