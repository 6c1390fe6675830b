// Threads, cancelling and scratch memory of the cpu backend.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "cpu/cpu_backend.h"
#include "cpu/thread_pool.h"
#include "cpu_cases.h"
#include "engine/backend.h"
#include "pictures.h"

namespace convolve::test {
namespace {

constexpr int kSide = 1024;
/// No sum of the noise is below 0.
constexpr float kUnwritten = -1;
/// Of the smallest tile that the cpu backend cuts such a picture into for two threads.
constexpr size_t kTileSamples = size_t{kSide} * kSide * 4 / 12;

/// A request that takes minutes: 511 x 511 cells on a large picture.
Case Endless() {
  Case tried;
  tried.image = NoisePicture<float>(kSide, kSide, 4, 1);
  tried.type = SampleType::kF32;
  tried.request.region = {0, 0, kSide, kSide};
  tried.plan.passes = {PassOf(Box(511, 511))};
  return tried;
}

std::span<float> SamplesOf(Image& image) {
  return {reinterpret_cast<float*>(image.data()), image.bytes() / sizeof(float)};
}

void FillWith(Image& image, float value) { std::ranges::fill(SamplesOf(image), value); }

size_t Written(Image& image) {
  return static_cast<size_t>(std::ranges::count_if(SamplesOf(image), [](float value) { return value != kUnwritten; }));
}

TEST_CASE("a pool calls every task once and throws the first exception after all calls have ended") {
  cpu::ThreadPool pool(4);
  for (int repeat = 0; repeat < 50; ++repeat) {
    std::vector<std::atomic<int>> calls(100);
    pool.Run(calls.size(), [&](size_t task, int worker) {
      CHECK(worker < pool.Workers(calls.size()));
      ++calls[task];
    });
    for (const auto& count : calls) CHECK(count == 1);
  }
  std::atomic<int> running{0};
  try {
    pool.Run(100, [&](size_t task, int /*worker*/) {
      ++running;
      if (task == 10) {
        --running;
        throw std::runtime_error("task 10");
      }
      --running;
    });
    FAIL_CHECK("nothing was thrown");
  } catch (const std::runtime_error& error) {
    CHECK(running == 0);
    CHECK(std::string(error.what()) == "task 10");
  }
}

TEST_CASE("a pool serves several callers at once") {
  cpu::ThreadPool pool(3);
  std::atomic<int> calls{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&] {
      for (int repeat = 0; repeat < 50; ++repeat) pool.Run(7, [&](size_t, int) { ++calls; });
    });
  }
  for (std::thread& caller : callers) caller.join();
  CHECK(calls == 4 * 50 * 7);
}

TEST_CASE("a cancelled run of the largest kernel ends within its first tiles, and the backend works afterwards") {
  const Case tried = Endless();
  Image result(kSide, kSide, 4, false, SampleType::kF32);
  for (const cpu::Target& target : cpu::AvailableTargets()) {
    INFO(target.name);
    cpu::CpuBackend backend(2, target);
    FillWith(result, kUnwritten);
    CancelToken cancel;
    std::optional<ErrorCode> code;
    std::thread run([&] {
      try {
        backend.Run(tried.plan, tried.image, tried.request, result.view(), cancel);
      } catch (const Error& error) {
        code = error.code();
      }
    });
    while (backend.scratch().allocations == 0) std::this_thread::yield();  // the run has begun
    cancel.Cancel();
    run.join();
    // A tile takes seconds, a group of its rows a fraction of one: none is finished, however late the token is seen.
    CHECK(Written(result) < kTileSamples);
    REQUIRE(code.has_value());
    CHECK(*code == ErrorCode::kCancelled);

    const auto small = Picture<uint8_t>(3, 1, {0, 3, 6});
    CHECK(Result<uint8_t>(backend, {{PassOf(Box(3, 1))}}, small) == std::vector<uint8_t>{1, 3, 5});
  }
}

TEST_CASE("a token cancelled beforehand stops a run and a measurement") {
  cpu::CpuBackend backend(2, cpu::TargetNamed(""));
  const Case tried = RandomCase(1);
  CancelToken cancel;
  cancel.Cancel();
  Image result(tried.request.region.width, tried.request.region.height, tried.image->channels(), tried.image->alpha(),
               tried.type);
  const auto cancelled = [](const auto& work) {
    try {
      work();
    } catch (const Error& error) {
      return error.code() == ErrorCode::kCancelled;
    }
    return false;
  };
  CHECK(cancelled([&] { backend.Run(tried.plan, tried.image, tried.request, result.view(), cancel); }));
  CHECK(cancelled([&] { backend.Measure(tried.plan, tried.image, cancel); }));
}

TEST_CASE("many threads may run, measure and upload on one backend at once") {
  cpu::CpuBackend backend(2, cpu::TargetNamed(""));
  constexpr int kThreads = 6;
  constexpr uint32_t kCases = 40;
  std::vector<Case> cases;
  std::vector<std::unique_ptr<Image>> expected;
  for (uint32_t seed = 0; seed < kCases; ++seed) {
    cases.push_back(RandomCase(30000 + seed, {120, 90, 3}));
    expected.push_back(ResultOf(backend, cases.back()));
  }
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (uint32_t i = 0; i < kCases; ++i) {
        const size_t at = (i + static_cast<uint32_t>(t) * 7) % kCases;
        if (t % 2 == 0) backend.Upload(cases[at].image);
        if (t % 3 == 0) backend.Measure(cases[at].plan, cases[at].image, CancelToken());
        const auto got = ResultOf(backend, cases[at]);
        if (std::memcmp(got->data(), expected[at]->data(), got->bytes()) != 0) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
}

TEST_CASE("a second run of the same plan allocates no scratch memory, and the peak stays small") {
  cpu::CpuBackend backend(2, cpu::TargetNamed(""));
  Case tried;
  tried.image = NoisePicture<uint8_t>(2000, 600, 4, 2, Alpha::kLast);
  tried.request.region = {0, 0, 2000, 600};
  const SeparableWeights wide{101, 101, 50, 50, {{std::vector<double>(101, 0.1), std::vector<double>(101, 0.1)}}, 102};
  tried.plan.passes = {PassOf(wide), PassOf(Sharpen()), PassOf(Box(9, 9))};
  ResultOf(backend, tried);
  const uint64_t allocations = backend.scratch().allocations;
  CHECK(allocations > 0);
  for (int repeat = 0; repeat < 3; ++repeat) ResultOf(backend, tried);
  CHECK(backend.scratch().allocations == allocations);
  CHECK(backend.scratch().peak_bytes <= 64u << 20);
}

TEST_CASE("a stack of the largest kernels stays within 64 MiB of scratch memory") {
  cpu::CpuBackend backend(2, cpu::TargetNamed(""));
  const auto image = NoisePicture<uint8_t>(1200, 900, 4, 2, Alpha::kLast);
  const std::vector<double> ones(511, 1.0);
  const Pass pass = PassOf(SeparableWeights{511, 511, 255, 255, {{ones, ones}}, 511.0 * 511.0});
  Part<uint8_t>(backend, {{pass, pass, pass}}, image, {100, 100, 200, 150});
  CHECK(backend.scratch().peak_bytes <= 64u << 20);
}

}  // namespace
}  // namespace convolve::test
