// A kernel's spectrum: plain transforms in float64, a thread a value. They run once for each kernel.
#include <algorithm>

#include "cuda/check.h"
#include "cuda/fft.h"

namespace convolve::cuda {
namespace {

constexpr int kThreads = 256;
constexpr size_t kCacheBytes = size_t{96} << 20;

/// exp(2 pi i m / size) for m = 0 ... size - 1.
__global__ void CircleKernel(double2* circle, int size) {
  const int m = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (m >= size) return;
  sincospi(2.0 * m / size, &circle[m].y, &circle[m].x);
}

/// What TransformLine multiplies by: exp(-2 pi i t k / size) at k * threads + t.
__global__ void RootsKernel(float2* roots, int size, int threads) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= size) return;
  const int power = (i / threads) * (i % threads) % size;
  double sine;
  double cosine;
  sincospi(-2.0 * power / size, &sine, &cosine);
  roots[i] = make_float2(static_cast<float>(cosine), static_cast<float>(sine));
}

/// lines[j][k] = sum over i of weights[j][i] exp(2 pi i k i / size): the conjugate spectrum, because kernels correlate.
__global__ void RowsKernel(const double* weights, int width, const double2* circle, int size, double2* lines) {
  const int k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int j = static_cast<int>(blockIdx.y);
  if (k >= size) return;
  double2 sum = make_double2(0, 0);
  for (int i = 0; i < width; ++i) {
    const double weight = weights[j * width + i];
    const double2 root = circle[k * i % size];
    sum.x += weight * root.x;
    sum.y += weight * root.y;
  }
  lines[int64_t{j} * size + k] = sum;
}

__global__ void ColumnsKernel(const double2* lines, int height, const double2* circle, int size_x, int size_y,
                              float2* spectrum) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int k = static_cast<int>(blockIdx.y);
  if (x >= size_x) return;
  double2 sum = make_double2(0, 0);
  for (int j = 0; j < height; ++j) {
    const double2 line = lines[int64_t{j} * size_x + x];
    const double2 root = circle[k * j % size_y];
    sum.x += line.x * root.x - line.y * root.y;
    sum.y += line.x * root.y + line.y * root.x;
  }
  const double scale = 1.0 / (static_cast<double>(size_x) * size_y);  // of the way there and back; a power of two
  spectrum[int64_t{k} * size_x + x] = make_float2(static_cast<float>(sum.x * scale), static_cast<float>(sum.y * scale));
}

int Blocks(int count) { return (count + kThreads - 1) / kThreads; }

/// Memory that lives until the end of the function.
struct Temporary {
  explicit Temporary(size_t bytes) { Check(cudaMalloc(&pointer, bytes), "kernel spectrum"); }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() { cudaFree(pointer); }
  void* pointer = nullptr;
};

/// Points a window should have along one axis: the least time a result, as measured on an H200 (relative, a point of a
/// window). 0 where the kernel is too long for every size.
int SizeFor(int length, int largest) {
  struct Choice {
    int size;
    double cost;
  };
  constexpr Choice kChoices[] = {{256, 1.0}, {512, 1.45}, {1024, 1.75}};
  int best = 0;
  double best_cost = 0;
  for (const auto& [size, cost] : kChoices) {
    if (size > largest || size < length + 64) continue;
    const double all = cost * size / (size - length + 1);
    if (best == 0 || all < best_cost) {
      best = size;
      best_cost = all;
    }
  }
  return best;
}

}  // namespace

FftShape FftShapeOf(int width, int height, int shared_bytes) {
  const int largest = shared_bytes >= kFftSharedBytes ? 1024 : 256;
  const int size_x = SizeFor(width, largest);
  const int size_y = SizeFor(height, largest);
  if (size_x == 0 || size_y == 0) return {};
  return {size_x, size_y, size_x - width + 1, size_y - height + 1};
}

FftSpectrum::FftSpectrum(const std::vector<double>& weights, int width, int height, const FftShape& shape,
                         cudaStream_t stream)
    : points_(static_cast<size_t>(shape.size_x) * shape.size_y), size_x_(shape.size_x) {
  const Temporary device_weights(weights.size() * sizeof(double));
  const Temporary circle(static_cast<size_t>(std::max(shape.size_x, shape.size_y)) * sizeof(double2));
  const Temporary lines(static_cast<size_t>(height) * shape.size_x * sizeof(double2));
  auto* const device = static_cast<double*>(device_weights.pointer);
  auto* const circle_values = static_cast<double2*>(circle.pointer);
  auto* const line_values = static_cast<double2*>(lines.pointer);
  Check(cudaMemcpyAsync(device, weights.data(), weights.size() * sizeof(double), cudaMemcpyHostToDevice, stream),
        "kernel spectrum");
  bytes_ = (points_ + static_cast<size_t>(shape.size_x) + static_cast<size_t>(shape.size_y)) * sizeof(float2);
  Check(cudaMalloc(&values_, bytes_), "kernel spectrum");
  const auto threads = [](int size) { return size == 1024 ? 32 : 16; };  // as FftSize
  RootsKernel<<<Blocks(shape.size_x), kThreads, 0, stream>>>(values_ + points_, shape.size_x, threads(shape.size_x));
  RootsKernel<<<Blocks(shape.size_y), kThreads, 0, stream>>>(values_ + points_ + size_x_, shape.size_y,
                                                             threads(shape.size_y));
  CircleKernel<<<Blocks(shape.size_x), kThreads, 0, stream>>>(circle_values, shape.size_x);
  RowsKernel<<<dim3(Blocks(shape.size_x), height), kThreads, 0, stream>>>(device, width, circle_values, shape.size_x,
                                                                          line_values);
  CircleKernel<<<Blocks(shape.size_y), kThreads, 0, stream>>>(circle_values, shape.size_y);
  ColumnsKernel<<<dim3(Blocks(shape.size_x), shape.size_y), kThreads, 0, stream>>>(line_values, height, circle_values,
                                                                                   shape.size_x, shape.size_y, values_);
  cudaError_t result = cudaGetLastError();
  if (result == cudaSuccess) result = cudaStreamSynchronize(stream);
  if (result != cudaSuccess) cudaFree(values_);
  Check(result, "kernel spectrum");
}

FftSpectrum::~FftSpectrum() {
  cudaDeviceSynchronize();
  cudaFree(values_);
}

std::shared_ptr<const FftSpectrum> FftSpectra::Get(const std::vector<double>& weights, int width, int height,
                                                   const FftShape& shape, cudaStream_t stream) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.width == width && entry.height == height && entry.weights == weights;
  });
  if (found != entries_.end()) {
    std::rotate(found, found + 1, entries_.end());
    return entries_.back().spectrum;
  }
  const auto spectrum = std::make_shared<const FftSpectrum>(weights, width, height, shape, stream);
  entries_.push_back({weights, width, height, spectrum});
  size_t bytes = 0;
  for (const Entry& entry : entries_) bytes += entry.spectrum->bytes();
  while (entries_.size() > 1 && bytes > kCacheBytes) {
    bytes -= entries_.front().spectrum->bytes();
    entries_.erase(entries_.begin());
  }
  return spectrum;
}

}  // namespace convolve::cuda
