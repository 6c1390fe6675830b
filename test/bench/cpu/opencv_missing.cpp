// A bench built without OpenCV.
#include "peers.h"

namespace convolve::bench {

std::string OpenCvName() { return "OpenCV (not there when the bench was built; --install-peers installs it)"; }
std::vector<Contestant> OpenCvContestants(const Row&, const PeerWork&) { return {}; }

}  // namespace convolve::bench
