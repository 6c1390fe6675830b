// A weight of 0 costs nothing, but its sample counts: zero times infinity is not a number. Rows with such samples are
// noticed when they are loaded, and what they spoil is marked after the sums.
#include "cpu/sparse_block.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cpu/finish_row.h"
#include "cpu/row_stride.h"
#include "cpu/sparse_plan.h"

namespace convolve::cpu {
namespace {

/// Samples from row to row, with room for the slack.
template <typename T>
size_t StrideOf(int pixels, int channels) {
  return RowStride(static_cast<size_t>(pixels) * static_cast<size_t>(channels) * sizeof(T) + kRowSlackBytes) /
         sizeof(T);
}

template <typename T>
struct SparseBuffers {
  SparseBuffers(Carver& carver, const PreparedPass<T>& pass, int channels, int width, int height) {
    const size_t columns = static_cast<size_t>(width + pass.window_width() - 1);
    const size_t rows = static_cast<size_t>(height + pass.window_height() - 1);
    input_stride = StrideOf<T>(static_cast<int>(columns), channels);
    output_stride = StrideOf<T>(width, channels);
    ring_rows = static_cast<size_t>(pass.window_height() + kRowsAtOnce - 1);
    input = carver.Take<T>(ring_rows * input_stride);
    output = carver.Take<T>(kRowsAtOnce * output_stride);
    lost = carver.Take<T>(kRowsAtOnce * output_stride);
    strange = carver.Take<int>(input_stride);
    window = carver.Take<const T*>(ring_rows);
    finite = carver.Take<bool>(ring_rows);
    runs = carver.Take<AxisRun>(columns);
    places = carver.Take<int>(rows);
  }

  size_t input_stride = 0;
  size_t output_stride = 0;
  size_t ring_rows = 0;
  T* input = nullptr;      // ring of input rows with halo
  T* output = nullptr;     // kRowsAtOnce rows of sums
  T* lost = nullptr;       // compensation
  int* strange = nullptr;  // of one row: samples so far that are not finite, each channel alone
  const T** window = nullptr;
  bool* finite = nullptr;  // of each row of the ring
  AxisRun* runs = nullptr;
  int* places = nullptr;
};

template <typename T>
class SparseRun {
 public:
  SparseRun(const Kernels<T>& kernels, const PreparedPlan<T>& plan, const PreparedPass<T>& pass, const Pixels& pixels,
            const Region& block, const SparseBuffers<T>& buffers, const CancelToken& cancel)
      : kernels_(kernels),
        sparse_kernels_(SparseKernelsFor<T>(pass.sparse->target)),
        pass_(pass),
        sparse_(*pass.sparse),
        block_(block),
        buffers_(buffers),
        cancel_(cancel),
        channels_(static_cast<size_t>(plan.channels)),
        samples_(static_cast<size_t>(block.width) * channels_),
        source_(kernels, pass, plan, pixels, buffers.runs, MapColumns(pixels),
                MapRows(pass, pixels, block.y, block.height, buffers.places)) {
    for (int q = 0; q < kRowsAtOnce; ++q) {
      output_[q] = buffers.output + static_cast<size_t>(q) * buffers.output_stride;
      lost_[q] = buffers.lost + static_cast<size_t>(q) * buffers.output_stride;
    }
  }

  void Run(RowSink<T>& sink) {
    int loaded = 0;  // window rows in the ring so far
    for (int y = 0; y < block_.height; y += kRowsAtOnce) {
      cancel_.ThrowIfCancelled();
      const int rows = std::min(kRowsAtOnce, block_.height - y);
      for (; loaded < y + rows + pass_.window_height() - 1; ++loaded) Load(loaded);
      for (int r = 0; r < rows + pass_.window_height() - 1; ++r) buffers_.window[r] = InputRow(y + r);
      Sum(rows);
      for (int q = 0; q < rows; ++q) {
        Spoil(y, q);
        const T* const input = InputRow(y + q + pass_.reach.top) + static_cast<size_t>(pass_.reach.left) * channels_;
        FinishRow(kernels_, pass_, output_[q], input, samples_);
        sink.Put(y + q, output_[q]);
      }
    }
  }

 private:
  size_t MapColumns(const Pixels& pixels) {
    return MapPositions(block_.x + pass_.across.offset - pass_.across.before, block_.width + pass_.window_width() - 1,
                        pass_.border, pass_.input_width, *pixels.columns, buffers_.runs);
  }

