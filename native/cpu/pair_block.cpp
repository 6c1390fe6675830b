// Columns are summed first, so that a border to the left and right needs no pixels of its own: it repeats columns that
// are summed already. Which way a row takes changes none of its bits.
#include "cpu/pair_block.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "cpu/direct_plan.h"
#include "cpu/finish_row.h"
#include "cpu/pair_buffers.h"
#include "cpu/pair_inside.h"

namespace convolve::cpu {
namespace {

size_t RoundUp(size_t value, size_t step) { return (value + step - 1) / step * step; }

template <typename T>
class PairRun {
 public:
  PairRun(const Kernels<T>& kernels, const PreparedPlan<T>& plan, const PreparedPass<T>& pass, const Pixels& pixels,
          const Region& block, const PairBuffers<T>& buffers, RowSink<T>& sink, const CancelToken& cancel,
          RunningSums* running)
      : kernels_(kernels),
        pair_(kernels.pair),
        box_(!pass.box.empty()),
        plan_(plan),
        pass_(pass),
        pixels_(pixels),
        block_(block),
        buffers_(buffers),
        sink_(sink),
        cancel_(cancel),
        running_(running != nullptr && running->sums != nullptr ? running : nullptr),
        channels_(static_cast<size_t>(plan.channels)),
        samples_(static_cast<size_t>(block.width) * channels_),
        first_column_(block.x + pass.across.offset - pass.across.before),
        positions_(block.width + pass.window_width() - 1),
        window_rows_(block.height + pass.window_height() - 1) {
    inputs_ = buffers.inputs;
    taps_ = buffers.taps;
    MapRows(pass, pixels, block.y, block.height, buffers.places);
    inside_ = FindInside(PairReading<T>{pair_, plan, pass, pixels, first_column_, positions_, window_rows_}, buffers);
    direct_ = inside_.direct;
    stored_ = FindStored();
    whole_ = box_ && direct_ && pixels.type == kIntegerType<T> && IsWhole();
    // Integer sums of integers, or whole steps of a grid; the latter is one for all blocks of a pass.
    const bool bytes = pixels.type == SampleType::kU8;
    const bool integers = whole_ || (box_ && (bytes ? direct_ && pass.box.integers : pass.box.by != 0));
    steps_ = whole_ || bytes ? 1 : pass.box.by;
    box_sum_ = integers ? BoxSum::kInteger : BoxSum::kDouble;
    lanes_ = box_ ? kernels.box.lanes[static_cast<size_t>(box_sum_)] : kernels.pair.lanes;
    vector_bytes_ = lanes_ * (!box_ ? sizeof(T) : integers ? sizeof(int32_t) : sizeof(double));
    sums_ = running_ == nullptr ? buffers.sums : running_->sums;
    continues_ = running_ != nullptr && running_->next_row == block.y && running_->kind == box_sum_ &&
                 running_->loaded == !direct_;
    if (inside_.repeats_outside) SumOutside();
    unturned_ = IsUnturned();
  }

  void Run() {
    const int lanes = static_cast<int>(lanes_);
    for (int y = 0; y < block_.height; y += lanes) {
      cancel_.ThrowIfCancelled();
      const int rows = std::min(lanes, block_.height - y);
      if (unturned_) {
        SumUnturned(y, rows);
        continue;
      }
      SumColumns(y, rows);
      if (whole_) {
        StoreWhole(y, rows);
      } else if (stored_.place.data != nullptr) {
        StoreRows(y, rows);
      } else {
        FinishRows(y, rows);
      }
    }
    if (running_ == nullptr) return;
    // A group that is cut short has run past its rows.
    running_->next_row = block_.height % lanes == 0 ? block_.y + block_.height : RunningSums::kNoRow;
    running_->kind = box_sum_;
    running_->loaded = !direct_;
  }

 private:
  /// Where rows go at once, and as what.
  struct Stored {
    RowPlace place;
    SampleType type = SampleType::kF32;
  };

