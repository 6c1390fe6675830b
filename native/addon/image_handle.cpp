// Wraps a shared image for JavaScript.
#include "addon/image_handle.h"

#include <cstdint>
#include <utility>

#include "addon/environment.h"
#include "addon/failure.h"

namespace convolve::addon {
namespace {

// Marks our objects, so that another addon's are never taken for an image. Random, fixed for ever.
constexpr napi_type_tag kImageTag{0x6f1d0f5c3a9b4e27, 0x9c41b8d25e7730af};

}  // namespace

Napi::Function ImageHandle::Define(Napi::Env env) {
  return DefineClass(env, "EngineImage",
                     {InstanceAccessor<&ImageHandle::Width>("width", napi_enumerable),
                      InstanceAccessor<&ImageHandle::Height>("height", napi_enumerable),
                      InstanceAccessor<&ImageHandle::Channels>("channels", napi_enumerable),
                      InstanceAccessor<&ImageHandle::Alpha>("alpha", napi_enumerable),
                      InstanceAccessor<&ImageHandle::SampleTypeName>("sampleType", napi_enumerable),
                      InstanceAccessor<&ImageHandle::Bytes>("bytes", napi_enumerable),
                      InstanceMethod<&ImageHandle::Release>("release")});
}

Napi::Value ImageHandle::New(Napi::Env env, std::shared_ptr<const Image> image) {
  return Environment::Of(env).image_class.New({Napi::External<std::shared_ptr<const Image>>::New(env, &image)});
}

ImageHandle::ImageHandle(const Napi::CallbackInfo& info) : Napi::ObjectWrap<ImageHandle>(info) {
  if (info.Length() != 1 || !info[0].IsExternal()) {
    throw ToJavaScript(info.Env(), Error(ErrorCode::kInvalidArgument, "image", "createImage or reduce to make it"));
  }
  image_ = std::move(*info[0].As<Napi::External<std::shared_ptr<const Image>>>().Data());
  width_ = image_->width();
  height_ = image_->height();
  channels_ = image_->channels();
  alpha_ = image_->alpha();
  type_ = image_->type();
  Value().TypeTag(&kImageTag);
  Napi::MemoryManagement::AdjustExternalMemory(info.Env(), static_cast<int64_t>(image_->bytes()));
}

ImageHandle::~ImageHandle() { Drop(); }

std::shared_ptr<const Image> ImageHandle::From(const Field& field) {
  if (!field.value().IsObject() || !field.value().As<Napi::Object>().CheckTypeTag(&kImageTag)) {
    field.Refuse("an image of this engine");
  }
  std::shared_ptr<const Image> image = Unwrap(field.value().As<Napi::Object>())->image_;
  if (!image) field.Refuse("an image that has not been released", "a released image");
  return image;
}

Napi::Value ImageHandle::Width(const Napi::CallbackInfo& info) { return Napi::Number::New(info.Env(), width_); }
Napi::Value ImageHandle::Height(const Napi::CallbackInfo& info) { return Napi::Number::New(info.Env(), height_); }
Napi::Value ImageHandle::Channels(const Napi::CallbackInfo& info) { return Napi::Number::New(info.Env(), channels_); }
Napi::Value ImageHandle::Alpha(const Napi::CallbackInfo& info) { return Napi::Boolean::New(info.Env(), alpha_); }
Napi::Value ImageHandle::SampleTypeName(const Napi::CallbackInfo& info) {
  return Napi::String::New(info.Env(), NameOf(type_));
}
Napi::Value ImageHandle::Bytes(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), image_ ? static_cast<double>(image_->bytes()) : 0.0);
}
Napi::Value ImageHandle::Release(const Napi::CallbackInfo& info) {
  Drop();
  return info.Env().Undefined();
}

void ImageHandle::Drop() {
  if (!image_) return;
  Napi::MemoryManagement::AdjustExternalMemory(Env(), -static_cast<int64_t>(image_->bytes()));
  image_.reset();
}

}  // namespace convolve::addon
