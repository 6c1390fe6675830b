// Failures on the device: short memory and a lost device, asked for (a real loss has a program of
// its own, cuda_loss); and runs shared by several devices.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "cuda/backend.h"
#include "engine/backend.h"
#include "pictures.h"

namespace convolve::test {
namespace {

std::vector<cuda::DeviceTraits> Devices() {
  std::string why;
  std::vector<cuda::DeviceTraits> devices = cuda::ProbeDevices(&why);
  REQUIRE(!devices.empty());
  return devices;
}

std::unique_ptr<Backend> With(const std::string& faults) {
  return cuda::MakeBackendOn({Devices().front()}, {faults, false});
}

Plan Stack() {
  return {{PassOf(Box(31, 31), BorderKind::kWrap), PassOf(Sharpen(), BorderKind::kMirror), PassOf(Emboss())}};
}

TEST_CASE("<cuda> where memory is short, smaller parts give the same bytes") {
  const auto image = NoisePicture<uint8_t>(900, 700, 4, 21, Alpha::kLast);
  const auto expected = Result<uint8_t>(*With(""), Stack(), image);
  const auto coarse = Part<uint8_t>(*With(""), Stack(), image, {0, 0, 225, 175}, 2);
  // The picture itself is the largest thing that has to fit: 2.5 MB. A result of the first pass would be 10 MB.
  for (const char* faults :
       {"largest:4000000", "memory:4", "memory:3", "memory:7,memory:7", "largest:2700000,memory:5"}) {
    CAPTURE(faults);
    CHECK(Result<uint8_t>(*With(faults), Stack(), image) == expected);
    CHECK(Part<uint8_t>(*With(faults), Stack(), image, {0, 0, 225, 175}, 2) == coarse);
  }
}

TEST_CASE("<cuda> where nothing fits, the error says so, and the next run is not hurt") {
  const auto image = NoisePicture<uint8_t>(300, 200, 4, 22);
  const auto nothing = With("largest:1000");
  CHECK(CodeOf([&] { Result<uint8_t>(*nothing, Stack(), image); }) == ErrorCode::kOutOfMemory);
  CHECK(CodeOf([&] { nothing->Measure(Stack(), image, CancelToken()); }) == ErrorCode::kOutOfMemory);
  CHECK(CodeOf([&] { nothing->Upload(image); }) == ErrorCode::kOutOfMemory);
  const auto all = With("memory:1+");
  CHECK(CodeOf([&] { Result<uint8_t>(*all, Stack(), image); }) == ErrorCode::kOutOfMemory);
  const auto first = With("memory:1");
  CHECK(CodeOf([&] { Result<uint8_t>(*first, Stack(), image); }) == ErrorCode::kOutOfMemory);
  CHECK(Result<uint8_t>(*first, Stack(), image) == Result<uint8_t>(*With(""), Stack(), image));
}

TEST_CASE("<cuda> a lost device is an error of its own, and the next run starts it anew") {
  const auto image = NoisePicture<uint8_t>(300, 200, 4, 23);
  const auto expected = Result<uint8_t>(*With(""), Stack(), image);
  for (const char* faults : {"device:1", "device:2", "device:3"}) {
    CAPTURE(faults);
    const auto backend = With(faults);
    CHECK(CodeOf([&] { Result<uint8_t>(*backend, Stack(), image); }) == ErrorCode::kDeviceFailed);
    CHECK(Result<uint8_t>(*backend, Stack(), image) == expected);
  }
  const auto gone = With("device:1+");
  for (int i = 0; i < 3; ++i) {
    CHECK(CodeOf([&] { Result<uint8_t>(*gone, Stack(), image); }) == ErrorCode::kDeviceFailed);
  }
}

TEST_CASE("<cuda> runs shared by several devices give the same bytes") {
  const auto image = NoisePicture<uint8_t>(700, 1100, 3, 24);
  const auto expected = Result<uint8_t>(*With(""), Stack(), image);
  // One device used as if it were three; and all that there are.
  const cuda::DeviceTraits first = Devices().front();
  for (const auto& devices : {std::vector<cuda::DeviceTraits>{first, first, first}, Devices()}) {
    const auto shared = cuda::MakeBackendOn(devices, {"", true});
    CHECK(Result<uint8_t>(*shared, Stack(), image) == expected);
    CHECK(Part<uint8_t>(*shared, Stack(), image, {3, 5, 600, 900}) ==
          Part<uint8_t>(*With(""), Stack(), image, {3, 5, 600, 900}));
    CHECK(Part<uint8_t>(*shared, Stack(), image, {0, 0, 350, 550}, 1) ==
          Part<uint8_t>(*With(""), Stack(), image, {0, 0, 350, 550}, 1));
  }
}

TEST_CASE("<cuda> what one device fails to do another does") {
  const auto image = NoisePicture<uint8_t>(700, 1100, 3, 25);
  const auto expected = Result<uint8_t>(*With(""), Stack(), image);
  const cuda::DeviceTraits first = Devices().front();
  for (const char* faults : {"device:1", "device:4", "memory:1", "memory:2"}) {
    CAPTURE(faults);
    const auto shared = cuda::MakeBackendOn({first, first}, {faults, true});
    CHECK(Result<uint8_t>(*shared, Stack(), image) == expected);
    CHECK(Result<uint8_t>(*shared, Stack(), image) == expected);
  }
  const auto gone = cuda::MakeBackendOn({first, first}, {"device:1+", true});
  CHECK(CodeOf([&] { Result<uint8_t>(*gone, Stack(), image); }) == ErrorCode::kDeviceFailed);
  CancelToken cancelled;
  cancelled.Cancel();
  std::vector<uint8_t> samples(700 * 1100 * 3);
  const View<uint8_t> view{samples.data(), 700, 1100, 3, 2100};
  CHECK(CodeOf([&] { gone->Run(Stack(), image, {{0, 0, 700, 1100}, 0}, view, cancelled); }) == ErrorCode::kCancelled);
}

}  // namespace
}  // namespace convolve::test
