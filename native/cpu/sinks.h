// Where finished rows go: into a result that other passes read, into the destination, into the means of a coarser
// level, or into the extremes of a result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "cpu/kernels.h"
#include "cpu/pass_block.h"
#include "cpu/prepared_plan.h"
#include "cpu/scratch.h"
#include "engine/backend.h"
#include "engine/view.h"

namespace convolve::cpu {

/// Keeps the rows of a block as they are, samples of `type`, `row_bytes` from one to the next, `size` bytes of each.
/// `padded`: rows may be written kRowSlackBytes too far.
template <typename T>
class KeptSink final : public RowSink<T> {
 public:
  KeptSink(SampleType type, std::byte* first, size_t row_bytes, size_t size, bool padded)
      : type_(type), first_(first), row_bytes_(row_bytes), size_(size), padded_(padded) {}

  RowPlace Place(SampleType type) override {
    if (type != type_) return {};
    return {first_, static_cast<ptrdiff_t>(row_bytes_), false, padded_};
  }
  void PutStored(int y, const std::byte* row) override {
    std::memcpy(first_ + static_cast<size_t>(y) * row_bytes_, row, size_);
  }
  void Put(int y, T* row) override { PutStored(y, reinterpret_cast<const std::byte*>(row)); }

 private:
  SampleType type_;
  std::byte* first_;
  size_t row_bytes_;
  size_t size_;
  bool padded_;
};

/// How rows of a plan are stored as samples of a type; `row`, `samples` and `destination` are left open.
template <typename T>
StoreJob<T> StoreOf(const PreparedPlan<T>& plan, SampleType type);

/// The columns of a result of which column `x` is the first one of the destination; none where that stays in the
/// caches.
template <typename To>
LineColumns LinesOf(const View<To>& destination, int x);

/// Stores the rows of a block at `left`, `top` of a destination.
template <typename T, typename To>
class DestinationSink final : public RowSink<T> {
 public:
  DestinationSink(const Kernels<T>& kernels, const StoreJob<T>& store, const View<To>& destination, int left, int top,
                  int width);
  RowPlace Place(SampleType type) override;
  void PutStored(int y, const std::byte* row) override;
  void Put(int y, T* row) override;

 private:
  void (*store_row_)(const StoreJob<T>& job);
  StoreJob<T> store_;
  View<To> destination_;
  int left_;
  int top_;
};

/// Where a LevelSink's rows lie: a unit is a region of level 0 that makes whole pixels of the level.
struct LevelUnit {
  Region region;  // at level 0; x and y are multiples of 2^level, the ends too or the result's
  int level = 0;
  int destination_x = 0;  // of the unit's first pixel, in the destination
  int destination_y = 0;
};

/// Averages the stored rows of a unit down to its level. Columns are summed first, then across: the order does not
/// depend on how the unit was cut into blocks, as long as each column's rows come from top to bottom.
template <typename T, typename To>
class LevelSink final : public RowSink<T> {
 public:
  /// `weighted`: by alpha, the last channel. Weights that are all full scale change no mean and can be left out.
  LevelSink(const Kernels<T>& kernels, const StoreJob<T>& store, const View<To>& destination, bool weighted,
            const LevelUnit& unit, Carver& carver);
  /// Scratch bytes of a unit this wide.
  static size_t Bytes(int width, int channels);

  /// The rows to come belong to the block at this place of the unit, with this width.
  void Begin(int left, int top, int width);
  void PutStored(int y, const std::byte* row) override;
  void Put(int y, T* row) override;

 private:
  using Sum = std::conditional_t<std::is_integral_v<To>, uint64_t, double>;
  void Add(int y, const To* row);
  void AddSums(const To* row);
  void Flush(int row_below);

  void (*store_row_)(const StoreJob<T>& job);
  StoreJob<T> store_;
  View<To> destination_;
  bool weighted_;
  LevelUnit unit_;
  int channels_;
  int left_ = 0;
  int top_ = 0;
  int width_ = 0;
  Sum* columns_;
  To* stored_;
};

/// Keeps the smallest and largest colour of all rows, in code values.
template <typename T>
class ExtremesSink final : public RowSink<T> {
 public:
  ExtremesSink(const Kernels<T>& kernels, const PreparedPlan<T>& plan, int width)
      : kernels_(kernels),
        samples_(static_cast<size_t>(width) * static_cast<size_t>(plan.channels)),
        channels_(static_cast<size_t>(plan.channels)),
        alpha_(plan.alpha) {}
  void PutStored(int y, const std::byte* row) override { Put(y, const_cast<T*>(reinterpret_cast<const T*>(row))); }
  void Put(int /*y*/, T* row) override { kernels_.extremes(row, samples_, channels_, alpha_, &minimum, &maximum); }

  T minimum = std::numeric_limits<T>::infinity();
  T maximum = -std::numeric_limits<T>::infinity();

 private:
  const Kernels<T>& kernels_;
  size_t samples_;
  size_t channels_;
  bool alpha_;
};

}  // namespace convolve::cpu
