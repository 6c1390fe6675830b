#include "cpu/load_block.h"

namespace convolve::cpu {
namespace {

constexpr int kTall = 64;
/// What is kept of the converted picture; taller kernels convert their rows again and again.
constexpr int64_t kMostBytes = int64_t{40} << 20;

template <typename T>
struct LoadBuffers {
  LoadBuffers(Carver& carver, int channels, int width, int height) {
    row = carver.Take<T>(static_cast<size_t>(width) * static_cast<size_t>(channels) + kRowSlackBytes / sizeof(T));
    runs = carver.Take<AxisRun>(static_cast<size_t>(width));
    places = carver.Take<int>(static_cast<size_t>(height));
  }
  T* row;
  AxisRun* runs;
  int* places;
};

}  // namespace

template <typename T>
bool LoadsApart(const PreparedPass<T>& pass, const PreparedPlan<T>& plan) {
  if (pass.pair.empty() || !(pass.to_linear || pass.premultiply) || pass.window_height() < kTall) return false;
  const int64_t row_bytes = int64_t{pass.input_width} * plan.channels * static_cast<int64_t>(sizeof(T));
  return row_bytes * pass.window_height() <= kMostBytes;
}

template <typename T>
PreparedPass<T> TakeLoading(PreparedPass<T>& pass, const PreparedPlan<T>& plan) {
  PreparedPass<T> loading;
  loading.loads_only = true;
  loading.input_type = pass.input_type;
  loading.input_width = loading.output_width = pass.input_width;
  loading.input_height = loading.output_height = pass.input_height;
  loading.border = pass.border;
  loading.curve = pass.curve;
  loading.to_linear = pass.to_linear;
  loading.premultiply = pass.premultiply;
  loading.finish.full_scale = pass.finish.full_scale;
  const bool integers = pass.input_type == SampleType::kU8 || pass.input_type == SampleType::kU16;
  if (pass.to_linear && !integers) {
    const double full = plan.full_scale;
    pass.outside = static_cast<T>(plan.curve->Linear(static_cast<double>(pass.outside) / full) * full);
  }
  if (pass.premultiply) pass.outside *= pass.outside_alpha;
  pass.input_type = loading.kept_type;
  pass.to_linear = pass.premultiply = false;
  return loading;
}

template <typename T>
size_t LoadBlockBytes(const PreparedPass<T>& /*pass*/, int channels, int width, int height) {
  Carver carver;
  LoadBuffers<T>(carver, channels, width, height);
  return carver.used();
}

template <typename T>
void RunLoadBlock(const Kernels<T>& kernels, const PreparedPlan<T>& plan, const PreparedPass<T>& pass,
                  const Pixels& pixels, const Region& block, Carver& carver, RowSink<T>& sink,
                  const CancelToken& cancel) {
  const LoadBuffers<T> buffers(carver, plan.channels, block.width, block.height);
  const size_t runs = MapPositions(block.x, block.width, pass.border, pass.input_width, *pixels.columns, buffers.runs);
  const RowSource<T> source(kernels, pass, plan, pixels, buffers.runs, runs,
                            MapRows(pass, pixels, block.y, block.height, buffers.places));
  for (int y = 0; y < block.height; ++y) {
    cancel.ThrowIfCancelled();
    source.Load(y, buffers.row);
    sink.Put(y, buffers.row);
  }
}

#define CONVOLVE_INSTANTIATE(T)                                                                                   \
  template bool LoadsApart<T>(const PreparedPass<T>&, const PreparedPlan<T>&);                                    \
  template PreparedPass<T> TakeLoading<T>(PreparedPass<T>&, const PreparedPlan<T>&);                              \
  template size_t LoadBlockBytes<T>(const PreparedPass<T>&, int, int, int);                                       \
  template void RunLoadBlock<T>(const Kernels<T>&, const PreparedPlan<T>&, const PreparedPass<T>&, const Pixels&, \
                                const Region&, Carver&, RowSink<T>&, const CancelToken&);
CONVOLVE_INSTANTIATE(float)
CONVOLVE_INSTANTIATE(double)
#undef CONVOLVE_INSTANTIATE

}  // namespace convolve::cpu
