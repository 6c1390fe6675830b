// Random plans on random pictures, the same for the same seed on every system, each with the bound on what rounding to
// float may do to it. For the tests that hold the cpu backend to the reference.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "engine/backend.h"

namespace convolve::test {

/// Random numbers that are the same on every system (the standard's distributions are not).
class Dice {
 public:
  explicit Dice(uint32_t seed) : random_(seed) {}
  /// least ... most, both included.
  int Between(int least, int most) {
    return least + static_cast<int>(random_() % static_cast<uint32_t>(most - least + 1));
  }
  /// 0 ... 1.
  double Share() { return random_() / 4294967296.0; }
  bool OneIn(int count) { return Between(1, count) == 1; }

 private:
  std::mt19937 random_;
};

/// What a case may contain.
struct CaseLimits {
  int width = 40;
  int height = 9;
  int passes = 3;
  /// Every pass is of this one of Work's kinds (FftWeights, SparseWeights or SeparableWeights), its kernel up to `side`
  /// cells a side.
  std::optional<size_t> work = std::nullopt;
  int side = 9;
};

/// A plan, a picture, and what is asked of them.
struct Case {
  std::shared_ptr<const Image> image;
  Plan plan;
  RunRequest request;
  SampleType type = SampleType::kU8;  // of the destination
  /// Largest error of a float result, as a share of full scale, times 1 + |result|, and over alpha where it is
  /// weighted.
  double tolerance = 0;
  /// Weighted by alpha with negative weights: where the filtered alpha is close to 0, colour is a quotient of rests.
  bool quotient_of_rests = false;
  std::string description;
};

/// Noise, with alpha as pictures have it: some of it 0, sometimes all of it full.
std::shared_ptr<const Image> RandomPicture(Dice& dice, int width, int height, int channels, bool alpha,
                                           SampleType type);

/// A case whose plan leaves something of the picture.
Case RandomCase(uint32_t seed, const CaseLimits& limits = {});

/// The request's result, in an image of its own.
std::unique_ptr<Image> ResultOf(Backend& backend, const Case& tried);

/// A backend of an instruction set of this machine.
struct TargetBackend {
  std::string name;
  std::unique_ptr<Backend> backend;
};
/// One for each instruction set, the best first.
std::vector<TargetBackend> BackendsOfAllTargets(int threads);

/// Checks that not-a-number, infinity or a huge value in one channel of a noise picture reaches exactly as far as the
/// kernel of `pass`, whose reach is the same on all sides, and is there what the reference says; elsewhere the result
/// is that of the picture without it.
void CheckReachOfTransforms(const Pass& pass, const std::vector<TargetBackend>& backends);

/// How a result differs from the expected one.
struct Difference {
  int64_t samples = 0;
  int64_t exact = 0;   // equal samples
  double worst = 0;    // integers: levels; floating point: share of the tolerance
  int64_t beyond = 0;  // samples off by more than a level, or more than the tolerance
};
Difference Compare(const Case& tried, const Image& expected, const Image& got);

}  // namespace convolve::test
