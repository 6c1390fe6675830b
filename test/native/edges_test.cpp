// Edges: thinning and hysteresis against a plain integer implementation, and what a picture's depth, channels, alpha,
// size and light mean for them.
#include "engine/edges.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "backends.h"
#include "engine/edge_picture.h"
#include "pictures.h"

namespace convolve::test {
namespace {

struct Slopes {
  int width;
  int height;
  std::vector<int> x;
  std::vector<int> y;

  size_t At(int column, int row) const { return static_cast<size_t>(row * width + column); }
};

/// Sobel's slopes of a grey picture with a replicated border, in whole numbers.
Slopes SobelOf(int width, int height, const std::vector<uint8_t>& grey) {
  Slopes slopes{width, height, {}, {}};
  const auto at = [&](int x, int y) -> int {
    return grey[slopes.At(std::clamp(x, 0, width - 1), std::clamp(y, 0, height - 1))];
  };
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const auto column = [&](int dx) { return at(x + dx, y - 1) + 2 * at(x + dx, y) + at(x + dx, y + 1); };
      const auto row = [&](int dy) { return at(x - 1, y + dy) + 2 * at(x, y + dy) + at(x + 1, y + dy); };
      slopes.x.push_back(column(1) - column(-1));
      slopes.y.push_back(row(1) - row(-1));
    }
  }
  return slopes;
}

/// Canny as OpenCV writes it: fixed-point tangents, and edges grown until nothing changes.
std::vector<bool> PlainEdges(const Slopes& slopes, int low, int high, bool l2) {
  const auto length = [&](int x, int y) -> int64_t {
    if (x < 0 || y < 0 || x >= slopes.width || y >= slopes.height) return 0;
    const int64_t across = slopes.x[slopes.At(x, y)];
    const int64_t down = slopes.y[slopes.At(x, y)];
    return l2 ? across * across + down * down : std::abs(across) + std::abs(down);
  };
  const int64_t least = l2 ? int64_t{low} * low : low;
  const int64_t enough = l2 ? int64_t{high} * high : high;
  std::vector<bool> weak(slopes.x.size());
  std::vector<bool> edges(slopes.x.size());
  for (int y = 0; y < slopes.height; ++y) {
    for (int x = 0; x < slopes.width; ++x) {
      const int64_t own = length(x, y);
      if (own <= least) continue;
      const int64_t across = std::abs(slopes.x[slopes.At(x, y)]);
      const int64_t down = static_cast<int64_t>(std::abs(slopes.y[slopes.At(x, y)])) << 15;
      const int64_t shallow = across * 13573;
      const int side = (slopes.x[slopes.At(x, y)] ^ slopes.y[slopes.At(x, y)]) < 0 ? -1 : 1;
      bool largest = false;
      if (down < shallow) {
        largest = own > length(x - 1, y) && own >= length(x + 1, y);
      } else if (down > shallow + (across << 16)) {
        largest = own > length(x, y - 1) && own >= length(x, y + 1);
      } else {
        largest = own > length(x - side, y - 1) && own > length(x + side, y + 1);
      }
      weak[slopes.At(x, y)] = largest;
      edges[slopes.At(x, y)] = largest && own > enough;
    }
  }
  for (bool grown = true; grown;) {
    grown = false;
    for (int y = 0; y < slopes.height; ++y) {
      for (int x = 0; x < slopes.width; ++x) {
        if (!weak[slopes.At(x, y)] || edges[slopes.At(x, y)]) continue;
        for (int v = std::max(0, y - 1); v <= std::min(slopes.height - 1, y + 1); ++v) {
          for (int u = std::max(0, x - 1); u <= std::min(slopes.width - 1, x + 1); ++u) {
            if (!edges[slopes.At(u, v)] || edges[slopes.At(x, y)]) continue;
            edges[slopes.At(x, y)] = true;
            grown = true;
          }
        }
      }
    }
  }
  return edges;
}

EdgeFilter Canny(double low, double high, GradientNorm norm = GradientNorm::kL2) {
  EdgeFilter filter;
  filter.x = SobelX();
  filter.y = SobelY();
  filter.border.kind = BorderKind::kReplicate;
  filter.thresholds = {low, high, norm};
  return filter;
}

