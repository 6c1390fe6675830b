// A device that is really lost: a kernel ends the process's context while the backend holds pictures on it. Every run
// after that must either give the right bytes or fail with a device's error, at once, without ending the process. CUDA
// says that such a context cannot be cured within the process; whether this driver can is printed.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "engine/backend.h"

namespace convolve {
namespace {

__global__ void TrapKernel() { __trap(); }

Plan Blur() {
  Pass pass;
  pass.work = DenseWeights{3, 3, 1, 1, {1, 2, 1, 2, 4, 2, 1, 2, 1}, 16};
  return {{pass}};
}

/// Whether the run gave the expected bytes, or failed as a device; ends the program where it did anything else.
bool RunsRight(Backend& backend, const std::shared_ptr<const Image>& image, const std::vector<uint8_t>& expected) {
  std::vector<uint8_t> samples(expected.size());
  const View<uint8_t> view{samples.data(), image->width(), image->height(), 1, image->width()};
  try {
    backend.Run(Blur(), image, {{0, 0, image->width(), image->height()}, 0}, view, CancelToken());
  } catch (const Error& error) {
    std::printf("%s\n", error.what());
    if (error.code() == ErrorCode::kDeviceFailed || error.code() == ErrorCode::kBackendUnavailable) return false;
    std::exit(1);
  }
  if (samples == expected) return true;
  std::printf("other bytes than before\n");
  std::exit(1);
}

int Main() {
  const auto image = std::make_shared<Image>(300, 200, 1, false, SampleType::kU8);
  for (size_t i = 0; i < image->bytes(); ++i) image->data()[i] = static_cast<std::byte>(i * 7919);
  std::vector<uint8_t> expected(image->bytes());
  const View<uint8_t> view{expected.data(), 300, 200, 1, 300};
  MakeReferenceBackend()->Run(Blur(), image, {{0, 0, 300, 200}, 0}, view, CancelToken());
  const auto cuda = MakeCudaBackend();
  if (!cuda->info().available || !RunsRight(*cuda, image, expected)) return 1;
  TrapKernel<<<1, 1>>>();
  cudaDeviceSynchronize();
  if (RunsRight(*cuda, image, expected)) {
    std::printf("the run after the loss was no failure: nothing was lost\n");
    return 1;
  }
  bool cured = false;
  for (int i = 0; i < 3; ++i) cured = RunsRight(*cuda, image, expected);
  std::printf(cured ? "the device works again in this process\n" : "the device stays lost to this process\n");
  return 0;
}

}  // namespace
}  // namespace convolve

int main() { return convolve::Main(); }
