// Several passes in one run of the cpu backend: the same as one pass after the other, in any tiling, whatever their
// reach, and with no more of what lies between them in memory than the passes look at.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cpu/cpu_backend.h"
#include "cpu_cases.h"
#include "cpu_kernels.h"
#include "engine/backend.h"
#include "engine/plan.h"
#include "pictures.h"

namespace convolve::test {
namespace {

FftWeights Noise(Dice& dice, int side) { return {RandomMean(dice, side, side)}; }

struct Stack {
  std::string name;
  std::vector<Work> works;
};

/// Stacks of little reach, of much, of more than the picture has, and with transforms at every place.
std::vector<Stack> Stacks(Dice& dice) {
  const MagnitudeWeights edges{SobelX(), SobelY()};
  return {{"little reach", {Gaussian(9), Sharpen(), edges, Running(5)}},
          {"much reach", {Gaussian(61), Running(101), Sharpen(), Gaussian(31)}},
          {"more reach than there is", {Gaussian(1001), Running(2001), Sharpen(), edges}},
          {"whole numbers", {Sharpen(), Sharpen(), Sharpen(), Gaussian(5)}},
          {"a transform first", {Noise(dice, 21), Sharpen(), Gaussian(15)}},
          {"a transform between", {Sharpen(), Noise(dice, 47), edges}},
          {"a transform at the end", {Gaussian(15), Running(9), Noise(dice, 33)}},
          {"transforms only", {Noise(dice, 15), Noise(dice, 25)}}};
}

Case CaseOf(const Stack& stack, BorderKind border, std::shared_ptr<const Image> image) {
  Case tried;
  for (const Work& work : stack.works) tried.plan.passes.push_back(PassOf(work, border));
  tried.type = image->type();
  tried.image = std::move(image);
  const ResultSize size = SizeAfter(tried.plan, tried.image->width(), tried.image->height());
  tried.request.region = {0, 0, size.width, size.height};
  return tried;
}

TEST_CASE("cpu stacks of any reach agree with the reference") {
  const auto reference = MakeReferenceBackend();
  for (const SampleType type : {SampleType::kU8, SampleType::kF32}) {
    Dice dice(3);
    for (const Stack& stack : Stacks(dice)) {
      for (const BorderKind border : {BorderKind::kMirror, BorderKind::kWrap, BorderKind::kZero}) {
        Case tried = CaseOf(stack, border, RandomPicture(dice, 230, 170, 3, false, type));
        // Sharpening makes an error nine times as large, the length of two slopes eight times, and each pass adds its
        // own.
        tried.tolerance = 6e-7 * 2 * 100;
        const auto expected = ResultOf(*reference, tried);
        cpu::CpuBackend backend(2, cpu::TargetNamed(""));
        INFO(stack.name, ", type ", static_cast<int>(type), ", border ", static_cast<int>(border));
        const Difference difference = Compare(tried, *expected, *ResultOf(backend, tried));
        CHECK(difference.beyond == 0);
        if (type == SampleType::kU8) {
          CHECK(static_cast<double>(difference.exact) >= 0.999 * static_cast<double>(difference.samples));
        }
      }
    }
  }
}

TEST_CASE("cpu stacks of whole weights on integers are exact, on every instruction set") {
  const auto reference = MakeReferenceBackend();
  Dice dice(8);
  for (const SampleType type : {SampleType::kU8, SampleType::kU16}) {
    for (const AlphaMode alpha : {AlphaMode::kStraight, AlphaMode::kColourOnly}) {
      const auto image = RandomPicture(dice, 150, 90, 4, true, type);
      Case tried = CaseOf({"", {Sharpen(), Kernel(3, 3, {1, 0, -1, 2, 0, -2, 1, 0, -1}), Sharpen(), Running(4)}},
                          BorderKind::kWrap, image);
      for (Pass& pass : tried.plan.passes) pass.alpha = alpha;
      tried.plan.passes[1].range.kind = RangeKind::kAbsolute;
      tried.plan.passes[2].epilogue = {2, -1, 3 / FullScale(type)};
      const auto expected = ResultOf(*reference, tried);
      for (const cpu::Target& target : cpu::AvailableTargets()) {
        cpu::CpuBackend backend(2, target);
        INFO(target.name, ", type ", static_cast<int>(type), ", alpha ", static_cast<int>(alpha));
        const Difference difference = Compare(tried, *expected, *ResultOf(backend, tried));
        CHECK(difference.exact == difference.samples);
      }
    }
  }
}

TEST_CASE("cpu stacks of any reach give the same bytes in any tiling and with any number of threads") {
  cpu::CpuBackend one(1, cpu::TargetNamed(""));
  cpu::CpuBackend three(3, cpu::TargetNamed(""));
  Dice dice(4);
  for (const Stack& stack : Stacks(dice)) {
    for (const BorderKind border : {BorderKind::kMirror, BorderKind::kWrap}) {
      for (const int level : {0, 2}) {
        // Wider than a strip, higher than a band.
        Case tried = CaseOf(stack, border, RandomPicture(dice, 700, 300, 4, true, SampleType::kU8));
        const int grain = 1 << level;
        tried.request = {{0, 0, (700 + grain - 1) / grain, (300 + grain - 1) / grain}, level};
        INFO(stack.name, ", border ", static_cast<int>(border), ", level ", level);
        const auto whole = ResultOf(one, tried);
        const auto other = ResultOf(three, tried);
        CHECK(std::memcmp(whole->data(), other->data(), whole->bytes()) == 0);
        const Region all = tried.request.region;
        const std::vector<uint8_t> bytes(reinterpret_cast<const uint8_t*>(whole->data()),
                                         reinterpret_cast<const uint8_t*>(whole->data()) + whole->bytes());
        for (int i = 0; i < 5; ++i) {
          const int x = dice.Between(0, all.width - 1);
          const int y = dice.Between(0, all.height - 1);
          const Region part{x, y, dice.Between(1, all.width - x), dice.Between(1, all.height - y)};
          CHECK(Unequal(Part<uint8_t>(three, tried.plan, tried.image, part, level), part, bytes, all.width, 4) == 0);
        }
      }
    }
  }
}

TEST_CASE("cpu transforms a large kernel after another pass too") {
  cpu::CpuBackend backend(1, cpu::TargetNamed(""));
  Dice dice(5);
  const Plan plan{{PassOf(Sharpen()), PassOf(Noise(dice, 255))}};
  Part<uint8_t>(backend, plan, NoisePicture<uint8_t>(900, 700, 4, 2, Alpha::kLast), {0, 0, 64, 64});
  CHECK(backend.spectra().made() == 1);
}

TEST_CASE("cpu runs a stack again without new scratch memory") {
  Dice dice(7);
  for (const Stack& stack : Stacks(dice)) {
    const Case tried = CaseOf(stack, BorderKind::kMirror, RandomPicture(dice, 900, 500, 4, true, SampleType::kU8));
    cpu::CpuBackend backend(2, cpu::TargetNamed(""));
    ResultOf(backend, tried);
    const uint64_t allocations = backend.scratch().allocations;
    for (int repeat = 0; repeat < 3; ++repeat) ResultOf(backend, tried);
    INFO(stack.name);
    CHECK(backend.scratch().allocations == allocations);
  }
}

}  // namespace
}  // namespace convolve::test