  Stored FindStored() const {
    if (!FinishesAtOnce()) return {};
    const bool last = &pass_ == &plan_.passes.back();
    for (const SampleType type : {SampleType::kU8, SampleType::kU16, SampleType::kF32, SampleType::kF64}) {
      const bool scaled = last && FullScale(type) != plan_.full_scale;
      if (scaled || pair_.rows[static_cast<size_t>(type)] == nullptr) continue;
      const RowPlace place = sink_.Place(type);
      if (place.data != nullptr) return {place, type};
    }
    return {};
  }

  /// Whether columns need not be turned to lanes: the same sums in the same order, so that this may follow from the
  /// block.
  bool IsUnturned() const {
    if (box_ || !direct_ || Pairs() != 1 || channels_ != 4 || pair_.unturned_rows == nullptr) return false;
    if (pixels_.type != SampleType::kF32 || stored_.place.data == nullptr || stored_.type != SampleType::kF32)
      return false;
    const FinishJob<T>& finish = pass_.finish;
    return pass_.pair.divisor == 1 && pass_.epilogue.result == 1 && pass_.epilogue.input_factor == 0 &&
           finish.offset == 0 && (finish.range == RangeKind::kClamp || finish.range == RangeKind::kFloat);
  }

  /// Whether a box's sums become integers by a division and nothing else.
  bool IsWhole() const {
    const FinishJob<T>& finish = pass_.finish;
    return pass_.box.whole != 0 && stored_.place.data != nullptr && stored_.type == kIntegerType<T> &&
           pass_.epilogue.result == 1 && pass_.epilogue.input_factor == 0 && finish.offset == 0 &&
           (finish.range == RangeKind::kClamp || finish.range == RangeKind::kFloat);
  }

  /// Columns of the border's constant, summed down.
  void SumOutside() {
    if (box_) return SumOutsideBox();
    for (size_t i = 0; i < kOutsideSamples; ++i) buffers_.outside[i] = OutsideOf(plan_, pass_, i % channels_);
    std::fill_n(buffers_.pointers, buffers_.loaded_rows, buffers_.outside);
    for (size_t p = 0; p < Pairs(); ++p) {
      SumDown(p, kWorkingType<T>, 0, kOutsideSamples, OutsideColumns(p));
    }
  }

  void SumOutsideBox() {
    for (size_t i = 0; i < channels_ * lanes_; ++i) {
      const T value = OutsideOf(plan_, pass_, i / lanes_);
      if (box_sum_ == BoxSum::kInteger) {
        const auto steps = static_cast<int32_t>(std::nearbyint(static_cast<float>(value) * steps_));
        reinterpret_cast<int32_t*>(OutsideColumns(0))[i] = steps * pass_.box.height;
      } else {
        const double up = static_cast<double>(value) + pass_.box.magic;  // rounded here, as vectors round it
        reinterpret_cast<double*>(OutsideColumns(0))[i] = (up - pass_.box.magic) * pass_.box.height;
      }
    }
  }

  std::byte* OutsideColumns(size_t pair) const {
    return reinterpret_cast<std::byte*>(buffers_.outside + kOutsideSamples) + pair * kOutsideSamples * vector_bytes_;
  }
  std::byte* Columns(size_t pair, int position) const {
    return reinterpret_cast<std::byte*>(buffers_.columns + pair * buffers_.column_stride) +
           static_cast<size_t>(position) * channels_ * vector_bytes_;
  }
  size_t Pairs() const { return box_ ? 1 : pass_.pair.columns.size(); }

  void SumDown(size_t pair, SampleType type, size_t begin, size_t samples, std::byte* output) {
    if (box_) return SumBoxDown(type, samples, output);
    PairColumnsJob<T> job;
    job.rows = buffers_.pointers;
    job.begin = begin;
    job.samples = samples;
    job.taps = pass_.pair.columns[pair].view();
    job.output = reinterpret_cast<T*>(output);
    pair_.columns[static_cast<size_t>(type)](job);
  }

