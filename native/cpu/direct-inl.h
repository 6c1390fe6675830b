// Pieces of the fused loop of linear kernels and magnitudes: sums, epilogue, alpha, range and stores of several rows
// and vectors at once, as in sum_kernels.cpp.
#if defined(CONVOLVE_CPU_DIRECT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CONVOLVE_CPU_DIRECT_INL_H_
#undef CONVOLVE_CPU_DIRECT_INL_H_
#else
#define CONVOLVE_CPU_DIRECT_INL_H_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "cpu/kernels.h"
#include "cpu/pixels-inl.h"
#include "cpu/samples-inl.h"

HWY_BEFORE_NAMESPACE();
namespace convolve::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// What is the same for all vectors of a job.
template <typename T>
struct Ending {
  explicit HWY_INLINE Ending(const DirectJob<T>& direct)
      : job(direct),
        in_range(direct.finish),
        lanes(direct.finish.alpha == AlphaWork::kNone ? 2 : direct.finish.channels),
        plain(direct.finish.range == RangeKind::kClamp && direct.finish.offset == 0 &&
              direct.finish.alpha != AlphaWork::kInput) {}

  const DirectJob<T>& job;
  InRange<T> in_range;
  AlphaLanes<T> lanes;
  bool plain;  // a clamp is all
};

/// GCC would rather load a vector again for each of its uses: unaligned loads touch two cache lines each.
template <class V>
HWY_INLINE void KeepInRegister(V& vector) {
#if HWY_TARGET == HWY_AVX3 && defined(__GNUC__)
  __asm__("" : "+v"(vector.raw));
#elif HWY_TARGET == HWY_AVX2 && defined(__GNUC__)
  __asm__("" : "+x"(vector.raw));
#else
  static_cast<void>(vector);
#endif
}

/// R output rows and V vectors from sample `x` on.
template <typename T, typename From, int R, int V>
struct Direct {
  using Integer = std::conditional_t<sizeof(T) == 4, uint8_t, uint16_t>;
  using D = hn::ScalableTag<T>;
  using Sums = hn::Vec<D>[R][V];

  /// Sums with the weights of one input row for the output rows Q0 to Q1 (see Block in sum_kernels.cpp).
  template <int Q0, int Q1>
  static HWY_INLINE void AddRow(const From* HWY_RESTRICT input, size_t step, const T* HWY_RESTRICT weights,
                                size_t stride, size_t columns, Sums& sums) {
    const D d;
    const size_t lanes = hn::Lanes(d);
    for (size_t i = 0; i < columns; ++i, input += step) {
      hn::Vec<D> samples[V];
#pragma GCC unroll 8
      for (int v = 0; v < V; ++v) {
        samples[v] = LoadVector<From, T>(d, input + static_cast<size_t>(v) * lanes);
        if constexpr (Q1 > Q0) KeepInRegister(samples[v]);
      }
#pragma GCC unroll 8
      for (int q = Q0; q <= Q1; ++q) {
        const hn::Vec<D> weight = hn::Set(d, weights[i - static_cast<size_t>(q) * stride]);
#pragma GCC unroll 8
        for (int v = 0; v < V; ++v) sums[q][v] = hn::MulAdd(weight, samples[v], sums[q][v]);
      }
    }
  }

  struct PartRows {
    const std::byte* const* rows;
    size_t at;
    size_t step;
    const T* weights;
    size_t stride;
    size_t columns;

    const From* Row(size_t r) const { return reinterpret_cast<const From*>(rows[r]) + at; }
  };

  template <int E>
  static HWY_INLINE void AddFirstRows(const PartRows& part, Sums& sums) {
    if constexpr (E < R - 1) {
      AddRow<0, E>(part.Row(E), part.step, part.weights + E * part.stride, part.stride, part.columns, sums);
      AddFirstRows<E + 1>(part, sums);
    }
  }

  template <int E>
  static HWY_INLINE void AddLastRows(const PartRows& part, size_t rows, Sums& sums) {
    if constexpr (E < R - 1) {
      const size_t r = rows + E;
      AddRow<E + 1, R - 1>(part.Row(r), part.step, part.weights + r * part.stride, part.stride, part.columns, sums);
      AddLastRows<E + 1>(part, rows, sums);
    }
  }

  static HWY_INLINE void Clear(Sums& sums) {
#pragma GCC unroll 8
    for (int q = 0; q < R; ++q) {
#pragma GCC unroll 8
      for (int v = 0; v < V; ++v) sums[q][v] = hn::Zero(D());
    }
  }

