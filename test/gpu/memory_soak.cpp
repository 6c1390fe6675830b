// What thousands of plans leave behind: random plans of test/fuzz on the cuda backend, in one process, without the
// reference. Prints what the process holds of the device's memory and of the host's after each tenth.
//   memory_soak [cases] [seed]
// Ends with 1 where the pool's memory in use does not come back to what it was, or where the device's memory in use at
// the end is more than after the fifth tenth.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "build.h"
#include "engine/backend.h"
#include "engine/error.h"
#include "generate.h"

namespace convolve::fuzz {
namespace {

/// What lies within this is the driver's own housekeeping.
constexpr double kNoise = 64;  // MiB

struct Held {
  double device = 0;  // MiB, of all processes
  double pool = 0;    // MiB that the backend has in use
  double host = 0;    // MiB resident
};

Held HeldNow(const Backend& backend) {
  Held held;
  size_t free_bytes = 0;
  size_t total_bytes = 0;
  if (cudaMemGetInfo(&free_bytes, &total_bytes) == cudaSuccess) {
    held.device = static_cast<double>(total_bytes - free_bytes) / 1048576;
  }
  held.pool = static_cast<double>(backend.info().memory_bytes) / 1048576;
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word == "VmRSS:") {
      double kib = 0;
      status >> kib;
      held.host = kib / 1024;
    }
  }
  return held;
}

/// Runs a case; what it says of it does not matter here.
void RunCase(Backend& backend, const CaseSpec& spec) {
  const std::optional<BuiltCase> built = Build(spec);
  if (!built) return;
  const Region& region = built->request.region;
  const ptrdiff_t stride = ptrdiff_t{region.width} * spec.channels;
  std::vector<double> pixels(static_cast<size_t>(stride) * static_cast<size_t>(region.height));
  const auto view = [&](auto sample) -> AnyView {
    using T = decltype(sample);
    return View<T>{reinterpret_cast<T*>(pixels.data()), region.width, region.height, spec.channels, stride};
  };
  AnyView to = view(double{});
  if (spec.destination == SampleType::kU8) to = view(uint8_t{});
  if (spec.destination == SampleType::kU16) to = view(uint16_t{});
  if (spec.destination == SampleType::kF32) to = view(float{});
  backend.Run(built->plan, built->image, built->request, to, CancelToken());
}

int Main(uint64_t cases, uint64_t seed) {
  const std::unique_ptr<Backend> backend = MakeCudaBackend();
  if (!backend->info().available) {
    std::fprintf(stderr, "%s\n", backend->info().description.c_str());
    return 1;
  }
  std::vector<Held> held;
  std::printf("%8s %12s %12s %12s\n", "cases", "device MiB", "in use MiB", "host MiB");
  for (uint64_t i = 0; i <= cases; ++i) {
    if (i % (cases / 10) == 0) {
      held.push_back(HeldNow(*backend));
      std::printf("%8llu %12.0f %12.1f %12.0f\n", static_cast<unsigned long long>(i), held.back().device,
                  held.back().pool, held.back().host);
      std::fflush(stdout);
    }
    if (i < cases) RunCase(*backend, RandomCase(seed + i));
  }
  const bool grew = held.back().device > held[5].device + kNoise || held.back().pool > held[1].pool + kNoise ||
                    held.back().host > held[5].host + kNoise;
  std::printf("%s\n", grew ? "memory grew" : "no growth");
  return grew ? 1 : 0;
}

}  // namespace
}  // namespace convolve::fuzz

int main(int count, char** words) {
  const uint64_t cases = count > 1 ? std::strtoull(words[1], nullptr, 10) : 10000;
  const uint64_t seed = count > 2 ? std::strtoull(words[2], nullptr, 10) : 1;
  return convolve::fuzz::Main(std::max<uint64_t>(cases / 10 * 10, 10), seed);
}
