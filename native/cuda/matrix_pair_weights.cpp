// A row as two digits and a column as two halves, laid out for the matrix units.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "cuda/matrix_pair.h"

namespace convolve::cuda {
namespace {

constexpr int kOutputs = 16;
constexpr int kWindow = 32;
constexpr double kMostDigits = 127 * 256 + 127;
/// The largest magnitude of a sum across once it is scaled, and of a scaled weight down: halves end at 65504.
constexpr double kMostAcross = 32768;
constexpr double kMostDown = 16384;

/// What rounding a weight to a whole number takes off, times a sample, in noise: the root of the means of their
/// squares.
constexpr double kDigitError = 0.29 * 74;
/// In levels: then fewer than one result in a thousand is rounded to another.
constexpr double kMostError = 5e-4;

/// Heights that the kernel has for 1, 2 and 3 steps.
constexpr int kHeights[] = {0, 17, 33, 65};

/// The bits of the half nearest to a number within its range.
uint16_t HalfOf(double value) {
  const uint16_t sign = value < 0 ? 0x8000 : 0;
  const double magnitude = std::abs(value);
  if (magnitude < std::ldexp(1.0, -14)) return sign | static_cast<uint16_t>(std::nearbyint(std::ldexp(magnitude, 24)));
  int exponent = 0;
  const double fraction = std::frexp(magnitude, &exponent);                      // 0.5 ... 1
  const auto bits = static_cast<int>(std::nearbyint(std::ldexp(fraction, 11)));  // 1024 ... 2048
  return sign | static_cast<uint16_t>(((exponent + 14) << 10) + (bits - 1024));
}

double NumberOf(uint16_t half) {
  const int exponent = half >> 10 & 31;
  const int fraction = half & 1023;
  const double magnitude = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25);
  return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

double Most(const std::vector<double>& weights) {
  double most = 0;
  for (const double weight : weights) most = std::max(most, std::abs(weight));
  return most;
}

bool Whole(const std::vector<double>& weights) {
  return std::all_of(weights.begin(), weights.end(), [](double weight) { return weight == std::floor(weight); });
}

/// The row's weights as whole numbers of two digits. What rounding takes off one goes to the next, so that their sum is
/// kept. Returns their factor, a power of two.
double RowNumbers(const std::vector<double>& row, std::vector<int>* numbers) {
  const double most = Most(row);
  double factor = 1;
  if (!Whole(row) || most > kMostDigits) {
    int exponent = 0;
    std::frexp(most / kMostDigits, &exponent);
    factor = std::ldexp(1.0, -exponent);
  }
  double left = 0;
  for (const double weight : row) {
    left += weight * factor;
    const double rounded = std::clamp(std::nearbyint(left), -kMostDigits, kMostDigits);
    numbers->push_back(static_cast<int>(rounded));
    left -= rounded;
  }
  return factor;
}

/// See PutRow in matrix_weights.cpp; the window is the step's.
void PutRow(const std::vector<int>& numbers, bool high, int lead, int step, int8_t* to) {
  for (int thread = 0; thread < 32; ++thread) {
    for (int i = 0; i < 16; ++i) {
      const int m = thread / 4 + i / 4 % 2 * 8;
      const int k = step * kWindow + thread % 4 * 4 + i / 8 * 16 + i % 4;
      const int column = k - m - lead;
      if (column < 0 || column >= static_cast<int>(numbers.size())) continue;
      const int number = numbers[static_cast<size_t>(column)];
      const auto low = static_cast<int8_t>(static_cast<uint8_t>(number & 255));
      to[thread * 16 + i] = high ? static_cast<int8_t>((number - low) / 256) : low;
    }
  }
}

/// PTX ISA, mma.m16n8k16, the second operand: thread t of 32 has, in register r, rows t % 4 * 2 + r * 8 and the next,
/// of column t / 4.
void PutColumn(const std::vector<double>& weights, int distance, uint16_t* to) {
  for (int thread = 0; thread < 32; ++thread) {
    for (int i = 0; i < 4; ++i) {
      const int row = thread % 4 * 2 + i / 2 * 8 + i % 2;
      const int tap = distance + row - thread / 4;
      if (tap < 0 || tap >= static_cast<int>(weights.size())) continue;
      const double weight = weights[static_cast<size_t>(tap)];
      const uint16_t near = HalfOf(weight);
      to[thread * 8 + i] = near;
      to[thread * 8 + 4 + i] = HalfOf(weight - NumberOf(near));
    }
  }
}

}  // namespace

MatrixPairWeights MatrixPairWeightsOf(const SeparableWeights& separable, double taken) {
  MatrixPairWeights to;
  if (separable.pairs.size() != 1) return to;
  const RankPair& pair = separable.pairs[0];
  const int lead = (4 - separable.anchor_x % 4) % 4;
  int steps = (kOutputs + separable.width - 1 + lead + kWindow - 1) / kWindow;
  while (steps <= 3 && separable.height > kHeights[steps]) ++steps;
  const double most_row = Most(pair.row);
  const double most_column = Most(pair.column) / taken;
  const auto fits = [](double most) { return most > 1e-30 && most < 1e30; };
  if (steps > 3 || !fits(most_row) || !fits(most_column)) return to;

  std::vector<int> numbers;
  const double factor = RowNumbers(pair.row, &numbers);
  double squares = 0;
  for (const double weight : pair.column) squares += weight * weight;
  const double error = kDigitError / factor * std::sqrt(separable.width * squares) / taken;
  if (factor != 1 && error > kMostError) return to;
  double sum = 0;
  for (const int number : numbers) sum += std::abs(number);
  int exponent = 0;
  std::frexp(255 * sum / kMostAcross, &exponent);
  const double across = std::ldexp(1.0, -std::max(exponent, 0));
  std::frexp(most_column / kMostDown, &exponent);
  const double down = std::ldexp(1.0, -exponent);
  std::vector<double> column;
  for (const double weight : pair.column) column.push_back(weight / taken * down);

  to.steps = steps;
  to.height = separable.height;
  to.anchor_x = separable.anchor_x;
  to.anchor_y = separable.anchor_y;
  to.lead = lead;
  to.across_scale = static_cast<float>(across);
  to.scale = static_cast<float>(1 / (factor * across * down));
  const int distances = (kHeights[steps] + 15) / 8;
  to.fragments.resize(static_cast<size_t>(steps * 2 + distances) * 512);
  for (int step = 0; step < steps; ++step) {
    for (int digit = 0; digit < 2; ++digit) {
      PutRow(numbers, digit == 0, lead, step, to.fragments.data() + (step * 2 + digit) * 512);
    }
  }
  for (int i = 0; i < distances; ++i) {
    uint16_t halves[32 * 8] = {};
    PutColumn(column, (i - 1) * 8, halves);
    std::memcpy(to.fragments.data() + (steps * 2 + i) * 512, halves, sizeof halves);
  }
  return to;
}

}  // namespace convolve::cuda
