// ImageHandle: the JavaScript object that stands for an Image the engine owns.
#pragma once

#include <memory>

#include "addon/field.h"
#include "engine/image.h"
#include "napi.h"

namespace convolve::addon {

/// JavaScript sees width, height, channels, alpha, sampleType, bytes and release(). The collector is told how much
/// memory stands behind the object. Work that has started keeps the pixels alive, also after release().
class ImageHandle : public Napi::ObjectWrap<ImageHandle> {
 public:
  static Napi::Function Define(Napi::Env env);
  static Napi::Value New(Napi::Env env, std::shared_ptr<const Image> image);
  /// The image in this field; refuses what is no image of this engine and what has been released.
  static std::shared_ptr<const Image> From(const Field& field);

  /// Only New calls it: JavaScript has nothing to pass that it would accept.
  explicit ImageHandle(const Napi::CallbackInfo& info);
  ~ImageHandle() override;

 private:
  Napi::Value Width(const Napi::CallbackInfo& info);
  Napi::Value Height(const Napi::CallbackInfo& info);
  Napi::Value Channels(const Napi::CallbackInfo& info);
  Napi::Value Alpha(const Napi::CallbackInfo& info);
  Napi::Value SampleTypeName(const Napi::CallbackInfo& info);
  Napi::Value Bytes(const Napi::CallbackInfo& info);
  Napi::Value Release(const Napi::CallbackInfo& info);
  void Drop();

  int width_ = 0;
  int height_ = 0;
  int channels_ = 0;
  bool alpha_ = false;
  SampleType type_ = SampleType::kU8;
  /// Null once released.
  std::shared_ptr<const Image> image_;
};

}  // namespace convolve::addon
