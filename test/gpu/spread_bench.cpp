// One device and all of them, by the host's clock: a large picture with much work, cut into bands; and a batch of
// pictures, each with its device. Results are compared with those of one device. Writes JSON and prints a table.
//   spread_bench OUT.json
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "bench_pictures.h"
#include "cuda/backend.h"
#include "engine/backend.h"

namespace convolve::bench {
namespace {

constexpr int kWidth = 6000;
constexpr int kHeight = 4000;
constexpr int kPictures = 8;
constexpr int kThreads = 4;

using Samples = std::vector<uint8_t>;

std::shared_ptr<const Image> Photo(uint32_t seed) {
  auto image = std::make_shared<Image>(kWidth, kHeight, 4, false, SampleType::kU8);
  auto* words = reinterpret_cast<uint32_t*>(image->data());
  std::mt19937 random(seed);
  for (size_t i = 0; i < image->bytes() / 4; ++i) words[i] = static_cast<uint32_t>(random());
  return image;
}

double Milliseconds(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

double MedianOf(int count, const std::function<void()>& work) {
  std::vector<double> times;
  for (int i = 0; i < count; ++i) times.push_back(Milliseconds(work));
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

void Whole(Backend& backend, const Plan& plan, const std::shared_ptr<const Image>& image, Samples* samples) {
  const View<uint8_t> view{samples->data(), kWidth, kHeight, 4, ptrdiff_t{kWidth} * 4};
  backend.Run(plan, image, {{0, 0, kWidth, kHeight}, 0}, view, CancelToken());
}

/// All pictures, by a few threads as a program with many exports has.
void Batch(Backend& backend, const Plan& plan, const std::vector<std::shared_ptr<const Image>>& photos,
           std::vector<Samples>* results) {
  std::atomic<size_t> next{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (size_t i = next++; i < photos.size(); i = next++) Whole(backend, plan, photos[i], &(*results)[i]);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

Plan HeavyPlan() {
  Pass pass;
  pass.work = NoiseKernel(63);
  return {{pass}};
}

Plan LightPlan() {
  Pass blur;
  blur.work = GaussianPair(9);
  Pass sharpen;
  sharpen.work = DenseWeights{3, 3, 1, 1, {0, -1, 0, -1, 5, -1, 0, -1, 0}, 1};
  Pass emboss;
  emboss.work = NoiseKernel(5);
  return {{blur, sharpen, emboss}};
}

int Run(const char* path) {
  std::string why;
  const std::vector<cuda::DeviceTraits> devices = cuda::ProbeDevices(&why);
  if (devices.empty()) {
    std::fprintf(stderr, "%s\n", why.c_str());
    return 1;
  }
  std::vector<std::shared_ptr<const Image>> photos;
  for (uint32_t i = 0; i < kPictures; ++i) photos.push_back(Photo(i));
  const Samples blank(size_t{kWidth} * kHeight * 4);
  std::vector<Samples> expected_batch(kPictures, blank);
  Samples expected = blank;
  std::string json = "{\n  " + MachineJson() + ", \"devices\": " + std::to_string(devices.size()) +
                     ",\n  \"width\": 6000, \"height\": 4000, \"kind\": \"u8x4\",\n  \"rows\": [";
  bool right = true;
  for (size_t count = 1; count <= devices.size(); count *= 2) {
    const auto backend = cuda::MakeBackendOn({devices.begin(), devices.begin() + static_cast<ptrdiff_t>(count)}, {});
    std::vector<Samples> results(kPictures, blank);
    Samples result = blank;
    // Twice without the clock: devices start, pictures travel, staging memory is made.
    for (int i = 0; i < 2; ++i) Batch(*backend, LightPlan(), photos, &results);
    const auto resident = photos.front();
    for (int i = 0; i < 2; ++i) Whole(*backend, HeavyPlan(), resident, &result);
    const double heavy = MedianOf(7, [&] { Whole(*backend, HeavyPlan(), resident, &result); });
    const double light = MedianOf(7, [&] { Whole(*backend, LightPlan(), resident, &result); });
    Whole(*backend, HeavyPlan(), resident, &result);
    // Pictures that no device has seen: each is uploaded, filtered and fetched.
    std::vector<double> times;
    for (int i = 0; i < 5; ++i) {
      std::vector<std::shared_ptr<const Image>> fresh;
      for (const auto& photo : photos) {
        auto copy = std::make_shared<Image>(kWidth, kHeight, 4, false, SampleType::kU8);
        std::copy_n(photo->data(), photo->bytes(), copy->data());
        fresh.push_back(std::move(copy));
      }
      times.push_back(Milliseconds([&] { Batch(*backend, LightPlan(), fresh, &results); }));
    }
    std::sort(times.begin(), times.end());
    const double batch = times[times.size() / 2];
    if (count == 1) {
      expected = result;
      expected_batch = results;
    }
    const bool ok = result == expected && results == expected_batch;
    right = right && ok;
    char line[300];
    std::snprintf(line, sizeof line,
                  "%s\n    {\"devices\": %zu, \"dense63Ms\": %.3f, \"stackOfThreeMs\": %.3f, \"batchOfEightMs\": %.3f, "
                  "\"sameBytes\": %s}",
                  count == 1 ? "" : ",", count, heavy, light, batch, ok ? "true" : "false");
    json += line;
    std::printf(
        "%zu devices: dense 63 on a resident photo %.2f ms, stack of three on it %.2f ms, batch of %d %.2f ms, %s\n",
        count, heavy, light, kPictures, batch, ok ? "same bytes" : "OTHER BYTES");
    std::fflush(stdout);
  }
  WriteFile(path, json + "\n  ]\n}\n");
  return right ? 0 : 1;
}

}  // namespace
}  // namespace convolve::bench

int main(int argc, char** argv) { return argc == 2 ? convolve::bench::Run(argv[1]) : 2; }
