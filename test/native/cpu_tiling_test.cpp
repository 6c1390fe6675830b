// Any tiling on any number of threads gives the same bytes, on every instruction set, and nothing outside the
// destination is written.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <variant>
#include <vector>

#include "cpu/cpu_backend.h"
#include "cpu_cases.h"
#include "engine/backend.h"
#include "pictures.h"

namespace convolve::test {
namespace {

/// Cuts the region at random and computes it tile by tile into an image of its own.
std::unique_ptr<Image> TiledResultOf(Backend& backend, const Case& tried, Dice& dice) {
  const Region& whole = tried.request.region;
  auto result =
      std::make_unique<Image>(whole.width, whole.height, tried.image->channels(), tried.image->alpha(), tried.type);
  const AnyView any = result->view();
  for (int x = 0; x < whole.width;) {
    const int width = dice.Between(1, whole.width - x);
    for (int y = 0; y < whole.height;) {
      const int height = dice.Between(1, whole.height - y);
      std::visit(
          [&](auto view) {
            view.data = view.Row(y) + ptrdiff_t{x} * view.channels;
            view.width = width;
            view.height = height;
            backend.Run(tried.plan, tried.image, {{x, y, width, height}, tried.request.level}, view, CancelToken());
          },
          any);
      y += height;
    }
    x += width;
  }
  return result;
}

bool SameBytes(const Image& a, const Image& b) { return std::memcmp(a.data(), b.data(), a.bytes()) == 0; }

TEST_CASE("cpu computes the same bytes in any tiling and with any number of threads, on every instruction set") {
  for (const cpu::Target& target : cpu::AvailableTargets()) {
    cpu::CpuBackend one(1, target);
    cpu::CpuBackend five(5, target);
    for (uint32_t seed = 20000; seed < 20600; ++seed) {
      const Case tried = RandomCase(seed, {40, 40, 4});
      INFO(target.name, ": ", tried.description);
      const auto whole = ResultOf(one, tried);
      Dice dice(seed);
      CHECK(SameBytes(*TiledResultOf(one, tried, dice), *whole));
      CHECK(SameBytes(*ResultOf(five, tried), *whole));
    }
  }
}

TEST_CASE("cpu computes the same bytes in strips, bands and tiles of a picture that is larger than they are") {
  const cpu::Target& target = cpu::TargetNamed("");
  cpu::CpuBackend one(1, target);
  cpu::CpuBackend three(3, target);
  for (uint32_t seed = 0; seed < 6; ++seed) {
    Dice dice(seed);
    Case tried;
    tried.image = RandomPicture(dice, 1500, 700, 4, true, seed % 2 == 0 ? SampleType::kU8 : SampleType::kF32);
    tried.type = tried.image->type();
    const auto noise = [&](int count) {
      std::vector<double> weights;
      for (int i = 0; i < count; ++i) weights.push_back(dice.Share());
      return weights;
    };
    const BorderKind border = seed % 3 == 0 ? BorderKind::kWrap : BorderKind::kMirror;
    tried.plan.passes.push_back(
        PassOf(SeparableWeights{21, 17, 10, 8, {{noise(17), noise(21)}, {noise(17), noise(21)}}, 180}, border));
    if (seed >= 3) tried.plan.passes.push_back(PassOf(Kernel(4, 5, noise(20), 10), border));
    for (const int level : {0, 2, 9}) {
      CAPTURE(seed);
      CAPTURE(level);
      tried.request = {{0, 0, (1500 + (1 << level) - 1) >> level, (700 + (1 << level) - 1) >> level}, level};
      const auto whole = ResultOf(one, tried);
      CHECK(SameBytes(*ResultOf(three, tried), *whole));
      CHECK(SameBytes(*TiledResultOf(three, tried, dice), *whole));
    }
  }
}

TEST_CASE("cpu writes nothing but the destination's own samples") {
  for (const cpu::Target& target : cpu::AvailableTargets()) {
    cpu::CpuBackend backend(2, target);
    for (int width = 1; width <= 40; ++width) {
      INFO(target.name, " width ", width);
      const auto image = NoisePicture<uint8_t>(width, 5, 3, 7);
      const Plan plan{{PassOf(Box(3, 3))}};
      const auto tight = Result<uint8_t>(backend, plan, image);
      const int row = width * 3;
      const int stride = row + 9;
      std::vector<uint8_t> padded(static_cast<size_t>(stride) * 5, 0xa5);
      backend.Run(plan, image, {{0, 0, width, 5}, 0}, View<uint8_t>{padded.data(), width, 5, 3, stride}, CancelToken());
      for (int y = 0; y < 5; ++y) {
        const uint8_t* line = padded.data() + ptrdiff_t{y} * stride;
        CHECK(std::equal(line, line + row, tight.data() + ptrdiff_t{y} * row));
        CHECK(std::all_of(line + row, line + stride, [](uint8_t sample) { return sample == 0xa5; }));
      }
    }
  }
}

}  // namespace
}  // namespace convolve::test
