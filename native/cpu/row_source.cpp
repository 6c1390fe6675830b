// Runs of neighbouring columns load as vectors; the few positions outside the image load one by one.
#include "cpu/row_source.h"

#include <cstdint>
#include <type_traits>

#include "engine/border.h"

namespace convolve::cpu {
namespace {

/// Null where the type has no table.
const double* LightTable(SampleType type, const ToneCurve& curve) {
  const bool tabled = type == SampleType::kU8 || type == SampleType::kU16;
  return tabled ? curve.LightOfCodes(type).data() : nullptr;
}

size_t RowSamples(const AxisRun* runs, size_t run_count, size_t channels) {
  const AxisRun& last = runs[run_count - 1];
  return static_cast<size_t>(last.to + last.count) * channels;
}

}  // namespace

template <typename T>
const int* MapRows(const PreparedPass<T>& pass, const Pixels& pixels, int y, int height, int* places) {
  const int64_t first = int64_t{y} + pass.down.offset - pass.down.before;
  for (int i = 0; i < height + pass.window_height() - 1; ++i) {
    if (pixels.endless) {
      places[i] = pixels.PlaceOfRow(static_cast<int>(first + i));
      continue;
    }
    const int row = MapPosition(pass.border, first + i, pass.input_height);
    places[i] = row < 0 ? -1 : pixels.PlaceOfRow(row);
  }
  return places;
}

template <typename T>
RowSource<T>::RowSource(const Kernels<T>& kernels, const PreparedPass<T>& pass, const PreparedPlan<T>& plan,
                        const Pixels& pixels, const AxisRun* runs, size_t run_count, const int* places)
    : kernels_(kernels),
      pass_(pass),
      pixels_(pixels),
      runs_(runs),
      run_count_(run_count),
      places_(places),
      channels_(static_cast<size_t>(plan.channels)),
      samples_(RowSamples(runs, run_count, channels_)),
      alpha_(plan.alpha),
      light_table_(pass.to_linear ? LightTable(pixels.type, *pass.curve) : nullptr) {}

template <typename T>
void RowSource<T>::Load(int j, T* row) const {
  const int place = places_[j];
  if (place < 0) {
    FillOutside(row, static_cast<int>(samples_ / channels_));
  } else {
    const std::byte* from = pixels_.data + place * pixels_.row_bytes;
    switch (pixels_.type) {
      case SampleType::kU8:
        LoadRuns(reinterpret_cast<const uint8_t*>(from), row);
        break;
      case SampleType::kU16:
        LoadRuns(reinterpret_cast<const uint16_t*>(from), row);
        break;
      case SampleType::kF32:
        LoadRuns(reinterpret_cast<const float*>(from), row);
        break;
      case SampleType::kF64:
        LoadRuns(reinterpret_cast<const double*>(from), row);
        break;
    }
  }
  if (pass_.to_linear && light_table_ == nullptr) {
    kernels_.to_linear(row, samples_, channels_, alpha_, pass_.finish.full_scale, *pass_.curve);
  }
  if (pass_.premultiply) kernels_.premultiply(row, samples_, channels_);
}

template <typename T>
template <typename From>
void RowSource<T>::LoadRuns(const From* from, T* row) const {
  const auto load = kernels_.load[static_cast<size_t>(pixels_.type)];
  const size_t colours = alpha_ ? channels_ - 1 : channels_;
  for (size_t r = 0; r < run_count_; ++r) {
    const AxisRun& run = runs_[r];
    T* to = row + static_cast<size_t>(run.to) * channels_;
    if (run.from < 0) {
      FillOutside(to, run.count);
      continue;
    }
    const From* pixel = from + static_cast<ptrdiff_t>(run.from) * static_cast<ptrdiff_t>(channels_);
    if (run.step == 1 && light_table_ == nullptr) {
      load(pixel, static_cast<size_t>(run.count) * channels_, to);
      continue;
    }
    const ptrdiff_t step = run.step * static_cast<ptrdiff_t>(channels_);
    for (int i = 0; i < run.count; ++i, pixel += step, to += channels_) {
      for (size_t c = 0; c < channels_; ++c) {
        to[c] = static_cast<T>(pixel[c]);
        if constexpr (std::is_integral_v<From>) {
          if (light_table_ != nullptr && c < colours) to[c] = static_cast<T>(light_table_[pixel[c]]);
        }
      }
    }
  }
}

template <typename T>
void RowSource<T>::FillOutside(T* at, int pixels) const {
  for (int i = 0; i < pixels; ++i, at += channels_) {
    for (size_t c = 0; c < channels_; ++c) at[c] = pass_.outside;
    if (alpha_) at[channels_ - 1] = pass_.outside_alpha;
  }
}

template const int* MapRows<float>(const PreparedPass<float>&, const Pixels&, int, int, int*);
template const int* MapRows<double>(const PreparedPass<double>&, const Pixels&, int, int, int*);
template class RowSource<float>;
template class RowSource<double>;

}  // namespace convolve::cpu
