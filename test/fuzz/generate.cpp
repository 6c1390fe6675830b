// Small things are likely, large ones happen. Two limits keep every case checkable: weights that may cancel alpha come
// last (a quotient of what is left of nothing has no bound), and the reference has a budget.
#include "generate.h"

#include <algorithm>
#include <cmath>

#include "build.h"
#include "dice.h"

namespace convolve::fuzz {
namespace {

/// Multiply-adds of the reference.
constexpr double kUsualCost = 6e6;
constexpr double kLargestCost = 1e8;

int KernelSide(Dice& dice, bool line) {
  const int kind = dice.Between(1, 100);
  if (kind <= 30) return dice.Between(1, 3);
  if (kind <= 75) return dice.Between(1, 9);
  if (kind <= 92) return dice.Between(8, 34);
  if (kind <= 97) return dice.Between(30, 130);
  return dice.Between(1, line && dice.OneIn(2) ? 1200 : 511);
}

int PictureSide(Dice& dice) {
  const int kind = dice.Between(1, 100);
  if (kind <= 15) return dice.Between(1, 8);
  if (kind <= 60) return dice.Between(1, 50);
  if (kind <= 75) return 8 * dice.Between(1, 25) + dice.Between(-1, 1);
  return dice.Between(40, 200);
}

WorkSpec DrawWork(Dice& dice, WorkKind kind, bool positive) {
  WorkSpec work;
  work.kind = kind;
  if (kind == WorkKind::kDiffusion) {
    work.seed = static_cast<uint32_t>(dice.Next());
    return work;
  }
  const bool line = kind == WorkKind::kSeparable || kind == WorkKind::kBox;
  work.width = KernelSide(dice, line);
  work.height = dice.OneIn(2) ? work.width : KernelSide(dice, line);
  const bool middle = !dice.OneIn(3);
  work.anchor_x = middle ? work.width / 2 : dice.Between(0, work.width - 1);
  work.anchor_y = middle ? work.height / 2 : dice.Between(0, work.height - 1);
  work.drawn = positive ? (dice.OneIn(3) ? Drawn::kDyadic : Drawn::kPositive) : static_cast<Drawn>(dice.Between(0, 4));
  work.seed = static_cast<uint32_t>(dice.Next());
  work.pairs = kind == WorkKind::kSeparable && dice.OneIn(3) ? dice.Between(2, 4) : 1;
  return work;
}

/// Where alpha weights, a colour is right as far as its own alpha goes: all channels are mixed then, so that it is the
/// alpha of the result.
MixSpec DrawMix(Dice& dice, int colours, bool weighted) {
  MixSpec mix;
  mix.there = true;
  mix.opacity = dice.OneIn(3) ? 1 : dice.OneIn(8) ? 0 : dice.Share();
  mix.blend = static_cast<BlendMode>(dice.Between(0, 9));
  const bool three = colours == 1 || colours == 3;
  if (!three && mix.blend == BlendMode::kLuminosity) mix.blend = BlendMode::kOverlay;
  if (three && dice.OneIn(4)) mix.luminance = true;
  if (colours == 3 && !weighted && dice.OneIn(3)) {
    mix.red = dice.OneIn(2);
    mix.green = dice.OneIn(2);
    mix.blue = true;
    mix.alpha = dice.OneIn(2);
  }
  const auto seed = [&] { return 1 + static_cast<uint32_t>(dice.Next() % 0x7FFFFFFF); };
  if (dice.OneIn(2)) mix.mask = seed();
  if (dice.OneIn(4)) mix.other = seed();
  return mix;
}

PassSpec DrawPass(Dice& dice, AlphaMode alpha, bool positive) {
  PassSpec pass;
  WorkKind kind = static_cast<WorkKind>(dice.Between(0, 6));
  if (positive && kind == WorkKind::kMagnitude) kind = WorkKind::kDense;
  pass.work = DrawWork(dice, kind, positive);
  if (kind == WorkKind::kMagnitude) pass.other = DrawWork(dice, kind, false);
  pass.border = static_cast<BorderKind>(dice.Between(0, 5));
  if (pass.border == BorderKind::kConstant) pass.border_value = dice.OneIn(3) ? 1 : dice.Share();
  pass.valid = dice.OneIn(6);
  pass.alpha = alpha;
  pass.linear = dice.OneIn(5);
  if (dice.OneIn(3)) {
    pass.result = dice.OneIn(2) ? 1 : dice.Share() * 2;
    pass.input = dice.OneIn(2) ? 0 : dice.Share() * (positive ? 1 : -1);
    pass.offset = dice.OneIn(2) ? 0 : dice.Share() - 0.5;
  }
  pass.range = static_cast<RangeKind>(dice.Between(0, 4));
  if (dice.OneIn(2)) pass.range = RangeKind::kClamp;
  if (pass.range == RangeKind::kRescale) {
    pass.minimum = -0.2;
    pass.maximum = dice.OneIn(10) ? -0.2 : 0.9;
  }
  pass.repeat = dice.OneIn(10) ? dice.Between(2, 4) : 1;
  return pass;
}

CaseSpec DrawCase(Dice& dice) {
  CaseSpec spec;
  spec.width = PictureSide(dice);
  spec.height = dice.OneIn(4) ? spec.width : PictureSide(dice);
  spec.channels = dice.Between(1, 4);
  spec.alpha = spec.channels % 2 == 0 && !dice.OneIn(3);
  spec.type = static_cast<SampleType>(dice.Between(0, 3));
  const bool integers = spec.type == SampleType::kU8 || spec.type == SampleType::kU16;
  spec.content = dice.OneIn(3) ? static_cast<Content>(dice.Between(0, integers ? 2 : 4)) : Content::kNoise;
  spec.seed = static_cast<uint32_t>(dice.Next());
  const AlphaMode alpha = static_cast<AlphaMode>(dice.Between(0, 2));
  const bool weighted = spec.alpha && alpha == AlphaMode::kWeighted;
  const int passes = dice.OneIn(25) ? 0 : dice.OneIn(3) ? dice.Between(2, 4) : 1;
  for (int i = 0; i < passes; ++i) {
    const bool positive = dice.OneIn(3) || (weighted && i + 1 < passes);
    PassSpec pass = DrawPass(dice, alpha, positive);
    // Samples that no picture has; alpha of less than nothing cancels as weights do.
    if (pass.border == BorderKind::kConstant && dice.OneIn(3)) {
      pass.border_value = (weighted && i + 1 < passes ? 0 : -2) + dice.Share() * 3;
      if (dice.OneIn(3)) pass.border_value = std::round(pass.border_value);
    }
    const bool cancels = weighted && (!positive || pass.border_value < 0);
    if (cancels) pass.repeat = 1;
    if (pass.repeat == 1 && !cancels && dice.OneIn(3)) {
      pass.mix = DrawMix(dice, spec.channels - (spec.alpha ? 1 : 0), weighted);
    }
    spec.passes.push_back(pass);
  }
  spec.level = dice.OneIn(6) ? dice.Between(1, 4) : 0;
  if (dice.OneIn(3)) {
    spec.left = dice.Between(0, 999);
    spec.right = dice.Between(spec.left, 1000);
    spec.top = dice.Between(0, 999);
    spec.bottom = dice.Between(spec.top, 1000);
  }
  spec.destination = dice.OneIn(4) ? static_cast<SampleType>(dice.Between(0, 3)) : spec.type;
  spec.padding = dice.OneIn(3) ? dice.Between(1, 70) : 0;
  return spec;
}

}  // namespace

CaseSpec RandomCase(uint64_t seed) {
  Dice dice(seed);
  const double most = dice.OneIn(40) ? kLargestCost : kUsualCost;
  for (;;) {
    const CaseSpec spec = DrawCase(dice);
    if (Cost(spec) <= most && Build(spec)) return spec;
  }
}

}  // namespace convolve::fuzz
