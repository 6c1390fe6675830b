// A tile is loaded, looked at, and transformed in float, in double where its range asks for that, or summed directly
// where it holds values that a transform would spread. What a tile's result is never depends on the block.
#include "cpu/fft_block.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <type_traits>

#include "cpu/fft_kernels.h"
#include "cpu/fft_plan.h"
#include "cpu/finish_row.h"

namespace convolve::cpu {
namespace {

constexpr size_t kLine = 64;  // bytes of a cache line

/// A tile's place on the result, and the part of it that the block asks for (both in result pixels).
struct TilePart {
  Region tile;
  Region part;
};

template <typename T>
struct BlockContext {
  const Kernels<T>& kernels;
  const PreparedPlan<T>& plan;
  const PreparedPass<T>& pass;
  const Pixels& pixels;
  const CancelToken& cancel;
};

/// Scratch of one tile transformed in F.
template <typename T, typename F>
struct TileBuffers {
  TileBuffers(Carver& carver, const PreparedPass<T>& pass, int channel_count, size_t lanes) {
    const FftPlan& fft = *pass.fft;
    const size_t channels = static_cast<size_t>(channel_count);
    const size_t width = static_cast<size_t>(fft.width);
    // One line more than the cells: strips then start at different places of the cache.
    strip_stride = static_cast<size_t>(fft.height) * 2 * lanes + kLine / sizeof(F);
    const size_t planes = static_cast<size_t>(fft.planes());
    const size_t strips = width / lanes;
    const size_t kept = (static_cast<size_t>(fft.step_x) + lanes - 1) / lanes;
    // Planes one after the other: of each, only the strips with results stay while the next one is transformed.
    plane_stride = (fft.PlanesAtOnce(sizeof(F)) == fft.planes() ? strips : kept) * strip_stride;
    data = carver.Take<F>((planes - 1) * plane_stride + strips * strip_stride);
    scratch = carver.Take<F>(width * 2 * lanes);
    seen = carver.Take<F>(2 * lanes);
    row_pixels = static_cast<size_t>(fft.tile_width() - fft.step_x) + width;
    const size_t samples = row_pixels * channels + kFftRowSlack + kRowSlackBytes / sizeof(T);
    row = carver.Take<T>(samples);
    output = carver.Take<T>(samples);
    const size_t columns = static_cast<size_t>(fft.tile_width() + pass.window_width() - 1);
    const size_t rows = static_cast<size_t>(fft.tile_height() + pass.window_height() - 1);
    runs = carver.Take<AxisRun>(columns);
    places = carver.Take<int>(rows);
  }

  size_t strip_stride = 0;
  size_t plane_stride = 0;
  size_t row_pixels = 0;  // that all transforms of the tile look at
  F* data = nullptr;
  F* scratch = nullptr;
  F* seen = nullptr;
  T* row = nullptr;
  T* output = nullptr;
  AxisRun* runs = nullptr;
  int* places = nullptr;
};

template <typename T, typename F>
class TileTransform {
 public:
  TileTransform(const BlockContext<T>& context, const TilePart& at, const Spectrum& spectrum, Carver& carver)
      : context_(context),
        pass_(context.pass),
        fft_(*context.pass.fft),
        at_(at),
        spectrum_(spectrum),
        kernels_(FftKernelsFor<F>(fft_.key->target)),
        buffers_(carver, pass_, context.plan.channels, kernels_.lanes),
        channels_(static_cast<size_t>(context.plan.channels)),
        columns_(static_cast<size_t>(at.tile.width + pass_.window_width() - 1)),
        rows_(at.tile.height + pass_.window_height() - 1),
        cell_(2 * kernels_.lanes),
        source_(context.kernels, pass_, context.plan, context.pixels, buffers_.runs, MapColumns(),
                MapRows(context.pass, context.pixels, at.tile.y, at.tile.height, buffers_.places)) {}

