// KeptHandle: the JavaScript object that stands for a KeptResult.
#pragma once

#include <memory>

#include "addon/field.h"
#include "engine/kept_result.h"
#include "napi.h"

namespace convolve::addon {

/// JavaScript sees release(), after which every use is refused; work that has started keeps the result alive.
class KeptHandle : public Napi::ObjectWrap<KeptHandle> {
 public:
  static Napi::Function Define(Napi::Env env);
  static Napi::Value New(Napi::Env env, std::shared_ptr<KeptResult> kept);
  /// Whether the field holds one.
  static bool Is(const Field& field);
  /// The result in this field; refuses what has been released.
  static std::shared_ptr<KeptResult> From(const Field& field);

  /// Only New calls it.
  explicit KeptHandle(const Napi::CallbackInfo& info);

 private:
  Napi::Value Release(const Napi::CallbackInfo& info);

  /// Null once released.
  std::shared_ptr<KeptResult> kept_;
};

}  // namespace convolve::addon
