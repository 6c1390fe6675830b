// Image memory: what is refused, and by which error; how the buffer lies.
#include "engine/image.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "engine/error.h"
#include "memory_limit.h"
#include "pictures.h"

namespace convolve::test {
namespace {

ErrorCode CodeOf(int width, int height, int channels, bool alpha, SampleType type = SampleType::kU8) {
  try {
    const Image image(width, height, channels, alpha, type);
  } catch (const Error& error) {
    return error.code();
  }
  FAIL("the image was accepted");
  return ErrorCode::kInternal;
}

TEST_CASE("an image has the size, channels and type that were asked for, rows without padding") {
  const Image image(7, 5, 4, true, SampleType::kU16);
  CHECK(image.width() == 7);
  CHECK(image.height() == 5);
  CHECK(image.channels() == 4);
  CHECK(image.alpha());
  CHECK(image.type() == SampleType::kU16);
  CHECK(image.bytes() == 7 * 5 * 4 * 2);
  const auto view = std::get<View<const uint16_t>>(image.view());
  CHECK(view.stride == 7 * 4);
  CHECK(static_cast<const void*>(view.data) == static_cast<const void*>(image.data()));
}

TEST_CASE("image memory is aligned to 64 bytes, small or large") {
  for (const int side : {1, 3, 100, 3000}) {
    CAPTURE(side);
    const Image image(side, side, 1, false, SampleType::kU8);
    CHECK(reinterpret_cast<uintptr_t>(image.data()) % 64 == 0);
  }
}

TEST_CASE("every sample of an image can be written and read again, large ones too") {
  Image image(3001, 2003, 2, true, SampleType::kU16);
  const auto writable = std::get<View<uint16_t>>(image.view());
  for (int y = 0; y < writable.height; ++y) {
    for (int i = 0; i < writable.width * 2; ++i) writable.Row(y)[i] = static_cast<uint16_t>(y * 31 + i);
  }
  const Image& shared = image;
  const auto readable = std::get<View<const uint16_t>>(shared.view());
  bool equal = true;
  for (int y = 0; y < readable.height; ++y) {
    for (int i = 0; i < readable.width * 2; ++i) {
      equal = equal && readable.Row(y)[i] == static_cast<uint16_t>(y * 31 + i);
    }
  }
  CHECK(equal);
}

TEST_CASE("sizes below one pixel, channels outside 1 to 4 and alpha without room are invalid arguments") {
  CHECK(CodeOf(0, 5, 1, false) == ErrorCode::kInvalidArgument);
  CHECK(CodeOf(5, 0, 1, false) == ErrorCode::kInvalidArgument);
  CHECK(CodeOf(-1, 5, 1, false) == ErrorCode::kInvalidArgument);
  CHECK(CodeOf(5, 5, 0, false) == ErrorCode::kInvalidArgument);
  CHECK(CodeOf(5, 5, 5, false) == ErrorCode::kInvalidArgument);
  CHECK(CodeOf(5, 5, 1, true) == ErrorCode::kInvalidArgument);
  CHECK(CodeOf(5, 5, 3, true) == ErrorCode::kInvalidArgument);
}

TEST_CASE("two or four channels may or may not have alpha") {
  for (const int channels : {2, 4}) {
    for (const bool alpha : {false, true}) CHECK(Image(1, 1, channels, alpha, SampleType::kU8).alpha() == alpha);
  }
}

TEST_CASE("images over the limits of side and pixels are too large, whatever 32 bits would make of them") {
  CHECK(CodeOf(kMaximumDimension + 1, 1, 1, false) == ErrorCode::kImageTooLarge);
  CHECK(CodeOf(1, kMaximumDimension + 1, 1, false) == ErrorCode::kImageTooLarge);
  CHECK(CodeOf(65536, 65536, 1, false) == ErrorCode::kImageTooLarge);  // 2^32 pixels: 0 in 32 bits
  CHECK(CodeOf(kMaximumDimension, kMaximumDimension, 4, false) == ErrorCode::kImageTooLarge);
  CHECK(CodeOf(46341, 46342, 1, false) == ErrorCode::kImageTooLarge);  // the first product over 2^31
}

#if !defined(__SANITIZE_ADDRESS__)  // its shadow needs the address space that a limit takes away
TEST_CASE("an image that memory has no room for is an out-of-memory error that says how much was asked for") {
  const MemoryLimit limit(size_t{8} << 30);
  try {
    const Image image(65536, 32768, 4, true, SampleType::kF64);
    FAIL_CHECK("64 GiB were given");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kOutOfMemory);
    CHECK(std::string(error.what()).find("68719476736 bytes") != std::string::npos);
  }
}

TEST_CASE("the reference backend reports that its float64 copy does not fit") {
  const auto image = std::make_shared<Image>(16384, 16384, 4, true, SampleType::kU8);  // never read: 8 GiB fail first
  const MemoryLimit limit(size_t{4} << 30);
  uint8_t pixel[4] = {};
  try {
    MakeReferenceBackend()->Run({{PassOf(Sharpen())}}, image, {{0, 0, 1, 1}, 0}, View<uint8_t>{pixel, 1, 1, 4, 4},
                                CancelToken());
    FAIL_CHECK("8 GiB were given");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kOutOfMemory);
  }
}
#endif

}  // namespace
}  // namespace convolve::test
