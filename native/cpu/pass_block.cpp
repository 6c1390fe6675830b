// The order of operations of one pixel never depends on the block: parts of the kernel in their order, then epilogue,
// alpha, offset, range, encoding.
#include "cpu/pass_block.h"

#include <algorithm>
#include <cstring>

#include "cpu/byte_pair_block.h"
#include "cpu/byte_taps_block.h"
#include "cpu/diffusion_block.h"
#include "cpu/direct_block.h"
#include "cpu/fft_block.h"
#include "cpu/finish_row.h"
#include "cpu/load_block.h"
#include "cpu/mix_sink.h"
#include "cpu/pair_block.h"
#include "cpu/pair_buffers.h"
#include "cpu/pair_terms.h"
#include "cpu/row_stride.h"
#include "cpu/sparse_block.h"

namespace convolve::cpu {
namespace {

/// What one sweep of a kernel of several parts may touch: it should stay in the first-level cache (32 KiB or more).
constexpr size_t kSweepBytes = 32 * 1024;
constexpr size_t kLeastSweepSamples = 128;

/// Samples from row to row, with room for the slack.
template <typename T>
size_t StrideOf(int pixels, int channels) {
  return RowStride(static_cast<size_t>(pixels) * static_cast<size_t>(channels) * sizeof(T) + kRowSlackBytes) /
         sizeof(T);
}

template <typename T>
bool Compensated(const PreparedPass<T>& pass) {
  const auto is = [](const PreparedKernel<T>& kernel) { return kernel.compensated; };
  return std::any_of(pass.dense.begin(), pass.dense.end(), is);
}

/// The rows of one kernel's sums.
template <typename T>
struct SumRows {
  const T* const* window;  // window rows for the first output row
  size_t offset;           // samples from a window row's start to the kernel's first column
  size_t step;
  T* const* output;
  T* const* lost;
  int outputs;
  size_t samples;
};

/// 4, 2 or 1 rows at once, as the kernel's height allows.
int RowsTogether(int rows, int part_rows) {
  if (rows >= 4 && part_rows >= 3) return 4;
  return rows >= 2 ? 2 : 1;
}

template <typename T>
void SumKernel(const Kernels<T>& kernels, const PreparedKernel<T>& kernel, const SumRows<T>& rows,
               const CancelToken& cancel) {
  const bool parted = kernel.parts.size() > 1;
  size_t sweep = rows.samples;
  if (parted) {
    const size_t row_count = static_cast<size_t>(kernel.height + kRowsAtOnce - 1);
    const size_t fits = kSweepBytes / sizeof(T) / row_count;
    const size_t halo = static_cast<size_t>(kernel.width - 1) * rows.step;
    sweep = fits > halo ? (fits - halo) / kLeastSweepSamples * kLeastSweepSamples : 0;
    sweep = std::max(sweep, kLeastSweepSamples);
  }
  SumJob<T> job;
  job.step = rows.step;
  job.weight_stride = static_cast<size_t>(kernel.width);
  for (int q = 0; q < rows.outputs;) {
    const int together = RowsTogether(rows.outputs - q, kernel.parts.front().rows);
    job.output = rows.output + q;
    job.lost = rows.lost == nullptr ? nullptr : rows.lost + q;
    for (size_t begin = 0; begin < rows.samples; begin += sweep) {
      job.begin = begin;
      job.end = std::min(begin + sweep, rows.samples);
      bool first = true;
      for (const KernelPart& part : kernel.parts) {
        job.rows = rows.window + q + part.row;
        job.offset = rows.offset + static_cast<size_t>(part.column) * rows.step;
        job.kernel_rows = static_cast<size_t>(part.rows);
        job.kernel_columns = static_cast<size_t>(part.columns);
        job.weights = kernel.weights.data() + static_cast<size_t>(part.row) * job.weight_stride + part.column;
        if (kernel.compensated && rows.lost != nullptr) {
          job.mode = first ? SumMode::kCompensatedStore : SumMode::kCompensatedAdd;
        } else {
          job.mode = first ? SumMode::kStore : SumMode::kAdd;
        }
        first = false;
        kernels.sum(job, together);
      }
      if (parted) cancel.ThrowIfCancelled();
    }
    q += together;
  }
}

template <typename T>
class BlockRun {
 public:
  BlockRun(const Kernels<T>& kernels, const PreparedPlan<T>& plan, const PreparedPass<T>& pass, const Pixels& pixels,
           const Region& block, const BlockBuffers<T>& buffers, const CancelToken& cancel)
      : kernels_(kernels),
        pass_(pass),
        block_(block),
        buffers_(buffers),
        cancel_(cancel),
        channels_(static_cast<size_t>(plan.channels)),
        samples_(static_cast<size_t>(block.width) * channels_),
        run_count_(MapColumns(pass, pixels, block, buffers.runs)),
        source_(kernels, pass, plan, pixels, buffers.runs, run_count_,
                MapRows(pass, pixels, block.y, block.height, buffers.places)),
        own_(kernels, plan, pass, pixels, block, buffers.own) {
    const auto cut = [&](T* rows, T*(&into)[kRowsAtOnce]) {
      for (size_t q = 0; q < kRowsAtOnce; ++q) into[q] = rows == nullptr ? nullptr : rows + q * buffers.output_stride;
    };
    cut(buffers.output, output_);
    cut(buffers.other, other_);
    cut(buffers.lost, lost_);
  }

