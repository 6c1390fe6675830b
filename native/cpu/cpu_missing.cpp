// Stands in for the cpu backend in a build without it: says so and computes nothing.
#include "engine/backend.h"

namespace convolve {
namespace {

constexpr const char* kReason = "this build has no cpu backend (CONVOLVE_CPU is off)";

class MissingCpuBackend final : public Backend {
 public:
  BackendInfo info() const override { return {"cpu", false, kReason}; }
  void Upload(const std::shared_ptr<const Image>& /*image*/) override { Refuse(); }
  void Run(const Plan& /*plan*/, const std::shared_ptr<const Image>& /*image*/, const RunRequest& /*request*/,
           const AnyView& /*destination*/, const CancelToken& /*cancel*/) override {
    Refuse();
  }
  Extremes Measure(const Plan& /*plan*/, const std::shared_ptr<const Image>& /*image*/,
                   const CancelToken& /*cancel*/) override {
    Refuse();
  }

 private:
  [[noreturn]] static void Refuse() { throw Error(ErrorCode::kBackendUnavailable, "cpu", kReason); }
};

}  // namespace

std::unique_ptr<Backend> MakeCpuBackend(int /*threads*/) { return std::make_unique<MissingCpuBackend>(); }

}  // namespace convolve
