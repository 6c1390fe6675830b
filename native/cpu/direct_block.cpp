// A block is three segments: columns at the left and at the right whose windows cross the border or a seam, which are
// copied sample by sample into a ring of narrow rows, and everything between them, which is read where it lies.
#include "cpu/direct_block.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "cpu/direct_plan.h"
#include "cpu/halved_plan.h"
#include "cpu/row_stride.h"

namespace convolve::cpu {
namespace {

size_t RowBytes(int pixels, size_t pixel_bytes) {
  return RowStride(static_cast<size_t>(pixels) * pixel_bytes + kRowSlackBytes);
}

/// Scratch of a block.
template <typename T>
struct DirectBuffers {
  DirectBuffers(Carver& carver, const PreparedPass<T>& pass, int channels, int width, int height) {
    const int window_width = width + pass.window_width() - 1;
    const int window_height = height + pass.window_height() - 1;
    ring_rows = static_cast<size_t>(pass.window_height() + kMostAtOnce - 1);
    const size_t pixel = static_cast<size_t>(channels) * sizeof(T);  // no source has larger samples
    edge_bytes = RowBytes(window_width + pass.window_width() - 1, pixel);
    output_bytes = RowBytes(width, pixel);
    edges = carver.Take<std::byte>(ring_rows * edge_bytes);
    outside = carver.Take<std::byte>(RowBytes(window_width, pixel));
    output = carver.Take<std::byte>(kMostAtOnce * output_bytes);
    edge_output = carver.Take<std::byte>(kMostAtOnce * output_bytes);
    if (pass.bytes && !pass.bytes->kernels.front().halved.empty()) {
      const size_t carried = RowBytes(width, static_cast<size_t>(channels) * sizeof(int32_t)) / sizeof(int32_t);
      for (int32_t*& carry : carries) carry = carver.Take<int32_t>(carried);
    }
    window = carver.Take<const std::byte*>(ring_rows);
    runs = carver.Take<AxisRun>(static_cast<size_t>(window_width));
    places = carver.Take<int>(static_cast<size_t>(window_height));
  }

  size_t ring_rows = 0;
  size_t edge_bytes = 0;
  size_t output_bytes = 0;
  std::byte* edges = nullptr;    // ring of the copied columns: the left segment's, then the right one's
  std::byte* outside = nullptr;  // a row that lies outside the source
  std::byte* output = nullptr;   // rows of a sink that has no place for them
  std::byte* edge_output = nullptr;
  std::array<int32_t*, 2> carries{};  // of byte sums: what eight rows leave for the next, written and read in turn
  const std::byte** window = nullptr;
  AxisRun* runs = nullptr;
  int* places = nullptr;
};

/// Output columns of a block; those with `copied` read columns of the ring.
struct Segment {
  int begin = 0;
  int end = 0;
  bool copied = false;
  size_t at = 0;  // bytes: in a ring row, or from a source row's start
};

template <typename T>
class DirectRun {
 public:
  DirectRun(const Kernels<T>& kernels, const PreparedPlan<T>& plan, const PreparedPass<T>& pass, const Pixels& pixels,
            const Region& block, const DirectBuffers<T>& buffers, const CancelToken& cancel)
      : pass_(pass),
        pixels_(pixels),
        block_(block),
        buffers_(buffers),
        cancel_(cancel),
        channels_(static_cast<size_t>(plan.channels)),
        alpha_(plan.alpha),
        pixel_bytes_(channels_ * BytesPerSample(pixels.type)),
        output_pixel_bytes_(channels_ * BytesPerSample(pass.direct_type)),
        sum_(pass.whole_gradient ? kernels.gradient : kernels.direct[pixels.type == kIntegerType<T> ? 1 : 0]),
        halved_rows_(pass.dense.front().halved.empty() ? nullptr : kernels.halved),
        byte_rows_(kernels.byte_rows),
        least_samples_(pass.bytes            ? kByteBlock
                       : pass.whole_gradient ? kGradientSamples
                                             : kernels.lanes),
        beyond_(pass.bytes ? static_cast<int>((kBytesBeyond + channels_ - 1) / channels_) : 0) {
    MapRows(pass, pixels, block.y, block.height, buffers.places);
    MapColumns();
    const int window_width = block.width + pass.window_width() - 1;
    const int* const places = buffers_.places;
    const int window_rows = block.height + pass.window_height() - 1;
    const bool looks_outside = std::any_of(places, places + window_rows, [](int place) { return place < 0; });
    if (looks_outside) FillOutside(buffers_.outside, window_width);
    job_.step = channels_;
    for (size_t k = 0; k < pass.dense.size(); ++k) {
      const PreparedKernel<T>& kernel = pass.dense[k];
      job_.kernels[k] = {kernel.weights.data(),
                         static_cast<size_t>(kernel.width),
                         kernel.parts.data(),
                         kernel.parts.size(),
                         kernel.uses.empty() ? nullptr : kernel.uses.data(),
                         static_cast<size_t>(kernel.row),
                         static_cast<size_t>(kernel.column) * channels_,
                         kernel.divisor};
      least_part_rows_ = std::min(least_part_rows_, kernel.parts.front().rows);
    }
    const PreparedKernel<T>& first = pass.dense.front();
    if (halved_rows_ != nullptr) job_.halved = {first.halved.data(), first.height, static_cast<size_t>(first.width)};
    job_.epilogue = pass.epilogue;
    job_.finish = pass.finish;
    job_.needs_epilogue = pass.needs_epilogue;
    job_.needs_finish = pass.needs_finish;
    job_.magnitude = pass.magnitude();
    job_.gradient = pass.gradient;
    job_.to_integers = pass.direct_type == kIntegerType<T>;
    job_.input_row = static_cast<size_t>(pass.reach.top);
    job_.input_offset = static_cast<size_t>(pass.reach.left) * channels_;
    if (!pass.bytes) return;
    byte_job_.step = channels_;
    byte_job_.weights = &*pass.bytes;
    const AlphaWork alpha = pass.finish.alpha;
    byte_job_.alpha_channels = alpha == AlphaWork::kOpaque || alpha == AlphaWork::kInput ? channels_ : 0;
    byte_job_.alpha_of_input = alpha == AlphaWork::kInput;
    byte_job_.input_row = job_.input_row;
    byte_job_.input_offset = job_.input_offset;
  }

