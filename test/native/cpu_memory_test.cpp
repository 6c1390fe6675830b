// Plans that would keep most: what the cpu backend holds of their intermediate results beside picture and result, and
// that keeping less changes nothing of them.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cpu/bands.h"
#include "cpu/cpu_backend.h"
#include "cpu/prepared_plan.h"
#include "cpu/strips.h"
#include "cpu_cases.h"
#include "cpu_kernels.h"
#include "engine/backend.h"
#include "engine/plan.h"
#include "pictures.h"

namespace convolve::test {
namespace {

constexpr size_t kMostBytes = size_t{64} << 20;
/// As wide as a picture of 24 megapixels. What is kept does not grow with a picture's height where it is higher.
constexpr int kWide = 6000;

DenseWeights Noise(int width, int height) {
  Dice dice(6);
  return RandomMean(dice, width, height);
}

DenseWeights Heat() { return Kernel(3, 3, {0, 0.2, 0, 0.2, 0.2, 0.2, 0, 0.2, 0}); }

Plan Repeated(const Work& work, int times, BorderKind border = BorderKind::kMirror) {
  Pass pass = PassOf(work, border);
  pass.repeat = times;
  return {{pass}};
}

Case Whole(const Plan& plan, const std::shared_ptr<const Image>& image) {
  Case tried;
  tried.plan = plan;
  tried.image = image;
  tried.type = image->type();
  tried.request.region = {0, 0, image->width(), image->height()};
  return tried;
}

struct HardPlan {
  std::string name;
  int height;  // of the picture
  Plan plan;
};

std::vector<HardPlan> HardPlans() {
  return {{"20 times 3 x 3", 300, Repeated(Heat(), 20)},
          {"200 times 3 x 3", 150, Repeated(Heat(), 200)},
          {"200 times 3 x 3 that wraps around", 150, Repeated(Heat(), 200, BorderKind::kWrap)},
          {"diffusion, 100 times", 100, Repeated(DiffusionStep{}, 100)},
          {"diffusion, 200 times", 100, Repeated(DiffusionStep{}, 200)},
          {"1000 points", 80, Repeated(Kernel(1, 1, {0.999}), 1000)},
          {"three of little reach", 700, {{PassOf(Gaussian(9)), PassOf(Sharpen()), PassOf(Running(31))}}},
          {"twelve grids 63 high", 80, Repeated(Noise(3, 63), 12)},
          {"three Gaussians of 61", 700, Repeated(Gaussian(61), 3)},
          {"eight Gaussians of 121", 300, Repeated(Gaussian(121), 8)},
          {"four Gaussians of 255", 600, Repeated(Gaussian(255), 4)},
          {"six of four pairs", 300, Repeated(Gaussian(121, 4), 6)},
          {"one of sixteen pairs", 64, {{PassOf(Gaussian(121, 16))}}},
          {"one Gaussian of 601", 800, {{PassOf(Gaussian(601))}}},
          {"one Gaussian of 3001", 900, {{PassOf(Gaussian(3001))}}},
          {"one of two pairs of 2401", 500, {{PassOf(Gaussian(2401, 2))}}},
          {"a Gaussian of 601 and sharpen", 700, {{PassOf(Gaussian(601)), PassOf(Sharpen())}}},
          {"three transforms", 600, Repeated(FftWeights{Noise(63, 63)}, 3)},
          {"transform and sharpen", 700, {{PassOf(FftWeights{Noise(61, 61)}), PassOf(Sharpen())}}},
          {"the largest transform", 600, {{PassOf(FftWeights{Noise(511, 511)})}}},
          {"the largest box", 300, {{PassOf(Running(4095))}}}};
}

TEST_CASE("cpu keeps no more than 64 MiB beside picture and result, on two threads, of plans that need many rows") {
  for (const SampleType type : {SampleType::kU8, SampleType::kF32}) {
    for (const HardPlan& hard : HardPlans()) {
      const auto image = std::make_shared<Image>(kWide, hard.height, 4, true, type);
      cpu::CpuBackend backend(2, cpu::TargetNamed(""));
      ResultOf(backend, Whole(hard.plan, image));
      INFO(hard.name, ", type ", static_cast<int>(type), ": ", backend.scratch().peak_bytes);
      CHECK(backend.scratch().peak_bytes <= kMostBytes);
    }
  }
}

TEST_CASE("cpu gives back what it holds for other plans before it holds more than 64 MiB") {
  cpu::CpuBackend backend(2, cpu::TargetNamed(""));
  const auto image = std::make_shared<Image>(kWide, 100, 4, true, SampleType::kF32);
  for (const Plan& plan : {Repeated(Gaussian(121), 4), Repeated(Heat(), 200), Repeated(FftWeights{Noise(255, 255)}, 1),
                           Repeated(Heat(), 60), Repeated(Gaussian(61), 3)}) {
    ResultOf(backend, Whole(plan, image));
    CHECK(backend.scratch().bytes <= kMostBytes);
  }
  CHECK(backend.scratch().peak_bytes <= kMostBytes);
}

TEST_CASE("cpu looks for whoever cancels while it decides how a plan of many passes is cut") {
  const Plan plan = Repeated(Heat(), 200);
  const Image image(400, 300, 4, true, SampleType::kU8);
  const cpu::PreparedPlan<float> prepared = cpu::Prepare<float>(plan, image, true, 255, {false, image.type(), true});
  CancelToken cancel;
  const auto cut = [&] { cpu::CutShared(prepared, {0, 0, image.width(), image.height()}, 0, 2, 0, cancel); };
  CHECK_NOTHROW(cut());
  cancel.Cancel();
  CHECK(CodeOf(cut) == ErrorCode::kCancelled);
}

TEST_CASE("cpu holds the weights of a pass that is repeated once, between its first and its last time") {
  const Image image(64, 64, 4, true, SampleType::kU8);
  for (const Work& work : {Work{Noise(63, 63)}, Work{SparseWeights{Noise(31, 31)}}, Work{FftWeights{Noise(63, 63)}}}) {
    const cpu::PreparedPlan<float> plan =
        cpu::Prepare<float>(Repeated(work, 50), image, true, 255, {false, image.type(), true});
    REQUIRE(plan.passes.size() == 50);
    const cpu::PreparedPass<float>& one = plan.passes[1];
    for (size_t k = 2; k + 1 < plan.passes.size(); ++k) {
      const cpu::PreparedPass<float>& other = plan.passes[k];
      CHECK(other.dense.front().weights.data() == one.dense.front().weights.data());
      CHECK(other.fft == one.fft);
      CHECK(other.sparse == one.sparse);
    }
  }
}

TEST_CASE("cpu knows what bands hold without going through them") {
  for (const BorderKind border : {BorderKind::kMirror, BorderKind::kReplicate, BorderKind::kZero}) {
    for (const Plan& plan : {Repeated(Heat(), 150, border), Repeated(DiffusionStep{}, 60, border),
                             Repeated(Gaussian(61), 3, border), Repeated(Running(31), 4, border)}) {
      const Image image(900, 700, 4, true, SampleType::kF32);
      const auto prepared = cpu::Prepare<float>(plan, image, true, 1, {false, image.type(), true});
      for (const cpu::BandShape shape : {cpu::BandShape{16, true}, {64, true}, {128, true}, {64, false}}) {
        for (const Region& strip : {Region{0, 0, 300, 700}, Region{300, 0, 300, 700}, Region{0, 170, 900, 400}}) {
          const cpu::BandBytes expected = cpu::ExpectBandBytes(prepared, strip, 2, shape);
          const cpu::BandBytes bytes = cpu::Bands<float>(prepared, strip, 0, 2, shape).bytes();
          INFO(plan.passes.front().repeat, " times, bands of ", shape.rows, ", strip at ", strip.x, ", ", strip.y);
          CHECK(expected.kept == bytes.kept);
          CHECK(expected.block <= bytes.block);
        }
      }
    }
  }
}

/// So many times that a small picture too is computed as a large one is.
std::vector<HardPlan> DeepPlans() {
  std::vector<HardPlan> plans;
  for (const BorderKind border : {BorderKind::kMirror, BorderKind::kReplicate, BorderKind::kWrap, BorderKind::kZero}) {
    const std::string named = ", border " + std::to_string(static_cast<int>(border));
    plans.push_back({"3 x 3" + named, 90, Repeated(Heat(), 200, border)});
    plans.push_back({"diffusion" + named, 90, Repeated(DiffusionStep{}, 200, border)});
  }
  Plan mixed = Repeated(Heat(), 120, BorderKind::kWrap);
  mixed.passes.push_back(Repeated(Kernel(3, 5, std::vector<double>(15, 1), 15), 100).passes.front());
  mixed.passes.push_back(Repeated(DiffusionStep{}, 20, BorderKind::kConstant).passes.front());
  plans.push_back({"one after the other", 90, mixed});
  Plan valid = Repeated(Heat(), 150);
  valid.passes.push_back(PassOf(Kernel(3, 3, std::vector<double>(9, 1), 9)));
  valid.passes.back().size = SizeMode::kValid;
  valid.passes.push_back(Repeated(Heat(), 50, BorderKind::kReflect).passes.front());
  plans.push_back({"what fits inside, between", 90, valid});
  return plans;
}

TEST_CASE("cpu computes what is repeated hundreds of times as the reference does") {
  const auto reference = MakeReferenceBackend();
  Dice dice(11);
  const auto image = RandomPicture(dice, 400, 90, 4, true, SampleType::kF32);
  for (const HardPlan& deep : DeepPlans()) {
    Case tried = Whole(deep.plan, image);
    const ResultSize size = SizeAfter(tried.plan, image->width(), image->height());
    tried.request.region = {0, 0, size.width, size.height};
    // Where an edge stops diffusion, each step makes differences of rounding larger with all others.
    tried.tolerance = 1e-4;
    cpu::CpuBackend backend(2, cpu::TargetNamed(""));
    const auto got = ResultOf(backend, tried);
    INFO(deep.name);
    CHECK(Compare(tried, *ResultOf(*reference, tried), *got).beyond == 0);
    CHECK(backend.scratch().peak_bytes <= kMostBytes);
  }
}

TEST_CASE("cpu gives the same bytes of what is repeated hundreds of times in any tiling and on any number of threads") {
  cpu::CpuBackend one(1, cpu::TargetNamed(""));
  cpu::CpuBackend three(3, cpu::TargetNamed(""));
  Dice dice(12);
  std::vector<HardPlan> plans = DeepPlans();
  // Cut into strips that threads share.
  plans.push_back({"tall kernels", 300, Repeated(Kernel(9, 255, std::vector<double>(9 * 255, 1), 9 * 255), 1)});
  const std::vector<double> across(9, 1);
  const SeparableWeights tall{9, 255, 4, 127, {{std::vector<double>(255, 1), across}}, 9 * 255};
  plans.back().plan = Repeated(tall, 16);
  for (const HardPlan& deep : plans) {
    const auto image = RandomPicture(dice, 1100, deep.height, 4, true, SampleType::kU8);
    Case tried = Whole(deep.plan, image);
    const ResultSize size = SizeAfter(tried.plan, image->width(), image->height());
    tried.request.region = {0, 0, size.width, size.height};
    const auto whole = ResultOf(one, tried);
    INFO(deep.name);
    CHECK(std::memcmp(whole->data(), ResultOf(three, tried)->data(), whole->bytes()) == 0);
    const std::vector<uint8_t> bytes(reinterpret_cast<const uint8_t*>(whole->data()),
                                     reinterpret_cast<const uint8_t*>(whole->data()) + whole->bytes());
    for (int i = 0; i < 3; ++i) {
      const int x = dice.Between(0, size.width - 1);
      const int y = dice.Between(0, size.height - 1);
      const Region part{x, y, dice.Between(1, size.width - x), dice.Between(1, size.height - y)};
      CHECK(Unequal(Part<uint8_t>(three, tried.plan, tried.image, part), part, bytes, size.width, 4) == 0);
    }
  }
}

}  // namespace
}  // namespace convolve::test
