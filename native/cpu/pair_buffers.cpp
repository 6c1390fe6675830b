#include "cpu/pair_buffers.h"

#include <algorithm>

namespace convolve::cpu {
namespace {

/// Rows that have to be loaded stay in a ring as long as it is no larger than this.
constexpr size_t kMostRingBytes = size_t{6} << 20;
constexpr int kLoadedPixels = 32;  // at a time, where there is no ring
constexpr size_t kStripBytes = 320 * 1024;
constexpr int kHalosPerStrip = 4;  // columns of the halo are summed down once for each strip
constexpr int kNarrowest = 128;
constexpr size_t kMostColumnBytes = size_t{12} << 20;

size_t RoundUp(size_t value, size_t step) { return (value + step - 1) / step * step; }

template <typename T>
size_t StrideOf(size_t samples) {
  return RowStride(samples * sizeof(T) + kRowSlackBytes) / sizeof(T);
}

}  // namespace

template <typename T>
PairBuffers<T>::PairBuffers(Carver& carver, const PreparedPass<T>& pass, int channels, int width, int height) {
  constexpr size_t kLanes = kMostLanes<T>;
  const size_t channel_count = static_cast<size_t>(channels);
  const size_t positions = static_cast<size_t>(width + pass.window_width() - 1);
  const size_t pairs = std::max<size_t>(pass.pair.columns.size(), 1);
  const size_t whole = RoundUp(static_cast<size_t>(width), kBoxPixels);  // and of quarters (pair_kernels.h)
  const size_t padded = whole + static_cast<size_t>(pass.window_width()) - 1;
  // Of those that are not turned, three vectors more of each row.
  column_stride = (RoundUp(padded * channel_count, kLanes) + 3 * kLanes) * kLanes;
  columns = carver.Take<T>(pairs * column_stride);
  sums = carver.Take<std::byte>(RunningSumsBytes(pass, channels, width));
  loaded_rows = static_cast<size_t>(pass.window_height()) + kMostGroupRows - 1;
  ring = StrideOf<T>(positions * channel_count + kLanes) * loaded_rows * sizeof(T) <= kMostRingBytes;
  loaded_pixels = ring ? static_cast<int>(positions) : kLoadedPixels;
  loaded_stride = StrideOf<T>(static_cast<size_t>(loaded_pixels) * channel_count + kLanes);
  loaded = carver.Take<T>(loaded_rows * loaded_stride);
  row_stride = StrideOf<T>(static_cast<size_t>(width) * channel_count);
  rows = carver.Take<T>(kLanes * row_stride);
  input = carver.Take<T>(row_stride);
  turned = carver.Take<T>(kLanes * kLanes * channel_count);
  if (sizeof(T) == 4 && channels == 4 && pass.box.empty()) {
    spread = carver.Take<T>(SpreadFloats(static_cast<size_t>(width), static_cast<size_t>(pass.window_width())));
  }
  outside = carver.Take<T>(kOutsideSamples * (1 + pairs * kLanes));
  outside_row = carver.Take<std::byte>(positions * channel_count * sizeof(T) + kRowSlackBytes);
  inputs = carver.Take<const T*>(pairs);
  taps = carver.Take<PairTaps<T>>(pairs);
  pointers = carver.Take<const void*>(loaded_rows);
  runs = carver.Take<AxisRun>(positions);
  own_runs = carver.Take<AxisRun>(static_cast<size_t>(width));
  const size_t window_rows = static_cast<size_t>(height + pass.window_height() - 1);
  places = carver.Take<int>(window_rows);
  copies = carver.Take<int>(positions);
}

template <typename T>
size_t RunningSumsBytes(const PreparedPass<T>& pass, int channels, int width) {
  if (pass.box.empty()) return 0;
  const size_t positions = static_cast<size_t>(width + pass.window_width() - 1);
  return RoundUp((positions * static_cast<size_t>(channels) + kMostLanes<T>)*sizeof(double), kCacheLine);
}

template <typename T>
int PairStripPixels(const PreparedPass<T>& pass, int channels, SampleType source) {
  const int halo = pass.window_width() - 1;
  const size_t rows = static_cast<size_t>(pass.window_height()) + kMostLanes<T> - 1;
  const size_t pixel = static_cast<size_t>(channels) *
                       (rows * BytesPerSample(source) + std::max<size_t>(pass.pair.columns.size(), 1) * kCacheLine);
  const int fits = static_cast<int>(kStripBytes / pixel) - halo;
  const size_t column = std::max<size_t>(pass.pair.columns.size(), 1) * kCacheLine * static_cast<size_t>(channels);
  const int most = static_cast<int>(kMostColumnBytes / column) - halo;
  return std::max({fits, std::min(kHalosPerStrip * halo, most), kNarrowest});
}

template struct PairBuffers<float>;
template struct PairBuffers<double>;
template size_t RunningSumsBytes<float>(const PreparedPass<float>&, int, int);
template size_t RunningSumsBytes<double>(const PreparedPass<double>&, int, int);
template int PairStripPixels<float>(const PreparedPass<float>&, int, SampleType);
template int PairStripPixels<double>(const PreparedPass<double>&, int, SampleType);

}  // namespace convolve::cpu
