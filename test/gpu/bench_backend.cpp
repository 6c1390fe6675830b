// The backend as the editor uses it, by the host's clock: the first filter after start, uploads, and a stack of three
// filters on a 24-megapixel RGBA photo to a screen of 1920 x 1080 pixels in host memory.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "bench_pictures.h"
#include "engine/backend.h"

namespace convolve::bench {
namespace {

using Clock = std::chrono::steady_clock;

double Milliseconds(const std::function<void()>& work) {
  const auto begin = Clock::now();
  work();
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

double MedianOf(int count, const std::function<void()>& work) {
  std::vector<double> times;
  for (int i = 0; i < count; ++i) times.push_back(Milliseconds(work));
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

/// Noise, opaque.
std::shared_ptr<const Image> Photo(int width, int height) {
  auto image = std::make_shared<Image>(width, height, 4, true, SampleType::kU8);
  auto* words = reinterpret_cast<uint32_t*>(image->data());
  std::mt19937 random(1);
  for (size_t i = 0; i < image->bytes() / 4; ++i) words[i] = static_cast<uint32_t>(random()) | 0xff000000U;
  return image;
}

Plan StackOfThree() {
  Plan plan;
  Pass blur;
  blur.work = GaussianPair(9);
  Pass sharpen;
  sharpen.work = DenseWeights{3, 3, 1, 1, {0, -1, 0, -1, 5, -1, 0, -1, 0}, 1};
  Pass emboss;
  emboss.work = DenseWeights{5, 5, 2, 2, NoiseKernel(5).weights, NoiseKernel(5).divisor};
  plan.passes = {blur, sharpen, emboss};
  return plan;
}

/// What the way to the device carries: a copy from pinned memory, in GB/s.
double PinnedGigabytesPerSecond() {
  constexpr size_t kBytes = size_t{96} << 20;
  void* host = nullptr;
  void* device = nullptr;
  Must(cudaMallocHost(&host, kBytes), "memory");
  Must(cudaMalloc(&device, kBytes), "memory");
  const double ms = MedianOf(9, [&] {
    Must(cudaMemcpyAsync(device, host, kBytes, cudaMemcpyHostToDevice, nullptr), "copy");
    Must(cudaStreamSynchronize(nullptr), "copy");
  });
  cudaFree(device);
  cudaFreeHost(host);
  return static_cast<double>(kBytes) / ms / 1e6;
}

}  // namespace

std::string BackendJson() {
  const auto small = Photo(512, 512);
  std::vector<uint8_t> pixels(size_t{1920} * 1080 * 4);
  std::unique_ptr<Backend> backend;
  Plan one;
  one.passes = {StackOfThree().passes[1]};
  const auto run = [&](const Plan& plan, const std::shared_ptr<const Image>& image, Region region, int level) {
    const View<uint8_t> view{pixels.data(), region.width, region.height, 4, ptrdiff_t{region.width} * 4};
    backend->Run(plan, image, {region, level}, view, CancelToken());
  };
  // What CUDA itself needs to start on this machine, before any code of the backend runs.
  const double start = Milliseconds([] { Must(cudaFree(nullptr), "start"); });
  const double first = Milliseconds([&] {
    backend = MakeCudaBackend();
    run(one, small, {0, 0, 512, 512}, 0);
  });
  if (!backend->info().available) return "";

  // The first two uploads make the staging memory and touch the images' pages.
  std::vector<std::shared_ptr<const Image>> photos;
  for (int i = 0; i < 5; ++i) photos.push_back(Photo(6000, 4000));
  std::vector<double> uploads;
  for (const auto& photo : photos) uploads.push_back(Milliseconds([&] { backend->Upload(photo); }));
  std::sort(uploads.begin() + 2, uploads.end());
  const double upload = uploads[3];
  const double bytes = static_cast<double>(photos[0]->bytes());

  const Plan stack = StackOfThree();
  const auto full = [&] { run(stack, photos[0], {2000, 1400, 1920, 1080}, 0); };
  const auto fit = [&] { run(stack, photos[0], {0, 0, 1500, 1000}, 2); };
  full();
  fit();
  const double full_ms = MedianOf(21, full);
  const double fit_ms = MedianOf(21, fit);
  const double pinned = PinnedGigabytesPerSecond();
  std::printf(
      "CUDA starts in %.1f ms, first filter %.1f ms more; upload %.2f ms, %.1f GB/s (from pinned memory %.1f); "
      "stack of three to 1920 x 1080: 100 %% %.2f ms, Fit %.2f ms\n",
      start, first, upload, bytes / upload / 1e6, pinned, full_ms, fit_ms);
  char json[500];
  std::snprintf(json, sizeof json,
                "\"backend\": {\"cudaStartMs\": %.2f, \"firstFilterMs\": %.2f, \"upload24MegapixelsMs\": %.3f, "
                "\"uploadGigabytesPerSecond\": %.2f, \"pinnedGigabytesPerSecond\": %.2f, "
                "\"stackOfThreeFullMs\": %.3f, \"stackOfThreeFitMs\": %.3f}",
                start, start + first, upload, bytes / upload / 1e6, pinned, full_ms, fit_ms);
  return json;
}

}  // namespace convolve::bench
