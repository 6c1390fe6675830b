// A cuda backend that cannot compute: it says why, and refuses everything with that reason.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "engine/backend.h"

namespace convolve::cuda {

class UnavailableBackend final : public Backend {
 public:
  explicit UnavailableBackend(std::string reason) : reason_(std::move(reason)) {}

  BackendInfo info() const override { return {"cuda", false, reason_}; }
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
  [[noreturn]] void Refuse() const {
    throw Error(ErrorCode::kBackendUnavailable, "cuda", "a usable CUDA device", reason_);
  }

  std::string reason_;
};

}  // namespace convolve::cuda
