// Separable and box passes of the cpu backend against the reference: every way to sum taps, every border, kernels
// longer than the picture, with and without rows that stay loaded; and what running sums must keep.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cpu/cpu_backend.h"
#include "cpu_cases.h"
#include "engine/backend.h"
#include "pictures.h"

namespace convolve::test {
namespace {

enum class Mirror { kNone, kEven, kOdd };

std::vector<double> Taps(Dice& dice, int count, Mirror mirror) {
  std::vector<double> taps(static_cast<size_t>(count));
  for (double& tap : taps) tap = mirror == Mirror::kEven ? dice.Share() : dice.Share() - 0.4;
  const size_t last = taps.size() - 1;
  for (size_t i = 0; mirror != Mirror::kNone && i < taps.size() / 2; ++i) {
    taps[last - i] = mirror == Mirror::kEven ? taps[i] : -taps[i];
  }
  if (mirror == Mirror::kOdd && taps.size() % 2 == 1) taps[taps.size() / 2] = 0;
  return taps;
}

double AbsoluteSum(const std::vector<double>& taps) {
  double sum = 0;
  for (const double tap : taps) sum += std::abs(tap);
  return sum;
}

/// A separable kernel with its gain brought to one, so that integer results are spread over their range.
SeparableWeights Separable(Dice& dice, int width, int height, int rank) {
  SeparableWeights separable{width, height, dice.Between(0, width - 1), dice.Between(0, height - 1), {}, 1};
  double most = 0;
  for (int r = 0; r < rank; ++r) {
    const RankPair pair{Taps(dice, height, static_cast<Mirror>(dice.Between(0, 2))),
                        Taps(dice, width, static_cast<Mirror>(dice.Between(0, 2)))};
    most += AbsoluteSum(pair.column) * AbsoluteSum(pair.row);
    separable.pairs.push_back(pair);
  }
  separable.divisor = most > 0 ? most : 1;
  return separable;
}

struct Shares {
  int64_t samples = 0;
  int64_t exact = 0;
};

/// Holds the case on every instruction set to the reference; integers are counted.
void CheckCase(const Case& tried, Shares& shares) {
  const auto expected = ResultOf(*MakeReferenceBackend(), tried);
  for (const cpu::Target& target : cpu::AvailableTargets()) {
    cpu::CpuBackend backend(2, target);
    const Difference difference = Compare(tried, *expected, *ResultOf(backend, tried));
    INFO(target.name, ": ", tried.description, "; worst ", difference.worst);
    CHECK(difference.beyond == 0);
    if (tried.type == SampleType::kU8 || tried.type == SampleType::kU16) {
      shares.samples += difference.samples;
      shares.exact += difference.exact;
    }
  }
}

void CheckShares(const Shares& shares) {
  INFO(shares.exact, " of ", shares.samples);
  REQUIRE(shares.samples > 0);
  CHECK(static_cast<double>(shares.exact) >= 0.999 * static_cast<double>(shares.samples));
}

/// A case of one pass without alpha, whose sum of magnitudes over the divisor is at most one.
Case CaseOf(Dice& dice, Work work, int width, int height, int channels, SampleType type, BorderKind border) {
  Case tried;
  tried.image = RandomPicture(dice, width, height, channels, false, type);
  tried.type = type;
  tried.plan.passes = {PassOf(std::move(work), border)};
  tried.plan.passes[0].border.value = 0.3;
  tried.request.region = {0, 0, width, height};
  tried.tolerance = 6e-7 * 2;
  tried.description = std::to_string(width) + " x " + std::to_string(height) + " x " + std::to_string(channels) +
                      " type " + std::to_string(static_cast<int>(type)) + " border " +
                      std::to_string(static_cast<int>(border));
  return tried;
}

TEST_CASE("cpu sums any number of taps, mirrored or not, in one to four pairs, as the reference does") {
  Shares shares;
  for (int count = 1; count <= 40; ++count) {
    Dice dice(static_cast<uint32_t>(count));
    for (const SampleType type : {SampleType::kU8, SampleType::kU16, SampleType::kF32, SampleType::kF64}) {
      const int rank = dice.Between(1, 4);
      const int other = dice.Between(1, 9);
      const bool wide = dice.OneIn(2);
      Case tried = CaseOf(dice, Separable(dice, wide ? count : other, wide ? other : count, rank), dice.Between(1, 60),
                          dice.Between(1, 40), dice.Between(1, 4), type, static_cast<BorderKind>(dice.Between(0, 5)));
      tried.description += " taps " + std::to_string(count) + " rank " + std::to_string(rank);
      CheckCase(tried, shares);
    }
  }
  CheckShares(shares);
}

TEST_CASE("cpu sums long chains of taps within single precision") {
  Shares shares;
  for (const int count : {63, 64, 65, 66, 129, 200, 511}) {
    for (const Mirror mirror : {Mirror::kNone, Mirror::kEven, Mirror::kOdd}) {
      for (const SampleType type : {SampleType::kU8, SampleType::kF32}) {
        Dice dice(static_cast<uint32_t>(count));
        SeparableWeights separable{count, 3, count / 2, 1, {{Taps(dice, 3, Mirror::kEven), Taps(dice, count, mirror)}},
                                   1};
        separable.divisor = AbsoluteSum(separable.pairs[0].row) * AbsoluteSum(separable.pairs[0].column);
        CheckCase(CaseOf(dice, separable, 50, 20, 3, type, BorderKind::kMirror), shares);
        std::swap(separable.pairs[0].row, separable.pairs[0].column);
        std::swap(separable.width, separable.height);
        std::swap(separable.anchor_x, separable.anchor_y);
        CheckCase(CaseOf(dice, separable, 50, 20, 3, type, BorderKind::kWrap), shares);
      }
    }
  }
  CheckShares(shares);
}

TEST_CASE("cpu runs boxes and separable kernels longer than the picture with every border") {
  Shares shares;
  for (int border = 0; border <= 5; ++border) {
    for (const SampleType type : {SampleType::kU8, SampleType::kU16, SampleType::kF32}) {
      Dice dice(static_cast<uint32_t>(border));
      const BorderKind kind = static_cast<BorderKind>(border);
      CheckCase(CaseOf(dice, Separable(dice, 90, 75, 2), 33, 27, 2, type, kind), shares);
      CheckCase(CaseOf(dice, BoxWeights{90, 75, 11, 74, 90 * 75}, 33, 27, 2, type, kind), shares);
      CheckCase(CaseOf(dice, BoxWeights{7, 101, 0, 50, 707}, 70, 33, 3, type, kind), shares);
    }
  }
  CheckShares(shares);
}

TEST_CASE("cpu runs kernels whose loaded rows are too many to keep") {
  Shares shares;
  for (const SampleType type : {SampleType::kU8, SampleType::kU16, SampleType::kF32}) {
    Dice dice(1);
    CheckCase(CaseOf(dice, Separable(dice, 401, 2101, 1), 5, 18, 2, type, BorderKind::kWrap), shares);
    CheckCase(CaseOf(dice, BoxWeights{401, 2101, 200, 1050, 401.0 * 2101}, 5, 18, 2, type, BorderKind::kWrap), shares);
  }
  CheckShares(shares);
}

TEST_CASE("cpu runs tall kernels in linear light and weighted by alpha, the same in any tiling") {
  Shares shares;
  for (const SampleType type : {SampleType::kU8, SampleType::kU16, SampleType::kF32}) {
    for (const BorderKind border : {BorderKind::kConstant, BorderKind::kWrap}) {
      Dice dice(12);
      Case tried = CaseOf(dice, SeparableWeights{3, 71, 1, 40, {{Taps(dice, 71, Mirror::kEven), {1, 2, 1}}}, 1}, 90, 85,
                          4, type, border);
      SeparableWeights& weights = std::get<SeparableWeights>(tried.plan.passes[0].work);
      weights.divisor = 4 * AbsoluteSum(weights.pairs[0].column);
      tried.image = RandomPicture(dice, 90, 85, 4, true, type);
      Pass& pass = tried.plan.passes[0];
      pass.light = LightMode::kLinear;
      pass.alpha = AlphaMode::kWeighted;
      pass.epilogue.input = 0.25;
      tried.tolerance = 3e-5;  // the curve is steep near black, and alpha small at transparent corners
      CheckCase(tried, shares);
      if (type != SampleType::kF32) continue;
      cpu::CpuBackend backend(3, cpu::TargetNamed(""));
      const auto whole = Part<float>(backend, tried.plan, tried.image, {0, 0, 90, 85});
      for (const Region part : {Region{0, 0, 1, 85}, Region{17, 3, 40, 60}, Region{80, 84, 10, 1}}) {
        CHECK(Unequal(Part<float>(backend, tried.plan, tried.image, part), part, whole, 90, 4) == 0);
      }
    }
  }
  CheckShares(shares);
}

TEST_CASE("cpu boxes of every size agree with the reference, transparent pictures and linear light too") {
  Shares shares;
  for (int size = 1; size <= 24; ++size) {
    for (const SampleType type : {SampleType::kU8, SampleType::kU16, SampleType::kF32, SampleType::kF64}) {
      Dice dice(static_cast<uint32_t>(size * 4) + static_cast<uint32_t>(type));
      const int other = dice.Between(1, 24);
      Case tried =
          CaseOf(dice,
                 BoxWeights{size, other, dice.Between(0, size - 1), dice.Between(0, other - 1),
                            static_cast<double>(size) * other},
                 dice.Between(1, 60), dice.Between(1, 40), 4, type, static_cast<BorderKind>(dice.Between(0, 5)));
      CheckCase(tried, shares);
      tried.image = RandomPicture(dice, tried.image->width(), tried.image->height(), 4, true, type);
      CheckCase(tried, shares);
      tried.plan.passes[0].light = LightMode::kLinear;
      tried.tolerance *= 40;  // the curve's slope, there and back
      CheckCase(tried, shares);
    }
  }
  CheckShares(shares);
}

TEST_CASE("cpu boxes round ties half away from zero") {
  // 2 x 3 cells: sums are whole, so that a sixth of all quotients end in a half.
  const auto image = Picture<uint8_t>(3, 1, {1, 2, 3});
  const auto result = [&](Backend& backend, double divisor) {
    return Result<uint8_t>(backend, {{PassOf(BoxWeights{2, 3, 1, 1, divisor})}}, image);
  };
  for (const cpu::Target& target : cpu::AvailableTargets()) {
    INFO(target.name);
    cpu::CpuBackend backend(1, target);
    CHECK(result(backend, 6) == std::vector<uint8_t>{1, 2, 3});   // 1, 1.5, 2.5
    CHECK(result(backend, 12) == std::vector<uint8_t>{1, 1, 1});  // 0.5, 0.75, 1.25
  }
}

TEST_CASE("cpu boxes of integers are rounded exactly, whatever the divisor") {
  // Halves and quotients as near to them as there are: 2^-15 of a level and less.
  struct Box {
    int width;
    int height;
    double divisor;
  };
  for (const Box box : {Box{2, 2, 4}, Box{31, 31, 961}, Box{100, 93, 9300}, Box{97, 96, 97 * 96},
                        Box{181, 181, 181 * 181}, Box{160, 204, 160 * 204}, Box{5, 5, 7}, Box{3, 3, 1}}) {
    for (const SampleType type : {SampleType::kU8, SampleType::kU16}) {
      for (int channels = 1; channels <= 4; ++channels) {
        Dice dice(static_cast<uint32_t>(box.width));
        const BoxWeights weights{box.width, box.height, 0, 0, box.divisor};
        Case tried = CaseOf(dice, weights, 75, 35, channels, type, BorderKind::kMirror);
        const auto expected = ResultOf(*MakeReferenceBackend(), tried);
        for (const cpu::Target& target : cpu::AvailableTargets()) {
          cpu::CpuBackend backend(1, target);
          const Difference difference = Compare(tried, *expected, *ResultOf(backend, tried));
          INFO(target.name, ": ", tried.description, ", ", box.width, " x ", box.height, " over ", box.divisor);
          CHECK(difference.exact == difference.samples);
        }
      }
    }
  }
}

TEST_CASE("cpu boxes of bytes round down just below a half, with multiplications that are rounded themselves too") {
  // The middle sums up to 251.5 less 1 / (2 * 10637), the nearest to a half that 10637 cells come.
  constexpr int kWidth = 967;
  constexpr int kHeight = 11;
  constexpr int kAbove = 5318;
  const auto image = std::make_shared<Image>(kWidth, kHeight, 1, false, SampleType::kU8);
  const View<uint8_t> view = std::get<View<uint8_t>>(image->view());
  for (int i = 0; i < kWidth * kHeight; ++i) view.Row(i / kWidth)[i % kWidth] = i < kAbove ? 252 : 251;
  Case tried;
  tried.image = image;
  tried.plan.passes = {PassOf(BoxWeights{kWidth, kHeight, kWidth / 2, kHeight / 2, double{kWidth} * kHeight})};
  tried.request.region = {0, 0, kWidth, kHeight};
  for (const cpu::Target& target : cpu::AvailableTargets()) {
    cpu::CpuBackend backend(1, target);
    const auto result = ResultOf(backend, tried);
    INFO(target.name);
    CHECK(std::get<View<const uint8_t>>(std::as_const(*result).view()).Row(kHeight / 2)[kWidth / 2] == 251);
  }
}

TEST_CASE("cpu boxes sum borders that no integer sample holds as the reference does") {
  for (const double value : {-1.0, 2.0, 1000.0, -1000.0, 1e6}) {
    for (const SampleType type : {SampleType::kU8, SampleType::kU16}) {
      for (const RangeKind range : {RangeKind::kClamp, RangeKind::kFloat}) {
        Dice dice(31);
        Case tried = CaseOf(dice, BoxWeights{9, 5, 4, 2, 45}, 75, 35, 3, type, BorderKind::kConstant);
        tried.plan.passes[0].border.value = value;
        tried.plan.passes[0].range.kind = range;
        const auto expected = ResultOf(*MakeReferenceBackend(), tried);
        for (const cpu::Target& target : cpu::AvailableTargets()) {
          cpu::CpuBackend backend(1, target);
          const Difference difference = Compare(tried, *expected, *ResultOf(backend, tried));
          INFO(target.name, ": ", tried.description, ", ", value, ", range ", static_cast<int>(range));
          CHECK(difference.exact == difference.samples);
        }
      }
    }
  }
}

TEST_CASE("cpu boxes keep what is not a number within their reach, and numbers of any size") {
  const float none = std::numeric_limits<float>::quiet_NaN();
  const float infinite = std::numeric_limits<float>::infinity();
  const auto reference = MakeReferenceBackend();
  for (const float bad : {none, infinite, 3e38f, 1e33f}) {
    auto samples = Noise<float>(60 * 40, 4);
    samples[20 * 60 + 30] = bad;
    const auto image = Picture<float>(60, 40, samples);
    const Plan plan{{PassOf(BoxWeights{9, 7, 4, 3, 63}, BorderKind::kMirror, RangeKind::kFloat)}};
    const auto expected = Result<float>(*reference, plan, image);
    for (const cpu::Target& target : cpu::AvailableTargets()) {
      INFO(target.name, ": ", bad);
      cpu::CpuBackend backend(2, target);
      const auto got = Result<float>(backend, plan, image);
      int wrong = 0;
      for (size_t i = 0; i < got.size(); ++i) {
        const bool right = std::isfinite(expected[i])
                               ? std::abs(got[i] - expected[i]) <= 1.2e-6f * (1 + std::abs(expected[i]))
                               : !std::isfinite(got[i]) || std::abs(expected[i]) > 1e36f;
        if (!right) ++wrong;
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("cpu boxes after a pass whose sums overflow spoil no pixel beyond their reach") {
  // In single precision this pixel becomes infinity minus infinity, which every range keeps.
  auto samples = Noise<float>(60 * 40, 4);
  samples[20 * 60 + 30] = 1e20f;
  samples[20 * 60 + 31] = 1e20f;
  const auto image = Picture<float>(60, 40, samples);
  const Plan plan{{PassOf(Kernel(2, 1, {1e30, -1e30}), BorderKind::kMirror, RangeKind::kClamp),
                   PassOf(BoxWeights{9, 7, 4, 3, 63}, BorderKind::kMirror, RangeKind::kClamp)}};
  const auto expected = Result<float>(*MakeReferenceBackend(), plan, image);
  for (const cpu::Target& target : cpu::AvailableTargets()) {
    INFO(target.name);
    cpu::CpuBackend backend(1, target);
    const auto got = Result<float>(backend, plan, image);
    int wrong = 0;
    for (int y = 0; y < 40; ++y) {
      for (int x = 0; x < 60; ++x) {
        if (std::abs(x - 30) <= 6 && std::abs(y - 20) <= 4) continue;
        const size_t i = static_cast<size_t>(y * 60 + x);
        if (!(std::abs(got[i] - expected[i]) <= 1.2e-6f)) ++wrong;
      }
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("cpu boxes after a pass that leaves values beyond the range agree with the reference") {
  for (const double gain : {1.0, 40.0, 1e9}) {
    for (const SampleType type : {SampleType::kU8, SampleType::kF32}) {
      Dice dice(11);
      Case tried;
      tried.image = RandomPicture(dice, 90, 70, 3, false, type);
      tried.type = SampleType::kF32;
      tried.request.region = {0, 0, 90, 70};
      tried.plan.passes = {PassOf(Kernel(3, 1, {-gain, 3 * gain, -gain}), BorderKind::kMirror, RangeKind::kFloat),
                           PassOf(BoxWeights{31, 31, 15, 15, 961}, BorderKind::kMirror, RangeKind::kFloat)};
      tried.tolerance = 2 * 6e-7 * (1 + 5 * gain);
      const auto expected = ResultOf(*MakeReferenceBackend(), tried);
      for (const cpu::Target& target : cpu::AvailableTargets()) {
        INFO(target.name, ": ", gain);
        cpu::CpuBackend backend(1, target);
        CHECK(Compare(tried, *expected, *ResultOf(backend, tried)).beyond == 0);
      }
    }
  }
}

TEST_CASE("cpu boxes and long separable kernels give the same bytes in any tiling") {
  Dice dice(8);
  for (const SampleType type : {SampleType::kU8, SampleType::kU16, SampleType::kF32}) {
    for (const bool alpha : {false, true}) {
      const auto image = RandomPicture(dice, 300, 200, 4, alpha, type);
      const std::vector<Work> works = {BoxWeights{31, 57, 3, 50, 31 * 57}, Separable(dice, 75, 33, 2)};
      for (const Work& work : works) {
        for (const BorderKind border : {BorderKind::kZero, BorderKind::kWrap, BorderKind::kReflect}) {
          Pass pass = PassOf(work, border);
          pass.border.value = 0.37;
          cpu::CpuBackend backend(1, cpu::TargetNamed(""));
          const Plan plan{{pass}};
          Case tried;
          tried.image = image;
          tried.plan = plan;
          tried.type = type;
          tried.request.region = {0, 0, 300, 200};
          const auto whole = ResultOf(backend, tried);
          for (int i = 0; i < 6; ++i) {
            const int x = dice.Between(0, 299);
            const int y = dice.Between(0, 199);
            Case part = tried;
            part.request.region = {x, y, dice.Between(1, 300 - x), dice.Between(1, 200 - y)};
            const auto cut = ResultOf(backend, part);
            const size_t pixel = 4 * BytesPerSample(type);
            const size_t row = static_cast<size_t>(part.request.region.width) * pixel;
            int different = 0;
            for (int j = 0; j < part.request.region.height; ++j) {
              const std::byte* from =
                  whole->data() + (static_cast<size_t>(y + j) * 300 + static_cast<size_t>(x)) * pixel;
              if (std::memcmp(from, cut->data() + static_cast<size_t>(j) * row, row) != 0) ++different;
            }
            CHECK(different == 0);
          }
        }
      }
    }
  }
}

TEST_CASE("cpu blurs with a standard deviation of 500 pixels in bounded scratch, none of it allocated anew") {
  constexpr int kTaps = 4061;
  std::vector<double> taps;
  double sum = 0;
  for (int i = 0; i < kTaps; ++i) {
    const double x = (i - kTaps / 2) / 500.0;
    sum += taps.emplace_back(std::exp(-x * x / 2));
  }
  const Pass pass = PassOf(SeparableWeights{kTaps, kTaps, kTaps / 2, kTaps / 2, {{taps, taps}}, sum * sum});
  for (const bool alpha : {false, true}) {
    Dice dice(3);
    Case tried;
    tried.image = RandomPicture(dice, 6000, 24, 4, alpha, SampleType::kF32);
    tried.type = SampleType::kF32;
    tried.plan.passes = {pass};
    tried.request.region = {0, 0, 6000, 24};
    cpu::CpuBackend backend(2, cpu::TargetNamed(""));
    const auto first = ResultOf(backend, tried);
    const cpu::ScratchStatistics cold = backend.scratch();
    CHECK(cold.peak_bytes <= size_t{64} << 20);
    const auto second = ResultOf(backend, tried);
    CHECK(backend.scratch().allocations == cold.allocations);
    CHECK(std::memcmp(first->data(), second->data(), first->bytes()) == 0);
  }
}

}  // namespace
}  // namespace convolve::test
