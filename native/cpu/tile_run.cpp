// Works backwards from the tile to what each pass must deliver, then forwards pass by pass between two compact buffers.
#include "cpu/tile_run.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

namespace convolve::cpu {
namespace {

template <typename T>
constexpr SampleType WorkingType() {
  return sizeof(T) == 4 ? SampleType::kF32 : SampleType::kF64;
}

/// What is needed of a pass's result.
struct Need {
  IndexSet columns;
  IndexSet rows;
};

/// What a pass has to compute to deliver it: an FFT pass computes whole tiles of its grid.
template <typename T>
Need WholeNeed(const PreparedPass<T>& pass, const Need& need) {
  if (pass.fft == nullptr) return need;
  return {WholeTiles(need.columns, pass.fft->tile_width(), pass.output_width),
          WholeTiles(need.rows, pass.fft->tile_height(), pass.output_height)};
}

/// A compact buffer of working values.
template <typename T>
struct Compact {
  T* data = nullptr;
  size_t stride = 0;  // samples
};

size_t CompactStride(int width, int channels) {
  return (static_cast<size_t>(width) * static_cast<size_t>(channels) + 15) / 16 * 16;
}

template <typename T>
class CompactSink final : public RowSink<T> {
 public:
  CompactSink(const Compact<T>& compact, int left, int top, size_t samples, size_t channels)
      : compact_(compact), left_(static_cast<size_t>(left) * channels), top_(top), samples_(samples) {}

  RowPlace Place(SampleType type) override {
    if (type != WorkingType<T>()) return {};
    return {reinterpret_cast<std::byte*>(At(0)), static_cast<ptrdiff_t>(compact_.stride * sizeof(T)), false};
  }
  void PutStored(int y, const std::byte* row) override { std::memcpy(At(y), row, samples_ * sizeof(T)); }
  void Put(int y, T* row) override { std::memcpy(At(y), row, samples_ * sizeof(T)); }

 private:
  T* At(int y) const { return compact_.data + static_cast<size_t>(top_ + y) * compact_.stride + left_; }