  void SumBoxDown(SampleType type, size_t samples, std::byte* output) {
    BoxColumnsJob job;
    job.rows = buffers_.pointers;
    job.samples = samples;
    job.count = static_cast<size_t>(pass_.box.height);
    job.first = first_group_;
    job.magic = pass_.box.magic;
    job.by = steps_;
    job.sums = sums_ + (output - Columns(0, 0)) / static_cast<ptrdiff_t>(lanes_);
    job.output = output;
    kernels_.box.columns[static_cast<size_t>(box_sum_)][static_cast<size_t>(type)](job);
  }

  /// The window row that serves as row `i` of the group at `y`: rows below the last one are never looked at.
  int WindowRow(int y, size_t i) const { return std::min(y + static_cast<int>(i), window_rows_ - 1); }
  size_t GroupRows() const { return static_cast<size_t>(pass_.window_height()) + lanes_ - 1; }

  void SumColumns(int y, int rows) {
    first_group_ = y == 0 && !continues_;
    if (direct_) {
      SumDirect(y);
    } else if (buffers_.ring) {
      SumRing(y, rows);
    } else {
      SumLoaded(y, rows);
    }
  }

  /// Where row `i` of the group at `y` begins to lie in the picture.
  const void* InsideRow(int y, size_t i) const {
    const int place = buffers_.places[WindowRow(y, i)];
    const ptrdiff_t left = inside_.place * static_cast<ptrdiff_t>(channels_ * BytesPerSample(pixels_.type));
    return place < 0 ? buffers_.outside_row : pixels_.data + place * pixels_.row_bytes + left;
  }

  void SumUnturned([[maybe_unused]] int y, [[maybe_unused]] int rows) {
    if constexpr (std::is_same_v<T, float>) {
      for (size_t i = 0; i < GroupRows(); ++i) buffers_.pointers[i] = InsideRow(y, i);
      // The columns of the picture begin at a whole vector.
      const size_t before = static_cast<size_t>(inside_.from) * 4;
      float* const first = buffers_.columns + (RoundUp(before, lanes_) - before);
      const size_t stride = RoundUp(static_cast<size_t>(positions_) * 4, lanes_) + 2 * lanes_;
      PairColumnsJob<float> down;
      down.rows = buffers_.pointers;
      down.samples = static_cast<size_t>(inside_.count) * 4;
      down.taps = pass_.pair.columns.front().view();
      down.output = first + before;
      down.output_stride = stride;
      if (AreFew(down.taps)) {
        pair_.few_columns(down);
      } else {
        pair_.columns[static_cast<size_t>(SampleType::kF32)](down);
      }
      const float* const outside = reinterpret_cast<const float*>(OutsideColumns(0));
      const auto copy = [&](int position) {
        const int from = buffers_.copies[position];
        for (size_t q = 0; q < static_cast<size_t>(rows); ++q) {
          float* const row = first + q * stride;
          for (size_t c = 0; c < 4; ++c) {
            row[static_cast<size_t>(position) * 4 + c] =
                from < 0 ? outside[c * lanes_] : row[static_cast<size_t>(from) * 4 + c];
          }
        }
      };
      for (int position = 0; position < inside_.from; ++position) copy(position);
      for (int position = inside_.from + inside_.count; position < positions_; ++position) copy(position);
      PointToRows(y, rows);
      const bool clamps = pass_.finish.range == RangeKind::kClamp;
      constexpr float kInfinity = std::numeric_limits<float>::infinity();
      const void* ahead[kMostGroupRows];
      for (size_t q = 0; q < lanes_; ++q) ahead[q] = InsideRow(y, GroupRows() + q);
      PairUnturnedJob across;
      across.input = first;
      across.input_stride = stride;
      across.taps = pass_.pair.rows.front().view();
      across.samples = samples_;
      across.low = clamps ? 0 : -kInfinity;
      across.high = clamps ? pass_.finish.full_scale : kInfinity;
      across.opaque = pass_.finish.alpha == AlphaWork::kOpaque;
      across.full_scale = pass_.finish.full_scale;
      across.output = output_;
      across.rows = static_cast<size_t>(rows);
      across.stream = stored_.place.stream;
      across.ahead = ahead;
      across.spread = buffers_.spread;
      pair_.unturned_rows(across);
    }
  }

