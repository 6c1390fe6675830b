// One tile of the FFT path: its whole input window is transformed, multiplied with the kernel's spectrum and
// transformed back, and what a block asks for of the result is delivered.
#pragma once

#include <cstddef>

#include "cpu/fft_spectrum.h"
#include "cpu/kernels.h"
#include "cpu/pass_block.h"
#include "cpu/prepared_plan.h"
#include "cpu/row_source.h"
#include "cpu/scratch.h"
#include "engine/backend.h"
#include "engine/view.h"

namespace convolve::cpu {

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

/// Scratch bytes of one tile transformed in F.
template <typename T, typename F>
size_t FftTileBytes(const PreparedPass<T>& pass, int channels);

/// Delivers the part's rows, from transforms in F. False, with nothing delivered, where the tile holds a sample beyond
/// `most` or not a number.
template <typename T, typename F>
bool TransformTile(const BlockContext<T>& context, const TilePart& at, const Spectrum& spectrum, double most,
                   Carver& carver, RowSink<T>& sink);

}  // namespace convolve::cpu
