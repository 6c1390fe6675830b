// Not-a-number and infinity in a picture reach as far as the kernel does, in their own channel, and no further.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "cpu/cpu_backend.h"
#include "cpu_cases.h"
#include "engine/backend.h"
#include "engine/plan.h"
#include "pictures.h"

namespace convolve::test {
namespace {

constexpr int kWidth = 90;
constexpr int kHeight = 80;
constexpr int kChannels = 3;

std::vector<double> Ramp(int count) {
  std::vector<double> weights;
  for (int i = 0; i < count; ++i) weights.push_back((i % 7 + 1) / (4.0 * count));
  return weights;
}

SeparableWeights Separable(int width, int height) {
  return {width, height, width / 2, height / 2, {{Ramp(height), Ramp(width)}, {Ramp(height), Ramp(width)}}, 1};
}

/// What another path may make of the same sums: rows share their work only where all of a picture is finite.
constexpr float kSingle = 1.2e-6f;

/// One sample of a noise picture is `bad`: compares with the same picture without it.
void CheckReach(Backend& backend, const Work& work, LightMode light, float bad) {
  constexpr int kX = 41;
  constexpr int kY = 37;
  constexpr int kChannel = 1;
  auto samples = Noise<float>(kWidth * kHeight * kChannels, 3);
  Pass pass = PassOf(work, BorderKind::kZero, RangeKind::kFloat);
  pass.light = light;
  const auto clean = Result<float>(backend, {{pass}}, Picture<float>(kWidth, kHeight, samples));
  samples[(kY * kWidth + kX) * kChannels + kChannel] = bad;
  const auto dirty = Result<float>(backend, {{pass}}, Picture<float>(kWidth, kHeight, samples));
  int wrong = 0;
  const Reach reach = ReachOf(pass);
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const bool reached =
          x >= kX - reach.right && x <= kX + reach.left && y >= kY - reach.bottom && y <= kY + reach.top;
      for (int c = 0; c < kChannels; ++c) {
        const size_t i = static_cast<size_t>((y * kWidth + x) * kChannels + c);
        const bool right =
            reached && c == kChannel ? !std::isfinite(dirty[i]) : std::abs(dirty[i] - clean[i]) <= kSingle;
        if (!right) ++wrong;
      }
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("cpu keeps not-a-number and infinity within the kernel's reach, on every instruction set") {
  const std::vector<std::pair<std::string, Work>> works = {
      {"dense 5 x 4", Kernel(5, 4, Ramp(20))},
      {"dense 9 x 9", Kernel(9, 9, Ramp(81))},
      {"dense 65 x 61", Kernel(65, 61, Ramp(65 * 61))},
      {"separable 7 x 6", Separable(7, 6)},
      {"separable 61 x 55", Separable(61, 55)},
      {"magnitude", MagnitudeWeights{Kernel(3, 3, Ramp(9)), Kernel(3, 3, Ramp(9))}},
  };
  for (const cpu::Target& target : cpu::AvailableTargets()) {
    cpu::CpuBackend backend(2, target);
    for (const auto& [name, work] : works) {
      for (const LightMode light : {LightMode::kEncoded, LightMode::kLinear}) {
        for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
          INFO(target.name, ": ", name, ", ", bad, ", light ", static_cast<int>(light));
          CheckReach(backend, work, light, bad);
        }
      }
    }
  }
}

TEST_CASE("cpu treats not-a-number as the reference does: kept by every range, 0 in integers, left out of extremes") {
  const float none = std::numeric_limits<float>::quiet_NaN();
  const auto image = Picture<float>(4, 1, {0.25f, none, 0.5f, none});
  const Pass same = PassOf(Kernel(1, 1, {1}));
  const auto reference = MakeReferenceBackend();
  for (const cpu::Target& target : cpu::AvailableTargets()) {
    INFO(target.name);
    cpu::CpuBackend backend(1, target);
    for (const RangeKind range : {RangeKind::kClamp, RangeKind::kAbsolute, RangeKind::kSigned, RangeKind::kFloat}) {
      CAPTURE(static_cast<int>(range));
      const Plan plan{{PassOf(Kernel(1, 1, {1}), BorderKind::kReplicate, range)}};
      const auto wanted = Result<float>(*reference, plan, image);
      const auto got = Result<float>(backend, plan, image);
      for (size_t i = 0; i < wanted.size(); ++i) {
        CHECK((std::isnan(wanted[i]) ? std::isnan(got[i]) : got[i] == wanted[i]));
      }
    }
    CHECK(Part<uint8_t>(backend, {{same}}, image, {0, 0, 4, 1}) == std::vector<uint8_t>{64, 0, 128, 0});
    const Extremes extremes = backend.Measure({{same}}, image, CancelToken());
    CHECK(extremes.minimum == 0.25);
    CHECK(extremes.maximum == 0.5);
  }
}

}  // namespace
}  // namespace convolve::test
