// Rows of interleaved samples become cells of planes, and cells rows; what the guard needs to know is looked at on the
// way in.
#include "cpu/target_list.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/fft_row_kernels.cpp"
#include <hwy/foreach_target.h>
// After foreach_target:
#include <hwy/highway.h>

#include <cstring>
#include <map>
#include <type_traits>

#include "cpu/fft_kernel_tables.h"
#include "cpu/lanes-inl.h"
#include "cpu/samples-inl.h"
#include "cpu/targets.h"

HWY_BEFORE_NAMESPACE();
namespace convolve::cpu::HWY_NAMESPACE {
namespace {  // each of these files has functions of the same names
namespace hn = hwy::HWY_NAMESPACE;

template <typename F>
using Tag = hn::ScalableTag<F>;
template <typename F>
using Vec = hn::Vec<hn::ScalableTag<F>>;

/// T as many lanes as F has: half a vector of float beside a whole one of double.
template <typename T, typename F>
using FromTag = hn::Rebind<T, hn::ScalableTag<F>>;

template <typename T, typename F>
HWY_INLINE Vec<F> Widened(hn::Vec<FromTag<T, F>> value) {
  if constexpr (sizeof(T) == sizeof(F)) {
    return value;
  } else if constexpr (sizeof(T) < sizeof(F)) {
    return hn::PromoteTo(Tag<F>(), value);
  } else {
    return ToSingle(FromTag<T, F>(), value);
  }
}

template <typename T, typename F>
HWY_INLINE hn::Vec<FromTag<T, F>> Narrowed(Vec<F> value) {
  if constexpr (sizeof(T) == sizeof(F)) {
    return value;
  } else if constexpr (sizeof(T) < sizeof(F)) {
    return ToSingle(Tag<F>(), value);
  } else {
    return hn::PromoteTo(FromTag<T, F>(), value);
  }
}

/// Calls work with C vectors of T, one for each channel, for each vector of pixels.
template <typename T, typename F, int C>
HWY_INLINE void LoadPixels(const T* HWY_RESTRICT at, hn::Vec<FromTag<T, F>> (&channel)[4]) {
  const FromTag<T, F> d;
  if constexpr (C == 1) channel[0] = hn::LoadU(d, at);
  if constexpr (C == 2) hn::LoadInterleaved2(d, at, channel[0], channel[1]);
  if constexpr (C == 3) hn::LoadInterleaved3(d, at, channel[0], channel[1], channel[2]);
  if constexpr (C == 4) hn::LoadInterleaved4(d, at, channel[0], channel[1], channel[2], channel[3]);
}

template <typename T, typename F, int C>
void SplitChannels(const FftSplitJob<T, F>& job) {
  const Tag<F> d;
  const size_t lanes = hn::Lanes(d);
  const Vec<F> middle = hn::Set(d, job.middle);
  const Vec<F> zero = hn::Zero(d);
  Vec<F> most = hn::Load(d, job.seen);
  Vec<F> strange = hn::Load(d, job.seen + lanes);
  const T* HWY_RESTRICT at = job.row;
  for (size_t s = 0; s < job.strips; ++s, at += lanes * C) {
    hn::Vec<FromTag<T, F>> channel[4];
    LoadPixels<T, F, C>(at, channel);
#pragma GCC unroll 4
    for (int c = 0; c < C; ++c) {
      if (job.to[c] == nullptr) continue;
      const Vec<F> value = Widened<T, F>(channel[c]);
      most = hn::Max(most, hn::Abs(value));
      strange = hn::MulAdd(value, zero, strange);  // 0 for every finite value, else not a number
      hn::Store(hn::Sub(value, middle), d, job.to[c] + s * job.strip_stride);
    }
  }
  hn::Store(most, d, job.seen);
  hn::Store(strange, d, job.seen + lanes);
}

/// One byte of each pixel of `channels` bytes, of as many pixels as F has lanes.
template <typename F, int C>
void SplitBytes(const FftSplitJob<uint8_t, F>& job) {
  const Tag<F> d;
  const hn::RebindToSigned<Tag<F>> d_int;
  const size_t lanes = hn::Lanes(d);
  const Vec<F> middle = hn::Set(d, job.middle);
  const uint8_t* HWY_RESTRICT at = job.row;
  for (size_t s = 0; s < job.strips; ++s, at += lanes * C) {
    const size_t to = s * job.strip_stride;
    if constexpr (C == 1) {
      const auto whole = hn::PromoteTo(d_int, hn::LoadU(hn::Rebind<uint8_t, Tag<F>>(), at));
      hn::Store(hn::Sub(hn::ConvertTo(d, whole), middle), d, job.to[0] + to);
    } else {
      const hn::RebindToUnsigned<Tag<F>> d_word;
#if HWY_TARGET == HWY_SCALAR
      uint32_t word;
      std::memcpy(&word, at, sizeof word);
      const auto words = hn::Set(d_word, word);
#else
      const auto words = hn::BitCast(d_word, hn::LoadU(hn::Repartition<uint8_t, Tag<F>>(), at));
#endif
      const auto put = [&](int c, auto shifted) {
        if (job.to[c] == nullptr) return;
        const auto whole = hn::BitCast(d_int, hn::And(shifted, hn::Set(d_word, 0xff)));
        hn::Store(hn::Sub(hn::ConvertTo(d, whole), middle), d, job.to[c] + to);
      };
      put(0, words);
      put(1, hn::ShiftRight<8>(words));
      put(2, hn::ShiftRight<16>(words));
      put(3, hn::ShiftRight<24>(words));
    }
  }
}

template <typename F>
void SplitAnyBytes(const FftSplitJob<uint8_t, F>& job) {
  return job.channels == 1 ? SplitBytes<F, 1>(job) : SplitBytes<F, 4>(job);
}

template <typename T, typename F>
void Split(const FftSplitJob<T, F>& job) {
  switch (job.channels) {
    case 1:
      return SplitChannels<T, F, 1>(job);
    case 2:
      return SplitChannels<T, F, 2>(job);
    case 3:
      return SplitChannels<T, F, 3>(job);
    default:
      return SplitChannels<T, F, 4>(job);
  }
}

template <typename T, typename F, int C>
HWY_INLINE void StorePixels(const hn::Vec<FromTag<T, F>> (&channel)[4], T* HWY_RESTRICT at) {
  const FromTag<T, F> d;
  if constexpr (C == 1) hn::StoreU(channel[0], d, at);
  if constexpr (C == 2) hn::StoreInterleaved2(channel[0], channel[1], d, at);
  if constexpr (C == 3) hn::StoreInterleaved3(channel[0], channel[1], channel[2], d, at);
  if constexpr (C == 4) hn::StoreInterleaved4(channel[0], channel[1], channel[2], channel[3], d, at);
}

/// 1 or 4 channels, rounded.
template <int C>
HWY_INLINE void StoreBytes(const Vec<float> (&channel)[4], uint8_t* HWY_RESTRICT at) {
  const Tag<float> d;
  const hn::Rebind<int32_t, Tag<float>> d_int;
  if constexpr (C == 1) {
    hn::StoreU(Rounded<uint8_t>(d, channel[0]), hn::Rebind<uint8_t, Tag<float>>(), at);
  } else {
    const auto whole = [&](int c) { return hn::ConvertTo(d_int, BeforeCut<uint8_t>(d, channel[c])); };
    const auto low = hn::Or(whole(0), hn::ShiftLeft<8>(whole(1)));
    const auto pixels = hn::Or(low, hn::Or(hn::ShiftLeft<16>(whole(2)), hn::ShiftLeft<24>(whole(3))));
#if HWY_TARGET == HWY_SCALAR
    const int32_t pixel = hn::GetLane(pixels);
    std::memcpy(at, &pixel, sizeof pixel);
#else
    const hn::Repartition<uint8_t, Tag<float>> d_byte;
    hn::StoreU(hn::BitCast(d_byte, pixels), d_byte, at);
#endif
  }
}

template <typename T, typename F, int C, bool kRound, bool kBytes = false>
void JoinChannels(const FftJoinJob<T, F>& job) {
  const Tag<F> d;
  const size_t lanes = hn::Lanes(d);
  const Vec<F> added = hn::Set(d, job.added);
  const Vec<F> quantum = hn::Set(d, kRound ? job.quantum : F(1));
  const Vec<F> per_quantum = hn::Set(d, kRound ? F(1) / job.quantum : F(1));
  const FromTag<T, F> d_to;
  const auto divisor = hn::Set(d_to, job.divisor);
  const auto low = hn::Set(d_to, job.low);
  const auto high = hn::Set(d_to, job.high);
  const auto empty = hn::Set(d_to, job.empty);
  const bool divide = job.divisor != 1;
  for (size_t s = 0; s < job.strips; ++s) {
    hn::Vec<FromTag<T, F>> channel[4];
#pragma GCC unroll 4
    for (int c = 0; c < C; ++c) {
      if (job.from[c] == nullptr) {
        channel[c] = empty;
        continue;
      }
      Vec<F> value = hn::Add(hn::Load(d, job.from[c] + s * job.strip_stride), added);
      if constexpr (kRound) value = hn::Mul(hn::Round(hn::Mul(value, per_quantum)), quantum);
      auto result = Narrowed<T, F>(value);
      if (divide) result = hn::Div(result, divisor);
      channel[c] = hn::Min(high, hn::Max(low, result));
    }
    if constexpr (kBytes) {
      StoreBytes<C>(channel, job.bytes + s * lanes * C);
    } else {
      StorePixels<T, F, C>(channel, job.row + s * lanes * C);
    }
  }
}

template <typename T, typename F, int C>
void JoinEither(const FftJoinJob<T, F>& job) {
  if constexpr (std::is_same_v<T, float> && std::is_same_v<F, float> && (C == 1 || C == 4)) {
    if (job.bytes != nullptr) {
      return job.quantum != 0 ? JoinChannels<T, F, C, true, true>(job) : JoinChannels<T, F, C, false, true>(job);
    }
  }
  return job.quantum != 0 ? JoinChannels<T, F, C, true>(job) : JoinChannels<T, F, C, false>(job);
}

template <typename T, typename F>
void Join(const FftJoinJob<T, F>& job) {
  switch (job.channels) {
    case 1:
      return JoinEither<T, F, 1>(job);
    case 2:
      return JoinEither<T, F, 2>(job);
    case 3:
      return JoinEither<T, F, 3>(job);
    default:
      return JoinEither<T, F, 4>(job);
  }
}

}  // namespace

template <typename F>
void FillFftRows(FftKernels<F>& kernels) {
  kernels.split_single = &Split<float, F>;
  kernels.join_single = &Join<float, F>;
  if constexpr (sizeof(F) == sizeof(float)) kernels.split_bytes = &SplitAnyBytes<F>;
  if constexpr (sizeof(F) == sizeof(double)) {  // a plan that works in double is never transformed in float
    kernels.split_double = &Split<double, F>;
    kernels.join_double = &Join<double, F>;
  }
}

}  // namespace convolve::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace convolve::cpu {

template <typename F>
void FillFftRowKernels(int64_t target, FftKernels<F>& kernels) {
  switch (target) {
#define CONVOLVE_FILL(bit, space) \
  case bit:                       \
    return space::FillFftRows<F>(kernels);
    CONVOLVE_FOR_EACH_TARGET(CONVOLVE_FILL)
#undef CONVOLVE_FILL
  }
}

namespace {

template <typename F>
std::map<int64_t, FftKernels<F>> MakeFftTables() {
  std::map<int64_t, FftKernels<F>> tables;
  for (const Target& target : AvailableTargets()) {
    FillFftTransformKernels<F>(target.bit, tables[target.bit]);
    FillFftRowKernels<F>(target.bit, tables[target.bit]);
  }
  return tables;
}

}  // namespace

template <typename F>
const FftKernels<F>& FftKernelsFor(int64_t target) {
  static const std::map<int64_t, FftKernels<F>> tables = MakeFftTables<F>();
  return tables.at(target);
}

template const FftKernels<float>& FftKernelsFor<float>(int64_t);
template const FftKernels<double>& FftKernelsFor<double>(int64_t);

}  // namespace convolve::cpu
#endif  // HWY_ONCE