  /// Whether no sample is beyond `most`; if so, all planes are results.
  bool Run(double most) {
    std::fill_n(buffers_.seen, cell_, F{0});
    const int planes = fft_.planes();
    const int together = fft_.PlanesAtOnce(sizeof(F));
    for (int first = 0; first < planes; first += together) {
      Fill(first, together);
      if (!Within(most)) return false;
      for (int p = first; p < first + together; ++p) Transform(Plane(p));
    }
    return true;
  }

  void Deliver(RowSink<T>& sink) {
    const Region& part = at_.part;
    const size_t left = static_cast<size_t>(part.x - at_.tile.x) * channels_;
    for (int y = 0; y < part.height; ++y) {
      const int row = part.y - at_.tile.y + y;
      Join(row);
      Finish(row, left, static_cast<size_t>(part.width) * channels_);
      sink.Put(y, buffers_.output + left);
    }
  }

 private:
  size_t MapColumns() {
    return MapPositions(at_.tile.x + pass_.across.offset - pass_.across.before, static_cast<int>(columns_),
                        pass_.border, pass_.input_width, *context_.pixels.columns, buffers_.runs);
  }

  F* Plane(int plane) const { return buffers_.data + static_cast<size_t>(plane) * buffers_.plane_stride; }
  size_t Strips() const { return static_cast<size_t>(fft_.width) / kernels_.lanes; }
  size_t StripsBack() const {
    const int width = std::min(fft_.step_x, at_.tile.width);
    return (static_cast<size_t>(width) + kernels_.lanes - 1) / kernels_.lanes;
  }

  /// Where the first strip of a channel of one of the tile's transforms lies; null for planes that are not `first` ...
  /// first + count - 1.
  F* Place(int tile, size_t channel_index, int row, int first, int count) const {
    const int picture = tile * static_cast<int>(fft_.channels.size()) + static_cast<int>(channel_index);
    const int plane = picture / 2;
    if (plane < first || plane >= first + count) return nullptr;
    return Plane(plane) + static_cast<size_t>(row) * cell_ + static_cast<size_t>(picture % 2) * kernels_.lanes;
  }

  void Fill(int first, int count) {
    const bool unpaired = fft_.tiles * static_cast<int>(fft_.channels.size()) % 2 != 0;
    if (unpaired && first + count == fft_.planes()) {
      std::fill_n(Plane(fft_.planes() - 1), Strips() * buffers_.strip_stride, F{0});
    }
    const F middle = static_cast<F>(fft_.middle);
    for (int y = 0; y < rows_; ++y) {
      if (y % 16 == 0) context_.cancel.ThrowIfCancelled();
      source_.Load(y, buffers_.row);
      std::fill(buffers_.row + columns_ * channels_, buffers_.row + buffers_.row_pixels * channels_,
                static_cast<T>(fft_.middle));
      for (int t = 0; t < fft_.tiles; ++t) {
        FftSplitJob<T, F> job;
        job.row = buffers_.row + static_cast<size_t>(t * fft_.step_x) * channels_;
        job.channels = context_.plan.channels;
        job.strip_stride = buffers_.strip_stride;
        job.strips = Strips();
        job.middle = middle;
        job.seen = buffers_.seen;
        for (size_t c = 0; c < fft_.channels.size(); ++c) job.to[fft_.channels[c]] = Place(t, c, y, first, count);
        if constexpr (std::is_same_v<T, float>) {
          kernels_.split_single(job);
        } else {
          kernels_.split_double(job);
        }
      }
    }
    const size_t below = static_cast<size_t>(fft_.height - rows_) * cell_;
    if (below == 0) return;
    for (int p = first; p < first + count; ++p) {
      for (size_t s = 0; s < Strips(); ++s) {
        std::fill_n(Plane(p) + s * buffers_.strip_stride + static_cast<size_t>(rows_) * cell_, below, F{0});
      }
    }
  }

  bool Within(double most) const {
    for (size_t i = 0; i < kernels_.lanes; ++i) {
      if (!(std::abs(static_cast<double>(buffers_.seen[i])) <= most)) return false;
      if (buffers_.seen[kernels_.lanes + i] != 0) return false;
    }
    return true;
  }