  static HWY_INLINE void SumPart(const DirectJob<T>& job, const DirectKernel<T>& kernel, const KernelPart& part,
                                 size_t x, Sums& sums) {
    const size_t rows = static_cast<size_t>(part.rows);
    const PartRows in{job.rows + kernel.row + part.row,
                      kernel.offset + static_cast<size_t>(part.column) * job.step + x,
                      job.step,
                      kernel.weights + static_cast<size_t>(part.row) * kernel.weight_stride + part.column,
                      kernel.weight_stride,
                      static_cast<size_t>(part.columns)};
    AddFirstRows<0>(in, sums);
    for (size_t r = R - 1; r < rows; ++r) {
      AddRow<0, R - 1>(in.Row(r), in.step, in.weights + r * in.stride, in.stride, in.columns, sums);
    }
    AddLastRows<0>(in, rows, sums);
  }

  /// The same without the weights that are 0, of a kernel of one part.
  static HWY_INLINE void SumUsed(const DirectJob<T>& job, const DirectKernel<T>& kernel, size_t x, Sums& sums) {
    const D d;
    const size_t lanes = hn::Lanes(d);
    const size_t rows = static_cast<size_t>(kernel.parts->rows) + R - 1;
    const size_t columns = static_cast<size_t>(kernel.parts->columns);
    const uint8_t* uses = kernel.uses;
    for (size_t r = 0; r < rows; ++r) {
      const From* HWY_RESTRICT input = reinterpret_cast<const From*>(job.rows[kernel.row + r]) + kernel.offset + x;
      const T* weights = kernel.weights + r * kernel.weight_stride;
      for (size_t i = 0; i < columns; ++i, input += job.step) {
        const unsigned used = R == 1 ? *uses++ & 1u : *uses++;
        if (used == 0) continue;
        hn::Vec<D> samples[V];
#pragma GCC unroll 8
        for (int v = 0; v < V; ++v) {
          samples[v] = LoadVector<From, T>(d, input + static_cast<size_t>(v) * lanes);
          KeepInRegister(samples[v]);
        }
#pragma GCC unroll 8
        for (int q = 0; q < R; ++q) {
          if ((used >> q & 1u) == 0) continue;
          const hn::Vec<D> weight = hn::Set(d, *(weights + i - static_cast<size_t>(q) * kernel.weight_stride));
#pragma GCC unroll 8
          for (int v = 0; v < V; ++v) sums[q][v] = hn::MulAdd(weight, samples[v], sums[q][v]);
        }
      }
    }
  }

  static HWY_INLINE void Sum(const DirectJob<T>& job, const DirectKernel<T>& kernel, size_t x, Sums& sums) {
    const D d;
    const size_t lanes = hn::Lanes(d);
    if (kernel.uses != nullptr) {
      Clear(sums);
      return SumUsed(job, kernel, x, sums);
    }
    HWY_ALIGN T total[R * V * (HWY_MAX_BYTES / sizeof(T))];  // in memory: the registers are full
    for (size_t p = 0;; ++p) {
      Clear(sums);
      SumPart(job, kernel, kernel.parts[p], x, sums);
      if (kernel.part_count == 1) return;
#pragma GCC unroll 8
      for (int q = 0; q < R; ++q) {
#pragma GCC unroll 8
        for (int v = 0; v < V; ++v) {
          T* at = total + static_cast<size_t>(q * V + v) * lanes;
          if (p > 0) sums[q][v] = hn::Add(hn::Load(d, at), sums[q][v]);
          hn::Store(sums[q][v], d, at);
        }
      }
      if (p + 1 == kernel.part_count) return;
    }
  }

  static HWY_INLINE hn::Vec<D> Input(const DirectJob<T>& job, int q, size_t x) {
    const From* row = reinterpret_cast<const From*>(job.rows[job.input_row + static_cast<size_t>(q)]);
    return LoadVector<From, T>(D(), row + job.input_offset + x);
  }

  static HWY_INLINE void AddInput(const DirectJob<T>& job, size_t x, Sums& sums) {
    const D d;
    const EpilogueJob<T>& epilogue = job.epilogue;
    const auto divisor = hn::Set(d, epilogue.divisor);
    const auto result = hn::Set(d, epilogue.result);
    const auto factor = hn::Set(d, epilogue.input_factor);
#pragma GCC unroll 8
    for (int q = 0; q < R; ++q) {
#pragma GCC unroll 8
      for (int v = 0; v < V; ++v) {
        if (epilogue.divisor != 1) sums[q][v] = hn::Div(sums[q][v], divisor);
        if (epilogue.result != 1) sums[q][v] = hn::Mul(sums[q][v], result);
        if (epilogue.input_factor != 0) {
          sums[q][v] = hn::MulAdd(factor, Input(job, q, x + static_cast<size_t>(v) * hn::Lanes(d)), sums[q][v]);
        }
      }
    }
  }

