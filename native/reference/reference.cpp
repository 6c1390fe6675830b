// The reference backend: the whole image, pass after pass, then the part that was asked for. Slow on purpose; the law.
#include <algorithm>
#include <memory>
#include <new>
#include <utility>

#include "engine/backend.h"
#include "engine/plan.h"
#include "reference/field.h"
#include "reference/filter.h"

namespace convolve {
namespace {

const Image& RequireImage(const std::shared_ptr<const Image>& image) {
  if (image == nullptr) throw Error(ErrorCode::kInvalidArgument, "image", "an image", "none");
  return *image;
}

/// Runs `work`, which may run out of memory anywhere: whole fields of float64 are large.
template <typename WorkFunction>
auto WithMemoryErrors(const WorkFunction& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::kOutOfMemory, "reference backend");
  }
}

class ReferenceBackend final : public Backend {
 public:
  BackendInfo info() const override { return {"reference", true, "plain loops in float64, one thread"}; }

  void Upload(const std::shared_ptr<const Image>& image) override { RequireImage(image); }

  void Run(const Plan& plan, const std::shared_ptr<const Image>& image, const RunRequest& request,
           const AnyView& destination, const CancelToken& cancel) override {
    Validate(plan, RequireImage(image), request, destination);
    WithMemoryErrors([&] {
      reference::Field field = reference::Load(*image, cancel);
      for (const Pass* pass : StepsOf(plan)) field = reference::Filter(field, *pass, cancel);
      reference::Store(field, request, destination, cancel);
    });
  }

  Extremes Measure(const Plan& plan, const std::shared_ptr<const Image>& image, const CancelToken& cancel) override {
    const Image& picture = RequireImage(image);
    ValidatePlan(plan, picture);
    return WithMemoryErrors([&] {
      reference::Field field = reference::Load(picture, cancel);
      // Without a pass the image itself is measured: a pass that changes nothing.
      Pass identity;
      identity.work = DenseWeights{1, 1, 0, 0, {1.0}, 1.0};
      identity.alpha = AlphaMode::kColourOnly;
      Extremes extremes;
      if (plan.passes.empty()) reference::Filter(field, identity, cancel, &extremes);
      for (const Pass* pass : StepsOf(plan)) field = reference::Filter(field, *pass, cancel, &extremes);
      return extremes;
    });
  }
};

}  // namespace

std::unique_ptr<Backend> MakeReferenceBackend() { return std::make_unique<ReferenceBackend>(); }

}  // namespace convolve
