// One buffer holds what is kept of all passes; the steps of the bands fill and read it in turn.
#include "cpu/band_run.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "cpu/bands.h"
#include "cpu/copy_block.h"
#include "cpu/sinks.h"
#include "cpu/strips.h"

namespace convolve::cpu {
namespace {

/// Calls body(unit, scratch) once for each unit of a step.
using UnitBody = std::function<void(size_t unit, std::byte* scratch)>;
using RunUnits = std::function<void(size_t units, const UnitBody& body)>;

template <typename T>
class BandsRun {
 public:
  /// `memory` holds bands.kept_bytes().
  BandsRun(const RunContext<T>& context, const Bands<T>& bands, std::byte* memory, const RunUnits& run_units,
           const LastBody& last)
      : context_(context),
        bands_(bands),
        run_units_(run_units),
        last_(last),
        channels_(static_cast<size_t>(context.plan.channels)),
        kept_(bands.kept().size()) {
    Carver carver(memory);
    const KeptPlaces places(carver, bands.kept(), bands.running_bytes());
    for (size_t k = 0; k < kept_.size(); ++k) {
      kept_[k].data = places.rows[k];
      kept_[k].carried = places.carried[k];
    }
    for (std::byte* const sums : places.running) running_.push_back({sums});
  }

  void Run() {
    bands_.ForEach([&](const std::vector<BandStep>& steps) {
      for (const BandStep& step : steps) RunStep(step);
    });
  }

 private:
  /// What is there of a pass's result.
  struct Kept {
    std::byte* data = nullptr;
    IndexSet rows;
    bool ring = true;
    std::byte* carried = nullptr;
    IndexSet carried_rows;
  };

  void RunStep(const BandStep& step) {
    const bool last = step.pass == kept_.size();
    Pixels input = step.pass == 0 ? context_.picture : PixelsOf(step.pass - 1);
    if (step.pass == 1) input.own = &context_.picture;
    if (!last) {
      kept_[step.pass].rows = step.rows;
      kept_[step.pass].ring = step.ring;
      Bring(step);
    }
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
    if (!last) Carry(step);
  }

  size_t TermBytes(size_t pass) const {
    const PreparedPass<T>& all = context_.plan.passes[pass];
    return bands_.kept()[pass].row_bytes / (all.first_half ? std::max<size_t>(all.terms.size(), 1) : 1);
  }

  RunningSums* Running(size_t pass) { return running_.empty() ? nullptr : &running_[pass]; }

  Pixels PixelsOf(size_t pass) const {
    const KeptRows& rows = bands_.kept()[pass];
    const Kept& kept = kept_[pass];
    return {kept.data,
            static_cast<ptrdiff_t>(rows.row_bytes),
            context_.plan.passes[pass].kept_type,
            &rows.columns,
            &kept.rows,
            kept.ring ? rows.ring : 0,
            rows.shift,
            static_cast<ptrdiff_t>(TermBytes(pass)),
            nullptr,
            bands_.endless_rows()};
  }

  /// Calls copy(place, carried place, rows) for each run of these rows.
  template <typename Copy>
  void ForCarried(const Kept& kept, const IndexSet& rows, const Copy& copy) const {
    for (const Interval& run : rows.intervals()) {
      copy(static_cast<size_t>(kept.rows.Place(run.begin)), static_cast<size_t>(kept.carried_rows.Place(run.begin)),
           static_cast<size_t>(run.end - run.begin));
    }
  }

  void Bring(const BandStep& step) {
    const Kept& kept = kept_[step.pass];
    const size_t row_bytes = bands_.kept()[step.pass].row_bytes;
    ForCarried(kept, step.brought, [&](size_t place, size_t carried, size_t rows) {
      std::memcpy(kept.data + place * row_bytes, kept.carried + carried * row_bytes, rows * row_bytes);
    });
  }

  void Carry(const BandStep& step) {
    Kept& kept = kept_[step.pass];
    if (kept.carried == nullptr) return;
    const size_t row_bytes = bands_.kept()[step.pass].row_bytes;
    kept.carried_rows = step.carried;
    ForCarried(kept, step.carried, [&](size_t place, size_t carried, size_t rows) {
      std::memcpy(kept.carried + carried * row_bytes, kept.data + place * row_bytes, rows * row_bytes);
    });
  }

