// One buffer holds what is kept of all passes; the steps of the bands fill and read it in turn.
#include "cpu/band_run.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "cpu/copy_block.h"
#include "cpu/sinks.h"

namespace convolve::cpu {
namespace {

/// Calls body(unit, scratch) once for each unit of a step.
using UnitBody = std::function<void(size_t unit, std::byte* scratch)>;
using RunUnits = std::function<void(size_t units, const UnitBody& body)>;

template <typename T>
class BandsRun {
 public:
  /// `memory` holds bands.kept_bytes.
  BandsRun(const RunContext<T>& context, const Bands& bands, std::byte* memory, const RunUnits& run_units,
           const LastBody& last)
      : context_(context),
        bands_(bands),
        run_units_(run_units),
        last_(last),
        channels_(static_cast<size_t>(context.plan.channels)),
        current_(bands.kept.size()) {
    Carver carver(memory);
    for (const KeptRows& kept : bands.kept) {
      data_.push_back(carver.Take<std::byte>(static_cast<size_t>(kept.ring) * kept.row_bytes));
    }
    for (const size_t bytes : bands.running_bytes) {
      running_.push_back({bytes == 0 ? nullptr : carver.Take<std::byte>(bytes)});
    }
  }

  void Run() {
    for (const BandStep& step : bands_.steps) RunStep(step);
  }

 private:
  void RunStep(const BandStep& step) {
    const bool last = step.pass == bands_.kept.size();
    const Pixels input = step.pass == 0 ? context_.picture : Kept(step.pass - 1);
    if (!last) current_[step.pass] = &step;
    std::vector<size_t> begins{0};
    for (const BandPiece& piece : step.pieces) begins.push_back(begins.back() + piece.tiling.units());
    run_units_(begins.back(), [&](size_t unit, std::byte* scratch) {
      size_t p = 0;
      while (unit >= begins[p + 1]) ++p;
      const BandPiece& piece = step.pieces[p];
      const Region region = UnitAt(piece.tiling, piece.region, unit - begins[p]);
      if (last) {
        last_({piece.tiling, region, input, scratch, Running(step.pass)});
      } else {
        RunKept(step.pass, piece.tiling, region, input, scratch);
      }
    });
  }

  RunningSums* Running(size_t pass) { return running_.empty() ? nullptr : &running_[pass]; }

  Pixels Kept(size_t pass) const {
    const KeptRows& kept = bands_.kept[pass];
    const BandStep& step = *current_[pass];
    return {data_[pass],
            static_cast<ptrdiff_t>(kept.row_bytes),
            context_.plan.passes[pass].kept_type,
            &kept.columns,
            &step.rows,
            step.ring ? kept.ring : 0,
            kept.shift};
  }

  void RunKept(size_t pass, const Tiling& tiling, const Region& unit, const Pixels& input, std::byte* scratch) {
    const KeptRows& kept = bands_.kept[pass];
    const Pixels result = Kept(pass);
    ForEachBlock(tiling, unit, [&](const Region& block, int /*left*/, int /*top*/) {
      const int place = kept.columns.Place(block.x);
      const size_t pixel = channels_ * BytesPerSample(result.type);
      std::byte* const first = data_[pass] + static_cast<size_t>(result.PlaceOfRow(block.y)) * kept.row_bytes +
                               static_cast<size_t>(place) * pixel;
      // Behind the last column of a row is room, behind others lie columns that another thread may have written.
      const bool padded = place + block.width == kept.columns.size();
      KeptSink<T> sink(result.type, first, kept.row_bytes, static_cast<size_t>(block.width) * pixel, padded);
      Carver carver(scratch);
      RunPassBlock(context_.kernels, context_.plan, context_.plan.passes[pass], input, block, carver, sink,
                   context_.cancel, Running(pass));
    });
  }

