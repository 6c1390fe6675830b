// Instruction sets by name: which this build and machine have, and which one to use.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace convolve::cpu {

struct Target {
  int64_t bit = 0;          // Highway's HWY_* constant
  std::string name;         // for people who choose: "avx3", "avx2", "sse4", "scalar", ...
  std::string description;  // for people who read: "AVX-512"
};

/// What this build has code for and this machine can run, the best first; never empty.
const std::vector<Target>& AvailableTargets();

/// The target of this name, upper or lower case, or the best one for an empty name. Throws Error kInvalidArgument,
/// which lists the names that there are.
const Target& TargetNamed(const std::string& name);

}  // namespace convolve::cpu
