// Twiddle factors are computed in float64 from angles reduced to an eighth of a turn by the library, and rounded once.
#include "cpu/fft_length.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace convolve::cpu {
namespace {

constexpr int kLongestSide = 1024;
constexpr double kTurn = 6.283185307179586476925286766559;

struct Factors {
  int size;
  std::vector<int> radices;
};

// The last radix is 4 or 8: its step needs no twiddles and is joined with the product of the spectra.
const std::vector<Factors>& AllFactors() {
  static const std::vector<Factors> factors = {
      {32, {8, 4}},
      {48, {3, 4, 4}},
      {64, {8, 8}},
      {96, {3, 8, 4}},
      {128, {8, 4, 4}},
      {192, {3, 8, 8}},
      {256, {8, 8, 4}},
      {384, {3, 8, 4, 4}},
      {512, {8, 8, 8}},
      {768, {3, 8, 8, 4}},
      {1024, {8, 8, 4, 4}},
      {1536, {3, 8, 8, 8}},
      {2048, {8, 8, 8, 4}},
      {3072, {3, 8, 8, 4, 4}},
      {4096, {8, 8, 8, 8}},
      {6144, {3, 8, 8, 8, 4}},
      {8192, {8, 8, 8, 4, 4}},
  };
  return factors;
}

/// Additions and multiplications of a butterfly, for each of its cells.
double ButterflyInstructions(int radix) { return radix == 8 ? 7.0 : radix == 4 ? 4.0 : 16.0 / 3; }

template <typename F>
FftLength<F> MakeLength(const Factors& factors) {
  FftLength<F> length;
  length.size = factors.size;
  size_t block = static_cast<size_t>(factors.size);
  for (const int radix : factors.radices) {
    FftStep<F> step;
    step.radix = radix;
    step.below = block / static_cast<size_t>(radix);
    for (size_t k = 1; k < step.below; ++k) {
      for (int j = 1; j < radix; ++j) {
        const double angle = -kTurn * static_cast<double>(static_cast<size_t>(j) * k) / static_cast<double>(block);
        step.twiddles.push_back(static_cast<F>(std::cos(angle)));
        step.twiddles.push_back(static_cast<F>(std::sin(angle)));
      }
    }
    length.instructions += ButterflyInstructions(radix);
    if (step.below > 1) length.instructions += 4.0 * (radix - 1) / radix;
    block = step.below;
    length.steps.push_back(std::move(step));
  }
  return length;
}

template <typename F>
std::map<int, FftLength<F>> MakeLengths() {
  std::map<int, FftLength<F>> lengths;
  for (const Factors& factors : AllFactors()) lengths.emplace(factors.size, MakeLength<F>(factors));
  return lengths;
}

}  // namespace

const std::vector<int>& LineSizes() {
  static const std::vector<int> sizes = [] {
    std::vector<int> all;
    for (const Factors& factors : AllFactors()) all.push_back(factors.size);
    return all;
  }();
  return sizes;
}

const std::vector<int>& FftSizes() {
  static const std::vector<int> sizes = [] {
    std::vector<int> all = LineSizes();
    all.erase(std::upper_bound(all.begin(), all.end(), kLongestSide), all.end());
    return all;
  }();
  return sizes;
}

template <typename F>
const FftLength<F>& FftLengthOf(int size) {
  static const std::map<int, FftLength<F>> lengths = MakeLengths<F>();
  return lengths.at(size);
}

template const FftLength<float>& FftLengthOf<float>(int);
template const FftLength<double>& FftLengthOf<double>(int);

}  // namespace convolve::cpu
