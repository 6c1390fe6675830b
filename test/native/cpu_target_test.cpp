// Which instruction set runs: the best one, the one that CONVOLVE_TARGET names, or an error that lists the names.
#include <doctest/doctest.h>

#include <cctype>
#include <cstdlib>
#include <string>

#include "cpu/cpu_backend.h"
#include "cpu/targets.h"
#include "engine/backend.h"

namespace convolve::test {
namespace {

/// Sets an environment variable as long as it lives.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const std::string& value) : name_(name) {
    const char* before = std::getenv(name);
    had_ = before != nullptr;
    if (had_) before_ = before;
    Set(value);
  }
  ~ScopedVariable() {
    if (had_) {
      Set(before_);
    } else {
#if defined(_WIN32)
      _putenv_s(name_, "");
#else
      unsetenv(name_);
#endif
    }
  }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;

 private:
  void Set(const std::string& value) {
#if defined(_WIN32)
    _putenv_s(name_, value.c_str());
#else
    setenv(name_, value.c_str(), 1);
#endif
  }

  const char* name_;
  bool had_ = false;
  std::string before_;
};

TEST_CASE("CONVOLVE_TARGET chooses the instruction set, in upper or lower case") {
  for (const cpu::Target& target : cpu::AvailableTargets()) {
    const ScopedVariable chosen("CONVOLVE_TARGET", target.name);
    CHECK(MakeCpuBackend(1)->info().description == target.description + ", 1 thread");
  }
  std::string upper = cpu::AvailableTargets().back().name;
  for (char& letter : upper) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  const ScopedVariable chosen("CONVOLVE_TARGET", upper);
  CHECK(MakeCpuBackend(2)->info().description == cpu::AvailableTargets().back().description + ", 2 threads");
}

TEST_CASE("without CONVOLVE_TARGET the best instruction set runs, on as many threads as the machine has") {
  const ScopedVariable none("CONVOLVE_TARGET", "");
  const BackendInfo info = MakeCpuBackend()->info();
  CHECK(info.name == "cpu");
  CHECK(info.available);
  CHECK(info.description.starts_with(cpu::AvailableTargets().front().description + ", "));
}

TEST_CASE("an instruction set that is not there is refused with the names of those that are") {
  const ScopedVariable chosen("CONVOLVE_TARGET", "avx9");
  try {
    MakeCpuBackend();
    FAIL_CHECK("not refused");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kInvalidArgument);
    CHECK(error.subject() == "CONVOLVE_TARGET");
    CHECK(error.actual() == "avx9");
    for (const cpu::Target& target : cpu::AvailableTargets()) {
      CHECK(error.expected().find(target.name) != std::string::npos);
    }
  }
}

}  // namespace
}  // namespace convolve::test
