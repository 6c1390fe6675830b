// Borders at work: what each one shows outside the picture, and that none leaves a frame of odd pixels.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "backends.h"
#include "pictures.h"

namespace convolve::test {
namespace {

constexpr std::array kEveryBorder = {BorderKind::kZero,    BorderKind::kConstant, BorderKind::kReplicate,
                                     BorderKind::kReflect, BorderKind::kMirror,   BorderKind::kWrap};
constexpr std::array kRepeatingBorders = {BorderKind::kReplicate, BorderKind::kReflect, BorderKind::kMirror,
                                          BorderKind::kWrap};

/// The constant of the constant border: 51 as 8 bits.
constexpr double kConstantShare = 0.2;

Pass BorderedPass(const DenseWeights& kernel, BorderKind border) {
  Pass pass = PassOf(kernel, border);
  pass.border.value = kConstantShare;
  return pass;
}

/// A kernel that reads the one pixel `distance` to the right (negative: left) or, turned, below (above).
DenseWeights Reader(int distance, bool vertical) {
  const int reach = distance < 0 ? -distance : distance;
  const int side = 2 * reach + 1;
  std::vector<double> weights(static_cast<size_t>(side));
  weights[static_cast<size_t>(reach + distance)] = 1;
  return vertical ? Kernel(1, side, weights) : Kernel(side, 1, weights);
}

struct Extension {
  BorderKind border;
  std::array<uint8_t, 3> before;  // at -3, -2, -1
  std::array<uint8_t, 3> after;   // at 6, 7, 8
};

// How 10 20 30 40 50 60 goes on to both sides.
constexpr std::array kExtensions = {Extension{BorderKind::kZero, {0, 0, 0}, {0, 0, 0}},
                                    Extension{BorderKind::kConstant, {51, 51, 51}, {51, 51, 51}},
                                    Extension{BorderKind::kReplicate, {10, 10, 10}, {60, 60, 60}},
                                    Extension{BorderKind::kReflect, {30, 20, 10}, {60, 50, 40}},
                                    Extension{BorderKind::kMirror, {40, 30, 20}, {50, 40, 30}},
                                    Extension{BorderKind::kWrap, {40, 50, 60}, {10, 20, 30}}};

TEST_CASE_TEMPLATE("each border goes on as its picture says, on both sides of both axes", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const std::vector<uint8_t> samples = {10, 20, 30, 40, 50, 60};
  for (const bool vertical : {false, true}) {
    const auto image = vertical ? Picture<uint8_t>(1, 6, samples) : Picture<uint8_t>(6, 1, samples);
    for (const Extension& extension : kExtensions) {
      std::vector<uint8_t> row(extension.before.begin(), extension.before.end());
      row.insert(row.end(), samples.begin(), samples.end());
      row.insert(row.end(), extension.after.begin(), extension.after.end());
      for (int distance = -3; distance <= 3; ++distance) {
        CAPTURE(static_cast<int>(extension.border));
        CAPTURE(distance);
        CAPTURE(vertical);
        const Plan plan{{BorderedPass(Reader(distance, vertical), extension.border)}};
        const auto start = row.begin() + 3 + distance;
        CHECK(Result<uint8_t>(*backend, plan, image) == std::vector<uint8_t>(start, start + 6));
      }
    }
  }
}

TEST_CASE_TEMPLATE("a flat picture stays flat to the last row and column under every border that repeats", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const auto image = Flat<uint8_t>(41, 23, 1, 100);
  for (const int side : {3, 4, 5, 9, 15, 31, 63}) {
    std::vector<double> weights;
    double sum = 0;
    for (const uint8_t noise : Noise<uint8_t>(static_cast<size_t>(side * side), 4)) {
      weights.push_back(noise);
      sum += noise;
    }
    for (const BorderKind border : kRepeatingBorders) {
      CAPTURE(side);
      CAPTURE(static_cast<int>(border));
      CHECK(Result<uint8_t>(*backend, {{PassOf(Kernel(side, side, weights, sum), border)}}, image) ==
            std::vector<uint8_t>(41 * 23, 100));
    }
  }
}

/// The picture's value at any position, found by walking there one step at a time and turning at each edge.
class Walker {
 public:
  Walker(BorderKind border, int size) : border_(border), size_(size) {}

