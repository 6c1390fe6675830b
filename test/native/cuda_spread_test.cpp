// What the cuda backend decides without a device: how rows are shared between devices, and which failures a test can
// ask for.
#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "cuda/faults.h"
#include "cuda/spread.h"
#include "engine/backend.h"
#include "pictures.h"

namespace convolve::test {
namespace {

const Region kWhole{0, 0, 4000, 3000};

std::vector<cuda::Band> Bands(const Plan& plan, const std::vector<cuda::Helper>& helpers, bool always = false,
                              const Region& region = kWhole) {
  static const auto image = std::make_shared<const Image>(4000, 3000, 4, false, SampleType::kU8);
  return cuda::Spread(plan, *image, region, 1, 7, helpers, always);
}

/// A plan that takes some 60 ms on one device.
Plan Heavy() { return {{PassOf(Box(127, 127))}}; }
Plan Light() { return {{PassOf(Sharpen())}}; }

TEST_CASE("bands follow each other, cover the region, and the first is home's") {
  const std::vector<cuda::Helper> helpers = {{1, true, true}, {2, true, true}};
  const Region region{100, 50, 900, 1001};
  const auto bands = Bands(Heavy(), helpers, true, region);
  REQUIRE(bands.size() == 3);
  CHECK(bands[0].device == 7);
  CHECK(bands[1].device == 1);
  CHECK(bands[2].device == 2);
  int y = 50;
  for (const cuda::Band& band : bands) {
    CHECK(band.region.x == 100);
    CHECK(band.region.width == 900);
    CHECK(band.region.y == y);
    y += band.region.height;
  }
  CHECK(y == 1051);
}

TEST_CASE("a helper takes part only where the run ends sooner with it") {
  CHECK(Bands(Heavy(), {{1, true, true}}).size() == 2);
  CHECK(Bands(Heavy(), {{1, true, false}}).size() == 2);
  CHECK(Bands(Heavy(), {{1, false, false}}).size() == 1);  // starting it takes longer than the whole run
  CHECK(Bands(Light(), {{1, true, true}}).size() == 1);
  CHECK(Bands(Light(), {{1, true, false}}).size() == 1);
  CHECK(Bands(Heavy(), {}).size() == 1);
  Plan heavier = Heavy();
  heavier.passes[0].repeat = 30;
  CHECK(Bands(heavier, {{1, false, false}}).size() == 2);
  // The one that is ready first comes first, the one that would only be waited for not at all.
  const auto bands = Bands(Heavy(), {{1, false, false}, {2, true, true}});
  REQUIRE(bands.size() == 2);
  CHECK(bands[1].device == 2);
}

TEST_CASE("a band keeps at least a few rows") {
  const std::vector<cuda::Helper> helpers = {{1, true, true}, {2, true, true}, {3, true, true}};
  CHECK(Bands(Heavy(), helpers, true, {0, 0, 4000, 127}).size() == 1);
  CHECK(Bands(Heavy(), helpers, true, {0, 0, 4000, 128}).size() == 2);
  CHECK(Bands(Heavy(), helpers, true, {0, 0, 4000, 3000}).size() == 4);
}

TEST_CASE("faults happen when they were asked for") {
  cuda::Faults none;
  none.Allocating(1 << 30);
  none.Launching();
  cuda::Faults once("memory:2,device:1");
  once.Allocating(1);
  CHECK(CodeOf([&] { once.Allocating(1); }) == ErrorCode::kOutOfMemory);
  once.Allocating(1);
  CHECK(CodeOf([&] { once.Launching(); }) == ErrorCode::kDeviceFailed);
  once.Launching();
  cuda::Faults onwards("device:2+");
  onwards.Launching();
  CHECK(CodeOf([&] { onwards.Launching(); }) == ErrorCode::kDeviceFailed);
  CHECK(CodeOf([&] { onwards.Launching(); }) == ErrorCode::kDeviceFailed);
  cuda::Faults small("largest:1000");
  small.Allocating(1000);
  CHECK(CodeOf([&] { small.Allocating(1001); }) == ErrorCode::kOutOfMemory);
}

TEST_CASE("faults that nobody can mean are refused") {
  for (const char* text :
       {"memory", "memory:", "memory:0", "memory:x", "device:1x", "disk:1", "largest:1+", "device:-1"}) {
    CAPTURE(text);
    CHECK(CodeOf([&] { cuda::Faults faults{std::string(text)}; }) == ErrorCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace convolve::test
