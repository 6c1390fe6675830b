// Steps of a 3 x 3 kernel: the time of one step among k, beside one copy of the picture on the device. Sums of float32
// are checked against as many single steps first; the C++ tests compare the others. Writes JSON and prints a table.
//   stencil_bench OUT.json
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "bench_pictures.h"
#include "pass_timer.h"

namespace convolve::bench {
namespace {

struct Kind {
  SampleType type;
  int channels;
};

/// Explicit Euler of the heat equation with a fifth of the five-point Laplacian, and two kernels of nine weights.
struct Stencil {
  const char* name;
  DenseWeights dense;
};
std::vector<Stencil> Stencils() {
  return {{"heat 5-point", {3, 3, 1, 1, {0, 0.2, 0, 0.2, 0.2, 0.2, 0, 0.2, 0}, 1}},
          {"binomial 9-point", {3, 3, 1, 1, {1, 2, 1, 2, 4, 2, 1, 2, 1}, 16}},
          {"3x3", NoiseKernel(3)}};
}

__global__ void DifferenceKernel(const float* a, const float* b, int64_t pitch_floats, int floats, int height,
                                 unsigned* largest) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y;
  if (i >= floats || y >= height) return;
  const float difference = fabsf(a[y * pitch_floats + i] - b[y * pitch_floats + i]);
  // Not-a-number has the largest bits of all.
  atomicMax(largest, __float_as_uint(difference));
}

/// Largest difference of two f32 pictures of one shape.
float Difference(const cuda::DeviceView& a, const cuda::DeviceView& b) {
  unsigned* largest = nullptr;
  Must(cudaMalloc(&largest, sizeof(unsigned)), "memory");
  Must(cudaMemset(largest, 0, sizeof(unsigned)), "memory");
  const int floats = a.area.width * a.channels;
  DifferenceKernel<<<dim3((floats + 255) / 256, a.area.height), 256>>>(static_cast<const float*>(a.data),
                                                                       static_cast<const float*>(b.data), a.pitch / 4,
                                                                       floats, a.area.height, largest);
  unsigned bits = 0;
  Must(cudaMemcpy(&bits, largest, sizeof bits, cudaMemcpyDeviceToHost), "difference");
  cudaFree(largest);
  float value = 0;
  static_assert(sizeof value == sizeof bits);
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

int Run(const char* path) {
  std::string json = "{\n  " + MachineJson() + ",\n  \"width\": 4000, \"height\": 3000,\n  \"rows\": [";
  bool first = true;
  bool right = true;
  cudaStream_t stream;
  Must(cudaStreamCreate(&stream), "stream");
  std::printf("%-18s %-6s %6s %9s %9s %8s  %s\n", "stencil", "kind", "steps", "ms", "ms/step", "x copy", "check");
  for (const Kind kind :
       {Kind{SampleType::kF32, 4}, Kind{SampleType::kF32, 1}, Kind{SampleType::kU8, 4}, Kind{SampleType::kF32, 3}}) {
    const std::string name = std::string(NameOf(kind.type)) + "x" + std::to_string(kind.channels);
    const PictureSet pictures(4000, 3000, kind.channels, kind.type);
    const double copy = CopyMilliseconds(pictures, stream);
    for (const Stencil& stencil : Stencils()) {
      for (const int steps : {1, 4, 8, 16, 32, 64}) {
        const PassTimer timer(stencil.dense, pictures, stream, steps);
        float difference = 0;
        if (kind.type == SampleType::kF32) {
          // As many single steps, from target to target; the last lies in target 1.
          const PassTimer single(stencil.dense, pictures, stream);
          single.Between(pictures.source(0), pictures.target(steps % 2 == 1 ? 1 : 2));
          for (int i = 1; i < steps; ++i) {
            const bool even = (steps - i) % 2 == 0;
            single.Between(pictures.target(even ? 1 : 2), pictures.target(even ? 2 : 1));
          }
          Poison(pictures.target(0));
          timer.Launch(0);
          Must(cudaDeviceSynchronize(), "run");
          difference = Difference(pictures.target(0), pictures.target(1));
        }
        const bool ok = difference <= 1e-5f;
        right = right && ok;
        const double ms = MedianMilliseconds([&](int i) { timer.Launch(i); }, stream, steps > 8 ? 3 : 10, 9);
        char line[300];
        std::snprintf(
            line, sizeof line,
            "%s\n    {\"stencil\": \"%s\", \"kind\": \"%s\", \"steps\": %d, \"ms\": %.5f, \"msPerStep\": %.5f, "
            "\"copyMs\": %.5f, \"largestDifference\": %.3g, \"right\": %s}",
            first ? "" : ",", stencil.name, name.c_str(), steps, ms, ms / steps, copy, difference,
            ok ? "true" : "false");
        json += line;
        first = false;
        std::printf("%-18s %-6s %6d %9.4f %9.4f %8.2f  %s %.2g\n", stencil.name, name.c_str(), steps, ms, ms / steps,
                    ms / steps / copy, ok ? "ok" : "WRONG", difference);
        std::fflush(stdout);
      }
    }
  }
  WriteFile(path, json + "\n  ]\n}\n");
  return right ? 0 : 1;
}

}  // namespace
}  // namespace convolve::bench

int main(int argc, char** argv) { return argc == 2 ? convolve::bench::Run(argv[1]) : 2; }
