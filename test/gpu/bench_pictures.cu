// Pictures, timing and the plain convolution of the measurements.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "bench_pictures.h"
#include "engine/plan.h"

namespace convolve::bench {
namespace {

__device__ uint32_t Hash(uint32_t v) {
  v ^= v >> 16;
  v *= 0x7feb352du;
  v ^= v >> 15;
  v *= 0x846ca68bu;
  return v ^ v >> 16;
}

template <typename T>
__global__ void NoiseKernelOnDevice(char* data, int64_t pitch, int row_samples, int height, uint32_t seed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y;
  if (i >= row_samples || y >= height) return;
  const uint32_t hash = Hash(seed + Hash(static_cast<uint32_t>(y) * 0x9e3779b9u + i));
  T* row = reinterpret_cast<T*>(data + y * pitch);
  row[i] = sizeof(T) == 4 ? static_cast<T>(hash / 4294967296.0) : static_cast<T>(hash);
}

template <typename T>
__device__ double Stored(double value) {
  if (sizeof(T) == 4) return static_cast<float>(value);
  const double most = sizeof(T) == 1 ? 255 : 65535;
  return fmin(fmax(floor(value + 0.5), 0.0), most);
}

template <typename T>
__global__ void CompareKernel(const char* source, int64_t pitch, int width, int height, int channels,
                              const double* weights, int kernel_width, int kernel_height, double divisor,
                              const char* got, int64_t got_pitch, unsigned long long* largest_bits,
                              unsigned long long* unequal) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y;
  if (i >= width * channels) return;
  const int x = i / channels;
  const int c = i % channels;
  double sum = 0;
  for (int b = 0; b < kernel_height; ++b) {
    int row = y + b - kernel_height / 2;
    row = row < 0 ? -row : (row >= height ? 2 * height - 2 - row : row);
    const T* samples = reinterpret_cast<const T*>(source + row * pitch);
    for (int a = 0; a < kernel_width; ++a) {
      int column = x + a - kernel_width / 2;
      column = column < 0 ? -column : (column >= width ? 2 * width - 2 - column : column);
      sum += weights[b * kernel_width + a] * static_cast<double>(samples[column * channels + c]);
    }
  }
  const double expected = Stored<T>(sizeof(T) == 4 ? fmin(fmax(sum / divisor, 0.0), 1.0) : sum / divisor);
  const double value = static_cast<double>(reinterpret_cast<const T*>(got + y * got_pitch)[i]);
  const double difference = value == value ? fabs(value - expected) : 1e300;  // not-a-number is the largest of all
  if (difference != 0) {
    atomicMax(largest_bits, static_cast<unsigned long long>(__double_as_longlong(difference)));
    atomicAdd(unequal, 1ull);
  }
}

__global__ void CopyKernel(const uint4* from, uint4* to, size_t count) {
  size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) * 4 + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 4; ++k, i += blockDim.x) {
    if (i < count) to[i] = from[i];
  }
}

}  // namespace

PictureSet::PictureSet(int width, int height, int channels, SampleType type) {
  cudaDeviceProp properties;
  Must(cudaGetDeviceProperties(&properties, 0), "properties");
  cuda::DeviceTraits traits;
  static cuda::Device device(traits);
  bytes_ = static_cast<double>(width) * height * channels * static_cast<double>(BytesPerSample(type));
  const int count = std::clamp(static_cast<int>(4.0 * properties.l2CacheSize / bytes_) + 1, 3, 16);
  for (int i = 0; i < count; ++i) {
    const Region area{0, 0, width, height};
    sources_.push_back(device.AllocatePicture(type, channels, area, nullptr));
    targets_.push_back(device.AllocatePicture(type, channels, area, nullptr));
    const cuda::DeviceView& view = sources_.back().view;
    const dim3 grid((width * channels + 255) / 256, height);
    auto* data = static_cast<char*>(view.data);
    const auto seed = static_cast<uint32_t>(i * 7919 + 1);
    if (type == SampleType::kU8)
      NoiseKernelOnDevice<uint8_t><<<grid, 256>>>(data, view.pitch, width * channels, height, seed);
    if (type == SampleType::kU16)
      NoiseKernelOnDevice<uint16_t><<<grid, 256>>>(data, view.pitch, width * channels, height, seed);
    if (type == SampleType::kF32)
      NoiseKernelOnDevice<float><<<grid, 256>>>(data, view.pitch, width * channels, height, seed);
    Must(cudaGetLastError(), "noise");
    Poison(targets_.back().view);
  }
  Must(cudaDeviceSynchronize(), "pictures");
}

