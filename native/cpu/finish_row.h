// What a pass does to a row of its sums: divisor and epilogue, alpha, offset and range, and back to encoded light.
#pragma once

#include <cstddef>

#include "cpu/kernels.h"
#include "cpu/prepared_plan.h"

namespace convolve::cpu {

/// What comes after the epilogue, in place: alpha, offset and range (`finish`: asked for), and back to encoded light.
/// `input` are the input's own pixels there, needed only where the pass needs its input.
template <typename T>
void FinishRest(const Kernels<T>& kernels, const PreparedPass<T>& pass, T* row, const T* input, size_t samples,
                bool finish) {
  if (finish) {
    FinishJob<T> job = pass.finish;
    job.row = row;
    job.input = input;
    job.samples = samples;
    kernels.finish(job);
  }
  if (pass.to_encoded) {
    const bool alpha = pass.finish.alpha != AlphaWork::kNone;
    kernels.to_encoded(row, samples, pass.finish.channels, alpha, pass.finish.full_scale, *pass.curve);
  }
}

/// All of it, in place.
template <typename T>
void FinishRow(const Kernels<T>& kernels, const PreparedPass<T>& pass, T* row, const T* input, size_t samples) {
  if (pass.needs_epilogue) {
    EpilogueJob<T> job = pass.epilogue;
    job.row = row;
    job.input = input;
    job.samples = samples;
    kernels.epilogue(job);
  }
  FinishRest(kernels, pass, row, input, samples, pass.needs_finish);
}

}  // namespace convolve::cpu
