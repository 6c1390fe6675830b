// libvips, as its C functions. Its integer convolution takes a mask of whole numbers and a scale, so the weights are
// rounded to multiples of a 255th of the largest one: that is how one asks for its quick path.
#include <vips/vips.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>

#include "peers.h"

namespace convolve::bench {
namespace {

/// Masks with more taps leave its vector path: a 63 x 63 one takes most of a minute.
constexpr int kVectorTaps = 1024;
/// Those run on this share of the picture's rows.
constexpr int kBands = 20;
/// And those beyond this many taps only where slow runs are asked for.
constexpr int kSlowTaps = 63 * 63;

void Check(int code) {
  if (code == 0) return;
  const std::string text = vips_error_buffer();
  vips_error_clear();
  throw std::runtime_error("libvips: " + text);
}

void Start() {
  static const bool started = [] {
    if (VIPS_INIT("bench") != 0) throw std::runtime_error("libvips does not start");
    // Every run computes: nothing is remembered from the run before.
    vips_cache_set_max(0);
    return true;
  }();
  (void)started;
}

VipsBandFormat BandFormat(SampleType type) {
  switch (type) {
    case SampleType::kU8:
      return VIPS_FORMAT_UCHAR;
    case SampleType::kU16:
      return VIPS_FORMAT_USHORT;
    case SampleType::kF32:
      return VIPS_FORMAT_FLOAT;
    case SampleType::kF64:
      return VIPS_FORMAT_DOUBLE;
  }
  return VIPS_FORMAT_UCHAR;
}

struct Unreference {
  void operator()(VipsImage* image) const { g_object_unref(image); }
};
using Owned = std::unique_ptr<VipsImage, Unreference>;

Owned Mask(int width, int height, std::vector<double> weights, double scale) {
  Owned mask(vips_image_new_matrix_from_array(width, height, weights.data(), static_cast<int>(weights.size())));
  if (!mask) throw std::runtime_error("libvips: no mask");
  vips_image_set_double(mask.get(), "scale", scale);
  return mask;
}

/// Weights as whole numbers; the scale keeps their sum over the divisor where they have one.
Owned WholeMask(int width, int height, const std::vector<double>& weights, double divisor) {
  double most = 0;
  double least = 1e300;
  for (const double weight : weights) {
    most = std::max(most, std::abs(weight));
    if (weight != 0) least = std::min(least, std::abs(weight));
  }
  const bool whole = std::all_of(weights.begin(), weights.end(), [](double w) { return w == std::round(w); });
  const double factor = whole ? 1 : 255 / most;
  std::vector<double> rounded;
  double sum = 0;
  double wanted = 0;
  for (const double weight : weights) {
    rounded.push_back(std::round(weight * factor));
    sum += rounded.back();
    wanted += weight / divisor;
  }
  const double scale = std::abs(wanted) > 1e-9 ? sum / wanted : divisor * factor;
  return Mask(width, height, std::move(rounded), scale);
}

using Operate = std::function<int(VipsImage* in, VipsImage** out)>;

Operate OperationFor(const Row& row) {
  switch (row.operation) {
    case Operation::kMagnitude:
      return [](VipsImage* in, VipsImage** out) { return vips_sobel(in, out, nullptr); };
    case Operation::kGaussian:
    case Operation::kBox: {
      double sum = 0;
      for (const double tap : row.taps) sum += tap;
      const std::shared_ptr<VipsImage> mask(WholeMask(row.size, 1, row.taps, sum).release(), Unreference());
      return [mask](VipsImage* in, VipsImage** out) {
        return vips_convsep(in, out, mask.get(), "precision", VIPS_PRECISION_INTEGER, nullptr);
      };
    }
    case Operation::kFilter:
      break;
  }
  const std::shared_ptr<VipsImage> mask(
      WholeMask(row.kernel.width, row.kernel.height, row.kernel.weights, row.kernel.divisor).release(), Unreference());
  return [mask](VipsImage* in, VipsImage** out) {
    return vips_conv(in, out, mask.get(), "precision", VIPS_PRECISION_INTEGER, nullptr);
  };
}

Owned Over(const Image& image, const std::byte* data, int height) {
  const size_t bytes = image.bytes() / static_cast<size_t>(image.height()) * static_cast<size_t>(height);
  Owned view(
      vips_image_new_from_memory(data, bytes, image.width(), height, image.channels(), BandFormat(image.type())));
  if (!view) throw std::runtime_error("libvips: no image");
  return view;
}

}  // namespace

std::string VipsName() {
  Start();
  return std::string("libvips ") + vips_version_string();
}

std::vector<Contestant> VipsContestants(const Row& row, const PeerWork& work, bool slow) {
  const bool integers = work.source.type() == SampleType::kU8 || work.source.type() == SampleType::kU16;
  if (!integers) return {};
  const bool flat = row.operation == Operation::kGaussian || row.operation == Operation::kBox;
  const int taps = flat ? row.size : row.size * row.size;
  if (!slow && taps > kSlowTaps) return {};
  Start();
  const int height = taps > kVectorTaps && !slow ? std::max(1, work.source.height() / kBands) : work.source.height();
  Contestant contestant;
  contestant.name = row.operation == Operation::kMagnitude ? "sobel" : flat ? "convsep" : "conv";
  contestant.family = "libvips";
  contestant.threads = work.crew.size();
  contestant.share = static_cast<double>(height) / work.source.height();
  contestant.prepare = [threads = contestant.threads] { vips_concurrency_set(threads); };
  contestant.run = [operate = OperationFor(row), &source = work.source, height] {
    const Owned in = Over(source, source.data(), height);
    VipsImage* result = nullptr;
    Check(operate(in.get(), &result));
    const Owned lazy(result);
    // An image in memory of its own. The bench keeps malloc from giving pages back, so that it is warm memory.
    const Owned out(vips_image_copy_memory(lazy.get()));
    if (!out) Check(1);
  };
  return {contestant};
}

}  // namespace convolve::bench