  void Run(RowSink<T>& sink) {
    int loaded = 0;  // window rows in the ring so far
    for (int y = 0; y < block_.height; y += kRowsAtOnce) {
      cancel_.ThrowIfCancelled();
      const int rows = std::min(kRowsAtOnce, block_.height - y);
      for (; loaded < y + rows + pass_.window_height() - 1; ++loaded) source_.Load(loaded, InputRow(loaded));
      SumDense(y, rows);
      for (int q = 0; q < rows; ++q) {
        FinishRow(y + q, output_[q]);
        sink.Put(y + q, output_[q]);
      }
    }
  }

 private:
  static size_t MapColumns(const PreparedPass<T>& pass, const Pixels& pixels, const Region& block, AxisRun* runs) {
    return MapPositions(block.x + pass.across.offset - pass.across.before, block.width + pass.window_width() - 1,
                        pass.border, pass.input_width, *pixels.columns, runs);
  }

  size_t Slot(int row) const { return static_cast<size_t>(row) % buffers_.ring_rows; }
  T* InputRow(int row) const { return buffers_.input + Slot(row) * buffers_.input_stride; }

  void SumDense(int y, int rows) {
    for (int r = 0; r < rows + pass_.window_height() - 1; ++r) buffers_.window[r] = InputRow(y + r);
    for (size_t k = 0; k < pass_.dense.size(); ++k) {
      const PreparedKernel<T>& kernel = pass_.dense[k];
      SumKernel(kernels_, kernel,
                {buffers_.window + kernel.row, static_cast<size_t>(kernel.column) * channels_, channels_,
                 k == 0 ? output_ : other_, buffers_.lost == nullptr ? nullptr : lost_, rows, samples_},
                cancel_);
    }
    if (!pass_.magnitude()) return;
    for (int q = 0; q < rows; ++q) {
      kernels_.magnitude(output_[q], other_[q], samples_, pass_.dense[0].divisor, pass_.dense[1].divisor);
    }
  }

  void FinishRow(int y, T* row) {
    const T* input = nullptr;
    if (own_.has()) {
      input = own_.Load(y);
    } else if (pass_.needs_input) {
      input = InputRow(y + pass_.reach.top) + static_cast<size_t>(pass_.reach.left) * channels_;
    }
    cpu::FinishRow(kernels_, pass_, row, input, samples_);
  }

