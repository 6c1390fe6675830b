// Integer sums are the same in any order, so that no block's place or size changes a result.
#include "cpu/byte_pair_block.h"

#include <algorithm>

#include "cpu/byte_ring.h"
#include "cpu/row_stride.h"

namespace convolve::cpu {
namespace {

constexpr int kGroup = static_cast<int>(kBytePairRows);
constexpr size_t kStripBytes = 256 * 1024;
constexpr int kHalosPerStrip = 8;
constexpr int kNarrowest = 128;  // pixels

/// Window rows of a group. Words hold two rows: of an odd number the last word's second one is read too.
template <typename T>
size_t GroupRows(const PreparedPass<T>& pass) {
  return kBytePairRows + 2 * pass.byte_pair->column.size() - 1;
}

template <typename T>
struct Buffers {
  Buffers(Carver& carver, const PreparedPass<T>& pass, int channels, int width, int height)
      : ring(carver, pass, channels, width, height, GroupRows(pass), kByteColumnsBlock) {
    const size_t samples = static_cast<size_t>(width + pass.window_width() - 1) * static_cast<size_t>(channels);
    sum_stride = RowStride((samples + kByteRowsBeyond) * sizeof(int16_t)) / sizeof(int16_t);
    output_bytes = RowStride(static_cast<size_t>(width) * static_cast<size_t>(channels));
    sums = carver.Take<int16_t>(kBytePairRows * sum_stride);
    output = carver.Take<uint8_t>(kBytePairRows * output_bytes);
    window = carver.Take<const uint8_t*>(GroupRows(pass));
  }

  ByteRing<T> ring;
  size_t sum_stride = 0;  // samples
  size_t output_bytes = 0;
  int16_t* sums = nullptr;    // kBytePairRows rows
  uint8_t* output = nullptr;  // rows of a sink that has no place for them
  const uint8_t** window = nullptr;
};

template <typename T>
ByteColumnsJob ColumnsOf(const PreparedPass<T>& pass, size_t channels, int width, const Buffers<T>& buffers) {
  ByteColumnsJob job;
  job.rows = buffers.window;
  job.words = pass.byte_pair->column.data();
  job.word_count = pass.byte_pair->column.size();
  job.samples = static_cast<size_t>(width + pass.window_width() - 1) * channels;
  job.output = buffers.sums;
  job.output_stride = buffers.sum_stride;
  return job;
}

template <typename T>
ByteAcrossJob AcrossOf(const PreparedPass<T>& pass, size_t channels, int width, const Buffers<T>& buffers) {
  ByteAcrossJob job;
  job.input = buffers.sums;
  job.input_stride = buffers.sum_stride;
  job.words = pass.byte_pair->row.data();
  job.word_count = pass.byte_pair->row.size();
  job.step = channels;
  job.samples = static_cast<size_t>(width) * channels;
  job.scale = pass.byte_pair->scale;
  job.offset = pass.byte_pair->offset;
  job.opaque_channels = pass.finish.alpha == AlphaWork::kOpaque ? channels : 0;
  return job;
}

}  // namespace

template <typename T>
int BytePairStripPixels(const PreparedPass<T>& pass, int channels) {
  const int halo = pass.window_width() - 1;
  const size_t pixel = static_cast<size_t>(channels) *
                       (static_cast<size_t>(pass.window_height()) + kBytePairRows * (1 + sizeof(int16_t)));
  return std::max({static_cast<int>(kStripBytes / pixel) - halo, kHalosPerStrip * halo, kNarrowest});
}

template <typename T>
size_t BytePairBlockBytes(const PreparedPass<T>& pass, int channels, int width, int height) {
  Carver carver;
  Buffers<T>(carver, pass, channels, width, height);
  return carver.used();
}

template <typename T>
void RunBytePairBlock(const Kernels<T>& kernels, const PreparedPlan<T>& plan, const PreparedPass<T>& pass,
                      const Pixels& pixels, const Region& block, Carver& carver, RowSink<T>& sink,
                      const CancelToken& cancel) {
  Buffers<T> buffers(carver, pass, plan.channels, block.width, block.height);
  const size_t channels = static_cast<size_t>(plan.channels);
  const ByteColumnsJob columns = ColumnsOf(pass, channels, block.width, buffers);
  ByteAcrossJob across = AcrossOf(pass, channels, block.width, buffers);
  uint8_t* output[kBytePairRows];
  across.output = output;
  const RowPlace place = sink.Place(SampleType::kU8);
  across.stream = place.stream;
  buffers.ring.Begin(pass, plan, pixels, block);
  for (int y = 0; y < block.height; y += kGroup) {
    cancel.ThrowIfCancelled();
    // Rows behind the window's last one meet weights of 0, or belong to results that nobody asked for.
    buffers.ring.Find(y, GroupRows(pass), buffers.window);
    kernels.byte_pairs.columns(columns);
    const int rows = std::min(kGroup, block.height - y);
    for (int q = 0; q < rows; ++q) {
      output[q] = place.data != nullptr ? reinterpret_cast<uint8_t*>(place.data + (y + q) * place.row_bytes)
                                        : buffers.output + static_cast<size_t>(q) * buffers.output_bytes;
    }
    across.rows = static_cast<size_t>(rows);
    kernels.byte_pairs.across(across);
    for (int q = 0; q < rows && place.data == nullptr; ++q) {
      sink.PutStored(y + q, reinterpret_cast<const std::byte*>(output[q]));
    }
  }
}

#define CONVOLVE_INSTANTIATE(T)                                                                                       \
  template int BytePairStripPixels<T>(const PreparedPass<T>&, int);                                                   \
  template size_t BytePairBlockBytes<T>(const PreparedPass<T>&, int, int, int);                                       \
  template void RunBytePairBlock<T>(const Kernels<T>&, const PreparedPlan<T>&, const PreparedPass<T>&, const Pixels&, \
                                    const Region&, Carver&, RowSink<T>&, const CancelToken&);
CONVOLVE_INSTANTIATE(float)
CONVOLVE_INSTANTIATE(double)
#undef CONVOLVE_INSTANTIATE

}  // namespace convolve::cpu
