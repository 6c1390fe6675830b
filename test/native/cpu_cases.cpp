// Dice decide everything about a case; its error bound follows the plan, pass by pass.
#include "cpu_cases.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <type_traits>
#include <utility>
#include <variant>

#include "cpu/cpu_backend.h"
#include "engine/reduce.h"
#include "error_bound.h"
#include "pictures.h"

namespace convolve::test {
namespace {

bool IsInteger(SampleType type) { return type == SampleType::kU8 || type == SampleType::kU16; }

enum class Weights { kPositive, kMixed, kWhole };

DenseWeights RandomKernel(Dice& dice, Weights kind, int side = 9) {
  DenseWeights kernel;
  kernel.width = dice.OneIn(20) ? dice.Between(20, 60) : dice.Between(1, side);
  kernel.height = dice.OneIn(20) ? dice.Between(20, 60) : dice.Between(1, side);
  kernel.anchor_x = dice.OneIn(2) ? kernel.width / 2 : dice.Between(0, kernel.width - 1);
  kernel.anchor_y = dice.OneIn(2) ? kernel.height / 2 : dice.Between(0, kernel.height - 1);
  double sum = 0;
  for (int i = 0; i < kernel.width * kernel.height; ++i) {
    const double share = dice.Share();
    const double weight = kind == Weights::kPositive ? share
                          : kind == Weights::kMixed  ? share - 0.3
                                                     : dice.Between(-3, 4);
    kernel.weights.push_back(weight);
    sum += weight;
  }
  if (kind == Weights::kWhole) {
    kernel.divisor = dice.Between(1, 9);
  } else if (std::abs(sum) > 0.5) {
    kernel.divisor = sum;
  }
  return kernel;
}

SeparableWeights RandomSeparable(Dice& dice, Weights kind, int side = 9) {
  const DenseWeights shape = RandomKernel(dice, kind, side);
  SeparableWeights separable{shape.width, shape.height, shape.anchor_x, shape.anchor_y, {}, 1};
  const double least = kind == Weights::kPositive ? 0 : -0.2;
  double sum = 0;
  for (int r = dice.Between(1, 3); r > 0; --r) {
    RankPair pair;
    double across = 0;
    double down = 0;
    for (int i = 0; i < shape.width; ++i) across += pair.row.emplace_back(dice.Share() + least);
    for (int j = 0; j < shape.height; ++j) down += pair.column.emplace_back(dice.Share() + least);
    sum += across * down;
    separable.pairs.push_back(std::move(pair));
  }
  if (std::abs(sum) > 0.5) separable.divisor = sum;
  return separable;
}

BoxWeights RandomBox(Dice& dice) {
  const int width = dice.Between(1, 9);
  const int height = dice.Between(1, 9);
  const double divisor = dice.OneIn(4) ? 1 << dice.Between(0, 6) : width * height;
  return {width, height, dice.Between(0, width - 1), dice.Between(0, height - 1), divisor};
}

SparseWeights Thinned(Dice& dice, DenseWeights dense) {
  SparseWeights sparse{std::move(dense)};
  for (double& weight : sparse.weights) weight = dice.OneIn(3) ? weight : 0;
  sparse.weights.front() = 1;  // a kernel of nothing but zeros is a case of its own
  return sparse;
}

DiffusionStep RandomDiffusion(Dice& dice) {
  const EdgeStopping stopping = dice.OneIn(2) ? EdgeStopping::kExponential : EdgeStopping::kRational;
  return {stopping, 0.02 + dice.Share(), dice.OneIn(4) ? 0.25 : dice.Share() / 4};
}

Work RandomWork(Dice& dice, Weights kind, const CaseLimits& limits) {
  static const size_t kSparse = Work(SparseWeights{}).index();
  static const size_t kSeparable = Work(SeparableWeights{}).index();
  if (limits.work == kSeparable) return RandomSeparable(dice, kind, limits.side);
  const DenseWeights dense = RandomKernel(dice, kind, limits.side);
  if (limits.work == kSparse) return Thinned(dice, dense);
  return FftWeights{dense};
}

Pass RandomPass(Dice& dice, AlphaMode alpha, Weights kind, const CaseLimits& limits) {
  Pass pass;
  switch (limits.work ? 7 : dice.Between(0, 6)) {
    case 0:
      pass.work = RandomKernel(dice, kind);
      break;
    case 1: {
      DenseWeights x = RandomKernel(dice, kind);
      pass.work = MagnitudeWeights{std::move(x), RandomKernel(dice, kind)};
      break;
    }
    case 2:
      pass.work = Thinned(dice, RandomKernel(dice, kind));
      break;
    case 3:
      pass.work = FftWeights{RandomKernel(dice, kind)};
      break;
    case 4:
      pass.work = RandomBox(dice);
      break;
    case 5:
      pass.work = RandomDiffusion(dice);
      break;
    case 7:
      pass.work = RandomWork(dice, kind, limits);
      break;
    default:
      pass.work = RandomSeparable(dice, kind);
  }
  pass.border = {static_cast<BorderKind>(dice.Between(0, 5)), dice.Share()};
  pass.size = dice.OneIn(6) ? SizeMode::kValid : SizeMode::kSame;
  pass.alpha = alpha;
  pass.light = dice.OneIn(4) ? LightMode::kLinear : LightMode::kEncoded;
  if (dice.OneIn(3)) {
    pass.epilogue.result = dice.OneIn(2) ? 1 : dice.Share() * 2;
    pass.epilogue.input = dice.OneIn(2) ? 0 : dice.Share() * (kind == Weights::kPositive ? 1 : -1);
    pass.epilogue.offset = dice.OneIn(2) ? 0 : dice.Share() - 0.5;
  }
  pass.range.kind = static_cast<RangeKind>(dice.Between(0, 4));
  pass.range.minimum = -0.2;
  pass.range.maximum = dice.OneIn(10) ? -0.2 : 0.9;
  return pass;
}

std::string Describe(const Case& tried) {
  std::ostringstream text;
  const Image& image = *tried.image;
  text << image.width() << " x " << image.height() << " x " << image.channels() << (image.alpha() ? " with alpha" : "")
       << ", type " << static_cast<int>(image.type()) << " to " << static_cast<int>(tried.type) << ", level "
       << tried.request.level;
  for (const Pass& pass : tried.plan.passes) {
    text << "; work " << pass.work.index() << " border " << static_cast<int>(pass.border.kind) << " size "
         << static_cast<int>(pass.size) << " alpha " << static_cast<int>(pass.alpha) << " light "
         << static_cast<int>(pass.light) << " range " << static_cast<int>(pass.range.kind) << " epilogue "
         << pass.epilogue.result << ' ' << pass.epilogue.input << ' ' << pass.epilogue.offset;
  }
  return text.str();
}

/// Adds a plan to a case that has a picture; false where nothing would be left of it.
bool AddPlan(Dice& dice, const CaseLimits& limits, Case& tried) {
  const AlphaMode alpha = static_cast<AlphaMode>(dice.Between(0, 2));
  const bool weighted = tried.image->alpha() && alpha == AlphaMode::kWeighted;
  const int passes = dice.OneIn(10) && !limits.work ? 0 : dice.OneIn(3) ? dice.Between(1, limits.passes) : 1;
  Bound bound;
  for (int i = 0; i < passes; ++i) {
    // A quotient of rests between passes would have no bound; at the end it is looked at with care.
    const bool positive = dice.OneIn(3) || (weighted && i + 1 < passes);
    const Weights kind = positive ? Weights::kPositive : dice.OneIn(2) ? Weights::kMixed : Weights::kWhole;
    const Pass pass = RandomPass(dice, alpha, kind, limits);
    bound = After(pass, bound);
    tried.quotient_of_rests = weighted && !positive;
    tried.plan.passes.push_back(pass);
  }
  tried.tolerance = bound.error + kSingle;
  try {
    const ResultSize size = SizeAfter(tried.plan, tried.image->width(), tried.image->height());
    const int level = tried.request.level;
    tried.request.region = {0, 0, ReducedLength(size.width, level), ReducedLength(size.height, level)};
    return true;
  } catch (const Error&) {
    tried.plan.passes.clear();
    return false;
  }
}

template <typename T>
double AlphaOf(const Case& tried, const T* row, int sample) {
  const int channels = tried.image->channels();
  if (!tried.image->alpha() || sample % channels == channels - 1) return 1;
  return static_cast<double>(row[sample / channels * channels + channels - 1]) / FullScale(tried.type);
}

}  // namespace

std::shared_ptr<const Image> RandomPicture(Dice& dice, int width, int height, int channels, bool alpha,
                                           SampleType type) {
  auto image = std::make_shared<Image>(width, height, channels, alpha, type);
  const bool opaque = dice.OneIn(4);
  std::visit(
      [&](const auto& view) {
        using T = std::remove_pointer_t<decltype(view.data)>;
        for (int y = 0; y < height; ++y) {
          for (int i = 0; i < width * channels; ++i) {
            double share = dice.Share();
            if (alpha && i % channels == channels - 1) share = opaque ? 1 : dice.OneIn(4) ? 0 : share;
            const double value = share * FullScale(type);
            view.Row(y)[i] = static_cast<T>(std::is_integral_v<T> ? std::round(value) : value);
          }
        }
      },
      image->view());
  return image;
}

Case RandomCase(uint32_t seed, const CaseLimits& limits) {
  Dice dice(seed);
  Case tried;
  const int channels = dice.Between(1, 4);
  const bool alpha = channels % 2 == 0 && !dice.OneIn(3);
  const SampleType type = static_cast<SampleType>(dice.Between(0, 3));
  const int width = dice.Between(1, limits.width);
  tried.image = RandomPicture(dice, width, dice.Between(1, limits.height), channels, alpha, type);
  tried.type = dice.OneIn(4) ? static_cast<SampleType>(dice.Between(0, 3)) : type;
  tried.request.level = dice.OneIn(5) ? dice.Between(1, 4) : 0;
  while (!AddPlan(dice, limits, tried)) {
  }
  tried.description = Describe(tried);
  return tried;
}

std::unique_ptr<Image> ResultOf(Backend& backend, const Case& tried) {
  const Region& region = tried.request.region;
  auto result =
      std::make_unique<Image>(region.width, region.height, tried.image->channels(), tried.image->alpha(), tried.type);
  backend.Run(tried.plan, tried.image, tried.request, result->view(), CancelToken());
  return result;
}

std::vector<TargetBackend> BackendsOfAllTargets(int threads) {
  std::vector<TargetBackend> backends;
  for (const cpu::Target& target : cpu::AvailableTargets()) {
    backends.push_back({target.name, std::make_unique<cpu::CpuBackend>(threads, target)});
  }
  return backends;
}

void CheckReachOfTransforms(const Pass& pass, const std::vector<TargetBackend>& backends) {
  constexpr int kSide = 300;
  constexpr int kX = 150;
  constexpr int kY = 140;
  constexpr float kRounding = 1.2e-6f;
  const int reach = ReachOf(pass).left;
  const int part = 2 * reach + 1;
  auto samples = Noise<float>(kSide * kSide * 3, 3);
  const Plan plan{{pass}};
  const auto reference = MakeReferenceBackend();
  const auto clean = Result<float>(*reference, plan, Picture<float>(kSide, kSide, samples));
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 1e5f, 1e30f, -3e38f}) {
    samples[(kY * kSide + kX) * 3 + 1] = bad;
    const auto image = Picture<float>(kSide, kSide, samples);
    const auto reached = Part<float>(*reference, plan, image, {kX - reach, kY - reach, part, part});
    for (const TargetBackend& target : backends) {
      const auto dirty = Result<float>(*target.backend, plan, image);
      int wrong = 0;
      for (int i = 0; i < kSide * kSide * 3; ++i) {
        const float got = dirty[static_cast<size_t>(i)];
        const int x = i / 3 % kSide - kX + reach;
        const int y = i / 3 / kSide - kY + reach;
        if (i % 3 != 1 || x < 0 || x >= part || y < 0 || y >= part) {
          if (!(std::abs(got - clean[static_cast<size_t>(i)]) <= kRounding)) ++wrong;
          continue;
        }
        const float want = reached[static_cast<size_t>((y * part + x) * 3 + 1)];
        const bool right = std::isfinite(want) ? std::abs(got - want) <= 1e-6f * std::abs(want) + kRounding
                                               : std::isnan(want) == std::isnan(got) && !std::isfinite(got);
        if (!right) ++wrong;
      }
      INFO(target.name, ", ", bad);
      CHECK(wrong == 0);
    }
  }
}

Difference Compare(const Case& tried, const Image& expected, const Image& got) {
  Difference difference;
  std::visit(
      [&](const auto& wanted) {
        const AnyConstView any = got.view();
        const auto& view = std::get<std::decay_t<decltype(wanted)>>(any);
        for (int y = 0; y < wanted.height; ++y) {
          for (int i = 0; i < wanted.width * wanted.channels; ++i) {
            const double want = static_cast<double>(wanted.Row(y)[i]);
            const double have = static_cast<double>(view.Row(y)[i]);
            const double alpha = std::abs(AlphaOf(tried, wanted.Row(y), i));
            if (tried.quotient_of_rests && alpha < 1e-2) continue;
            ++difference.samples;
            if (want == have) ++difference.exact;
            double off = std::abs(want - have);
            if (!IsInteger(tried.type)) off *= std::min(alpha, 1.0) / (tried.tolerance * (1 + std::abs(want)));
            if (!(off <= 1)) ++difference.beyond;  // not-a-number too
            difference.worst = std::max(difference.worst, off);
          }
        }
      },
      std::as_const(expected).view());
  return difference;
}

}  // namespace convolve::test
