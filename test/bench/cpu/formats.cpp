// Fills pictures with noise from a small generator: the standard one is slow for half a gigabyte.
#include "formats.h"

#include <type_traits>
#include <variant>

namespace convolve::bench {

const std::vector<Format>& Formats() {
  static const std::vector<Format> formats = {
      {"u8 RGBA", SampleType::kU8, 4},   {"u8 RGB", SampleType::kU8, 3},    {"u8 grey", SampleType::kU8, 1},
      {"u16 RGBA", SampleType::kU16, 4}, {"f32 RGBA", SampleType::kF32, 4}, {"f32 grey", SampleType::kF32, 1},
  };
  return formats;
}

std::shared_ptr<Image> NoisePicture(const Format& format, int width, int height) {
  auto image = std::make_shared<Image>(width, height, format.channels, format.channels == 4, format.type);
  uint64_t state = 0x9E3779B97F4A7C15u;
  std::visit(
      [&](const auto& view) {
        using T = std::remove_pointer_t<decltype(view.data)>;
        for (int y = 0; y < height; ++y) {
          T* const row = view.Row(y);
          for (int i = 0; i < width * format.channels; ++i) {
            // xorshift64*, Vigna 2016.
            state ^= state >> 12;
            state ^= state << 25;
            state ^= state >> 27;
            const uint32_t random = static_cast<uint32_t>((state * 0x2545F4914F6CDD1Du) >> 32);
            if constexpr (std::is_integral_v<T>) {
              row[i] = static_cast<T>(random);
            } else {
              row[i] = static_cast<T>(random >> 8) / static_cast<T>(1 << 24);
            }
          }
        }
      },
      image->view());
  return image;
}

}  // namespace convolve::bench
