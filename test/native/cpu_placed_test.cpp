// Results too large for the caches are written past them, by whole vectors where memory is aligned for it: the same
// samples wherever they begin in memory and however far apart their rows lie, and nothing beside them.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "cpu/cpu_backend.h"
#include "engine/backend.h"
#include "pictures.h"

namespace convolve::test {
namespace {

constexpr int kWidth = 331;
constexpr int kHeight = 37;
constexpr size_t kGuard = 128;              // bytes that are looked at before and behind each row
constexpr size_t kLarge = size_t{9} << 20;  // of a destination: rows lie so far apart that few of them make it large
constexpr uint8_t kUntouched = 0xA5;

/// Memory for one destination after another, whose first byte begins a cache line.
class Room {
 public:
  Room() : bytes_(kLarge + kHeight * 256 + 4096) {
    first_ = bytes_.data() + (64 - reinterpret_cast<uintptr_t>(bytes_.data()) % 64) % 64 + 2 * kGuard;
  }
  uint8_t* first() { return first_; }

 private:
  std::vector<uint8_t> bytes_;
  uint8_t* first_;
};

/// How many bytes of the result differ, or were written beside it.
template <typename T>
int64_t WrongBytes(Backend& backend, const Plan& plan, const std::shared_ptr<const Image>& image,
                   const std::vector<T>& expected, Room& room, size_t begin, size_t row_bytes) {
  uint8_t* const first = room.first() + begin;
  const size_t bytes = static_cast<size_t>(kWidth * image->channels()) * sizeof(T);
  for (size_t y = 0; y < kHeight; ++y) std::memset(first + y * row_bytes - kGuard, kUntouched, bytes + 2 * kGuard);
  const View<T> view{reinterpret_cast<T*>(first), kWidth, kHeight, image->channels(),
                     static_cast<ptrdiff_t>(row_bytes / sizeof(T))};
  backend.Run(plan, image, {{0, 0, kWidth, kHeight}, 0}, view, CancelToken());
  int64_t wrong = 0;
  for (size_t y = 0; y < kHeight; ++y) {
    const uint8_t* const row = first + y * row_bytes;
    const auto* const wanted = reinterpret_cast<const uint8_t*>(expected.data()) + y * bytes;
    if (std::memcmp(row, wanted, bytes) != 0) ++wrong;
    for (size_t i = 1; i <= kGuard; ++i) wrong += row[-static_cast<ptrdiff_t>(i)] != kUntouched;
    for (size_t i = 0; i < kGuard; ++i) wrong += row[bytes + i] != kUntouched;
  }
  return wrong;
}

/// `alpha`: of opaque pixels.
template <typename T>
void CheckPlaces(const std::string& name, const Work& work, int channels, Alpha alpha = Alpha::kNone) {
  std::vector<T> samples = Noise<T>(static_cast<size_t>(kWidth * kHeight * channels), 17);
  const size_t last = static_cast<size_t>(channels) - 1;
  for (size_t i = last; alpha == Alpha::kLast && i < samples.size(); i += last + 1) {
    samples[i] = static_cast<T>(FullScale(TypeOf<T>()));
  }
  const auto image = Picture<T>(kWidth, kHeight, samples, alpha);
  const Pass pass = PassOf(work, BorderKind::kMirror);
  const Plan plan{{pass}};
  Room room;
  for (const cpu::Target& target : cpu::AvailableTargets()) {
    cpu::CpuBackend backend(2, target);
    const auto expected = Result<T>(backend, plan, image);  // small, and stays in the caches
    // Rows whose distance is a whole number of cache lines, of half ones, and no such number.
    const size_t lines = kLarge / kHeight / 64 * 64;
    for (const size_t row_bytes : {lines, lines + 32, lines + 16 + sizeof(T)}) {
      // Elsewhere than with AVX-512 vectors are shorter, and so is what has to be tried.
      const size_t step = target.name.starts_with("avx3") ? sizeof(T) : 8 * sizeof(T);
      for (size_t begin = 0; begin < 64; begin += step) {
        INFO(name, ", ", target.name, ", ", channels, " channels, begin ", begin, ", row bytes ", row_bytes);
        CHECK(WrongBytes<T>(backend, plan, image, expected, room, begin, row_bytes) == 0);
      }
    }
  }
}

std::vector<double> Taps(int count) {
  std::vector<double> taps;
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += taps.emplace_back(std::exp(-0.02 * (i - count / 2) * (i - count / 2)));
  for (double& tap : taps) tap /= sum;
  return taps;
}

SeparableWeights Gaussian(int count) { return {count, count, count / 2, count / 2, {{Taps(count), Taps(count)}}, 1}; }

BoxWeights BoxOf(int side) { return {side, side, side / 2, side / 2, static_cast<double>(side) * side}; }

DenseWeights Grid(int side) {
  DenseWeights grid = Box(side, side);
  for (size_t i = 0; i < grid.weights.size(); ++i) grid.weights[i] = static_cast<double>(i * 5 % 7) - 2.25;
  return grid;
}

/// Whose results lie within bytes, of weights that need 16 bits.
DenseWeights Mean(int side) {
  DenseWeights grid = Box(side, side);
  double sum = 0;
  for (size_t i = 0; i < grid.weights.size(); ++i)
    sum += grid.weights[i] = 1 + std::sqrt(static_cast<double>(i * 5 % 7));
  grid.divisor = sum;
  return grid;
}

const MagnitudeWeights kGradient{SobelX(), SobelY()};

SparseWeights Diagonal(int side) {
  DenseWeights grid = Kernel(side, side, std::vector<double>(static_cast<size_t>(side * side)), side);
  for (int i = 0; i < side; ++i) grid.weights[static_cast<size_t>(i * side + i)] = 1;
  return {grid};
}

TEST_CASE("cpu computes the same floats wherever a large result of rows and columns begins, and nothing beside it") {
  for (const int taps : {3, 9, 15}) CheckPlaces<float>("few taps", Gaussian(taps), 4);
  CheckPlaces<float>("few taps, opaque", Gaussian(5), 4, Alpha::kLast);
  for (const int channels : {1, 3, 4}) CheckPlaces<float>("taps", Gaussian(31), channels);
}

TEST_CASE("cpu computes the same bytes wherever a large result of rows and columns begins, and nothing beside it") {
  for (const int channels : {1, 3, 4}) CheckPlaces<uint8_t>("taps", Gaussian(9), channels);
  CheckPlaces<uint8_t>("taps, opaque", Gaussian(9), 4, Alpha::kLast);
  CheckPlaces<uint16_t>("taps", Gaussian(9), 4);
}

TEST_CASE("cpu computes the same boxes wherever a large result begins, and nothing beside it") {
  for (const int channels : {1, 3, 4}) {
    CheckPlaces<uint8_t>("box", BoxOf(7), channels);
    CheckPlaces<uint16_t>("box", BoxOf(7), channels);
    CheckPlaces<float>("box", BoxOf(7), channels);
    CheckPlaces<float>("wide box", BoxOf(101), channels);  // summed as float64
  }
}

TEST_CASE("cpu computes the same opaque pixels wherever a large result begins, and nothing beside it") {
  CheckPlaces<uint8_t>("box", BoxOf(7), 4, Alpha::kLast);
  CheckPlaces<float>("box", BoxOf(7), 4, Alpha::kLast);
  CheckPlaces<float>("grid", Grid(5), 4, Alpha::kLast);
  for (const int side : {3, 5}) CheckPlaces<uint8_t>("mean", Mean(side), 4, Alpha::kLast);
  CheckPlaces<uint8_t>("gradient", kGradient, 4, Alpha::kLast);
  CheckPlaces<uint8_t>("diagonal", Diagonal(9), 4, Alpha::kLast);
}

TEST_CASE("cpu computes the same grids and gradients wherever a large result begins, and nothing beside it") {
  for (const int channels : {1, 3, 4}) {
    CheckPlaces<float>("grid", Grid(3), channels);
    CheckPlaces<float>("halved grid", Grid(5), channels);
    CheckPlaces<float>("gradient", kGradient, channels);
    CheckPlaces<uint8_t>("grid", Grid(3), channels);
    CheckPlaces<uint8_t>("Laplacian", Laplacian(), channels);
    for (const int side : {3, 4, 5, 7}) CheckPlaces<uint8_t>("mean", Mean(side), channels);
    CheckPlaces<uint8_t>("gradient", kGradient, channels);
    CheckPlaces<uint8_t>("diagonal", Diagonal(9), channels);
  }
  CheckPlaces<float>("diagonal", Diagonal(9), 4);
  CheckPlaces<float>("transform", FftWeights{Grid(31)}, 4);
}

TEST_CASE("cpu copies the same samples wherever a large result begins, and nothing beside it") {
  const auto image = NoisePicture<float>(kWidth, kHeight, 4, 17);
  Room room;
  cpu::CpuBackend backend(2, cpu::TargetNamed(""));
  const auto expected = Result<float>(backend, {}, image);
  for (size_t begin = 0; begin < 64; begin += sizeof(float)) {
    CHECK(WrongBytes<float>(backend, {}, image, expected, room, begin, kLarge / kHeight / 64 * 64 + 20) == 0);
  }
}

}  // namespace
}  // namespace convolve::test
