// The rest of what a pass does: epilogue, magnitude, valid results, stacks, depths, and where the result is written.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <vector>

#include "backends.h"
#include "pictures.h"

namespace convolve::test {
namespace {

Pass Valid(Pass pass) {
  pass.size = SizeMode::kValid;
  return pass;
}

TEST_CASE_TEMPLATE("the epilogue mixes the result with the pixel itself and adds a share of full scale", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  // Unsharp mask: 2 x the pixel - 1 x the blur.
  Pass unsharp = PassOf(Kernel(3, 1, {1, 2, 1}, 4));
  unsharp.epilogue = {-1, 2, 0};
  const auto image = Picture<uint8_t>(5, 1, {100, 100, 100, 180, 180});
  CHECK(Result<uint8_t>(*backend, {{unsharp}}, image) == std::vector<uint8_t>{100, 100, 80, 200, 180});
  unsharp.epilogue.offset = 0.2;  // 51 of 255
  CHECK(Result<uint8_t>(*backend, {{unsharp}}, image) == std::vector<uint8_t>{151, 151, 131, 251, 231});
}

TEST_CASE_TEMPLATE("with another depth the offset is the same share of full scale", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  Pass pass = PassOf(Kernel(1, 1, {1}));
  pass.epilogue.offset = 0.2;
  CHECK(Result<uint16_t>(*backend, {{pass}}, Picture<uint16_t>(1, 1, {1000})) == std::vector<uint16_t>{14107});
  CHECK(Result<float>(*backend, {{pass}}, Picture<float>(1, 1, {0.5F}))[0] == doctest::Approx(0.7));
}

TEST_CASE_TEMPLATE("a magnitude is the length of the two results, each over its own divisor", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  // value = 6x + 16y: central differences 12 and 32; over 2 and 4 they are 6 and 8, whose length is 10.
  std::vector<uint8_t> ramp;
  for (int y = 0; y < 5; ++y) {
    for (int x = 0; x < 5; ++x) ramp.push_back(static_cast<uint8_t>(6 * x + 16 * y));
  }
  const MagnitudeWeights work{Kernel(3, 1, {-1, 0, 1}, 2), Kernel(1, 3, {-1, 0, 1}, 4)};
  const Plan plan{{Valid(PassOf(work))}};
  const auto image = Picture<uint8_t>(5, 5, ramp);
  CHECK(SizeAfter(plan, 5, 5).width == 3);
  CHECK(SizeAfter(plan, 5, 5).height == 3);
  CHECK(Result<uint8_t>(*backend, plan, image) == std::vector<uint8_t>(9, 10));
  // The epilogue comes after the root.
  Pass half = PassOf(work);
  half.epilogue = {0.5, 1, 0};
  const auto result = Result<uint8_t>(*backend, {{half}}, image);
  CHECK(int{result[2 * 5 + 2]} == 5 + 6 * 2 + 16 * 2);
}

TEST_CASE_TEMPLATE("a pass that repeats is as many equal passes", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const auto image = NoisePicture<uint8_t>(37, 23, 4, 91, Alpha::kLast);
  Pass heat = PassOf(Laplacian(), BorderKind::kMirror, RangeKind::kFloat);
  heat.epilogue = {0.2, 1, 0};
  heat.alpha = AlphaMode::kStraight;
  Pass sharpen = PassOf(Sharpen(), BorderKind::kWrap);
  sharpen.epilogue.offset = -0.1;
  for (Pass pass : {heat, sharpen, Valid(PassOf(Kernel(4, 3, std::vector<double>(12, 1.0), 12)))}) {
    const Plan written{{PassOf(Emboss()), pass, pass, pass, PassOf(Box(3, 3))}};
    pass.repeat = 3;
    const Plan repeated{{PassOf(Emboss()), pass, PassOf(Box(3, 3))}};
    const auto expected = Result<uint8_t>(*backend, written, image);
    const auto result = Result<uint8_t>(*backend, repeated, image);
    REQUIRE(result.size() == expected.size());
    size_t unequal = 0;
    for (size_t i = 0; i < result.size(); ++i) {
      CHECK(std::abs(int{result[i]} - int{expected[i]}) <= 1);
      if (result[i] != expected[i]) ++unequal;
    }
    // Steps that are computed together may round elsewhere.
    CHECK(unequal <= result.size() / 500);
  }
}

TEST_CASE_TEMPLATE("extremes are those of a repeated pass's last time, before its range", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const auto image = Picture<float>(5, 1, {0, 0, 1, 0, 0});
  Pass pass = PassOf(Kernel(3, 1, {-1, 3, -1}), BorderKind::kZero, RangeKind::kClamp);
  pass.repeat = 2;
  // Once, clamped: 0 0 1 0 0. Twice: 0 -1 3 -1 0.
  const Extremes extremes = backend->Measure({{pass}}, image, CancelToken());
  CHECK(extremes.minimum == doctest::Approx(-1));
  CHECK(extremes.maximum == doctest::Approx(3));
}

TEST_CASE_TEMPLATE("a valid result is the middle of the whole one, starting at the anchor", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const auto image = NoisePicture<uint8_t>(14, 11, 3, 15);
  DenseWeights kernel = KernelAt(4, 3, 3, 0, {1, 2, 3, 4, -1, 0, 2, 1, 0, 1, 1, 2});
  kernel.divisor = 16;
  const Plan same{{PassOf(kernel)}};
  const Plan valid{{Valid(PassOf(kernel))}};
  CHECK(Result<uint8_t>(*backend, valid, image) == Part<uint8_t>(*backend, same, image, {3, 0, 11, 9}));
  // A part of a valid result is that part of it.
  CHECK(Part<uint8_t>(*backend, valid, image, {2, 3, 5, 4}) == Part<uint8_t>(*backend, same, image, {5, 3, 5, 4}));
}

TEST_CASE_TEMPLATE("after a valid pass, the next pass's border belongs to the smaller picture", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const Pass middle = Valid(PassOf(Kernel(3, 1, {0, 1, 0})));
  const Pass reads_left = PassOf(Kernel(3, 1, {1, 0, 0}), BorderKind::kWrap);
  CHECK(Result<uint8_t>(*backend, {{middle, reads_left}}, Picture<uint8_t>(5, 1, {1, 2, 3, 4, 5})) ==
        std::vector<uint8_t>{4, 2, 3});
}

TEST_CASE_TEMPLATE("passes run in the order of the stack", Tested, CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const Pass threefold = PassOf(Kernel(1, 1, {3}));
  Pass brighter = PassOf(Kernel(1, 1, {1}));
  brighter.epilogue.offset = 0.2;  // 51
  const auto image = Picture<uint8_t>(1, 1, {10});
  CHECK(Result<uint8_t>(*backend, {{threefold, brighter}}, image) == std::vector<uint8_t>{81});
  CHECK(Result<uint8_t>(*backend, {{brighter, threefold}}, image) == std::vector<uint8_t>{183});
}

TEST_CASE_TEMPLATE("a plan without passes copies the pixels, colour under alpha 0 too", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  std::vector<uint8_t> bytes = Noise<uint8_t>(16 * 16 * 4, 16);
  for (size_t i = 3; i < bytes.size(); i += 4) bytes[i] = static_cast<uint8_t>(i / 4 % 17);  // alpha 0 ... 16
  CHECK(Result<uint8_t>(*backend, {}, Picture<uint8_t>(16, 16, bytes, Alpha::kLast)) == bytes);
  const auto words = Noise<uint16_t>(64, 17);
  CHECK(Result<uint16_t>(*backend, {}, Picture<uint16_t>(8, 8, words)) == words);
  const std::vector<float> numbers = {-3.5F, 0.0F, 1e-30F, 7e20F};
  CHECK(Result<float>(*backend, {}, Picture<float>(2, 2, numbers)) == numbers);
}

TEST_CASE_TEMPLATE("a destination of another depth gets the same shares of its own full scale", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const auto bytes = Picture<uint8_t>(4, 1, {0, 1, 128, 255});
  CHECK(Result<uint16_t>(*backend, {}, bytes) == std::vector<uint16_t>{0, 257, 32896, 65535});
  const auto shares = Result<float>(*backend, {}, bytes);
  CHECK(shares[1] == doctest::Approx(1 / 255.0));
  CHECK(shares[3] == 1.0F);
  const auto words =
      Picture<uint16_t>(5, 1, {0, 128, 129, 32896, 65535});  // 128 / 257 is below a half, 129 / 257 above
  CHECK(Result<uint8_t>(*backend, {}, words) == std::vector<uint8_t>{0, 0, 1, 128, 255});
  const auto numbers = Picture<float>(5, 1, {-0.25F, 0.0F, 0.5F, 1.0F, 2.0F});
  CHECK(Result<uint8_t>(*backend, {}, numbers) == std::vector<uint8_t>{0, 0, 128, 255, 255});
  CHECK(Result<uint16_t>(*backend, {}, numbers) == std::vector<uint16_t>{0, 0, 32768, 65535, 65535});
  const auto doubles = Picture<double>(2, 1, {0.25, 0.75});
  CHECK(Result<uint8_t>(*backend, {}, doubles) == std::vector<uint8_t>{64, 191});
  CHECK(Result<float>(*backend, {{PassOf(Kernel(1, 1, {2}), BorderKind::kZero, RangeKind::kFloat)}}, doubles) ==
        std::vector<float>{0.5F, 1.5F});
}

TEST_CASE_TEMPLATE("only the destination's own pixels are written, whatever its stride", Tested,
                   CONVOLVE_TESTED_BACKENDS) {
  const auto backend = Tested::Make();
  const auto image = NoisePicture<uint8_t>(9, 6, 3, 18);
  const Plan plan{{PassOf(Sharpen())}};
  const Region region{2, 1, 5, 4};
  const auto expected = Part<uint8_t>(*backend, plan, image, region);
  for (const int level : {0, 1}) {
    CAPTURE(level);
    const Region part = level == 0 ? region : Region{1, 0, 3, 2};
    constexpr int kStride = 20;
    std::vector<uint8_t> memory(kStride * 6, 77);
    backend->Run(plan, image, {part, level},
                 View<uint8_t>{memory.data() + kStride, part.width, part.height, 3, kStride}, CancelToken());
    const auto tight = Part<uint8_t>(*backend, plan, image, part, level);
    for (int y = 0; y < 6; ++y) {
      for (int i = 0; i < kStride; ++i) {
        CAPTURE(y);
        CAPTURE(i);
        const bool own = y >= 1 && y <= part.height && i < part.width * 3;
        const int value = own ? tight[static_cast<size_t>((y - 1) * part.width * 3 + i)] : 77;
        CHECK(int{memory[static_cast<size_t>(y * kStride + i)]} == value);
      }
    }
  }
}

}  // namespace
}  // namespace convolve::test