  void Transform(F* plane) const {
    const FftLength<F>& down = FftLengthOf<F>(fft_.height);
    const size_t stride = buffers_.strip_stride;
    for (size_t s = 0; s < Strips(); ++s) {
      if (s % 4 == 0) context_.cancel.ThrowIfCancelled();
      kernels_.forward(plane + s * stride, down);
    }
    FftAcrossJob<F> job;
    job.length = &FftLengthOf<F>(fft_.width);
    job.scratch = buffers_.scratch;
    job.strips_back = StripsBack();
    const size_t group = 2 * static_cast<size_t>(fft_.width);
    for (size_t row = 0; row < static_cast<size_t>(fft_.height); row += kernels_.lanes) {
      if (row % 64 == 0) context_.cancel.ThrowIfCancelled();
      job.plane = {plane + row * cell_, stride};
      job.spectrum = spectrum_.values<F>() + row * group;
      kernels_.across(job);
    }
    for (size_t s = 0; s < StripsBack(); ++s) {
      if (s % 4 == 0) context_.cancel.ThrowIfCancelled();
      kernels_.inverse(plane + s * stride, down);
    }
  }

  /// Row `row` of the tile, all columns, as sums.
  void Join(int row) {
    for (int t = 0; t < fft_.tiles && t * fft_.step_x < at_.tile.width; ++t) {
      FftJoinJob<T, F> job;
      job.row = buffers_.output + static_cast<size_t>(t * fft_.step_x) * channels_;
      job.channels = context_.plan.channels;
      job.strip_stride = buffers_.strip_stride;
      job.strips = StripsBack();
      job.added = static_cast<F>(fft_.added);
      job.quantum = static_cast<F>(fft_.quantum);
      for (size_t c = 0; c < fft_.channels.size(); ++c) {
        job.from[fft_.channels[c]] = Place(t, c, row, 0, fft_.planes());
      }
      if constexpr (std::is_same_v<T, float>) {
        kernels_.join_single(job);
      } else {
        kernels_.join_double(job);
      }
    }
  }

  void Finish(int row, size_t left, size_t samples) {
    const T* input = nullptr;
    if (pass_.needs_input) {
      source_.Load(row + pass_.reach.top, buffers_.row);
      input = buffers_.row + left + static_cast<size_t>(pass_.reach.left) * channels_;
    }
    FinishRow(context_.kernels, pass_, buffers_.output + left, input, samples);
  }

  const BlockContext<T>& context_;
  const PreparedPass<T>& pass_;
  const FftPlan& fft_;
  const TilePart& at_;
  const Spectrum& spectrum_;
  const FftKernels<F>& kernels_;
  const TileBuffers<T, F> buffers_;
  const size_t channels_;
  const size_t columns_;  // of the tile's input window that exist; beyond them samples count as `middle`
  const int rows_;
  const size_t cell_;
  RowSource<T> source_;
};

/// Rows of a part go into the block's sink, or into a band of rows while others of its parts are still missing.
template <typename T>
class PartSink final : public RowSink<T> {
 public:
  PartSink(RowSink<T>& block, int first_row) : block_(&block), first_row_(first_row) {}
  PartSink(T* band, size_t stride, size_t left, size_t samples)
      : band_(band), stride_(stride), left_(left), samples_(samples) {}

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

template <typename T, typename F>
bool TransformTile(const BlockContext<T>& context, const TilePart& at, const Spectrum& spectrum, double most,
                   Carver& carver, RowSink<T>& sink) {
  TileTransform<T, F> transform(context, at, spectrum, carver);
  if (!transform.Run(most)) return false;
  transform.Deliver(sink);
  return true;
}

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
  Carver in_single;
  if (!fft.in_double) TileBuffers<T, float>(in_single, pass, channels, FftKernelsFor<float>(fft.key->target).lanes);
  Carver in_double;
  if (fft.most_double > 0) {
    TileBuffers<T, double>(in_double, pass, channels, FftKernelsFor<double>(fft.key->target).lanes);
  }
  const size_t most = std::max(in_single.used(), in_double.used());
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
