// Masks as pictures: coverage by hand-worked numbers, how shapes meet, brightness, and that no cut changes a byte.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <numbers>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/backend.h"
#include "engine/error.h"
#include "engine/mask_brush.h"
#include "engine/mask_raster.h"
#include "engine/on_threads.h"
#include "pictures.h"

namespace convolve::test {
namespace {

using Values = std::vector<uint16_t>;

Values Raster(const Mask& mask, const Region& region, const Image* picture = nullptr) {
  const CancelToken never;
  const std::shared_ptr<const Image> image = RasteriseMask(mask, region, picture, never);
  const auto view = std::get<View<const uint16_t>>(image->view());
  return {view.data, view.data + view.stride * view.height};
}

Mask Of(std::initializer_list<MaskShape> shapes) {
  Mask mask;
  mask.shapes = shapes;
  return mask;
}

MaskBox BoxAt(double x, double y, double width, double height, double angle = 0) {
  return {x, y, width, height, angle};
}
MaskShape Rectangle(const MaskBox& box, MaskCombination combine = MaskCombination::kAdd) {
  return {combine, MaskRectangle{box}};
}
MaskShape Ellipse(const MaskBox& box, MaskCombination combine = MaskCombination::kAdd) {
  return {combine, MaskEllipse{box}};
}
MaskShape Brush(std::vector<MaskStroke> strokes) { return {MaskCombination::kAdd, MaskBrush{std::move(strokes)}}; }

double Area(const Values& values) {
  double sum = 0;
  for (const uint16_t value : values) sum += value;
  return sum / 65535;
}

/// A mask with every kind of shape, at odd places and angles.
Mask Everything() {
  Mask mask = Of({Ellipse(BoxAt(40.3, 30.7, 50, 21, 33)),
                  Rectangle(BoxAt(80, 60, 31.5, 12.25, -20)),
                  Brush({{12, 0.5, 0.75, false, {5, 5, 60, 20, 61, 70}}, {7, 1, 1, true, {0, 40, 100, 41}}}),
                  {MaskCombination::kAdd, MaskRadial{BoxAt(100, 20, 60, 40, 70), 0.25}},
                  Rectangle(BoxAt(40, 40, 9, 9, 45), MaskCombination::kSubtract),
                  {MaskCombination::kIntersect, MaskLinear{110, 80, 3, 4}}});
  mask.inverted = true;
  return mask;
}

TEST_CASE("a pixel has the share of it that a rectangle covers") {
  // Columns 1 to 2.5 and rows 0 to 1.25: halves and quarters of pixels.
  const Values values = Raster(Of({Rectangle(BoxAt(1.75, 0.625, 1.5, 1.25))}), {0, 0, 4, 3});
  CHECK(values == Values{0, 65535, 32768, 0, 0, 16384, 8192, 0, 0, 0, 0, 0});
}

TEST_CASE("a rectangle turned by a right angle is the one with its sides exchanged") {
  CHECK(Raster(Of({Rectangle(BoxAt(10, 10, 7, 3, 90))}), {0, 0, 20, 20}) ==
        Raster(Of({Rectangle(BoxAt(10, 10, 3, 7))}), {0, 0, 20, 20}));
}

TEST_CASE("a square on its corner covers half of the pixels that its sides cut through the corners") {
  // |x - 8| + |y - 8| <= 4, so the sides go through pixels' corners.
  const Values values =
      Raster(Of({Rectangle(BoxAt(8, 8, 4 * std::numbers::sqrt2, 4 * std::numbers::sqrt2, 45))}), {0, 0, 16, 16});
  const auto at = [&](int x, int y) { return int{values[static_cast<size_t>(y * 16 + x)]}; };
  CHECK(std::abs(at(11, 8) - 32768) <= 1);
  CHECK(std::abs(at(9, 10) - 32768) <= 1);
  CHECK(at(8, 8) == 65535);
  CHECK(at(12, 8) == 0);
  CHECK(Area(values) == doctest::Approx(32).epsilon(1e-5));
}

TEST_CASE("angles are counter-clockwise") {
  // A long box turned by 45 degrees points from the lower left to the upper right, as y points down.
  const Values values = Raster(Of({Rectangle(BoxAt(8, 8, 14, 2, 45))}), {0, 0, 16, 16});
  CHECK(values[4 * 16 + 11] == 65535);
  CHECK(values[4 * 16 + 4] == 0);
}

TEST_CASE("circles and ellipses cover their area, wherever they lie and however they are turned") {
  CHECK(Area(Raster(Of({Ellipse(BoxAt(50.3, 49.6, 80, 80))}), {0, 0, 100, 100})) ==
        doctest::Approx(1600 * std::numbers::pi).epsilon(1e-6));
  CHECK(Area(Raster(Of({Ellipse(BoxAt(50.25, 49.5, 80, 21.5, 37))}), {0, 0, 100, 100})) ==
        doctest::Approx(40 * 10.75 * std::numbers::pi).epsilon(1e-6));
  // Smaller than a pixel, and across the corner of four.
  CHECK(Area(Raster(Of({Ellipse(BoxAt(2.5, 2.5, 0.5, 0.5))}), {0, 0, 5, 5})) ==
        doctest::Approx(std::numbers::pi / 16).epsilon(1e-4));
  CHECK(Raster(Of({Ellipse(BoxAt(1, 1, 2, 2))}), {0, 0, 2, 2}) == Values(4, 51471));  // 65535 pi / 4 = 51471.1
}

TEST_CASE("a linear gradient is the straight line between its ends, at the middle of each pixel") {
  const Values across = Raster(Of({{MaskCombination::kAdd, MaskLinear{8, 0, 0, 0}}}), {0, 0, 10, 1});
  for (int x = 0; x < 8; ++x) CHECK(across[static_cast<size_t>(x)] == std::lround((x + 0.5) / 8 * 65535));
  CHECK(across[8] == 65535);
  const Values down = Raster(Of({{MaskCombination::kAdd, MaskLinear{0, 0, 0, 4}}}), {0, 0, 1, 5});
  CHECK(down == Values{57343, 40959, 24576, 8192, 0});
  // Shorter than a pixel, it is an edge that covers half of it.
  CHECK(Raster(Of({{MaskCombination::kAdd, MaskLinear{1.4, 0, 1.6, 0}}}), {0, 0, 3, 1}) == Values{65535, 32768, 0});
}

TEST_CASE("a radial gradient is full inside, nothing outside, and halfway in the middle between") {
  // Centre in the middle of pixel 20; radius 20, inner half 10.
  const Values row = Raster(Of({{MaskCombination::kAdd, MaskRadial{BoxAt(20.5, 0.5, 40, 40), 0.5}}}), {0, 0, 41, 1});
  CHECK(row[20] == 65535);
  CHECK(row[29] == 65535);
  CHECK(row[35] == 32768);
  CHECK(row[33] == std::lround(0.7 * 65535));
  CHECK(std::abs(row[40] - std::lround(0.125 * 0.1 * 65535)) <= 1);  // half of a pixel of a ramp that ends there
  // With all of it full it is the ellipse, but for edges by their distance instead of their area.
  const double area =
      Area(Raster(Of({{MaskCombination::kAdd, MaskRadial{BoxAt(50, 50, 80, 40), 1}}}), {0, 0, 100, 100}));
  CHECK(area == doctest::Approx(800 * std::numbers::pi).epsilon(1e-3));
}

TEST_CASE("shapes without extent cover nothing") {
  const Mask mask = Of({Rectangle(BoxAt(2, 2, 0, 5)),
                        Ellipse(BoxAt(2, 2, 5, 0)),
                        Brush({}),
                        {MaskCombination::kAdd, MaskRadial{BoxAt(2, 2, 0, 0), 1}},
                        {MaskCombination::kAdd, MaskLinear{2, 2, 2, 2}}});
  CHECK(Raster(mask, {0, 0, 4, 4}) == Values(16, 0));
}

TEST_CASE("shapes add up, are taken away and met, in their order") {
  const Region region{0, 0, 3, 1};
  const MaskShape left = Rectangle(BoxAt(0.75, 0.5, 1.5, 1));  // 1, 1/2, 0
  const auto with = [&](MaskShape shape, MaskCombination combine) {
    shape.combine = combine;
    return Raster(Of({left, shape}), region);
  };
  const MaskShape right = Rectangle(BoxAt(2.25, 0.5, 1.5, 1));               // 0, 1/2, 1
  CHECK(with(right, MaskCombination::kAdd) == Values{65535, 49151, 65535});  // 3/4
  CHECK(with(right, MaskCombination::kSubtract) == Values{65535, 16384, 0});
  CHECK(with(right, MaskCombination::kIntersect) == Values{0, 16384, 0});
}

TEST_CASE("a mask starts from the whole picture where nothing adds first") {
  CHECK(Raster(Mask{}, {0, 0, 2, 1}) == Values{65535, 65535});
  CHECK(Raster(Of({Rectangle(BoxAt(0.5, 0.5, 1, 1), MaskCombination::kSubtract)}), {0, 0, 2, 1}) == Values{0, 65535});
  CHECK(Raster(Of({Rectangle(BoxAt(0.5, 0.5, 1, 1), MaskCombination::kIntersect)}), {0, 0, 2, 1}) == Values{65535, 0});
}

TEST_CASE("inverted, every value is 65535 less it") {
  Mask mask = Everything();
  const Region region{0, 0, 128, 90};
  const Values inverted = Raster(mask, region);
  mask.inverted = false;
  Values values = Raster(mask, region);
  for (uint16_t& value : values) value = static_cast<uint16_t>(65535 - value);
  CHECK(values == inverted);
}

TEST_CASE("any cut of a mask has the same bytes") {
  const Mask mask = Everything();
  // Enough for several threads, and bands that begin elsewhere.
  const Region whole{-3, -5, 700, 400};
  const Values values = Raster(mask, whole);
  for (const Region cut :
       {Region{-3, -5, 700, 1}, Region{-3, 6, 700, 70}, Region{17, 3, 90, 77}, Region{60, 40, 1, 1}}) {
    const Values part = Raster(mask, cut);
    for (int y = 0; y < cut.height; ++y) {
      const auto* row = values.data() + (cut.y - whole.y + y) * whole.width + (cut.x - whole.x);
      CHECK(std::equal(row, row + cut.width, part.data() + y * cut.width));
    }
  }
}

TEST_CASE("a stroke is full to its hardness and falls to nothing at its radius") {
  CHECK(StrokeProfile(0, 10, 0.5) == 1);
  CHECK(StrokeProfile(4.5, 10, 0.5) == 1);
  CHECK(StrokeProfile(10.5, 10, 0.5) == 0);
  CHECK(StrokeProfile(7.5, 10, 0.5) == doctest::Approx(0.5).epsilon(1e-12));
  // Hard: the share of a pixel that a straight edge leaves.
  CHECK(StrokeProfile(9.75, 10, 1) == doctest::Approx(0.75).epsilon(1e-12));
  CHECK(StrokeProfile(10, 10, 1) == doctest::Approx(0.5).epsilon(1e-12));
  double before = 1;
  for (double distance = 0; distance < 12; distance += 0.125) {
    const double value = StrokeProfile(distance, 10, 0.25);
    CHECK(value <= before);
    before = value;
  }
}

TEST_CASE("a straight stroke covers a band with round ends, and its points' order and number change nothing") {
  const MaskStroke stroke{8, 1, 1, false, {10, 20, 50, 20}};
  const Region region{0, 0, 60, 40};
  const Values values = Raster(Of({Brush({stroke})}), region);
  CHECK(Area(values) == doctest::Approx(8 * 40 + 16 * std::numbers::pi).epsilon(2e-3));
  CHECK(values[20 * 60 + 30] == 65535);
  CHECK(values[16 * 60 + 30] == 65535);
  CHECK(values[15 * 60 + 30] == 0);
  CHECK(Raster(Of({Brush({{8, 1, 1, false, {50, 20, 10, 20}}})}), region) == values);
  CHECK(Raster(Of({Brush({{8, 1, 1, false, {10, 20, 30, 20, 30, 20, 50, 20, 40, 20}}})}), region) == values);
  CHECK(Area(Raster(Of({Brush({{8, 1, 1, false, {30, 20}}})}), region)) ==
        doctest::Approx(16 * std::numbers::pi).epsilon(1e-2));
}

TEST_CASE("a stroke over itself is no stronger, a second stroke is, and an eraser takes its flow away") {
  const MaskStroke half{8, 1, 0.5, false, {2, 5, 18, 5, 2, 5}};
  const auto middle = [](std::vector<MaskStroke> strokes) {
    return Raster(Of({Brush(std::move(strokes))}), {10, 5, 1, 1})[0];
  };
  CHECK(middle({half}) == 32768);
  CHECK(middle({half, half}) == 49151);
  MaskStroke eraser = half;
  eraser.erases = true;
  CHECK(middle({half, eraser}) == 16384);
  CHECK(middle({eraser, half}) == 32768);
  MaskStroke wiping = eraser;
  wiping.flow = 1;
  CHECK(middle({half, half, wiping}) == 0);
}

TEST_CASE("a range of brightness keeps what lies in it, and falls off beyond") {
  Mask mask;
  mask.luminance = MaskLuminance{0.4, 0.6, 0.2};
  const auto grey = Picture<float>(7, 1, {0, 0.2F, 0.3F, 0.4F, 0.5F, 0.7F, 2});
  CHECK(Raster(mask, {0, 0, 7, 1}, grey.get()) == Values{0, 0, 32768, 65535, 65535, 32768, 0});
  // Without softness, all or nothing.
  mask.luminance->softness = 0;
  CHECK(Raster(mask, {0, 0, 7, 1}, grey.get()) == Values{0, 0, 0, 65535, 65535, 0, 0});
  // 0 and 1 have no end: blacker than black and whiter than white belong to them.
  mask.luminance = MaskLuminance{0.5, 1, 0};
  CHECK(Raster(mask, {0, 0, 7, 1}, grey.get()) == Values{0, 0, 0, 0, 65535, 65535, 65535});
}

TEST_CASE("brightness is that of Rec. 709, without alpha") {
  Mask mask;
  mask.luminance = MaskLuminance{0.5, 1, 0.5};
  const auto check = [&](const Image& picture, std::initializer_list<double> shares) {
    const Values values = Raster(mask, {0, 0, static_cast<int>(shares.size()), 1}, &picture);
    size_t i = 0;
    for (const double share : shares) CHECK(std::abs(values[i++] - share * 65535) <= 1);
  };
  check(*Picture<uint8_t>(3, 1, {255, 0, 0, 0, 255, 0, 0, 0, 255}), {0.4252, 1, 0.1444});
  check(*Picture<uint16_t>(2, 1, {65535, 0, 13107, 65535}, Alpha::kLast), {1, 0.4});
}

TEST_CASE("a range of brightness needs its picture, which is read where the region lies in it") {
  Mask mask;
  mask.luminance = MaskLuminance{0.5, 1, 0};
  const CancelToken never;
  CHECK(CodeOf([&] { (void)RasteriseMask(mask, {0, 0, 2, 1}, nullptr, never); }) == ErrorCode::kInvalidArgument);
  const auto grey = Picture<uint8_t>(3, 2, {0, 0, 255, 255, 0, 0});
  CHECK(Raster(mask, {1, 0, 2, 2}, grey.get()) == Values{0, 65535, 0, 0});
  // Past an edge the nearest pixel counts.
  CHECK(Raster(mask, {-1, 1, 2, 2}, grey.get()) == Values{65535, 65535, 65535, 65535});
}

TEST_CASE("a region beyond the last pixel that has a number is refused") {
  const CancelToken never;
  for (const Region& region : {Region{2147483600, 0, 64, 1}, Region{0, 2147483600, 1, 64}}) {
    CHECK(CodeOf([&] { (void)RasteriseMask(Everything(), region, nullptr, never); }) == ErrorCode::kInvalidArgument);
  }
}

TEST_CASE("made from a mask before, it is the same: what changed is computed, in whatever place, and the rest copied") {
  const CancelToken never;
  const Mask old = Everything();
  Mask mask = old;
  std::get<MaskBrush>(mask.shapes[2].geometry).strokes.push_back({9, 0.5, 1, false, {30, 20, 50, 33}});
  const Region change{24, 14, 32, 26};
  for (const Region& region :
       {Region{0, 0, 130, 90}, Region{30, 20, 40, 40}, Region{60, 50, 20, 20}, Region{-9, 8, 50, 9}}) {
    const MaskBefore before{RasteriseMask(old, region, nullptr, never), change};
    const auto image = RasteriseMask(mask, region, nullptr, never, &before);
    const auto view = std::get<View<const uint16_t>>(image->view());
    CHECK(Values{view.data, view.data + view.stride * view.height} == Raster(mask, region));
  }
  // Beyond the change nothing is computed.
  const MaskBefore nothing{RasteriseMask(Mask{}, {0, 0, 130, 90}, nullptr, never), change};
  const auto mixed = RasteriseMask(mask, {0, 0, 130, 90}, nullptr, never, &nothing);
  CHECK(std::get<View<const uint16_t>>(mixed->view()).Row(0)[0] == 65535);
  const MaskBefore other{RasteriseMask(old, {0, 0, 8, 8}, nullptr, never), change};
  CHECK(CodeOf([&] {
          (void)RasteriseMask(mask, {0, 0, 9, 8}, nullptr, never, &other);
        }) == ErrorCode::kInvalidArgument);
}

/// A system that runs out of memory for the third thread.
struct ScarceThread {
  static inline int left = 0;

