// Lowering a pass once and launching it often.
#include "pass_timer.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace convolve::bench {

PassTimer::PassTimer(const Work& work, const PictureSet& pictures, cudaStream_t stream, int repeat)
    : pictures_(pictures), stream_(stream) {
  pass_.work = work;
  pass_.border.kind = BorderKind::kMirror;
  pass_.repeat = repeat;
  const cuda::DeviceView& view = pictures.source(0);
  cuda::PictureKind kind;
  kind.channels = view.channels;
  kind.depth = view.type;
  kind.stored = view.type;
  std::string why;
  cuda::DeviceTraits traits;
  cuda::ProbeDevice(&traits, &why);
  device_ = std::make_unique<cuda::Device>(traits);
  passes_ = cuda::Lower({{pass_}}, kind, traits.block_shared_bytes, false);
  if (passes_.size() != 1) {
    std::fprintf(stderr, "a pass that runs as %zu is not timed as one\n", passes_.size());
    std::exit(1);
  }
  finish_ = cuda::WithStore(passes_[0].finish, view.type, view.type);
  ready_ = std::make_unique<cuda::ReadyPasses>(*device_, passes_, kind, stream);
}

const char* PassTimer::technique() const {
  if (cuda::UsesByteWalk(passes_[0], pictures_.source(0), pictures_.source(0).type)) return "bytes";
  if (cuda::UsesMatrix((*ready_)[0], pictures_.source(0), pictures_.source(0).type)) return "matrix";
  if (cuda::UsesMatrixPair((*ready_)[0], finish_, pictures_.source(0), pictures_.source(0).type)) return "pair";
  switch (passes_[0].technique) {
    case cuda::Technique::kWalk:
      return "walk";
    case cuda::Technique::kTile:
      return "tile";
    case cuda::Technique::kRing:
      return "ring";
    case cuda::Technique::kStaged:
      return "staged";
    case cuda::Technique::kVariant:
      return "variant";
    case cuda::Technique::kStencil:
      return "stencil";
    case cuda::Technique::kFft:
      return "fft";
    case cuda::Technique::kSparse:
      return "sparse";
    case cuda::Technique::kBox:
      return "box";
  }
  return "";
}

void PassTimer::Between(const cuda::DeviceView& source, const cuda::DeviceView& target) const {
  cuda::LaunchPass((*ready_)[0], finish_, source, source.area.width, source.area.height, target, source.area, *device_,
                   stream_, [] {});
}

}  // namespace convolve::bench