  void SumDirect(int y) {
    for (size_t i = 0; i < GroupRows(); ++i) buffers_.pointers[i] = InsideRow(y, i);
    const size_t pixel = channels_ * vector_bytes_;
    for (size_t p = 0; p < Pairs(); ++p) {
      SumDown(p, pixels_.type, 0, static_cast<size_t>(inside_.count) * channels_, Columns(p, inside_.from));
      const auto copy = [&](int position) {
        const int from = buffers_.copies[position];
        std::memcpy(Columns(p, position), from < 0 ? OutsideColumns(p) : Columns(p, from), pixel);
      };
      for (int position = 0; position < inside_.from; ++position) copy(position);
      for (int position = inside_.from + inside_.count; position < positions_; ++position) copy(position);
    }
  }

  void SumRing(int y, int rows) {
    if (loaded_ < y) loaded_ = y;
    if (loaded_ < y + rows + pass_.window_height() - 1) {
      const size_t runs =
          MapPositions(first_column_, positions_, pass_.border, pass_.input_width, *pixels_.columns, buffers_.runs);
      const RowSource<T> source(kernels_, pass_, plan_, pixels_, buffers_.runs, runs, buffers_.places);
      for (; loaded_ < y + rows + pass_.window_height() - 1; ++loaded_) source.Load(loaded_, LoadedRow(loaded_));
    }
    for (size_t i = 0; i < GroupRows(); ++i) buffers_.pointers[i] = LoadedRow(WindowRow(y, i));
    const size_t samples = RoundUp(static_cast<size_t>(positions_) * channels_, lanes_);
    for (size_t p = 0; p < Pairs(); ++p) SumDown(p, kWorkingType<T>, 0, samples, Columns(p, 0));
  }

  T* LoadedRow(int row) const {
    return buffers_.loaded + static_cast<size_t>(row) % buffers_.loaded_rows * buffers_.loaded_stride;
  }

  void SumLoaded(int y, int rows) {
    for (int first = 0; first < positions_; first += buffers_.loaded_pixels) {
      cancel_.ThrowIfCancelled();
      const int pixels = std::min(buffers_.loaded_pixels, positions_ - first);
      const size_t runs =
          MapPositions(first_column_ + first, pixels, pass_.border, pass_.input_width, *pixels_.columns, buffers_.runs);
      const RowSource<T> source(kernels_, pass_, plan_, pixels_, buffers_.runs, runs, buffers_.places);
      const int last = y + rows + pass_.window_height() - 1;
      // A running sum looks at the rows that leave and at those that come.
      const int leaving = box_ && !first_group_ ? std::min(y + rows, last) : last;
      for (int row = y; row < leaving; ++row) source.Load(row, LoadedRow(row));
      for (int row = std::max(leaving, y + pass_.window_height() - 1); row < last; ++row) {
        source.Load(row, LoadedRow(row));
      }
      for (size_t i = 0; i < GroupRows(); ++i) buffers_.pointers[i] = LoadedRow(WindowRow(y, i));
      const size_t samples = RoundUp(static_cast<size_t>(pixels) * channels_, lanes_);
      for (size_t p = 0; p < Pairs(); ++p) SumDown(p, kWorkingType<T>, 0, samples, Columns(p, first));
    }
  }

  /// Whether all that follows the sums is what the kernels do as they store.
  bool FinishesAtOnce() const {
    const FinishJob<T>& finish = pass_.finish;
    const bool no_alpha = finish.alpha == AlphaWork::kNone || finish.alpha == AlphaWork::kOpaque;
    // Alpha that is filtered like a colour must end like one.
    const bool like_colour = finish.alpha == AlphaWork::kStraight && finish.offset == 0 &&
                             (finish.range == RangeKind::kFloat || finish.range == RangeKind::kClamp);
    return (no_alpha || like_colour) && finish.range != RangeKind::kRescale && !pass_.to_encoded &&
           (pass_.epilogue.input_factor == 0 || ReadsOwn());
  }

