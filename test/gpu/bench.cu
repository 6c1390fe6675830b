// Times the cuda backend's passes on the device: every row is first compared with a plain convolution on a poisoned
// target, then timed by events, medians, inputs rotated past the second-level cache; the copy ceiling comes from the
// same run. Writes JSON and prints a table.
//   gpu_bench OUT.json [megapixels] [part of a row's name] [kind, such as u8x4]
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "bench_pictures.h"
#include "pass_timer.h"

namespace convolve::bench {
namespace {

struct Row {
  std::string name;
  Work work;
  double target_f32x4;  // ms at 12 megapixels, 0 where none is set
  double target_u8x4;
};

FftWeights FftOf(int side) { return {NoiseKernel(side)}; }

BoxWeights BoxOf(int side) { return {side, side, side / 2, side / 2, static_cast<double>(side) * side}; }

/// A diagonal of as many taps as the kernel has rows.
SparseWeights Trail(int side) {
  SparseWeights sparse;
  static_cast<DenseWeights&>(sparse) = {
      side, side, side / 2, side / 2, std::vector<double>(static_cast<size_t>(side) * side, 0.0), side * 1.0};
  for (int i = 0; i < side; ++i) sparse.weights[static_cast<size_t>(i) * side + i] = 1;
  return sparse;
}

std::vector<Row> Rows() {
  MagnitudeWeights sobel;
  sobel.x = {3, 3, 1, 1, {-1, 0, 1, -2, 0, 2, -1, 0, 1}, 4};
  sobel.y = {3, 3, 1, 1, {-1, -2, -1, 0, 0, 0, 1, 2, 1}, 4};
  return {{"dense 3", NoiseKernel(3), 0.105, 0.035},
          {"dense 5", NoiseKernel(5), 0.115, 0.065},
          {"dense 7", NoiseKernel(7), 0.18, 0.11},
          {"dense 9", NoiseKernel(9), 0, 0},
          {"dense 11", NoiseKernel(11), 0.35, 0.30},
          {"dense 15", NoiseKernel(15), 0.55, 0.50},
          {"dense 31", NoiseKernel(31), 0, 0},
          {"fft 31", FftOf(31), 0.7, 0.6},
          {"fft 63", FftOf(63), 0.7, 0.6},
          {"fft 127", FftOf(127), 1.2, 1.1},
          {"fft 255", FftOf(255), 0, 0},
          {"separable 3", GaussianPair(3), 0, 0},
          {"separable 5", GaussianPair(5), 0.115, 0.045},
          {"separable 7", GaussianPair(7), 0, 0},
          {"separable 9", GaussianPair(9), 0, 0},
          {"separable 15", GaussianPair(15), 0.14, 0.08},
          {"separable 31", GaussianPair(31), 0.20, 0.15},
          {"separable 61", GaussianPair(61), 0.36, 0.30},
          {"sobel", sobel, 0.11, 0.04},
          {"box 9", BoxOf(9), 0.13, 0.06},
          {"box 31", BoxOf(31), 0.13, 0.06},
          {"box 101", BoxOf(101), 0.13, 0.06},
          {"box 501", BoxOf(501), 0.13, 0.06},
          {"sparse 61", Trail(61), 0, 0}};
}

struct Kind {
  SampleType type;
  int channels;
};

/// Checks one row; false where the result is wrong.
bool Check(const PassTimer& measured, const PictureSet& pictures, Comparison* comparison) {
  Poison(pictures.target(0));
  measured.Launch(0);
  Must(cudaDeviceSynchronize(), "run");
  if (std::holds_alternative<MagnitudeWeights>(measured.pass().work)) return true;  // the tests compare magnitudes
  *comparison = CompareWithPlain(measured.pass(), pictures.source(0), pictures.target(0));
  if (pictures.source(0).type == SampleType::kF32) return comparison->largest <= 1e-5;
  const double samples = pictures.bytes() / static_cast<double>(BytesPerSample(pictures.source(0).type));
  // float32 has few bits left below a 16-bit level.
  const double unequal = pictures.source(0).type == SampleType::kU16 ? 0.02 : 0.001;
  return comparison->largest <= 1 && static_cast<double>(comparison->unequal) <= unequal * samples;
}

int Run(const char* path, int megapixels, const char* wanted, const char* wanted_kind) {
  const int width = megapixels == 24 ? 6000 : 4000;
  const int height = megapixels == 24 ? 4000 : 3000;
  const std::string backend = wanted == nullptr || std::strcmp(wanted, "backend") == 0 ? BackendJson() : "";
  std::string json = "{\n  " + MachineJson() + (backend.empty() ? "" : ",\n  " + backend) +
                     ",\n  \"width\": " + std::to_string(width) + ", \"height\": " + std::to_string(height) +
                     ",\n  \"rows\": [";
  cudaStream_t stream;
  Must(cudaStreamCreate(&stream), "stream");
  bool first = true;
  bool right = true;
  std::printf("%-14s %-6s %-7s %8s %8s %7s %8s  %s\n", "row", "kind", "how", "ms", "target", "x copy", "TFMA/s",
              "check");
  for (const Kind kind : {Kind{SampleType::kF32, 4}, Kind{SampleType::kU8, 4}, Kind{SampleType::kF32, 1},
                          Kind{SampleType::kU8, 1}, Kind{SampleType::kU16, 4}, Kind{SampleType::kU8, 3}}) {
    const std::string name = std::string(NameOf(kind.type)) + "x" + std::to_string(kind.channels);
    if (wanted_kind != nullptr && name != wanted_kind) continue;
    const PictureSet pictures(width, height, kind.channels, kind.type);
    const double copy = CopyMilliseconds(pictures, stream);
    std::printf("%-14s %-6s %-7s %8.4f %8s %7s %8.2f TB/s\n", "copy", name.c_str(), "", copy, "", "",
                2 * pictures.bytes() / copy / 1e9);
    json += std::string(first ? "" : ",") + "\n    {\"row\": \"copy\", \"kind\": \"" + name +
            "\", \"ms\": " + std::to_string(copy) + "}";
    first = false;
    for (const Row& row : Rows()) {
      if (wanted != nullptr && row.name.find(wanted) == std::string::npos) continue;
      const bool large = row.name == "dense 31";
      const bool minor = kind.type == SampleType::kU16 || kind.channels == 3;
      if (minor && large) continue;
      const PassTimer measured(row.work, pictures, stream);
      Comparison comparison;
      const bool ok = Check(measured, pictures, &comparison);
      right = right && ok;
      const double ms = MedianMilliseconds([&](int i) { measured.Launch(i); }, stream, large ? 2 : 10, large ? 5 : 15);
      double taps = 0;
      if (const auto* dense = std::get_if<DenseWeights>(&row.work)) taps = double{1} * dense->width * dense->height;
      if (const auto* dense = std::get_if<FftWeights>(&row.work)) taps = double{1} * dense->width * dense->height;
      if (const auto* pair = std::get_if<SeparableWeights>(&row.work)) taps = pair->width + pair->height;
      if (const auto* box = std::get_if<BoxWeights>(&row.work)) taps = double{1} * box->width * box->height;
      if (std::holds_alternative<MagnitudeWeights>(row.work)) taps = 18;
      const double rate = taps * width * height * kind.channels / ms / 1e9;
      const double target =
          (kind.channels != 4 || kind.type == SampleType::kU16)
              ? 0
              : (kind.type == SampleType::kF32 ? row.target_f32x4 : row.target_u8x4) * megapixels / 12;
      char line[400];
      std::snprintf(
          line, sizeof line,
          ",\n    {\"row\": \"%s\", \"kind\": \"%s\", \"technique\": \"%s\", \"ms\": %.5f, \"targetMs\": %.4f, "
          "\"copies\": %.3f, \"teraFma\": %.3f, \"largestDifference\": %.3g, \"unequal\": %lld, \"right\": %s}",
          row.name.c_str(), name.c_str(), measured.technique(), ms, target, ms / copy, rate, comparison.largest,
          comparison.unequal, ok ? "true" : "false");
      json += line;
      std::printf("%-14s %-6s %-7s %8.4f %8.3f %7.2f %8.2f  %s %.2g %lld%s\n", row.name.c_str(), name.c_str(),
                  measured.technique(), ms, target, ms / copy, rate, ok ? "ok" : "WRONG", comparison.largest,
                  comparison.unequal, target > 0 ? (ms <= target ? "  met" : "  MISSED") : "");
      std::fflush(stdout);
    }
  }
  json += "\n  ]\n}\n";
  std::FILE* file = std::fopen(path, "w");
  if (file == nullptr || std::fwrite(json.data(), 1, json.size(), file) != json.size() || std::fclose(file) != 0) {
    std::fprintf(stderr, "cannot write %s\n", path);
    return 1;
  }
  return right ? 0 : 1;
}

}  // namespace
}  // namespace convolve::bench

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr,
                 "usage: gpu_bench OUT.json [megapixels: 12 or 24] [part of a row's name] [kind, such as u8x4]\n");
    return 2;
  }
  return convolve::bench::Run(argv[1], argc > 2 ? std::atoi(argv[2]) : 12, argc > 3 ? argv[3] : nullptr,
                              argc > 4 ? argv[4] : nullptr);
}