  const Kernels<T>& kernels_;
  const PreparedPass<T>& pass_;
  const Region& block_;
  const BlockBuffers<T>& buffers_;
  const CancelToken& cancel_;
  size_t channels_;
  size_t samples_;
  size_t run_count_;
  RowSource<T> source_;
  OwnRows<T> own_;
  T* output_[kRowsAtOnce];
  T* other_[kRowsAtOnce];
  T* lost_[kRowsAtOnce];
};

}  // namespace

template <typename T>
BlockBuffers<T>::BlockBuffers(Carver& carver, const PreparedPass<T>& pass, int channels, int width, int height)
    : own(carver, pass, channels, width, height) {
  input_stride = StrideOf<T>(width + pass.window_width() - 1, channels);
  output_stride = StrideOf<T>(width, channels);
  ring_rows = static_cast<size_t>(pass.window_height() + kRowsAtOnce - 1);
  const size_t output_samples = kRowsAtOnce * output_stride;
  input = carver.Take<T>(ring_rows * input_stride);
  output = carver.Take<T>(output_samples);
  if (pass.magnitude()) other = carver.Take<T>(output_samples);
  if (Compensated(pass)) lost = carver.Take<T>(output_samples);
  window = carver.Take<const T*>(ring_rows);
  runs = carver.Take<AxisRun>(static_cast<size_t>(width + pass.window_width() - 1));
  places = carver.Take<int>(static_cast<size_t>(height + pass.window_height() - 1));
}

template <typename T>
size_t RowsBlockBytes(const PreparedPass<T>& pass, int channels, int width, int height) {
  Carver carver;
  BlockBuffers<T>(carver, pass, channels, width, height);
  return carver.used();
}

namespace {

/// Of the pass without its mix.
template <typename T>
size_t FilterBlockBytes(const PreparedPass<T>& pass, int channels, int width, int height) {
  if (pass.loads_only) return LoadBlockBytes(pass, channels, width, height);
  if (pass.diffusion) return DiffusionBlockBytes(pass, channels, width, height);
  if (!pass.terms.empty() && !pass.first_half) return TermsBlockBytes(pass, channels, width, height);
  if (pass.fft != nullptr) return FftBlockBytes(pass, channels, width, height);
  if (pass.byte_taps) return ByteTapsBlockBytes(pass, channels, width, height);
  if (pass.sparse != nullptr) return SparseBlockBytes(pass, channels, width, height);
  if (pass.direct) return DirectBytes(pass, channels, width, height);
  if (pass.byte_pair) return BytePairBlockBytes(pass, channels, width, height);
  if (pass.separable()) {
    Carver carver;
    PairBuffers<T>(carver, pass, channels, width, height);
    return carver.used();
  }
  return RowsBlockBytes(pass, channels, width, height);
}

}  // namespace

template <typename T>
size_t PassBlockBytes(const PreparedPass<T>& pass, int channels, int width, int height) {
  return MixSink<T>::Bytes(pass, width) + FilterBlockBytes(pass, channels, width, height);
}

template <typename T>
void RunRowsBlock(const Kernels<T>& kernels, const PreparedPlan<T>& plan, const PreparedPass<T>& pass,
                  const Pixels& pixels, const Region& block, Carver& carver, RowSink<T>& sink,
                  const CancelToken& cancel) {
  const BlockBuffers<T> buffers(carver, pass, plan.channels, block.width, block.height);
  BlockRun<T>(kernels, plan, pass, pixels, block, buffers, cancel).Run(sink);
}

namespace {

/// The pass without its mix.
template <typename T>
void RunFilterBlock(const Kernels<T>& kernels, const PreparedPlan<T>& plan, const PreparedPass<T>& pass,
                    const Pixels& pixels, const Region& block, Carver& carver, RowSink<T>& sink,
                    const CancelToken& cancel, RunningSums* running) {
  if (pass.loads_only) return RunLoadBlock(kernels, plan, pass, pixels, block, carver, sink, cancel);
  if (pass.diffusion) return RunDiffusionBlock(kernels, plan, pass, pixels, block, carver, sink, cancel);
  if (!pass.terms.empty()) return RunTermsBlock(kernels, plan, pass, pixels, block, carver, sink, cancel);
  if (pass.fft != nullptr) return RunFftBlock(kernels, plan, pass, pixels, block, carver, sink, cancel);
  if (pass.byte_taps) return RunByteTapsBlock(plan, pass, pixels, block, carver, sink, cancel);
  if (pass.sparse != nullptr) return RunSparseBlock(kernels, plan, pass, pixels, block, carver, sink, cancel);
  if (pass.direct) return RunDirectBlock(kernels, plan, pass, pixels, block, carver, sink, cancel);
  if (pass.byte_pair) return RunBytePairBlock(kernels, plan, pass, pixels, block, carver, sink, cancel);
  if (pass.separable()) return RunPairBlock(kernels, plan, pass, pixels, block, carver, sink, cancel, running);
  RunRowsBlock(kernels, plan, pass, pixels, block, carver, sink, cancel);
}

}  // namespace

template <typename T>
void RunPassBlock(const Kernels<T>& kernels, const PreparedPlan<T>& plan, const PreparedPass<T>& pass,
                  const Pixels& pixels, const Region& block, Carver& carver, RowSink<T>& sink,
                  const CancelToken& cancel, RunningSums* running) {
  if (!pass.mix) return RunFilterBlock(kernels, plan, pass, pixels, block, carver, sink, cancel, running);
  MixSink<T> mixing(kernels, pass, pixels, block, carver, sink);
  RunFilterBlock<T>(kernels, plan, pass, pixels, block, carver, mixing, cancel, running);
}

template struct BlockBuffers<float>;
template struct BlockBuffers<double>;
template size_t RowsBlockBytes<float>(const PreparedPass<float>&, int, int, int);
template size_t RowsBlockBytes<double>(const PreparedPass<double>&, int, int, int);
template size_t PassBlockBytes<float>(const PreparedPass<float>&, int, int, int);
template size_t PassBlockBytes<double>(const PreparedPass<double>&, int, int, int);
template void RunRowsBlock<float>(const Kernels<float>&, const PreparedPlan<float>&, const PreparedPass<float>&,
                                  const Pixels&, const Region&, Carver&, RowSink<float>&, const CancelToken&);
template void RunRowsBlock<double>(const Kernels<double>&, const PreparedPlan<double>&, const PreparedPass<double>&,
                                   const Pixels&, const Region&, Carver&, RowSink<double>&, const CancelToken&);
template void RunPassBlock<float>(const Kernels<float>&, const PreparedPlan<float>&, const PreparedPass<float>&,
                                  const Pixels&, const Region&, Carver&, RowSink<float>&, const CancelToken&,
                                  RunningSums*);
template void RunPassBlock<double>(const Kernels<double>&, const PreparedPlan<double>&, const PreparedPass<double>&,
                                   const Pixels&, const Region&, Carver&, RowSink<double>&, const CancelToken&,
                                   RunningSums*);

}  // namespace convolve::cpu
