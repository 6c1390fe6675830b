// From a number of channels to code made for it.
#pragma once

#include <type_traits>

namespace convolve::cuda {

/// Calls launch(channels) with a type that carries the number, 1 to 4.
template <typename Launcher>
void WithChannels(int channels, const Launcher& launch) {
  switch (channels) {
    case 1:
      return launch(std::integral_constant<int, 1>());
    case 2:
      return launch(std::integral_constant<int, 2>());
    case 3:
      return launch(std::integral_constant<int, 3>());
    default:
      return launch(std::integral_constant<int, 4>());
  }
}

}  // namespace convolve::cuda
