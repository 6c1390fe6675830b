// The teaching variants beside the engine: each dense kernel by every variant that takes it, checked against a plain
// convolution first, then timed as gpu_bench does. Writes JSON and prints a table.
//   variant_bench OUT.json [--variant NAME|all] [--kind f32x4|u8x4|f32x1|u8x1]
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "bench_pictures.h"
#include "cuda/variants/variants.h"
#include "pass_timer.h"

namespace convolve::bench {
namespace {

struct Row {
  const char* name;
  DenseWeights dense;
  bool separable;  // the engine may take it as a row and a column
  SeparableWeights pair;
};

std::vector<Row> Rows() {
  std::vector<Row> rows;
  for (const int side : {3, 5, 7, 15, 31}) {
    static const char* const kNames[] = {"dense 3", "dense 5", "dense 7", "dense 15", "dense 31"};
    rows.push_back({kNames[rows.size()], NoiseKernel(side), false, {}});
  }
  for (const int taps : {5, 15, 31, 61}) {
    const SeparableWeights pair = GaussianPair(taps);
    static const char* const kNames[] = {"Gaussian 5", "Gaussian 15", "Gaussian 31", "Gaussian 61"};
    rows.push_back({kNames[rows.size() - 5], DenseOf(pair), true, pair});
  }
  return rows;
}

bool Takes(const cuda::Variant& variant, const DenseWeights& dense) {
  try {
    variant.prepare(dense, 1);
    return true;
  } catch (const Error&) {
    return false;
  }
}

double AbsoluteGain(const DenseWeights& dense) {
  double sum = 0;
  for (const double weight : dense.weights) sum += weight < 0 ? -weight : weight;
  return sum / (dense.divisor < 0 ? -dense.divisor : dense.divisor);
}

struct Options {
  std::string path;
  std::string variant = "all";
  std::string kind;
};

int Run(const Options& options) {
  std::string json = "{\n  " + MachineJson() + ",\n  \"width\": 4000, \"height\": 3000,\n  \"variants\": [";
  bool first = true;
  for (const cuda::Variant& variant : cuda::Variants()) {
    json += std::string(first ? "" : ",") + "\n    {\"name\": \"" + variant.name + "\", \"idea\": \"" + variant.idea +
            "\", \"origin\": \"" + variant.origin + "\", \"statedError\": " + std::to_string(variant.tolerance) + "}";
    first = false;
  }
  json += "\n  ],\n  \"rows\": [";
  first = true;
  bool right = true;
  cudaStream_t stream;
  Must(cudaStreamCreate(&stream), "stream");
  struct Kind {
    SampleType type;
    int channels;
  };
  std::printf("%-12s %-6s %-10s %9s %9s %8s  %s\n", "row", "kind", "variant", "ms", "x engine", "x copy", "check");
  for (const Kind kind : {Kind{SampleType::kF32, 4}, Kind{SampleType::kU8, 4}, Kind{SampleType::kF32, 1}}) {
    const std::string name = std::string(NameOf(kind.type)) + "x" + std::to_string(kind.channels);
    if (!options.kind.empty() && name != options.kind) continue;
    const PictureSet pictures(4000, 3000, kind.channels, kind.type);
    const double copy = CopyMilliseconds(pictures, stream);
    for (const Row& row : Rows()) {
      double engine = 0;
      const auto report = [&](const std::string& who, const Work& work, double tolerance) {
        const PassTimer timer(work, pictures, stream);
        Poison(pictures.target(0));
        timer.Launch(0);
        Must(cudaDeviceSynchronize(), "run");
        Pass plain;
        plain.work = row.dense;
        const Comparison comparison = CompareWithPlain(plain, pictures.source(0), pictures.target(0));
        const double most = kind.type == SampleType::kF32 ? tolerance : 1 + 255 * tolerance;
        const bool ok = comparison.largest <= most;
        right = right && ok;
        // Slow rows are timed with fewer launches.
        const double once = MedianMilliseconds([&](int i) { timer.Launch(i); }, stream, 1, 3);
        const double ms = once > 3 ? once : MedianMilliseconds([&](int i) { timer.Launch(i); }, stream, 10, 9);
        if (engine == 0) engine = ms;
        char line[400];
        std::snprintf(
            line, sizeof line,
            "%s\n    {\"row\": \"%s\", \"kind\": \"%s\", \"variant\": \"%s\", \"ms\": %.5f, \"engines\": %.3f, "
            "\"copies\": %.3f, \"largestDifference\": %.3g, \"right\": %s}",
            first ? "" : ",", row.name, name.c_str(), who.c_str(), ms, ms / engine, ms / copy, comparison.largest,
            ok ? "true" : "false");
        json += line;
        first = false;
        std::printf("%-12s %-6s %-10s %9.4f %9.2f %8.2f  %s %.2g\n", row.name, name.c_str(), who.c_str(), ms,
                    ms / engine, ms / copy, ok ? "ok" : "WRONG", comparison.largest);
        std::fflush(stdout);
      };
      report("engine", row.separable ? Work(row.pair) : Work(row.dense), 1e-5);
      for (const cuda::Variant& variant : cuda::Variants()) {
        if (options.variant != "all" && options.variant != variant.name) continue;
        // Outside this program the backend makes floats of other pictures first.
        if (variant.floats && kind.type != SampleType::kF32) continue;
        if (!Takes(variant, row.dense)) continue;
        DenseWeights dense = row.dense;
        dense.variant = variant.id;
        report(variant.name, dense, variant.tolerance * AbsoluteGain(dense));
      }
    }
  }
  json += "\n  ]\n}\n";
  WriteFile(options.path, json);
  return right ? 0 : 1;
}

}  // namespace
}  // namespace convolve::bench

int main(int argc, char** argv) {
  convolve::bench::Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--variant" && i + 1 < argc) {
      options.variant = argv[++i];
    } else if (word == "--kind" && i + 1 < argc) {
      options.kind = argv[++i];
    } else if (options.path.empty()) {
      options.path = word;
    } else {
      options.path.clear();
      break;
    }
  }
  if (options.path.empty()) {
    std::fprintf(stderr, "usage: variant_bench OUT.json [--variant NAME|all] [--kind f32x4|u8x4|f32x1]\n");
    return 2;
  }
  try {
    bool known = options.variant == "all";
    for (const auto& variant : convolve::cuda::Variants()) known = known || options.variant == variant.name;
    if (!known) {
      std::fprintf(stderr, "there is no variant %s\n", options.variant.c_str());
      return 2;
    }
    return convolve::bench::Run(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
