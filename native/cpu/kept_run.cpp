// The passes are prepared as parts of the whole plan, so that each computes exactly what it would without the cut.
#include "cpu/kept_run.h"

#include <iterator>
#include <utility>
#include <vector>

#include "cpu/band_run.h"
#include "cpu/fft_plan.h"
#include "cpu/sinks.h"
#include "engine/plan.h"

namespace convolve::cpu {
namespace {

/// The plan's first passes, so many steps of it; `plan` becomes what is left.
template <typename T>
PreparedPlan<T> TakeFirst(PreparedPlan<T>& plan, size_t steps) {
  size_t count = 0;
  for (; steps > 0; ++count) steps -= plan.passes[count].loads_only || plan.passes[count].first_half ? 0 : 1;
  std::vector<PreparedPass<T>> passes = std::move(plan.passes);
  plan.passes.clear();
  PreparedPlan<T> first = plan;
  const auto end = passes.begin() + static_cast<ptrdiff_t>(count);
  first.passes.assign(std::make_move_iterator(passes.begin()), std::make_move_iterator(end));
  plan.passes.assign(std::make_move_iterator(end), std::make_move_iterator(passes.end()));
  plan.source_type = first.passes.back().kept_type;
  plan.from_picture = false;
  first.size = {first.passes.back().output_width, first.passes.back().output_height};
  return first;
}

/// Where on an axis the plan reads for these indices of its result.
template <typename T>
IndexSet Read(const PreparedPlan<T>& plan, IndexSet indices, bool across) {
  for (size_t k = plan.passes.size(); k-- > 0;) {
    const PreparedPass<T>& pass = plan.passes[k];
    if (pass.fft != nullptr) {
      indices = across ? WholeTiles(indices, pass.fft->tile_width(), pass.output_width)
                       : WholeTiles(indices, pass.fft->tile_height(), pass.output_height);
    }
    indices = NeededInput(indices, across ? pass.across : pass.down, pass.border,
                          across ? pass.input_width : pass.input_height);
  }
  return indices;
}

}  // namespace

template <typename T>
KeptInput<T>::KeptInput(KeptResult& kept, PreparedPlan<T>& plan, const Kernels<T>& kernels, const Pixels& picture,
                        const Region& region, ThreadPool& pool, ScratchPool& scratch, const CancelToken& cancel)
    : columns_(0, kept.width()), rows_(0, kept.height()) {
  const PreparedPlan<T> first = TakeFirst(plan, StepsOf(kept.before()).size());
  const SampleType type = plan.source_type;
  std::byte* const samples = kept.Samples(BytesPerSample(type));
  const size_t pixel = static_cast<size_t>(first.channels) * BytesPerSample(type);
  pixels_ = {samples, static_cast<ptrdiff_t>(kept.row_bytes()), type, &columns_, &rows_};
  std::vector<Region> needed;
  const IndexSet across = Read(plan, IndexSet(region.x, region.x + region.width), true);
  const IndexSet down = Read(plan, IndexSet(region.y, region.y + region.height), false);
  for (const Interval& rows : down.intervals()) {
    for (const Interval& columns : across.intervals()) {
      needed.push_back({columns.begin, rows.begin, columns.end - columns.begin, rows.end - rows.begin});
    }
  }
  const RunContext<T> context{kernels, first, picture, cancel};
  kept.Require(needed, [&](const Region& missing) {
    RunPasses<T>(context, missing, 0, pool, scratch, 0, [&](const LastUnit& unit) {
      Carver carver(unit.scratch);
      ForEachBlock(unit.tiling, unit.region, [&](const Region& block, int /*left*/, int /*top*/) {
        std::byte* const at =
            samples + static_cast<size_t>(block.y) * kept.row_bytes() + static_cast<size_t>(block.x) * pixel;
        KeptSink<T> sink(type, at, kept.row_bytes(), static_cast<size_t>(block.width) * pixel, false);
        RunLastBlock(context, unit, block, carver, sink);
        carver.Rewind(0);
      });
    });
  });
}

template class KeptInput<float>;
template class KeptInput<double>;

}  // namespace convolve::cpu
