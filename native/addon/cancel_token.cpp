// Wraps a CancelToken for JavaScript.
#include "addon/cancel_token.h"

#include "addon/workers.h"

namespace convolve::addon {
namespace {

// Random, fixed for ever; see image_handle.cpp.
constexpr napi_type_tag kCancelTokenTag{0x2b7e93d14c0a4f68, 0xa5d30c6f18e94b72};

}  // namespace

Napi::Function CancelTokenHandle::Define(Napi::Env env) {
  return DefineClass(env, "CancelToken", {InstanceMethod<&CancelTokenHandle::Cancel>("cancel")});
}

CancelTokenHandle::CancelTokenHandle(const Napi::CallbackInfo& info)
    : Napi::ObjectWrap<CancelTokenHandle>(info), token_(std::make_shared<CancelToken>()) {
  Value().TypeTag(&kCancelTokenTag);
}

std::shared_ptr<CancelToken> CancelTokenHandle::From(const Field& field) {
  if (field.absent()) return std::make_shared<CancelToken>();
  if (!field.value().IsObject() || !field.value().As<Napi::Object>().CheckTypeTag(&kCancelTokenTag)) {
    field.Refuse("a CancelToken or undefined");
  }
  return Unwrap(field.value().As<Napi::Object>())->token_;
}

Napi::Value CancelTokenHandle::Cancel(const Napi::CallbackInfo& info) {
  token_->Cancel();
  Workers::OfProcess().EndCancelled();
  return info.Env().Undefined();
}

}  // namespace convolve::addon