  size_t Slot(int row) const { return static_cast<size_t>(row) % buffers_.ring_rows; }
  T* InputRow(int row) const { return buffers_.input + Slot(row) * buffers_.input_stride; }

  void Load(int row) {
    T* const input = InputRow(row);
    source_.Load(row, input);
    buffers_.finite[Slot(row)] =
        sparse_kernels_.finite(input, static_cast<size_t>(block_.width + pass_.window_width() - 1) * channels_);
  }

  void Sum(int rows) {
    SparseJob<T> job;
    job.samples = samples_;
    const size_t count = sparse_.taps.size();
    const bool compensated = count > kSparseChain * kPlainSparseChains;
    for (int q = 0; q < rows;) {
      const int together = rows - q >= 4 ? 4 : rows - q >= 2 ? 2 : 1;
      job.rows = buffers_.window + q;
      job.output = output_ + q;
      job.lost = lost_ + q;
      size_t first = 0;
      do {
        job.taps = sparse_.taps.data() + first;
        job.tap_count = std::min(kSparseChain, count - first);
        if (compensated) {
          job.mode = first == 0 ? SumMode::kCompensatedStore : SumMode::kCompensatedAdd;
        } else {
          job.mode = first == 0 ? SumMode::kStore : SumMode::kAdd;
        }
        sparse_kernels_.sum(job, together);
        first += job.tap_count;
        if (count > kSparseChain) cancel_.ThrowIfCancelled();
      } while (first < count);
      q += together;
    }
  }

  /// Sums whose cells of weight 0 lie on infinity or not-a-number become not-a-number.
  void Spoil(int y, int q) {
    int counted = -1;  // the window row that `strange` counts
    for (const ZeroRun& run : sparse_.zeros) {
      const int row = y + q + run.row;
      if (buffers_.finite[Slot(row)]) continue;
      const T* const input = InputRow(row);
      const size_t samples = static_cast<size_t>(block_.width + pass_.window_width() - 1) * channels_;
      for (size_t i = 0; counted != row && i < samples; ++i) {
        buffers_.strange[i] = (i < channels_ ? 0 : buffers_.strange[i - channels_]) + (std::isfinite(input[i]) ? 0 : 1);
      }
      if (counted != row) cancel_.ThrowIfCancelled();
      counted = row;
      for (size_t x = 0; x < samples_; ++x) {
        const size_t last = x + static_cast<size_t>(run.end - 1) * channels_;
        const size_t before = x + static_cast<size_t>(run.begin) * channels_;
        const int seen = buffers_.strange[last] - (before < channels_ ? 0 : buffers_.strange[before - channels_]);
        if (seen > 0) output_[q][x] = std::numeric_limits<T>::quiet_NaN();
      }
    }
  }

  const Kernels<T>& kernels_;
  const SparseKernels<T>& sparse_kernels_;
  const PreparedPass<T>& pass_;
  const SparsePlan<T>& sparse_;
  const Region& block_;
  const SparseBuffers<T>& buffers_;
  const CancelToken& cancel_;
  size_t channels_;
  size_t samples_;
  RowSource<T> source_;
  T* output_[kRowsAtOnce];
  T* lost_[kRowsAtOnce];
};

}  // namespace

template <typename T>
size_t SparseBlockBytes(const PreparedPass<T>& pass, int channels, int width, int height) {
  Carver carver;
  SparseBuffers<T>(carver, pass, channels, width, height);
  return carver.used();
}

template <typename T>
void RunSparseBlock(const Kernels<T>& kernels, const PreparedPlan<T>& plan, const PreparedPass<T>& pass,
                    const Pixels& pixels, const Region& block, Carver& carver, RowSink<T>& sink,
                    const CancelToken& cancel) {
  const SparseBuffers<T> buffers(carver, pass, plan.channels, block.width, block.height);
  SparseRun<T>(kernels, plan, pass, pixels, block, buffers, cancel).Run(sink);
}

template size_t SparseBlockBytes<float>(const PreparedPass<float>&, int, int, int);
template size_t SparseBlockBytes<double>(const PreparedPass<double>&, int, int, int);
template void RunSparseBlock<float>(const Kernels<float>&, const PreparedPlan<float>&, const PreparedPass<float>&,
                                    const Pixels&, const Region&, Carver&, RowSink<float>&, const CancelToken&);
template void RunSparseBlock<double>(const Kernels<double>&, const PreparedPlan<double>&, const PreparedPass<double>&,
                                     const Pixels&, const Region&, Carver&, RowSink<double>&, const CancelToken&);

}  // namespace convolve::cpu
