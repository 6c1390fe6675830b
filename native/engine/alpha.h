// What counts as fully transparent, in every backend alike.
#pragma once

namespace convolve {

/// A share of full scale: a pixel whose alpha has a smaller magnitude counts as fully transparent, so its colour is 0
/// and takes no offset.
inline constexpr double kTransparent = 1e-6;

}  // namespace convolve