  void Run(RowSink<T>& sink) {
    const RowPlace place = sink.Place(pass_.direct_type);
    int copied = 0;  // window rows in the ring so far
    for (int y = 0; y < block_.height;) {
      cancel_.ThrowIfCancelled();
      const int rows = RowsTogether(y);
      for (; copied < y + rows + pass_.window_height() - 1; ++copied) CopyEdges(copied);
      std::byte* output[kMostAtOnce];
      for (int q = 0; q < rows; ++q) {
        output[q] = place.data != nullptr ? place.data + (y + q) * place.row_bytes
                                          : buffers_.output + static_cast<size_t>(q) * buffers_.output_bytes;
      }
      for (size_t s = 0; s < segment_count_; ++s) RunSegment(segments_[s], y, rows, output, place.stream);
      eights_ = rows == kByteRowsAtOnce ? eights_ + 1 : 0;
      for (int q = 0; q < rows && place.data == nullptr; ++q) {
        if (pass_.direct_type == kWorkingType<T>) {
          sink.Put(y + q, reinterpret_cast<T*>(output[q]));
        } else {
          sink.PutStored(y + q, output[q]);
        }
      }
      y += rows;
    }
  }

 private:
  int RowsTogether(int y) const {
    const int rows = block_.height - y;
    if (halved_rows_ != nullptr) {
      const int before_seam = std::min(rows, pass_.output_height - RowOfResult(y));
      return IsSecond(y) || before_seam == 1 ? 1 : before_seam >= kHalvedAtOnce ? kHalvedAtOnce : 2;
    }
    if (pass_.bytes && rows >= kByteRowsAtOnce && !pass_.bytes->kernels.front().halved.empty()) return kByteRowsAtOnce;
    return rows >= 4 && least_part_rows_ >= 3 ? 4 : 1;
  }

  /// Row y of the block in the result: where a picture goes on as it began, rows are computed beyond its edge too
  /// (bands.h), which must be what they are within.
  int RowOfResult(int y) const {
    const int row = (block_.y + y) % pass_.output_height;
    return row < 0 ? row + pass_.output_height : row;
  }

  /// Whether row y of the block is the second of two that share their work.
  bool IsSecond(int y) const { return RowOfResult(y) % 2 != 0; }

