// How a pass is computed by overlap-save: the size of its transforms, the grid of tiles on its result, and the
// precision that its result needs. All of it follows from kernel and image; a tile is a place of the grid, whatever was
// asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "cpu/axis.h"
#include "cpu/fft_spectrum.h"
#include "engine/pass.h"

namespace convolve::cpu {

/// Along which axes a tile is transformed: a kernel that is one column or one row along its own alone.
enum class FftAxes { kBoth, kDown, kAcross };

struct FftPlan {
  FftAxes axes = FftAxes::kBoth;
  int width = 0;  // of a transform, or of what lies side by side along an axis without one
  int height = 0;
  int step_x = 0;  // result pixels of one transform
  int step_y = 0;
  int tiles = 1;  // transforms side by side that make one tile of the grid, so that their real pictures come in pairs
  std::vector<int> channels;  // those that are filtered; the others' results are never looked at
  bool in_double = false;     // transformed in float64

  double middle = 0;       // subtracted from every sample on the way in: smaller numbers round less
  double added = 0;        // and what that takes from every sum
  double quantum = 0;      // every sum is a whole multiple of it; 0 where that does not help
  bool divided = false;    // the spectrum holds the weights over the divisor
  double most_single = 0;  // largest magnitude of a tile's samples whose transform in float is exact enough
  double most_double = 0;  // and in double (0: never); beyond it, and with not-a-number, a tile is summed directly

  std::shared_ptr<const SpectrumKey> key;  // of the spectrum in the type that tiles are transformed in at first
  std::shared_ptr<const Spectrum> spectrum;
  SpectrumCache* cache = nullptr;  // where tiles of great range find the spectrum in double

  /// Planes of values of this many bytes that are filled together; one at a time where all would take much memory.
  int PlanesAtOnce(size_t value_bytes) const;
  /// Bytes of a tile's planes and results, about: of planes filled one at a time only columns with results are kept.
  double TileBytes(size_t value_bytes) const;
  int planes() const { return (tiles * static_cast<int>(channels.size()) + 1) / 2; }
  int tile_width() const { return tiles * step_x; }
  int tile_height() const { return step_y; }
};

/// What the plan of an FFT pass depends on beside its kernel.
struct FftSurroundings {
  int output_width = 0;
  int output_height = 0;
  std::vector<int> channels;  // that are filtered
  int picture_channels = 0;
  bool works_in_double = false;
  bool whole_samples = false;    // the samples are whole numbers of code values, none above `largest`
  bool halfway = false;          // sums are read by the second half of a filter as they are: none is ever a tie
  bool strict = false;           // results are rounded to integers, or were integers
  bool uneven = false;           // results are divided by alpha or go through a steep curve
  double largest = 1;            // size of ordinary samples, in working values
  double gain = 0;               // of the whole filter, that the kernel is a part of
  double weight_scale = 1;       // what weights were multiplied by when they were prepared
  double kept_row_bytes = 0;     // of a row of the result, where whole rows of tiles wait for another pass,
  double kept_bytes = 20 << 20;  // and of all of them
};

/// Throws nothing but std::bad_alloc. Null where direct sums serve better: a kernel too large for its picture's memory.
std::shared_ptr<FftPlan> PlanFft(const DenseWeights& weights, const FftSurroundings& surroundings);

/// The largest power of two that divides every weight, 0 for a kernel of zeros.
double QuantumOf(const std::vector<double>& weights);

/// Whether sums of integers that are multiples of `quantum` end in a half often enough, once they are divided, that it
/// matters how those are rounded.
bool AreTiesFrequent(double quantum, double divisor);

/// Looks up or makes the spectrum for an instruction set.
void BindSpectrum(FftPlan& plan, SpectrumCache& cache, int64_t target);

/// The indices of all tiles (each `tile` long, from 0) that hold some of these, up to `size`.
IndexSet WholeTiles(const IndexSet& indices, int tile, int size);

/// Largest length of WholeTiles of an interval of this length.
int MostWholeTiles(int length, int tile, int size);

}  // namespace convolve::cpu
