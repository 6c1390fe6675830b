// Beside parity with the reference: the same bytes in any tiling, on any number of threads and from kept results, and
// not a byte outside the destination.
#include "trial.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>

#include "block_alpha.h"
#include "build.h"
#if CONVOLVE_FUZZ_CPU
#include "cpu/cpu_backend.h"
#endif
#include "dice.h"
#include "engine/kept_result.h"
#include "engine/plan.h"
#include "engine/reduce.h"
#include "reach.h"
#include "tolerance.h"

namespace convolve::fuzz {
namespace {

/// Integer results must be the exactly rounded value in at least this share of samples.
constexpr double kExactShare = 0.999;
/// The share says little about fewer samples, or of few cases.
constexpr int64_t kEnoughSamples = 100000;
constexpr double kEnoughCases = 10;
/// Where cancelling weights leave less alpha than this, colour is a quotient of rests; and where rounded alphas weigh
/// the pixels of a block.
constexpr double kLittleAlpha = 0.02;

constexpr unsigned char kUntouched = 0xA5;

bool IsInteger(SampleType type) { return type == SampleType::kU8 || type == SampleType::kU16; }

/// Destination memory with padding after each row and a margin around it, all marked.
class Destination {
 public:
  Destination(const CaseSpec& spec, const Region& region)
      : type_(spec.destination),
        width_(region.width),
        height_(region.height),
        channels_(spec.channels),
        stride_(ptrdiff_t{region.width} * spec.channels + spec.padding),
        bytes_(
            (2 * kMargin + static_cast<size_t>(stride_) * static_cast<size_t>(region.height)) * BytesPerSample(type_),
            std::byte{kUntouched}) {}

  AnyView view() { return Part({0, 0, width_, height_}); }

  AnyView Part(const Region& part) {
    std::byte* const first = bytes_.data() + kMargin * BytesPerSample(type_);
    const ptrdiff_t offset = part.y * stride_ + ptrdiff_t{part.x} * channels_;
    const auto make = [&](auto sample) {
      using T = decltype(sample);
      return View<T>{reinterpret_cast<T*>(first) + offset, part.width, part.height, channels_, stride_};
    };
    switch (type_) {
      case SampleType::kU8:
        return make(uint8_t{});
      case SampleType::kU16:
        return make(uint16_t{});
      case SampleType::kF32:
        return make(float{});
      case SampleType::kF64:
        return make(double{});
    }
    return make(uint8_t{});
  }

  double At(int x, int y, int c) const {
    const size_t index = kMargin + static_cast<size_t>(y) * static_cast<size_t>(stride_) +
                         static_cast<size_t>(x) * static_cast<size_t>(channels_) + static_cast<size_t>(c);
    const std::byte* const at = bytes_.data() + index * BytesPerSample(type_);
    const auto read = [&](auto sample) {
      std::memcpy(&sample, at, sizeof sample);
      return static_cast<double>(sample);
    };
    switch (type_) {
      case SampleType::kU8:
        return read(uint8_t{});
      case SampleType::kU16:
        return read(uint16_t{});
      case SampleType::kF32:
        return read(float{});
      case SampleType::kF64:
        return read(double{});
    }
    return 0;
  }

  /// Whether padding and margins are as they were.
  bool KeptOutside() const {
    const size_t size = BytesPerSample(type_);
    const auto untouched = [&](size_t from, size_t to) {
      return std::all_of(bytes_.begin() + static_cast<ptrdiff_t>(from * size),
                         bytes_.begin() + static_cast<ptrdiff_t>(to * size),
                         [](std::byte byte) { return byte == std::byte{kUntouched}; });
    };
    const size_t row = static_cast<size_t>(width_) * static_cast<size_t>(channels_);
    const size_t stride = static_cast<size_t>(stride_);
    bool kept =
        untouched(0, kMargin) && untouched(kMargin + stride * static_cast<size_t>(height_), bytes_.size() / size);
    for (size_t y = 0; y < static_cast<size_t>(height_); ++y) {
      kept = kept && untouched(kMargin + y * stride + row, kMargin + (y + 1) * stride);
    }
    return kept;
  }

  /// The same bytes, but that one not-a-number is as good as another: their sign is the processor's whim.
  bool SameAs(const Destination& other) const {
    if (bytes_ == other.bytes_) return true;
    for (int y = 0; y < height_; ++y) {
      for (int x = 0; x < width_; ++x) {
        for (int c = 0; c < channels_; ++c) {
          const double mine = At(x, y, c);
          const double theirs = other.At(x, y, c);
          const bool same = mine == theirs && std::signbit(mine) == std::signbit(theirs);
          if (!same && !(std::isnan(mine) && std::isnan(theirs))) return false;
        }
      }
    }
    return KeptOutside() && other.KeptOutside();
  }

