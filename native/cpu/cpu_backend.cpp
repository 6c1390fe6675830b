// Binds plan, picture and destination, cuts the work into units and hands them to the threads.
#include "cpu/cpu_backend.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <new>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>
#include <variant>

#include "cpu/band_run.h"
#include "cpu/fft_prepare.h"
#include "cpu/kept_run.h"
#include "cpu/prepared_plan.h"
#include "cpu/sinks.h"
#include "engine/kept_result.h"
#include "engine/plan.h"

namespace convolve::cpu {
namespace {

constexpr int kMostThreads = 256;
constexpr size_t kSpectrumBytes = 32 << 20;  // of kernels used before

int ThreadCount(int asked) {
  const int threads = asked > 0 ? asked : static_cast<int>(std::thread::hardware_concurrency());
  return std::clamp(threads, 1, kMostThreads);
}

const Image& RequireImage(const std::shared_ptr<const Image>& image) {
  if (image == nullptr) throw Error(ErrorCode::kInvalidArgument, "image", "an image", "none");
  return *image;
}

/// 24 bits of float hold sums of 8-bit samples to a hundredth of a level, but not sums of 16-bit ones: those work in
/// double. So does copying float64, which must not lose digits; filtering it is done in float.
bool WorksInDouble(const Plan& plan, SampleType type) {
  return type == SampleType::kU16 || (plan.passes.empty() && type == SampleType::kF64);
}

/// The picture's pixels and the index sets that they refer to.
struct Picture {
  IndexSet columns;
  IndexSet rows;
  Pixels pixels;

  explicit Picture(const Image& image) : columns(0, image.width()), rows(0, image.height()) {
    const size_t row_bytes =
        static_cast<size_t>(image.width()) * static_cast<size_t>(image.channels()) * BytesPerSample(image.type());
    pixels = {image.data(), static_cast<ptrdiff_t>(row_bytes), image.type(), &columns, &rows};
  }
  Picture(const Picture&) = delete;
  Picture& operator=(const Picture&) = delete;
};

/// The request's region at level 0 of the result.
Region AtLevel0(const RunRequest& request, const ResultSize& size) {
  const int64_t grain = int64_t{1} << request.level;
  const int64_t x = request.region.x * grain;
  const int64_t y = request.region.y * grain;
  return {static_cast<int>(x), static_cast<int>(y),
          static_cast<int>(std::min<int64_t>(request.region.width * grain, size.width - x)),
          static_cast<int>(std::min<int64_t>(request.region.height * grain, size.height - y))};
}

/// Running out of memory has a code of its own.
template <typename WorkFunction>
auto WithMemoryErrors(const WorkFunction& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::kOutOfMemory, "cpu backend");
  }
}

/// A unit of the result of `region`, which begins at 0, 0 of the destination.
template <typename T, typename To>
void RunUnit(const RunContext<T>& context, const LastUnit& unit, const RunRequest& request, const Region& region,
             const View<To>& destination, SampleType type) {
  const StoreJob<T> store = StoreOf(context.plan, type);
  Carver carver(unit.scratch);
  if (request.level == 0) {
    ForEachBlock(unit.tiling, unit.region, [&](const Region& block, int /*left*/, int /*top*/) {
      DestinationSink<T, To> sink(context.kernels, store, destination, block.x - region.x, block.y - region.y,
                                  block.width);
      RunLastBlock(context, unit, block, carver, sink);
      carver.Rewind(0);
    });
    return;
  }
  const LevelUnit level_unit{unit.region, request.level, (unit.region.x - region.x) >> request.level,
                             (unit.region.y - region.y) >> request.level};
  const bool weighted = context.plan.alpha && !context.plan.opaque;
  LevelSink<T, To> sink(context.kernels, store, destination, weighted, level_unit, carver);
  const size_t used = carver.used();
  ForEachBlock(unit.tiling, unit.region, [&](const Region& block, int left, int top) {
    sink.Begin(left, top, block.width);
    RunLastBlock(context, unit, block, carver, sink);
    carver.Rewind(used);
  });
}

