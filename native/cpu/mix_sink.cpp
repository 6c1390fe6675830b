// The rows of one block: below, in light, amounts, and the mixed row.
#include "cpu/mix_sink.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <variant>

namespace convolve::cpu {
namespace {

template <typename T>
size_t SamplesOf(const PreparedPass<T>& pass, int width) {
  return static_cast<size_t>(width) * pass.mix->job.channels;
}

}  // namespace

template <typename T>
MixSink<T>::Rows::Rows(Carver& carver, const PreparedPass<T>& pass, int width) {
  const size_t room = SamplesOf(pass, width) + kRowSlackBytes / sizeof(T);
  below = carver.Take<T>(room);
  light = pass.mix->linear ? carver.Take<T>(room) : below;
  filtered = carver.Take<T>(room);
  blended = carver.Take<T>(room);
  mixed = carver.Take<T>(room);
  amount = carver.Take<T>(room);
}

template <typename T>
size_t MixSink<T>::Bytes(const PreparedPass<T>& pass, int width) {
  if (!pass.mix) return 0;
  Carver carver;
  Rows(carver, pass, width);
  return carver.used();
}

template <typename T>
MixSink<T>::MixSink(const Kernels<T>& kernels, const PreparedPass<T>& pass, const Pixels& pixels, const Region& block,
                    Carver& carver, RowSink<T>& result)
    : kernels_(kernels),
      mix_(*pass.mix),
      pixels_(pass.own == nullptr ? pixels : *pixels.own),
      block_(block),
      result_(result),
      samples_(SamplesOf(pass, block.width)),
      rows_(carver, pass, block.width) {
  if (mix_.mask == nullptr) FillAmount(0);
}

template <typename T>
void MixSink<T>::Mix(int y, const T* row) {
  LoadBelow(y);
  if (mix_.mask != nullptr) FillAmount(y);
  std::memcpy(rows_.filtered, row, samples_ * sizeof(T));
  MixJob<T> job = mix_.job;
  if (mix_.linear) {
    std::memcpy(rows_.light, rows_.below, samples_ * sizeof(T));
    kernels_.to_linear(rows_.light, samples_, job.channels, job.alpha, job.full_scale, *mix_.curve);
  }
  job.below = rows_.light;
  job.filtered = rows_.filtered;
  job.amount = rows_.amount;
  job.blended = rows_.blended;
  job.mixed = rows_.mixed;
  job.samples = samples_;
  if (mix_.threshold) {
    ThresholdJob<T> threshold = *mix_.threshold;
    threshold.below = rows_.light;
    threshold.filtered = rows_.filtered;
    threshold.samples = samples_;
    kernels_.threshold(threshold);
  }
  kernels_.mix(job);
  if (mix_.linear) {
    kernels_.to_encoded(rows_.mixed, samples_, job.channels, job.alpha, job.full_scale, *mix_.curve);
    kernels_.keep(rows_.mixed, rows_.below, rows_.amount, samples_);
  }
  result_.Put(y, rows_.mixed);
}

template <typename T>
void MixSink<T>::LoadBelow(int y) {
  const int x = block_.x + mix_.left;
  y += block_.y + mix_.top;
  if (mix_.input == nullptr) {
    const ptrdiff_t at = static_cast<ptrdiff_t>(pixels_.columns->Place(x)) *
                         static_cast<ptrdiff_t>(mix_.job.channels * BytesPerSample(pixels_.type));
    const std::byte* const row = pixels_.data + pixels_.PlaceOfRow(y) * pixels_.row_bytes + at;
    kernels_.load[static_cast<size_t>(pixels_.type)](row, samples_, rows_.below);
    return;
  }
  const double scale = static_cast<double>(mix_.job.full_scale) / FullScale(mix_.input->type());
  std::visit(
      [&](const auto& view) {
        const auto* from = view.Row(y) + static_cast<ptrdiff_t>(x) * view.channels;
        for (size_t i = 0; i < samples_; ++i) rows_.below[i] = static_cast<T>(static_cast<double>(from[i]) * scale);
      },
      mix_.input->view());
}

template <typename T>
void MixSink<T>::FillAmount(int y) {
  const uint16_t* mask = nullptr;
  if (mix_.mask != nullptr) {
    const auto view = std::get<View<const uint16_t>>(mix_.mask->view());
    mask = view.Row(block_.y + mix_.top + y) + block_.x + mix_.left;
  }
  T* to = rows_.amount;
  for (int i = 0; i < block_.width; ++i) {
    const T amount = static_cast<T>(mask == nullptr ? mix_.opacity : mix_.opacity * mask[i] / 65535);
    for (size_t c = 0; c < mix_.job.channels; ++c) *to++ = mix_.changes[c] ? amount : T{0};
  }
}

template class MixSink<float>;
template class MixSink<double>;

}  // namespace convolve::cpu
