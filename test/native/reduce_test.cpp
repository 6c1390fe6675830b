// Levels of an image: block means, rounded once; and the sample arithmetic they end in.
#include "engine/reduce.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "engine/error.h"
#include "engine/image.h"
#include "engine/sample.h"
#include "pictures.h"

namespace convolve::test {
namespace {

template <typename T>
std::vector<T> Reduced(int width, int height, const std::vector<T>& samples, int level, Alpha alpha = Alpha::kNone) {
  const auto image = Reduce(*Picture<T>(width, height, samples, alpha), level);
  const auto view = std::get<View<T>>(image->view());
  return {view.data, view.data + view.stride * view.height};
}

TEST_CASE("each pixel of a level is the mean of its block, halves away from zero") {
  CHECK(Reduced<uint8_t>(4, 2, {0, 1, 10, 20, 0, 1, 30, 41}, 1) == std::vector<uint8_t>{1, 25});    // 0.5 and 25.25
  CHECK(Reduced<uint16_t>(2, 2, {65535, 65535, 65535, 65533}, 1) == std::vector<uint16_t>{65535});  // 65534.5
  CHECK(Reduced<float>(2, 2, {0.0F, 0.25F, 0.5F, -1.75F}, 1) == std::vector<float>{-0.25F});
}

TEST_CASE("blocks cut at the far edges average what exists") {
  CHECK(Reduced<uint8_t>(3, 3, {0, 2, 10, 4, 6, 20, 50, 60, 90}, 1) == std::vector<uint8_t>{3, 15, 55, 90});
  CHECK(Reduced<uint8_t>(3, 1, {1, 2, 6}, 5) == std::vector<uint8_t>{3});
  CHECK(Reduced<uint8_t>(1, 1, {7}, kMaximumLevel) == std::vector<uint8_t>{7});
}

TEST_CASE("a coarse level rounds once: it is not the level of a level") {
  const std::vector<uint8_t> samples = {0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  CHECK(Reduced<uint8_t>(4, 4, samples, 2) == std::vector<uint8_t>{0});
  const std::vector<uint8_t> half = Reduced<uint8_t>(4, 4, samples, 1);
  CHECK(half == std::vector<uint8_t>{1, 0, 0, 0});
}

TEST_CASE("colour is weighted by alpha, so hidden colour does not show") {
  // Opaque red and transparent green: red, half transparent.
  CHECK(Reduced<uint8_t>(2, 1, {255, 0, 0, 255, 0, 255, 0, 0}, 1, Alpha::kLast) ==
        std::vector<uint8_t>{255, 0, 0, 128});
  CHECK(Reduced<uint8_t>(2, 1, {100, 200, 40, 50}, 1, Alpha::kLast) ==
        std::vector<uint8_t>{static_cast<uint8_t>((100 * 200 + 40 * 50 + 125) / 250), 125});
  // A block that is transparent everywhere has no colour.
  CHECK(Reduced<uint8_t>(2, 1, {9, 9, 9, 0, 7, 7, 7, 0}, 1, Alpha::kLast) == std::vector<uint8_t>{0, 0, 0, 0});
  CHECK(Reduced<float>(2, 1, {0.5F, 0.0F, 0.25F, 0.0F}, 1, Alpha::kLast) == std::vector<float>{0.0F, 0.0F});
}

TEST_CASE("without alpha, the fourth channel is a number like the others") {
  CHECK(Reduced<uint8_t>(2, 1, {255, 0, 0, 255, 0, 255, 0, 0}, 1) == std::vector<uint8_t>{128, 128, 0, 128});
}

TEST_CASE("level 0 is a copy, colour under alpha 0 too") {
  const std::vector<uint8_t> samples = {1, 2, 3, 0, 4, 5, 6, 9};
  CHECK(Reduced<uint8_t>(2, 1, samples, 0, Alpha::kLast) == samples);
}

TEST_CASE("integer means are exact over large blocks") {
  const std::vector<uint16_t> white(size_t{1000} * 1000 * 4, 65535);
  CHECK(Reduced<uint16_t>(1000, 1000, white, 10, Alpha::kLast) == std::vector<uint16_t>(4, 65535));
}

TEST_CASE("levels outside 0 to 20 are refused") {
  const auto image = Flat<uint8_t>(2, 2, 1, 0);
  CHECK_THROWS_AS(Reduce(*image, -1), Error);
  CHECK_THROWS_AS(Reduce(*image, kMaximumLevel + 1), Error);
}

TEST_CASE("a destination of another type, size or channel count is refused") {
  const auto image = Flat<uint8_t>(4, 4, 1, 0);
  uint8_t bytes[16] = {};
  float numbers[16] = {};
  CHECK_NOTHROW(ReduceInto(image->view(), false, 1, View<uint8_t>{bytes, 2, 2, 1, 2}));
  CHECK_THROWS_AS(ReduceInto(image->view(), false, 1, View<float>{numbers, 2, 2, 1, 2}), Error);
  CHECK_THROWS_AS(ReduceInto(image->view(), false, 1, View<uint8_t>{bytes, 3, 2, 1, 3}), Error);
  CHECK_THROWS_AS(ReduceInto(image->view(), false, 1, View<uint8_t>{bytes, 2, 1, 1, 2}), Error);
  CHECK_THROWS_AS(ReduceInto(image->view(), false, 1, View<uint8_t>{bytes, 2, 2, 2, 4}), Error);
}

TEST_CASE("stored integers are rounded half away from zero and clamped, and what is no number is 0") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  CHECK(StoredSample<uint8_t>(0.49999) == 0);
  CHECK(StoredSample<uint8_t>(0.5) == 1);
  CHECK(StoredSample<uint8_t>(1.5) == 2);
  CHECK(StoredSample<uint8_t>(2.5) == 3);
  CHECK(StoredSample<uint8_t>(254.5) == 255);
  CHECK(StoredSample<uint8_t>(300) == 255);
  CHECK(StoredSample<uint8_t>(-0.5) == 0);
  CHECK(StoredSample<uint8_t>(-300) == 0);
  CHECK(StoredSample<uint8_t>(kInfinity) == 255);
  CHECK(StoredSample<uint8_t>(-kInfinity) == 0);
  CHECK(StoredSample<uint8_t>(std::numeric_limits<double>::quiet_NaN()) == 0);
  CHECK(StoredSample<uint16_t>(65534.5) == 65535);
  CHECK(StoredSample<uint16_t>(1e9) == 65535);
  CHECK(StoredSample<float>(-1.25) == -1.25F);
}

}  // namespace
}  // namespace convolve::test
