// Regions, scratch and launches of a chain of passes.
#include "cuda/chain.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "cuda/box.h"
#include "cuda/check.h"
#include "cuda/mix.h"
#include "cuda/point.h"
#include "cuda/ring.h"
#include "cuda/stencil_pass.h"
#include "cuda/tile.h"
#include "engine/border.h"
#include "engine/error.h"

namespace convolve::cuda {
namespace {

/// Smallest interval that holds every position that first ... last (inclusive) leads to.
struct Interval {
  int first;
  int last;
};

Interval Mapped(BorderKind border, int64_t first, int64_t last, int size) {
  int least = static_cast<int>(std::clamp<int64_t>(first, 0, size - 1));
  int most = static_cast<int>(std::clamp<int64_t>(last, 0, size - 1));
  const auto include = [&](int64_t position) {
    const int mapped = MapPosition(border, position, size);
    if (mapped < 0) return;
    least = std::min(least, mapped);
    most = std::max(most, mapped);
  };
  for (int64_t position = first; position < std::min<int64_t>(0, last + 1); ++position) include(position);
  for (int64_t position = std::max<int64_t>(size, first); position <= last; ++position) include(position);
  return {least, most};
}

SourceParameters SourceOf(const LoweredPass& pass, const DeviceView& source, int width, int height) {
  SourceParameters p = {};
  p.data = source.data;
  p.pitch = static_cast<int>(source.pitch);
  p.left = source.area.x;
  p.top = source.area.y;
  p.columns = source.area.width;
  p.rows = source.area.height;
  p.width = width;
  p.height = height;
  p.type = source.type;
  p.border = pass.border;
  p.bordered = true;
  p.premultiply = pass.premultiply;
  p.alpha_scale = pass.alpha_scale;
  std::copy_n(pass.outside, 4, p.outside);
  return p;
}

/// Whether the border's constant can lie among samples of the source's type, as the walk and the ring want it.
bool OutsideFits(const LoweredPass& pass, const DeviceView& source) {
  if (pass.border != BorderKind::kConstant || source.type == SampleType::kF32) return true;
  const auto most = static_cast<float>(FullScale(source.type));
  return std::all_of(pass.outside, pass.outside + source.channels,
                     [&](float value) { return value >= 0 && value <= most && value == std::floor(value); });
}

/// Whether the pass can read this source as it is; else it has to become float32 first.
bool Reads(const LoweredPass& pass, const DeviceView& source) {
  const bool floats = pass.technique == Technique::kVariant && pass.variant->floats;
  return OutsideFits(pass, source) && (!floats || source.type == SampleType::kF32);
}

/// `region` and the view's area are in pixels of the result; the kernels count in pixels of the input, `offset`
/// further.
TargetParameters TargetOf(const DeviceView& target, const Region& region, int offset_x, int offset_y) {
  TargetParameters p = {};
  p.data = target.data;
  p.pitch = static_cast<int>(target.pitch);
  p.left = target.area.x + offset_x;
  p.top = target.area.y + offset_y;
  p.x0 = region.x + offset_x;
  p.y0 = region.y + offset_y;
  p.x1 = p.x0 + region.width;
  p.y1 = p.y0 + region.height;
  p.type = target.type;
  p.vector = false;
  return p;
}

OutputParameters OutputOf(const SourceParameters& own, const TargetParameters& target, const FinishParameters& finish) {
  OutputParameters p = {};
  p.own = own;
  p.target = target;
  p.finish = finish;
  p.rule = SumRule::kFinish;
  return p;
}

/// Rows of results that LaunchStaged computes at once, so that its scratch stays bounded. At least as many as the
/// kernel has, so that no more than half of the work is done twice.
int StagedRows(const LoweredPass& pass, int width, int channels) {
  constexpr int64_t kScratchBytes = int64_t{1} << 30;
  const int64_t row_bytes = int64_t{width} * channels * 4 * (pass.pairs > 1 ? 2 : 1);
  const int height = pass.kernels[0].height;
  return static_cast<int>(std::clamp<int64_t>(kScratchBytes / row_bytes - height, height, 1 << 20));
}

/// A separable kernel too large for the ring: each pair across into scratch, then down; all but the last pair's sums
/// wait in `partial`.
void LaunchStaged(const ReadyPass& pass, const SourceParameters& source, const TargetParameters& target,
                  const FinishParameters& finish, int channels, const Device& device, cudaStream_t stream,
                  const std::function<void()>& between) {
  const LoweredPass& lowered = *pass.lowered;
  const DeviceKernel& shape = lowered.kernels[0];
  const int width = target.x1 - target.x0;
  const int height = target.y1 - target.y0;
  const Region rows{target.x0, target.y0 - shape.anchor_y, width, height + shape.height - 1};
  const DevicePicture across = device.AllocatePicture(SampleType::kF32, channels, rows, stream);
  DevicePicture partial;
  if (lowered.pairs > 1) {
    partial = device.AllocatePicture(SampleType::kF32, channels, {target.x0, target.y0, width, height}, stream);
  }
  for (int pair = 0; pair < lowered.pairs; ++pair) {
    const float* row = pass.weights + static_cast<ptrdiff_t>(pair) * (shape.width + shape.height);
    TileJob job = {};
    job.source = source;
    job.kernels[0] = {row, shape.width, 1, shape.anchor_x, 0};
    job.output = OutputOf(source, TargetOf(across.view, rows, 0, 0), finish);
    job.output.rule = SumRule::kStore;
    LaunchTile(job, channels, stream, between);

    const bool last = pair + 1 == lowered.pairs;
    job.source = SourceOf(lowered, across.view, width, height);
    job.source.bordered = false;
    job.source.premultiply = false;
    job.kernels[0] = {row + shape.width, 1, shape.height, 0, shape.anchor_y};
    job.output = OutputOf(source, last ? target : TargetOf(partial.view, partial.view.area, 0, 0), finish);
    job.output.rule =
        last ? (pair == 0 ? SumRule::kFinish : SumRule::kAddFinish) : (pair == 0 ? SumRule::kStore : SumRule::kAdd);
    job.output.partial = static_cast<const float*>(partial.view.data);
    job.output.partial_pitch = static_cast<int>(partial.view.pitch);
    job.output.partial_left = target.x0;
    job.output.partial_top = target.y0;
    LaunchTile(job, channels, stream, between);
  }
}

}  // namespace

Region NeededInput(const LoweredPass& pass, const Region& region, int channels, int input_width, int input_height) {
  int64_t x = region.x + (pass.valid ? pass.reach.left : 0);
  int64_t y = region.y + (pass.valid ? pass.reach.top : 0);
  int64_t x_end = x + region.width;
  int64_t y_end = y + region.height;
  if (pass.technique == Technique::kFft) {
    // Whole tiles, so that what a tile computes does not depend on the region.
    const int step_x = pass.fft.step_x * FftGroupTiles(channels);
    x = x / step_x * step_x;
    y = y / pass.fft.step_y * pass.fft.step_y;
    x_end = (x_end + step_x - 1) / step_x * step_x;
    y_end = (y_end + pass.fft.step_y - 1) / pass.fft.step_y * pass.fft.step_y;
  }
  if (pass.technique == Technique::kBox) {
    // Whole segments, and strips from their beginning, for the same reason; whichever way the box is summed.
    const DeviceKernel& shape = pass.kernels[0];
    const int64_t first[] = {x, y};
    std::vector<BoxCut> cuts = {PairCut(shape.width)};
    const BoxSize box{shape.width, shape.height};
    const BoxSize picture{input_width, input_height};
    if (RingSuits(channels, box)) cuts.push_back(RingCut(channels, box, picture));
    if (channels == 1 || channels == 4) {
      for (const SampleType type : {SampleType::kU8, SampleType::kF32}) {
        cuts.push_back(WalkCut(channels, type, box, picture));
      }
    }
    for (const BoxCut& cut : cuts) {
      x = std::min(x, first[0] / cut.segment * cut.segment);
      x_end = std::max(x_end, (x_end + cut.segment - 1) / cut.segment * cut.segment);
      y = std::min(y, first[1] / cut.strip * cut.strip);
    }
    x_end = std::min<int64_t>(x_end, input_width);
  }
  const Interval across = Mapped(pass.border, x - pass.reach.left, x_end - 1 + pass.reach.right, input_width);
  const Interval down = Mapped(pass.border, y - pass.reach.top, y_end - 1 + pass.reach.bottom, input_height);
  return {across.first, down.first, across.last - across.first + 1, down.last - down.first + 1};
}

int AlignedLeft(const LoweredPass& pass, const DeviceView& source, SampleType target, const Region& region) {
  const bool bytes = UsesByteWalk(pass, source, target);
  if (!bytes && pass.technique != Technique::kWalk) return region.x;
  WalkKey key = pass.walk;
  key.type = source.type;
  const int samples = bytes ? ByteWalkAlignment(pass.byte_walk) : WalkAlignment(key);
  const int offset = pass.valid ? pass.reach.left : 0;
  const int pixels = std::lcm(samples, source.channels) / source.channels;
  const int from_source = region.x + offset - source.area.x;
  const int left = source.area.x + from_source / pixels * pixels - offset;
  // Never left of the result: what lies there is the next pass's border, and no pixel.
  return left < 0 ? region.x : left;
}

bool UsesByteWalk(const LoweredPass& pass, const DeviceView& source, SampleType target) {
  return pass.byte_walk.side > 0 && pass.technique != Technique::kStencil && source.type == SampleType::kU8 &&
         !pass.premultiply && (pass.byte_walk.exact || target == SampleType::kU8);
}

bool UsesMatrix(const ReadyPass& pass, const DeviceView& source, SampleType target) {
  const bool dense = pass.lowered->technique == Technique::kWalk || pass.lowered->technique == Technique::kTile;
  return dense && pass.lowered->pair.steps == 0 && pass.fragments != nullptr && source.type == SampleType::kU8 &&
         source.channels == 4 && !pass.lowered->premultiply && (pass.lowered->matrix.fine || target == SampleType::kU8);
}

bool UsesMatrixPair(const ReadyPass& pass, const FinishParameters& finish, const DeviceView& source,
                    SampleType target) {
  return pass.lowered->pair.steps > 0 && pass.fragments != nullptr && source.type == SampleType::kU8 &&
         source.channels == 4 && !pass.lowered->premultiply && finish.simple && target == SampleType::kU8;
}

void LaunchPass(const ReadyPass& pass, const FinishParameters& finish, const DeviceView& source, int input_width,
                int input_height, const DeviceView& target, const Region& region, const Device& device,
                cudaStream_t stream, const std::function<void()>& between) {
  const LoweredPass& lowered = *pass.lowered;
  const int channels = source.channels;
  const int offset_x = lowered.valid ? lowered.reach.left : 0;
  const int offset_y = lowered.valid ? lowered.reach.top : 0;
  const SourceParameters from = SourceOf(lowered, source, input_width, input_height);
  TargetParameters to = TargetOf(target, region, offset_x, offset_y);
  const int multiprocessors = device.traits().multiprocessors;
  if (UsesByteWalk(lowered, source, target.type)) {
    to.vector = (int64_t{from.left - to.left} * channels) % ByteWalkAlignment(lowered.byte_walk) == 0;
    between();
    LaunchByteWalk({from, to, finish, &lowered.byte_walk, channels, multiprocessors, stream});
    return;
  }
  if (UsesMatrix(pass, source, target.type)) {
    between();
    LaunchMatrix({from, OutputOf(from, to, finish), &lowered.matrix, pass.fragments}, stream);
    return;
  }
  if (UsesMatrixPair(pass, finish, source, target.type)) {
    between();
    LaunchMatrixPair({from, OutputOf(from, to, finish), &lowered.pair, pass.fragments}, stream);
    return;
  }
  switch (lowered.technique) {
    case Technique::kWalk: {
      WalkKey key = lowered.walk;
      key.type = source.type;
      const WalkFunction walk = FindWalk(key);
      if (walk == nullptr) throw Error(ErrorCode::kInternal, "cuda: no such walk");
      to.vector = (int64_t{from.left - to.left} * channels) % WalkAlignment(key) == 0;
      between();
      walk({from, to, finish, lowered.weights.data(), multiprocessors, stream});
      break;
    }
    case Technique::kTile: {
      TileJob job = {};
      job.source = from;
      job.output = OutputOf(from, to, finish);
      job.kernels[0] = lowered.kernels[0];
      job.kernels[0].weights = pass.weights;
      job.kernels[1] = lowered.kernels[1];
      job.kernels[1].weights = pass.weights + ptrdiff_t{lowered.kernels[0].width} * lowered.kernels[0].height;
      job.magnitude = lowered.magnitude;
      LaunchTile(job, channels, stream, between);
      break;
    }
    case Technique::kRing: {
      RingJob job = {};
      job.source = from;
      job.output = OutputOf(from, to, finish);
      std::copy(lowered.weights.begin(), lowered.weights.end(), job.weights);
      job.pairs = lowered.pairs;
      job.width = lowered.kernels[0].width;
      job.height = lowered.kernels[0].height;
      job.anchor_x = lowered.kernels[0].anchor_x;
      job.anchor_y = lowered.kernels[0].anchor_y;
      LaunchRing(job, channels, multiprocessors, stream, between);
      break;
    }
    case Technique::kFft: {
      FftJob job = {};
      job.source = from;
      job.output = OutputOf(from, to, finish);
      job.kernel = lowered.kernels[0];
      job.kernel.weights = pass.weights;
      job.shape = lowered.fft;
      job.spectrum = pass.spectrum;
      job.whole = lowered.whole && source.type != SampleType::kF32;
      LaunchFft(job, channels, device, stream, between);
      break;
    }
    case Technique::kSparse: {
      SparseJob job = {};
      job.source = from;
      job.output = OutputOf(from, to, finish);
      job.taps = pass.taps;
      job.count = static_cast<int>(lowered.taps.size());
      for (const SparseTap& tap : lowered.taps) {
        job.left = std::max(job.left, -tap.x);
        job.top = std::max(job.top, -tap.y);
        job.right = std::max(job.right, tap.x);
        job.bottom = std::max(job.bottom, tap.y);
      }
      LaunchSparse(job, channels, stream, between);
      break;
    }
    case Technique::kBox: {
      const DeviceKernel& shape = lowered.kernels[0];
      const bool integers = lowered.box_integers && source.type != SampleType::kF32;
      LaunchBox({from, OutputOf(from, to, finish), shape.width, shape.height, shape.anchor_x, shape.anchor_y, integers,
                 lowered.box_divisor},
                channels, device, stream, between);
      break;
    }
    case Technique::kDiffusion:
      between();
      LaunchDiffusion({from, OutputOf(from, to, finish), lowered.diffusion}, channels, stream);
      break;
    case Technique::kStaged:
      for (int y = to.y0, end = to.y1; y < end; y = to.y1) {
        to.y0 = y;
        to.y1 = std::min(y + StagedRows(lowered, to.x1 - to.x0, channels), end);
        LaunchStaged(pass, from, to, finish, channels, device, stream, between);
      }
      break;
    case Technique::kVariant: {
      VariantJob job{from, OutputOf(from, to, finish), lowered.kernels[0], &device, stream, between};
      job.kernel.weights = pass.weights;
      lowered.variant->launch(job, channels);
      break;
    }
    case Technique::kStencil:
      LaunchStencilPass(lowered, finish, from, to, channels, device, stream, between);
      break;
  }
}

Chain::Chain(const Device& device, Lane& lane, const CancelToken& cancel, const std::vector<LoweredPass>& passes,
             const std::vector<MixPictures>& mixes, const PictureKind& kind, const DeviceView& source)
    : device_(device), lane_(lane), cancel_(cancel), passes_(passes), mixes_(mixes), kind_(kind), source_(source) {
  ResultSize size{source.area.width, source.area.height};
  for (const LoweredPass& pass : passes_) {
    sizes_.push_back(size);
    if (pass.valid) {
      size.width -= pass.reach.left + pass.reach.right;
      size.height -= pass.reach.top + pass.reach.bottom;
    }
  }
  sizes_.push_back(size);
}

/// Before each launch: stop where cancelled, and let at most two launches wait on the device, so that stopping is
/// quick.
void Chain::Between() {
  cancel_.ThrowIfCancelled();
  device_.Launching();
  const cudaEvent_t event = lane_.pace[launches_++ % 2];
  Check(cudaEventSynchronize(event), "waiting for the device");
  Check(cudaEventRecord(event, lane_.stream), "event");
}

DevicePicture Chain::Floats(const DeviceView& source, const Region& region, PointLight light) {
  DevicePicture floats = device_.AllocatePicture(SampleType::kF32, kind_.channels, region, lane_.stream);
  PointJob job = {};
  job.source = SourceOf({}, source, source.area.width, source.area.height);
  job.target = TargetOf(floats.view, region, 0, 0);
  job.light = light;
  job.curve = ready_->curve();
  job.alpha = kind_.alpha;
  job.full_scale = static_cast<float>(FullScale(kind_.depth));
  Between();
  LaunchPoint(job, kind_.channels, lane_.stream);
  return floats;
}

DevicePicture Chain::Filtered(size_t index, const DeviceView& source, const Region& region, SampleType type,
                              bool store) {
  const LoweredPass& pass = passes_[index];
  const ResultSize size = sizes_[index];
  const auto launched = [&](const DeviceView& from) {
    const int left = AlignedLeft(pass, from, type, region);
    const Region area{left, region.y, region.x + region.width - left, region.height};
    DevicePicture target = device_.AllocatePicture(type, kind_.channels, area, lane_.stream);
    const FinishParameters finish = store ? WithStore(pass.finish, kind_.depth, type) : pass.finish;
    LaunchPass((*ready_)[index], finish, from, size.width, size.height, target.view, region, device_, lane_.stream,
               [this] { Between(); });
    return target;
  };
  if (!pass.linear && Reads(pass, source)) return launched(source);
  const DevicePicture floats = Floats(source, NeededInput(pass, region, kind_.channels, size.width, size.height),
                                      pass.linear ? PointLight::kDecode : PointLight::kKeep);
  return launched(floats.view);
}

DevicePicture Chain::Mixed(size_t index, const DeviceView& source, const DeviceView& filtered, const Region& region,
                           SampleType type, const FinishParameters& store) {
  const LoweredPass& pass = passes_[index];
  const MixPictures& pictures = mixes_[index];
  const auto buffer = [](const DeviceView& view) { return SourceOf({}, view, view.area.width, view.area.height); };
  DevicePicture target = device_.AllocatePicture(type, kind_.channels, region, lane_.stream);
  MixJob job = {};
  job.filtered = buffer(filtered);
  job.input = buffer(pictures.input != nullptr ? pictures.input->picture.view : source);
  if (pictures.mask != nullptr) job.mask = buffer(pictures.mask->picture.view);
  job.input_x = pass.mix->input_x;
  job.input_y = pass.mix->input_y;
  job.target = TargetOf(target.view, region, 0, 0);
  job.mix = pass.mix->parameters;
  job.range = pass.mix->range;
  job.linear = pass.linear;
  job.curve = ready_->curve();
  job.alpha = kind_.alpha;
  job.finish = store;
  Between();
  LaunchMix(job, kind_.channels, lane_.stream);
  return target;
}

DevicePicture Chain::Encoded(const DeviceView& filtered, const Region& region, SampleType type,
                             const FinishParameters& store) {
  DevicePicture target = device_.AllocatePicture(type, kind_.channels, filtered.area, lane_.stream);
  PointJob job = {};
  job.source = SourceOf({}, filtered, filtered.area.width, filtered.area.height);
  job.target = TargetOf(target.view, region, 0, 0);
  job.light = PointLight::kEncode;
  job.curve = ready_->curve();
  job.alpha = kind_.alpha;
  job.full_scale = static_cast<float>(FullScale(kind_.depth));
  job.finish = store;
  Between();
  LaunchPoint(job, kind_.channels, lane_.stream);
  return target;
}

DevicePicture Chain::Step(size_t index, const DeviceView& source, const Region& region, SampleType type, bool last,
                          bool encode) {
  const LoweredPass& pass = passes_[index];
  const bool stored = last && encode;
  const SampleType wanted = stored ? type : SampleType::kF32;
  const bool linear = pass.linear && (encode || !last);
  if (!linear && !pass.mix) return Filtered(index, source, region, wanted, stored);
  const FinishParameters store = stored ? WithStore({}, kind_.depth, type) : FinishParameters{};
  const DevicePicture filtered = Filtered(index, source, region, SampleType::kF32, false);
  if (pass.mix) return Mixed(index, source, filtered.view, region, wanted, store);
  return Encoded(filtered.view, region, wanted, store);
}

DevicePicture Chain::Compute(const Region& region, SampleType type, bool encode) {
  if (!ready_) ready_.emplace(device_, passes_, kind_, lane_.stream);
  // From the last pass back: the part of each pass's result that is needed.
  std::vector<Region> parts(passes_.size());
  Region part = region;
  for (size_t i = passes_.size(); i-- > 0;) {
    parts[i] = part;
    part = NeededInput(passes_[i], part, kind_.channels, sizes_[i].width, sizes_[i].height);
  }
  DevicePicture current;
  DeviceView source = source_;
  for (size_t i = 0; i < passes_.size(); ++i) {
    current = Step(i, source, parts[i], type, i + 1 == passes_.size(), encode);
    source = current.view;
  }
  if (passes_.empty()) {
    current = device_.AllocatePicture(type, kind_.channels, region, lane_.stream);
    PointJob job = {};
    job.source = SourceOf({}, source_, source_.area.width, source_.area.height);
    job.target = TargetOf(current.view, region, 0, 0);
    job.light = PointLight::kKeep;
    job.finish = WithStore({}, kind_.depth, type);
    Between();
    LaunchPoint(job, kind_.channels, lane_.stream);
  }
  return current;
}

}  // namespace convolve::cuda
