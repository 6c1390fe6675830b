// Sparse kernels: only their taps are summed, and the result is the dense kernel's.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "cpu_cases.h"
#include "engine/backend.h"
#include "pictures.h"

namespace convolve::test {
namespace {

SparseWeights Taps(Dice& dice, int width, int height, int count) {
  SparseWeights kernel{Kernel(width, height, std::vector<double>(static_cast<size_t>(width * height)))};
  for (int i = 0; i < count; ++i) {
    kernel.weights[static_cast<size_t>(dice.Between(0, width * height - 1))] = (dice.Share() + 0.1) / count;
  }
  return kernel;
}

TEST_CASE("cpu sparse agrees with the reference on random plans of every mode, on every instruction set") {
  const auto reference = MakeReferenceBackend();
  const std::vector<TargetBackend> backends = BackendsOfAllTargets(2);
  for (uint32_t seed = 80000; seed < 80300; ++seed) {
    CaseLimits limits{70, 40, 2};
    limits.work = Work(SparseWeights{}).index();
    limits.side = 12;
    const Case tried = RandomCase(seed, limits);
    const auto expected = ResultOf(*reference, tried);
    for (const TargetBackend& target : backends) {
      const Difference difference = Compare(tried, *expected, *ResultOf(*target.backend, tried));
      INFO(target.name, ", seed ", seed, ": ", tried.description, "; worst ", difference.worst);
      CHECK(difference.beyond == 0);
    }
  }
}

TEST_CASE("cpu sparse agrees with the reference for large kernels of few taps and of many, on every instruction set") {
  const auto reference = MakeReferenceBackend();
  const std::vector<TargetBackend> backends = BackendsOfAllTargets(2);
  Dice dice(3);
  for (const int count : {1, 40, 49, 50, 600, 2500}) {
    for (const SampleType type : {SampleType::kU8, SampleType::kF32}) {
      Case tried;
      tried.image = RandomPicture(dice, 34, 21, dice.Between(1, 4), false, type);
      tried.type = type;
      tried.request.region = {0, 0, 34, 21};
      tried.tolerance = 6e-7 * 2.2;
      const Pass pass = PassOf(Taps(dice, 255, 201, count), static_cast<BorderKind>(dice.Between(0, 5)));
      tried.plan.passes = {pass};
      const auto expected = ResultOf(*reference, tried);
      for (const TargetBackend& target : backends) {
        const Difference difference = Compare(tried, *expected, *ResultOf(*target.backend, tried));
        INFO(target.name, ", ", count, " taps; worst ", difference.worst);
        CHECK(difference.beyond == 0);
      }
    }
  }
}

TEST_CASE("cpu sparse: a kernel of nothing but zeros gives 0, on every instruction set") {
  for (const TargetBackend& target : BackendsOfAllTargets(1)) {
    INFO(target.name);
    const Plan plan{{PassOf(SparseWeights{Kernel(5, 3, std::vector<double>(15))})}};
    for (const float sample : Result<float>(*target.backend, plan, NoisePicture<float>(20, 9, 3, 1))) {
      CHECK(sample == 0);
    }
  }
}

TEST_CASE("cpu sparse: what is not a number spoils what the reference says it spoils, on every instruction set") {
  constexpr int kSide = 40;
  Dice dice(6);
  const auto reference = MakeReferenceBackend();
  const std::vector<TargetBackend> backends = BackendsOfAllTargets(2);
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    for (const int channels : {1, 3}) {
      auto samples = Noise<float>(static_cast<size_t>(kSide * kSide * channels), 3);
      for (int i = 0; i < 3; ++i) samples[static_cast<size_t>(dice.Between(0, kSide * kSide * channels - 1))] = bad;
      const auto image = Picture<float>(kSide, kSide, samples);
      const Plan plan{{PassOf(Taps(dice, 7, 9, 12), BorderKind::kMirror, RangeKind::kFloat)}};
      const auto expected = Result<float>(*reference, plan, image);
      for (const TargetBackend& target : backends) {
        const auto got = Result<float>(*target.backend, plan, image);
        int wrong = 0;
        for (size_t i = 0; i < got.size(); ++i) {
          const bool same = std::isfinite(expected[i]) ? std::abs(got[i] - expected[i]) <= 1.2e-6
                            : std::isnan(expected[i])  ? std::isnan(got[i])
                                                       : got[i] == expected[i];
          if (!same) ++wrong;
        }
        INFO(target.name, ", ", bad, ", ", channels, " channels");
        CHECK(wrong == 0);
      }
    }
  }
}

}  // namespace
}  // namespace convolve::test
