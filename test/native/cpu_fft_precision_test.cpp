// What rounding the FFT path may do: integers exactly rounded in 99.9 % of samples on noise, gradients and flat
// pictures, ties too, whatever the kernel's gain; errors of a float far below the golden set's tolerance.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cpu_cases.h"
#include "engine/backend.h"
#include "pictures.h"

namespace convolve::test {
namespace {

constexpr int kWidth = 140;
constexpr int kHeight = 70;

enum class Scene { kNoise, kDark, kGradient, kFlat };

std::shared_ptr<const Image> SceneOf(Scene scene, SampleType type, bool alpha) {
  Dice dice(1);
  auto image = std::make_shared<Image>(kWidth, kHeight, alpha ? 4 : 3, alpha, type);
  std::visit(
      [&](const auto& view) {
        using T = std::remove_pointer_t<decltype(view.data)>;
        for (int y = 0; y < kHeight; ++y) {
          for (int i = 0; i < kWidth * view.channels; ++i) {
            const double at = static_cast<double>(i) / (kWidth * view.channels);
            const double share = scene == Scene::kNoise      ? dice.Share()
                                 : scene == Scene::kDark     ? dice.Share() * 0.02
                                 : scene == Scene::kGradient ? (at + static_cast<double>(y) / kHeight) / 2
                                                             : 0.7;
            const double value = share * FullScale(type);
            view.Row(y)[i] = static_cast<T>(std::is_integral_v<T> ? std::round(value) : value);
          }
        }
      },
      image->view());
  return image;
}

struct Named {
  std::string name;
  DenseWeights kernel;
  bool linear = false;
};

std::vector<Named> Kernels() {
  Dice dice(2);
  std::vector<Named> kernels;
  std::vector<double> shares;
  std::vector<double> edges;
  std::vector<double> whole;
  double share_sum = 0;
  double whole_sum = 0;
  for (int i = 0; i < 31 * 29; ++i) {
    share_sum += shares.emplace_back(dice.Share());
    edges.push_back(dice.Share() - 0.5);
    whole_sum += whole.emplace_back(dice.Between(0, 3));
  }
  whole_sum += whole_sum / 2 != std::floor(whole_sum / 2) ? 1 : 0;
  kernels.push_back({"mean", Kernel(31, 29, shares, share_sum)});
  kernels.push_back({"mean in linear light", Kernel(31, 29, shares, share_sum), true});
  kernels.push_back({"edges of great gain", Kernel(31, 29, edges, 3)});
  kernels.push_back({"whole numbers over an even divisor", Kernel(31, 29, whole, whole_sum)});
  std::vector<double> two(31 * 29);
  two.front() = 0.5;
  two.back() = 0.5;
  kernels.push_back({"two halves", Kernel(31, 29, two)});
  std::vector<double> four(31 * 29);
  for (const int at : {3, 40, 500, 800}) four[static_cast<size_t>(at)] = 1;
  kernels.push_back({"a mean of four", Kernel(31, 29, four, 4)});
  std::vector<double> steps(31 * 29, -1.0);
  steps[450] = 31 * 29 - 1;
  kernels.push_back({"a sharpener in halves", Kernel(31, 29, steps, 2)});
  return kernels;
}

TEST_CASE("cpu fft rounds integers exactly in at least 99.9 % of samples, on every instruction set") {
  const auto reference = MakeReferenceBackend();
  const std::vector<TargetBackend> backends = BackendsOfAllTargets(1);
  for (const Named& named : Kernels()) {
    for (const Scene scene : {Scene::kNoise, Scene::kDark, Scene::kGradient, Scene::kFlat}) {
      for (const SampleType type : {SampleType::kU8, SampleType::kU16}) {
        for (const bool alpha : {false, true}) {
          if (alpha && (type == SampleType::kU16 || scene == Scene::kDark)) continue;
          Case tried;
          tried.image = SceneOf(scene, type, alpha);
          tried.type = type;
          tried.request.region = {0, 0, kWidth, kHeight};
          Pass pass = PassOf(FftWeights{named.kernel}, BorderKind::kMirror);
          pass.light = named.linear ? LightMode::kLinear : LightMode::kEncoded;
          tried.plan.passes = {pass};
          const auto expected = ResultOf(*reference, tried);
          for (const TargetBackend& target : backends) {
            const Difference difference = Compare(tried, *expected, *ResultOf(*target.backend, tried));
            INFO(target.name, ", ", named.name, ", scene ", static_cast<int>(scene), ", type ", static_cast<int>(type),
                 alpha ? ", alpha: " : ": ", difference.exact, " of ", difference.samples, ", worst ",
                 difference.worst);
            CHECK(difference.beyond == 0);
            CHECK(static_cast<double>(difference.exact) >= 0.999 * static_cast<double>(difference.samples));
          }
        }
      }
    }
  }
}

TEST_CASE("cpu fft errs in float by less than half of the golden set's tolerance, on every instruction set") {
  const auto reference = MakeReferenceBackend();
  const std::vector<TargetBackend> backends = BackendsOfAllTargets(1);
  for (const Named& named : Kernels()) {
    double gain = 0;
    for (const double weight : named.kernel.weights) gain += std::abs(weight / named.kernel.divisor);
    for (const Scene scene : {Scene::kNoise, Scene::kDark, Scene::kGradient, Scene::kFlat}) {
      Case tried;
      tried.image = SceneOf(scene, SampleType::kF32, false);
      tried.type = SampleType::kF64;
      tried.request.region = {0, 0, kWidth, kHeight};
      tried.plan.passes = {PassOf(FftWeights{named.kernel}, BorderKind::kReplicate, RangeKind::kFloat)};
      tried.tolerance = 3e-7 * (1 + gain);
      const auto expected = ResultOf(*reference, tried);
      for (const TargetBackend& target : backends) {
        const Difference difference = Compare(tried, *expected, *ResultOf(*target.backend, tried));
        INFO(target.name, ", ", named.name, ", scene ", static_cast<int>(scene), "; worst ", difference.worst);
        CHECK(difference.beyond == 0);
      }
    }
  }
}

}  // namespace
}  // namespace convolve::test
