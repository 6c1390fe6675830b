// The cuda backend against reference on its device: random plans over every kind of picture, kernel, border, alpha mode
// and range; every technique and its edges; several threads; many images.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "engine/backend.h"
#include "pictures.h"

namespace convolve::test {
namespace {

constexpr BorderKind kBorders[] = {BorderKind::kZero,    BorderKind::kConstant, BorderKind::kReplicate,
                                   BorderKind::kReflect, BorderKind::kMirror,   BorderKind::kWrap};
constexpr AlphaMode kAlphaModes[] = {AlphaMode::kWeighted, AlphaMode::kStraight, AlphaMode::kColourOnly};
constexpr RangeKind kRanges[] = {RangeKind::kClamp, RangeKind::kAbsolute, RangeKind::kSigned, RangeKind::kFloat,
                                 RangeKind::kRescale};

/// Numbers of one seed.
class Dice {
 public:
  explicit Dice(uint32_t seed) : random_(seed) {}
  int Below(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  bool OneIn(int count) { return Below(count) == 0; }
  double Share() { return random_() / 4294967296.0; }
  template <typename T, size_t N>
  T Of(const T (&values)[N]) {
    return values[Below(N)];
  }

 private:
  std::mt19937 random_;
};

std::vector<double> RandomWeights(int count, Dice& dice) {
  std::vector<double> weights;
  for (int i = 0; i < count; ++i) weights.push_back(dice.Share() - 0.35);
  return weights;
}

/// The sum of the weights' magnitudes: with it as the divisor a result stays within the scale of its input.
double Magnitude(const std::vector<double>& weights) {
  double sum = 1e-9;
  for (const double weight : weights) sum += std::abs(weight);
  return sum;
}

DenseWeights RandomDense(int width, int height, Dice& dice) {
  DenseWeights dense{width, height, width / 2, height / 2, RandomWeights(width * height, dice), 1};
  dense.divisor = Magnitude(dense.weights) * 0.7;
  if (dice.OneIn(4)) {
    dense.anchor_x = dice.Below(width);
    dense.anchor_y = dice.Below(height);
  }
  return dense;
}

Work RandomWork(Dice& dice) {
  const int side = 2 * dice.Below(9) + 1;
  const bool square = !dice.OneIn(4);
  const int width = square ? side : 1 + dice.Below(24);
  const int height = square ? side : 1 + dice.Below(24);
  switch (dice.Below(4)) {
    case 0:
    case 1:
      return RandomDense(width, height, dice);
    case 2: {
      SeparableWeights separable{width, height, width / 2, height / 2, {}, 1};
      const int pairs = dice.OneIn(3) ? 2 + dice.Below(2) : 1;
      double sum = 0;
      for (int i = 0; i < pairs; ++i) {
        separable.pairs.push_back({RandomWeights(height, dice), RandomWeights(width, dice)});
        sum += Magnitude(separable.pairs.back().column) * Magnitude(separable.pairs.back().row);
      }
      separable.divisor = sum * 0.7;
      return separable;
    }
    default: {
      const int other = dice.OneIn(3) ? 1 + dice.Below(6) : std::min(width, 7);
      return MagnitudeWeights{RandomDense(std::min(width, 7), std::min(height, 7), dice),
                              RandomDense(other, std::min(height, 7), dice)};
    }
  }
}

Pass RandomPass(bool alpha, Dice& dice) {
  Pass pass;
  pass.work = RandomWork(dice);
  pass.border = {dice.Of(kBorders), dice.OneIn(3) ? 1.0 : dice.Share()};
  pass.alpha = dice.Of(kAlphaModes);
  pass.light = dice.OneIn(5) ? LightMode::kLinear : LightMode::kEncoded;
  pass.size = dice.OneIn(6) ? SizeMode::kValid : SizeMode::kSame;
  pass.range.kind = dice.Of(kRanges);
  if (pass.range.kind == RangeKind::kRescale) pass.range = {RangeKind::kRescale, -0.5, 1.25};
  if (dice.OneIn(3)) pass.epilogue = {dice.Share() * 2 - 0.5, dice.Share(), dice.Share() - 0.5};
  // Dividing by an alpha that may be any number, even 0, magnifies rounding without bound: then only non-negative
  // kernels.
  if (alpha && pass.alpha == AlphaMode::kWeighted) {
    const auto positive = [](std::vector<double>& weights) {
      for (double& weight : weights) weight = std::abs(weight) + 0.05;
    };
    pass.epilogue.result = std::abs(pass.epilogue.result) + 0.1;
    if (auto* dense = std::get_if<DenseWeights>(&pass.work)) positive(dense->weights);
    if (auto* separable = std::get_if<SeparableWeights>(&pass.work)) {
      for (RankPair& pair : separable->pairs) {
        positive(pair.column);
        positive(pair.row);
      }
    }
  }
  return pass;
}

/// Noise; alpha, where there is one, never near 0 except where it is 0.
template <typename T>
std::shared_ptr<const Image> RandomPicture(Dice& dice) {
  const int width = 1 + dice.Below(90);
  const int height = 1 + dice.Below(60);
  const int channels = 1 + dice.Below(4);
  const bool alpha = channels % 2 == 0 && !dice.OneIn(3);
  const int alpha_kind = dice.Below(2);  // opaque, or from a half to full
  auto samples = Noise<T>(static_cast<size_t>(width * height * channels), static_cast<uint32_t>(dice.Below(1 << 30)));
  if (alpha) {
    const double full = FullScale(TypeOf<T>());
    for (size_t i = static_cast<size_t>(channels) - 1; i < samples.size(); i += static_cast<size_t>(channels)) {
      samples[i] = static_cast<T>(alpha_kind == 0 ? full : full * (0.5 + dice.Share() / 2));
    }
  }
  return Picture<T>(width, height, samples, alpha ? Alpha::kLast : Alpha::kNone);
}

/// Levels that differ by more than `most`, and samples that differ at all.
struct Differences {
  double largest = 0;
  int64_t unequal = 0;
  int64_t samples = 0;

