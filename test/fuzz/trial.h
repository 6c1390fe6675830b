// Runs a case on the reference and on the tested backends — every instruction set of the cpu backend, or cuda — and
// says what disagrees.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "case.h"
#include "engine/backend.h"

namespace convolve::fuzz {

/// Exactly rounded samples of one instruction set and integer destination, ties left out, of every fourth case.
struct Rounded {
  int64_t samples = 0;
  int64_t exact = 0;
  double samples_squared = 0;  // sum over the cases
  /// Cases of one size that would say as much: those of a case are rounded alike, and a large one is most of a share.
  double EqualCases() const { return static_cast<double>(samples) * static_cast<double>(samples) / samples_squared; }
};

/// Backends live as long as the session, so that what one case leaves behind meets the next one.
class Session {
 public:
  /// `target` is one instruction set by name, `cuda`, or empty for all instruction sets of this machine.
  explicit Session(const std::string& target);

  /// What is wrong with the case, or nothing.
  std::optional<std::string> Try(const CaseSpec& spec);

  /// "avx3 u8: 99.9991 % of 123456 samples exactly rounded", one line each; `enough` is false where a share is too low.
  std::string RoundingReport(bool& enough) const;

 private:
  struct Tested {
    std::string name;
    std::unique_ptr<Backend> one;    // thread
    std::unique_ptr<Backend> three;  // threads; of cuda, another backend on the same devices
    std::array<double, 2> least;     // share of exactly rounded samples, u8 and u16
    std::array<Rounded, 2> rounded;
    bool lines = false;  // transforms every separable kernel that it can, and runs nothing else
  };

  std::unique_ptr<Backend> reference_;
  std::vector<Tested> every_;
};

}  // namespace convolve::fuzz
