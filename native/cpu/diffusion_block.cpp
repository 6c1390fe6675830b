#include "cpu/diffusion_block.h"

#include <utility>

#include "cpu/axis.h"
#include "cpu/diffusion_kernels.h"
#include "cpu/finish_row.h"

namespace convolve::cpu {
namespace {

constexpr size_t kRing = 3;  // the rows above, of and below a result row

template <typename T>
struct DiffusionBuffers {
  DiffusionBuffers(Carver& carver, const PreparedPass<T>& pass, int channels, int width, int height) {
    const size_t columns = static_cast<size_t>(width + pass.window_width() - 1);
    const size_t stride = columns * static_cast<size_t>(channels) + kDiffusionSlackBytes / sizeof(T);
    for (T*& row : input) row = carver.Take<T>(stride);
    for (T** row : {&up, &down, &across, &result}) *row = carver.Take<T>(stride);
    runs = carver.Take<AxisRun>(columns);
    places = carver.Take<int>(static_cast<size_t>(height + pass.window_height() - 1));
  }

  T* input[kRing];  // with halo
  T* up;            // what flows down from the row above,
  T* down;          // to the row below,
  T* across;        // and to the right, from the halo's column on
  T* result;
  AxisRun* runs;
  int* places;
};

}  // namespace

template <typename T>
size_t DiffusionBlockBytes(const PreparedPass<T>& pass, int channels, int width, int height) {
  Carver carver;
  DiffusionBuffers<T>(carver, pass, channels, width, height);
  return carver.used();
}

template <typename T>
void RunDiffusionBlock(const Kernels<T>& kernels, const PreparedPlan<T>& plan, const PreparedPass<T>& pass,
                       const Pixels& pixels, const Region& block, Carver& carver, RowSink<T>& sink,
                       const CancelToken& cancel) {
  DiffusionBuffers<T> buffers(carver, pass, plan.channels, block.width, block.height);
  const size_t runs =
      MapPositions(block.x + pass.across.offset - pass.across.before, block.width + pass.window_width() - 1,
                   pass.border, pass.input_width, *pixels.columns, buffers.runs);
  const RowSource<T> source(kernels, pass, plan, pixels, buffers.runs, runs,
                            MapRows(pass, pixels, block.y, block.height, buffers.places));
  const Diffusion<T>& diffusion = *pass.diffusion;
  const size_t step = diffusion.channels;
  const size_t width = static_cast<size_t>(block.width);
  const auto row = [&](int window_row) { return buffers.input[static_cast<size_t>(window_row) % kRing]; };
  const auto flow_down = [&](int window_row, T* flow) {
    kernels.diffusion.flow(diffusion, {row(window_row) + step, row(window_row + 1) + step, flow, width});
  };
  source.Load(0, row(0));
  source.Load(1, row(1));
  flow_down(0, buffers.up);
  for (int y = 0; y < block.height; ++y) {
    cancel.ThrowIfCancelled();
    source.Load(y + 2, row(y + 2));
    T* const own = row(y + 1);
    flow_down(y + 1, buffers.down);
    kernels.diffusion.flow(diffusion, {own, own + step, buffers.across, width + 1});
    kernels.diffusion.move(diffusion, {own + step, buffers.up, buffers.down, buffers.across, buffers.across + step,
                                       buffers.result, width * step});
    FinishRow(kernels, pass, buffers.result, own + step, width * step);
    sink.Put(y, buffers.result);
    std::swap(buffers.up, buffers.down);
  }
}

#define CONVOLVE_INSTANTIATE(T)                                                                                        \
  template size_t DiffusionBlockBytes<T>(const PreparedPass<T>&, int, int, int);                                       \
  template void RunDiffusionBlock<T>(const Kernels<T>&, const PreparedPlan<T>&, const PreparedPass<T>&, const Pixels&, \
                                     const Region&, Carver&, RowSink<T>&, const CancelToken&);
CONVOLVE_INSTANTIATE(float)
CONVOLVE_INSTANTIATE(double)
#undef CONVOLVE_INSTANTIATE

}  // namespace convolve::cpu