  /// The index at `position`, or -1 outside a border that does not repeat.
  int At(int position) const {
    int index = 0;
    int direction = position < 0 ? -1 : 1;
    for (int step = 0; step != position; step += position < 0 ? -1 : 1) {
      const bool leaves = index + direction < 0 || index + direction >= size_;
      if (!leaves) {
        index += direction;
        continue;
      }
      switch (border_) {
        case BorderKind::kZero:
        case BorderKind::kConstant:
          return -1;
        case BorderKind::kReplicate:
          break;  // stays at the edge
        case BorderKind::kReflect:
          direction = -direction;
          break;  // the edge pixel once more, then back
        case BorderKind::kMirror:
          direction = -direction;
          if (size_ > 1) index += direction;
          break;
        case BorderKind::kWrap:
          index = direction > 0 ? 0 : size_ - 1;
          break;
      }
    }
    return index;
  }

 private:
  BorderKind border_;
  int size_;
};

TEST_CASE_TEMPLATE("kernels larger than the picture meet borders that repeat again and again", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  constexpr int kSide = 31;
  const std::vector<uint8_t> noise = Noise<uint8_t>(kSide * kSide, 5);
  std::vector<double> weights;
  for (const uint8_t value : noise) weights.push_back(value - 128);
  for (int height = 1; height <= 6; ++height) {
    for (int width = 1; width <= 6; ++width) {
      const auto samples = Noise<uint8_t>(static_cast<size_t>(width * height), 6);
      const auto image = Picture<uint8_t>(width, height, samples);
      for (const BorderKind border : kEveryBorder) {
        CAPTURE(width);
        CAPTURE(height);
        CAPTURE(static_cast<int>(border));
        const double outside = border == BorderKind::kConstant ? kConstantShare * 255 : 0;
        std::vector<double> expected;
        for (int y = 0; y < height; ++y) {
          for (int x = 0; x < width; ++x) {
            double sum = 0;
            for (int j = 0; j < kSide; ++j) {
              const int row = Walker(border, height).At(y + j - kSide / 2);
              for (int i = 0; i < kSide; ++i) {
                const int column = Walker(border, width).At(x + i - kSide / 2);
                const bool inside = row >= 0 && column >= 0;
                const double pixel = inside ? samples[static_cast<size_t>(row * width + column)] : outside;
                sum += weights[static_cast<size_t>(j * kSide + i)] * pixel;
              }
            }
            expected.push_back(sum / 255);
          }
        }
        Pass pass = BorderedPass(Kernel(kSide, kSide, weights), border);
        pass.range.kind = RangeKind::kFloat;
        // Integer weights and samples: sums below 2^24 are exact in single precision too, but for the constant 51's
        // share.
        const auto result = Result<float>(*backend, {{pass}}, image);
        REQUIRE(result.size() == expected.size());
        for (size_t i = 0; i < result.size(); ++i) {
          CHECK(result[i] == doctest::Approx(expected[i]).epsilon(1e-5).scale(100));
        }
      }
    }
  }
}

TEST_CASE_TEMPLATE("a border belongs to each pass's own input, not to the picture", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  // The first pass adds a fifth of full scale; zero outside means 0 to the second pass, not what the first made of it.
  Pass brighter = PassOf(Kernel(1, 1, {1}), BorderKind::kZero);
  brighter.epilogue.offset = 0.2;
  const Plan plan{{brighter, PassOf(Reader(1, false), BorderKind::kZero)}};
  CHECK(Result<uint8_t>(*backend, plan, Picture<uint8_t>(3, 1, {10, 20, 30})) == std::vector<uint8_t>{71, 81, 0});
}

}  // namespace
}  // namespace convolve::test
