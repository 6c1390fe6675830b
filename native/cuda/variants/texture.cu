// naive2d through a texture object: pixels are fetched by the texture units, which have caches laid out for
// neighbourhoods in both directions and resolve a border by themselves: clamping is replicate, a border of zeros is
// zero. Other borders, and pictures of which only a part is in memory, are resolved before the fetch. NVIDIA, CUDA C++
// Programming Guide, chapter "Texture and Surface Memory"; V. Podlozhnyuk, "Image Convolution with CUDA", 2007, which
// compares textures with shared memory.
#include <cstdint>
#include <deque>
#include <mutex>

#include "cuda/variants/pixels.cuh"
#include "engine/error.h"

namespace convolve::cuda {
namespace {

/// How a position outside is resolved: by the texture unit or before it is asked.
enum class Addressing { kHardware, kSoftware };

/// The pixel at column x, row y of the texture: a texel where there are four channels, else C texels beside each other.
template <int C>
__device__ __forceinline__ VariantPixel<C> Fetch(cudaTextureObject_t texture, int x, int y) {
  VariantPixel<C> pixel;
  if constexpr (C == 4) {
    const auto all = tex2D<float4>(texture, static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
    pixel.v[0] = all.x;
    pixel.v[1] = all.y;
    pixel.v[2] = all.z;
    pixel.v[3] = all.w;
  } else {
#pragma unroll
    for (int c = 0; c < C; ++c) {
      pixel.v[c] = tex2D<float>(texture, static_cast<float>(x * C + c) + 0.5f, static_cast<float>(y) + 0.5f);
    }
  }
  return pixel;
}

template <int C, Addressing kAddressing>
__global__ void TextureKernel(cudaTextureObject_t texture, SourceParameters source, OutputParameters output,
                              DeviceKernel kernel) {
  const int x = output.target.x0 + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = output.target.y0 + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= output.target.x1 || y >= output.target.y1) return;
  VariantPixel<C> sum = {};
  for (int j = 0; j < kernel.height; ++j) {
    for (int i = 0; i < kernel.width; ++i) {
      int from_x = x + i - kernel.anchor_x;
      int from_y = y + j - kernel.anchor_y;
      VariantPixel<C> pixel;
      if (kAddressing == Addressing::kSoftware && source.bordered) {
        from_x = MapPosition(source.border, from_x, source.width);
        from_y = MapPosition(source.border, from_y, source.height);
      }
      if (kAddressing == Addressing::kSoftware && source.bordered && (from_x < 0 || from_y < 0)) {
#pragma unroll
        for (int c = 0; c < C; ++c) pixel.v[c] = source.outside[c];
      } else {
        pixel = Fetch<C>(texture, from_x - source.left, from_y - source.top);
      }
      if constexpr (C == 2 || C == 4) {
        if (source.premultiply) Premultiply<C>(pixel.v, source.alpha_scale);
      }
      Add(kernel.weights[j * kernel.width + i], pixel, &sum);
    }
  }
  StoreSums(output, x, y, sum);
}

/// Textures that launches under way still read; each goes once its launch has ended.
class Textures {
 public:
  void Keep(cudaTextureObject_t texture, cudaStream_t stream) {
    const std::lock_guard lock(mutex_);
    while (!used_.empty() && cudaEventQuery(used_.front().ended) != cudaErrorNotReady) {
      cudaDestroyTextureObject(used_.front().texture);
      cudaEventDestroy(used_.front().ended);
      used_.pop_front();
    }
    cudaGetLastError();
    cudaEvent_t ended = nullptr;
    Check(cudaEventCreateWithFlags(&ended, cudaEventDisableTiming), "event");
    used_.push_back({texture, ended});
    Check(cudaEventRecord(ended, stream), "event");
  }

 private:
  struct Used {
    cudaTextureObject_t texture;
    cudaEvent_t ended;
  };
  std::mutex mutex_;
  std::deque<Used> used_;
};

cudaTextureObject_t MakeTexture(const SourceParameters& source, int channels, bool clamp) {
  const bool whole_pixels = channels == 4;
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = const_cast<void*>(source.data);
  resource.res.pitch2D.desc = whole_pixels ? cudaCreateChannelDesc<float4>() : cudaCreateChannelDesc<float>();
  resource.res.pitch2D.width = static_cast<size_t>(source.columns) * static_cast<size_t>(whole_pixels ? 1 : channels);
  resource.res.pitch2D.height = static_cast<size_t>(source.rows);
  resource.res.pitch2D.pitchInBytes = static_cast<size_t>(source.pitch);
  cudaTextureDesc how = {};
  how.addressMode[0] = how.addressMode[1] = clamp ? cudaAddressModeClamp : cudaAddressModeBorder;
  how.filterMode = cudaFilterModePoint;
  how.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture = 0;
  const cudaError_t result = cudaCreateTextureObject(&texture, &resource, &how, nullptr);
  if (result == cudaErrorInvalidValue) {
    cudaGetLastError();
    throw Error(ErrorCode::kUnsupported, "variant texture", "a picture that a texture can hold",
                std::to_string(source.columns) + " x " + std::to_string(source.rows));
  }
  Check(result, "texture");
  return texture;
}

void Launch(const VariantJob& job, int channels) {
  static Textures textures;
  const SourceParameters& source = job.source;
  const bool whole =
      source.left == 0 && source.top == 0 && source.columns == source.width && source.rows == source.height;
  const bool replicate = source.border == BorderKind::kReplicate;
  // With fewer texels than pixels clamping would repeat a channel, not a pixel.
  const bool hardware = whole && (channels == 1 || channels == 4) && (replicate || source.border == BorderKind::kZero);
  const cudaTextureObject_t texture = MakeTexture(source, channels, replicate);
  ForBands(job, 16, [&](const VariantJob& band) {
    const dim3 block(16, 16);
    const dim3 blocks(Blocks(band.width(), 16), Blocks(band.height(), 16));
    WithChannels(channels, [&](auto c) {
      constexpr int kChannels = decltype(c)::value;
      if (hardware) {
        TextureKernel<kChannels, Addressing::kHardware>
            <<<blocks, block, 0, band.stream>>>(texture, band.source, band.output, band.kernel);
      } else {
        TextureKernel<kChannels, Addressing::kSoftware>
            <<<blocks, block, 0, band.stream>>>(texture, band.source, band.output, band.kernel);
      }
    });
  });
  textures.Keep(texture, job.stream);
}

}  // namespace

Variant TextureReads() {
  return {VariantName::kTexture,
          "texture",
          "naive2d through a texture object, whose unit resolves zero and replicate by itself",
          "NVIDIA, CUDA C++ Programming Guide, Texture and Surface Memory; V. Podlozhnyuk, Image Convolution with "
          "CUDA, 2007",
          1e-5,
          true,
          PlainWeights,
          Launch};
}

}  // namespace convolve::cuda
