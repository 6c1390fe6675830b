// Borders: the position of the sample that stands for one outside the image, one axis at a time.
#include "engine/border.h"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <limits>

namespace convolve {
namespace {

/// Positions -7 to 9 of a row of three samples, 0 1 2; -1 where the constant applies.
using Row = std::array<int, 17>;

Row MappedRow(BorderKind border) {
  Row row{};
  for (int i = 0; i < 17; ++i) row[static_cast<unsigned>(i)] = MapPosition(border, i - 7, 3);
  return row;
}

TEST_CASE("every border maps positions -7 to 9 of three samples as the golden set's table says") {
  CHECK(MappedRow(BorderKind::kZero) == Row{-1, -1, -1, -1, -1, -1, -1, 0, 1, 2, -1, -1, -1, -1, -1, -1, -1});
  CHECK(MappedRow(BorderKind::kConstant) == Row{-1, -1, -1, -1, -1, -1, -1, 0, 1, 2, -1, -1, -1, -1, -1, -1, -1});
  CHECK(MappedRow(BorderKind::kReplicate) == Row{0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 2, 2, 2, 2, 2, 2, 2});
  CHECK(MappedRow(BorderKind::kReflect) == Row{0, 0, 1, 2, 2, 1, 0, 0, 1, 2, 2, 1, 0, 0, 1, 2, 2});
  CHECK(MappedRow(BorderKind::kMirror) == Row{1, 2, 1, 0, 1, 2, 1, 0, 1, 2, 1, 0, 1, 2, 1, 0, 1});
  CHECK(MappedRow(BorderKind::kWrap) == Row{2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0});
}

TEST_CASE("a single sample stands for every position of the borders that repeat") {
  for (const BorderKind border :
       {BorderKind::kReplicate, BorderKind::kReflect, BorderKind::kMirror, BorderKind::kWrap}) {
    for (int64_t position = -5; position <= 5; ++position) CHECK(MapPosition(border, position, 1) == 0);
  }
  for (const BorderKind border : {BorderKind::kZero, BorderKind::kConstant}) {
    CHECK(MapPosition(border, -1, 1) == -1);
    CHECK(MapPosition(border, 0, 1) == 0);
    CHECK(MapPosition(border, 1, 1) == -1);
  }
}

TEST_CASE("borders repeat over any distance, to the ends of 64 bits") {
  constexpr int64_t kFar = 4'000'000'000'000;
  constexpr int kSize = 7;
  for (int64_t p = -20; p <= 20; ++p) {
    CAPTURE(p);
    // Whole periods away is the same position: n for wrap, 2n for reflect, 2n - 2 for mirror.
    for (const int64_t side : {kFar, -kFar}) {
      CHECK(MapPosition(BorderKind::kWrap, p + side * kSize, kSize) == MapPosition(BorderKind::kWrap, p, kSize));
      CHECK(MapPosition(BorderKind::kReflect, p + side * 2 * kSize, kSize) ==
            MapPosition(BorderKind::kReflect, p, kSize));
      CHECK(MapPosition(BorderKind::kMirror, p + side * (2 * kSize - 2), kSize) ==
            MapPosition(BorderKind::kMirror, p, kSize));
    }
  }
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  CHECK(MapPosition(BorderKind::kReplicate, kLeast, kSize) == 0);
  CHECK(MapPosition(BorderKind::kReplicate, kMost, kSize) == kSize - 1);
  CHECK(MapPosition(BorderKind::kWrap, kMost, kSize) == 0);       // 2^63 - 1 = 7 x 1317624576693539401
  CHECK(MapPosition(BorderKind::kWrap, kLeast, kSize) == 6);      // one before -(2^63 - 1)
  CHECK(MapPosition(BorderKind::kReflect, kMost, 1 << 20) == 0);  // one before a whole number of periods
  CHECK(MapPosition(BorderKind::kReflect, kLeast, 1 << 20) == 0);
}

}  // namespace
}  // namespace convolve