void Poison(const cuda::DeviceView& view) {
  // Bytes 0xff: not-a-number as floats, full scale as integers.
  Must(cudaMemset(view.data, 0xff, static_cast<size_t>(view.pitch) * view.area.height), "poison");
}

double MedianMilliseconds(const std::function<void(int)>& call, cudaStream_t stream, int calls, int samples) {
  cudaEvent_t begin;
  cudaEvent_t end;
  Must(cudaEventCreate(&begin), "event");
  Must(cudaEventCreate(&end), "event");
  for (int i = 0; i < 3; ++i) call(i);
  std::vector<float> times;
  int turn = 0;
  for (int s = 0; s < samples; ++s) {
    Must(cudaEventRecord(begin, stream), "event");
    for (int i = 0; i < calls; ++i) call(turn++);
    Must(cudaEventRecord(end, stream), "event");
    Must(cudaEventSynchronize(end), "event");
    float milliseconds = 0;
    Must(cudaEventElapsedTime(&milliseconds, begin, end), "event");
    times.push_back(milliseconds / static_cast<float>(calls));
  }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

namespace {

/// Any linear work as the dense kernel that it stands for.
struct DenseVisitor {
  DenseWeights operator()(const DenseWeights& dense) const { return dense; }
  DenseWeights operator()(const SeparableWeights& separable) const { return DenseOf(separable); }
  DenseWeights operator()(const BoxWeights& box) const { return DenseOf(SeparableOf(box)); }
  DenseWeights operator()(const MagnitudeWeights& magnitude) const { return magnitude.x; }
  DenseWeights operator()(const DiffusionStep& /*step*/) const { return {}; }
};

}  // namespace

Comparison CompareWithPlain(const Pass& pass, const cuda::DeviceView& source, const cuda::DeviceView& got) {
  const DenseWeights dense = std::visit(DenseVisitor{}, pass.work);
  double* weights = nullptr;
  unsigned long long* results = nullptr;
  Must(cudaMalloc(&weights, dense.weights.size() * sizeof(double)), "memory");
  Must(cudaMalloc(&results, 2 * sizeof(unsigned long long)), "memory");
  Must(cudaMemcpy(weights, dense.weights.data(), dense.weights.size() * sizeof(double), cudaMemcpyHostToDevice),
       "copy");
  Must(cudaMemset(results, 0, 2 * sizeof(unsigned long long)), "memory");
  const int width = source.area.width;
  const int height = source.area.height;
  const dim3 grid((width * source.channels + 127) / 128, height);
  const auto run = [&](auto sample) {
    using T = decltype(sample);
    CompareKernel<T><<<grid, 128>>>(static_cast<const char*>(source.data), source.pitch, width, height, source.channels,
                                    weights, dense.width, dense.height, dense.divisor,
                                    static_cast<const char*>(got.data), got.pitch, results, results + 1);
  };
  if (source.type == SampleType::kU8) run(uint8_t{});
  if (source.type == SampleType::kU16) run(uint16_t{});
  if (source.type == SampleType::kF32) run(float{});
  Must(cudaGetLastError(), "compare");
  unsigned long long host[2];
  Must(cudaMemcpy(host, results, sizeof host, cudaMemcpyDeviceToHost), "copy");
  cudaFree(weights);
  cudaFree(results);
  Comparison comparison;
  static_assert(sizeof(double) == sizeof host[0]);
  std::copy_n(reinterpret_cast<const char*>(&host[0]), sizeof(double), reinterpret_cast<char*>(&comparison.largest));
  comparison.unequal = static_cast<long long>(host[1]);
  return comparison;
}

double CopyMilliseconds(const PictureSet& pictures, cudaStream_t stream) {
  const auto bytes = static_cast<size_t>(pictures.bytes());
  const double by_driver = MedianMilliseconds(
      [&](int i) {
        Must(cudaMemcpyAsync(pictures.target(i).data, pictures.source(i).data, bytes, cudaMemcpyDeviceToDevice, stream),
             "copy");
      },
      stream, 20, 15);
  const size_t count = bytes / 16;
  const double by_kernel = MedianMilliseconds(
      [&](int i) {
        CopyKernel<<<static_cast<unsigned>((count + 1023) / 1024), 256, 0, stream>>>(
            static_cast<const uint4*>(pictures.source(i).data), static_cast<uint4*>(pictures.target(i).data), count);
      },
      stream, 20, 15);
  return std::min(by_driver, by_kernel);
}

}  // namespace convolve::bench