  void RunKept(size_t pass, const Tiling& tiling, const Region& unit, const Pixels& input, std::byte* scratch) {
    const KeptRows& kept = bands_.kept()[pass];
    const Pixels result = PixelsOf(pass);
    ForEachBlock(tiling, unit, [&](const Region& block, int /*left*/, int /*top*/) {
      const int place = kept.columns.Place(block.x);
      const size_t pixel = channels_ * BytesPerSample(result.type);
      std::byte* const first = kept_[pass].data + static_cast<size_t>(result.PlaceOfRow(block.y)) * kept.row_bytes +
                               static_cast<size_t>(place) * pixel;
      // Behind the last column of a row is room, behind others lie columns that another thread may have written.
      const bool padded = place + block.width == kept.columns.size();
      const PreparedPass<T>& all = context_.plan.passes[pass];
      const size_t terms = all.first_half ? all.terms.size() : 0;
      for (size_t t = 0; t < std::max<size_t>(terms, 1); ++t) {
        KeptSink<T> sink(result.type, first + t * TermBytes(pass), kept.row_bytes,
                         static_cast<size_t>(block.width) * pixel, padded);
        Carver carver(scratch);
        RunPassBlock(context_.kernels, context_.plan, terms == 0 ? all : all.terms[t], input, block, carver, sink,
                     context_.cancel, Running(pass));
      }
    });
  }

  const RunContext<T>& context_;
  const Bands<T>& bands_;
  const RunUnits& run_units_;
  const LastBody& last_;
  const size_t channels_;
  std::vector<Kept> kept_;            // of every pass but the last
  std::vector<RunningSums> running_;  // of every pass, or none
};

/// All threads on each step, strip after strip.
template <typename T>
void RunShared(const RunContext<T>& context, const Region& region, int level, ThreadPool& pool, ScratchPool& scratch,
               size_t last_bytes, const LastBody& last) {
  const SharedStrips cut = CutShared(context.plan, region, level, pool.threads(), last_bytes, context.cancel);
  std::vector<Bands<T>> strips;
  size_t workers = 1;
  size_t block = 0;
  size_t kept = 0;
  for (size_t unit = 0; unit < cut.strips.units(); ++unit) {
    context.cancel.ThrowIfCancelled();
    strips.emplace_back(context.plan, UnitAt(cut.strips, region, unit), level, pool.threads(), cut.shape);
    const Bands<T>& bands = strips.back();
    workers = std::max(workers, static_cast<size_t>(pool.Workers(bands.most_units())));
    block = std::max(block, bands.block_bytes());
    kept = std::max(kept, bands.kept_bytes());
  }
  const ScratchPool::Lease blocks = scratch.Borrow(workers, block + last_bytes);
  const ScratchPool::Lease rows = scratch.Borrow(kept > 0 ? 1 : 0, kept);
  const RunUnits run_units = [&](size_t units, const UnitBody& body) {
    pool.Run(units, [&](size_t unit, int worker) { body(unit, blocks.data(static_cast<size_t>(worker))); });
  };
  for (const Bands<T>& bands : strips) {
    BandsRun<T>(context, bands, kept > 0 ? rows.data(0) : nullptr, run_units, last).Run();
  }
}

/// A thread for each strip.
template <typename T>
void RunStrips(const RunContext<T>& context, const Tiling& strips, const Region& region, int level, ThreadPool& pool,
               ScratchPool& scratch, size_t last_bytes, const LastBody& last) {
  std::vector<std::optional<Bands<T>>> bands(strips.units());
  pool.Run(strips.units(), [&](size_t unit, int /*worker*/) {
    bands[unit].emplace(context.plan, UnitAt(strips, region, unit), level, 0, BandShape{RowsOfOwnBands(level), false});
  });
  size_t kept = 0;
  size_t block = 0;
  for (const std::optional<Bands<T>>& strip : bands) {
    kept = std::max(kept, strip->kept_bytes());
    block = std::max(block, strip->block_bytes());
  }
  const size_t workers = static_cast<size_t>(pool.Workers(strips.units()));
  const ScratchPool::Lease lease = scratch.Borrow(workers, kept + block + last_bytes);
  pool.Run(strips.units(), [&](size_t unit, int worker) {
    std::byte* const memory = lease.data(static_cast<size_t>(worker));
    const RunUnits run_units = [&](size_t units, const UnitBody& body) {
      for (size_t i = 0; i < units; ++i) body(i, memory + kept);
    };
    BandsRun<T>(context, *bands[unit], memory, run_units, last).Run();
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
  RunShared(context, region, level, pool, scratch, last_bytes, last);
}

#define CONVOLVE_INSTANTIATE(T)                                                                              \
  template void RunLastBlock<T>(const RunContext<T>&, const LastUnit&, const Region&, Carver&, RowSink<T>&); \
  template void RunPasses<T>(const RunContext<T>&, const Region&, int, ThreadPool&, ScratchPool&, size_t,    \
                             const LastBody&);
CONVOLVE_INSTANTIATE(float)
CONVOLVE_INSTANTIATE(double)
#undef CONVOLVE_INSTANTIATE

}  // namespace convolve::cpu
