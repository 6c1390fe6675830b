// Mixes of random plans: every instruction set computes what the reference computes, and any cut of the result is the
// same.
#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cpu_cases.h"
#include "engine/plan.h"
#include "pictures.h"

namespace convolve::test {
namespace {

/// The most that a mix makes of equal errors of b and s, where both lie within 0...1: the largest sum of its slopes.
/// What light and alpha make of them is in the tolerance of the pass.
double GrowthOf(const Mix& mix) {
  // SetLum adds a difference of luminances. ClipColor then draws colours to L, by (c - L) / (L - n) or (c - L) / (x -
  // L) of a change of L, which is 1 / 0.11 where nothing but blue differs.
  constexpr double kClip = 1 + 1 / 0.11;
  const double blend = [&] {
    switch (mix.blend) {
      case BlendMode::kNormal:
      case BlendMode::kLighten:
      case BlendMode::kDarken:
        return 1.0;
      case BlendMode::kMultiply:    // s and b
      case BlendMode::kScreen:      // 1 - s and 1 - b
      case BlendMode::kDifference:  // 1 and -1
      case BlendMode::kAddition:
        return 2.0;
      case BlendMode::kOverlay:  // 2 s and 2 b, where b is 1/2 at most; beyond it the same of 1 - s and 1 - b
        return 3.0;
      case BlendMode::kSoftLight:  // at b = 0 and s = 1 the slope of d(b), 4; 2 (d(b) - b) is 1/2 at most
        return 4.5;
      case BlendMode::kLuminosity:
        return kClip;
    }
    return 0.0;
  }();
  return mix.channels.luminance ? kClip * blend : blend;
}

std::shared_ptr<const Image> RandomMask(Dice& dice, const ResultSize& size) {
  std::vector<uint16_t> samples(static_cast<size_t>(size.width) * static_cast<size_t>(size.height));
  for (uint16_t& sample : samples) {
    sample = static_cast<uint16_t>(dice.OneIn(3) ? 0 : dice.OneIn(3) ? 65535 : dice.Between(0, 65535));
  }
  return Picture<uint16_t>(size.width, size.height, samples);
}

Mix RandomMix(Dice& dice, const Image& image, const ResultSize& input) {
  Mix mix;
  mix.opacity = dice.OneIn(3) ? 1 : dice.Share();
  mix.blend = static_cast<BlendMode>(dice.Between(0, 9));
  const int colours = image.channels() - (image.alpha() ? 1 : 0);
  if (colours == 1 || colours == 3) {
    if (dice.OneIn(4)) {
      mix.channels = {true, true, true, false, true};
    } else if (dice.OneIn(3)) {
      mix.channels = {dice.OneIn(2), true, dice.OneIn(2), false, false};
    }
  } else if (mix.blend == BlendMode::kLuminosity) {
    mix.blend = BlendMode::kNormal;
  }
  if (dice.OneIn(2)) mix.mask = RandomMask(dice, input);
  if (dice.OneIn(3)) mix.threshold = dice.Share() / 2;
  return mix;
}

/// A random case whose passes mix, within the range in which blend modes mean something.
Case MixedCase(uint32_t seed) {
  Case tried = RandomCase(seed);
  Dice dice(seed + 1);
  ResultSize input{tried.image->width(), tried.image->height()};
  for (Pass& pass : tried.plan.passes) {
    if (pass.range.kind == RangeKind::kFloat || pass.range.kind == RangeKind::kRescale) {
      pass.range.kind = RangeKind::kClamp;
    }
    const ResultSize output = SizeAfter({{pass}}, input.width, input.height);
    pass.mix = RandomMix(dice, *tried.image, input);
    tried.description += ", blend " + std::to_string(static_cast<int>(pass.mix->blend)) + " opacity " +
                         std::to_string(pass.mix->opacity);
    tried.tolerance *= GrowthOf(*pass.mix);
    input = output;
  }
  return tried;
}

TEST_CASE("cpu mixes as the reference does, on every instruction set") {
  const auto reference = MakeReferenceBackend();
  for (const TargetBackend& target : BackendsOfAllTargets(2)) {
    int64_t integers = 0;
    int64_t exact = 0;
    for (uint32_t seed = 40000; seed < 40400; ++seed) {
      const Case tried = MixedCase(seed);
      const Difference difference = Compare(tried, *ResultOf(*reference, tried), *ResultOf(*target.backend, tried));
      INFO(target.name, ": seed ", seed, ", ", tried.description, "; worst ", difference.worst);
      CHECK(difference.beyond == 0);
      if (tried.type != SampleType::kU8 && tried.type != SampleType::kU16) continue;
      integers += difference.samples;
      exact += difference.exact;
    }
    INFO(target.name, ": ", exact, " of ", integers);
    CHECK(static_cast<double>(exact) >= 0.999 * static_cast<double>(integers));
  }
}

TEST_CASE("cpu mixes the same however the result is cut, in strips and in shared bands") {
  const auto backend = MakeCpuBackend(2);
  for (uint32_t seed = 50000; seed < 50060; ++seed) {
    Case tried = MixedCase(seed);
    tried.request.level = 0;
    const ResultSize size = SizeAfter(tried.plan, tried.image->width(), tried.image->height());
    const auto whole = Result<float>(*backend, tried.plan, tried.image);
    const Region part{size.width / 3, size.height / 2, (size.width + 1) / 2, (size.height + 1) / 2};
    INFO("seed ", seed, ", ", tried.description);
    CHECK(Unequal(Part<float>(*backend, tried.plan, tried.image, part), part, whole, size.width,
                  tried.image->channels()) == 0);
  }
}

}  // namespace
}  // namespace convolve::test