  /// Whether the pixels themselves can be read where they lie.
  bool ReadsOwn() const {
    const bool as_they_are = !pass_.to_linear && !pass_.premultiply;
    const bool integers = pixels_.type == (sizeof(T) == 4 ? SampleType::kU8 : SampleType::kU16);
    return as_they_are && (integers || pixels_.type == kWorkingType<T>)&&pixels_.columns->intervals().size() == 1;
  }

  PairRowsJob<T> RowsJob(int rows) {
    for (size_t p = 0; p < pass_.pair.rows.size(); ++p) {
      inputs_[p] = reinterpret_cast<const T*>(Columns(p, 0));
      taps_[p] = pass_.pair.rows[p].view();
    }
    PairRowsJob<T> job;
    job.inputs = inputs_;
    job.taps = taps_;
    job.pairs = pass_.pair.rows.size();
    job.channels = channels_;
    job.pixels = static_cast<size_t>(block_.width);
    job.full_scale = pass_.finish.full_scale;
    job.output = output_;
    job.rows = static_cast<size_t>(rows);
    job.turned = buffers_.turned;
    return job;
  }

  void SumAcross(const PairRowsJob<T>& rows, SampleType to) {
    if (!box_) return pair_.rows[static_cast<size_t>(to)](rows);
    BoxRowsJob<T> job;
    job.input = Columns(0, 0);
    job.count = static_cast<size_t>(pass_.box.width);
    job.rows = rows;
    job.rows.divisor = pass_.box.divisor;
    if (box_sum_ == BoxSum::kInteger) job.rows.divisor *= static_cast<T>(steps_);
    job.multiply = pass_.box.multiply;
    kernels_.box.rows[static_cast<size_t>(box_sum_)][static_cast<size_t>(to)](job);
  }

  void PointToRows(int y, int rows) {
    const RowPlace& place = stored_.place;
    for (int q = 0; q < rows; ++q) output_[q] = place.data + (y + q) * place.row_bytes;
  }

  /// Whether rows that are written together go past the caches: where all of them begin cache lines.
  bool Streams() const {
    const RowPlace& place = stored_.place;
    const uintptr_t address = reinterpret_cast<uintptr_t>(place.data);
    return place.stream && (address | static_cast<size_t>(place.row_bytes)) % kCacheLine == 0;
  }

  void StoreWhole(int y, int rows) {
    PointToRows(y, rows);
    BoxWholeJob job;
    job.input = reinterpret_cast<const int32_t*>(Columns(0, 0));
    job.count = static_cast<size_t>(pass_.box.width);
    job.channels = channels_;
    job.pixels = static_cast<size_t>(block_.width);
    job.divisor = pass_.box.whole;
    job.opaque = pass_.finish.alpha == AlphaWork::kOpaque;
    job.output = output_;
    job.rows = static_cast<size_t>(rows);
    job.stream = Streams();
    kernels_.box.whole(job);
  }

  void StoreRows(int y, int rows) {
    PointToRows(y, rows);
    PairRowsJob<T> job = RowsJob(rows);
    job.divisor = pass_.pair.divisor;
    job.result = pass_.epilogue.result;
    job.input_factor = pass_.epilogue.input_factor;
    job.offset = pass_.finish.offset;
    job.range = pass_.finish.range;
    job.opaque = pass_.finish.alpha == AlphaWork::kOpaque;
    job.padded = stored_.place.padded;
    if (job.input_factor != 0) {
      for (int q = 0; q < rows; ++q) own_[q] = OwnRow(y + q);
      job.own = own_;
      job.own_integers = pixels_.type != kWorkingType<T>;
    }
    job.stream = Streams() && stored_.type == kWorkingType<T>;
    SumAcross(job, stored_.type);
  }

