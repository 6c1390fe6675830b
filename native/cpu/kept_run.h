// A kept result (engine/kept_result.h) as what a run reads: completed first where the run looks.
#pragma once

#include "cpu/axis.h"
#include "cpu/kernels.h"
#include "cpu/prepared_plan.h"
#include "cpu/row_source.h"
#include "cpu/scratch.h"
#include "cpu/thread_pool.h"
#include "engine/backend.h"
#include "engine/kept_result.h"
#include "engine/view.h"

namespace convolve::cpu {

template <typename T>
class KeptInput {
 public:
  /// Takes the passes that `kept` is the result of off the front of `plan`, and computes what the others need of it for
  /// `region` (at level 0 of the plan's result). `picture` is the image that `kept` was made from.
  KeptInput(KeptResult& kept, PreparedPlan<T>& plan, const Kernels<T>& kernels, const Pixels& picture,
            const Region& region, ThreadPool& pool, ScratchPool& scratch, const CancelToken& cancel);
  KeptInput(const KeptInput&) = delete;
  KeptInput& operator=(const KeptInput&) = delete;

  const Pixels& pixels() const { return pixels_; }

 private:
  IndexSet columns_;
  IndexSet rows_;
  Pixels pixels_;
};

}  // namespace convolve::cpu