template <typename To>
constexpr SampleType TypeOf(const View<To>& /*view*/) {
  if constexpr (std::is_same_v<To, uint8_t>) return SampleType::kU8;
  if constexpr (std::is_same_v<To, uint16_t>) return SampleType::kU16;
  if constexpr (std::is_same_v<To, float>) return SampleType::kF32;
  return SampleType::kF64;
}

}  // namespace

CpuBackend::CpuBackend(int threads, const Target& target, PairSums pairs)
    : target_(target),
      pairs_(pairs),
      pool_(ThreadCount(threads)),
      scratch_(2 * (static_cast<size_t>(pool_.threads()) + 1)),
      spectra_(kSpectrumBytes) {}

BackendInfo CpuBackend::info() const {
  const int threads = pool_.threads();
  return {"cpu", true, target_.description + ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads")};
}

void CpuBackend::Upload(const std::shared_ptr<const Image>& image) {
  RequireImage(image);
  opacity_.IsOpaque(image, pool_, CancelToken());
}

bool CpuBackend::IsOpaque(const Plan& plan, const std::shared_ptr<const Image>& image, const CancelToken& cancel) {
  return AsksForOpacity(plan, *image) && opacity_.IsOpaque(image, pool_, cancel);
}

double CpuBackend::LargestOf(const Plan& plan, const std::shared_ptr<const Image>& image, const CancelToken& cancel) {
  const bool floats = image->type() == SampleType::kF32 || image->type() == SampleType::kF64;
  const bool halved = floats && KernelsFor<float>(target_.bit).halved != nullptr;
  return AsksForLargest(plan, halved) ? largest_.Of(image, pool_, cancel) : std::numeric_limits<double>::infinity();
}

void CpuBackend::Run(const Plan& plan, const std::shared_ptr<const Image>& image, const RunRequest& request,
                     const AnyView& destination, const CancelToken& cancel) {
  RunFrom(nullptr, plan, image, request, destination, cancel);
}

void CpuBackend::RunAfter(KeptResult& kept, const Plan& after, const RunRequest& request, const AnyView& destination,
                          const CancelToken& cancel) {
  RunFrom(after.passes.empty() ? nullptr : &kept, kept.Followed(after), kept.image(), request, destination, cancel);
}

void CpuBackend::RunFrom(KeptResult* kept, const Plan& plan, const std::shared_ptr<const Image>& image,
                         const RunRequest& request, const AnyView& destination, const CancelToken& cancel) {
  Validate(plan, RequireImage(image), request, destination);
  cancel.ThrowIfCancelled();
  WithMemoryErrors([&] {
    if (WorksInDouble(plan, image->type())) {
      RunAs<double>(kept, plan, image, request, destination, cancel);
    } else {
      RunAs<float>(kept, plan, image, request, destination, cancel);
    }
  });
}

template <typename T>
void CpuBackend::RunAs(KeptResult* kept, const Plan& plan, const std::shared_ptr<const Image>& image,
                       const RunRequest& request, const AnyView& destination, const CancelToken& cancel) {
  const SampleType type = std::visit([](const auto& view) { return TypeOf(view); }, destination);
  const bool opaque = IsOpaque(plan, image, cancel);
  const Kernels<T>& kernels = KernelsFor<T>(target_.bit);
  PreparedPlan<T> prepared = Prepare<T>(plan, *image, opaque, LargestOf(plan, image, cancel),
                                        {false, type, kernels.byte_rows != nullptr, pairs_, kernels.halved != nullptr});
  BindTarget(prepared, spectra_, target_.bit);
  const Region region = AtLevel0(request, prepared.size);
  const Picture picture(*image);
  std::optional<KeptInput<T>> input;
  if (kept != nullptr) {
    input.emplace(*kept, prepared, kernels, picture.pixels, region, pool_, scratch_, cancel);
  }
  const RunContext<T> context{kernels, prepared, input ? input->pixels() : picture.pixels, cancel};
  std::visit(
      [&](const auto& view) {
        using To = std::remove_pointer_t<decltype(view.data)>;
        if (request.level == 0) prepared.lines = LinesOf(view, region.x);
        const size_t level_bytes = request.level > 0 ? LevelSink<T, To>::Bytes(region.width, prepared.channels) : 0;
        RunPasses<T>(context, region, request.level, pool_, scratch_, level_bytes,
                     [&](const LastUnit& unit) { RunUnit<T, To>(context, unit, request, region, view, type); });
      },
      destination);
}

Extremes CpuBackend::Measure(const Plan& plan, const std::shared_ptr<const Image>& image, const CancelToken& cancel) {
  return MeasureFrom(nullptr, plan, image, cancel);
}

Extremes CpuBackend::MeasureAfter(KeptResult& kept, const Plan& after, const CancelToken& cancel) {
  return MeasureFrom(after.passes.empty() ? nullptr : &kept, kept.Followed(after), kept.image(), cancel);
}

Extremes CpuBackend::MeasureFrom(KeptResult* kept, const Plan& plan, const std::shared_ptr<const Image>& image,
                                 const CancelToken& cancel) {
  const Image& picture = RequireImage(image);
  ValidatePlan(plan, picture);
  cancel.ThrowIfCancelled();
  return WithMemoryErrors([&] {
    return WorksInDouble(plan, image->type()) ? MeasureAs<double>(kept, plan, image, cancel)
                                              : MeasureAs<float>(kept, plan, image, cancel);
  });
}

template <typename T>
Extremes CpuBackend::MeasureAs(KeptResult* kept, const Plan& plan, const std::shared_ptr<const Image>& image,
                               const CancelToken& cancel) {
  const bool opaque = IsOpaque(plan, image, cancel);
  const Kernels<T>& kernels = KernelsFor<T>(target_.bit);
  PreparedPlan<T> prepared = Prepare<T>(plan, *image, opaque, LargestOf(plan, image, cancel),
                                        {true, image->type(), false, pairs_, kernels.halved != nullptr});
  BindTarget(prepared, spectra_, target_.bit);
  const Picture picture(*image);
  const Region region{0, 0, prepared.size.width, prepared.size.height};
  std::optional<KeptInput<T>> input;
  if (kept != nullptr) {
    input.emplace(*kept, prepared, kernels, picture.pixels, region, pool_, scratch_, cancel);
  }
  const RunContext<T> context{kernels, prepared, input ? input->pixels() : picture.pixels, cancel};
  std::mutex mutex;
  double minimum = std::numeric_limits<double>::infinity();
  double maximum = -minimum;
  RunPasses<T>(context, region, 0, pool_, scratch_, 0, [&](const LastUnit& unit) {
    Carver carver(unit.scratch);
    ForEachBlock(unit.tiling, unit.region, [&](const Region& block, int /*left*/, int /*top*/) {
      ExtremesSink<T> sink(context.kernels, prepared, block.width);
      RunLastBlock(context, unit, block, carver, sink);
      carver.Rewind(0);
      const std::lock_guard lock(mutex);
      minimum = std::min(minimum, static_cast<double>(sink.minimum));
      maximum = std::max(maximum, static_cast<double>(sink.maximum));
    });
  });
  if (minimum > maximum) return {};  // not a single number
  return {minimum / prepared.full_scale, maximum / prepared.full_scale};
}

}  // namespace convolve::cpu

namespace convolve {

std::unique_ptr<Backend> MakeCpuBackend(int threads) {
  const char* forced = std::getenv("CONVOLVE_TARGET");
  return std::make_unique<cpu::CpuBackend>(threads, cpu::TargetNamed(forced == nullptr ? "" : forced));
}

}  // namespace convolve
