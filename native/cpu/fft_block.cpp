// A tile is loaded, looked at, and transformed in float, in double where its range asks for that, or summed directly
// where it holds values that a transform would spread. What a tile's result is never depends on the block.
#include "cpu/fft_block.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <type_traits>

#include "cpu/fft_kernels.h"
#include "cpu/fft_plan.h"
#include "cpu/fft_tile.h"

namespace convolve::cpu {
namespace {

constexpr size_t kLine = 64;  // bytes of a cache line

/// Rows of a part go into the block's sink, or into a band of rows while others of its parts are still missing.
template <typename T>
class PartSink final : public RowSink<T> {
 public:
  PartSink(RowSink<T>& block, int first_row) : block_(&block), first_row_(first_row) {}
  PartSink(T* band, size_t stride, size_t left, size_t samples)
      : band_(band), stride_(stride), left_(left), samples_(samples) {}

  RowPlace Place(SampleType type) override {
    if (block_ == nullptr) return {};
    RowPlace place = block_->Place(type);
    if (place.data != nullptr) place.data += first_row_ * place.row_bytes;
    return place;
  }
  void PutStored(int y, const std::byte* row) override {
    if (block_ != nullptr) return block_->PutStored(first_row_ + y, row);
    std::memcpy(band_ + static_cast<size_t>(y) * stride_ + left_, row, samples_ * sizeof(T));
  }
  void Put(int y, T* row) override {
    if (block_ != nullptr) return block_->Put(first_row_ + y, row);
    std::memcpy(band_ + static_cast<size_t>(y) * stride_ + left_, row, samples_ * sizeof(T));
  }

 private:
  RowSink<T>* block_ = nullptr;
  int first_row_ = 0;
  T* band_ = nullptr;
  size_t stride_ = 0;
  size_t left_ = 0;
  size_t samples_ = 0;
};

template <typename T>
void RunTilePart(const BlockContext<T>& context, const TilePart& at, Carver& carver, RowSink<T>& sink) {
  const FftPlan& fft = *context.pass.fft;
  const size_t used = carver.used();
  if constexpr (std::is_same_v<T, float>) {
    if (!fft.in_double) {
      if (TransformTile<T, float>(context, at, *fft.spectrum, fft.most_single, carver, sink)) return;
      carver.Rewind(used);
    }
  }
  if (fft.most_double > 0) {
    std::shared_ptr<const Spectrum> spectrum = fft.spectrum;
    if (!fft.in_double) {
      SpectrumKey key = *fft.key;
      key.in_double = true;
      spectrum = fft.cache->Find(key);
    }
    if (TransformTile<T, double>(context, at, *spectrum, fft.most_double, carver, sink)) return;
    carver.Rewind(used);
  }
  RunRowsBlock(context.kernels, context.plan, context.pass, context.pixels, at.part, carver, sink, context.cancel);
}

/// Samples of a row of a band.
template <typename T>
size_t BandStride(int width, int channels) {
  const size_t samples = static_cast<size_t>(width) * static_cast<size_t>(channels);
  return (samples * sizeof(T) + kRowSlackBytes + kLine - 1) / kLine * kLine / sizeof(T);
}

}  // namespace

template <typename T>
size_t FftBlockBytes(const PreparedPass<T>& pass, int channels, int width, int height) {
  const FftPlan& fft = *pass.fft;
  Carver band;
  band.Take<T>(BandStride<T>(width, channels) * static_cast<size_t>(std::min(height, fft.tile_height())));
  size_t most = 0;
  if (!fft.in_double && std::is_same_v<T, float>)
    most = FftTileBytes<T, std::conditional_t<std::is_same_v<T, float>, float, double>>(pass, channels);
  if (fft.most_double > 0) most = std::max(most, FftTileBytes<T, double>(pass, channels));
  const int part_width = std::min(width, fft.tile_width());
  const int part_height = std::min(height, fft.tile_height());
  return band.used() + std::max(most, RowsBlockBytes(pass, channels, part_width, part_height));
}

template <typename T>
void RunFftBlock(const Kernels<T>& kernels, const PreparedPlan<T>& plan, const PreparedPass<T>& pass,
                 const Pixels& pixels, const Region& block, Carver& carver, RowSink<T>& sink,
                 const CancelToken& cancel) {
  const FftPlan& fft = *pass.fft;
  const BlockContext<T> context{kernels, plan, pass, pixels, cancel};
  const int tile_width = fft.tile_width();
  const int tile_height = fft.tile_height();
  const int right = block.x + block.width;
  const int bottom = block.y + block.height;
  const bool one_column = block.x / tile_width == (right - 1) / tile_width;
  const size_t channels = static_cast<size_t>(plan.channels);
  const size_t stride = BandStride<T>(block.width, plan.channels);
  T* const band =
      one_column ? nullptr : carver.Take<T>(stride * static_cast<size_t>(std::min(block.height, tile_height)));
  const size_t used = carver.used();
  for (int top = block.y / tile_height * tile_height; top < bottom; top += tile_height) {
    const int part_top = std::max(top, block.y);
    const int part_height = std::min(top + tile_height, bottom) - part_top;
    for (int left = block.x / tile_width * tile_width; left < right; left += tile_width) {
      const int part_left = std::max(left, block.x);
      const TilePart at{
          {left, top, std::min(tile_width, pass.output_width - left), std::min(tile_height, pass.output_height - top)},
          {part_left, part_top, std::min(left + tile_width, right) - part_left, part_height}};
      PartSink<T> part_sink = one_column
                                  ? PartSink<T>(sink, part_top - block.y)
                                  : PartSink<T>(band, stride, static_cast<size_t>(part_left - block.x) * channels,
                                                static_cast<size_t>(at.part.width) * channels);
      RunTilePart(context, at, carver, part_sink);
      carver.Rewind(used);
    }
    for (int y = 0; !one_column && y < part_height; ++y) {
      sink.Put(part_top - block.y + y, band + static_cast<size_t>(y) * stride);
    }
  }
}

template size_t FftBlockBytes<float>(const PreparedPass<float>&, int, int, int);
template size_t FftBlockBytes<double>(const PreparedPass<double>&, int, int, int);
template void RunFftBlock<float>(const Kernels<float>&, const PreparedPlan<float>&, const PreparedPass<float>&,
                                 const Pixels&, const Region&, Carver&, RowSink<float>&, const CancelToken&);
template void RunFftBlock<double>(const Kernels<double>&, const PreparedPlan<double>&, const PreparedPass<double>&,
                                  const Pixels&, const Region&, Carver&, RowSink<double>&, const CancelToken&);

}  // namespace convolve::cpu
