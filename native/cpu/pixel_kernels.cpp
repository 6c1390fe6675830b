// What happens to rows of working values besides sums: premultiplying, the magnitude of two results, the epilogue,
// alpha, offset and range, and the extremes.
#include "cpu/target_list.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/pixel_kernels.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include "cpu/kernel_tables.h"
#include "cpu/pixels-inl.h"
#include "engine/alpha.h"

HWY_BEFORE_NAMESPACE();
namespace convolve::cpu::HWY_NAMESPACE {
namespace {  // each of these files has functions of the same names
namespace hn = hwy::HWY_NAMESPACE;

template <typename T>
void Premultiply(T* row, size_t samples, size_t channels) {
  const Tag<T> d;
  const AlphaLanes<T> lanes(channels);
  for (size_t i = 0; i < samples; i += hn::Lanes(d)) {
    const Vec<T> value = hn::LoadU(d, row + i);
    const Vec<T> product = hn::Mul(value, PixelAlpha(row, i, channels));
    hn::StoreU(hn::IfThenElse(lanes.At(i), value, product), d, row + i);
  }
}

template <typename T>
void Magnitude(T* row, const T* other, size_t samples, T divisor, T other_divisor) {
  const Tag<T> d;
  const bool divide = divisor != 1 || other_divisor != 1;
  for (size_t i = 0; i < samples; i += hn::Lanes(d)) {
    Vec<T> x = hn::LoadU(d, row + i);
    Vec<T> y = hn::LoadU(d, other + i);
    if (divide) {
      x = hn::Div(x, hn::Set(d, divisor));
      y = hn::Div(y, hn::Set(d, other_divisor));
    }
    hn::StoreU(Length<T>(x, y), d, row + i);
  }
}

template <typename T>
void Epilogue(const EpilogueJob<T>& job) {
  const Tag<T> d;
  const Vec<T> divisor = hn::Set(d, job.divisor);
  const Vec<T> result = hn::Set(d, job.result);
  const Vec<T> factor = hn::Set(d, job.input_factor);
  for (size_t i = 0; i < job.samples; i += hn::Lanes(d)) {
    Vec<T> value = hn::LoadU(d, job.row + i);
    if (job.divisor != 1) value = hn::Div(value, divisor);
    if (job.result != 1) value = hn::Mul(value, result);
    if (job.input_factor != 0) value = hn::MulAdd(factor, hn::LoadU(d, job.input + i), value);
    hn::StoreU(value, d, job.row + i);
  }
}

template <typename T>
void Finish(const FinishJob<T>& job) {
  const Tag<T> d;
  const bool alpha = job.alpha != AlphaWork::kNone;
  const AlphaLanes<T> lanes(alpha ? job.channels : 2);
  const Vec<T> zero = hn::Zero(d);
  const Vec<T> full = hn::Set(d, job.full_scale);
  const Vec<T> gain = hn::Set(d, job.gain);
  const Vec<T> offset = hn::Set(d, job.offset);
  const Vec<T> transparent = hn::Set(d, static_cast<T>(kTransparent * job.full_scale));
  const InRange<T> in_range(job);
  for (size_t i = 0; i < job.samples; i += hn::Lanes(d)) {
    Vec<T> value = hn::LoadU(d, job.row + i);
    if (!alpha) {
      hn::StoreU(in_range(hn::Add(value, offset)), d, job.row + i);
      continue;
    }
    Vec<T> out_alpha = value;
    Vec<T> colour = value;
    switch (job.alpha) {
      case AlphaWork::kNone:
      case AlphaWork::kStraight:
        break;
      case AlphaWork::kOpaque:
        out_alpha = full;
        break;
      case AlphaWork::kInput:
        out_alpha = hn::LoadU(d, job.input + i);
        break;
      case AlphaWork::kUnmultiplyByResult:
        out_alpha = PixelAlpha(job.row, i, job.channels);
        if (job.gain != 1) out_alpha = hn::Div(out_alpha, gain);
        break;
      case AlphaWork::kUnmultiplyByInput:
        out_alpha = PixelAlpha(job.input, i, job.channels);
        break;
    }
    if (job.alpha == AlphaWork::kUnmultiplyByResult || job.alpha == AlphaWork::kUnmultiplyByInput) {
      colour = hn::Add(hn::Div(colour, out_alpha), offset);
      colour = hn::IfThenElse(hn::Lt(hn::Abs(out_alpha), transparent), zero, colour);
    } else {
      colour = hn::Add(colour, offset);
    }
    colour = in_range(colour);
    if (job.range != RangeKind::kFloat) out_alpha = Clamped<T>(out_alpha, zero, full);
    hn::StoreU(hn::IfThenElse(lanes.At(i), out_alpha, colour), d, job.row + i);
  }
}

template <typename T>
void Extremes(const T* row, size_t samples, size_t channels, bool alpha, T* minimum, T* maximum) {
  const Tag<T> d;
  const size_t lane_count = hn::Lanes(d);
  const AlphaLanes<T> lanes(alpha ? channels : 2);
  Vec<T> least = hn::Set(d, *minimum);
  Vec<T> most = hn::Set(d, *maximum);
  size_t i = 0;
  for (; i + lane_count <= samples; i += lane_count) {
    Vec<T> value = hn::LoadU(d, row + i);
    Vec<T> other = value;
    if (alpha) {
      const auto is_alpha = lanes.At(i);
      other = hn::IfThenElse(is_alpha, most, value);
      value = hn::IfThenElse(is_alpha, least, value);
    }
    least = hn::IfThenElse(hn::Lt(value, least), value, least);
    most = hn::IfThenElse(hn::Gt(other, most), other, most);
  }
  HWY_ALIGN T least_lanes[64 / sizeof(T)];
  HWY_ALIGN T most_lanes[64 / sizeof(T)];
  hn::Store(least, d, least_lanes);
  hn::Store(most, d, most_lanes);
  for (size_t lane = 0; lane < lane_count; ++lane) {
    if (least_lanes[lane] < *minimum) *minimum = least_lanes[lane];
    if (most_lanes[lane] > *maximum) *maximum = most_lanes[lane];
  }
  for (; i < samples; ++i) {
    if (alpha && i % channels == channels - 1) continue;
    if (row[i] < *minimum) *minimum = row[i];
    if (row[i] > *maximum) *maximum = row[i];
  }
}

}  // namespace

template <typename T>
void FillPixels(Kernels<T>& kernels) {
  kernels.premultiply = &Premultiply<T>;
  kernels.magnitude = &Magnitude<T>;
  kernels.epilogue = &Epilogue<T>;
  kernels.finish = &Finish<T>;
  kernels.extremes = &Extremes<T>;
}

}  // namespace convolve::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace convolve::cpu {

template <typename T>
void FillPixelKernels(int64_t target, Kernels<T>& kernels) {
  switch (target) {
#define CONVOLVE_FILL(bit, space) \
  case bit:                       \
    return space::FillPixels<T>(kernels);
    CONVOLVE_FOR_EACH_TARGET(CONVOLVE_FILL)
#undef CONVOLVE_FILL
  }
}

template void FillPixelKernels<float>(int64_t, Kernels<float>&);
template void FillPixelKernels<double>(int64_t, Kernels<double>&);

}  // namespace convolve::cpu
#endif  // HWY_ONCE