 private:
  static constexpr size_t kMargin = 64;  // samples
  SampleType type_;
  int width_, height_, channels_;
  ptrdiff_t stride_;
  std::vector<std::byte> bytes_;
};

void RunInto(Backend& backend, const BuiltCase& built, Destination& destination) {
  backend.Run(built.plan, built.image, built.request, destination.view(), CancelToken());
}

/// What a comparison needs to know about the case.
struct Law {
  const CaseSpec& spec;
  const BuiltCase& built;
  Tolerance tolerance;
  std::vector<char> reached;        // of the whole result at level 0
  std::vector<double> alpha_moves;  // of the region: levels by which rounded alphas may move a colour; empty: none

  double AlphaMoves(int x, int y) const {
    if (alpha_moves.empty()) return 0;
    const size_t width = static_cast<size_t>(built.request.region.width);
    return alpha_moves[static_cast<size_t>(y) * width + static_cast<size_t>(x)];
  }

  /// Whether a pixel of the region depends on a sample that is not finite.
  bool Reached(int x, int y) const {
    if (reached.empty()) return false;
    const RunRequest& request = built.request;
    const ResultSize size = SizeAfter(built.plan, spec.width, spec.height);
    const int block = 1 << request.level;
    const int left = (request.region.x + x) * block;
    const int top = (request.region.y + y) * block;
    for (int v = top; v < std::min(top + block, size.height); ++v) {
      for (int u = left; u < std::min(left + block, size.width); ++u) {
        if (reached[static_cast<size_t>(v) * static_cast<size_t>(size.width) + static_cast<size_t>(u)] != 0)
          return true;
      }
    }
    return false;
  }
};

/// Largest difference that is right for a sample of which the reference says `want`, in units of the destination.
/// `moved`: by how much rounded alphas may have moved it.
double Allowed(const Law& law, double want, double alpha, double moved) {
  const double full = FullScale(law.spec.destination);
  const bool weighted = alpha < 1;
  double error = law.tolerance.error * (1 + std::abs(want / full));
  if (weighted) error /= std::max(alpha, 1e-9);
  if (!IsInteger(law.spec.destination)) return error * full;
  if (law.tolerance.exact && law.spec.level == 0) return 0;
  return 1 + std::floor(error * full) + std::ceil(moved);
}

std::string Describe(const char* what, int x, int y, int c, double want, double have, double allowed) {
  std::ostringstream text;
  text.precision(12);
  text << what << " at (" << x << ", " << y << ") channel " << c << ": the reference says " << want << ", got " << have
       << ", allowed " << allowed;
  return text.str();
}

/// The reference's values before rounding, in shares of full scale, of the cases on which exact rounding is counted:
/// some, because they cost the reference a second run.
std::optional<Destination> Unrounded(const CaseSpec& spec, const BuiltCase& built, Backend& reference) {
  if (!IsInteger(spec.destination) || spec.level != 0 || spec.seed % 4 != 0) return std::nullopt;
  CaseSpec floating = spec;
  floating.destination = SampleType::kF64;
  std::optional<Destination> values(std::in_place, floating, built.request.region);
  RunInto(reference, built, *values);
  return values;
}

/// A value this near to a half, in levels, is a tie: float64 sums of the same weights round to either side of it.
constexpr double kTie = 1e-6;

bool IsTie(double levels) { return std::abs(levels - std::floor(levels) - 0.5) < kTie; }

void CountRounded(const Law& law, const Destination& unrounded, const Destination& wanted, const Destination& got,
                  Rounded& rounded) {
  const double full = FullScale(law.spec.destination);
  if (law.tolerance.error * full >= 0.5) return;
  const Region& region = law.built.request.region;
  int64_t samples = 0;
  for (int y = 0; y < region.height; ++y) {
    for (int x = 0; x < region.width; ++x) {
      const double alpha = law.spec.alpha ? std::abs(wanted.At(x, y, law.spec.channels - 1)) / full : 1;
      if (alpha < kLittleAlpha || law.Reached(x, y)) continue;
      for (int c = 0; c < law.spec.channels; ++c) {
        if (IsTie(unrounded.At(x, y, c) * full)) continue;
        ++samples;
        if (wanted.At(x, y, c) == got.At(x, y, c)) ++rounded.exact;
      }
    }
  }
  rounded.samples += samples;
  rounded.samples_squared += static_cast<double>(samples) * static_cast<double>(samples);
}

std::optional<std::string> Differs(const Law& law, const Destination& wanted, const Destination& got) {
  const Region& region = law.built.request.region;
  const CaseSpec& spec = law.spec;
  const bool weighted = spec.alpha && !spec.passes.empty() && spec.passes.back().alpha == AlphaMode::kWeighted;
  const double full = FullScale(spec.destination);
  const bool averaged = spec.alpha && spec.level > 0;
  for (int y = 0; y < region.height; ++y) {
    for (int x = 0; x < region.width; ++x) {
      if (law.Reached(x, y)) continue;
      const double alpha = spec.alpha ? std::abs(wanted.At(x, y, spec.channels - 1)) / full : 1;
      for (int c = 0; c < spec.channels; ++c) {
        const bool colour = !spec.alpha || c + 1 < spec.channels;
        const bool divided = colour && (weighted || averaged);
        if (divided && alpha < kLittleAlpha && (law.tolerance.quotient_of_rests || IsInteger(spec.destination)))
          continue;
        const double want = wanted.At(x, y, c);
        const double have = got.At(x, y, c);
        const double allowed =
            Allowed(law, want, divided ? std::min(alpha, 1.0) : 1.0, colour ? law.AlphaMoves(x, y) : 0);
        if (!(std::abs(want - have) <= allowed)) return Describe("differs", x, y, c, want, have, allowed);
      }
    }
  }
  return std::nullopt;
}

/// The region cut at random, tile by tile.
void RunTiled(Backend& backend, const BuiltCase& built, Dice& dice, Destination& destination) {
  const Region& whole = built.request.region;
  for (int x = 0; x < whole.width;) {
    const int width = dice.OneIn(3) ? whole.width - x : dice.Between(1, whole.width - x);
    for (int y = 0; y < whole.height;) {
      const int height = dice.OneIn(3) ? whole.height - y : dice.Between(1, whole.height - y);
      backend.Run(built.plan, built.image, {{whole.x + x, whole.y + y, width, height}, built.request.level},
                  destination.Part({x, y, width, height}), CancelToken());
      y += height;
    }
    x += width;
  }
}

Plan Cut(const Plan& plan, size_t begin, size_t end) {
  return {{plan.passes.begin() + static_cast<ptrdiff_t>(begin), plan.passes.begin() + static_cast<ptrdiff_t>(end)}};
}

/// From what the first passes leave, which was computed in part for passes that are not the plan's.
void RunAfterOthers(Backend& backend, const BuiltCase& built, Dice& dice, Destination& destination) {
  const std::vector<Pass>& passes = built.plan.passes;
  const size_t cut = static_cast<size_t>(dice.Between(1, static_cast<int>(passes.size()) - 1));
  KeptResult kept(built.image, Cut(built.plan, 0, cut));
  Pass other;
  other.work = DenseWeights{1, 1, 0, 0, {0.5}, 1};
  const Region part{0, 0, dice.Between(1, kept.width()), dice.Between(1, kept.height())};
  Image ignored(part.width, part.height, built.image->channels(), built.image->alpha(), SampleType::kF32);
  backend.RunAfter(kept, {{other}}, {part, 0}, ignored.view(), CancelToken());
  backend.RunAfter(kept, Cut(built.plan, cut, passes.size()), built.request, destination.view(), CancelToken());
}

std::optional<std::string> MeasureDiffers(const Law& law, Backend& reference, Backend& backend) {
  const Extremes wanted = reference.Measure(law.built.plan, law.built.image, CancelToken());
  const Extremes got = backend.Measure(law.built.plan, law.built.image, CancelToken());
  const double most = 1 + std::max(std::abs(wanted.minimum), std::abs(wanted.maximum));
  const double allowed = law.tolerance.error * most;
  if (!(std::abs(wanted.minimum - got.minimum) <= allowed)) {
    return Describe("measured minimum differs", 0, 0, 0, wanted.minimum, got.minimum, allowed);
  }
  if (!(std::abs(wanted.maximum - got.maximum) <= allowed)) {
    return Describe("measured maximum differs", 0, 0, 0, wanted.maximum, got.maximum, allowed);
  }
  return std::nullopt;
}

}  // namespace

Session::Session(const std::string& target) : reference_(MakeReferenceBackend()) {
  if (target == "cuda") {
    // Sums of 16-bit samples have few bits of a float32 left below a level.
    every_.push_back({target, MakeCudaBackend(), MakeCudaBackend(), {kExactShare, 0.97}, {}});
    if (!every_.back().one->info().available)
      throw std::runtime_error("cuda: " + every_.back().one->info().description);
    return;
  }
#if CONVOLVE_FUZZ_CPU
  const std::vector<cpu::Target> targets =
      target.empty() ? cpu::AvailableTargets() : std::vector<cpu::Target>{cpu::TargetNamed(target)};
  for (const cpu::Target& one : targets) {
    every_.push_back({one.name,
                      std::make_unique<cpu::CpuBackend>(1, one),
                      std::make_unique<cpu::CpuBackend>(3, one),
                      {kExactShare, kExactShare},
                      {}});
    every_.push_back({one.name + ", transformed lines",
                      std::make_unique<cpu::CpuBackend>(1, one, cpu::PairSums::kTransformed),
                      std::make_unique<cpu::CpuBackend>(3, one, cpu::PairSums::kTransformed),
                      {kExactShare, kExactShare},
                      {},
                      true});
  }
#else
  throw std::runtime_error("this build has no cpu backend: say --target cuda");
#endif
}

std::optional<std::string> Session::Try(const CaseSpec& spec) {
  const std::optional<BuiltCase> built = Build(spec);
  if (!built) return std::nullopt;
  Law law{spec, *built, ToleranceOf(spec, *built), ReachedBySpecials(*built), MovedByAlpha(spec, *built, *reference_)};
  const bool exact = law.tolerance.exact;
  const bool pairs = std::any_of(spec.passes.begin(), spec.passes.end(),
                                 [](const PassSpec& pass) { return pass.work.kind == WorkKind::kSeparable; });
  Destination wanted(spec, built->request.region);
  RunInto(*reference_, *built, wanted);
  const std::optional<Destination> unrounded = Unrounded(spec, *built, *reference_);
  for (Tested& tested : every_) {
    if (tested.lines && !pairs) continue;
    // Sums of whole numbers, whose halves are rare, are rounded after a transform as all others are.
    law.tolerance.exact = exact && !tested.lines;
    const auto failed = [&](const std::string& what) { return tested.name + ": " + what; };
    try {
      Destination got(spec, built->request.region);
      RunInto(*tested.one, *built, got);
      if (!got.KeptOutside()) return failed("wrote outside the destination");
      if (const auto what = Differs(law, wanted, got)) return failed(*what);
      if (unrounded) {
        CountRounded(law, *unrounded, wanted, got, tested.rounded[spec.destination == SampleType::kU8 ? 0 : 1]);
      }
      Destination threaded(spec, built->request.region);
      RunInto(*tested.three, *built, threaded);
      if (!threaded.SameAs(got)) return failed("three threads give other bytes than one");
      Dice dice(spec.seed);
      Destination tiled(spec, built->request.region);
      RunTiled(dice.OneIn(2) ? *tested.one : *tested.three, *built, dice, tiled);
      if (!tiled.SameAs(got)) return failed("tiles give other bytes than the whole");
      if (built->plan.passes.size() > 1) {
        Destination after(spec, built->request.region);
        RunAfterOthers(*tested.three, *built, dice, after);
        if (!after.SameAs(got)) return failed("what is kept for others gives other bytes than the image");
      }
      const bool measured = dice.OneIn(8) && law.reached.empty() && !spec.alpha;
      if (measured) {
        if (const auto what = MeasureDiffers(law, *reference_, *tested.three)) return failed(*what);
      }
    } catch (const Error& error) {
      return failed(error.what());
    }
  }
  return std::nullopt;
}

std::string Session::RoundingReport(bool& enough) const {
  std::ostringstream text;
  enough = true;
  for (const Tested& tested : every_) {
    for (size_t i = 0; i < tested.rounded.size(); ++i) {
      const Rounded& rounded = tested.rounded[i];
      if (rounded.samples == 0) continue;
      const double share = static_cast<double>(rounded.exact) / static_cast<double>(rounded.samples);
      const bool low =
          share < tested.least[i] && rounded.samples >= kEnoughSamples && rounded.EqualCases() >= kEnoughCases;
      if (low) enough = false;
      char line[160];
      std::snprintf(line, sizeof line, "%s %s: %.5f %% of %lld samples exactly rounded%s\n", tested.name.c_str(),
                    i == 0 ? "u8" : "u16", 100 * share, static_cast<long long>(rounded.samples),
                    low ? ", too few" : "");
      text << line;
    }
  }
  return text.str();
}

}  // namespace convolve::fuzz
