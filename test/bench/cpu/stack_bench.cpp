// stack_bench: stacks of filters beside the same filters apart, each from picture to picture, as bytes and as float32:
// by how much a stack of a byte picture, whose values in between are floats, is slower than either.
//   stack_bench [MEGAPIXELS [THREADS [NAME]]]   12, 2, every stack
// Times are CPU time over the threads, the least of several rounds, so that other programs count little.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/backend.h"
#include "formats.h"
#include "rows.h"

namespace convolve::bench {
namespace {

constexpr int kRounds = 7;

struct PictureSize {
  int width = 0;
  int height = 0;
};

PictureSize SizeOf(double megapixels) {
  const int width = static_cast<int>(std::lround(std::sqrt(megapixels * 1e6 * 4 / 3)));
  return {width, static_cast<int>(std::lround(megapixels * 1e6 / width))};
}

struct Stack {
  std::string name;
  std::vector<std::string> rows;  // of rows.h
};

const std::vector<Stack>& Stacks() {
  static const std::vector<Stack> stacks = {
      {"3 x sharpen", {"sharpen", "sharpen", "sharpen"}},
      {"3 x dense 5", {"dense 5", "dense 5", "dense 5"}},
      {"gaussian 5, sharpen", {"gaussian 5", "sharpen"}},
      {"gaussian 9, box 31, dense 5", {"gaussian 9", "box 31", "dense 5"}},
      {"gaussian 15, laplacian", {"gaussian 15", "laplacian"}},
      {"gaussian 5, sobel magnitude", {"gaussian 5", "sobel magnitude"}},
      {"box 31, gaussian 31", {"box 31", "gaussian 31"}},
      {"dense 7, dense 31", {"dense 7", "dense 31"}},
  };
  return stacks;
}

Pass PassOf(const std::string& name) {
  for (const Row& row : MakeRows()) {
    if (row.name != name) continue;
    Pass pass;
    pass.work = row.paths.front().work;
    pass.border.kind = BorderKind::kMirror;
    pass.alpha = AlphaMode::kStraight;
    return pass;
  }
  std::fprintf(stderr, "there is no row %s\n", name.c_str());
  std::exit(2);
}

/// CPU time of all threads.
double ProcessSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// A picture and room for its result.
template <typename T>
struct Setup {
  std::shared_ptr<Image> picture;
  std::vector<T> result;

  Setup(const Format& format, const PictureSize& size)
      : picture(NoisePicture(format, size.width, size.height)),
        result(static_cast<size_t>(size.width) * static_cast<size_t>(size.height) *
               static_cast<size_t>(format.channels)) {}

  /// Milliseconds of CPU time over the threads.
  double Run(Backend& backend, const Plan& plan, int threads) {
    const ptrdiff_t stride = ptrdiff_t{picture->width()} * picture->channels();
    const View<T> view{result.data(), picture->width(), picture->height(), picture->channels(), stride};
    const double begin = ProcessSeconds();
    backend.Run(plan, picture, {{0, 0, view.width, view.height}, 0}, view, CancelToken());
    return 1e3 * (ProcessSeconds() - begin) / threads;
  }
};

template <typename T>
double Least(Setup<T>& setup, Backend& backend, const Plan& plan, int threads) {
  double least = setup.Run(backend, plan, threads);
  for (int round = 1; round < kRounds; ++round) least = std::min(least, setup.Run(backend, plan, threads));
  return least;
}

int Main(double megapixels, int threads, const std::string& wanted) {
  const std::unique_ptr<Backend> backend = MakeCpuBackend(threads);
  const PictureSize size = SizeOf(megapixels);
  Setup<uint8_t> bytes({"u8 RGBA", SampleType::kU8, 4}, size);
  Setup<float> floats({"f32 RGBA", SampleType::kF32, 4}, size);
  std::printf("%s, %d x %d\n%-30s %9s %9s %9s %9s %9s %9s\n", backend->info().description.c_str(), size.width,
              size.height, "", "u8, ms", "apart", "ratio", "f32, ms", "apart", "u8/f32ap");
  for (const Stack& stack : Stacks()) {
    if (!wanted.empty() && stack.name != wanted) continue;
    Plan whole;
    double apart = 0;
    double floats_apart = 0;
    for (const std::string& row : stack.rows) {
      const Plan one{{PassOf(row)}};
      whole.passes.push_back(one.passes.front());
      apart += Least(bytes, *backend, one, threads);
      floats_apart += Least(floats, *backend, one, threads);
    }
    const double together = Least(bytes, *backend, whole, threads);
    const double floats_together = Least(floats, *backend, whole, threads);
    std::printf("%-30s %9.2f %9.2f %9.2f %9.2f %9.2f %9.2f\n", stack.name.c_str(), together, apart, together / apart,
                floats_together, floats_apart, together / floats_apart);
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace
}  // namespace convolve::bench

int main(int count, char** words) {
  const double megapixels = count > 1 ? std::atof(words[1]) : 12;
  const int threads = count > 2 ? std::max(1, std::atoi(words[2])) : 2;
  return convolve::bench::Main(megapixels, threads, count > 3 ? words[3] : "");
}