template <typename T>
std::vector<T> SamplesOf(const Image& image) {
  const auto view = std::get<View<const T>>(image.view());
  return {view.data, view.data + static_cast<size_t>(view.width) * view.height * view.channels};
}

template <typename T>
std::vector<bool> EdgesOf(Backend& backend, const EdgeFilter& filter, const std::shared_ptr<const Image>& image,
                          const Plan& before = {}) {
  std::vector<bool> edges;
  bool plain = true;
  for (const T sample : SamplesOf<T>(*EdgePicture(backend, before, filter, image, CancelToken()))) {
    const bool white = sample == static_cast<T>(FullScale(TypeOf<T>()));
    plain = plain && (white || sample == 0);
    edges.push_back(white);
  }
  REQUIRE(plain);
  return edges;
}

size_t Count(const std::vector<bool>& edges) {
  return static_cast<size_t>(std::count(edges.begin(), edges.end(), true));
}

/// Blotches: noise whose neighbours are alike, with plateaus and equal slopes in plenty.
std::vector<uint8_t> Blotches(int width, int height, uint32_t seed) {
  const std::vector<uint8_t> noise = Noise<uint8_t>(static_cast<size_t>(width * height), seed);
  std::vector<uint8_t> grey;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      grey.push_back(static_cast<uint8_t>(noise[static_cast<size_t>(y / 5 * width + x / 7)] / 32 * 32 +
                                          noise[static_cast<size_t>(y * width + x)] / 64));
    }
  }
  return grey;
}

/// The tracer over slopes of one channel, in bands of `rows`.
std::vector<bool> Traced(const Slopes& slopes, const EdgeThresholds& thresholds, int rows) {
  EdgeTracer tracer(slopes.width, slopes.height, 1, thresholds);
  const std::vector<float> x(slopes.x.begin(), slopes.x.end());
  const std::vector<float> y(slopes.y.begin(), slopes.y.end());
  for (int top = 0; top < slopes.height; top += rows) {
    const int height = std::min(rows, slopes.height - top);
    const auto band = [&](const std::vector<float>& of) {
      return View<const float>{of.data() + slopes.At(0, top), slopes.width, height, 1, slopes.width};
    };
    tracer.AddRows(band(x), band(y), CancelToken());
  }
  tracer.Trace(CancelToken());
  std::vector<bool> edges;
  for (int row = 0; row < slopes.height; ++row) {
    for (int column = 0; column < slopes.width; ++column) edges.push_back(tracer.IsEdge(column, row));
  }
  return edges;
}

TEST_CASE("edges: the tracer finds what the plain loops find, in bands of any height") {
  for (uint32_t seed = 0; seed < 40; ++seed) {
    const int width = 1 + static_cast<int>(seed * 7 % 41);
    const int height = 1 + static_cast<int>(seed * 13 % 37);
    const Slopes slopes = SobelOf(width, height, Blotches(width, height, seed));
    for (const bool l2 : {false, true}) {
      CAPTURE(seed);
      CAPTURE(l2);
      const std::vector<bool> expected = PlainEdges(slopes, 40, 180, l2);
      for (const int rows : {1, 2, 3, 100}) {
        CHECK(Traced(slopes, {40, 180, l2 ? GradientNorm::kL2 : GradientNorm::kL1}, rows) == expected);
      }
    }
  }
}

TEST_CASE("edges: a ridge two pixels wide keeps its first pixel, and on a diagonal neither") {
  const auto row = [](std::vector<int> x, std::vector<int> y) {
    const int width = static_cast<int>(x.size());
    return Traced({width, 1, std::move(x), std::move(y)}, {1, 2, GradientNorm::kL2}, 1);
  };
  CHECK(row({0, 9, 9, 0}, {0, 0, 0, 0}) == std::vector<bool>{false, true, false, false});
  const Slopes diagonal{3, 3, {9, 0, 0, 0, 9, 0, 0, 0, 0}, {9, 0, 0, 0, 9, 0, 0, 0, 0}};
  CHECK(Count(Traced(diagonal, {1, 2, GradientNorm::kL2}, 3)) == 0);
  const Slopes single{3, 3, {0, 0, 0, 0, 9, 0, 0, 0, 0}, {0, 0, 0, 0, 9, 0, 0, 0, 0}};
  CHECK(Count(Traced(single, {1, 2, GradientNorm::kL2}, 3)) == 1);
}

