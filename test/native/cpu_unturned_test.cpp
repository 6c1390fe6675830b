// Taps of pixels of four floats are summed without turning columns to lanes: right at every border and size, and digit
// for digit what is computed where they are turned.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <variant>
#include <vector>

#include "cpu/cpu_backend.h"
#include "cpu/pair_kernels.h"
#include "engine/backend.h"
#include "pictures.h"

namespace convolve::test {
namespace {

constexpr int kChannels = 4;

/// Taps that mirror each other, with sum 1.
std::vector<double> Taps(size_t count) {
  std::vector<double> taps;
  double sum = 0;
  for (size_t i = 0; i < count; ++i) {
    const double from_middle = static_cast<double>(i) - static_cast<double>(count / 2);
    sum += taps.emplace_back(std::exp(-from_middle * from_middle / static_cast<double>(count)));
  }
  for (double& tap : taps) tap /= sum;
  return taps;
}

Pass PassOfTaps(size_t width, size_t height, BorderKind border, RangeKind range) {
  const int w = static_cast<int>(width);
  const int h = static_cast<int>(height);
  Pass pass = PassOf(SeparableWeights{w, h, w / 2, h / 2, {{Taps(height), Taps(width)}}, 1}, border, range);
  pass.border.value = 0.5;
  return pass;
}

template <typename Check>
void OnEveryTarget(const Check& check) {
  for (const cpu::Target& target : cpu::AvailableTargets()) {
    INFO(target.name);
    cpu::CpuBackend backend(2, target);
    check(backend);
  }
}

TEST_CASE("cpu sums few taps of pixels of four floats as the reference does, and turned ones alike") {
  const auto reference = MakeReferenceBackend();
  for (size_t height = 1; height <= cpu::kMostFewTaps + 2; ++height) {
    const size_t width = height < 3 ? 5 : (height * 5) % 17 / 2 * 2 + 3;
    const int pixels = 21 + static_cast<int>(height) * 3;
    const Alpha alpha = height % 3 == 0 ? Alpha::kNone : Alpha::kLast;
    const auto image = NoisePicture<float>(pixels, 37, kChannels, static_cast<uint32_t>(height), alpha);
    const BorderKind border = static_cast<BorderKind>(height % 6);
    Pass pass = PassOfTaps(width, height, border, height % 2 == 0 ? RangeKind::kClamp : RangeKind::kFloat);
    pass.alpha = height % 4 == 0 ? AlphaMode::kColourOnly : AlphaMode::kStraight;
    CAPTURE(width);
    CAPTURE(height);
    const auto expected = Result<float>(*reference, {{pass}}, image);
    OnEveryTarget([&](Backend& backend) {
      const auto got = Result<float>(backend, {{pass}}, image);
      const auto turned = Result<double>(backend, {{pass}}, image);  // no row of floats to store to
      int64_t wrong = 0;
      int64_t unlike = 0;
      for (size_t i = 0; i < got.size(); ++i) {
        if (!(std::abs(double{got[i]} - double{expected[i]}) <= 1.2e-6)) ++wrong;
        if (static_cast<double>(got[i]) != turned[i]) ++unlike;
      }
      CHECK(wrong == 0);
      CHECK(unlike == 0);
    });
  }
}

TEST_CASE("cpu sums any taps of pixels of four floats as turned ones, digit for digit") {
  for (const size_t height : {1, 2, 9, 16, 31, 67, 80}) {
    for (const size_t width : {1, 4, 9, 17, 31, 66, 81}) {
      Pass pass = PassOfTaps(width, height, BorderKind::kMirror, RangeKind::kFloat);
      auto& pair = std::get<SeparableWeights>(pass.work).pairs.front();
      if (height % 3 == 1) pair.column.front() *= 2;  // shares no weight
      for (size_t i = 0; width % 3 == 0 && i <= width / 2; ++i) pair.row[i] = -pair.row[width - 1 - i];
      pass.alpha = AlphaMode::kStraight;
      for (const int pixels : {5, 64, 333}) {
        CAPTURE(width);
        CAPTURE(height);
        CAPTURE(pixels);
        const auto image = NoisePicture<float>(pixels, 35, kChannels, static_cast<uint32_t>(width));
        OnEveryTarget([&](Backend& backend) {
          const auto got = Result<float>(backend, {{pass}}, image);
          const auto turned = Result<double>(backend, {{pass}}, image);  // no row of floats to store to
          int64_t unlike = 0;
          for (size_t i = 0; i < got.size(); ++i) unlike += static_cast<double>(got[i]) != turned[i];
          CHECK(unlike == 0);
        });
      }
    }
  }
}

TEST_CASE("cpu computes the same floats of few taps wherever a result is cut") {
  constexpr int kWidth = 70;
  for (const BorderKind border : {BorderKind::kMirror, BorderKind::kWrap, BorderKind::kConstant}) {
    const auto image = NoisePicture<float>(kWidth, 50, kChannels, 3);
    const Plan plan{{PassOfTaps(9, 5, border, RangeKind::kFloat), PassOfTaps(5, 15, border, RangeKind::kClamp)}};
    OnEveryTarget([&](Backend& backend) {
      const auto whole = Result<float>(backend, plan, image);
      for (const int left : {0, 1, 3, 20, 61}) {
        for (const int top : {0, 7, 33}) {
          for (const int size : {1, 5, 9}) {
            const Region region{left, top, size, 17 - size};
            CAPTURE(left);
            CAPTURE(top);
            CAPTURE(size);
            CHECK(Unequal(Part<float>(backend, plan, image, region), region, whole, kWidth, kChannels) == 0);
          }
        }
      }
    });
  }
}

TEST_CASE("cpu keeps what is not finite within the reach of few taps, and far samples as they are") {
  constexpr int kWidth = 40;
  constexpr int kX = 19;
  constexpr int kY = 15;
  const Plan plan{{PassOfTaps(7, 9, BorderKind::kReplicate, RangeKind::kFloat)}};
  auto samples = Noise<float>(kWidth * 31 * kChannels, 8);
  OnEveryTarget([&](Backend& backend) {
    const auto clean = Result<float>(backend, plan, Picture<float>(kWidth, 31, samples));
    for (const float bad : {std::nanf(""), HUGE_VALF}) {
      auto dirty = samples;
      dirty[(kY * kWidth + kX) * kChannels + 2] = bad;
      const auto got = Result<float>(backend, plan, Picture<float>(kWidth, 31, dirty));
      int64_t wrong = 0;
      for (int i = 0; i < static_cast<int>(got.size()); ++i) {
        const int x = i / kChannels % kWidth;
        const int y = i / kChannels / kWidth;
        const bool reached = std::abs(x - kX) <= 3 && std::abs(y - kY) <= 4 && i % kChannels == 2;
        const size_t at = static_cast<size_t>(i);
        if (reached ? std::isfinite(got[at]) : got[at] != clean[at]) ++wrong;
      }
      CHECK(wrong == 0);
    }
  });
}

}  // namespace
}  // namespace convolve::test
