// The same filters by NPP, timed the same way: the peer. Separable kernels are its row filter and then its column
// filter.
//   npp_bench OUT.json
#include <nppi_filtering_functions.h>

#include <cstdio>
#include <string>
#include <vector>

#include "bench_pictures.h"

namespace convolve::bench {
namespace {

void MustNpp(NppStatus status, const char* what) {
  if (status >= NPP_SUCCESS) return;
  std::fprintf(stderr, "%s: NPP status %d\n", what, static_cast<int>(status));
  std::exit(1);
}

NppStreamContext Context(cudaStream_t stream) {
  NppStreamContext context = {};
  cudaDeviceProp properties;
  Must(cudaGetDeviceProperties(&properties, 0), "properties");
  context.hStream = stream;
  context.nCudaDeviceId = 0;
  context.nMultiProcessorCount = properties.multiProcessorCount;
  context.nMaxThreadsPerMultiProcessor = properties.maxThreadsPerMultiProcessor;
  context.nMaxThreadsPerBlock = properties.maxThreadsPerBlock;
  context.nSharedMemPerBlock = properties.sharedMemPerBlock;
  context.nCudaDevAttrComputeCapabilityMajor = properties.major;
  context.nCudaDevAttrComputeCapabilityMinor = properties.minor;
  return context;
}

/// NPP reads outside its region of interest, which therefore keeps clear of the rim.
struct Inner {
  int x;
  int y;
  NppiSize size;
};

Inner InnerOf(const cuda::DeviceView& view, int side) {
  const int rim = side / 2 + 1;
  return {rim, rim, {view.area.width - 2 * rim, view.area.height - 2 * rim}};
}

template <typename T>
T* At(const cuda::DeviceView& view, const Inner& inner) {
  return reinterpret_cast<T*>(static_cast<char*>(view.data) + inner.y * view.pitch) + inner.x * view.channels;
}

void Dense(const cuda::DeviceView& from, const cuda::DeviceView& to, const float* weights, int side,
           const NppStreamContext& context) {
  const Inner inner = InnerOf(from, side);
  const NppiSize kernel{side, side};
  const NppiPoint anchor{side / 2, side / 2};
  const int step = static_cast<int>(from.pitch);
  if (from.type == SampleType::kF32 && from.channels == 4) {
    MustNpp(nppiFilter_32f_C4R_Ctx(At<Npp32f>(from, inner), step, At<Npp32f>(to, inner), step, inner.size, weights,
                                   kernel, anchor, context),
            "filter");
  } else if (from.type == SampleType::kF32) {
    MustNpp(nppiFilter_32f_C1R_Ctx(At<Npp32f>(from, inner), step, At<Npp32f>(to, inner), step, inner.size, weights,
                                   kernel, anchor, context),
            "filter");
  } else if (from.channels == 4) {
    MustNpp(nppiFilter32f_8u_C4R_Ctx(At<Npp8u>(from, inner), step, At<Npp8u>(to, inner), step, inner.size, weights,
                                     kernel, anchor, context),
            "filter");
  } else {
    MustNpp(nppiFilter32f_8u_C1R_Ctx(At<Npp8u>(from, inner), step, At<Npp8u>(to, inner), step, inner.size, weights,
                                     kernel, anchor, context),
            "filter");
  }
}

void Separable(const cuda::DeviceView& from, const cuda::DeviceView& middle, const cuda::DeviceView& to,
               const float* weights, int taps, const NppStreamContext& context) {
  const Inner inner = InnerOf(from, taps);
  const int step = static_cast<int>(from.pitch);
  MustNpp(nppiFilterRow_32f_C4R_Ctx(At<Npp32f>(from, inner), step, At<Npp32f>(middle, inner), step, inner.size, weights,
                                    taps, taps / 2, context),
          "row");
  MustNpp(nppiFilterColumn_32f_C4R_Ctx(At<Npp32f>(middle, inner), step, At<Npp32f>(to, inner), step, inner.size,
                                       weights, taps, taps / 2, context),
          "column");
}

float* OnDevice(const std::vector<double>& values) {
  const std::vector<float> floats(values.begin(), values.end());
  float* weights = nullptr;
  Must(cudaMalloc(&weights, floats.size() * sizeof(float)), "weights");
  Must(cudaMemcpy(weights, floats.data(), floats.size() * sizeof(float), cudaMemcpyHostToDevice), "weights");
  return weights;
}

int Run(const char* path) {
  cudaStream_t stream;
  Must(cudaStreamCreate(&stream), "stream");
  const NppStreamContext context = Context(stream);
  std::string json =
      "{\n  " + MachineJson() + ",\n  \"peer\": \"NPP\", \"width\": 4000, \"height\": 3000,\n  \"rows\": [";
  bool first = true;
  const auto report = [&](const std::string& row, const std::string& kind, double ms) {
    std::printf("%-14s %-6s npp %8.4f\n", row.c_str(), kind.c_str(), ms);
    json += std::string(first ? "" : ",") + "\n    {\"row\": \"" + row + "\", \"kind\": \"" + kind +
            "\", \"ms\": " + std::to_string(ms) + "}";
    first = false;
  };
  struct Kind {
    SampleType type;
    int channels;
  };
  for (const Kind kind :
       {Kind{SampleType::kF32, 4}, Kind{SampleType::kU8, 4}, Kind{SampleType::kF32, 1}, Kind{SampleType::kU8, 1}}) {
    const PictureSet pictures(4000, 3000, kind.channels, kind.type);
    const std::string name = std::string(NameOf(kind.type)) + "x" + std::to_string(kind.channels);
    for (const int side : {3, 5, 7, 9, 11, 15}) {
      DenseWeights dense = NoiseKernel(side);
      for (double& weight : dense.weights) weight /= dense.divisor;
      float* weights = OnDevice(dense.weights);
      report("dense " + std::to_string(side), name,
             MedianMilliseconds([&](int i) { Dense(pictures.source(i), pictures.target(i), weights, side, context); },
                                stream, 10, 15));
      cudaFree(weights);
    }
    if (kind.type != SampleType::kF32 || kind.channels != 4) continue;
    for (const int taps : {5, 15, 31, 61}) {
      float* weights = OnDevice(GaussianPair(taps).pairs[0].row);
      report("separable " + std::to_string(taps), name,
             MedianMilliseconds(
                 [&](int i) {
                   Separable(pictures.source(i), pictures.target(i + 1), pictures.target(i), weights, taps, context);
                 },
                 stream, 10, 15));
      cudaFree(weights);
    }
  }
  json += "\n  ]\n}\n";
  std::FILE* file = std::fopen(path, "w");
  if (file == nullptr || std::fwrite(json.data(), 1, json.size(), file) != json.size() || std::fclose(file) != 0)
    return 1;
  return 0;
}

}  // namespace
}  // namespace convolve::bench

int main(int argc, char** argv) { return argc == 2 ? convolve::bench::Run(argv[1]) : 2; }