TEST_CASE("edges: thresholds are exceeded, not reached, and a low one needs a neighbour, diagonal ones too") {
  const auto column = [](int length, double low, double high) {
    return Count(Traced({1, 1, {length}, {0}}, {low, high, GradientNorm::kL1}, 1));
  };
  CHECK(column(10, 5, 10) == 0);
  CHECK(column(11, 5, 10) == 1);
  // Upright edges: 20 is strong, 8 weak; weak ones touch it by a corner, or are three pixels away.
  const Slopes touching{5, 3, {0, 20, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 8, 0}, std::vector<int>(15, 0)};
  CHECK(Count(Traced(touching, {5, 10, GradientNorm::kL1}, 3)) == 3);
  const Slopes apart{5, 1, {20, 0, 0, 8, 0}, std::vector<int>(5, 0)};
  CHECK(Count(Traced(apart, {5, 10, GradientNorm::kL1}, 1)) == 1);
}

TEST_CASE("edges: a line of a million weak pixels is followed from its one strong end, and cancelled in the middle") {
  // Level lines, joined at alternate ends: the gradient is upright on the lines and to the side at the joints.
  const int side = 1501;
  Slopes snake{side, side, std::vector<int>(size_t{side} * side), std::vector<int>(size_t{side} * side)};
  size_t pixels = 0;
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const bool line = y % 2 == 0;
      const bool joint = !line && x == (y % 4 == 1 ? side - 1 : 0);
      if (line) snake.y[snake.At(x, y)] = 8;
      if (joint) snake.x[snake.At(x, y)] = 7;
      pixels += line || joint ? 1 : 0;
    }
  }
  snake.y[0] = 20;
  const EdgeThresholds thresholds{5, 10, GradientNorm::kL1};
  CHECK(Count(Traced(snake, thresholds, 64)) == pixels);
  CHECK(pixels > 1'000'000);

  EdgeTracer tracer(side, side, 1, thresholds);
  const std::vector<float> x(snake.x.begin(), snake.x.end());
  const std::vector<float> y(snake.y.begin(), snake.y.end());
  const View<const float> across{x.data(), side, side, 1, side};
  const View<const float> down{y.data(), side, side, 1, side};
  CancelToken cancel;
  tracer.AddRows(across, down, cancel);
  cancel.Cancel();
  CHECK_THROWS_WITH_AS(tracer.Trace(cancel), "cancelled: run", Error);
  EdgeTracer other(side, side, 1, thresholds);
  CHECK_THROWS_WITH_AS(other.AddRows(across, down, cancel), "cancelled: run", Error);
}

TEST_CASE_TEMPLATE("edges: of pictures, as the plain loops find them", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  for (uint32_t seed = 0; seed < 12; ++seed) {
    const int width = 1 + static_cast<int>(seed * 11 % 67);
    const int height = 1 + static_cast<int>(seed * 5 % 43);
    const std::vector<uint8_t> grey = Blotches(width, height, seed);
    for (const bool l2 : {false, true}) {
      CAPTURE(seed);
      CAPTURE(l2);
      const EdgeFilter filter = Canny(40.0 / 255, 180.0 / 255, l2 ? GradientNorm::kL2 : GradientNorm::kL1);
      CHECK(EdgesOf<uint8_t>(*backend, filter, Picture<uint8_t>(width, height, grey)) ==
            PlainEdges(SobelOf(width, height, grey), 40, 180, l2));
    }
  }
}

/// Sobel's kernels smoothed by a Gaussian of sigma 1.4, 13 x 13.
void Smooth(EdgeFilter& filter) {
  std::vector<double> wide(13);
  std::vector<double> slope(13);
  for (int i = 0; i < 13; ++i) {
    const auto gauss = [&](int offset) {
      const int x = i - 6 + offset;
      return std::abs(x) > 5 ? 0.0 : std::exp(-x * x / (2 * 1.4 * 1.4));
    };
    wide[static_cast<size_t>(i)] = gauss(-1) + 2 * gauss(0) + gauss(1);
    slope[static_cast<size_t>(i)] = gauss(1) - gauss(-1);
  }
  for (double& value : slope) value = -value;
  filter.x = SeparableWeights{13, 13, 6, 6, {{wide, slope}}, 12.3};
  filter.y = SeparableWeights{13, 13, 6, 6, {{slope, wide}}, 12.3};
}