  /// The longest run of neighbouring columns is read in place, the rest is copied.
  void MapColumns() {
    run_count_ =
        MapPositions(block_.x + pass_.across.offset - pass_.across.before, block_.width + pass_.window_width() - 1,
                     pass_.border, pass_.input_width, *pixels_.columns, buffers_.runs);
    const AxisRun* longest = buffers_.runs;
    for (size_t r = 1; r < run_count_; ++r) {
      const AxisRun& run = buffers_.runs[r];
      if ((run.step == 1 || run.count == 1) && run.from >= 0 && run.count > longest->count) longest = &run;
    }
    const int halo = pass_.window_width() - 1;
    int begin = longest->to;
    const int columns_behind = pixels_.columns->size() - (longest->from + longest->count);
    int end = longest->to + longest->count - halo - std::max(0, beyond_ - columns_behind);
    const bool usable = longest->step == 1 && longest->from >= 0;
    if (!usable || (end - begin) * static_cast<int>(channels_) < static_cast<int>(least_samples_)) begin = end = 0;
    size_t at = 0;
    const auto add_copied = [&](int from, int to) {
      if (from == to) return;
      segments_[segment_count_++] = {from, to, true, at};
      at += static_cast<size_t>(to - from + halo) * pixel_bytes_;
    };
    add_copied(0, begin);
    if (begin < end) {
      const size_t source = static_cast<size_t>(longest->from + begin - longest->to) * pixel_bytes_;
      segments_[segment_count_++] = {begin, end, false, source};
    }
    add_copied(end, block_.width);
  }

  const std::byte* SourceRow(int j) const {
    return buffers_.places[j] < 0 ? nullptr : pixels_.data + buffers_.places[j] * pixels_.row_bytes;
  }

  std::byte* RingRow(int j) const {
    return buffers_.edges + static_cast<size_t>(j) % buffers_.ring_rows * buffers_.edge_bytes;
  }

  void CopyEdges(int j) const {
    for (size_t s = 0; s < segment_count_; ++s) {
      const Segment& segment = segments_[s];
      if (segment.copied) {
        CopyColumns(SourceRow(j), segment.begin, segment.end + pass_.window_width() - 1, RingRow(j) + segment.at);
      }
    }
  }

  /// Window columns begin ... end - 1 of a source row (null: outside).
  void CopyColumns(const std::byte* row, int begin, int end, std::byte* to) const {
    if (row == nullptr) return FillOutside(to, end - begin);
    for (size_t r = 0; r < run_count_; ++r) {
      const AxisRun& run = buffers_.runs[r];
      const int first = std::max(run.to, begin);
      const int last = std::min(run.to + run.count, end);
      if (first >= last) continue;
      std::byte* at = to + static_cast<size_t>(first - begin) * pixel_bytes_;
      if (run.from < 0) {
        FillOutside(at, last - first);
        continue;
      }
      for (int i = first; i < last; ++i, at += pixel_bytes_) {
        const int column = run.from + (i - run.to) * run.step;
        std::memcpy(at, row + static_cast<size_t>(column) * pixel_bytes_, pixel_bytes_);
      }
    }
  }

  void FillOutside(std::byte* to, int pixels) const {
    for (int i = 0; i < pixels; ++i) {
      for (size_t c = 0; c < channels_; ++c) {
        const T value = alpha_ && c == channels_ - 1 ? pass_.outside_alpha : pass_.outside;
        if (pixels_.type == SampleType::kU8) {
          *to = static_cast<std::byte>(value);
        } else if (pixels_.type == SampleType::kU16) {
          const uint16_t sample = static_cast<uint16_t>(value);
          std::memcpy(to, &sample, sizeof sample);
        } else {
          std::memcpy(to, &value, sizeof value);
        }
        to += BytesPerSample(pixels_.type);
      }
    }
  }

  void RunSegment(const Segment& segment, int y, int rows, std::byte* const* output, bool stream) {
    const int count = rows + pass_.window_height() - 1;
    for (int r = 0; r < count; ++r) {
      const std::byte* row = segment.copied ? RingRow(y + r) : SourceRow(y + r);
      buffers_.window[r] = row == nullptr ? buffers_.outside : row + segment.at;
    }
    std::byte* to[kMostAtOnce];
    for (int q = 0; q < rows; ++q) {
      to[q] = segment.copied ? buffers_.edge_output + static_cast<size_t>(q) * buffers_.output_bytes
                             : output[q] + static_cast<size_t>(segment.begin) * output_pixel_bytes_;
    }
    const size_t samples = static_cast<size_t>(segment.end - segment.begin) * channels_;
    if (pass_.bytes) {
      byte_job_.stream = stream && !segment.copied;
      SumBytes(static_cast<size_t>(segment.begin) * channels_, samples, segment.copied, to, rows);
    } else {
      job_.rows = buffers_.window;
      job_.output = to;
      job_.samples = samples;
      job_.padded = segment.copied;
      job_.stream = stream && !segment.copied;
      halved_rows_ == nullptr ? sum_(job_, rows) : SumHalved(y, rows, to);
    }
    for (int q = 0; q < rows && segment.copied; ++q) {
      std::memcpy(output[q] + static_cast<size_t>(segment.begin) * output_pixel_bytes_, to[q],
                  static_cast<size_t>(segment.end - segment.begin) * output_pixel_bytes_);
    }
  }

