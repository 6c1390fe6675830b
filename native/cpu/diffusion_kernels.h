// Jobs of edge-preserving diffusion over rows of working values: how much flows between pixels, and what that makes of
// them.
#pragma once

#include <cstddef>

#include "engine/pass.h"

namespace convolve::cpu {

/// Rows of a diffusion have room for this many bytes after their last sample: vectors hold whole pixels.
inline constexpr size_t kDiffusionSlackBytes = 256;

/// What all pixels of a diffusion share (DiffusionStep of engine/pass.h).
template <typename T>
struct Diffusion {
  EdgeStopping stopping = EdgeStopping::kExponential;
  T rate = 0;
  size_t channels = 0;
  size_t colours = 0;  // the first channels that count as such
  /// (s / conductance)^2 is the sum of the squares of the differences, of colours times this,
  T per_colour = 0;
  T per_alpha = 0;  // and of the last channel times this; 0 where it does not count
};

/// flow = g * (to - from), each pixel's channels with one g.
template <typename T>
struct FlowJob {
  const T* from = nullptr;
  const T* to = nullptr;
  T* flow = nullptr;
  size_t pixels = 0;
};

/// result = pixel + rate * ((down - up) + (right - left)), where flows go down and to the right: `up` and `left`
/// arrive.
template <typename T>
struct MoveJob {
  const T* pixel = nullptr;
  const T* up = nullptr;
  const T* down = nullptr;
  const T* left = nullptr;
  const T* right = nullptr;
  T* result = nullptr;
  size_t samples = 0;
};

template <typename T>
struct DiffusionKernels {
  void (*flow)(const Diffusion<T>& diffusion, const FlowJob<T>& job) = nullptr;
  void (*move)(const Diffusion<T>& diffusion, const MoveJob<T>& job) = nullptr;
};

}  // namespace convolve::cpu
