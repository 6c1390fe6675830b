// Long rows and columns of separable kernels as transforms of lines, against the law and against themselves: every mode
// on every instruction set, the same bytes in any tiling, what a transform would spread, and what is kept between runs.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cpu/cpu_backend.h"
#include "cpu/fft_plan.h"
#include "cpu/prepared_plan.h"
#include "cpu_cases.h"
#include "cpu_kernels.h"
#include "engine/backend.h"
#include "engine/border.h"
#include "pictures.h"

namespace convolve::test {
namespace {

const size_t kSeparable = Work(SeparableWeights{}).index();

/// Backends that transform every separable kernel that they can.
std::vector<TargetBackend> ForcedBackends(int threads) {
  std::vector<TargetBackend> backends;
  for (const cpu::Target& target : cpu::AvailableTargets()) {
    backends.push_back({target.name, std::make_unique<cpu::CpuBackend>(threads, target, cpu::PairSums::kTransformed)});
  }
  return backends;
}

SeparableWeights GaussianOf(int width, int height) {
  return {width, height, width / 2, height / 2, {{Bell(height), Bell(width)}}, 1};
}

/// One pair without a pattern, whose magnitudes sum up to the divisor.
SeparableWeights Scattered(Dice& dice, int width, int height, double least) {
  SeparableWeights separable{width, height, dice.Between(0, width - 1), dice.Between(0, height - 1), {{}}, 1};
  RankPair& pair = separable.pairs.front();
  double down = 0;
  double across = 0;
  for (int j = 0; j < height; ++j) down += std::abs(pair.column.emplace_back(dice.Share() + least));
  for (int i = 0; i < width; ++i) across += std::abs(pair.row.emplace_back(dice.Share() + least));
  separable.divisor = down * across;
  return separable;
}

Case CaseOf(std::shared_ptr<const Image> image, Pass pass) {
  Case tried;
  tried.type = image->type();
  tried.request.region = {0, 0, image->width(), image->height()};
  tried.image = std::move(image);
  tried.plan.passes = {std::move(pass)};
  tried.tolerance = 6e-7 * 2;
  return tried;
}

TEST_CASE("cpu transforms of lines agree with the reference on random plans of every mode, on every instruction set") {
  const auto reference = MakeReferenceBackend();
  const std::vector<TargetBackend> backends = ForcedBackends(2);
  for (uint32_t seed = 90000; seed < 90400; ++seed) {
    CaseLimits limits{90, 60, 2};
    limits.work = kSeparable;
    limits.side = 30;
    const Case tried = RandomCase(seed, limits);
    const auto expected = ResultOf(*reference, tried);
    for (const TargetBackend& target : backends) {
      const Difference difference = Compare(tried, *expected, *ResultOf(*target.backend, tried));
      INFO(target.name, ", seed ", seed, ": ", tried.description, "; worst ", difference.worst);
      CHECK(difference.beyond == 0);
    }
  }
}

TEST_CASE("cpu mixes what transforms of lines leave with the pixels themselves, as the reference does") {
  const auto reference = MakeReferenceBackend();
  const std::vector<TargetBackend> backends = ForcedBackends(2);
  for (uint32_t seed = 91000; seed < 91200; ++seed) {
    CaseLimits limits{70, 50, 1};
    limits.work = kSeparable;
    limits.side = 30;
    Case tried = RandomCase(seed, limits);
    Dice dice(seed);
    for (Pass& pass : tried.plan.passes) {
      pass.range.kind = RangeKind::kClamp;
      Mix& mix = pass.mix.emplace();
      mix.opacity = dice.Share();
      mix.blend = static_cast<BlendMode>(dice.Between(0, 4));
      if (dice.OneIn(3)) mix.threshold = dice.Share() / 4;
      if (dice.OneIn(2)) {
        mix.mask = NoisePicture<uint16_t>(tried.image->width(), tried.image->height(), 1, seed);
      }
      tried.tolerance *= 40;
    }
    const auto expected = ResultOf(*reference, tried);
    for (const TargetBackend& target : backends) {
      const auto got = ResultOf(*target.backend, tried);
      const Difference difference = Compare(tried, *expected, *got);
      INFO(target.name, ", seed ", seed, ": ", tried.description, "; worst ", difference.worst);
      // Where a threshold decides, a rounding may decide otherwise.
      CHECK(difference.beyond <= (tried.plan.passes.front().mix->threshold > 0 ? difference.samples / 200 : 0));
    }
  }
}

TEST_CASE("cpu transforms lines of pictures smaller than their kernel, one pixel high or wide, with every border") {
  const auto reference = MakeReferenceBackend();
  const std::vector<TargetBackend> backends = ForcedBackends(2);
  struct Shape {
    int width, height, across, down;
  };
  for (const Shape& shape : {Shape{1, 70, 5, 61}, Shape{70, 1, 61, 4}, Shape{1, 1, 41, 40}, Shape{33, 27, 90, 75},
                             Shape{40, 30, 1, 120}, Shape{40, 30, 121, 1}, Shape{130, 110, 64, 2}}) {
    for (int border = 0; border <= 5; ++border) {
      for (const SampleType type : {SampleType::kU8, SampleType::kU16, SampleType::kF32, SampleType::kF64}) {
        Dice dice(static_cast<uint32_t>(border * 7 + shape.width));
        const int channels = dice.Between(1, 4);
        Case tried = CaseOf(RandomPicture(dice, shape.width, shape.height, channels, false, type),
                            PassOf(Scattered(dice, shape.across, shape.down, border % 2 == 0 ? 0 : -0.4),
                                   static_cast<BorderKind>(border), RangeKind::kFloat));
        tried.plan.passes[0].border.value = 0.3;
        const auto expected = ResultOf(*reference, tried);
        for (const TargetBackend& target : backends) {
          const Difference difference = Compare(tried, *expected, *ResultOf(*target.backend, tried));
          INFO(target.name, ", ", shape.width, " x ", shape.height, ", kernel ", shape.across, " x ", shape.down, ", ",
               channels, " channels of type ", static_cast<int>(type), ", border ", border, "; worst ",
               difference.worst);
          CHECK(difference.beyond == 0);
        }
      }
    }
  }
}

/// The sum itself, in float64.
double SumAt(const Image& image, const Pass& pass, int x, int y, int channel) {
  const auto& kernel = std::get<SeparableWeights>(pass.work);
  const auto sample = [&](int row, int column) {
    const auto read = [&](const auto& view) {
      return static_cast<double>(view.Row(row)[column * view.channels + channel]) / FullScale(image.type());
    };
    return std::visit(read, image.view());
  };
  double sum = 0;
  for (int j = 0; j < kernel.height; ++j) {
    const int row = MapPosition(pass.border.kind, int64_t{y} + j - kernel.anchor_y, image.height());
    double across = 0;
    for (int i = 0; i < kernel.width; ++i) {
      const int column = MapPosition(pass.border.kind, int64_t{x} + i - kernel.anchor_x, image.width());
      if (row >= 0 && column >= 0) across += kernel.pairs[0].row[static_cast<size_t>(i)] * sample(row, column);
    }
    sum += kernel.pairs[0].column[static_cast<size_t>(j)] * across;
  }
  return sum / kernel.divisor;
}

TEST_CASE("cpu sums Gaussians of 100 to 4095 taps right anywhere in a picture, by its own choice") {
  const std::vector<TargetBackend> backends = BackendsOfAllTargets(2);
  for (const int taps : {100, 601, 1201, 3001, 4095}) {
    for (const SampleType type : {SampleType::kU8, SampleType::kU16, SampleType::kF32}) {
      Dice dice(static_cast<uint32_t>(taps));
      const int channels = dice.Between(1, 4);
      const std::shared_ptr<const Image> image = RandomPicture(dice, 700, 500, channels, false, type);
      const Pass pass = PassOf(GaussianOf(taps, taps), static_cast<BorderKind>(dice.Between(2, 4)), RangeKind::kFloat);
      for (const Region& region : {Region{0, 0, 2, 2}, Region{697, 498, 3, 2}, Region{340, 255, 2, 3}}) {
        for (const TargetBackend& target : backends) {
          if (taps > 1201 && target.name != backends.front().name) continue;
          const auto got = Part<double>(*target.backend, {{pass}}, image, region);
          double worst = 0;
          for (size_t i = 0; i < got.size(); ++i) {
            const int at = static_cast<int>(i) / channels;
            const double want = SumAt(*image, pass, region.x + at % region.width, region.y + at / region.width,
                                      static_cast<int>(i) % channels);
            worst = std::max(worst, std::isnan(got[i]) ? 1 : std::abs(got[i] - want));
          }
          INFO(target.name, ", ", taps, " taps, ", channels, " channels of type ", static_cast<int>(type), " at ",
               region.x, ", ", region.y, ": ", worst);
          CHECK(worst <= 6e-7);
        }
      }
    }
  }
}

TEST_CASE("cpu transforms of lines round integers exactly in at least 99.9 % of samples") {
  const auto reference = MakeReferenceBackend();
  const std::vector<TargetBackend> backends = ForcedBackends(2);
  int64_t samples = 0;
  int64_t exact = 0;
  for (const SampleType type : {SampleType::kU8, SampleType::kU16}) {
    for (const bool alpha : {false, true}) {
      for (const LightMode light : {LightMode::kEncoded, LightMode::kLinear}) {
        Dice dice(5);
        Pass pass = PassOf(GaussianOf(201, 151), BorderKind::kMirror);
        pass.light = light;
        const Case tried = CaseOf(RandomPicture(dice, 230, 120, alpha ? 4 : 3, alpha, type), pass);
        const auto expected = ResultOf(*reference, tried);
        for (const TargetBackend& target : backends) {
          const Difference difference = Compare(tried, *expected, *ResultOf(*target.backend, tried));
          INFO(target.name, ", type ", static_cast<int>(type), alpha ? ", alpha" : "", ", light ",
               static_cast<int>(light), ": ", difference.exact, " of ", difference.samples);
          CHECK(difference.beyond == 0);
          samples += difference.samples;
          exact += difference.exact;
        }
      }
    }
  }
  CHECK(static_cast<double>(exact) >= 0.999 * static_cast<double>(samples));
}

TEST_CASE(
    "cpu transforms of lines give the same bytes in any tiling and on any number of threads, alone and in stacks") {
  for (const cpu::Target& target : cpu::AvailableTargets()) {
    cpu::CpuBackend backend(2, target, cpu::PairSums::kTransformed);
    cpu::CpuBackend three(3, target, cpu::PairSums::kTransformed);
    for (uint32_t seed = 0; seed < 18; ++seed) {
      Dice dice(seed);
      const int channels = dice.Between(1, 4);
      const int width = dice.Between(300, 900);
      const int height = dice.Between(200, 700);
      Case tried = CaseOf(
          RandomPicture(dice, width, height, channels, channels % 2 == 0 && dice.OneIn(2),
                        static_cast<SampleType>(dice.Between(0, 3))),
          PassOf(GaussianOf(dice.Between(1, 200), dice.Between(1, 200)), static_cast<BorderKind>(dice.Between(0, 5))));
      if (dice.OneIn(3)) tried.plan.passes[0].light = LightMode::kLinear;
      if (seed % 3 == 1) tried.plan.passes.push_back(PassOf(Box(3, 5), BorderKind::kMirror));
      if (seed % 3 == 2) tried.plan.passes.insert(tried.plan.passes.begin(), PassOf(Sharpen(), BorderKind::kMirror));
      if (seed % 6 == 4) tried.plan.passes.push_back(PassOf(GaussianOf(90, 70), BorderKind::kWrap));
      const int level = dice.OneIn(2) ? 0 : dice.Between(1, 7);
      const auto reduced = [&](int length) { return (length + (1 << level) - 1) >> level; };
      tried.request = {{0, 0, reduced(width), reduced(height)}, level};
      const auto whole = ResultOf(backend, tried);
      INFO(target.name, ", seed ", seed, ", level ", level);
      CHECK(std::memcmp(whole->data(), ResultOf(three, tried)->data(), whole->bytes()) == 0);
      for (int part = 0; part < 4; ++part) {
        Case cut = tried;
        const int x = dice.Between(0, reduced(width) - 1);
        const int y = dice.Between(0, reduced(height) - 1);
        cut.request.region = {x, y, dice.Between(1, reduced(width) - x), dice.Between(1, reduced(height) - y)};
        const auto got = ResultOf(backend, cut);
        const Region& region = cut.request.region;
        const size_t pixel = static_cast<size_t>(channels) * BytesPerSample(tried.type);
        const size_t bytes = static_cast<size_t>(region.width) * pixel;
        bool same = true;
        for (int row = 0; row < region.height; ++row) {
          const std::byte* const from =
              whole->data() + (static_cast<size_t>(y + row) * static_cast<size_t>(reduced(width)) + x) * pixel;
          same = same && std::memcmp(got->data() + static_cast<size_t>(row) * bytes, from, bytes) == 0;
        }
        INFO(region.x, ", ", region.y, ", ", region.width, " x ", region.height);
        CHECK(same);
      }
    }
  }
}

TEST_CASE("cpu transforms of lines keep not-a-number, infinity and huge values within the kernel's reach") {
  CheckReachOfTransforms(PassOf(GaussianOf(51, 51), BorderKind::kReplicate, RangeKind::kFloat), ForcedBackends(2));
}

TEST_CASE("cpu transforms the rows and columns of a kernel once for all runs, and a warm run allocates nothing") {
  cpu::CpuBackend backend(2, cpu::TargetNamed(""), cpu::PairSums::kTransformed);
  Dice dice(9);
  const Case tried = CaseOf(RandomPicture(dice, 900, 700, 4, true, SampleType::kU8), PassOf(GaussianOf(401, 301)));
  ResultOf(backend, tried);
  const uint64_t allocations = backend.scratch().allocations;
  const uint64_t made = backend.spectra().made();
  CHECK(made >= 2);
  for (int repeat = 0; repeat < 3; ++repeat) ResultOf(backend, tried);
  CHECK(backend.scratch().allocations == allocations);
  CHECK(backend.spectra().made() == made);
}

/// As the program runs it: counted, to floats.
cpu::PreparedPlan<float> Prepared(const std::vector<Pass>& passes, const Image& image) {
  return cpu::Prepare<float>({passes}, image, false, FullScale(image.type()), {false, SampleType::kF32, true});
}

TEST_CASE("cpu transforms a filter alike whatever follows it, because what it leaves may be kept for others") {
  for (const SampleType type : {SampleType::kF32, SampleType::kU8}) {
    const Image image(2400, 1100, 3, false, type);
    const Pass first = PassOf(GaussianOf(601, 601), BorderKind::kMirror, RangeKind::kFloat);
    const Pass second = PassOf(GaussianOf(201, 201), BorderKind::kMirror, RangeKind::kFloat);
    const auto expected = Prepared({first, second, second}, image);
    size_t halves = 0;
    for (const int taps : {3, 49, 201, 401, 1001}) {
      const auto prepared =
          Prepared({first, second, PassOf(GaussianOf(taps, taps), BorderKind::kMirror, RangeKind::kFloat)}, image);
      CAPTURE(taps);
      for (size_t i = 0; i < 3; ++i) {
        const auto* const got = prepared.passes.at(i).fft.get();
        const auto* const want = expected.passes.at(i).fft.get();
        REQUIRE((got == nullptr) == (want == nullptr));
        if (got == nullptr) continue;
        ++halves;
        CHECK(got->width == want->width);
        CHECK(got->height == want->height);
        CHECK(got->step_x == want->step_x);
        CHECK(got->step_y == want->step_y);
      }
    }
    CHECK(halves >= 10);
  }
}

TEST_CASE("cpu transforms short rows and columns where all are asked for, first, in the middle and last") {
  const Image image(120, 90, 4, false, SampleType::kF32);
  const Pass pass = PassOf(GaussianOf(9, 13), BorderKind::kMirror, RangeKind::kFloat);
  for (const size_t count : {1, 2, 3}) {
    const auto prepared = cpu::Prepare<float>({std::vector<Pass>(count, pass)}, image, false, 1,
                                              {false, SampleType::kF32, true, cpu::PairSums::kTransformed});
    CHECK(prepared.passes.size() == 2 * count);
    for (const auto& half : prepared.passes) CHECK(half.fft != nullptr);
  }
}

TEST_CASE("cpu transforms all pairs of a filter alike, whatever their weights") {
  Dice dice(5);
  constexpr int kTaps = 401;
  const Image image(300, 4000, 1, false, SampleType::kU8);
  SeparableWeights separable{kTaps, kTaps, kTaps / 2, kTaps / 2, {{}, {}}, 1};
  for (int i = 0; i < kTaps; ++i) {
    separable.pairs[0].column.push_back(dice.Share());
    separable.pairs[1].column.push_back(i % 2 == 0 ? 9 : 7);  // whole numbers, whose sums may end in a half
    for (RankPair& pair : separable.pairs) pair.row.push_back(dice.Share() / kTaps);
  }
  separable.divisor = 1900;
  const auto prepared = Prepared({PassOf(separable, BorderKind::kMirror, RangeKind::kFloat)}, image);
  size_t compared = 0;
  for (const auto& pass : prepared.passes) {
    for (const auto& term : pass.terms) {
      ++compared;
      CHECK(term.fft->in_double == pass.terms.front().fft->in_double);
      CHECK(term.fft->step_x == pass.terms.front().fft->step_x);
      CHECK(term.fft->step_y == pass.terms.front().fft->step_y);
    }
  }
  CHECK(compared == 4);
}

}  // namespace
}  // namespace convolve::test
