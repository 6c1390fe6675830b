// Lowering: a pass of the engine as the device computes it — which technique, float32 constants, where alpha comes
// from. Depends on the plan and the picture alone, never on the region, so that any tiling gives the same bits.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "cuda/byte_walk.h"
#include "cuda/diffusion.h"
#include "cuda/fft.h"
#include "cuda/matrix.h"
#include "cuda/matrix_pair.h"
#include "cuda/mix.h"
#include "cuda/parameters.h"
#include "cuda/sparse.h"
#include "cuda/variants/variants.h"
#include "cuda/walk.h"
#include "engine/image.h"
#include "engine/pass.h"
#include "engine/plan.h"

namespace convolve::cuda {

/// What lowering needs to know of the picture.
struct PictureKind {
  int channels = 1;
  bool alpha = false;
  bool opaque = false;                   // all alpha is full scale
  SampleType depth = SampleType::kF32;   // of the image; says what full scale is
  SampleType stored = SampleType::kF32;  // of the first pass's input on the device
  std::shared_ptr<const ToneCurve> curve = SrgbCurve();
};

enum class Technique { kWalk, kTile, kRing, kStaged, kFft, kSparse, kBox, kDiffusion, kStencil, kVariant };

/// How a pass's result enters its input, and the pictures that this takes.
struct LoweredMix {
  MixParameters parameters{};
  FinishParameters range{};            // where there is a threshold: the pass's range, which comes after it
  int input_x = 0, input_y = 0;        // where result pixel (0, 0) lies in input and mask
  std::shared_ptr<const Image> mask;   // null: none
  std::shared_ptr<const Image> input;  // null: the pass's own
};

struct LoweredPass {
  Technique technique = Technique::kTile;
  WalkKey walk{};               // kWalk; its type follows the source
  std::vector<float> weights;   // kWalk: as WalkKey says; kTile and kFft: kernel after kernel; kStencil: nine; else for
                                // each pair row, column
  std::vector<SparseTap> taps;  // kSparse
  double box_divisor = 0;       // kBox: as BoxJob::divisor
  bool box_integers = false;    // kBox: integer samples are summed as integers
  DiffusionParameters diffusion{};   // kDiffusion
  std::vector<double> exact;         // kFft: the weights, float64
  ByteWalkWeights byte_walk;         // kWalk, kTile and kRing: preferred to all others where its conditions hold
  MatrixWeights matrix;              // kWalk and kTile: preferred where its conditions hold
  MatrixPairWeights pair;            // kWalk and kRing: preferred where its conditions hold
  FftShape fft;                      // kFft
  bool whole = false;                // sums are whole numbers, and not too large for an FFT to tell
  DeviceKernel kernels[2] = {};      // shapes; kTile and kFft: pointers are set when the weights are on the device
  const Variant* variant = nullptr;  // kVariant
  bool magnitude = false;
  int pairs = 0;
  int repeat = 1;  // kStencil
  Reach reach;     // of all repeats
  bool valid = false;
  BorderKind border = BorderKind::kMirror;
  float outside[4] = {};
  bool premultiply = false;
  float alpha_scale = 1;
  bool linear = false;
  FinishParameters finish{};  // without the store's steps
  std::optional<LoweredMix> mix;
};

/// `shared_bytes` is the most shared memory of a block; `measure` leaves out the last pass's range and encoding.
std::vector<LoweredPass> Lower(const Plan& plan, const PictureKind& kind, int shared_bytes, bool measure);

/// Adds what storing as `type` needs: the scale from the image's depth; drops a clamp that storing does anyway.
FinishParameters WithStore(FinishParameters finish, SampleType depth, SampleType type);

}  // namespace convolve::cuda