  const Compact<T>& compact_;
  size_t left_;
  int top_;
  size_t samples_;
};

/// Two buffers that passes write in turn, each large enough for every pass that writes to it. `samples(k)` is what pass
/// k of `count` writes.
template <typename T, typename Samples>
std::array<T*, 2> TakeTwo(Carver& carver, size_t count, const Samples& samples) {
  std::array<size_t, 2> most{};
  for (size_t k = 0; k < count; ++k) most[k % 2] = std::max(most[k % 2], samples(k));
  T* const even = carver.Take<T>(most[0]);
  return {even, carver.Take<T>(most[1])};
}

/// Largest size of what each pass delivers for a tile of this size; the same bounds Need can reach.
template <typename T>
std::vector<ResultSize> MostDelivered(const PreparedPlan<T>& plan, int width, int height) {
  std::vector<ResultSize> sizes(plan.passes.size());
  for (size_t k = plan.passes.size(); k-- > 0;) {
    const PreparedPass<T>& pass = plan.passes[k];
    sizes[k] = {std::min(width, pass.output_width), std::min(height, pass.output_height)};
    const ResultSize whole =
        pass.fft == nullptr ? sizes[k]
                            : ResultSize{MostWholeTiles(sizes[k].width, pass.fft->tile_width(), pass.output_width),
                                         MostWholeTiles(sizes[k].height, pass.fft->tile_height(), pass.output_height)};
    width = std::min(whole.width + pass.window_width() - 1, pass.input_width);
    height = std::min(whole.height + pass.window_height() - 1, pass.input_height);
  }
  return sizes;
}

template <typename T>
void CopyTile(const Kernels<T>& kernels, const PreparedPlan<T>& plan, const Pixels& picture, const Region& tile,
              Carver& carver, RowSink<T>& sink, const CancelToken& cancel) {
  const size_t channels = static_cast<size_t>(plan.channels);
  const size_t samples = static_cast<size_t>(tile.width) * channels;
  T* row = carver.Take<T>(samples + kRowSlackBytes / sizeof(T));
  const size_t left = static_cast<size_t>(tile.x) * channels * BytesPerSample(picture.type);
  for (int y = 0; y < tile.height; ++y) {
    cancel.ThrowIfCancelled();
    const std::byte* from = picture.data + (tile.y + y) * picture.row_bytes + left;
    kernels.load[static_cast<size_t>(picture.type)](from, samples, row);
    sink.Put(y, row);
  }
}

}  // namespace

template <typename T>
size_t TileBytes(const PreparedPlan<T>& plan, int width, int height) {
  Carver carver;
  if (plan.passes.empty()) {
    carver.Take<T>(static_cast<size_t>(width) * static_cast<size_t>(plan.channels) + kRowSlackBytes / sizeof(T));
    return carver.used();
  }
  const std::vector<ResultSize> sizes = MostDelivered(plan, width, height);
  TakeTwo<T>(carver, sizes.size() - 1, [&](size_t k) {
    return CompactStride(sizes[k].width, plan.channels) * static_cast<size_t>(sizes[k].height);
  });
  size_t most = 0;
  for (size_t k = 0; k < sizes.size(); ++k) {
    most = std::max(most, PassBlockBytes(plan.passes[k], plan.channels, sizes[k].width, sizes[k].height));
  }
  return carver.used() + most;
}

template <typename T>
void RunTile(const Kernels<T>& kernels, const PreparedPlan<T>& plan, const Pixels& picture, const Region& tile,
             Carver& carver, RowSink<T>& sink, const CancelToken& cancel) {
  const size_t count = plan.passes.size();
  if (count == 0) return CopyTile(kernels, plan, picture, tile, carver, sink, cancel);
  if (count == 1) return RunPassBlock(kernels, plan, plan.passes[0], picture, tile, carver, sink, cancel);

  std::vector<Need> needs(count);
  needs[count - 1] = {IndexSet(tile.x, tile.x + tile.width), IndexSet(tile.y, tile.y + tile.height)};
  for (size_t k = count - 1; k > 0; --k) {
    const PreparedPass<T>& pass = plan.passes[k];
    const Need whole = WholeNeed(pass, needs[k]);
    needs[k - 1] = {NeededInput(whole.columns, pass.across, pass.border, pass.input_width),
                    NeededInput(whole.rows, pass.down, pass.border, pass.input_height)};
  }
  const auto stride = [&](size_t k) { return CompactStride(needs[k].columns.size(), plan.channels); };
  const std::array<T*, 2> buffers =
      TakeTwo<T>(carver, count - 1, [&](size_t k) { return stride(k) * static_cast<size_t>(needs[k].rows.size()); });

  Pixels pixels = picture;
  for (size_t k = 0; k + 1 < count; ++k) {
    const Compact<T> compact{buffers[k % 2], stride(k)};
    for (const Interval& rows : needs[k].rows.intervals()) {
      for (const Interval& columns : needs[k].columns.intervals()) {
        const Region block{columns.begin, rows.begin, columns.end - columns.begin, rows.end - rows.begin};
        CompactSink<T> sink_to_compact(compact, needs[k].columns.Place(block.x), needs[k].rows.Place(block.y),
                                       static_cast<size_t>(block.width) * static_cast<size_t>(plan.channels),
                                       static_cast<size_t>(plan.channels));
        const size_t used = carver.used();
        RunPassBlock<T>(kernels, plan, plan.passes[k], pixels, block, carver, sink_to_compact, cancel);
        carver.Rewind(used);
      }
    }
    pixels = {reinterpret_cast<const std::byte*>(compact.data), static_cast<ptrdiff_t>(compact.stride * sizeof(T)),
              WorkingType<T>(), &needs[k].columns, &needs[k].rows};
  }
  RunPassBlock(kernels, plan, plan.passes[count - 1], pixels, tile, carver, sink, cancel);
}

template size_t TileBytes<float>(const PreparedPlan<float>&, int, int);
template size_t TileBytes<double>(const PreparedPlan<double>&, int, int);
template void RunTile<float>(const Kernels<float>&, const PreparedPlan<float>&, const Pixels&, const Region&, Carver&,
                             RowSink<float>&, const CancelToken&);
template void RunTile<double>(const Kernels<double>&, const PreparedPlan<double>&, const Pixels&, const Region&,
                              Carver&, RowSink<double>&, const CancelToken&);

}  // namespace convolve::cpu
