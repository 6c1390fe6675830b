// Wraps a kept result for JavaScript.
#include "addon/kept_handle.h"

#include <utility>

#include "addon/environment.h"
#include "addon/failure.h"

namespace convolve::addon {
namespace {

// Marks our objects. Random, fixed for ever.
constexpr napi_type_tag kKeptTag{0x3c52a94be8d0417f, 0xb7160f43c9ae285d};

}  // namespace

Napi::Function KeptHandle::Define(Napi::Env env) {
  return DefineClass(env, "KeptResult", {InstanceMethod<&KeptHandle::Release>("release")});
}

Napi::Value KeptHandle::New(Napi::Env env, std::shared_ptr<KeptResult> kept) {
  return Environment::Of(env).kept_class.New({Napi::External<std::shared_ptr<KeptResult>>::New(env, &kept)});
}

KeptHandle::KeptHandle(const Napi::CallbackInfo& info) : Napi::ObjectWrap<KeptHandle>(info) {
  if (info.Length() != 1 || !info[0].IsExternal()) {
    throw ToJavaScript(info.Env(), Error(ErrorCode::kInvalidArgument, "kept result", "keep to make it"));
  }
  kept_ = std::move(*info[0].As<Napi::External<std::shared_ptr<KeptResult>>>().Data());
  Value().TypeTag(&kKeptTag);
}

bool KeptHandle::Is(const Field& field) {
  return field.value().IsObject() && field.value().As<Napi::Object>().CheckTypeTag(&kKeptTag);
}

std::shared_ptr<KeptResult> KeptHandle::From(const Field& field) {
  std::shared_ptr<KeptResult> kept = Unwrap(field.value().As<Napi::Object>())->kept_;
  if (!kept) field.Refuse("a result that has not been released", "a released result");
  return kept;
}

Napi::Value KeptHandle::Release(const Napi::CallbackInfo& info) {
  kept_.reset();
  return info.Env().Undefined();
}

}  // namespace convolve::addon
