// Asks the compiler's runtime what the machine can run, so that Highway is needed as headers only and nothing has to be
// installed where the program runs; assembles the function tables for each instruction set.
#include "cpu/target_list.h"
// After target_list.h, which chooses what to build.
#include <hwy/targets.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <type_traits>
#include <utility>

#include "cpu/byte_gradient.h"
#include "cpu/kernel_tables.h"
#include "cpu/targets.h"
#include "engine/error.h"

namespace convolve::cpu {
namespace {

std::string LowerCase(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return text;
}

std::string Description(const std::string& name) {
  if (name.starts_with("avx3")) return "AVX-512";
  if (name.starts_with("avx") || name.starts_with("sse") || name.starts_with("neon")) {
    std::string upper = name;
    std::transform(upper.begin(), upper.end(), upper.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
    return upper;
  }
  return "no vector instructions";
}

/// Whether this machine, and its operating system, can run code that Highway compiled for the set.
bool Runs(int64_t bit) {
#if HWY_ARCH_X86 && defined(__GNUC__)
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
  switch (bit) {
    case HWY_AVX3:
      return avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
             __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512vl");
    case HWY_AVX2:
      return avx2;
    case HWY_SSE4:
      return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("aes");
    default:
      return true;  // the build's baseline
  }
#else
  return (hwy::SupportedTargets() & bit) != 0;
#endif
}

std::vector<Target> FindTargets() {
  std::vector<Target> targets;
  const auto add = [&](int64_t bit) {
    if (!Runs(bit)) return;
    const std::string name = LowerCase(hwy::TargetName(bit));
    targets.push_back({bit, name, Description(name)});
  };
#define CONVOLVE_ADD(bit, space) add(bit);
  CONVOLVE_FOR_EACH_TARGET(CONVOLVE_ADD)
#undef CONVOLVE_ADD
  return targets;
}

template <typename T>
std::map<int64_t, Kernels<T>> MakeTables() {
  std::map<int64_t, Kernels<T>> tables;
  for (const Target& target : AvailableTargets()) {
    Kernels<T>& kernels = tables[target.bit];
    FillSumKernels<T>(target.bit, kernels);
    FillPixelKernels<T>(target.bit, kernels);
    FillDirectKernels<T>(target.bit, kernels);
    FillHalvedKernels<T>(target.bit, kernels);
    FillGradientKernels<T>(target.bit, kernels);
    FillSampleKernels<T>(target.bit, kernels);
    FillLightKernels<T>(target.bit, kernels);
    FillMixKernels<T>(target.bit, kernels);
    FillDiffusionKernels<T>(target.bit, kernels);
    FillPairColumns<T>(target.bit, kernels.pair);
    FillPairRows<T>(target.bit, kernels.pair);
    FillPairUnturned<T>(target.bit, kernels.pair);
    if (target.bit == HWY_AVX3) {
      kernels.byte_rows = VnniByteRows();
      kernels.byte_pairs = VnniBytePairs();
      if constexpr (std::is_same_v<T, float>) {
        if (const ByteGradient gradient = VnniGradient()) kernels.gradient = gradient;
      }
    }
    FillBoxKernels<T>(target.bit, kernels.box);
    FillBoxWhole<T>(target.bit, kernels.box);
  }
  return tables;
}

}  // namespace

const std::vector<Target>& AvailableTargets() {
  static const std::vector<Target> targets = FindTargets();
  return targets;
}

const Target& TargetNamed(const std::string& name) {
  const std::vector<Target>& targets = AvailableTargets();
  if (name.empty()) return targets.front();
  const auto found = std::find_if(targets.begin(), targets.end(),
                                  [&](const Target& target) { return target.name == LowerCase(name); });
  if (found != targets.end()) return *found;
  std::string names;
  for (const Target& target : targets) names += (names.empty() ? "" : ", ") + target.name;
  throw Error(ErrorCode::kInvalidArgument, "CONVOLVE_TARGET", "one of " + names, name);
}

template <typename T>
const Kernels<T>& KernelsFor(int64_t target) {
  static const std::map<int64_t, Kernels<T>> tables = MakeTables<T>();
  return tables.at(target);
}

template const Kernels<float>& KernelsFor<float>(int64_t);
template const Kernels<double>& KernelsFor<double>(int64_t);

}  // namespace convolve::cpu
