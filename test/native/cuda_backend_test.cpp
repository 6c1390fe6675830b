// The cuda backend wherever it runs: with a device it computes, without one it says why and refuses with that reason.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>

#include "engine/backend.h"
#include "pictures.h"

namespace convolve::test {
namespace {

TEST_CASE("cuda computes where it says it is available, and refuses with its reason where it is not") {
  const auto backend = MakeCudaBackend();
  const BackendInfo info = backend->info();
  CHECK(info.name == "cuda");
  CHECK(!info.description.empty());
  const auto image = Picture<uint8_t>(3, 1, {10, 20, 60});
  const Plan plan{{PassOf(Box(3, 1))}};
  if (info.available) {
    CHECK(Result<uint8_t>(*backend, plan, image) == std::vector<uint8_t>{13, 30, 47});
    return;
  }
  uint8_t sample = 0;
  const auto refused = [&](const auto& work) {
    try {
      work();
      FAIL_CHECK("not refused");
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kBackendUnavailable);
      CHECK(std::string(error.what()).find(info.description) != std::string::npos);
    }
  };
  refused([&] { backend->Upload(image); });
  refused([&] { backend->Run(plan, image, {{0, 0, 1, 1}, 0}, View<uint8_t>{&sample, 1, 1, 1, 1}, CancelToken()); });
  refused([&] { backend->Measure(plan, image, CancelToken()); });
}

}  // namespace
}  // namespace convolve::test
