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
constexpr int kNarrowest = 128;     // pixels
constexpr int kEdgeStep = 128;      // pixels: whole blocks of a row's sums
constexpr int kLeastBetween = 512;  // pixels between edges, fewer are not worth three parts

/// Window rows of a group, with those that meet weights of 0.
template <typename T>
size_t GroupRows(const PreparedPass<T>& pass) {
  return ByteColumnRows(pass.byte_pair->column.size());
}

/// Columns of a block whose windows may cross the picture's left or right border; between them rows are read where they
/// lie.
struct Edges {
  int left = 0;
  int right = 0;
};

template <typename T>
Edges MostEdges(const PreparedPass<T>& pass) {
  const int beyond = static_cast<int>(kByteColumnsBlock);  // pixels, at most
  return {(pass.window_width() - 1 + kEdgeStep - 1) / kEdgeStep * kEdgeStep,
          pass.window_width() - 1 + beyond + kEdgeStep - 1};
}

template <typename T>
Edges EdgesOf(const PreparedPass<T>& pass, const Pixels& pixels, const Region& block) {
  if (pixels.columns->intervals().size() != 1) return {};
  const int begin = pixels.columns->intervals().front().begin;
  const int end = pixels.columns->intervals().front().end;
  const int first = block.x + pass.across.offset - pass.across.before;  // column of the window
  const int last =
      block.x + block.width - 1 + pass.across.offset + pass.across.after + static_cast<int>(kByteColumnsBlock);
  Edges edges;
  if (first < begin) edges.left = (begin - first + kEdgeStep - 1) / kEdgeStep * kEdgeStep;
  if (last >= end) edges.right = block.width - std::max(0, block.width - (last - end + 1)) / kEdgeStep * kEdgeStep;
  const Edges most = MostEdges(pass);
  const bool fits = edges.left <= most.left && edges.right <= most.right;
  return fits && edges.left + edges.right + kLeastBetween <= block.width ? edges : Edges{};
}

template <typename T>
struct Buffers {
  Buffers(Carver& carver, const PreparedPass<T>& pass, int channels, int width, int height)
      : ring(carver, pass, channels, width, height, GroupRows(pass), kByteColumnsBlock),
        left(carver, pass, channels, std::min(MostEdges(pass).left, width), height, GroupRows(pass), kByteColumnsBlock),
        right(carver, pass, channels, std::min(MostEdges(pass).right, width), height, GroupRows(pass),
              kByteColumnsBlock) {
    const size_t samples = static_cast<size_t>(width + pass.window_width() - 1) * static_cast<size_t>(channels);
    sum_stride = RowStride((samples + kByteRowsBeyond) * sizeof(int16_t)) / sizeof(int16_t);
    output_bytes = RowStride(static_cast<size_t>(width) * static_cast<size_t>(channels));
    sums = carver.Take<int16_t>(kBytePairRows * sum_stride);
    output = carver.Take<uint8_t>(kBytePairRows * output_bytes);
    window = carver.Take<const uint8_t*>(GroupRows(pass));
  }

  ByteRing<T> ring;  // of all columns, or of those between the edges
  ByteRing<T> left;  // of the edges
  ByteRing<T> right;
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
  job.late_words = pass.byte_pair->late_column.data();
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
  job.start = pass.byte_pair->start;
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
  const RowPlace place = sink.Place(SampleType::kU8);
  struct Part {
    int begin;
    int end;
    ByteRing<T>* ring;
  };
  const Edges edges = EdgesOf(pass, pixels, block);
  Part parts[] = {{0, edges.left, &buffers.left},
                  {edges.left, block.width - edges.right, &buffers.ring},
                  {block.width - edges.right, block.width, &buffers.right}};
  for (const Part& part : parts) {
    if (part.begin == part.end) continue;
    part.ring->Begin(pass, plan, pixels, {block.x + part.begin, block.y, part.end - part.begin, block.height});
  }
  for (int y = 0; y < block.height; y += kGroup) {
    cancel.ThrowIfCancelled();
    const int rows = std::min(kGroup, block.height - y);
    uint8_t* output[kBytePairRows];
    for (int q = 0; q < rows; ++q) {
      output[q] = place.data != nullptr ? reinterpret_cast<uint8_t*>(place.data + (y + q) * place.row_bytes)
                                        : buffers.output + static_cast<size_t>(q) * buffers.output_bytes;
    }
    for (const Part& part : parts) {
      if (part.begin == part.end) continue;
      // Rows behind the window's last one meet weights of 0, or belong to results that nobody asked for.
      part.ring->Find(y, GroupRows(pass), buffers.window);
      kernels.byte_pairs.columns(ColumnsOf(pass, channels, part.end - part.begin, buffers));
      ByteAcrossJob across = AcrossOf(pass, channels, part.end - part.begin, buffers);
      uint8_t* to[kBytePairRows];
      const uint8_t* ahead[kBytePairRows];
      for (int q = 0; q < rows; ++q) {
        to[q] = output[q] + static_cast<size_t>(part.begin) * channels;
        ahead[q] = part.ring->Ahead(y + static_cast<int>(GroupRows(pass)) + q);
      }
      across.output = to;
      across.ahead = ahead;
      across.stream = place.stream && part.ring == &buffers.ring;
      across.rows = static_cast<size_t>(rows);
      kernels.byte_pairs.across(across);
    }
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