TEST_CASE_TEMPLATE("edges: the same in 8 bits, 16 bits and floating point", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const int width = 61;
  const int height = 47;
  for (const bool smoothed : {false, true}) {
    for (const LightMode light : {LightMode::kEncoded, LightMode::kLinear}) {
      const std::vector<uint8_t> bytes = Blotches(width, height, 5);
      EdgeFilter filter = Canny(0.15, 0.6);
      filter.light = light;
      if (smoothed) Smooth(filter);
      std::vector<uint16_t> words;
      std::vector<float> floats;
      std::vector<double> doubles;
      for (const uint8_t byte : bytes) {
        words.push_back(static_cast<uint16_t>(byte * 257));
        floats.push_back(static_cast<float>(byte) / 255);
        doubles.push_back(byte / 255.0);
      }
      const auto expected = EdgesOf<uint8_t>(*backend, filter, Picture<uint8_t>(width, height, bytes));
      CHECK(Count(expected) > 50);
      CHECK(EdgesOf<uint16_t>(*backend, filter, Picture<uint16_t>(width, height, words)) == expected);
      CHECK(EdgesOf<float>(*backend, filter, Picture<float>(width, height, floats)) == expected);
      CHECK(EdgesOf<double>(*backend, filter, Picture<double>(width, height, doubles)) == expected);
    }
  }
}

TEST_CASE_TEMPLATE("edges: beyond full scale there are edges too", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const auto step = [](float left, float right) { return Picture<float>(4, 1, {left, left, right, right}); };
  CHECK(Count(EdgesOf<float>(*backend, Canny(0.5, 1), step(5, 6))) == 1);
  CHECK(Count(EdgesOf<float>(*backend, Canny(0.5, 1), step(-3000, -2999))) == 1);
  CHECK(Count(EdgesOf<float>(*backend, Canny(0.5, 1), step(100, 100.1F))) == 0);
}

TEST_CASE_TEMPLATE("edges: each pixel takes its steepest colour", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  // Red falls as green rises: grey would see nothing.
  const std::vector<uint8_t> samples{200, 40, 9, 200, 40, 9, 40, 200, 9, 40, 200, 9};
  const auto edges = EdgePicture(*backend, {}, Canny(0.5, 1), Picture<uint8_t>(4, 1, samples), CancelToken());
  CHECK(SamplesOf<uint8_t>(*edges) == std::vector<uint8_t>{0, 0, 0, 255, 255, 255, 0, 0, 0, 0, 0, 0});
}

TEST_CASE_TEMPLATE("edges: transparency", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  // A bright shape that ends where alpha falls to 0; below it the hidden colour goes on, then changes.
  const std::vector<uint8_t> samples{200, 255, 200, 255, 200, 0, 200, 0, 0, 0, 0, 0};
  const auto image = Picture<uint8_t>(6, 1, samples, Alpha::kLast);
  EdgeFilter filter = Canny(0.5, 1);
  const auto run = [&] { return SamplesOf<uint8_t>(*EdgePicture(*backend, {}, filter, image, CancelToken())); };
  CHECK(run() == std::vector<uint8_t>{0, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0});
  filter.alpha = AlphaMode::kColourOnly;
  CHECK(run() == std::vector<uint8_t>{0, 255, 0, 255, 0, 0, 255, 0, 0, 0, 0, 0});
  filter.alpha = AlphaMode::kStraight;
  CHECK(run() == std::vector<uint8_t>{0, 255, 0, 255, 0, 0, 255, 0, 0, 0, 0, 0});
  // Alpha that has been filtered keeps what 8 bits cannot hold.
  Pass half;
  half.work = Kernel(1, 1, {1}, 2);
  half.alpha = AlphaMode::kStraight;
  const auto edges = EdgePicture(*backend, {{half}}, filter, image, CancelToken());
  CHECK(SamplesOf<float>(*edges)[1] == 0.5F);
}