  /// Alpha, offset and range of one vector; the alpha lanes of opaque pictures are filled later.
  static HWY_INLINE hn::Vec<D> Finish(const Ending<T>& ending, int q, size_t x, hn::Vec<D> value) {
    const FinishJob<T>& finish = ending.job.finish;
    hn::Vec<D> colour = ending.in_range(hn::Add(value, hn::Set(D(), finish.offset)));
    if (finish.alpha == AlphaWork::kNone || finish.alpha == AlphaWork::kOpaque) return colour;
    hn::Vec<D> alpha = finish.alpha == AlphaWork::kInput ? Input(ending.job, q, x) : value;
    if (finish.range != RangeKind::kFloat) alpha = Clamped<T>(alpha, ending.in_range.zero, ending.in_range.full);
    return hn::IfThenElse(ending.lanes.At(x), alpha, colour);
  }

  static HWY_INLINE void FinishAll(const Ending<T>& ending, size_t x, Sums& sums) {
    const size_t lanes = hn::Lanes(D());
    if (ending.job.needs_finish && ending.plain) {
#pragma GCC unroll 8
      for (int q = 0; q < R; ++q) {
#pragma GCC unroll 8
        for (int v = 0; v < V; ++v) {
          sums[q][v] = Clamped<T>(sums[q][v], ending.in_range.zero, ending.in_range.full);
        }
      }
    } else if (ending.job.needs_finish) {
#pragma GCC unroll 8
      for (int q = 0; q < R; ++q) {
#pragma GCC unroll 8
        for (int v = 0; v < V; ++v) {
          sums[q][v] = Finish(ending, q, x + static_cast<size_t>(v) * lanes, sums[q][v]);
        }
      }
    }
    if (ending.job.finish.alpha == AlphaWork::kOpaque) {
#pragma GCC unroll 8
      for (int v = 0; v < V; ++v) {
        const auto is_alpha = ending.lanes.At(x + static_cast<size_t>(v) * lanes);
#pragma GCC unroll 8
        for (int q = 0; q < R; ++q) sums[q][v] = hn::IfThenElse(is_alpha, ending.in_range.full, sums[q][v]);
      }
    }
  }

  static HWY_INLINE void Put(const DirectJob<T>& job, size_t x, bool stream, const Sums& sums) {
    const D d;
#pragma GCC unroll 8
    for (int q = 0; q < R; ++q) {
#pragma GCC unroll 8
      for (int v = 0; v < V; ++v) {
        const size_t at = x + static_cast<size_t>(v) * hn::Lanes(d);
        if (job.to_integers) {
          StoreVector<T, Integer>(d, sums[q][v], reinterpret_cast<Integer*>(job.output[q]) + at);
        } else if (stream) {
          hn::Stream(sums[q][v], d, reinterpret_cast<T*>(job.output[q]) + at);
        } else {
          hn::StoreU(sums[q][v], d, reinterpret_cast<T*>(job.output[q]) + at);
        }
      }
    }
  }

  /// What happens to sums, or to lengths of two.
  static HWY_INLINE void End(const Ending<T>& ending, size_t x, bool stream, Sums& sums) {
    if (ending.job.needs_epilogue) AddInput(ending.job, x, sums);
    FinishAll(ending, x, sums);
    Put(ending.job, x, stream, sums);
  }

  template <bool kMagnitude>
  static HWY_INLINE void Run(const Ending<T>& ending, size_t x, bool stream) {
    const DirectJob<T>& job = ending.job;
    Sums sums;
    Sum(job, job.kernels[0], x, sums);
    if constexpr (kMagnitude) {
      Sums other;
      Sum(job, job.kernels[1], x, other);
      const auto divisor = hn::Set(D(), job.kernels[0].divisor);
      const auto other_divisor = hn::Set(D(), job.kernels[1].divisor);
      const bool divide = job.kernels[0].divisor != 1 || job.kernels[1].divisor != 1;
#pragma GCC unroll 8
      for (int q = 0; q < R; ++q) {
#pragma GCC unroll 8
        for (int v = 0; v < V; ++v) {
          if (divide) {
            sums[q][v] = hn::Div(sums[q][v], divisor);
            other[q][v] = hn::Div(other[q][v], other_divisor);
          }
          sums[q][v] = Length<T>(sums[q][v], other[q][v]);
        }
      }
    }
    End(ending, x, stream, sums);
  }
};

/// How many samples to go on until the outputs are aligned for whole vectors; -1 where they never are all at once.
template <typename T>
ptrdiff_t SamplesToAlignment(const DirectJob<T>& job, int outputs) {
  const size_t bytes = hn::Lanes(hn::ScalableTag<T>()) * sizeof(T);
  const size_t beyond = reinterpret_cast<uintptr_t>(job.output[0]) % bytes;
  for (int q = 1; q < outputs; ++q) {
    if (reinterpret_cast<uintptr_t>(job.output[q]) % bytes != beyond) return -1;
  }
  const size_t missing = (bytes - beyond) % bytes;
  const size_t pixel = job.step * sizeof(T);  // alpha lanes must stay where they are
  return missing % pixel == 0 ? static_cast<ptrdiff_t>(missing / sizeof(T)) : -1;
}

}  // namespace convolve::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
