// The cpu backend as tests and tools see it: a chosen instruction set, and what its scratch pool has done.
// Everybody else uses MakeCpuBackend of engine/backend.h.
#pragma once

#include <memory>
#include <string>

#include "cpu/fft_spectrum.h"
#include "cpu/kernels.h"
#include "cpu/largest.h"
#include "cpu/opacity.h"
#include "cpu/prepared_plan.h"
#include "cpu/scratch.h"
#include "cpu/targets.h"
#include "cpu/thread_pool.h"
#include "engine/backend.h"

namespace convolve::cpu {

class CpuBackend final : public Backend {
 public:
  /// `threads` 0 means one for each hardware thread; `target` is one of AvailableTargets().
  CpuBackend(int threads, const Target& target, PairSums pairs = PairSums::kCounted);

  BackendInfo info() const override;
  void Upload(const std::shared_ptr<const Image>& image) override;
  void Run(const Plan& plan, const std::shared_ptr<const Image>& image, const RunRequest& request,
           const AnyView& destination, const CancelToken& cancel) override;
  Extremes Measure(const Plan& plan, const std::shared_ptr<const Image>& image, const CancelToken& cancel) override;
  void RunAfter(KeptResult& kept, const Plan& after, const RunRequest& request, const AnyView& destination,
                const CancelToken& cancel) override;
  Extremes MeasureAfter(KeptResult& kept, const Plan& after, const CancelToken& cancel) override;

  ScratchStatistics scratch() const { return scratch_.statistics(); }
  const SpectrumCache& spectra() const { return spectra_; }

 private:
  /// `kept`: of the plan's first passes over the image; may be null.
  void RunFrom(KeptResult* kept, const Plan& plan, const std::shared_ptr<const Image>& image, const RunRequest& request,
               const AnyView& destination, const CancelToken& cancel);
  Extremes MeasureFrom(KeptResult* kept, const Plan& plan, const std::shared_ptr<const Image>& image,
                       const CancelToken& cancel);
  template <typename T>
  void RunAs(KeptResult* kept, const Plan& plan, const std::shared_ptr<const Image>& image, const RunRequest& request,
             const AnyView& destination, const CancelToken& cancel);
  template <typename T>
  Extremes MeasureAs(KeptResult* kept, const Plan& plan, const std::shared_ptr<const Image>& image,
                     const CancelToken& cancel);
  bool IsOpaque(const Plan& plan, const std::shared_ptr<const Image>& image, const CancelToken& cancel);
  double LargestOf(const Plan& plan, const std::shared_ptr<const Image>& image, const CancelToken& cancel);

  Target target_;
  PairSums pairs_;
  ThreadPool pool_;
  ScratchPool scratch_;
  SpectrumCache spectra_;
  Opacity opacity_;
  Largest largest_;
};

}  // namespace convolve::cpu
