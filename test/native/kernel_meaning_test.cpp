// What a kernel means: orientation, anchor, size, and the pair form of the same kernel.
#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "backends.h"
#include "pictures.h"

namespace convolve::test {
namespace {

DenseWeights OneToNine() { return Kernel(3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9}); }

/// A single 1 in the middle of a dark 3 x 3 picture.
std::shared_ptr<const Image> Impulse() { return Picture<uint8_t>(3, 3, {0, 0, 0, 0, 1, 0, 0, 0, 0}); }

TEST_CASE_TEMPLATE("an impulse shows the kernel turned in correlation, as written in convolution", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  CHECK(Result<uint8_t>(*backend, {{PassOf(OneToNine())}}, Impulse()) ==
        std::vector<uint8_t>{9, 8, 7, 6, 5, 4, 3, 2, 1});
  CHECK(Result<uint8_t>(*backend, {{PassOf(Turned(OneToNine()))}}, Impulse()) ==
        std::vector<uint8_t>{1, 2, 3, 4, 5, 6, 7, 8, 9});
}

TEST_CASE_TEMPLATE("a kernel given as pairs is the same kernel", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  // 1 ... 9 = (1 1 1) x (1 2 3) + (0 3 6) x (1 1 1), columns times rows.
  const SeparableWeights pairs{3, 3, 1, 1, {{{1, 1, 1}, {1, 2, 3}}, {{0, 3, 6}, {1, 1, 1}}}, 1};
  CHECK(Result<uint8_t>(*backend, {{PassOf(pairs)}}, Impulse()) == std::vector<uint8_t>{9, 8, 7, 6, 5, 4, 3, 2, 1});

  // Even sides, an anchor off the middle and a divisor: exact in floating point, so equal to the last bit.
  const SeparableWeights uneven{4, 3, 3, 0, {{{1, -2, 4}, {2, 0, 1, 8}}}, 4};
  DenseWeights dense = KernelAt(4, 3, 3, 0, {2, 0, 1, 8, -4, 0, -2, -16, 8, 0, 4, 32});
  dense.divisor = 4;
  const auto image = NoisePicture<uint8_t>(13, 9, 3, 1);
  for (const BorderKind border : {BorderKind::kZero, BorderKind::kReflect, BorderKind::kWrap}) {
    CHECK(Result<float>(*backend, {{PassOf(uneven, border, RangeKind::kFloat)}}, image) ==
          Result<float>(*backend, {{PassOf(dense, border, RangeKind::kFloat)}}, image));
  }
}

TEST_CASE_TEMPLATE("an even kernel reads from its anchor", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  std::vector<uint8_t> samples(81);
  samples[4 * 9 + 4] = 200;  // an impulse at (4, 4)
  const auto image = Picture<uint8_t>(9, 9, samples);
  const auto lands = [&](const DenseWeights& kernel, int x, int y) {
    std::vector<uint8_t> expected(81);
    expected[static_cast<size_t>(y * 9 + x)] = 200;
    return Result<uint8_t>(*backend, {{PassOf(kernel)}}, image) == expected;
  };
  CHECK(lands(KernelAt(2, 2, 0, 0, {1, 0, 0, 0}), 4, 4));
  CHECK(lands(KernelAt(2, 2, 1, 1, {1, 0, 0, 0}), 5, 5));
  // As convolutions the anchor moves to the other side with the cells.
  CHECK(lands(Turned(KernelAt(2, 2, 0, 0, {1, 0, 0, 0})), 4, 4));
  CHECK(lands(Turned(KernelAt(2, 2, 1, 1, {1, 0, 0, 0})), 3, 3));
}

TEST_CASE_TEMPLATE("a single cell in each corner of a wide or tall kernel shifts the picture that way", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const int width = 11;
  const int height = 7;
  const std::vector<uint8_t> samples = Noise<uint8_t>(77, 2);
  const auto image = Picture<uint8_t>(width, height, samples);
  for (const bool wide : {true, false}) {
    const int columns = wide ? 5 : 3;
    const int rows = wide ? 3 : 5;
    for (const bool right : {false, true}) {
      for (const bool low : {false, true}) {
        CAPTURE(columns);
        CAPTURE(right);
        CAPTURE(low);
        std::vector<double> weights(static_cast<size_t>(columns * rows));
        weights[static_cast<size_t>((low ? rows - 1 : 0) * columns + (right ? columns - 1 : 0))] = 1;
        const int dx = right ? columns / 2 : -(columns / 2);
        const int dy = low ? rows / 2 : -(rows / 2);
        std::vector<uint8_t> expected;
        for (int y = 0; y < height; ++y) {
          for (int x = 0; x < width; ++x) {
            const bool inside = x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height;
            expected.push_back(inside ? samples[static_cast<size_t>((y + dy) * width + x + dx)] : 0);
          }
        }
        CHECK(Result<uint8_t>(*backend, {{PassOf(Kernel(columns, rows, weights), BorderKind::kZero)}}, image) ==
              expected);
      }
    }
  }
}

TEST_CASE_TEMPLATE("the largest kernel works, and one cell of it can be found", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  std::vector<double> weights(511 * 511);
  weights[250 * 511 + 300] = 3;  // reads 45 pixels to the right of and 5 above the anchor (255, 255)
  std::vector<uint8_t> samples(60 * 20);
  samples[2 * 60 + 50] = 20;
  std::vector<uint8_t> expected(60 * 20);
  expected[7 * 60 + 5] = 60;
  CHECK(Result<uint8_t>(*backend, {{PassOf(Kernel(511, 511, weights), BorderKind::kZero)}},
                        Picture<uint8_t>(60, 20, samples)) == expected);
}

TEST_CASE_TEMPLATE("the divisor divides the sum, negative ones too", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const auto image = Picture<uint8_t>(1, 1, {90});
  CHECK(Result<uint8_t>(*backend, {{PassOf(Kernel(1, 1, {2}, 3))}}, image) == std::vector<uint8_t>{60});
  CHECK(Result<uint8_t>(*backend, {{PassOf(Kernel(1, 1, {-2}, -3))}}, image) == std::vector<uint8_t>{60});
  CHECK(Result<uint8_t>(*backend, {{PassOf(Kernel(1, 1, {2}, -3))}}, image) == std::vector<uint8_t>{0});
}

TEST_CASE_TEMPLATE("each channel is filtered alone, for one to four channels", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  for (int channels = 1; channels <= 4; ++channels) {
    CAPTURE(channels);
    const size_t count = 12 * 10;
    const std::vector<uint8_t> interleaved = Noise<uint8_t>(count * static_cast<size_t>(channels), 3);
    const Plan plan{{PassOf(Kernel(3, 3, {1, -2, 3, 2, 1, 0, -1, 1, 1}, 4))}};
    const auto together = Result<uint8_t>(*backend, plan, Picture<uint8_t>(12, 10, interleaved));
    for (int channel = 0; channel < channels; ++channel) {
      std::vector<uint8_t> alone;
      std::vector<uint8_t> of_together;
      for (size_t i = static_cast<size_t>(channel); i < interleaved.size(); i += static_cast<size_t>(channels)) {
        alone.push_back(interleaved[i]);
        of_together.push_back(together[i]);
      }
      CHECK(Result<uint8_t>(*backend, plan, Picture<uint8_t>(12, 10, alone)) == of_together);
    }
  }
}

}  // namespace
}  // namespace convolve::test