  template <typename Work>
  explicit ScarceThread(const Work& work) {
    if (left-- == 0) throw std::bad_alloc();
    thread = std::thread(work);
  }
  void join() { thread.join(); }

  std::thread thread;
};

TEST_CASE("threads that cannot be started leave their work to others, whatever the reason") {
  ScarceThread::left = 2;
  std::array<std::atomic<int>, 50> done{};
  const auto make = [&] { return [&](int i) { ++done[static_cast<size_t>(i)]; }; };
  CHECK_NOTHROW(RunOnThreads<ScarceThread>(50, 8, make));
  CHECK(std::all_of(done.begin(), done.end(), [](const auto& times) { return times == 1; }));
}

TEST_CASE("the first exception of any thread is thrown once all have ended") {
  std::atomic<int> ended{0};
  const auto fails = [&](int at) {
    return [&, at] {
      return [&, at](int i) {
        ++ended;
        if (i == at) throw Error(ErrorCode::kInvalidArgument, "work", "any but " + std::to_string(at), "it");
      };
    };
  };
  CHECK(CodeOf([&] { RunOnThreads(40, 1, fails(0)); }) == ErrorCode::kInvalidArgument);
  CHECK(ended == 1);
  ended = 0;
  CHECK(CodeOf([&] { RunOnThreads(40, 4, fails(39)); }) == ErrorCode::kInvalidArgument);
  CHECK(ended == 40);
  const auto none = []() -> std::function<void(int)> { throw std::bad_alloc(); };
  CHECK_THROWS_AS(RunOnThreads(4, 4, none), std::bad_alloc);
}

TEST_CASE("a mask that nobody waits for is not made") {
  CancelToken cancel;
  cancel.Cancel();
  CHECK(CodeOf([&] { (void)RasteriseMask(Everything(), {0, 0, 64, 64}, nullptr, cancel); }) == ErrorCode::kCancelled);
}

}  // namespace
}  // namespace convolve::test
