// Storing and averaging. Integer sums are exact in 64 bits: an image has at most 2^31 pixels, a product of two samples
// at most 2^32.
#include "cpu/sinks.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>

#include "cpu/row_stride.h"

namespace convolve::cpu {
namespace {

/// Destinations of this size leave the caches before anybody reads them.
constexpr ptrdiff_t kStreamBytes = 8 << 20;

/// sum / count, rounded half up (all integers here are unsigned, so that is half away from zero).
template <typename To>
To Quotient(uint64_t sum, uint64_t count) {
  const uint64_t quotient = sum / count;
  const uint64_t remainder = sum % count;
  return static_cast<To>(remainder >= count - remainder ? quotient + 1 : quotient);
}

template <typename To>
To Quotient(double sum, double count) {
  return static_cast<To>(sum / count);
}

/// Below a millionth of full alpha on average a block has no colour (engine/reduce.h).
bool Transparent(uint64_t alpha_sum, int64_t /*pixels*/) { return alpha_sum == 0; }
bool Transparent(double alpha_sum, int64_t pixels) { return std::abs(alpha_sum) < 1e-6 * static_cast<double>(pixels); }

template <typename To>
constexpr SampleType TypeOf() {
  if constexpr (std::is_same_v<To, uint8_t>) return SampleType::kU8;
  if constexpr (std::is_same_v<To, uint16_t>) return SampleType::kU16;
  if constexpr (std::is_same_v<To, float>) return SampleType::kF32;
  return SampleType::kF64;
}

/// Whether rows are written past the caches.
template <typename To>
bool Leaves(const View<To>& destination) {
  return destination.stride * static_cast<ptrdiff_t>(sizeof(To)) * destination.height >= kStreamBytes;
}

}  // namespace

template <typename To>
LineColumns LinesOf(const View<To>& destination, int x) {
  const size_t pixel = static_cast<size_t>(destination.channels) * sizeof(To);
  const size_t row = static_cast<size_t>(destination.stride) * sizeof(To);
  if (!Leaves(destination) || row % kCacheLine != 0) return {};
  const int step = static_cast<int>(kCacheLine / std::gcd(pixel, kCacheLine));
  const size_t address = reinterpret_cast<uintptr_t>(destination.data);
  for (int before = 0; before < step; ++before) {
    if ((address + static_cast<size_t>(before) * pixel) % kCacheLine == 0) return {x + before, step};
  }
  return {};
}

template <typename T>
StoreJob<T> StoreOf(const PreparedPlan<T>& plan, SampleType type) {
  StoreJob<T> store;
  const double full = FullScale(type);
  // A division by a whole full scale rounds once, where a multiplication by its reciprocal would round twice.
  if (full > plan.full_scale) store.multiplier = static_cast<T>(full / plan.full_scale);
  if (full < plan.full_scale) store.divisor = static_cast<T>(plan.full_scale / full);
  // What is mixed has the alpha of what it is mixed with, which may be another picture.
  const bool fill =
      !plan.passes.empty() && plan.passes.back().finish.alpha == AlphaWork::kOpaque && !plan.passes.back().mix;
  store.opaque_channels = fill ? static_cast<size_t>(plan.channels) : 0;
  store.destination_full_scale = full;
  return store;
}

template <typename T, typename To>
DestinationSink<T, To>::DestinationSink(const Kernels<T>& kernels, const StoreJob<T>& store,
                                        const View<To>& destination, int left, int top, int width)
    : store_row_(kernels.store[static_cast<size_t>(TypeOf<To>())]),
      store_(store),
      destination_(destination),
      left_(left),
      top_(top) {
  store_.samples = static_cast<size_t>(width) * static_cast<size_t>(destination.channels);
}

template <typename T, typename To>
RowPlace DestinationSink<T, To>::Place(SampleType type) {
  if (type != TypeOf<To>() || store_.multiplier != 1 || store_.divisor != 1) return {};
  To* const first = destination_.Row(top_) + static_cast<ptrdiff_t>(left_) * destination_.channels;
  const ptrdiff_t row_bytes = destination_.stride * static_cast<ptrdiff_t>(sizeof(To));
  return {reinterpret_cast<std::byte*>(first), row_bytes, Leaves(destination_), false};
}

template <typename T, typename To>
void DestinationSink<T, To>::PutStored(int y, const std::byte* row) {
  To* const first = destination_.Row(top_ + y) + static_cast<ptrdiff_t>(left_) * destination_.channels;
  std::memcpy(first, row, store_.samples * sizeof(To));
}

template <typename T, typename To>
void DestinationSink<T, To>::Put(int y, T* row) {
  store_.row = row;
  store_.destination = destination_.Row(top_ + y) + static_cast<ptrdiff_t>(left_) * destination_.channels;
  store_row_(store_);
}

template <typename T, typename To>
LevelSink<T, To>::LevelSink(const Kernels<T>& kernels, const StoreJob<T>& store, const View<To>& destination,
                            bool weighted, const LevelUnit& unit, Carver& carver)
    : store_row_(kernels.store[static_cast<size_t>(TypeOf<To>())]),
      store_(store),
      destination_(destination),
      weighted_(weighted),
      unit_(unit),
      channels_(destination.channels) {
  const size_t samples = static_cast<size_t>(unit.region.width) * static_cast<size_t>(channels_);
  columns_ = carver.Take<Sum>(samples);
  stored_ = carver.Take<To>(samples);
  std::fill_n(columns_, samples, Sum{0});
}

template <typename T, typename To>
size_t LevelSink<T, To>::Bytes(int width, int channels) {
  Carver carver;
  const size_t samples = static_cast<size_t>(width) * static_cast<size_t>(channels);
  carver.Take<Sum>(samples);
  carver.Take<To>(samples);
  return carver.used();
}

template <typename T, typename To>
void LevelSink<T, To>::Begin(int left, int top, int width) {
  left_ = left;
  top_ = top;
  width_ = width;
}

template <typename T, typename To>
void LevelSink<T, To>::Put(int y, T* row) {
  store_.row = row;
  store_.samples = static_cast<size_t>(width_) * static_cast<size_t>(channels_);
  store_.destination = stored_;
  store_row_(store_);
  Add(y, stored_);
}

template <typename T, typename To>
void LevelSink<T, To>::PutStored(int y, const std::byte* row) {
  Add(y, reinterpret_cast<const To*>(row));
}

template <typename T, typename To>
void LevelSink<T, To>::Add(int y, const To* row) {
  AddSums(row);
  const int below = top_ + y + 1;
  const bool complete = left_ + width_ == unit_.region.width;
  const bool last = below == unit_.region.height || (below & ((1 << unit_.level) - 1)) == 0;
  if (complete && last) Flush(below);
}

template <typename T, typename To>
void LevelSink<T, To>::AddSums(const To* row) {
  const size_t samples = static_cast<size_t>(width_) * static_cast<size_t>(channels_);
  Sum* sums = columns_ + static_cast<size_t>(left_) * static_cast<size_t>(channels_);
  if (!weighted_) {
    for (size_t i = 0; i < samples; ++i) sums[i] += static_cast<Sum>(row[i]);
    return;
  }
  const size_t channels = static_cast<size_t>(channels_);
  for (size_t i = 0; i < samples; i += channels) {
    const Sum alpha = static_cast<Sum>(row[i + channels - 1]);
    for (size_t c = 0; c + 1 < channels; ++c) sums[i + c] += static_cast<Sum>(row[i + c]) * alpha;
    sums[i + channels - 1] += alpha;
  }
}

/// Writes the destination row whose level-0 rows end above `row_below` (in the unit), and starts the next.
template <typename T, typename To>
void LevelSink<T, To>::Flush(int row_below) {
  const int block = 1 << unit_.level;
  const int row = (row_below - 1) >> unit_.level;
  const int rows = row_below - (row << unit_.level);
  To* out = destination_.Row(unit_.destination_y + row) + static_cast<ptrdiff_t>(unit_.destination_x) * channels_;
  const int colours = weighted_ ? channels_ - 1 : channels_;
  for (int left = 0; left < unit_.region.width; left += block, out += channels_) {
    const int columns = std::min(block, unit_.region.width - left);
    Sum sums[4] = {};
    const Sum* from = columns_ + static_cast<size_t>(left) * static_cast<size_t>(channels_);
    for (int x = 0; x < columns; ++x) {
      for (int c = 0; c < channels_; ++c) sums[c] += *from++;
    }
    const int64_t pixels = int64_t{rows} * columns;
    const Sum count = static_cast<Sum>(pixels);
    const Sum weights = weighted_ ? sums[colours] : count;
    const bool hidden = weighted_ && Transparent(weights, pixels);
    for (int c = 0; c < colours; ++c) out[c] = hidden ? To{0} : Quotient<To>(sums[c], weights);
    if (weighted_) out[colours] = Quotient<To>(weights, count);
  }
  std::fill_n(columns_, static_cast<size_t>(unit_.region.width) * static_cast<size_t>(channels_), Sum{0});
}

template LineColumns LinesOf<uint8_t>(const View<uint8_t>&, int);
template LineColumns LinesOf<uint16_t>(const View<uint16_t>&, int);
template LineColumns LinesOf<float>(const View<float>&, int);
template LineColumns LinesOf<double>(const View<double>&, int);
template StoreJob<float> StoreOf<float>(const PreparedPlan<float>&, SampleType);
template StoreJob<double> StoreOf<double>(const PreparedPlan<double>&, SampleType);
template class DestinationSink<float, uint8_t>;
template class DestinationSink<float, uint16_t>;
template class DestinationSink<float, float>;
template class DestinationSink<float, double>;
template class DestinationSink<double, uint8_t>;
template class DestinationSink<double, uint16_t>;
template class DestinationSink<double, float>;
template class DestinationSink<double, double>;
template class LevelSink<float, uint8_t>;
template class LevelSink<float, uint16_t>;
template class LevelSink<float, float>;
template class LevelSink<float, double>;
template class LevelSink<double, uint8_t>;
template class LevelSink<double, uint16_t>;
template class LevelSink<double, float>;
template class LevelSink<double, double>;

}  // namespace convolve::cpu
