#include "cpu/byte_ring.h"

#include <algorithm>
#include <cstring>

#include "cpu/row_stride.h"

namespace convolve::cpu {

template <typename T>
ByteRing<T>::ByteRing(Carver& carver, const PreparedPass<T>& pass, int channels, int width, int height, size_t rows,
                      size_t beyond)
    : rows_(rows), beyond_(beyond) {
  const size_t positions = static_cast<size_t>(width + pass.window_width() - 1);
  stride_ = RowStride(positions * static_cast<size_t>(channels) + beyond);
  ring_ = carver.Take<uint8_t>(rows * stride_);
  runs_ = carver.Take<AxisRun>(positions);
  places_ = carver.Take<int>(static_cast<size_t>(height + pass.window_height() - 1));
}

template <typename T>
void ByteRing<T>::Begin(const PreparedPass<T>& pass, const PreparedPlan<T>& plan, const Pixels& pixels,
                        const Region& block) {
  pass_ = &pass;
  pixels_ = &pixels;
  channels_ = static_cast<size_t>(plan.channels);
  alpha_ = plan.alpha;
  positions_ = block.width + pass.window_width() - 1;
  window_rows_ = block.height + pass.window_height() - 1;
  copied_ = 0;
  MapRows(pass, pixels, block.y, block.height, places_);
  run_count_ = MapPositions(block.x + pass.across.offset - pass.across.before, positions_, pass.border,
                            pass.input_width, *pixels.columns, runs_);
  const bool whole = run_count_ == 1 && runs_[0].from >= 0 && (runs_[0].step == 1 || positions_ == 1);
  const int behind = static_cast<int>((beyond_ + channels_ - 1) / channels_);
  // Rows this far apart in memory would compete for the same few places of a cache.
  const bool competes = pixels.row_bytes % 4096 == 0;
  in_place_ = whole && !competes && runs_[0].from + positions_ + behind <= pixels.columns->size();
}

template <typename T>
const uint8_t* ByteRing<T>::At(int row) const {
  if (!InPlace(row)) return Row(row);
  const std::byte* const first = pixels_->data + places_[row] * pixels_->row_bytes;
  return reinterpret_cast<const uint8_t*>(first) + static_cast<size_t>(runs_[0].from) * channels_;
}

template <typename T>
void ByteRing<T>::Find(int first, size_t count, const uint8_t** rows) {
  const int end = std::min(first + static_cast<int>(count), window_rows_);
  for (copied_ = std::max(copied_, first); copied_ < end; ++copied_) {
    if (!InPlace(copied_)) Copy(copied_);
  }
  for (size_t i = 0; i < count; ++i) rows[i] = At(std::min(first + static_cast<int>(i), end - 1));
}

template <typename T>
void ByteRing<T>::Copy(int row) const {
  uint8_t* const to = Row(row);
  if (places_[row] < 0) return FillOutside(to, positions_);
  const std::byte* const from = pixels_->data + places_[row] * pixels_->row_bytes;
  for (size_t r = 0; r < run_count_; ++r) {
    const AxisRun& run = runs_[r];
    uint8_t* at = to + static_cast<size_t>(run.to) * channels_;
    const std::byte* const first = from + static_cast<size_t>(std::max(run.from, 0)) * channels_;
    if (run.from < 0) {
      FillOutside(at, run.count);
    } else if (run.step == 1) {
      std::memcpy(at, first, static_cast<size_t>(run.count) * channels_);
    } else {
      const ptrdiff_t step = run.step * static_cast<ptrdiff_t>(channels_);
      for (int i = 0; i < run.count; ++i, at += channels_) std::memcpy(at, first + i * step, channels_);
    }
  }
}

template <typename T>
void ByteRing<T>::FillOutside(uint8_t* at, int pixels) const {
  for (int i = 0; i < pixels; ++i, at += channels_) {
    std::memset(at, static_cast<uint8_t>(pass_->outside), channels_);
    if (alpha_) at[channels_ - 1] = static_cast<uint8_t>(pass_->outside_alpha);
  }
}

template class ByteRing<float>;
template class ByteRing<double>;

}  // namespace convolve::cpu
