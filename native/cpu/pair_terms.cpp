#include "cpu/pair_terms.h"

#include <algorithm>
#include <cstring>

#include "cpu/fft_block.h"
#include "cpu/fft_plan.h"
#include "cpu/finish_row.h"
#include "cpu/own_rows.h"
#include "cpu/row_stride.h"

namespace convolve::cpu {
namespace {

/// Takes the first pair's rows and adds those of the others.
template <typename T>
class TermSink final : public RowSink<T> {
 public:
  TermSink(T* rows, size_t stride, size_t samples, bool first)
      : rows_(rows), stride_(stride), samples_(samples), first_(first) {}

  void PutStored(int y, const std::byte* row) override { Add(y, reinterpret_cast<const T*>(row)); }
  void Put(int y, T* row) override { Add(y, row); }

 private:
  void Add(int y, const T* row) {
    T* const sums = rows_ + static_cast<size_t>(y) * stride_;
    if (first_) {
      std::memcpy(sums, row, samples_ * sizeof(T));
    } else {
      for (size_t i = 0; i < samples_; ++i) sums[i] += row[i];
    }
  }

  T* rows_;
  size_t stride_;
  size_t samples_;
  bool first_;
};

/// Sums of a row of tiles.
template <typename T>
struct TermsBuffers {
  TermsBuffers(Carver& carver, const PreparedPass<T>& pass, int channels, int width, int height)
      : own(carver, pass, channels, width, height) {
    const size_t samples = static_cast<size_t>(width) * static_cast<size_t>(channels);
    stride = RowStride(samples * sizeof(T) + kRowSlackBytes) / sizeof(T);
    rows = carver.Take<T>(stride * static_cast<size_t>(pass.fft->tile_height()));
  }

  OwnBuffers<T> own;
  size_t stride = 0;
  T* rows = nullptr;
};

}  // namespace

template <typename T>
size_t TermsBlockBytes(const PreparedPass<T>& pass, int channels, int width, int height) {
  Carver carver;
  TermsBuffers<T>(carver, pass, channels, width, height);
  size_t most = 0;
  for (const PreparedPass<T>& term : pass.terms) most = std::max(most, FftBlockBytes(term, channels, width, height));
  return carver.used() + most;
}

template <typename T>
void RunTermsBlock(const Kernels<T>& kernels, const PreparedPlan<T>& plan, const PreparedPass<T>& pass,
                   const Pixels& pixels, const Region& block, Carver& carver, RowSink<T>& sink,
                   const CancelToken& cancel) {
  const TermsBuffers<T> buffers(carver, pass, plan.channels, block.width, block.height);
  const OwnRows<T> own(kernels, plan, pass, pixels, block, buffers.own);
  const size_t used = carver.used();
  const size_t samples = static_cast<size_t>(block.width) * static_cast<size_t>(plan.channels);
  const int tile_height = pass.fft->tile_height();
  const int bottom = block.y + block.height;
  for (int tile = block.y / tile_height * tile_height; tile < bottom; tile += tile_height) {
    const int top = std::max(tile, block.y);
    const Region part{block.x, top, block.width, std::min(tile + tile_height, bottom) - top};
    Pixels columns = pixels;
    for (const PreparedPass<T>& term : pass.terms) {
      TermSink<T> sums(buffers.rows, buffers.stride, samples, &term == &pass.terms.front());
      RunFftBlock<T>(kernels, plan, term, columns, part, carver, sums, cancel);
      carver.Rewind(used);
      columns.data += pixels.term_bytes;
    }
    for (int y = 0; y < part.height; ++y) {
      T* const row = buffers.rows + static_cast<size_t>(y) * buffers.stride;
      const int at = top - block.y + y;
      FinishRow(kernels, pass, row, own.has() ? own.Load(at) : nullptr, samples);
      sink.Put(at, row);
    }
  }
}

#define CONVOLVE_INSTANTIATE(T)                                                                                    \
  template size_t TermsBlockBytes<T>(const PreparedPass<T>&, int, int, int);                                       \
  template void RunTermsBlock<T>(const Kernels<T>&, const PreparedPlan<T>&, const PreparedPass<T>&, const Pixels&, \
                                 const Region&, Carver&, RowSink<T>&, const CancelToken&);
CONVOLVE_INSTANTIATE(float)
CONVOLVE_INSTANTIATE(double)
#undef CONVOLVE_INSTANTIATE

}  // namespace convolve::cpu
