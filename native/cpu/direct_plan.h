// Which passes are computed without rows of working values (direct_block.h), and as which samples.
#pragma once

#include <algorithm>
#include <cstddef>

#include "cpu/byte_sums.h"
#include "cpu/halved_plan.h"
#include "cpu/kernels.h"
#include "cpu/prepared_plan.h"
#include "engine/pass.h"

namespace convolve::cpu {

/// The integers that work as T.
template <typename T>
inline constexpr SampleType kIntegerType = sizeof(T) == 4 ? SampleType::kU8 : SampleType::kU16;

/// Result rows that are computed together: kRowsAtOnce of them, or as many as share their work.
inline constexpr int kMostAtOnce = std::max({kRowsAtOnce, kByteRowsAtOnce, kHalvedAtOnce});
/// Window rows of byte sums: taller kernels would overflow them anyway, or are computed in other ways.
inline constexpr size_t kMostByteRows = 128;

/// The weights of every kind of work that is given cell by cell; null for others.
const DenseWeights* DenseOf(const Work& work);

/// Whether the prepared pass can be computed so, and as which samples: sets `direct`, `direct_type` and `kept_type`. It
/// follows from plan and picture alone, as everything does that a result may depend on. `last`: its rows go to the
/// destination; `mixes`: they are mixed first, as working values.
template <typename T>
void PlanDirect(const Pass& pass, const PreparedPlan<T>& plan, bool last, bool mixes, const Purpose& purpose,
                PreparedPass<T>& prepared);

}  // namespace convolve::cpu
