// The size of transforms comes from a cost model whose constants were measured: instructions per cell, times what a
// plane costs that leaves the second-level cache.
#include "cpu/fft_plan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "cpu/fft_length.h"
#include "cpu/fft_line.h"

namespace convolve::cpu {
namespace {

constexpr double kMostTogether = 10 << 20;   // bytes of planes that are filled together
constexpr double kMostTileBytes = 24 << 20;  // bytes of one thread for a tile: its planes and its results
constexpr int kGrain = 16;                   // steps are multiples of it,
constexpr int kLeastKept = 64;               // rows
constexpr int kLevelGrain = 32;              // and of this where it costs little, so that tiles of a level align

/// Largest step of a transform of this length; 0 or less where there is none.
int StepOf(int length, int kernel) {
  const int fits = length - kernel + 1;
  const int coarse = fits / kLevelGrain * kLevelGrain;
  const int fine = fits / kGrain * kGrain;
  return coarse * 100 >= fine * 92 ? coarse : fine;
}

double Divided(int value, int by) { return (value + by - 1) / by; }

/// Relative time of a cell by the bytes of its plane: in the second-level cache, about there, beyond; twice in double.
double CacheFactor(double cells, size_t value_bytes) {
  const double bytes = cells * 2 * static_cast<double>(value_bytes);
  return (bytes <= 600e3 ? 1 : bytes <= 2.2e6 ? 1.2 : 1.35) * (static_cast<double>(value_bytes) / sizeof(float));
}

struct Shape {
  int width = 0;
  int height = 0;
  int step_x = 0;
  int step_y = 0;
};

/// Relative time of a whole picture.
double CostOf(const Shape& shape, int tiles, size_t value_bytes, const FftSurroundings& around) {
  const double cells = static_cast<double>(shape.width) * shape.height;
  const double back = static_cast<double>(shape.step_x) / shape.width;
  const double down = FftLengthOf<float>(shape.height).instructions;
  const double across = FftLengthOf<float>(shape.width).instructions;
  constexpr double kTranspose = 10;  // of one cell, with the loads and stores around it
  constexpr double kLoad = 12;       // of one cell from its samples
  constexpr double kStore = 20;      // of one result
  const double tile =
      cells * CacheFactor(cells, value_bytes) * (down * (1 + back) + 2 * across + 4 + kTranspose * (1 + back) + kLoad) +
      kStore * shape.step_x * shape.step_y;
  const double count = Divided(around.output_width, shape.step_x * tiles) * Divided(around.output_height, shape.step_y);
  return count * tile;
}

/// Sets the plan's tiles and the shape of their transforms; false where none fits into memory.
bool PlanShape(const DenseWeights& weights, int tiles, const FftSurroundings& around, FftPlan& plan) {
  const size_t value_bytes = plan.in_double ? sizeof(double) : sizeof(float);
  // Tiles lower than their kernel would mostly be halo.
  int most_rows = std::numeric_limits<int>::max();
  if (around.kept_row_bytes > 0) {
    most_rows =
        std::max(static_cast<int>(around.kept_bytes / around.kept_row_bytes), std::max(weights.height, kLeastKept));
  }
  double least = std::numeric_limits<double>::infinity();
  FftPlan best = plan;
  for (const int width : FftSizes()) {
    for (const int height : FftSizes()) {
      const Shape shape{width, height, StepOf(width, weights.width), StepOf(height, weights.height)};
      if (shape.step_x <= 0 || shape.step_y <= 0 || shape.step_y > most_rows) continue;
      const double cost = CostOf(shape, tiles, value_bytes, around);
      if (cost >= least) continue;
      plan.tiles = tiles;
      plan.width = width;
      plan.height = height;
      plan.step_x = shape.step_x;
      plan.step_y = shape.step_y;
      if (plan.TileBytes(value_bytes) > kMostTileBytes) continue;
      least = cost;
      best = plan;
    }
  }
  plan = best;
  return least < std::numeric_limits<double>::infinity();
}

/// The same for a kernel that is one column or one row.
bool PlanLine(const DenseWeights& weights, int tiles, const FftSurroundings& around, FftPlan& plan) {
  LineNeeds needs;
  needs.axes = plan.axes;
  needs.kernel = std::max(weights.width, weights.height);
  needs.output = plan.axes == FftAxes::kDown ? around.output_height : around.output_width;
  if (around.kept_row_bytes > 0) needs.most_rows = static_cast<int>(around.kept_bytes / around.kept_row_bytes);
  needs.tiles = tiles;
  needs.value_bytes = plan.in_double ? sizeof(double) : sizeof(float);
  const LineShape line = ShapeOfLine(needs);
  if (line.length == 0) return false;
  plan.tiles = tiles;
  if (plan.axes == FftAxes::kDown) {
    plan.width = plan.step_x = plan.channels.size() > 2 ? kLineGrain : 2 * kLineGrain;
    plan.height = line.length;
    plan.step_y = line.step;
  } else {
    plan.width = line.length;
    plan.step_x = line.step;
    plan.height = plan.step_y = kLineGrain;
  }
  return true;
}

struct Sums {
  double sum = 0;
  double absolute = 0;
};

Sums SumsOf(const std::vector<double>& weights) {
  Sums sums;
  for (const double weight : weights) {
    sums.sum += weight;
    sums.absolute += std::abs(weight);
  }
  return sums;
}

// Measured (test/native/cpu_fft_precision_test.cpp): the largest error of a sum, as a share of the largest sum.
constexpr double kErrorSingle = 4e-7;
/// Rounding is exact in 99.9 % of samples while errors stay below 0.0005 levels; of the 255 of a byte, in float, that
/// allows this gain.
constexpr double kMostGain = 4;

/// Decides precision and rounding.
void PlanPrecision(const FftSurroundings& around, const std::vector<double>& weights, double divisor, FftPlan& plan) {
  const Sums sums = SumsOf(weights);
  const double gain = std::max(around.gain, sums.absolute / std::abs(divisor));
  const bool weights_fit = sums.absolute > 1e-15 && sums.absolute < 1e15;
  plan.in_double = around.works_in_double || !weights_fit || (around.strict && (around.uneven || gain > kMostGain));
  plan.most_single = weights_fit ? 16 * around.largest : 0;
  plan.most_double = 1e8 * around.largest;
  if (around.whole_samples) {
    const double quantum = QuantumOf(weights);
    const double most = around.largest * sums.absolute;
    if (!around.halfway && AreTiesFrequent(quantum, divisor)) {
      if (most * kErrorSingle > quantum / 4 || most > quantum * (1 << 23)) plan.in_double = true;
      if (!plan.in_double || most < quantum * 1e12) plan.quantum = quantum;
    }
    if (!plan.in_double) plan.middle = std::floor(around.largest / 2) + 1;
  }
  plan.added = plan.middle * sums.sum;
}

}  // namespace

double QuantumOf(const std::vector<double>& weights) {
  double quantum = 0;
  for (const double weight : weights) {
    if (weight == 0) continue;
    int exponent = 0;
    const double mantissa = std::frexp(std::abs(weight), &exponent);
    auto digits = static_cast<uint64_t>(std::ldexp(mantissa, 53));
    exponent -= 53;
    while (digits % 2 == 0) {
      digits /= 2;
      ++exponent;
    }
    const double lowest = std::ldexp(1.0, exponent);
    quantum = quantum == 0 ? lowest : std::min(quantum, lowest);
  }
  return quantum;
}

bool AreTiesFrequent(double quantum, double divisor) {
  constexpr double kRareTies = 4096;  // one in so many samples
  return quantum > 0 && std::abs(divisor) < kRareTies * quantum;
}

int FftPlan::PlanesAtOnce(size_t value_bytes) const {
  const double plane = 2.0 * static_cast<double>(value_bytes) * width * height;
  return planes() * plane <= kMostTogether ? planes() : 1;
}

double FftPlan::TileBytes(size_t value_bytes) const {
  const double plane = 2.0 * static_cast<double>(value_bytes) * width * height;
  const double share = PlanesAtOnce(value_bytes) == planes() ? 1 : static_cast<double>(step_x) / width;
  const double result = static_cast<double>(tile_width()) * tile_height() * (static_cast<double>(channels.size()) + 1);
  return plane * (1 + (planes() - 1) * share) + result * static_cast<double>(value_bytes);
}

std::shared_ptr<FftPlan> PlanFft(const DenseWeights& weights, const FftSurroundings& around) {
  auto plan = std::make_shared<FftPlan>();
  plan->channels = around.channels;
  SpectrumKey key;
  key.kernel_width = weights.width;
  key.kernel_height = weights.height;
  key.weights = weights.weights;
  for (double& weight : key.weights) weight *= around.weight_scale;
  const double divisor = weights.divisor * around.weight_scale;
  PlanPrecision(around, key.weights, divisor, *plan);
  // Sums of numbers that are not whole are no more exact before a division than after it.
  if (plan->quantum == 0 && plan->most_single > 0) {
    for (double& weight : key.weights) weight /= divisor;
    plan->added /= divisor;
    plan->divided = true;
  }
  const bool line = weights.width == 1 || weights.height == 1;
  if (line) plan->axes = weights.width == 1 ? FftAxes::kDown : FftAxes::kAcross;
  const auto shape = [&](int tiles) {
    return line ? PlanLine(weights, tiles, around, *plan) : PlanShape(weights, tiles, around, *plan);
  };
  const int tiles = line ? TilesOfLines(static_cast<int>(plan->channels.size()), around.picture_channels)
                    : plan->channels.size() % 2 == 0 ? 1
                                                     : 2;
  if (!shape(tiles)) return nullptr;
  if (tiles == 2 && around.output_width <= plan->step_x) shape(1);  // nothing to pair with
  if (plan->TileBytes(sizeof(double)) > kMostTileBytes) plan->most_double = 0;
  key.width = plan->axes == FftAxes::kDown ? 1 : plan->width;
  key.height = plan->axes == FftAxes::kAcross ? 1 : plan->height;
  plan->key = std::make_shared<const SpectrumKey>(std::move(key));
  return plan;
}

void BindSpectrum(FftPlan& plan, SpectrumCache& cache, int64_t target) {
  SpectrumKey key = *plan.key;
  key.in_double = plan.in_double;
  key.target = target;
  plan.key = std::make_shared<const SpectrumKey>(std::move(key));
  plan.spectrum = cache.Find(*plan.key);
  plan.cache = &cache;
}

IndexSet WholeTiles(const IndexSet& indices, int tile, int size) {
  std::vector<Interval> whole;
  for (const Interval& interval : indices.intervals()) {
    const int64_t end = (int64_t{interval.end} + tile - 1) / tile * tile;
    whole.push_back({interval.begin / tile * tile, static_cast<int>(std::min<int64_t>(end, size))});
  }
  return IndexSet(std::move(whole));
}

int MostWholeTiles(int length, int tile, int size) {
  const int64_t tiles = (int64_t{length} + tile - 2) / tile + 1;
  return static_cast<int>(std::min<int64_t>(tiles * tile, size));
}

}  // namespace convolve::cpu
