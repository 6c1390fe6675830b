// Kernels and names for the measurements, and what machine they ran on.
#include <cuda_runtime_api.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include "bench_pictures.h"

namespace convolve::bench {

DenseWeights NoiseKernel(int side) {
  std::mt19937 random(static_cast<unsigned>(side));
  DenseWeights dense{side, side, side / 2, side / 2, {}, 1};
  double sum = 0;
  for (int i = 0; i < side * side; ++i) {
    dense.weights.push_back(random() / 4294967296.0 - 0.3);
    sum += dense.weights.back();
  }
  dense.divisor = sum;
  return dense;
}

SeparableWeights GaussianPair(int taps) {
  const double sigma = taps / 6.0;
  std::vector<double> line;
  double sum = 0;
  for (int i = 0; i < taps; ++i) {
    const double x = i - (taps - 1) / 2.0;
    line.push_back(std::exp(-x * x / (2 * sigma * sigma)));
    sum += line.back();
  }
  for (double& weight : line) weight /= sum;
  return {taps, taps, taps / 2, taps / 2, {{line, line}}, 1};
}

DenseWeights DenseOf(const SeparableWeights& separable) {
  DenseWeights dense{separable.width, separable.height, separable.anchor_x, separable.anchor_y, {}, separable.divisor};
  for (int j = 0; j < separable.height; ++j) {
    for (int i = 0; i < separable.width; ++i) {
      double weight = 0;
      for (const RankPair& pair : separable.pairs) {
        weight += pair.column[static_cast<size_t>(j)] * pair.row[static_cast<size_t>(i)];
      }
      dense.weights.push_back(weight);
    }
  }
  return dense;
}

void Must(cudaError_t result, const char* what) {
  if (result == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(result));
  std::exit(1);
}

void WriteFile(const std::string& path, const std::string& text) {
  std::FILE* const file = std::fopen(path.c_str(), "w");
  if (file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fclose(file) == 0)
    return;
  std::fprintf(stderr, "cannot write %s\n", path.c_str());
  std::exit(1);
}

std::string MachineJson() {
  cudaDeviceProp properties;
  Must(cudaGetDeviceProperties(&properties, 0), "properties");
  int driver = 0;
  int runtime = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  return std::string("\"device\": \"") + properties.name +
         "\", \"multiprocessors\": " + std::to_string(properties.multiProcessorCount) +
         ", \"l2Bytes\": " + std::to_string(properties.l2CacheSize) + ", \"cudaDriver\": " + std::to_string(driver) +
         ", \"cudaRuntime\": " + std::to_string(runtime);
}

}  // namespace convolve::bench
