// Weights as digits, laid out for the matrix units.
#include <algorithm>
#include <cmath>

#include "cuda/matrix.h"

namespace convolve::cuda {
namespace {

constexpr int kOutputs = 16;  // rows of the matrix: outputs beside each other
constexpr int kWindow = 32;   // its columns: bytes that they read

/// What rounding a weight to a whole number takes off, times a sample, in noise: the root of the means of their
/// squares.
constexpr double kDigitError = 0.29 * 74;
constexpr double kMostError = 8e-4;  // in levels

int LeadOf(int anchor_x) { return (4 - anchor_x % 4) % 4; }

bool Fits(int width, int height, int anchor_x) {
  return width * height <= kMatrixCells && kOutputs + width - 1 + LeadOf(anchor_x) <= kWindow;
}

/// The largest whole numbers that so many digits hold.
constexpr long long kLargest[] = {0, 127, 127 * 256 + 127, 127 * 65536 + 127 * 256 + 127};

/// Digits that whole numbers up to this magnitude need.
int DigitsFor(double most) {
  for (int digits = 1; digits <= 3; ++digits) {
    if (most <= static_cast<double>(kLargest[digits])) return digits;
  }
  return 0;
}

double Most(const std::vector<double>& weights, double taken) {
  double most = 0;
  for (const double weight : weights) most = std::max(most, std::abs(weight / taken));
  return most;
}

bool Whole(const std::vector<double>& weights, double factor) {
  return std::all_of(weights.begin(), weights.end(),
                     [factor](double weight) { return weight * factor == std::floor(weight * factor); });
}

/// One digit of every weight of a kernel row, into the matrix number `matrix`. PTX ISA, mma.m16n8k32: thread t of 32
/// has, in register r, row t / 4 + r % 2 * 8, columns t % 4 * 4 + r / 2 * 16 ... + 3.
void PutRow(const int8_t* row, int width, int lead, int matrix, std::vector<int8_t>* to) {
  for (int thread = 0; thread < 32; ++thread) {
    for (int i = 0; i < 16; ++i) {
      const int m = thread / 4 + i / 4 % 2 * 8;
      const int k = thread % 4 * 4 + i / 8 * 16 + i % 4;
      const int column = k - m - lead;
      (*to)[static_cast<size_t>((matrix * 32 + thread) * 16 + i)] =
          column >= 0 && column < width ? row[column] : int8_t{0};
    }
  }
}

/// The lowest digit, -128 ... 127, which is taken off the number.
int8_t TakeDigit(int64_t* number) {
  const auto digit = static_cast<int8_t>(static_cast<uint8_t>(*number & 255));
  *number = (*number - digit) / 256;
  return digit;
}

}  // namespace

MatrixWeights MatrixWeightsOf(const DenseWeights& dense, double taken) {
  MatrixWeights to;
  if (!Fits(dense.width, dense.height, dense.anchor_x)) return to;
  const double most = Most(dense.weights, taken);
  if (most == 0) return to;
  // Whole numbers, or numbers of 64ths, as they are; all others as finely as three digits can.
  double factor = 0;
  if (taken == 1) {
    for (const double exact : {1.0, 64.0}) {
      if (factor == 0 && Whole(dense.weights, exact) && DigitsFor(most * exact) > 0) factor = exact;
    }
  }
  to.fine = factor != 0;
  if (factor == 0) {
    int exponent = 0;
    std::frexp(most, &exponent);  // most < 2^exponent
    if (exponent < -100 || exponent > 100) return to;
    factor = std::ldexp(1.0, 14 - exponent);
    if (DigitsFor(most * factor * 2) == 2) factor *= 2;
    // Two digits where what they take off rounds fewer than one result in a thousand to another level.
    const double cells = static_cast<double>(dense.width) * dense.height;
    if (kDigitError / factor * std::sqrt(cells) > kMostError) factor *= 256;
  }
  to.digits = DigitsFor(std::floor(most * factor + 0.5));
  to.fine = to.fine || to.digits == 3;
  to.height = dense.height;
  to.anchor_x = dense.anchor_x;
  to.anchor_y = dense.anchor_y;
  to.lead = LeadOf(dense.anchor_x);
  to.scale = static_cast<float>(1 / factor);
  to.fragments.resize(static_cast<size_t>(dense.height) * static_cast<size_t>(to.digits) * 512);
  const long long largest = kLargest[to.digits];
  double left = 0;  // what rounding took off one weight goes to the next, so that their sum is kept
  for (int j = 0; j < dense.height; ++j) {
    int8_t rows[3][kWindow] = {};
    for (int i = 0; i < dense.width; ++i) {
      const double weight = dense.weights[static_cast<size_t>(j) * static_cast<size_t>(dense.width) + i] / taken;
      left += weight * factor;
      int64_t number = std::clamp(std::llround(left), -largest, largest);
      left -= static_cast<double>(number);
      for (int digit = to.digits - 1; digit >= 0; --digit) rows[digit][i] = TakeDigit(&number);
    }
    for (int digit = 0; digit < to.digits; ++digit) {
      PutRow(rows[digit], dense.width, to.lead, j * to.digits + digit, &to.fragments);
    }
  }
  return to;
}

MatrixWeights MatrixWeightsOf(const MagnitudeWeights& magnitude, double taken_x, double taken_y) {
  MatrixWeights to;
  const DenseWeights& x = magnitude.x;
  const DenseWeights& y = magnitude.y;
  const bool same = x.width == y.width && x.height == y.height && x.anchor_x == y.anchor_x && x.anchor_y == y.anchor_y;
  if (!same || taken_x != 1 || taken_y != 1 || !Fits(x.width, x.height, x.anchor_x)) return to;
  if (!Whole(x.weights, 1) || !Whole(y.weights, 1) || Most(x.weights, 1) > 127 || Most(y.weights, 1) > 127) return to;
  to.digits = 1;
  to.fine = true;
  to.magnitude = true;
  to.height = x.height;
  to.anchor_x = x.anchor_x;
  to.anchor_y = x.anchor_y;
  to.lead = LeadOf(x.anchor_x);
  to.fragments.resize(static_cast<size_t>(x.height) * 2 * 512);
  for (int j = 0; j < x.height; ++j) {
    for (int kernel = 0; kernel < 2; ++kernel) {
      int8_t row[kWindow] = {};
      for (int i = 0; i < x.width; ++i) {
        row[i] = static_cast<int8_t>(
            (kernel == 0 ? x : y).weights[static_cast<size_t>(j) * static_cast<size_t>(x.width) + i]);
      }
      PutRow(row, x.width, to.lead, j * 2 + kernel, &to.fragments);
    }
  }
  return to;
}

}  // namespace convolve::cuda
