// The FFT path against the law: sizes, borders, modes and types on every instruction set, the same bytes in any tiling,
// values that a transform would spread, and what is kept between runs.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "cpu/cpu_backend.h"
#include "cpu/fft_spectrum.h"
#include "cpu_cases.h"
#include "engine/backend.h"
#include "engine/border.h"
#include "pictures.h"

namespace convolve::test {
namespace {

const size_t kFft = Work(FftWeights{}).index();

std::vector<double> Shares(Dice& dice, int count, double least) {
  std::vector<double> weights;
  for (int i = 0; i < count; ++i) weights.push_back(dice.Share() + least);
  return weights;
}

double Absolute(const std::vector<double>& weights) {
  double sum = 0;
  for (const double weight : weights) sum += std::abs(weight);
  return sum;
}

FftWeights NoiseKernel(Dice& dice, int width, int height, double least = 0) {
  FftWeights kernel{Kernel(width, height, Shares(dice, width * height, least))};
  kernel.divisor = Absolute(kernel.weights);
  return kernel;
}

/// A picture's part, as a case: the tolerance is the golden set's for kernels whose weights sum to 1.
Case PartCase(std::shared_ptr<const Image> image, Pass pass, const Region& region) {
  Case tried;
  tried.type = image->type();
  tried.image = std::move(image);
  tried.plan.passes = {std::move(pass)};
  tried.request.region = region;
  tried.tolerance = 6e-7 * 2;
  return tried;
}

bool SameBytes(const Image& a, const Image& b) { return std::memcmp(a.data(), b.data(), a.bytes()) == 0; }

TEST_CASE("cpu fft agrees with the reference on random plans of every mode, on every instruction set") {
  const auto reference = MakeReferenceBackend();
  const std::vector<TargetBackend> backends = BackendsOfAllTargets(2);
  for (uint32_t seed = 70000; seed < 70300; ++seed) {
    CaseLimits limits{90, 60, 2};
    limits.work = kFft;
    limits.side = 24;
    const Case tried = RandomCase(seed, limits);
    const auto expected = ResultOf(*reference, tried);
    for (const TargetBackend& target : backends) {
      const Difference difference = Compare(tried, *expected, *ResultOf(*target.backend, tried));
      INFO(target.name, ", seed ", seed, ": ", tried.description, "; worst ", difference.worst);
      CHECK(difference.beyond == 0);
    }
  }
}

/// The sum itself, in float64, where the reference would take minutes for a whole picture.
double SumAt(const Image& image, const Pass& pass, int x, int y, int channel) {
  const DenseWeights& kernel = std::get<FftWeights>(pass.work);
  double sum = 0;
  for (int j = 0; j < kernel.height; ++j) {
    const int row = MapPosition(pass.border.kind, int64_t{y} + j - kernel.anchor_y, image.height());
    for (int i = 0; i < kernel.width; ++i) {
      const int column = MapPosition(pass.border.kind, int64_t{x} + i - kernel.anchor_x, image.width());
      double value = pass.border.kind == BorderKind::kConstant ? pass.border.value : 0;
      if (row >= 0 && column >= 0) {
        const auto sample = [&](const auto& view) {
          return static_cast<double>(view.Row(row)[column * view.channels + channel]) / FullScale(image.type());
        };
        value = std::visit(sample, image.view());
      }
      sum +=
          kernel.weights[static_cast<size_t>(j) * static_cast<size_t>(kernel.width) + static_cast<size_t>(i)] * value;
    }
  }
  return sum / kernel.divisor;
}

TEST_CASE("cpu fft sums right for kernels from 1 x 1 to 511 x 511, anywhere in a picture") {
  struct Size {
    int width, height;
  };
  const std::vector<TargetBackend> backends = BackendsOfAllTargets(1);
  const std::vector<Size> sizes = {{1, 1},   {2, 1},    {1, 3},     {4, 4},   {7, 5},   {15, 15},   {16, 31},  {31, 31},
                                   {64, 63}, {101, 32}, {127, 127}, {1, 511}, {300, 7}, {255, 254}, {511, 511}};
  uint32_t seed = 1;
  for (const Size& size : sizes) {
    for (const SampleType type : {SampleType::kU8, SampleType::kU16, SampleType::kF32}) {
      Dice dice(++seed);
      const bool large = size.width > 127 || size.height > 127;
      const int channels = dice.Between(1, 4);
      const std::shared_ptr<const Image> image =
          RandomPicture(dice, 530, 410, channels, channels % 2 == 0 && dice.OneIn(2), type);
      FftWeights kernel = NoiseKernel(dice, size.width, size.height, seed % 2 == 0 ? 0 : -0.5);
      kernel.anchor_x = dice.Between(0, size.width - 1);
      kernel.anchor_y = dice.Between(0, size.height - 1);
      Pass pass = PassOf(kernel, static_cast<BorderKind>(dice.Between(0, 5)), RangeKind::kFloat);
      pass.alpha = AlphaMode::kStraight;
      pass.border.value = 0.3;
      // At the first corner, at the last one, and across the edges of tiles.
      for (const Region& region : {Region{0, 0, 3, 2}, Region{528, 407, 2, 3}, Region{382, 222, 4, 4}}) {
        for (const TargetBackend& target : backends) {
          if (large && target.name != backends.front().name) continue;
          const auto got = Part<double>(*target.backend, {{pass}}, image, region);
          double worst = 0;
          for (size_t i = 0; i < got.size(); ++i) {
            const int at = static_cast<int>(i) / channels;
            const double want = SumAt(*image, pass, region.x + at % region.width, region.y + at / region.width,
                                      static_cast<int>(i) % channels);
            worst = std::max(worst, std::isnan(got[i]) ? 1 : std::abs(got[i] - want));
          }
          INFO(target.name, ", ", size.width, " x ", size.height, ", ", channels, " channels of type ",
               static_cast<int>(type), ", border ", static_cast<int>(pass.border.kind), " at ", region.x, ", ",
               region.y);
          CHECK(worst <= 6e-7 * 2);
        }
      }
    }
  }
}

TEST_CASE("cpu fft computes the same bytes in any tiling, alone and in stacks, on every instruction set") {
  for (const cpu::Target& target : cpu::AvailableTargets()) {
    cpu::CpuBackend backend(2, target);
    for (uint32_t seed = 0; seed < 24; ++seed) {
      Dice dice(seed);
      const int channels = dice.Between(1, 4);
      Case tried;
      tried.image = RandomPicture(dice, 500, 420, channels, channels % 2 == 0 && dice.OneIn(2),
                                  static_cast<SampleType>(dice.Between(0, 3)));
      tried.type = tried.image->type();
      const BorderKind border = static_cast<BorderKind>(dice.Between(0, 5));
      const int side = dice.Between(3, 60);
      tried.plan.passes.push_back(PassOf(NoiseKernel(dice, side, dice.Between(3, 60)), border));
      if (seed % 3 == 1) tried.plan.passes.push_back(PassOf(Box(3, 5), border));
      if (seed % 3 == 2) tried.plan.passes.insert(tried.plan.passes.begin(), PassOf(Sharpen(), border));
      if (seed % 6 == 4) tried.plan.passes.push_back(PassOf(NoiseKernel(dice, 21, 17), border));
      const int level = dice.OneIn(2) ? 0 : dice.Between(1, 7);
      const auto reduced = [&](int length) { return (length + (1 << level) - 1) >> level; };
      tried.request = {{0, 0, reduced(500), reduced(420)}, level};
      const auto whole = ResultOf(backend, tried);
      for (int part = 0; part < 6; ++part) {
        Case cut = tried;
        const int x = dice.Between(0, reduced(500) - 1);
        const int y = dice.Between(0, reduced(420) - 1);
        cut.request.region = {x, y, dice.Between(1, reduced(500) - x), dice.Between(1, reduced(420) - y)};
        const auto got = ResultOf(backend, cut);
        const Region& region = cut.request.region;
        const size_t pixel = static_cast<size_t>(channels) * BytesPerSample(tried.type);
        bool same = true;
        for (int row = 0; row < region.height; ++row) {
          const std::byte* const from =
              whole->data() + (static_cast<size_t>(y + row) * static_cast<size_t>(reduced(500)) + x) * pixel;
          const size_t bytes = static_cast<size_t>(region.width) * pixel;
          same = same && std::memcmp(got->data() + static_cast<size_t>(row) * bytes, from, bytes) == 0;
        }
        INFO(target.name, ", seed ", seed, ", level ", level, ": ", region.x, ", ", region.y, ", ", region.width, " x ",
             region.height);
        CHECK(same);
      }
      if (seed % 8 == 0) {
        cpu::CpuBackend one(1, target);
        CHECK(SameBytes(*ResultOf(one, tried), *whole));
      }
    }
  }
}

TEST_CASE("cpu fft keeps not-a-number, infinity and huge values within the kernel's reach, on every instruction set") {
  Dice dice(4);
  const Work work = NoiseKernel(dice, 25, 25);
  CheckReachOfTransforms(PassOf(work, BorderKind::kReplicate, RangeKind::kFloat), BackendsOfAllTargets(2));
}

TEST_CASE("cpu fft keeps the spectra of kernels, the newest ones, within its bytes") {
  const int64_t target = cpu::TargetNamed("").bit;
  const auto key = [&](double weight) { return cpu::SpectrumKey{3, 1, {1, weight, 1}, 64, 64, false, target}; };
  constexpr size_t kOne = 64 * 64 * 2 * sizeof(float) + 3 * sizeof(double);
  cpu::SpectrumCache cache(3 * kOne);
  const auto first = cache.Find(key(0));
  CHECK(cache.Find(key(0)) == first);
  CHECK(cache.made() == 1);
  CHECK(cache.bytes() == kOne);
  for (int i = 1; i <= 3; ++i) {
    cache.Find(key(i));
    CHECK(cache.bytes() <= 3 * kOne);
  }
  CHECK(cache.made() == 4);
  cache.Find(key(1));
  CHECK(cache.made() == 4);
  CHECK(cache.Find(key(0)) != first);  // the oldest one had to go
  CHECK(cache.made() == 5);
}

TEST_CASE("cpu fft transforms a kernel once for all runs, and a warm run allocates nothing") {
  cpu::CpuBackend backend(2, cpu::TargetNamed(""));
  Dice dice(9);
  Case tried = PartCase(RandomPicture(dice, 900, 700, 4, true, SampleType::kU8), PassOf(NoiseKernel(dice, 41, 37)),
                        {0, 0, 900, 700});
  ResultOf(backend, tried);
  const uint64_t allocations = backend.scratch().allocations;
  CHECK(backend.spectra().made() == 1);
  for (int repeat = 0; repeat < 3; ++repeat) ResultOf(backend, tried);
  CHECK(backend.scratch().allocations == allocations);
  CHECK(backend.spectra().made() == 1);
}

TEST_CASE("cpu fft stays within 64 MiB of scratch memory for two threads, and alone or not for one") {
  Dice dice(10);
  for (const SampleType type : {SampleType::kU8, SampleType::kU16, SampleType::kF32}) {
    for (int channels = 1; channels <= 4; ++channels) {
      const auto image = std::make_shared<Image>(6000, 1500, channels, channels % 2 == 0, type);
      for (const int side : {31, 127, 255, 511}) {
        const Pass pass = PassOf(NoiseKernel(dice, side, side));
        for (const Plan& plan :
             {Plan{{pass}}, Plan{{pass, PassOf(Box(3, 3))}}, Plan{{PassOf(Box(3, 3)), pass}}, Plan{{pass, pass}}}) {
          if (plan.passes.size() > 1 && (type != SampleType::kU8 || side == 511)) continue;
          cpu::CpuBackend backend(2, cpu::TargetNamed(""));
          Part<float>(backend, plan, image, {100, 100, 1, 1});  // what a pass takes does not depend on its region
          INFO("type ", static_cast<int>(type), ", ", channels, " channels, ", side, " cells, ", plan.passes.size(),
               " passes: ", backend.scratch().peak_bytes);
          const size_t threads = plan.passes.size() == 1 ? 2 : 1;  // beside the threads' own, results are kept once
          CHECK(threads * backend.scratch().peak_bytes <= 64u << 20);
        }
      }
    }
  }
}

TEST_CASE("a cancelled run of the largest transforms ends soon, and the backend works afterwards") {
  cpu::CpuBackend backend(2, cpu::TargetNamed(""));
  Dice dice(11);
  Case tried = PartCase(std::make_shared<Image>(8000, 6000, 1, false, SampleType::kF32),
                        PassOf(NoiseKernel(dice, 511, 511)), {0, 0, 8000, 6000});
  CancelToken cancel;
  std::optional<ErrorCode> code;
  std::thread run([&] {
    try {
      Image result(8000, 6000, 1, false, SampleType::kF32);
      backend.Run(tried.plan, tried.image, tried.request, result.view(), cancel);
    } catch (const Error& error) {
      code = error.code();
    }
  });
  while (backend.scratch().allocations == 0) std::this_thread::yield();  // the run has begun
  const auto cancelled = std::chrono::steady_clock::now();
  cancel.Cancel();
  run.join();
  CHECK(std::chrono::steady_clock::now() - cancelled < std::chrono::seconds(1));
  REQUIRE(code.has_value());
  CHECK(*code == ErrorCode::kCancelled);
  const auto small = Picture<uint8_t>(3, 1, {0, 3, 6});
  CHECK(Result<uint8_t>(backend, {{PassOf(FftWeights{Box(3, 1)})}}, small) == std::vector<uint8_t>{1, 3, 5});
}

}  // namespace
}  // namespace convolve::test
