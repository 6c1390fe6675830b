// The convolution theorem with NVIDIA's library: every channel of the whole picture, and the kernel, padded to a size
// that the transform likes; forward transforms of all of them in one batch; each spectrum times the conjugate of the
// kernel's, because this is a correlation; back; and the sums from where they lie. The work hardly grows with the
// kernel, but six trips through memory and the padding cost more than small kernels do. Built where CONVOLVE_CUFFT is
// set, because the library is large and the program must not need it. NVIDIA, cuFFT documentation; E. O. Brigham, "The
// Fast Fourier Transform and Its Applications", 1988.
#include <cufft.h>

#include <list>

#include "cuda/variants/pixels.cuh"
#include "cuda/variants/turn.h"
#include "engine/error.h"

namespace convolve::cuda {
namespace {

struct PaddedSize {
  int width;
  int height;
  __host__ __device__ size_t Floats() const { return static_cast<size_t>(width) * height; }
  __host__ __device__ size_t Numbers() const { return static_cast<size_t>(width / 2 + 1) * height; }  // of a spectrum
};

/// Pixels of the wanted part and the kernel's reach around it, one plane for each channel, zero beyond.
template <int C>
__global__ void PackKernel(SourceParameters source, TargetParameters target, DeviceKernel kernel, PaddedSize size,
                           float* planes) {
  const int u = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (u >= size.width) return;
  const int width = target.x1 - target.x0 + kernel.width - 1;
  const int height = target.y1 - target.y0 + kernel.height - 1;
  for (int v = static_cast<int>(blockIdx.y); v < size.height; v += static_cast<int>(gridDim.y)) {
    VariantPixel<C> pixel = {};
    if (u < width && v < height) {
      pixel = PixelAt<C>(source, target.x0 + u - kernel.anchor_x, target.y0 + v - kernel.anchor_y);
    }
    for (int c = 0; c < C; ++c) planes[c * size.Floats() + static_cast<size_t>(v) * size.width + u] = pixel.v[c];
  }
}

__global__ void PackWeightsKernel(DeviceKernel kernel, PaddedSize size, float* plane) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int j = static_cast<int>(blockIdx.y);
  if (i < kernel.width) plane[static_cast<size_t>(j) * size.width + i] = kernel.weights[j * kernel.width + i];
}

/// Each of C spectra times the conjugate of the one after them, over the transform's scale.
__global__ void MultiplyKernel(cufftComplex* spectra, int channels, size_t numbers, float scale) {
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (i >= numbers) return;
  const cufftComplex kernel = spectra[channels * numbers + i];
  for (int c = 0; c < channels; ++c) {
    const cufftComplex value = spectra[c * numbers + i];
    spectra[c * numbers + i] = {(value.x * kernel.x + value.y * kernel.y) * scale,
                                (value.y * kernel.x - value.x * kernel.y) * scale};
  }
}

template <int C>
__global__ void UnpackKernel(const float* planes, PaddedSize size, OutputParameters output) {
  const int x = output.target.x0 + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (x >= output.target.x1) return;
  for (int y = output.target.y0 + static_cast<int>(blockIdx.y); y < output.target.y1;
       y += static_cast<int>(gridDim.y)) {
    VariantPixel<C> sums;
    const size_t at =
        static_cast<size_t>(y - output.target.y0) * size.width + static_cast<size_t>(x - output.target.x0);
    for (int c = 0; c < C; ++c) sums.v[c] = planes[c * size.Floats() + at];
    StoreSums(output, x, y, sums);
  }
}

void CheckFft(cufftResult result, const char* what) {
  if (result == CUFFT_SUCCESS) return;
  const bool memory = result == CUFFT_ALLOC_FAILED;
  throw Error(memory ? ErrorCode::kOutOfMemory : ErrorCode::kDeviceFailed, std::string("cufft: ") + what, "",
              "result " + std::to_string(static_cast<int>(result)));
}

/// The next even length that is a product of 2, 3, 5 and 7.
int GoodLength(int least) {
  for (int length = least + least % 2;; length += 2) {
    int rest = length;
    for (const int factor : {2, 3, 5, 7}) {
      while (rest % factor == 0) rest /= factor;
    }
    if (rest == 1) return length;
  }
}

/// The transforms of one size and batch on one device. Making them takes milliseconds; the last few are kept.
struct Plans {
  int device;
  PaddedSize size;
  int batch;
  cufftHandle forward;
  cufftHandle back;
};

const Plans& PlansFor(int device, PaddedSize size, int batch) {
  static std::list<Plans> kept;  // the newest first; the caller has the turn
  constexpr size_t kMost = 4;
  for (auto at = kept.begin(); at != kept.end(); ++at) {
    if (at->device == device && at->size.width == size.width && at->size.height == size.height && at->batch == batch) {
      kept.splice(kept.begin(), kept, at);
      return kept.front();
    }
  }
  if (kept.size() == kMost) {
    cufftDestroy(kept.back().forward);
    cufftDestroy(kept.back().back);
    kept.pop_back();
  }
  Plans plans{device, size, batch, 0, 0};
  int lengths[2] = {size.height, size.width};
  int half[2] = {size.height, size.width / 2 + 1};
  const int floats = static_cast<int>(size.Floats());
  const int numbers = static_cast<int>(size.Numbers());
  CheckFft(cufftPlanMany(&plans.forward, 2, lengths, lengths, 1, floats, half, 1, numbers, CUFFT_R2C, batch), "plan");
  CheckFft(cufftPlanMany(&plans.back, 2, lengths, half, 1, numbers, lengths, 1, floats, CUFFT_C2R, batch - 1), "plan");
  kept.push_front(plans);
  return kept.front();
}

void Launch(const VariantJob& job, int channels) {
  static Turn turn;
  const DeviceKernel& kernel = job.kernel;
  const PaddedSize size{GoodLength(job.width() + kernel.width - 1), GoodLength(job.height() + kernel.height - 1)};
  constexpr double kMostFloats = 2147483647.0;
  if (static_cast<double>(size.width) * size.height * (channels + 1) > kMostFloats) {
    throw Error(ErrorCode::kOutOfMemory, "cufft: planes");  // the caller tries smaller parts
  }
  const int batch = channels + 1;
  const DeviceMemory planes =
      job.device->Allocate(size.Floats() * static_cast<size_t>(batch) * sizeof(float), job.stream);
  const DeviceMemory spectra =
      job.device->Allocate(size.Numbers() * static_cast<size_t>(batch) * sizeof(cufftComplex), job.stream);
  auto* const floats = static_cast<float*>(planes.get());
  auto* const numbers = static_cast<cufftComplex*>(spectra.get());
  float* const weights = floats + size.Floats() * static_cast<size_t>(channels);
  constexpr int kThreads = 256;
  constexpr int kMostRows = 65535;
  const auto rows = [](int height) { return static_cast<unsigned>(height < kMostRows ? height : kMostRows); };
  job.between();
  turn.Take(job.device->traits().index, job.stream, [&] {
    const Plans& plans = PlansFor(job.device->traits().index, size, batch);
    CheckFft(cufftSetStream(plans.forward, job.stream), "stream");
    CheckFft(cufftSetStream(plans.back, job.stream), "stream");
    Check(cudaMemsetAsync(weights, 0, size.Floats() * sizeof(float), job.stream), "weights");
    const dim3 weight_blocks(Blocks(kernel.width, kThreads), static_cast<unsigned>(kernel.height));
    PackWeightsKernel<<<weight_blocks, kThreads, 0, job.stream>>>(kernel, size, weights);
    WithChannels(channels, [&](auto c) {
      const dim3 blocks(Blocks(size.width, kThreads), rows(size.height));
      PackKernel<decltype(c)::value>
          <<<blocks, kThreads, 0, job.stream>>>(job.source, job.output.target, kernel, size, floats);
    });
    CheckFft(cufftExecR2C(plans.forward, floats, numbers), "forward");
    const float scale = 1.0f / static_cast<float>(static_cast<double>(size.width) * size.height);
    const auto blocks = static_cast<unsigned>((size.Numbers() + kThreads - 1) / kThreads);
    MultiplyKernel<<<blocks, kThreads, 0, job.stream>>>(numbers, channels, size.Numbers(), scale);
    CheckFft(cufftExecC2R(plans.back, numbers, floats), "back");
    WithChannels(channels, [&](auto c) {
      const dim3 result_blocks(Blocks(job.width(), kThreads), rows(job.height()));
      UnpackKernel<decltype(c)::value><<<result_blocks, kThreads, 0, job.stream>>>(floats, size, job.output);
    });
    Check(cudaGetLastError(), "cufft");
  });
}

}  // namespace

Variant CuFft() {
  return {VariantName::kCufft,
          "cufft",
          "transforms of the whole picture by NVIDIA's library",
          "NVIDIA, cuFFT documentation; E. O. Brigham, The Fast Fourier Transform and Its Applications, 1988",
          2e-5,
          false,
          PlainWeights,
          Launch};
}

}  // namespace convolve::cuda
