#include "cpu/byte_taps_block.h"

#include <algorithm>

#include "cpu/byte_ring.h"

namespace convolve::cpu {
namespace {

constexpr int kGroup = 8;  // rows between looks at the token

template <typename T>
size_t GroupRows(const PreparedPass<T>& pass) {
  return static_cast<size_t>(pass.window_height() + kGroup - 1);
}

template <typename T>
struct Buffers {
  Buffers(Carver& carver, const PreparedPass<T>& pass, int channels, int width, int height)
      : ring(carver, pass, channels, width, height, GroupRows(pass), kByteTapsBeyond),
        output(carver.Take<uint8_t>(static_cast<size_t>(width) * static_cast<size_t>(channels))),
        window(carver.Take<const uint8_t*>(GroupRows(pass))) {}

  ByteRing<T> ring;
  uint8_t* output;  // a row of a sink that has no place for it
  const uint8_t** window;
};

}  // namespace

template <typename T>
size_t ByteTapsBlockBytes(const PreparedPass<T>& pass, int channels, int width, int height) {
  Carver carver;
  Buffers<T>(carver, pass, channels, width, height);
  return carver.used();
}

template <typename T>
void RunByteTapsBlock(const PreparedPlan<T>& plan, const PreparedPass<T>& pass, const Pixels& pixels,
                      const Region& block, Carver& carver, RowSink<T>& sink, const CancelToken& cancel) {
  Buffers<T> buffers(carver, pass, plan.channels, block.width, block.height);
  const size_t channels = static_cast<size_t>(plan.channels);
  const ByteTapsRow sum = VnniByteTaps();
  ByteTapsJob job;
  job.taps = &*pass.byte_taps;
  job.samples = static_cast<size_t>(block.width) * channels;
  job.opaque_channels = pass.finish.alpha == AlphaWork::kOpaque ? channels : 0;
  const RowPlace place = sink.Place(SampleType::kU8);
  job.stream = place.stream;
  buffers.ring.Begin(pass, plan, pixels, block);
  for (int y = 0; y < block.height; y += kGroup) {
    cancel.ThrowIfCancelled();
    buffers.ring.Find(y, GroupRows(pass), buffers.window);
    const int rows = std::min(kGroup, block.height - y);
    for (int q = 0; q < rows; ++q) {
      job.rows = buffers.window + q;
      job.output =
          place.data != nullptr ? reinterpret_cast<uint8_t*>(place.data + (y + q) * place.row_bytes) : buffers.output;
      sum(job);
      if (place.data == nullptr) sink.PutStored(y + q, reinterpret_cast<const std::byte*>(buffers.output));
    }
  }
}

#define CONVOLVE_INSTANTIATE(T)                                                                                   \
  template size_t ByteTapsBlockBytes<T>(const PreparedPass<T>&, int, int, int);                                   \
  template void RunByteTapsBlock<T>(const PreparedPlan<T>&, const PreparedPass<T>&, const Pixels&, const Region&, \
                                    Carver&, RowSink<T>&, const CancelToken&);
CONVOLVE_INSTANTIATE(float)
CONVOLVE_INSTANTIATE(double)
#undef CONVOLVE_INSTANTIATE

}  // namespace convolve::cpu
