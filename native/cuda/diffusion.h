// A step of edge-preserving diffusion on the device (DiffusionStep of engine/pass.h): how it is started.
#pragma once

#include <cuda_runtime_api.h>

#include "cuda/parameters.h"

namespace convolve::cuda {

/// What all pixels share. (s / conductance)^2 is the sum of the squares of differences: of colours times `per_colour`,
/// of alpha times `per_alpha`, which is 0 where alpha does not count.
struct DiffusionParameters {
  EdgeStopping stopping;
  float rate;
  int colours;  // the first channels that are
  float per_colour;
  float per_alpha;
};

struct DiffusionJob {
  SourceParameters source;
  OutputParameters output;
  DiffusionParameters step;
};

void LaunchDiffusion(const DiffusionJob& job, int channels, cudaStream_t stream);

}  // namespace convolve::cuda
