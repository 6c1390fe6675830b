// A pass's result enters its input: opacity, blend mode, channels and mask of engine/pass.h. How it is started.
#pragma once

#include <cuda_runtime_api.h>

#include "cuda/parameters.h"
#include "cuda/point.h"
#include "engine/pass.h"

namespace convolve::cuda {

/// What all pixels share.
struct MixParameters {
  float opacity;
  BlendMode blend;
  MixChannels channels;
  bool weighted;       // alpha weights colour
  bool cut;            // additions and luminance end at full scale
  float full_scale;    // the code value of 1.0
  float transparent;   // code values: alpha below it counts as none
  float threshold;     // code values; 0: none
  float input_factor;  // from the input's code values to those of full_scale
};

struct MixJob {
  SourceParameters filtered;  // float32, in the pass's light. Of the three only the buffers are used
  SourceParameters input;     // in encoded light
  SourceParameters mask;      // one channel of u16; without data there is none
  int input_x, input_y;       // where result pixel (0, 0) lies in input and mask
  TargetParameters target;    // in pixels of the result, encoded light
  MixParameters mix;
  FinishParameters range;  // where there is a threshold: the range steps of the pass, which come after it
  bool linear;             // the pass works in linear light
  PointCurve curve;
  bool alpha;               // the last channel is alpha
  FinishParameters finish;  // its store steps, after the light
};

void LaunchMix(const MixJob& job, int channels, cudaStream_t stream);

}  // namespace convolve::cuda
