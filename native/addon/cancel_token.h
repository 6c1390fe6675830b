// CancelTokenHandle: the JavaScript object that cancels a run.
#pragma once

#include <memory>

#include "addon/field.h"
#include "engine/backend.h"
#include "napi.h"

namespace convolve::addon {

/// `new CancelToken()`, `.cancel()`. One token may serve several runs.
class CancelTokenHandle : public Napi::ObjectWrap<CancelTokenHandle> {
 public:
  static Napi::Function Define(Napi::Env env);
  /// The token in this field, or a fresh one that nobody cancels where the field is undefined.
  static std::shared_ptr<CancelToken> From(const Field& field);

  explicit CancelTokenHandle(const Napi::CallbackInfo& info);

 private:
  Napi::Value Cancel(const Napi::CallbackInfo& info);

  std::shared_ptr<CancelToken> token_;
};

}  // namespace convolve::addon
