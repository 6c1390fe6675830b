// The addon's functions, as main/engine.ts calls them: each parses its arguments at the door, starts the work on a
// worker thread and returns a promise. Arguments that do not fit throw at once; what fails later rejects. Both are
// typed errors.
#include <cstring>
#include <memory>
#include <utility>

#include "addon/arguments.h"
#include "addon/backends.h"
#include "addon/cancel_token.h"
#include "addon/environment.h"
#include "addon/failure.h"
#include "addon/image_handle.h"
#include "addon/kept_handle.h"
#include "addon/mask_parser.h"
#include "addon/plan_parser.h"
#include "addon/workers.h"
#include "engine/backend.h"
#include "engine/edge_picture.h"
#include "engine/kept_result.h"
#include "engine/mask_raster.h"
#include "napi.h"

namespace convolve::addon {
namespace {

/// An argument of a function; missing ones are undefined.
Field Argument(const Napi::CallbackInfo& info, size_t index, const char* name) {
  return Field(info[index], name, ErrorCode::kInvalidArgument);
}

Field PlanArgument(const Napi::CallbackInfo& info, size_t index) {
  return Field(info[index], "passes", ErrorCode::kInvalidPlan);
}

std::shared_ptr<CancelToken> NeverCancelled() { return std::make_shared<CancelToken>(); }

Napi::Value Undefined(Napi::Env env) { return env.Undefined(); }

/// Work fills the box on a worker; the promise's value wraps what is in it.
using ImageBox = std::shared_ptr<std::shared_ptr<const Image>>;

Napi::Value StartImage(Napi::Env env, std::shared_ptr<CancelToken> token, std::vector<Napi::Object> kept,
                       std::function<std::shared_ptr<const Image>(const CancelToken&)> make) {
  const ImageBox box = std::make_shared<std::shared_ptr<const Image>>();
  return Environment::Of(env).Start(
      std::move(token), std::move(kept),
      [box, make = std::move(make)](const CancelToken& cancel) { *box = make(cancel); },
      [box](Napi::Env inner) { return ImageHandle::New(inner, std::move(*box)); });
}

/// prepare(): Promise<void>. Makes the backends on a worker thread, so that backends() does not wait for a device.
Napi::Value Prepare(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return AtTheDoor(env, [&] {
    return Environment::Of(env).Start(
        NeverCancelled(), {}, [](const CancelToken&) { (void)AllBackends(); }, Undefined);
  });
}

/// backends(): { name, available, description, memoryBytes? }[], without waiting once prepare() has settled.
Napi::Value Backends(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return AtTheDoor(env, [&] {
    const std::vector<BackendInfo> backends = AllBackends();
    Napi::Array result = Napi::Array::New(env, backends.size());
    for (uint32_t i = 0; i < backends.size(); ++i) {
      Napi::Object status = Napi::Object::New(env);
      status.Set("name", backends[i].name);
      status.Set("available", backends[i].available);
      status.Set("description", backends[i].description);
      if (backends[i].memory_bytes > 0) status.Set("memoryBytes", static_cast<double>(backends[i].memory_bytes));
      result.Set(i, status);
    }
    return result;
  });
}

/// createImage(samples, width, height, channels, alpha, curve?): Promise<EngineImage>. The samples are copied on a
/// worker thread; until the promise settles their memory must not be written or transferred.
Napi::Value CreateImage(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return AtTheDoor(env, [&] {
    const int width = ParsePositive(Argument(info, 1, "width"));
    const int height = ParsePositive(Argument(info, 2, "height"));
    const int channels = ParsePositive(Argument(info, 3, "channels"));
    const bool alpha = Argument(info, 4, "alpha").Boolean();
    const Samples samples = ParseSamples(Argument(info, 0, "samples"), width, height, channels);
    const std::shared_ptr<const ToneCurve> curve = ParseCurve(Argument(info, 5, "curve"));
    const auto make = [=, type = samples.type, data = samples.data](const CancelToken&) {
      auto image = std::make_shared<Image>(width, height, channels, alpha, type, curve);
      std::memcpy(image->data(), data, image->bytes());
      return std::shared_ptr<const Image>(std::move(image));
    };
    return StartImage(env, NeverCancelled(), {samples.array}, make);
  });
}

/// reduce(image, level): Promise<EngineImage>.
Napi::Value ReduceImage(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return AtTheDoor(env, [&] {
    const std::shared_ptr<const Image> image = ImageHandle::From(Argument(info, 0, "image"));
    const int level = Argument(info, 1, "level").WholeNumber();
    return StartImage(env, NeverCancelled(), {}, [image, level](const CancelToken&) {
      return std::shared_ptr<const Image>(Reduce(*image, level));
    });
  });
}

/// keep(passes, image): KeptResult. What the passes make of the image, computed as runs from it ask for it.
Napi::Value Keep(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return AtTheDoor(env, [&] {
    Plan before = ParsePlan(PlanArgument(info, 0));
    return KeptHandle::New(
        env, std::make_shared<KeptResult>(ImageHandle::From(Argument(info, 1, "image")), std::move(before)));
  });
}

/// What a run starts from: an image, or what earlier runs kept of one.
struct Start {
  std::shared_ptr<const Image> image;
  std::shared_ptr<KeptResult> kept;  // null: the image itself
};

Start StartOf(const Field& field) {
  if (!KeptHandle::Is(field)) return {ImageHandle::From(field), nullptr};
  const std::shared_ptr<KeptResult> kept = KeptHandle::From(field);
  return {kept->image(), kept};
}

/// run(backend, passes, image or kept result, request, destination, cancelToken?): Promise<void>. A worker fills the
/// destination; until the promise settles it must not be read, written or transferred. After a rejection its contents
/// are undefined.
Napi::Value Run(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return AtTheDoor(env, [&] {
    const BackendName backend = ParseBackend(Argument(info, 0, "backend"));
    auto plan = std::make_shared<const Plan>(ParsePlan(PlanArgument(info, 1)));
    const Start start = StartOf(Argument(info, 2, "image"));
    const int channels = start.image->channels();
    const RunRequest request = ParseRequest(Argument(info, 3, "request"));
    const Samples destination =
        ParseSamples(Argument(info, 4, "destination"), request.region.width, request.region.height, channels);
    const AnyView view = ViewOf(destination, request.region.width, request.region.height, channels);
    return Environment::Of(env).Start(
        CancelTokenHandle::From(Argument(info, 5, "cancelToken")), {destination.array},
        [=](const CancelToken& cancel) {
          Backend& runs = AvailableBackend(backend);
          if (start.kept != nullptr) return runs.RunAfter(*start.kept, *plan, request, view, cancel);
          runs.Run(*plan, start.image, request, view, cancel);
        },
        Undefined);
  });
}

/// measure(backend, passes, image or kept result, cancelToken?): Promise<{ minimum, maximum }>.
Napi::Value Measure(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return AtTheDoor(env, [&] {
    const BackendName backend = ParseBackend(Argument(info, 0, "backend"));
    auto plan = std::make_shared<const Plan>(ParsePlan(PlanArgument(info, 1)));
    const Start start = StartOf(Argument(info, 2, "image"));
    const auto extremes = std::make_shared<Extremes>();
    return Environment::Of(env).Start(
        CancelTokenHandle::From(Argument(info, 3, "cancelToken")), {},
        [=](const CancelToken& cancel) {
          Backend& measures = AvailableBackend(backend);
          *extremes = start.kept != nullptr ? measures.MeasureAfter(*start.kept, *plan, cancel)
                                            : measures.Measure(*plan, start.image, cancel);
        },
        [extremes](Napi::Env inner) -> Napi::Value {
          Napi::Object result = Napi::Object::New(inner);
          result.Set("minimum", extremes->minimum);
          result.Set("maximum", extremes->maximum);
          return result;
        });
  });
}

/// findEdges(backend, passes, image, edges, cancelToken?): Promise<EngineImage>. The edges of what the passes make of
/// the image, white on black.
Napi::Value FindEdges(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return AtTheDoor(env, [&] {
    const BackendName backend = ParseBackend(Argument(info, 0, "backend"));
    auto plan = std::make_shared<const Plan>(ParsePlan(PlanArgument(info, 1)));
    const std::shared_ptr<const Image> image = ImageHandle::From(Argument(info, 2, "image"));
    auto filter = std::make_shared<const EdgeFilter>(
        ParseEdgeFilter(Argument(info, 3, "edges").WithCode(ErrorCode::kInvalidPlan)));
    return StartImage(env, CancelTokenHandle::From(Argument(info, 4, "cancelToken")), {},
                      [=](const CancelToken& cancel) {
                        return EdgePicture(AvailableBackend(backend), *plan, *filter, image, cancel);
                      });
  });
}

/// apply(backend, passes, image, depth, cancelToken?): Promise<EngineImage>. The whole result of the passes as an image
/// of that depth.
Napi::Value Apply(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return AtTheDoor(env, [&] {
    const BackendName backend = ParseBackend(Argument(info, 0, "backend"));
    auto plan = std::make_shared<const Plan>(ParsePlan(PlanArgument(info, 1)));
    const std::shared_ptr<const Image> image = ImageHandle::From(Argument(info, 2, "image"));
    const SampleType depth = ParseSampleType(Argument(info, 3, "depth"));
    const auto make = [=](const CancelToken& cancel) {
      const ResultSize size = SizeAfter(*plan, image->width(), image->height());
      auto result =
          std::make_shared<Image>(size.width, size.height, image->channels(), image->alpha(), depth, image->curve());
      const RunRequest whole{{0, 0, size.width, size.height}, 0};
      AvailableBackend(backend).Run(*plan, image, whole, result->view(), cancel);
      return std::shared_ptr<const Image>(std::move(result));
    };
    return StartImage(env, CancelTokenHandle::From(Argument(info, 4, "cancelToken")), {}, make);
  });
}

/// rasteriseMask(mask, region, picture | undefined, cancelToken?, before?, change?): Promise<EngineImage>. The mask's
/// part of a picture, in one channel of 16 bits; the picture is the one whose brightness counts. `before` is an image
/// of the same region, of a mask that is the same outside of the region `change`.
Napi::Value RasteriseMaskOf(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return AtTheDoor(env, [&] {
    auto mask = std::make_shared<const Mask>(ParseMask(Argument(info, 0, "mask")));
    const Region region = ParseRegion(Argument(info, 1, "region"));
    const Field picture = Argument(info, 2, "picture");
    const std::shared_ptr<const Image> image = picture.absent() ? nullptr : ImageHandle::From(picture);
    const Field before = Argument(info, 4, "before");
    std::shared_ptr<const MaskBefore> known;
    if (!before.absent()) {
      known = std::make_shared<const MaskBefore>(
          MaskBefore{ImageHandle::From(before), ParseRegion(Argument(info, 5, "change"))});
    }
    return StartImage(
        env, CancelTokenHandle::From(Argument(info, 3, "cancelToken")), {},
        [=](const CancelToken& cancel) { return RasteriseMask(*mask, region, image.get(), cancel, known.get()); });
  });
}

/// sizeAfter(passes, { width, height }): { width, height }.
Napi::Value ResultSizeOf(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  return AtTheDoor(env, [&] {
    const Plan plan = ParsePlan(PlanArgument(info, 0));
    const Field size = Argument(info, 1, "size");
    const ResultSize after = SizeAfter(plan, ParsePositive(size["width"]), ParsePositive(size["height"]));
    Napi::Object result = Napi::Object::New(env);
    result.Set("width", after.width);
    result.Set("height", after.height);
    return result;
  });
}

/// giveWay(): the engine's threads stand behind those that draw the window. Before anything else is asked for.
void GiveWay(const Napi::CallbackInfo& /*info*/) { Workers::OfProcess().GiveWayToWindows(); }

/// Every error code of native/engine/error.h, in order: a test holds core/errors.ts against it.
Napi::Array ErrorCodes(Napi::Env env) {
  Napi::Array codes = Napi::Array::New(env);
  for (int code = 0; code <= static_cast<int>(ErrorCode::kInternal); ++code) {
    codes.Set(static_cast<uint32_t>(code), Name(static_cast<ErrorCode>(code)));
  }
  return codes;
}

Napi::Object Initialise(Napi::Env env, Napi::Object exports) {
  auto environment = std::make_unique<Environment>(env);
  environment->image_class = Napi::Persistent(ImageHandle::Define(env));
  environment->kept_class = Napi::Persistent(KeptHandle::Define(env));
  env.SetInstanceData(environment.release());
  exports.Set("errorCodes", ErrorCodes(env));
  exports.Set("CancelToken", CancelTokenHandle::Define(env));
  exports.Set("giveWay", Napi::Function::New<GiveWay>(env, "giveWay"));
  exports.Set("prepare", Napi::Function::New<Prepare>(env, "prepare"));
  exports.Set("backends", Napi::Function::New<Backends>(env, "backends"));
  exports.Set("createImage", Napi::Function::New<CreateImage>(env, "createImage"));
  exports.Set("reduce", Napi::Function::New<ReduceImage>(env, "reduce"));
  exports.Set("keep", Napi::Function::New<Keep>(env, "keep"));
  exports.Set("run", Napi::Function::New<Run>(env, "run"));
  exports.Set("measure", Napi::Function::New<Measure>(env, "measure"));
  exports.Set("findEdges", Napi::Function::New<FindEdges>(env, "findEdges"));
  exports.Set("apply", Napi::Function::New<Apply>(env, "apply"));
  exports.Set("rasteriseMask", Napi::Function::New<RasteriseMaskOf>(env, "rasteriseMask"));
  exports.Set("sizeAfter", Napi::Function::New<ResultSizeOf>(env, "sizeAfter"));
  return exports;
}

}  // namespace
}  // namespace convolve::addon

static Napi::Object InitialiseAddon(Napi::Env env, Napi::Object exports) {
  return convolve::addon::Initialise(env, exports);
}
NODE_API_MODULE(convolve, InitialiseAddon)
