// Rows are split into planes where they lie in the picture, and joined where the result lies, wherever nothing has to
// happen to them in between; else they pass through a row of working values.
#include "cpu/fft_tile.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "cpu/fft_kernels.h"
#include "cpu/fft_plan.h"
#include "cpu/finish_row.h"
#include "cpu/own_rows.h"

namespace convolve::cpu {
namespace {

constexpr size_t kLine = 64;   // bytes of a cache line
constexpr int kRowsAhead = 6;  // that are fetched while a row is split

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
        run_count_(MapColumns()),
        source_(context.kernels, pass_, context.plan, context.pixels, buffers_.runs, run_count_,
                MapRows(context.pass, context.pixels, at.tile.y, at.tile.height, buffers_.places)),
        own_buffers_(carver, pass_, context.plan.channels, fft_.tile_width(), fft_.tile_height()),
        own_(context.kernels, context.plan, pass_, context.pixels, at.tile, own_buffers_),
        in_place_(InPlace()),
        epilogue_(pass_.epilogue) {
    if (fft_.divided) epilogue_.divisor = 1;
    const FinishJob<T>& finish = pass_.finish;
    const AlphaWork alpha = finish.alpha;
    const bool no_alpha = alpha == AlphaWork::kNone || alpha == AlphaWork::kStraight || alpha == AlphaWork::kOpaque;
    needs_epilogue_ = epilogue_.result != 1 || epilogue_.input_factor != 0;
    clamps_ =
        pass_.needs_finish && finish.range == RangeKind::kClamp && finish.offset == 0 && no_alpha && !needs_epilogue_;
    joined_is_all_ = !needs_epilogue_ && (clamps_ || !pass_.needs_finish) && !pass_.to_encoded && no_alpha;
  }

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
    const bool whole = part.width == fft_.tile_width() && static_cast<size_t>(fft_.step_x) % kernels_.lanes == 0;
    RowPlace place;
    const bool bytes = std::is_same_v<T, float> && std::is_same_v<F, float> && (channels_ == 1 || channels_ == 4);
    if (joined_is_all_ && whole && bytes) place = sink.Place(SampleType::kU8);
    const bool to_bytes = place.data != nullptr;
    if (joined_is_all_ && whole && !to_bytes) place = sink.Place(kWorkingType<T>);
    for (int y = 0; y < part.height; ++y) {
      const int row = part.y - at_.tile.y + y;
      if (place.data != nullptr) {
        std::byte* const to = place.data + y * place.row_bytes;
        to_bytes ? Join(row, nullptr, reinterpret_cast<uint8_t*>(to)) : Join(row, reinterpret_cast<T*>(to), nullptr);
        continue;
      }
      Join(row, buffers_.output, nullptr);
      Finish(row, left, static_cast<size_t>(part.width) * channels_);
      sink.Put(y, buffers_.output + left);
    }
  }

 private:
  size_t MapColumns() {
    return MapPositions(at_.tile.x + pass_.across.offset - pass_.across.before, static_cast<int>(columns_),
                        pass_.border, pass_.input_width, *context_.pixels.columns, buffers_.runs);
  }

  /// Whether the picture's own rows can be split: all columns lie in it side by side, with what vectors read behind
  /// them.
  /// Only of the picture: what vectors read behind a tile moves its last digits, and must be the same for every cut.
  bool InPlace() const {
    const Pixels& pixels = context_.pixels;
    const AxisRun& run = buffers_.runs[0];
    const bool bytes = std::is_same_v<F, float> && pixels.type == SampleType::kU8 && (channels_ == 1 || channels_ == 4);
    if (pixels.type != kWorkingType<T> && !bytes) return false;
    const bool first = context_.plan.from_picture && &pass_ == &context_.plan.passes.front();
    if (!first || pass_.to_linear || pass_.premultiply) return false;
    const int slack = static_cast<int>((kFftRowSlack + channels_ - 1) / channels_);
    return run_count_ == 1 && run.step == 1 && run.from >= 0 &&
           run.from + static_cast<int>(buffers_.row_pixels) + slack <= pixels.columns->size();
  }

