// Other programs' filters on the bench's own buffers. A peer that was not there when the bench was built has no
// contestant.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "crew.h"
#include "engine/image.h"
#include "race.h"
#include "rows.h"

namespace convolve::bench {

/// What a peer works on. The pictures outlive its contestants.
struct PeerWork {
  const Image& source;
  std::byte* destination;  // as large as the source
  Crew& crew;
};

/// "OpenCV 4.6.0" and how it runs, or why it is missing.
std::string OpenCvName();
/// Each function of OpenCV that does the row's work, as it is called plainly and, with more than one thread, with row
/// strips cut by hand.
std::vector<Contestant> OpenCvContestants(const Row& row, const PeerWork& work);

std::string VipsName();
/// libvips' integer path ("libvips") for integer pictures. `slow` also runs what takes minutes; otherwise kernels
/// beyond its vector path run on a band of the picture and `share` says how much of it, or not at all.
std::vector<Contestant> VipsContestants(const Row& row, const PeerWork& work, bool slow);

}  // namespace convolve::bench
