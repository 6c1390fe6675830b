// A kernel that ends the first device's context, as a broken driver or device would.
#pragma once

namespace convolve::test {

/// Returns once the device has failed; every later call on its context fails until it is reset.
void TrapDevice();

}  // namespace convolve::test
