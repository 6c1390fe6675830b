// The teaching variants on the device: each agrees with reference within the error that it states, for every border,
// depth and alpha mode, in tiles and at sizes that no block divides; and each refuses what it cannot do.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "cuda/variants/variants.h"
#include "engine/backend.h"
#include "pictures.h"

namespace convolve::test {
namespace {

constexpr BorderKind kBorders[] = {BorderKind::kZero,    BorderKind::kConstant, BorderKind::kReplicate,
                                   BorderKind::kReflect, BorderKind::kMirror,   BorderKind::kWrap};

bool Takes(const cuda::Variant& variant, const DenseWeights& dense) {
  try {
    variant.prepare(dense, 1);
    return true;
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kUnsupported);
    return false;
  }
}

/// Weights that rank nothing: noise around a positive mean.
DenseWeights Uneven(int width, int height) {
  std::vector<double> weights;
  double sum = 0;
  for (const double share : Noise<double>(static_cast<size_t>(width) * static_cast<size_t>(height), 31)) {
    weights.push_back(share - 0.25);
    sum += std::abs(weights.back());
  }
  return Kernel(width, height, weights, sum);
}

/// A column times a row.
DenseWeights Product(int width, int height) {
  const auto column = Noise<double>(static_cast<size_t>(height), 32);
  const auto row = Noise<double>(static_cast<size_t>(width), 33);
  std::vector<double> weights;
  double sum = 0;
  for (const double a : column) {
    for (const double b : row) {
      weights.push_back(a * (b - 0.3));
      sum += std::abs(weights.back());
    }
  }
  return Kernel(width, height, weights, sum);
}

std::vector<DenseWeights> Kernels() {
  DenseWeights corner = Uneven(4, 7);
  corner.anchor_x = 0;
  corner.anchor_y = 6;
  DenseWeights lopsided = Uneven(3, 3);
  lopsided.anchor_x = 2;
  return {Uneven(3, 3), lopsided, Product(3, 3), Uneven(1, 1), corner, Product(9, 5), Product(31, 31), Uneven(15, 15)};
}

DenseWeights By(VariantName variant, DenseWeights dense) {
  dense.variant = variant;
  return dense;
}

Pass PassBy(const cuda::Variant& variant, const DenseWeights& dense, BorderKind border) {
  Pass pass = PassOf(By(variant.id, dense), border);
  pass.border.value = 0.6;
  return pass;
}

template <typename T>
double LargestDifference(const Plan& plan, const std::shared_ptr<const Image>& image, const Region& region) {
  static const auto cuda = MakeCudaBackend();
  static const auto reference = MakeReferenceBackend();
  return test::LargestDifference<T>(*cuda, *reference, plan, image, region) / FullScale(TypeOf<T>());
}

/// One kernel by all variants that take it, compared with reference, which computes it once for all of them.
template <typename T>
void CheckVariants(const DenseWeights& dense, BorderKind border, const std::shared_ptr<const Image>& image,
                   const Region& region, double rounding) {
  static const auto cuda = MakeCudaBackend();
  static const auto reference = MakeReferenceBackend();
  Pass pass = PassOf(dense, border);
  pass.border.value = 0.6;
  const auto expected = Part<T>(*reference, {{pass}}, image, region);
  for (const cuda::Variant& variant : cuda::Variants()) {
    if (!Takes(variant, dense)) continue;
    const std::string name = variant.name;
    CAPTURE(name);
    const auto got = Part<T>(*cuda, {{PassBy(variant, dense, border)}}, image, region);
    CHECK(LargestBetween(got, expected) / FullScale(TypeOf<T>()) <= variant.tolerance + rounding);
  }
}

TEST_CASE("<cuda> every variant agrees with reference within its error, at every border") {
  for (const cuda::Variant& variant : cuda::Variants()) {
    const auto kernels = Kernels();
    CHECK(std::count_if(kernels.begin(), kernels.end(),
                        [&](const DenseWeights& dense) { return Takes(variant, dense); }) >= 3);
  }
  for (const DenseWeights& dense : Kernels()) {
    CAPTURE(dense.width);
    CAPTURE(dense.height);
    for (const BorderKind border : kBorders) {
      CAPTURE(static_cast<int>(border));
      for (const int channels : {1, 2, 3, 4}) {
        CAPTURE(channels);
        const Region part{30, 7, 41, 50};
        const auto floats = NoisePicture<float>(83, 61, channels, 34);
        CheckVariants<float>(dense, border, floats, {0, 0, 83, 61}, 0);
        CheckVariants<float>(dense, border, floats, part, 0);
        CheckVariants<uint8_t>(dense, border, NoisePicture<uint8_t>(83, 61, channels, 35), part, 1.0 / 255);
      }
    }
  }
}

TEST_CASE("<cuda> variants are whole passes: alpha, epilogue, range, light and size are those of any other") {
  auto samples = Noise<uint16_t>(70 * 45 * 4, 36);
  for (size_t i = 3; i < samples.size(); i += 4) samples[i] = static_cast<uint16_t>(30000 + samples[i] / 2);
  const auto image = Picture<uint16_t>(70, 45, samples, Alpha::kLast);
  for (const cuda::Variant& variant : cuda::Variants()) {
    const std::string name = variant.name;
    CAPTURE(name);
    // Positive: dividing by a filtered alpha near 0 would magnify every error.
    const DenseWeights dense = Kernel(3, 3, {1, 2, 1, 2, 4, 2, 1, 2, 1}, 16);
    std::vector<Pass> passes(4, PassBy(variant, dense, BorderKind::kReplicate));
    passes[1].alpha = AlphaMode::kStraight;
    passes[1].epilogue = {-0.5, 1.4, 0.05};
    passes[2].alpha = AlphaMode::kColourOnly;
    passes[2].light = LightMode::kLinear;
    passes[3].size = SizeMode::kValid;
    passes[3].range.kind = RangeKind::kSigned;
    for (const Pass& pass : passes) {
      const Plan plan{{pass}};
      const ResultSize size = SizeAfter(plan, 70, 45);
      // Linear light is steep near black.
      const double tolerance = variant.tolerance * (pass.light == LightMode::kLinear ? 20 : 2) + 1.0 / 65535;
      CHECK(LargestDifference<uint16_t>(plan, image, {0, 0, size.width, size.height}) <= tolerance);
    }
  }
}

TEST_CASE("<cuda> variants may run side by side") {
  // The weights of one in constant memory are not to be seen by another.
  const auto cuda = MakeCudaBackend();
  const auto image = NoisePicture<float>(300, 200, 1, 37);
  std::vector<int> wrong(3, 0);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      const double weight = static_cast<double>(t + 1) / 8;
      for (const VariantName name : {VariantName::kConstant, VariantName::kTexture}) {
        const Plan plan{{PassOf(By(name, Kernel(1, 1, {weight})))}};
        for (int i = 0; i < 20; ++i) {
          const auto result = Result<float>(*cuda, plan, image);
          const auto source = std::get<View<const float>>(image->view());
          for (size_t s = 0; s < result.size(); ++s) {
            if (result[s] != source.data[s] * static_cast<float>(weight)) ++wrong[t];
          }
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int count : wrong) CHECK(count == 0);
}

TEST_CASE("<cuda> what a variant cannot do it refuses by name") {
  const auto cuda = MakeCudaBackend();
  const auto image = NoisePicture<float>(20, 20, 1, 38);
  const auto refusal = [&](VariantName name, const DenseWeights& dense) {
    try {
      Result<float>(*cuda, {{PassOf(By(name, dense))}}, image);
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kUnsupported);
      return error.subject() + ": " + error.expected();
    }
    return std::string("accepted");
  };
  CHECK(refusal(VariantName::kWinograd, Uneven(5, 5)) == "variant winograd: a kernel of 3 x 3 cells");
  CHECK(refusal(VariantName::kSeparable, Uneven(5, 5)) == "variant separable: a kernel that is a column times a row");
  CHECK(refusal(VariantName::kShared2d, Uneven(33, 3)) == "variant shared2d: a kernel of at most 31 cells a side");
}

}  // namespace
}  // namespace convolve::test
