// Tiles and levels: any tiling of a result is the whole result, byte for byte; a level is the mean of what would be
// stored; a cancelled run stops.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <random>
#include <thread>
#include <vector>

#include "backends.h"
#include "engine/reduce.h"
#include "pictures.h"

namespace convolve::test {
namespace {

/// Cuts a picture into rectangles at random columns and rows.
std::vector<Region> RandomTiling(int width, int height, std::mt19937& random) {
  const auto cuts = [&](int length) {
    std::vector<int> at = {0, length};
    for (int i = 0; i < 3; ++i) at.push_back(static_cast<int>(random() % static_cast<unsigned>(length)));
    std::sort(at.begin(), at.end());
    at.erase(std::unique(at.begin(), at.end()), at.end());
    return at;
  };
  const std::vector<int> columns = cuts(width);
  const std::vector<int> rows = cuts(height);
  std::vector<Region> tiles;
  for (size_t j = 0; j + 1 < rows.size(); ++j) {
    for (size_t i = 0; i + 1 < columns.size(); ++i) {
      tiles.push_back({columns[i], rows[j], columns[i + 1] - columns[i], rows[j + 1] - rows[j]});
    }
  }
  return tiles;
}

template <typename T>
std::vector<T> Tiled(Backend& backend, const Plan& plan, const std::shared_ptr<const Image>& image, int width,
                     int height, int level, std::mt19937& random) {
  const int channels = image->channels();
  std::vector<T> whole(static_cast<size_t>(width * height * channels));
  for (const Region& tile : RandomTiling(width, height, random)) {
    const ptrdiff_t stride = ptrdiff_t{width} * channels;
    T* first = whole.data() + tile.y * stride + ptrdiff_t{tile.x} * channels;
    backend.Run(plan, image, {tile, level}, View<T>{first, tile.width, tile.height, channels, stride}, CancelToken());
  }
  return whole;
}

template <typename T>
void CheckTilings(Backend& backend, const Plan& plan, const std::shared_ptr<const Image>& image, uint32_t seed) {
  std::mt19937 random(seed);
  const ResultSize size = SizeAfter(plan, image->width(), image->height());
  for (const int level : {0, 1, 3}) {
    CAPTURE(level);
    const int width = ReducedLength(size.width, level);
    const int height = ReducedLength(size.height, level);
    const auto whole = Part<T>(backend, plan, image, {0, 0, width, height}, level);
    for (int repeat = 0; repeat < 2; ++repeat) {
      CHECK(Tiled<T>(backend, plan, image, width, height, level, random) == whole);
    }
  }
}

DenseWeights NoiseKernel(int width, int height, uint32_t seed) {
  std::vector<double> weights;
  for (const float noise : Noise<float>(static_cast<size_t>(width * height), seed)) weights.push_back(noise - 0.4);
  return Kernel(width, height, weights, width * height * 0.1);
}

TEST_CASE_TEMPLATE("any tiling of a stack of three passes is the whole, whatever the borders", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const auto image = NoisePicture<uint8_t>(23, 17, 4, 19, Alpha::kLast);
  for (const BorderKind border : {BorderKind::kZero, BorderKind::kConstant, BorderKind::kReplicate,
                                  BorderKind::kReflect, BorderKind::kMirror, BorderKind::kWrap}) {
    CAPTURE(static_cast<int>(border));
    Plan plan{{PassOf(NoiseKernel(5, 4, 20), border), PassOf(MagnitudeWeights{SobelX(4), SobelY(4)}, border),
               PassOf(SeparableWeights{7, 3, 3, 1, {{{1, 2, 1}, {1, 2, 3, 4, 3, 2, 1}}}, 64}, border)}};
    for (Pass& pass : plan.passes) pass.border.value = 0.3;
    plan.passes[0].light = LightMode::kLinear;
    CheckTilings<uint8_t>(*backend, plan, image, 21);
    CheckTilings<float>(*backend, plan, image, 22);
  }
}

TEST_CASE_TEMPLATE("any tiling is the whole where kernels are larger than the picture", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const auto image = NoisePicture<uint16_t>(11, 7, 3, 23);
  const auto large = [](BorderKind border, uint32_t seed) {
    return PassOf(NoiseKernel(25, 19, seed), border, RangeKind::kSigned);
  };
  for (const BorderKind other : {BorderKind::kReflect, BorderKind::kMirror, BorderKind::kReplicate}) {
    CAPTURE(static_cast<int>(other));
    const Plan plan{{large(BorderKind::kWrap, 24), large(other, 25), large(BorderKind::kWrap, 26)}};
    CheckTilings<uint16_t>(*backend, plan, image, 27);
    CheckTilings<float>(*backend, plan, image, 28);
  }
}

TEST_CASE_TEMPLATE("any tiling of a valid result is the whole", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  Pass valid = PassOf(NoiseKernel(6, 3, 29));
  valid.size = SizeMode::kValid;
  const Plan plan{{valid, PassOf(NoiseKernel(3, 3, 30), BorderKind::kWrap), valid}};
  CheckTilings<uint8_t>(*backend, plan, NoisePicture<uint8_t>(31, 20, 1, 31), 32);
}

TEST_CASE_TEMPLATE("any tiling of a picture of many tiles is the whole", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const Plan plan{{PassOf(NoiseKernel(5, 5, 33), BorderKind::kMirror), PassOf(NoiseKernel(3, 3, 34), BorderKind::kWrap),
                   PassOf(Box(3, 3), BorderKind::kReflect)}};
  CheckTilings<uint8_t>(*backend, plan, NoisePicture<uint8_t>(301, 277, 1, 35), 36);
}

TEST_CASE_TEMPLATE("a level is the mean of what level 0 would store", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  // Halves round up to 1 first: 1 1 1 0 has the mean 0.75. The mean of 0.5 0.5 0.5 0 would round to 0.
  const Plan half{{PassOf(Kernel(1, 1, {1}, 2))}};
  CHECK(Part<uint8_t>(*backend, half, Picture<uint8_t>(2, 2, {1, 1, 1, 0}), {0, 0, 1, 1}, 1) ==
        std::vector<uint8_t>{1});

  const Plan plan{{PassOf(Sharpen()), PassOf(Box(3, 3))}};
  for (const Alpha alpha : {Alpha::kNone, Alpha::kLast}) {
    const auto image = NoisePicture<uint8_t>(29, 18, 4, 37, alpha);
    const auto stored = Picture<uint8_t>(29, 18, Result<uint8_t>(*backend, plan, image), alpha);
    for (const int level : {1, 2, 3, 7}) {
      CAPTURE(level);
      const auto reduced = Reduce(*stored, level);
      const auto view = std::get<View<uint8_t>>(reduced->view());
      CHECK(Part<uint8_t>(*backend, plan, image, {0, 0, view.width, view.height}, level) ==
            std::vector<uint8_t>(view.data, view.data + view.stride * view.height));
    }
  }
}

TEST_CASE_TEMPLATE("a run that was cancelled before it began does not begin", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  CancelToken cancel;
  cancel.Cancel();
  uint8_t sample = 7;
  const auto image = Flat<uint8_t>(1, 1, 1, 100);
  try {
    backend->Run({{PassOf(Sharpen())}}, image, {{0, 0, 1, 1}, 0}, View<uint8_t>{&sample, 1, 1, 1, 1}, cancel);
    FAIL_CHECK("ran");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kCancelled);
  }
  CHECK(int{sample} == 7);
  CHECK_THROWS_AS(backend->Measure({{PassOf(Sharpen())}}, image, cancel), Error);
}

TEST_CASE_TEMPLATE("a long run stops when it is cancelled from another thread", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  // 511 x 511 cells on 2 megapixels: 5.5 x 10^11 products a pass and channel, minutes on any machine. Ending is the
  // proof.
  const auto image = Flat<uint8_t>(2048, 1024, 4, 100);
  const Plan plan{std::vector<Pass>(4, PassOf(NoiseKernel(511, 511, 38)))};
  std::vector<uint8_t> samples(size_t{2048} * 1024 * 4);
  CancelToken cancel;
  ErrorCode code = ErrorCode::kInternal;
  std::thread runner([&] {
    try {
      backend->Run(plan, image, {{0, 0, 2048, 1024}, 0}, View<uint8_t>{samples.data(), 2048, 1024, 4, 8192}, cancel);
    } catch (const Error& error) {
      code = error.code();
    }
  });
  // Nothing tells when a run is in its middle; a moment later it is, and long before its end.
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  cancel.Cancel();
  runner.join();
  CHECK(code == ErrorCode::kCancelled);
}

}  // namespace
}  // namespace convolve::test
