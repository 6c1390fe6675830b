// Magnitudes of gradients, whose two kernels are computed as one: exactly rounded from integers to integers, within
// single precision for floats, whatever their weights, signs, widths and alpha.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "cpu/cpu_backend.h"
#include "engine/backend.h"
#include "pictures.h"

namespace convolve::test {
namespace {

/// [-a 0 a; -b 0 b; -a 0 a] and [-c -d -c; 0 0 0; c d c].
MagnitudeWeights Gradient(double a, double b, double c, double d) {
  return {Kernel(3, 3, {-a, 0, a, -b, 0, b, -a, 0, a}, 1), Kernel(3, 3, {-c, -d, -c, 0, 0, 0, c, d, c}, 1)};
}

std::vector<MagnitudeWeights> Gradients() {
  return {Gradient(1, 2, 1, 2),
          Gradient(1, 1, 1, 1),
          Gradient(3, 10, 3, 10),
          Gradient(-1, -2, 1, 2),
          Gradient(16, 32, 16, 32),
          Gradient(0, 1, 0, 1),
          Gradient(1.5, 2, 0.25, 1),
          Gradient(40, 50, 1, 2),
          {Kernel(3, 3, {1, 0, 0, 0, -1, 0, 0, 0, 0}, 1), Kernel(3, 3, {0, 1, 0, -1, 0, 0, 0, 0, 0}, 1)}};
}

/// Contrasts from a few levels, where lengths are everywhere within the range, to all of them.
template <typename T>
std::shared_ptr<const Image> Contrast(int width, int height, int channels, int shift, Alpha alpha) {
  std::vector<T> samples = Noise<T>(static_cast<size_t>(width * height * channels), 5 + static_cast<uint32_t>(shift));
  for (T& sample : samples) sample = static_cast<T>(sample >> shift);
  return Picture<T>(width, height, samples, alpha);
}

template <typename T>
void CheckExact() {
  const auto reference = MakeReferenceBackend();
  for (const MagnitudeWeights& weights : Gradients()) {
    for (int width = 1; width <= 75; width += width < 36 ? 1 : 13) {
      const int channels = width % 4 + 1;
      const Alpha alpha = channels % 2 == 0 ? Alpha::kLast : Alpha::kNone;
      const auto image = Contrast<T>(width, 7, channels, width % 5, alpha);
      for (const AlphaMode mode : {AlphaMode::kStraight, AlphaMode::kColourOnly}) {
        Pass pass = PassOf(weights, static_cast<BorderKind>(width % 6), RangeKind::kClamp);
        pass.alpha = mode;
        const auto expected = Result<T>(*reference, {{pass}}, image);
        for (const cpu::Target& target : cpu::AvailableTargets()) {
          INFO(target.name, ", width ", width);
          cpu::CpuBackend backend(1, target);
          CHECK(Result<T>(backend, {{pass}}, image) == expected);
        }
      }
    }
  }
}

TEST_CASE("cpu rounds lengths of gradients of bytes exactly") { CheckExact<uint8_t>(); }

TEST_CASE("cpu rounds lengths of gradients of 16-bit samples exactly") { CheckExact<uint16_t>(); }

TEST_CASE("cpu rounds lengths exactly that are as near to a half as lengths are") {
  // One pixel beside black: differences (x, 0) and (x, y) for all small and some large x, of which x^2 + y^2 = n^2 + n
  // and one more are the nearest to n + 1/2.
  std::vector<uint16_t> samples;
  for (uint32_t n = 1; n < 30000; n += n < 300 ? 1 : 997) {
    for (uint32_t x = n > 40 ? n - 40 : 0; x <= n; ++x) samples.push_back(static_cast<uint16_t>(x));
  }
  const int width = static_cast<int>(samples.size());
  const auto image = Picture<uint16_t>(width, 1, samples);
  const Plan plan{{PassOf(Gradient(0, 1, 0, 1), BorderKind::kZero, RangeKind::kClamp)}};
  const auto expected = Result<uint16_t>(*MakeReferenceBackend(), plan, image);
  for (const cpu::Target& target : cpu::AvailableTargets()) {
    INFO(target.name);
    cpu::CpuBackend backend(1, target);
    CHECK(Result<uint16_t>(backend, plan, image) == expected);
  }
}

TEST_CASE("cpu rounds the lengths of all pairs of differences of bytes exactly") {
  // In the middle of each 3 x 3 cell they are x across and y down.
  constexpr int kCells = 256;
  constexpr int kSide = 3 * kCells;
  std::vector<uint8_t> samples(static_cast<size_t>(kSide * kSide), 0);
  for (int y = 0; y < kCells; ++y) {
    for (int x = 0; x < kCells; ++x) {
      samples[static_cast<size_t>((3 * y + 1) * kSide + 3 * x + 2)] = static_cast<uint8_t>(x);
      samples[static_cast<size_t>((3 * y + 2) * kSide + 3 * x + 1)] = static_cast<uint8_t>(y);
    }
  }
  const auto image = Picture<uint8_t>(kSide, kSide, samples);
  const Plan plan{{PassOf(Gradient(0, 1, 0, 1), BorderKind::kZero, RangeKind::kClamp)}};
  const auto expected = Result<uint8_t>(*MakeReferenceBackend(), plan, image);
  for (int y = 0; y < kCells; ++y) {
    for (int x = 0; x < kCells; ++x) {
      const double length = std::round(std::sqrt(static_cast<double>(x * x + y * y)));
      REQUIRE(expected[static_cast<size_t>((3 * y + 1) * kSide + 3 * x + 1)] == std::min(255.0, length));
    }
  }
  for (const cpu::Target& target : cpu::AvailableTargets()) {
    INFO(target.name);
    cpu::CpuBackend backend(1, target);
    CHECK(Result<uint8_t>(backend, plan, image) == expected);
  }
}

TEST_CASE("cpu computes gradients of floats as the reference does, flat areas and great contrasts too") {
  const auto reference = MakeReferenceBackend();
  for (const float scale : {1.0f, 1e-25f, 1e22f}) {
    std::vector<float> samples = Noise<float>(70 * 9, 3);
    for (size_t i = 0; i < samples.size(); ++i) samples[i] = i % 70 < 20 ? 0.5f : samples[i] * scale;
    const auto image = Picture<float>(70, 9, samples);
    for (const MagnitudeWeights& weights : Gradients()) {
      const Plan plan{{PassOf(weights, BorderKind::kMirror, RangeKind::kFloat)}};
      const auto expected = Result<float>(*reference, plan, image);
      for (const cpu::Target& target : cpu::AvailableTargets()) {
        INFO(target.name, ", ", scale);
        cpu::CpuBackend backend(1, target);
        const auto got = Result<float>(backend, plan, image);
        int wrong = 0;
        // Sums of up to 130 times the largest sample of their window lose as much as that has digits.
        const float most = 130 * std::max(0.5f, scale);
        for (size_t i = 0; i < got.size(); ++i) {
          const size_t column = i % 70;
          const float near = column > 21 && scale < 1 ? 130 * scale : most;
          if (!(std::abs(got[i] - expected[i]) <= 3e-7f * near)) ++wrong;
        }
        CHECK(wrong == 0);
      }
    }
  }
}

TEST_CASE("cpu ends lengths of gradients of floats as it ends all others, in every range and alpha") {
  const auto reference = MakeReferenceBackend();
  for (const int channels : {1, 2, 4}) {
    std::vector<float> samples = Noise<float>(static_cast<size_t>(45 * 9 * channels), 8);
    for (size_t i = 0; i < samples.size(); ++i) samples[i] = 1.5f * samples[i] - 0.25f;  // alpha too leaves its range
    const auto noisy = Picture<float>(45, 9, samples, channels == 1 ? Alpha::kNone : Alpha::kLast);
    for (size_t i = static_cast<size_t>(channels) - 1; i < samples.size(); i += static_cast<size_t>(channels)) {
      samples[i] = 1.0f;
    }
    const auto opaque = Picture<float>(45, 9, samples, channels == 1 ? Alpha::kNone : Alpha::kLast);
    for (const auto& image : {noisy, opaque}) {
      for (const RangeKind range : {RangeKind::kClamp, RangeKind::kAbsolute, RangeKind::kSigned, RangeKind::kFloat}) {
        for (const AlphaMode mode : {AlphaMode::kStraight, AlphaMode::kColourOnly}) {
          Pass pass = PassOf(Gradient(1, 2, 1, 2), BorderKind::kMirror, range);
          pass.alpha = mode;
          const auto expected = Result<float>(*reference, {{pass}}, image);
          for (const cpu::Target& target : cpu::AvailableTargets()) {
            INFO(target.name, ", channels ", channels);
            cpu::CpuBackend backend(1, target);
            const auto got = Result<float>(backend, {{pass}}, image);
            int64_t different = 0;
            for (size_t i = 0; i < got.size(); ++i) {
              if (!(std::abs(double{got[i]} - double{expected[i]}) <= 1e-5)) ++different;
            }
            CHECK(different == 0);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace convolve::test
