// One pass bound to a set of pictures, ready to be launched again and again: what the measurements time.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <vector>

#include "bench_pictures.h"
#include "cuda/chain.h"
#include "cuda/lowering.h"
#include "cuda/ready_pass.h"

namespace convolve::bench {

class PassTimer {
 public:
  /// Mirrored borders, everything else as a new pass has it, `repeat` times. Ends the program where the repeats are not
  /// one launch's work.
  PassTimer(const Work& work, const PictureSet& pictures, cudaStream_t stream, int repeat = 1);
  PassTimer(const PassTimer&) = delete;
  PassTimer& operator=(const PassTimer&) = delete;

  /// Queues the pass over picture number i. Throws Error.
  void Launch(int i) const { Between(pictures_.source(i), pictures_.target(i)); }
  /// Queues the pass from one whole picture to another.
  void Between(const cuda::DeviceView& source, const cuda::DeviceView& target) const;
  const Pass& pass() const { return pass_; }
  /// How the backend computes it, in a word.
  const char* technique() const;

 private:
  const PictureSet& pictures_;
  cudaStream_t stream_;
  Pass pass_;
  std::unique_ptr<cuda::Device> device_;
  std::vector<cuda::LoweredPass> passes_;
  cuda::FinishParameters finish_;
  std::unique_ptr<cuda::ReadyPasses> ready_;
};

}  // namespace convolve::bench