TEST_CASE_TEMPLATE("edges: of what the passes before leave, and smaller where only whole windows count", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const std::vector<uint8_t> grey = Blotches(40, 30, 3);
  const auto image = Picture<uint8_t>(40, 30, grey);
  std::vector<uint8_t> inverted;
  for (const uint8_t value : grey) inverted.push_back(static_cast<uint8_t>(255 - value));
  Pass negative;
  negative.work = Kernel(1, 1, {-1});
  negative.epilogue.offset = 1;
  const EdgeFilter filter = Canny(0.2, 0.7);
  CHECK(EdgesOf<uint8_t>(*backend, filter, image, {{negative}}) ==
        EdgesOf<uint8_t>(*backend, filter, Picture<uint8_t>(40, 30, inverted)));

  EdgeFilter valid = filter;
  valid.size = SizeMode::kValid;
  const auto smaller = EdgePicture(*backend, {}, valid, image, CancelToken());
  CHECK(smaller->width() == 38);
  CHECK(smaller->height() == 28);
  // Away from the rim, where the neighbours of both have the same gradient, strong edges are the same.
  valid.thresholds.low = valid.thresholds.high;
  const auto whole = EdgesOf<uint8_t>(*backend, Canny(0.7, 0.7), image);
  const auto inner = EdgesOf<uint8_t>(*backend, valid, image);
  for (int y = 2; y < 28; ++y) {
    for (int x = 2; x < 38; ++x) {
      CHECK(inner[static_cast<size_t>((y - 1) * 38 + x - 1)] == whole[static_cast<size_t>(y * 40 + x)]);
    }
  }
}

#if CONVOLVE_TEST_CPU
TEST_CASE("edges: a picture of several bands") {
  const int width = 1 << 20;
  const int height = 2 * kEdgeBandPixels / width + 1;
  const std::vector<uint8_t> grey = Blotches(width, height, 9);
  const auto backend = MakeCpuBackend();
  CHECK(EdgesOf<uint8_t>(*backend, Canny(40.0 / 255, 180.0 / 255), Picture<uint8_t>(width, height, grey)) ==
        PlainEdges(SobelOf(width, height, grey), 40, 180, true));
}
#endif

TEST_CASE("edges: refusals name the field") {
  const auto backend = MakeReferenceBackend();
  const auto image = Flat<uint8_t>(5, 4, 1, 7);
  const auto message = [&](const EdgeFilter& filter) -> std::string {
    try {
      EdgePicture(*backend, {}, filter, image, CancelToken());
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  CHECK(message(Canny(-0.1, 1)).rfind("invalidPlan: edges.low", 0) == 0);
  CHECK(message(Canny(0.2, 0.1)).rfind("invalidPlan: edges.high", 0) == 0);
  CHECK(message(Canny(0.2, std::nan(""))).rfind("invalidPlan: edges.high", 0) == 0);
  EdgeFilter filter = Canny(0.1, 0.2);
  filter.x = MagnitudeWeights{SobelX(), SobelY()};
  CHECK(message(filter).rfind("invalidKernel: edges.x: expected a linear kernel", 0) == 0);
  filter.x = Kernel(5, 5, std::vector<double>(25, 1.0));
  CHECK(message(filter).rfind("invalidKernel: edges.y: expected the size and anchor of edges.x", 0) == 0);
  filter.x = SobelX(0);
  CHECK(message(filter).rfind("invalidKernel: edges.x.weights.divisor", 0) == 0);
  filter.x = filter.y = Kernel(5, 5, std::vector<double>(25, 1.0));
  filter.size = SizeMode::kValid;
  CHECK(message(filter).rfind("invalidPlan: edges: expected a kernel that fits", 0) == 0);
  CancelToken cancelled;
  cancelled.Cancel();
  CHECK_THROWS_WITH_AS(EdgePicture(*backend, {}, Canny(0.1, 0.2), image, cancelled), "cancelled: run", Error);
  CHECK_THROWS_AS(EdgePicture(*backend, {}, Canny(0.1, 0.2), nullptr, CancelToken()), Error);
}

}  // namespace
}  // namespace convolve::test
