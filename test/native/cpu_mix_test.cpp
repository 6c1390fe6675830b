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

/// Blending multiplies errors by 2 or 3, light and alpha by more.
constexpr double kMostGrowth = 40;

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
    tried.tolerance *= kMostGrowth;
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
