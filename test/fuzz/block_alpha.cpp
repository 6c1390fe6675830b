// With colours c, alphas a and their mean m = sum(c a) / sum(a), alphas that are d off move it by
//   sum((c - m) d) / sum(a + d), at most sum|c - m| / (sum(a) - pixels) for d of a level.
#include "block_alpha.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "engine/plan.h"

namespace convolve::fuzz {
namespace {

bool IsInteger(SampleType type) { return type == SampleType::kU8 || type == SampleType::kU16; }

/// Whether a level of alpha can be another one on another backend.
bool RoundsAlpha(const CaseSpec& spec) {
  if (!spec.alpha || spec.level == 0 || !IsInteger(spec.destination)) return false;
  const auto filters = [](const PassSpec& pass) { return pass.alpha != AlphaMode::kColourOnly; };
  return spec.type != spec.destination || std::any_of(spec.passes.begin(), spec.passes.end(), filters);
}

template <typename T>
std::vector<double> MovedIn(const CaseSpec& spec, const BuiltCase& built, Backend& reference) {
  const ResultSize size = SizeAfter(built.plan, spec.width, spec.height);
  const int channels = spec.channels;
  const ptrdiff_t stride = ptrdiff_t{size.width} * channels;
  std::vector<T> samples(static_cast<size_t>(stride) * static_cast<size_t>(size.height));
  const View<T> view{samples.data(), size.width, size.height, channels, stride};
  reference.Run(built.plan, built.image, {{0, 0, size.width, size.height}, 0}, view, CancelToken());

  const auto moved_at = [&](int column, int row) {
    const int block = 1 << spec.level;
    const int left = column * block;
    const int top = row * block;
    const int right = std::min(left + block, size.width);
    const int bottom = std::min(top + block, size.height);
    double alphas = 0;
    std::vector<double> means(static_cast<size_t>(channels - 1));
    std::vector<double> deviations(means.size());
    const auto for_each = [&](const auto& visit) {
      for (int y = top; y < bottom; ++y) {
        for (int x = left; x < right; ++x) visit(view.Row(y) + static_cast<ptrdiff_t>(x) * channels);
      }
    };
    for_each([&](const T* pixel) {
      alphas += pixel[channels - 1];
      for (size_t c = 0; c < means.size(); ++c) means[c] += static_cast<double>(pixel[c]) * pixel[channels - 1];
    });
    const double rest = alphas - static_cast<double>(right - left) * (bottom - top);
    if (rest <= 0) return std::numeric_limits<double>::infinity();
    for_each([&](const T* pixel) {
      for (size_t c = 0; c < means.size(); ++c) deviations[c] += std::abs(pixel[c] - means[c] / alphas);
    });
    return *std::max_element(deviations.begin(), deviations.end()) / rest;
  };

  const Region& region = built.request.region;
  std::vector<double> moved;
  for (int y = 0; y < region.height; ++y) {
    for (int x = 0; x < region.width; ++x) moved.push_back(moved_at(region.x + x, region.y + y));
  }
  return moved;
}

}  // namespace

std::vector<double> MovedByAlpha(const CaseSpec& spec, const BuiltCase& built, Backend& reference) {
  if (!RoundsAlpha(spec)) return {};
  if (spec.destination == SampleType::kU8) return MovedIn<uint8_t>(spec, built, reference);
  return MovedIn<uint16_t>(spec, built, reference);
}

}  // namespace convolve::fuzz
