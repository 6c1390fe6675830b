#include "cpu/pair_inside.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "cpu/direct_plan.h"
#include "engine/border.h"

namespace convolve::cpu {
namespace {

/// Rows this far apart in memory would compete for the same few places of a cache.
bool Competes(ptrdiff_t row_bytes, int rows) { return row_bytes % 4096 == 0 && rows > 8; }

/// Whether the border's constant is an integer sample: sums of integers are bounded by what those hold.
template <typename T>
bool OutsideIsSample(const PreparedPass<T>& pass) {
  const auto is_sample = [&](T value) {
    return value >= 0 && value <= pass.finish.full_scale && std::floor(value) == value;
  };
  return is_sample(pass.outside) && is_sample(pass.outside_alpha);
}

/// False where the border's constant is no sample of the source's type.
template <typename T, typename From>
bool FillRow(const PairReading<T>& reading, int pixels, From* row) {
  const PreparedPass<T>& pass = reading.pass;
  const auto is_sample = [](T value) {
    if constexpr (!std::is_integral_v<From>) return static_cast<T>(static_cast<From>(value)) == value;
    return value >= 0 && value <= 65535 && static_cast<T>(static_cast<From>(value)) == value;
  };
  if (!is_sample(pass.outside) || !is_sample(pass.outside_alpha)) return false;
  const size_t channels = static_cast<size_t>(reading.plan.channels);
  for (int x = 0; x < pixels; ++x) {
    for (size_t c = 0; c < channels; ++c) *row++ = static_cast<From>(OutsideOf(reading.plan, pass, c));
  }
  return true;
}

template <typename T>
bool FillOutsideRow(const PairReading<T>& reading, int pixels, std::byte* row) {
  switch (reading.pixels.type) {
    case SampleType::kU8:
      return FillRow(reading, pixels, reinterpret_cast<uint8_t*>(row));
    case SampleType::kU16:
      return FillRow(reading, pixels, reinterpret_cast<uint16_t*>(row));
    case SampleType::kF32:
      return FillRow(reading, pixels, reinterpret_cast<float*>(row));
    case SampleType::kF64:
      return FillRow(reading, pixels, reinterpret_cast<double*>(row));
  }
  return false;
}

}  // namespace

template <typename T>
PairInside FindInside(const PairReading<T>& reading, const PairBuffers<T>& buffers) {
  const PreparedPass<T>& pass = reading.pass;
  const Pixels& pixels = reading.pixels;
  if (pass.to_linear || pass.premultiply) return {};
  if (reading.kernels.columns[static_cast<size_t>(pixels.type)] == nullptr) return {};
  if (pixels.columns->intervals().size() != 1) return {};
  if (Competes(pixels.row_bytes, pass.window_height())) return {};
  const Interval present = pixels.columns->intervals().front();
  const int begin = std::max(reading.first_column, 0);
  const int end = std::min(reading.first_column + reading.positions, pass.input_width);
  if (begin >= end || begin < present.begin || end > present.end) return {};
  PairInside inside;
  inside.from = begin - reading.first_column;
  inside.count = end - begin;
  inside.place = begin - present.begin;
  if (static_cast<size_t>(inside.count) * static_cast<size_t>(reading.plan.channels) < kMostGroupRows) return {};
  for (int p = 0; p < reading.positions; ++p) {
    if (p == inside.from) p += inside.count - 1;
    if (p >= inside.from && p < inside.from + inside.count) continue;
    const int index = MapPosition(pass.border, int64_t{reading.first_column} + p, pass.input_width);
    if (index >= 0 && (index < begin || index >= end)) return {};
    buffers.copies[p] = index < 0 ? -1 : index - reading.first_column;
    inside.repeats_outside = inside.repeats_outside || index < 0;
  }
  if (!pass.box.empty() && pixels.type == kIntegerType<T> && !OutsideIsSample(pass)) return {};
  const bool outside_rows =
      std::any_of(buffers.places, buffers.places + reading.window_rows, [](int place) { return place < 0; });
  if (outside_rows && !FillOutsideRow(reading, inside.count, buffers.outside_row)) return {};
  inside.direct = true;
  return inside;
}

template PairInside FindInside<float>(const PairReading<float>&, const PairBuffers<float>&);
template PairInside FindInside<double>(const PairReading<double>&, const PairBuffers<double>&);

}  // namespace convolve::cpu
