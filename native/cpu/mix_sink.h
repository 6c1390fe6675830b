// Between a pass and where its rows go: mixes every finished row with the pass's input (Mix of engine/pass.h).
#pragma once

#include <cstddef>

#include "cpu/kernels.h"
#include "cpu/pass_block.h"
#include "cpu/prepared_plan.h"
#include "cpu/row_source.h"
#include "cpu/scratch.h"
#include "engine/view.h"

namespace convolve::cpu {

/// Takes the rows of a block of a pass that has a mix, as working values after their range, and gives them on as the
/// pass's result.
template <typename T>
class MixSink final : public RowSink<T> {
 public:
  /// `pixels`: the pass's input, which holds everything that the block reads. All but the carver outlive the sink.
  MixSink(const Kernels<T>& kernels, const PreparedPass<T>& pass, const Pixels& pixels, const Region& block,
          Carver& carver, RowSink<T>& result);
  /// Scratch bytes of a block this wide; 0 for a pass without a mix.
  static size_t Bytes(const PreparedPass<T>& pass, int width);

  void PutStored(int y, const std::byte* row) override { Mix(y, reinterpret_cast<const T*>(row)); }
  void Put(int y, T* row) override { Mix(y, row); }

 private:
  struct Rows {
    Rows(Carver& carver, const PreparedPass<T>& pass, int width);
    T* below;     // as it is stored
    T* light;     // in the pass's light
    T* filtered;  // with room behind it
    T* blended;
    T* mixed;
    T* amount;
  };

  void Mix(int y, const T* row);
  void LoadBelow(int y);
  void FillAmount(int y);

  const Kernels<T>& kernels_;
  const PreparedMix<T>& mix_;
  const Pixels& pixels_;
  const Region block_;
  RowSink<T>& result_;
  size_t samples_;
  Rows rows_;
};

}  // namespace convolve::cpu