  /// The picture's samples of a window row; null where it lies outside.
  const std::byte* SourceRow(int row) const {
    const Pixels& pixels = context_.pixels;
    const int place = buffers_.places[row];
    if (place < 0) return nullptr;
    return pixels.data + place * pixels.row_bytes +
           static_cast<size_t>(buffers_.runs[0].from) * channels_ * BytesPerSample(pixels.type);
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
    for (int y = 0; y < rows_; ++y) {
      if (y % 16 == 0) context_.cancel.ThrowIfCancelled();
      const std::byte* const lying = in_place_ ? SourceRow(y) : nullptr;
      if (lying != nullptr) {
        if (y + kRowsAhead < rows_) FetchRow(y + kRowsAhead);
        SplitSource(lying, y, first, count);
        continue;
      }
      source_.Load(y, buffers_.row);
      std::fill(buffers_.row + columns_ * channels_, buffers_.row + buffers_.row_pixels * channels_,
                static_cast<T>(fft_.middle));
      SplitRow(buffers_.row, y, first, count);
    }
    const size_t below = static_cast<size_t>(fft_.height - rows_) * cell_;
    if (below == 0) return;
    for (int p = first; p < first + count; ++p) {
      for (size_t s = 0; s < Strips(); ++s) {
        std::fill_n(Plane(p) + s * buffers_.strip_stride + static_cast<size_t>(rows_) * cell_, below, F{0});
      }
    }
  }

  void FetchRow(int row) const {
    const std::byte* const from = SourceRow(row);
    const size_t bytes = buffers_.row_pixels * channels_ * BytesPerSample(context_.pixels.type);
    for (size_t i = 0; from != nullptr && i < bytes; i += kLine) __builtin_prefetch(from + i);
  }

  void SplitSource(const std::byte* row, int y, int first, int count) const {
    if constexpr (std::is_same_v<F, float>) {
      if (context_.pixels.type == SampleType::kU8) {
        return SplitRow(reinterpret_cast<const uint8_t*>(row), y, first, count);
      }
    }
    SplitRow(reinterpret_cast<const T*>(row), y, first, count);
  }

