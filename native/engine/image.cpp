// Image memory: one block of pages an image, with typed errors instead of overflow or std::bad_alloc.
#include "engine/image.h"

#include <limits>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "engine/error.h"
#include "engine/pages.h"
#include "engine/reduce.h"

namespace convolve {
namespace {

constexpr int64_t kMostSamplesChannels = 4;

std::string Times(int64_t width, int64_t height) { return std::to_string(width) + " x " + std::to_string(height); }

size_t RequireBytes(int width, int height, int channels, bool alpha, SampleType type) {
  if (width < 1 || height < 1) {
    throw Error(ErrorCode::kInvalidArgument, "image size", "at least 1 x 1 pixels", Times(width, height));
  }
  if (channels < 1 || channels > kMostSamplesChannels) {
    throw Error(ErrorCode::kInvalidArgument, "image channels", "1 to 4", std::to_string(channels));
  }
  if (alpha && channels != 2 && channels != 4) {
    throw Error(ErrorCode::kInvalidArgument, "image channels", "2 or 4 for an image with alpha",
                std::to_string(channels));
  }
  if (width > kMaximumDimension || height > kMaximumDimension) {
    throw Error(ErrorCode::kImageTooLarge, "image size",
                "at most " + std::to_string(kMaximumDimension) + " pixels a side", Times(width, height));
  }
  const int64_t pixels = int64_t{width} * height;
  if (pixels > kMaximumPixels) {
    throw Error(ErrorCode::kImageTooLarge, "image size", "at most " + std::to_string(kMaximumPixels) + " pixels",
                Times(width, height));
  }
  const uint64_t bytes = static_cast<uint64_t>(pixels) * static_cast<uint64_t>(channels) * BytesPerSample(type);
  if (bytes > std::numeric_limits<size_t>::max() / 2) {
    throw Error(ErrorCode::kImageTooLarge, "image size", "an image that fits this machine's address space",
                std::to_string(bytes) + " bytes");
  }
  return static_cast<size_t>(bytes);
}

std::byte* Allocate(size_t bytes) {
  std::byte* const pages = AllocatePages(bytes);
  if (pages == nullptr) throw Error(ErrorCode::kOutOfMemory, "image", "", std::to_string(bytes) + " bytes asked for");
  return pages;
}

template <typename View>
View ViewOf(decltype(View::data) data, int width, int height, int channels) {
  return View{data, width, height, channels, static_cast<ptrdiff_t>(width) * channels};
}

}  // namespace

void Image::PagesDelete::operator()(std::byte* pointer) const { FreePages(pointer, bytes); }

Image::Image(int width, int height, int channels, bool alpha, SampleType type, std::shared_ptr<const ToneCurve> curve)
    : width_(width),
      height_(height),
      channels_(channels),
      alpha_(alpha),
      type_(type),
      curve_(std::move(curve)),
      bytes_(RequireBytes(width, height, channels, alpha, type)),
      buffer_(Allocate(bytes_), PagesDelete{bytes_}) {}

AnyView Image::view() {
  std::byte* bytes = data();
  switch (type_) {
    case SampleType::kU8:
      return ViewOf<View<uint8_t>>(reinterpret_cast<uint8_t*>(bytes), width_, height_, channels_);
    case SampleType::kU16:
      return ViewOf<View<uint16_t>>(reinterpret_cast<uint16_t*>(bytes), width_, height_, channels_);
    case SampleType::kF32:
      return ViewOf<View<float>>(reinterpret_cast<float*>(bytes), width_, height_, channels_);
    case SampleType::kF64:
      return ViewOf<View<double>>(reinterpret_cast<double*>(bytes), width_, height_, channels_);
  }
  throw Error(ErrorCode::kInternal, "sample type");
}

AnyConstView Image::view() const {
  const std::byte* bytes = data();
  switch (type_) {
    case SampleType::kU8:
      return ViewOf<View<const uint8_t>>(reinterpret_cast<const uint8_t*>(bytes), width_, height_, channels_);
    case SampleType::kU16:
      return ViewOf<View<const uint16_t>>(reinterpret_cast<const uint16_t*>(bytes), width_, height_, channels_);
    case SampleType::kF32:
      return ViewOf<View<const float>>(reinterpret_cast<const float*>(bytes), width_, height_, channels_);
    case SampleType::kF64:
      return ViewOf<View<const double>>(reinterpret_cast<const double*>(bytes), width_, height_, channels_);
  }
  throw Error(ErrorCode::kInternal, "sample type");
}

std::shared_ptr<Image> Reduce(const Image& image, int level) {
  RequireLevel(level);
  try {
    auto reduced = std::make_shared<Image>(ReducedLength(image.width(), level), ReducedLength(image.height(), level),
                                           image.channels(), image.alpha(), image.type(), image.curve());
    ReduceInto(image.view(), image.alpha(), level, reduced->view());
    return reduced;
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::kOutOfMemory, "reduced image");
  }
}

}  // namespace convolve
