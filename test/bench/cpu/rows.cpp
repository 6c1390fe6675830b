// Kernels are the same in every run. Dense ones are positive noise: they separate into nothing and have no zero.
#include "rows.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "engine/plan.h"

namespace convolve::bench {
namespace {

double Sum(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

DenseWeights Square(int size, std::vector<double> weights, double divisor) {
  return {size, size, size / 2, size / 2, std::move(weights), divisor};
}

/// The same positive noise each time.
std::vector<double> Noise(size_t count) {
  std::vector<double> values;
  uint32_t state = 12345;
  for (size_t i = 0; i < count; ++i) {
    state = state * 1664525u + 1013904223u;  // Numerical Recipes' generator
    values.push_back(0.1 + state / 4294967296.0);
  }
  return values;
}

DenseWeights NoiseKernel(int size) {
  std::vector<double> weights = Noise(static_cast<size_t>(size) * static_cast<size_t>(size));
  const double sum = Sum(weights);
  return Square(size, std::move(weights), sum);
}

DenseWeights OuterProduct(const std::vector<double>& taps) {
  std::vector<double> weights;
  for (const double down : taps) {
    for (const double across : taps) weights.push_back(down * across);
  }
  const double sum = Sum(taps);
  return Square(static_cast<int>(taps.size()), std::move(weights), sum * sum);
}

std::vector<double> GaussianTaps(int size, double sigma) {
  std::vector<double> taps;
  for (int i = 0; i < size; ++i) {
    const double distance = i - size / 2;
    taps.push_back(std::exp(-distance * distance / (2 * sigma * sigma)));
  }
  const double sum = Sum(taps);
  for (double& tap : taps) tap /= sum;
  return taps;
}

Path Dense(const DenseWeights& kernel) { return {"dense", kernel, 2.0 * kernel.width * kernel.height}; }

Path Fft(const DenseWeights& kernel) { return {"fft", FftWeights{kernel}, 0}; }

Path Sparse(const DenseWeights& kernel) {
  const auto zeros = std::count(kernel.weights.begin(), kernel.weights.end(), 0.0);
  return {"sparse", SparseWeights{kernel}, 2.0 * static_cast<double>(kernel.weights.size() - zeros)};
}

Path Separable(const std::vector<double>& taps) {
  const int size = static_cast<int>(taps.size());
  const double sum = Sum(taps);
  return {"separable", SeparableWeights{size, size, size / 2, size / 2, {{taps, taps}}, sum * sum}, 4.0 * size};
}

Row DenseRow(int size) {
  Row row{"dense " + std::to_string(size), "dense", size, Operation::kFilter, NoiseKernel(size), {}, {}, 0, {}, false};
  row.paths = {Dense(row.kernel), Fft(row.kernel)};
  if (size >= 31) std::swap(row.paths[0], row.paths[1]);
  return row;
}

Row GaussianRow(int size, bool extra) {
  // OpenCV's own rule for a size without a sigma.
  const double sigma = 0.3 * ((size - 1) * 0.5 - 1) + 0.8;
  const std::vector<double> taps = GaussianTaps(size, sigma);
  const bool grid = size <= kMaximumKernelSide;
  Row row{"gaussian " + std::to_string(size),
          "gaussian",
          size,
          Operation::kGaussian,
          grid ? OuterProduct(taps) : Square(size, {}, Sum(taps) * Sum(taps)),
          {},
          taps,
          sigma,
          {},
          extra};
  row.paths = {Separable(taps)};
  if (grid) row.paths.insert(row.paths.end(), {Dense(row.kernel), Fft(row.kernel)});
  return row;
}

Row BoxRow(int size) {
  const std::vector<double> taps(static_cast<size_t>(size), 1.0);
  Row row{"box " + std::to_string(size), "box", size, Operation::kBox, OuterProduct(taps), {}, taps, 0, {}, false};
  const BoxWeights box{size, size, size / 2, size / 2, row.kernel.divisor};
  // Two running sums: in and out, across and down.
  row.paths = {{"box", box, 4}, Separable(taps), Dense(row.kernel), Fft(row.kernel)};
  return row;
}

Row SmallRow(std::string name, std::vector<double> weights) {
  Row row{std::move(name), "", 3, Operation::kFilter, Square(3, std::move(weights), 1), {}, {}, 0, {}, false};
  row.paths = {Dense(row.kernel), Sparse(row.kernel)};
  return row;
}

Row SobelRow() {
  Row row{"sobel magnitude",
          "",
          3,
          Operation::kMagnitude,
          Square(3, {-1, 0, 1, -2, 0, 2, -1, 0, 1}, 1),
          Square(3, {-1, -2, -1, 0, 0, 0, 1, 2, 1}, 1),
          {},
          0,
          {},
          false};
  row.paths = {{"magnitude", MagnitudeWeights{row.kernel, row.other}, 2.0 * 12 + 4}};
  return row;
}

/// A line of equal weights along the diagonal: one tap in each row.
Row MotionRow(int size) {
  std::vector<double> weights(static_cast<size_t>(size) * static_cast<size_t>(size), 0.0);
  for (int i = 0; i < size; ++i) weights[static_cast<size_t>(i) * static_cast<size_t>(size + 1)] = 1;
  Row row{"motion " + std::to_string(size),
          "motion",
          size,
          Operation::kFilter,
          Square(size, std::move(weights), size),
          {},
          {},
          0,
          {},
          true};
  row.paths = {Sparse(row.kernel), Dense(row.kernel), Fft(row.kernel)};
  return row;
}

/// The sum of four outer products of noise.
Row RankRow(int size) {
  constexpr int kRank = 4;
  const auto side = static_cast<size_t>(size);
  const std::vector<double> noise = Noise(2 * kRank * side);
  SeparableWeights pairs{size, size, size / 2, size / 2, {}, 1};
  std::vector<double> weights(side * side, 0.0);
  for (auto column = noise.begin(); column != noise.end(); column += 2 * size) {
    pairs.pairs.push_back({{column, column + size}, {column + size, column + 2 * size}});
    const RankPair& pair = pairs.pairs.back();
    for (size_t i = 0; i < weights.size(); ++i) weights[i] += pair.column[i / side] * pair.row[i % side];
  }
  pairs.divisor = Sum(weights);
  Row row{"rank-4 " + std::to_string(size),
          "rank 4",
          size,
          Operation::kFilter,
          Square(size, std::move(weights), pairs.divisor),
          {},
          {},
          0,
          {},
          true};
  row.paths = {{"separable", pairs, 4.0 * kRank * size}, Dense(row.kernel), Fft(row.kernel)};
  return row;
}

}  // namespace

std::vector<Row> MakeRows() {
  std::vector<Row> rows;
  for (const int size : {3, 5, 7, 11, 15, 31, 63, 127}) rows.push_back(DenseRow(size));
  for (const int size : {5, 9, 15, 31, 61}) rows.push_back(GaussianRow(size, false));
  for (const int size : {5, 31, 101}) rows.push_back(BoxRow(size));
  rows.push_back(SobelRow());
  rows.push_back(SmallRow("laplacian", {0, 1, 0, 1, -4, 1, 0, 1, 0}));
  rows.push_back(SmallRow("sharpen", {0, -1, 0, -1, 5, -1, 0, -1, 0}));
  // The last ones with standard deviations of 91, 181 and 451.
  for (const int size : {127, 255, 511, 601, 1201, 3001}) rows.push_back(GaussianRow(size, true));
  for (const int size : {9, 31, 63, 127}) rows.push_back(MotionRow(size));
  for (const int size : {5, 9, 15, 31, 63, 127}) rows.push_back(RankRow(size));
  return rows;
}

}  // namespace convolve::bench
