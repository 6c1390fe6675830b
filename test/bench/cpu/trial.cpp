// Ours writes into the same memory as the peers do, whose results begin with a page; the check reads it before they
// start.
#include "trial.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <thread>
#include <utility>

#include "floors.h"
#include "peers.h"

namespace convolve::bench {
namespace {

constexpr size_t kMostBegin = 4096;
constexpr BorderKind kBorder = BorderKind::kMirror;

int ThreadCount(int asked) {
  return asked > 0 ? asked : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

Plan PlanOf(const Work& work) {
  Pass pass;
  pass.work = work;
  pass.border.kind = kBorder;
  // Peers know no alpha: every channel alone.
  pass.alpha = AlphaMode::kStraight;
  return Plan{{pass}};
}

double Load() {
#if defined(__unix__)
  double load = 0;
  if (getloadavg(&load, 1) == 1) return load;
#endif
  return 0;
}

std::vector<Path> PathsToMeasure(const Row& row, const std::string& planned, const std::string& asked) {
  const std::string& wanted = asked.empty() ? planned : asked;
  std::vector<Path> paths;
  for (const Path& path : row.paths) {
    if (wanted == "every" || path.name == wanted) paths.push_back(path);
  }
  return paths;
}

/// Rows of so many samples, of a byte at least, that hold `bytes`.
int RowsFor(size_t bytes, int samples) { return static_cast<int>(bytes / static_cast<size_t>(samples)) + 1; }

}  // namespace

PictureSize SizeOf(double megapixels) {
  const int width = megapixels == 24 ? 6000 : static_cast<int>(std::lround(std::sqrt(megapixels * 1e6 * 4 / 3)));
  return {width, static_cast<int>(std::lround(megapixels * 1e6 / width))};
}

Setting::Setting(const Format& wanted, double megapixels, int thread_count)
    : format(wanted),
      width(SizeOf(megapixels).width),
      height(SizeOf(megapixels).height),
      threads(ThreadCount(thread_count)),
      source(NoisePicture(format, width, height)),
      destination(width, height + RowsFor(kMostBegin, width * format.channels), format.channels, format.channels == 4,
                  format.type),
      backend(MakeCpuBackend(threads)),
      crew(threads) {}

AnyView Setting::ResultFrom(size_t begin) {
  return std::visit(
      [&](auto view) -> AnyView {
        view.height = height;
        view.data += begin / sizeof *view.data;
        return view;
      },
      destination.view());
}

RowResult MeasureRow(const Row& row, const PlannedRow& planned, Setting& setting, const Options& options) {
  RowResult result{row.name, row.curve, row.size, {}, {}, {}, {}, 0, Load(), planned.milliseconds};
  std::vector<Contestant> contestants;
  const RunRequest request{{0, 0, setting.width, setting.height}, 0};
  std::vector<size_t> path_of;
  for (const Path& path : PathsToMeasure(row, planned.path, options.path)) {
    for (const size_t begin : options.begins) {
      const bool chosen = path.name == planned.path && begin == options.begins.front();
      PathResult measured{path.name, begin, chosen, path.operations, "", {}, {}};
      const auto run = [plan = PlanOf(path.work), &setting, request, view = setting.ResultFrom(begin)] {
        setting.backend->Run(plan, setting.source, request, view, CancelToken());
      };
      try {
        run();
        measured.exactness = CheckResult(row, kBorder, *setting.source, setting.ResultFrom(begin));
      } catch (const Error& error) {
        measured.refusal = error.what();
      }
      if (measured.refusal.empty()) {
        path_of.push_back(result.paths.size());
        contestants.push_back({path.name, run, {}, setting.threads, 1, ""});
      }
      result.paths.push_back(std::move(measured));
    }
  }
  const size_t ours = contestants.size();
  if (ours == 0) return result;
  contestants.push_back({"copy",
                         [&] {
                           const size_t part = setting.source->bytes() / static_cast<size_t>(setting.threads) / 64 * 64;
                           setting.crew.Run([&](int member) {
                             const size_t from = part * static_cast<size_t>(member);
                             const bool last = member + 1 == setting.threads;
                             const size_t bytes = last ? setting.source->bytes() - from : part;
                             StreamCopy(setting.source->data() + from, setting.destination.data() + from, bytes);
                           });
                         },
                         {},
                         setting.threads,
                         1,
                         ""});
  contestants.push_back(
      {"multiply-adds", [&] { setting.crew.Run([](int) { MultiplyAdds(); }); }, {}, setting.threads, 1, ""});
  if (options.peers) {
    const PeerWork work{*setting.source, setting.destination.data(), setting.crew};
    for (Contestant& peer : OpenCvContestants(row, work)) contestants.push_back(std::move(peer));
    for (Contestant& peer : VipsContestants(row, work, options.slow_peers)) contestants.push_back(std::move(peer));
  }
  RaceLimits limits;
  if (options.quick) limits = {150, 2, 15};
  const std::vector<Timing> timings = Race(contestants, limits);
  for (size_t i = 0; i < ours; ++i) result.paths[path_of[i]].timing = timings[i];
  result.copy = timings[ours];
  result.multiply_adds = timings[ours + 1];
  result.multiply_add_operations = MultiplyAdds() * setting.threads;
  for (size_t i = ours + 2; i < contestants.size(); ++i) {
    const Contestant& peer = contestants[i];
    result.peers.push_back({peer.name, peer.family, peer.threads, peer.share, timings[i]});
  }
  return result;
}

}  // namespace convolve::bench