  const RunContext<T>& context_;
  const Bands& bands_;
  const RunUnits& run_units_;
  const LastBody& last_;
  const size_t channels_;
  std::vector<std::byte*> data_;          // of each kept pass
  std::vector<RunningSums> running_;      // of every pass, or none
  std::vector<const BandStep*> current_;  // that computed its rows last
};

/// All threads on each step.
template <typename T>
void RunShared(const RunContext<T>& context, const Bands& bands, ThreadPool& pool, ScratchPool& scratch,
               size_t last_bytes, const LastBody& last) {
  const size_t count = static_cast<size_t>(pool.Workers(bands.most_units));
  const ScratchPool::Lease workers = scratch.Borrow(count, bands.block_bytes + last_bytes);
  const ScratchPool::Lease kept = scratch.Borrow(bands.kept.empty() ? 0 : 1, bands.kept_bytes);
  const RunUnits run_units = [&](size_t units, const UnitBody& body) {
    pool.Run(units, [&](size_t unit, int worker) { body(unit, workers.data(static_cast<size_t>(worker))); });
  };
  BandsRun<T>(context, bands, bands.kept.empty() ? nullptr : kept.data(0), run_units, last).Run();
}

/// A thread for each strip.
template <typename T>
void RunStrips(const RunContext<T>& context, const Tiling& strips, const Region& region, int level, ThreadPool& pool,
               ScratchPool& scratch, size_t last_bytes, const LastBody& last) {
  std::vector<Bands> bands(strips.units());
  pool.Run(strips.units(), [&](size_t unit, int /*worker*/) {
    bands[unit] = CutBands(context.plan, UnitAt(strips, region, unit), level, 0);
  });
  size_t kept = 0;
  size_t block = 0;
  for (const Bands& strip : bands) {
    kept = std::max(kept, strip.kept_bytes);
    block = std::max(block, strip.block_bytes);
  }
  const size_t workers = static_cast<size_t>(pool.Workers(strips.units()));
  const ScratchPool::Lease lease = scratch.Borrow(workers, kept + block + last_bytes);
  pool.Run(strips.units(), [&](size_t unit, int worker) {
    std::byte* const memory = lease.data(static_cast<size_t>(worker));
    const RunUnits run_units = [&](size_t units, const UnitBody& body) {
      for (size_t i = 0; i < units; ++i) body(i, memory + kept);
    };
    BandsRun<T>(context, bands[unit], memory, run_units, last).Run();
  });
}

}  // namespace

template <typename T>
void RunLastBlock(const RunContext<T>& context, const LastUnit& unit, const Region& block, Carver& carver,
                  RowSink<T>& sink) {
  if (context.plan.passes.empty()) {
    RunCopyBlock(context.kernels, context.plan, unit.pixels, block, carver, sink, context.cancel);
  } else {
    RunPassBlock(context.kernels, context.plan, context.plan.passes.back(), unit.pixels, block, carver, sink,
                 context.cancel, unit.running);
  }
}

template <typename T>
void RunPasses(const RunContext<T>& context, const Region& region, int level, ThreadPool& pool, ScratchPool& scratch,
               size_t last_bytes, const LastBody& last) {
  const std::optional<Tiling> strips = CutStrips(context.plan, region, level, pool.threads());
  if (strips) return RunStrips(context, *strips, region, level, pool, scratch, last_bytes, last);
  RunShared(context, CutBands(context.plan, region, level, pool.threads()), pool, scratch, last_bytes, last);
}

#define CONVOLVE_INSTANTIATE(T)                                                                              \
  template void RunLastBlock<T>(const RunContext<T>&, const LastUnit&, const Region&, Carver&, RowSink<T>&); \
  template void RunPasses<T>(const RunContext<T>&, const Region&, int, ThreadPool&, ScratchPool&, size_t,    \
                             const LastBody&);
CONVOLVE_INSTANTIATE(float)
CONVOLVE_INSTANTIATE(double)
#undef CONVOLVE_INSTANTIATE

}  // namespace convolve::cpu
