// Each row of the measurements once, inside a range with its name, for a profiler that counts bytes and instructions:
//   ncu --profile-from-start off --print-nvtx-rename kernel ... roofline
// A row of several kernels gives several ranges of one name.
#include <cuda_profiler_api.h>
#include <nvtx3/nvToolsExt.h>

#include <cstdio>
#include <string>
#include <vector>

#include "bench_pictures.h"
#include "pass_timer.h"

namespace convolve::bench {
namespace {

struct Row {
  const char* name;
  Work work;
  int repeat;
};

std::vector<Row> Rows() {
  MagnitudeWeights sobel;
  sobel.x = {3, 3, 1, 1, {-1, 0, 1, -2, 0, 2, -1, 0, 1}, 4};
  sobel.y = {3, 3, 1, 1, {-1, -2, -1, 0, 0, 0, 1, 2, 1}, 4};
  FftWeights large;
  static_cast<DenseWeights&>(large) = NoiseKernel(63);
  return {{"dense 3", NoiseKernel(3), 1},
          {"dense 5", NoiseKernel(5), 1},
          {"dense 7", NoiseKernel(7), 1},
          {"dense 11", NoiseKernel(11), 1},
          {"dense 15", NoiseKernel(15), 1},
          {"dense 31", NoiseKernel(31), 1},
          {"fft 63", large, 1},
          {"separable 5", GaussianPair(5), 1},
          {"separable 15", GaussianPair(15), 1},
          {"separable 31", GaussianPair(31), 1},
          {"separable 61", GaussianPair(61), 1},
          {"sobel", sobel, 1},
          {"box 31", BoxWeights{31, 31, 15, 15, 961}, 1},
          {"heat x 8", DenseWeights{3, 3, 1, 1, {0, 0.2, 0, 0.2, 0.2, 0.2, 0, 0.2, 0}, 1}, 8}};
}

struct Kind {
  SampleType type;
  int channels;
};

int Run() {
  cudaStream_t stream;
  Must(cudaStreamCreate(&stream), "stream");
  for (const Kind kind : {Kind{SampleType::kF32, 4}, Kind{SampleType::kU8, 4}}) {
    const PictureSet pictures(4000, 3000, kind.channels, kind.type);
    for (const Row& row : Rows()) {
      const PassTimer timer(row.work, pictures, stream, row.repeat);
      timer.Launch(0);  // modules are loaded and memory is there
      Must(cudaDeviceSynchronize(), "run");
      const std::string name = std::string(row.name) + " " + NameOf(kind.type) + "x" + std::to_string(kind.channels);
      Must(cudaProfilerStart(), "profiler");
      nvtxRangePushA(name.c_str());
      timer.Launch(1);
      Must(cudaDeviceSynchronize(), "run");
      nvtxRangePop();
      Must(cudaProfilerStop(), "profiler");
    }
  }
  return 0;
}

}  // namespace
}  // namespace convolve::bench

int main() { return convolve::bench::Run(); }
