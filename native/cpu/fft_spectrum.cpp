// The kernel goes through the very steps that tiles go through, so that its frequencies come out in the same order.
#include "cpu/fft_spectrum.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "cpu/fft_kernels.h"
#include "cpu/scratch.h"

namespace convolve::cpu {
namespace {

/// Writes the spectrum as cells of `lanes` rows of F.
template <typename F>
void Arrange(const SpectrumKey& key, const double* rows, int first_row, size_t row_lanes, size_t lanes, F* spectrum) {
  const size_t width = static_cast<size_t>(key.width);
  for (size_t lane = 0; lane < row_lanes; ++lane) {
    const size_t row = static_cast<size_t>(first_row) + lane;
    F* const group = spectrum + row / lanes * width * 2 * lanes + row % lanes;
    for (size_t column = 0; column < width; ++column) {
      const double* const cell = rows + column * 2 * row_lanes + lane;
      group[column * 2 * lanes] = static_cast<F>(cell[0]);
      group[column * 2 * lanes + lanes] = static_cast<F>(-cell[row_lanes]);  // the conjugate: correlation
    }
  }
}

/// Of a transform along one axis: the kernel goes through one lane of a strip.
std::shared_ptr<const Spectrum> MakeLine(const SpectrumKey& key) {
  const FftKernels<double>& kernels = FftKernelsFor<double>(key.target);
  const size_t length = static_cast<size_t>(key.width) * static_cast<size_t>(key.height);
  const size_t lanes = kernels.lanes;
  const size_t cell = 2 * lanes;
  std::vector<double, PageAllocator<double>> strip(length * cell);
  const double share = 1.0 / static_cast<double>(length);
  for (size_t i = 0; i < key.weights.size(); ++i) strip[i * cell] = key.weights[i] * share;
  kernels.forward(strip.data(), FftLengthOf<double>(static_cast<int>(length)));
  auto spectrum = std::make_shared<Spectrum>();
  spectrum->bytes.resize(2 * length * (key.in_double ? sizeof(double) : sizeof(float)));
  const auto put = [&](auto* to) {
    using F = std::remove_pointer_t<decltype(to)>;
    for (size_t i = 0; i < length; ++i) {
      to[2 * i] = static_cast<F>(strip[i * cell]);
      to[2 * i + 1] = static_cast<F>(-strip[i * cell + lanes]);  // the conjugate: correlation
    }
  };
  if (key.in_double) {
    put(reinterpret_cast<double*>(spectrum->bytes.data()));
  } else {
    put(reinterpret_cast<float*>(spectrum->bytes.data()));
  }
  return spectrum;
}

}  // namespace

std::shared_ptr<const Spectrum> MakeSpectrum(const SpectrumKey& key) {
  if (key.width == 1 || key.height == 1) return MakeLine(key);
  const FftKernels<double>& kernels = FftKernelsFor<double>(key.target);
  const FftLength<double>& down = FftLengthOf<double>(key.height);
  const FftLength<double>& across = FftLengthOf<double>(key.width);
  const size_t lanes = kernels.lanes;
  const size_t cell = 2 * lanes;
  const size_t strip = static_cast<size_t>(key.height) * cell;
  const size_t strips = static_cast<size_t>(key.width) / lanes;

  const auto plan = [&](Carver& carver) {
    double* const plane = carver.Take<double>(strips * strip);
    return std::pair(plane, carver.Take<double>(static_cast<size_t>(key.width) * cell));
  };
  Carver counter;
  plan(counter);
  std::vector<std::byte, PageAllocator<std::byte>> memory(counter.used());
  Carver carver(memory.data());
  const auto [plane, scratch] = plan(carver);

  const double share = 1.0 / (static_cast<double>(key.width) * key.height);
  for (int j = 0; j < key.kernel_height; ++j) {
    for (int i = 0; i < key.kernel_width; ++i) {
      const size_t column = static_cast<size_t>(i);
      plane[column / lanes * strip + static_cast<size_t>(j) * cell + column % lanes] =
          key.weights[static_cast<size_t>(j) * static_cast<size_t>(key.kernel_width) + column] * share;
    }
  }
  auto spectrum = std::make_shared<Spectrum>();
  const size_t values = 2 * static_cast<size_t>(key.width) * static_cast<size_t>(key.height);
  spectrum->bytes.resize(values * (key.in_double ? sizeof(double) : sizeof(float)));
  for (size_t s = 0; s < strips; ++s) kernels.forward(plane + s * strip, down);
  for (int row = 0; row < key.height; row += static_cast<int>(lanes)) {
    FftAcrossJob<double> job;
    job.plane = {plane + static_cast<size_t>(row) * cell, strip};
    job.length = &across;
    job.scratch = scratch;
    kernels.across(job);
    if (key.in_double) {
      Arrange(key, scratch, row, lanes, lanes, reinterpret_cast<double*>(spectrum->bytes.data()));
    } else {
      Arrange(key, scratch, row, lanes, FftKernelsFor<float>(key.target).lanes,
              reinterpret_cast<float*>(spectrum->bytes.data()));
    }
  }
  return spectrum;
}

size_t SpectrumCache::BytesOf(const Entry& entry) {
  return entry.spectrum->bytes.size() + entry.key.weights.size() * sizeof(double);
}

std::shared_ptr<const Spectrum> SpectrumCache::Find(const SpectrumKey& key) {
  const auto take = [&]() -> std::shared_ptr<const Spectrum> {
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.key == key; });
    if (found == entries_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, found);
    return found->spectrum;
  };
  {
    const std::lock_guard lock(mutex_);
    if (auto spectrum = take()) return spectrum;
  }
  auto made = MakeSpectrum(key);
  const std::lock_guard lock(mutex_);
  ++made_;
  if (auto spectrum = take()) return spectrum;  // another thread was quicker
  entries_.push_front({key, made});
  bytes_ += BytesOf(entries_.front());
  while (bytes_ > most_bytes_ && entries_.size() > 1) {
    bytes_ -= BytesOf(entries_.back());
    entries_.pop_back();
  }
  return made;
}

size_t SpectrumCache::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

uint64_t SpectrumCache::made() const {
  const std::lock_guard lock(mutex_);
  return made_;
}

}  // namespace convolve::cpu
