// What the machine could do at best: copying memory and multiplying, with the widest vectors it has.
#pragma once

#include <cstddef>
#include <string>

namespace convolve::bench {

/// Copies with stores that go past the caches. Both start at a multiple of 64 bytes.
void StreamCopy(const std::byte* from, std::byte* to, size_t bytes);

/// Runs fused multiply-adds in registers only and returns how many floating-point operations that were (a few million).
double MultiplyAdds();

/// "AVX-512", "AVX2" or "plain C++": what both are written in.
std::string FloorInstructions();

}  // namespace convolve::bench
