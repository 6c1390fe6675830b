// Random numbers that are the same on every system and for ever: cases of the corpus are written down by their seeds.
#pragma once

#include <cstdint>

namespace convolve::fuzz {

class Dice {
 public:
  explicit Dice(uint64_t seed) : state_(seed) {}

  /// SplitMix64, Steele, Lea and Flood 2014.
  uint64_t Next() {
    uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  /// least ... most, both included.
  int Between(int least, int most) {
    return least + static_cast<int>(Next() % static_cast<uint64_t>(int64_t{most} - least + 1));
  }
  /// 0 ... 1, without 1.
  double Share() { return static_cast<double>(Next() >> 11) / 9007199254740992.0; }
  bool OneIn(int count) { return Between(1, count) == 1; }

 private:
  uint64_t state_;
};

}  // namespace convolve::fuzz