  template <typename From>
  void SplitRow(const From* row, int y, int first, int count) const {
    for (int t = 0; t < fft_.tiles; ++t) {
      FftSplitJob<From, F> job;
      job.row = row + static_cast<size_t>(t * fft_.step_x) * channels_;
      job.channels = context_.plan.channels;
      job.strip_stride = buffers_.strip_stride;
      job.strips = Strips();
      job.middle = static_cast<F>(fft_.middle);
      job.seen = buffers_.seen;
      for (size_t c = 0; c < fft_.channels.size(); ++c) job.to[fft_.channels[c]] = Place(t, c, y, first, count);
      if constexpr (std::is_same_v<From, uint8_t>) {
        kernels_.split_bytes(job);
      } else if constexpr (std::is_same_v<From, float>) {
        kernels_.split_single(job);
      } else {
        kernels_.split_double(job);
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
    if (fft_.axes == FftAxes::kDown) return Down(plane);
    const bool both = fft_.axes == FftAxes::kBoth;
    const size_t stride = buffers_.strip_stride;
    for (size_t s = 0; both && s < Strips(); ++s) {
      if (s % 4 == 0) context_.cancel.ThrowIfCancelled();
      kernels_.forward(plane + s * stride, FftLengthOf<F>(fft_.height));
    }
    Across(plane, both ? fft_.height : rows_);
    for (size_t s = 0; both && s < StripsBack(); ++s) {
      if (s % 4 == 0) context_.cancel.ThrowIfCancelled();
      kernels_.inverse(plane + s * stride, FftLengthOf<F>(fft_.height));
    }
  }

  void Across(F* plane, int rows) const {
    FftAcrossJob<F> job;
    job.length = &FftLengthOf<F>(fft_.width);
    job.scratch = buffers_.scratch;
    job.strips_back = StripsBack();
    if (fft_.axes == FftAxes::kAcross) job.line = spectrum_.values<F>();
    const size_t group = 2 * static_cast<size_t>(fft_.width);
    for (size_t row = 0; row < static_cast<size_t>(rows); row += kernels_.lanes) {
      if (row % 64 == 0) context_.cancel.ThrowIfCancelled();
      job.plane = {plane + row * cell_, buffers_.strip_stride};
      if (fft_.axes == FftAxes::kBoth) job.spectrum = spectrum_.values<F>() + row * group;
      kernels_.across(job);
    }
  }

  void Down(F* plane) const {
    for (size_t s = 0; s < StripsBack(); ++s) {
      context_.cancel.ThrowIfCancelled();
      kernels_.down(plane + s * buffers_.strip_stride, FftLengthOf<F>(fft_.height), spectrum_.values<F>());
    }
  }

  /// Row `row` of the tile, all columns, into one of the two: sums over the divisor, clamped where that is all that is
  /// left to do.
  void Join(int row, T* to, uint8_t* bytes) const {
    const FinishJob<T>& finish = pass_.finish;
    for (int t = 0; t < fft_.tiles && t * fft_.step_x < at_.tile.width; ++t) {
      FftJoinJob<T, F> job;
      const size_t at = static_cast<size_t>(t * fft_.step_x) * channels_;
      job.row = to == nullptr ? nullptr : to + at;
      job.bytes = bytes == nullptr ? nullptr : bytes + at;
      job.empty = finish.alpha == AlphaWork::kOpaque ? finish.full_scale : T{0};
      job.channels = context_.plan.channels;
      job.strip_stride = buffers_.strip_stride;
      job.strips = StripsBack();
      job.added = static_cast<F>(fft_.added);
      job.quantum = static_cast<F>(fft_.quantum);
      job.divisor = epilogue_.divisor;
      job.low = clamps_ ? T{0} : -std::numeric_limits<T>::infinity();
      job.high = clamps_ ? finish.full_scale : std::numeric_limits<T>::infinity();
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
    if (own_.has()) {
      input = own_.Load(row) + left;
    } else if (pass_.needs_input) {
      source_.Load(row + pass_.reach.top, buffers_.row);
      input = buffers_.row + left + static_cast<size_t>(pass_.reach.left) * channels_;
    }
    T* const output = buffers_.output + left;
    if (needs_epilogue_) {
      EpilogueJob<T> job = epilogue_;
      job.row = output;
      job.input = input;
      job.samples = samples;
      job.divisor = 1;
      context_.kernels.epilogue(job);
    }
    FinishRest(context_.kernels, pass_, output, input, samples, pass_.needs_finish && !clamps_);
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
  size_t run_count_;
  RowSource<T> source_;
  const OwnBuffers<T> own_buffers_;
  const OwnRows<T> own_;
  bool in_place_;
  EpilogueJob<T> epilogue_;
  bool needs_epilogue_ = false;
  bool clamps_ = false;         // the join clamps,
  bool joined_is_all_ = false;  // and leaves nothing to do
};

}  // namespace

template <typename T, typename F>
size_t FftTileBytes(const PreparedPass<T>& pass, int channels) {
  Carver carver;
  TileBuffers<T, F>(carver, pass, channels, FftKernelsFor<F>(pass.fft->key->target).lanes);
  OwnBuffers<T>(carver, pass, channels, pass.fft->tile_width(), pass.fft->tile_height());
  return carver.used();
}

template <typename T, typename F>
bool TransformTile(const BlockContext<T>& context, const TilePart& at, const Spectrum& spectrum, double most,
                   Carver& carver, RowSink<T>& sink) {
  TileTransform<T, F> transform(context, at, spectrum, carver);
  if (!transform.Run(most)) return false;
  transform.Deliver(sink);
  return true;
}

#define CONVOLVE_INSTANTIATE(T, F)                                                                             \
  template size_t FftTileBytes<T, F>(const PreparedPass<T>&, int);                                             \
  template bool TransformTile<T, F>(const BlockContext<T>&, const TilePart&, const Spectrum&, double, Carver&, \
                                    RowSink<T>&);
CONVOLVE_INSTANTIATE(float, float)
CONVOLVE_INSTANTIATE(float, double)
CONVOLVE_INSTANTIATE(double, double)
#undef CONVOLVE_INSTANTIATE

}  // namespace convolve::cpu
