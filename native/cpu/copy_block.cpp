#include "cpu/copy_block.h"

namespace convolve::cpu {
namespace {

template <typename T>
T* TakeRow(Carver& carver, int channels, int width) {
  return carver.Take<T>(static_cast<size_t>(width) * static_cast<size_t>(channels) + kRowSlackBytes / sizeof(T));
}

}  // namespace

template <typename T>
size_t CopyBlockBytes(int channels, int width) {
  Carver carver;
  TakeRow<T>(carver, channels, width);
  return carver.used();
}

template <typename T>
void RunCopyBlock(const Kernels<T>& kernels, const PreparedPlan<T>& plan, const Pixels& picture, const Region& block,
                  Carver& carver, RowSink<T>& sink, const CancelToken& cancel) {
  const size_t channels = static_cast<size_t>(plan.channels);
  T* const row = TakeRow<T>(carver, plan.channels, block.width);
  const size_t left = static_cast<size_t>(block.x) * channels * BytesPerSample(picture.type);
  for (int y = 0; y < block.height; ++y) {
    cancel.ThrowIfCancelled();
    const std::byte* from = picture.data + (block.y + y) * picture.row_bytes + left;
    kernels.load[static_cast<size_t>(picture.type)](from, static_cast<size_t>(block.width) * channels, row);
    sink.Put(y, row);
  }
}

template size_t CopyBlockBytes<float>(int, int);
template size_t CopyBlockBytes<double>(int, int);
template void RunCopyBlock<float>(const Kernels<float>&, const PreparedPlan<float>&, const Pixels&, const Region&,
                                  Carver&, RowSink<float>&, const CancelToken&);
template void RunCopyBlock<double>(const Kernels<double>&, const PreparedPlan<double>&, const Pixels&, const Region&,
                                   Carver&, RowSink<double>&, const CancelToken&);

}  // namespace convolve::cpu
