// A bench built without libvips.
#include "peers.h"

namespace convolve::bench {

std::string VipsName() { return "libvips (not there when the bench was built; --install-peers fetches its headers)"; }
std::vector<Contestant> VipsContestants(const Row&, const PeerWork&, bool) { return {}; }

}  // namespace convolve::bench