  template <typename T>
  void Add(const std::vector<T>& got, const std::vector<T>& expected) {
    REQUIRE(got.size() == expected.size());
    for (size_t i = 0; i < got.size(); ++i) {
      const double a = static_cast<double>(got[i]);
      const double b = static_cast<double>(expected[i]);
      const double difference = std::isnan(a) != std::isnan(b) ? 1e30 : (std::isnan(a) ? 0 : std::abs(a - b));
      const double scaled = std::is_integral_v<T> ? difference : difference / std::max(1.0, std::abs(b));
      largest = std::max(largest, scaled);
      if (a != b && !(std::isnan(a) && std::isnan(b))) ++unequal;
      ++samples;
    }
  }
};

template <typename T>
void CheckRandomPlans(uint32_t seed, int count, double tolerance, double exact_share) {
  const auto cuda = MakeCudaBackend();
  REQUIRE(cuda->info().available);
  const auto reference = MakeReferenceBackend();
  Differences all;
  for (int i = 0; i < count; ++i) {
    Dice dice(seed + static_cast<uint32_t>(i));
    CAPTURE(seed + static_cast<uint32_t>(i));
    const auto image = RandomPicture<T>(dice);
    Plan plan;
    const int passes = 1 + dice.Below(3);
    for (int p = 0; p < passes; ++p) plan.passes.push_back(RandomPass(image->alpha(), dice));
    try {
      SizeAfter(plan, image->width(), image->height());
    } catch (const Error&) {
      continue;  // a valid pass larger than the picture: refused by both, tested elsewhere
    }
    Differences one;
    one.Add(Result<T>(*cuda, plan, image), Result<T>(*reference, plan, image));
    CHECK(one.largest <= tolerance);
    all.unequal += one.unequal;
    all.samples += one.samples;
  }
  MESSAGE("unequal ", all.unequal, " of ", all.samples);
  CHECK(all.samples > 0);
  CHECK(static_cast<double>(all.unequal) <= (1 - exact_share) * static_cast<double>(all.samples));
}

TEST_CASE("<cuda> random plans agree with reference: 8-bit within a level, nearly all exact") {
  CheckRandomPlans<uint8_t>(1000, 300, 1, 0.999);
}

TEST_CASE("<cuda> random plans agree with reference: 16-bit within a level") {
  // float32 has 24 bits for 16 and the fractions that decide the rounding.
  CheckRandomPlans<uint16_t>(2000, 200, 1, 0.98);
}

TEST_CASE("<cuda> random plans agree with reference: float32") { CheckRandomPlans<float>(3000, 300, 2e-5, 0); }

TEST_CASE("<cuda> random plans agree with reference: float64, computed in float32") {
  CheckRandomPlans<double>(4000, 100, 2e-5, 0);
}

TEST_CASE("<cuda> dyadic kernels of integers are exact in every technique, channel count and depth") {
  const auto cuda = MakeCudaBackend();
  const auto reference = MakeReferenceBackend();
  Dice dice(5);
  for (const int side : {1, 2, 3, 4, 5, 7, 9, 11, 13, 15, 17, 33}) {
    CAPTURE(side);
    std::vector<double> weights;
    for (int i = 0; i < side * side; ++i) weights.push_back(dice.Below(15) - 5);
    std::vector<double> line;
    for (int i = 0; i < side; ++i) line.push_back(dice.Below(7) - 2);
    const std::vector<Work> works = {
        Kernel(side, side, weights, 64), Kernel(side, side, weights, 48),
        SeparableWeights{side, side, side / 2, side / 2, {{line, line}}, 32},
        SeparableWeights{side, side, side / 2, side / 2, {{line, line}, {line, line}}, 32}};
    for (size_t w = 0; w < works.size(); ++w) {
      CAPTURE(w);
      for (const int channels : {1, 2, 3, 4}) {
        CAPTURE(channels);
        Pass pass = PassOf(works[w], dice.Of(kBorders));
        const auto bytes = NoisePicture<uint8_t>(71, 43, channels, static_cast<uint32_t>(side * 10 + channels));
        CHECK(Result<uint8_t>(*cuda, {{pass}}, bytes) == Result<uint8_t>(*reference, {{pass}}, bytes));
      }
    }
  }
}

/// Whole numbers, an outer product: what gradients are.
DenseWeights RandomProduct(int side, Dice& dice) {
  std::vector<int> column;
  std::vector<int> row;
  for (int i = 0; i < side; ++i) {
    column.push_back(dice.Below(13) - 4);
    row.push_back(3 * (dice.Below(9) - 4));
  }
  DenseWeights dense{side, side, side / 2, side / 2, {}, 1};
  for (const int a : column) {
    for (const int b : row) dense.weights.push_back(a * b);
  }
  dense.divisor = Magnitude(dense.weights);
  return dense;
}

template <typename T>
void CheckWide(int width, int channels, Dice& dice, double tolerance) {
  const auto cuda = MakeCudaBackend();
  const auto reference = MakeReferenceBackend();
  const auto image = NoisePicture<T>(width, 37, channels, static_cast<uint32_t>(width + channels));
  for (const int side : {3, 5, 7, 9, 11, 13, 15}) {
    for (int kind = 0; kind < 3; ++kind) {
      CAPTURE(channels);
      CAPTURE(side);
      CAPTURE(kind);
      Work work = RandomDense(side, side, dice);
      if (kind == 1) {
        const std::vector<double> line(static_cast<size_t>(side), 1.0 / side);
        work = SeparableWeights{side, side, side / 2, side / 2, {{line, line}}, 1};
      }
      if (kind == 2) {
        if (side > 7) continue;
        work = MagnitudeWeights{RandomProduct(side, dice), RandomProduct(side, dice)};
      }
      const Plan plan{{PassOf(work, dice.Of(kBorders))}};
      // A region in the middle too: its windows begin and end elsewhere.
      for (const Region& region : {Region{0, 0, width, 37}, Region{width / 3 + 1, 5, width / 2, 23}}) {
        Differences differences;
        differences.Add(Part<T>(*cuda, plan, image, region), Part<T>(*reference, plan, image, region));
        CHECK(differences.largest <= tolerance);
        CHECK(differences.unequal <= (std::is_integral_v<T> ? 0.01 * static_cast<double>(differences.samples) : 1e18));
      }
    }
  }
}

TEST_CASE("<cuda> pictures wider than a block agree with reference, in every walk") {
  Dice dice(9);
  for (const int channels : {1, 3, 4}) {
    // Blocks are 128 to 2048 pixels wide: some lie inside the picture, some across its edges.
    CheckWide<uint8_t>(channels == 1 ? 4999 : 1501, channels, dice, 1);
    CheckWide<uint16_t>(channels == 1 ? 2601 : 1201, channels, dice, 1);
    CheckWide<float>(channels == 1 ? 1701 : 601, channels, dice, 1e-5);
  }
}

TEST_CASE("<cuda> an opaque picture is exact with alpha too") {
  const auto cuda = MakeCudaBackend();
  const auto reference = MakeReferenceBackend();
  auto samples = Noise<uint16_t>(40 * 30 * 4, 77);
  for (size_t i = 3; i < samples.size(); i += 4) samples[i] = 65535;
  const auto image = Picture<uint16_t>(40, 30, samples, Alpha::kLast);
  for (const BorderKind border : kBorders) {
    CAPTURE(static_cast<int>(border));
    const Pass pass = PassOf(Kernel(3, 3, {1, 2, 1, 2, 4, 2, 1, 2, 1}, 16), border);
    Differences differences;
    differences.Add(Result<uint16_t>(*cuda, {{pass}}, image), Result<uint16_t>(*reference, {{pass}}, image));
    // A transparent border makes the rim divide by an alpha that is not a power of two.
    const bool rim = border == BorderKind::kZero || border == BorderKind::kConstant;
    CHECK(differences.largest <= (rim ? 1 : 0));
  }
}

TEST_CASE("<cuda> kernels of 511 cells a side, dense and separable, agree with direct sums") {
  const auto cuda = MakeCudaBackend();
  const auto reference = MakeReferenceBackend();
  Dice dice(6);
  const auto image = NoisePicture<float>(37, 21, 1, 78);
  const Pass dense = PassOf(RandomDense(511, 511, dice), BorderKind::kMirror, RangeKind::kFloat);
  Differences differences;
  differences.Add(Result<float>(*cuda, {{dense}}, image), Result<float>(*reference, {{dense}}, image));
  CHECK(differences.largest <= 1e-5);
  for (const int pairs : {1, 2, 3}) {
    CAPTURE(pairs);
    SeparableWeights separable{511, 511, 200, 300, {}, 0};
    for (int i = 0; i < pairs; ++i) {
      separable.pairs.push_back({RandomWeights(511, dice), RandomWeights(511, dice)});
      separable.divisor += Magnitude(separable.pairs.back().column) * Magnitude(separable.pairs.back().row);
    }
    const auto colour = NoisePicture<float>(29, 33, 4, 79, Alpha::kLast);
    Pass pass = PassOf(separable, BorderKind::kReflect, RangeKind::kFloat);
    pass.alpha = AlphaMode::kStraight;
    Differences staged;
    staged.Add(Result<float>(*cuda, {{pass}}, colour), Result<float>(*reference, {{pass}}, colour));
    CHECK(staged.largest <= 1e-5);
  }
}

TEST_CASE("<cuda> a measured range of no span is 0 everywhere, also where the result is no number") {
  const auto cuda = MakeCudaBackend();
  const float infinity = std::numeric_limits<float>::infinity();
  const auto image = Picture<float>(4, 1, {infinity, 0.5F, std::numeric_limits<float>::quiet_NaN(), -infinity});
  Pass pass = PassOf(Kernel(1, 1, {1}));
  pass.range = {RangeKind::kRescale, 0.25, 0.25};
  CHECK(Result<float>(*cuda, {{pass}}, image) == std::vector<float>{0, 0, 0, 0});
}

TEST_CASE("<cuda> a large picture is the same whole and in tiles, at every level") {
  const auto cuda = MakeCudaBackend();
  const auto image = NoisePicture<uint8_t>(2111, 1307, 4, 80, Alpha::kLast);
  Dice dice(7);
  const Plan plan{
      {PassOf(RandomDense(5, 5, dice), BorderKind::kMirror), PassOf(RandomDense(7, 7, dice)),
       PassOf(SeparableWeights{9, 9, 4, 4, {{std::vector<double>(9, 1.0), std::vector<double>(9, 1.0)}}, 81},
              BorderKind::kWrap)}};
  for (const int level : {0, 1, 4}) {
    CAPTURE(level);
    const int width = (2111 + (1 << level) - 1) >> level;
    const int height = (1307 + (1 << level) - 1) >> level;
    const auto whole = Part<uint8_t>(*cuda, plan, image, {0, 0, width, height}, level);
    for (int i = 0; i < 12; ++i) {
      const int x = dice.Below(width);
      const int y = dice.Below(height);
      const Region region{x, y, 1 + dice.Below(std::min(width - x, 700)), 1 + dice.Below(std::min(height - y, 500))};
      const auto part = Part<uint8_t>(*cuda, plan, image, region, level);
      bool same = true;
      for (int row = 0; row < region.height; ++row) {
        const auto begin = whole.begin() + (static_cast<ptrdiff_t>(region.y + row) * width + region.x) * 4;
        same = same && std::equal(begin, begin + static_cast<ptrdiff_t>(region.width) * 4,
                                  part.begin() + static_cast<ptrdiff_t>(row) * region.width * 4);
      }
      CHECK(same);
    }
  }
}

TEST_CASE("<cuda> runs on several threads do not disturb each other") {
  const auto cuda = MakeCudaBackend();
  const auto image = NoisePicture<uint8_t>(500, 400, 4, 81);
  Dice dice(8);
  const Plan plan{{PassOf(RandomDense(9, 9, dice)), PassOf(RandomDense(31, 3, dice))}};
  const auto expected = Result<uint8_t>(*cuda, plan, image);
  std::vector<int> wrong(4, 0);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      const auto own = NoisePicture<uint8_t>(500, 400, 4, 81);
      for (int i = 0; i < 20; ++i) {
        if (Result<uint8_t>(*cuda, plan, i % 2 == 0 ? image : own) != expected) ++wrong[t];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int count : wrong) CHECK(count == 0);
}

}  // namespace
}  // namespace convolve::test