  /// A row alone is computed beside one that nobody looks at, and that reads its window once more.
  void SumHalved(int y, int rows, std::byte** to) {
    if (rows == 1) {
      const int count = pass_.window_height();
      const std::byte** const window = buffers_.window;
      to[1] = buffers_.edge_output + (kMostAtOnce - 1) * buffers_.output_bytes;
      if (IsSecond(y)) {
        std::swap(to[0], to[1]);
        std::copy_backward(window, window + count, window + count + 1);
      } else {
        window[count] = window[count - 1];
      }
    }
    halved_rows_(job_, std::max(rows, 2));
    if (rows == 1 && IsSecond(y)) std::swap(to[0], to[1]);
  }

  void SumBytes(size_t begin, size_t samples, bool padded, std::byte* const* output, int rows) {
    const uint8_t* from[kMostByteRows];
    uint8_t* to[kMostAtOnce];
    for (int r = 0; r < rows + pass_.window_height() - 1; ++r) {
      from[r] = reinterpret_cast<const uint8_t*>(buffers_.window[r]);
    }
    for (int q = 0; q < rows; ++q) to[q] = reinterpret_cast<uint8_t*>(output[q]);
    byte_job_.rows = from;
    byte_job_.output = to;
    byte_job_.samples = samples;
    byte_job_.padded = padded;
    if (rows == kByteRowsAtOnce) {
      byte_job_.carry = buffers_.carries[eights_ % 2] + begin;
      byte_job_.carried = eights_ == 0 ? nullptr : buffers_.carries[1 - eights_ % 2] + begin;
    }
    byte_rows_(byte_job_, rows);
  }

  const PreparedPass<T>& pass_;
  const Pixels& pixels_;
  const Region& block_;
  const DirectBuffers<T>& buffers_;
  const CancelToken& cancel_;
  size_t channels_;
  bool alpha_;
  size_t pixel_bytes_;
  size_t output_pixel_bytes_;
  void (*sum_)(const DirectJob<T>& job, int outputs);
  void (*halved_rows_)(const DirectJob<T>& job, int outputs);  // null: rows share no work
  ByteRows byte_rows_;
  size_t least_samples_;  // of a segment that is read where it lies
  int beyond_;            // pixels that may be read behind a window
  size_t run_count_ = 0;
  int least_part_rows_ = 1 << 20;
  size_t eights_ = 0;  // times in a row that eight rows were computed together
  std::array<Segment, 3> segments_;
  size_t segment_count_ = 0;
  DirectJob<T> job_;
  ByteJob byte_job_;
};

}  // namespace

template <typename T>
size_t DirectBytes(const PreparedPass<T>& pass, int channels, int width, int height) {
  Carver carver;
  DirectBuffers<T>(carver, pass, channels, width, height);
  return carver.used();
}

template <typename T>
void RunDirectBlock(const Kernels<T>& kernels, const PreparedPlan<T>& plan, const PreparedPass<T>& pass,
                    const Pixels& pixels, const Region& block, Carver& carver, RowSink<T>& sink,
                    const CancelToken& cancel) {
  const DirectBuffers<T> buffers(carver, pass, plan.channels, block.width, block.height);
  DirectRun<T>(kernels, plan, pass, pixels, block, buffers, cancel).Run(sink);
}

template size_t DirectBytes<float>(const PreparedPass<float>&, int, int, int);
template size_t DirectBytes<double>(const PreparedPass<double>&, int, int, int);
template void RunDirectBlock<float>(const Kernels<float>&, const PreparedPlan<float>&, const PreparedPass<float>&,
                                    const Pixels&, const Region&, Carver&, RowSink<float>&, const CancelToken&);
template void RunDirectBlock<double>(const Kernels<double>&, const PreparedPlan<double>&, const PreparedPass<double>&,
                                     const Pixels&, const Region&, Carver&, RowSink<double>&, const CancelToken&);

}  // namespace convolve::cpu
