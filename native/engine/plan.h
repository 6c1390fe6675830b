// Plan geometry: how far a pass looks around each pixel. Halos, valid results and tiling all follow from it.
#pragma once

#include <vector>

#include "engine/image.h"
#include "engine/pass.h"

namespace convolve {

/// Largest side of a kernel that is given cell by cell (dense, sparse, FFT and magnitude), in cells.
inline constexpr int kMaximumKernelSide = 511;
/// Largest side of a kernel that is given by its rows and columns (separable and box), in cells.
inline constexpr int kMaximumKernelLength = 4095;

/// Largest rate at which diffusion by forward differences to four neighbours is stable.
inline constexpr double kMostDiffusionRate = 0.25;

/// Smallest conductance of a diffusion, a share of full scale: less tells no edges apart that single precision does.
inline constexpr double kLeastConductance = 1e-6;

/// Most times that one pass is repeated.
inline constexpr int kMaximumRepeat = 1000;

/// The plan's passes in the order in which they run, each as often as it repeats: what a backend goes through that has
/// no faster way to repeat a pass.
std::vector<const Pass*> StepsOf(const Plan& plan);

/// The box as the row and column that it is the product of.
SeparableWeights SeparableOf(const BoxWeights& box);

/// How many pixels a pass reads to each side of the pixel that it writes; never negative for a valid pass.
struct Reach {
  int left = 0;
  int top = 0;
  int right = 0;
  int bottom = 0;
};

/// The reach of the pass's kernel, applied once; of a magnitude, the larger of its two kernels on each side. A `valid`
/// result starts at input position (left, top) and is left + right narrower and top + bottom lower than the input.
Reach ReachOf(const Pass& pass);

/// How much the filtered alpha of a flat picture grows, result * sum of weights / divisor + input; 0 where that is
/// rounding dust beside the weights' magnitudes (and for every magnitude): alpha then has to come from the input.
double AlphaGain(const Pass& pass);

/// The part of Validate (engine/backend.h) that needs no destination: throws Error kInvalidKernel or kInvalidPlan
/// unless every pass is sound and something is left of an image of this size.
void ValidatePlan(const Plan& plan, int width, int height);
/// The same, and that every mix fits the image: its numbers, its mask and its other input.
void ValidatePlan(const Plan& plan, const Image& image);

}  // namespace convolve