  const std::byte* OwnRow(int y) const {
    const int place = pixels_.columns->Place(block_.x + pass_.across.offset);
    return pixels_.data + buffers_.places[y + pass_.reach.top] * pixels_.row_bytes +
           place * static_cast<ptrdiff_t>(channels_ * BytesPerSample(pixels_.type));
  }

  void FinishRows(int y, int rows) {
    const PairRowsJob<T> job = RowsJob(rows);
    for (int q = 0; q < rows; ++q) output_[q] = buffers_.rows + static_cast<size_t>(q) * buffers_.row_stride;
    SumAcross(job, kWorkingType<T>);
    for (int q = 0; q < rows; ++q) {
      T* const row = static_cast<T*>(output_[q]);
      FinishRow(y + q, row);
      sink_.Put(y + q, row);
    }
  }

  void FinishRow(int y, T* row) {
    if (pass_.needs_input) LoadInput(y);
    cpu::FinishRow(kernels_, pass_, row, buffers_.input, samples_);
  }

  void LoadInput(int y) {
    if (own_runs_ == 0) {
      own_runs_ = MapPositions(block_.x + pass_.across.offset, block_.width, pass_.border, pass_.input_width,
                               *pixels_.columns, buffers_.own_runs);
    }
    const RowSource<T> source(kernels_, pass_, plan_, pixels_, buffers_.own_runs, own_runs_, buffers_.places);
    source.Load(y + pass_.reach.top, buffers_.input);
  }

  const Kernels<T>& kernels_;
  const PairKernels<T>& pair_;
  const bool box_;
  const PreparedPlan<T>& plan_;
  const PreparedPass<T>& pass_;
  const Pixels& pixels_;
  const Region& block_;
  const PairBuffers<T>& buffers_;
  RowSink<T>& sink_;
  const CancelToken& cancel_;
  RunningSums* const running_;
  size_t channels_;
  size_t lanes_ = 0;
  size_t vector_bytes_ = 0;  // of summed columns
  BoxSum box_sum_ = BoxSum::kDouble;
  std::byte* sums_ = nullptr;
  bool continues_ = false;  // the sums of the block above
  bool first_group_ = true;
  size_t samples_;
  int first_column_;  // of the input, for position 0
  int positions_;     // columns that the block reads
  int window_rows_;
  bool direct_ = false;
  PairInside inside_;
  bool unturned_ = false;
  Stored stored_;       // no data: rows are finished apart
  bool whole_ = false;  // a box from integers to integers
  int loaded_ = 0;      // window rows in the ring so far
  size_t own_runs_ = 0;
  void* output_[kMostGroupRows] = {};
  const void* own_[kMostGroupRows] = {};
  float steps_ = 1;   // of 1, in integer sums of a box
  const T** inputs_;  // for each pair
  PairTaps<T>* taps_;
};

}  // namespace

template <typename T>
void RunPairBlock(const Kernels<T>& kernels, const PreparedPlan<T>& plan, const PreparedPass<T>& pass,
                  const Pixels& pixels, const Region& block, Carver& carver, RowSink<T>& sink,
                  const CancelToken& cancel, RunningSums* running) {
  const PairBuffers<T> buffers(carver, pass, plan.channels, block.width, block.height);
  PairRun<T>(kernels, plan, pass, pixels, block, buffers, sink, cancel, running).Run();
}

template void RunPairBlock<float>(const Kernels<float>&, const PreparedPlan<float>&, const PreparedPass<float>&,
                                  const Pixels&, const Region&, Carver&, RowSink<float>&, const CancelToken&,
                                  RunningSums*);
template void RunPairBlock<double>(const Kernels<double>&, const PreparedPlan<double>&, const PreparedPass<double>&,
                                   const Pixels&, const Region&, Carver&, RowSink<double>&, const CancelToken&,
                                   RunningSums*);

}  // namespace convolve::cpu
