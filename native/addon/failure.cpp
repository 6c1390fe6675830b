// Turns C++ exceptions into typed JavaScript errors.
#include "addon/failure.h"

#include <new>

namespace convolve::addon {

Error ErrorOf(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return Error(ErrorCode::kOutOfMemory, "memory");
  } catch (const std::exception& error) {
    return Error(ErrorCode::kInternal, "engine", "", error.what());
  } catch (...) {
    return Error(ErrorCode::kInternal, "engine", "", "an exception of unknown type");
  }
}

Napi::Error ToJavaScript(Napi::Env env, const Error& error) {
  Napi::Error result = Napi::Error::New(env, error.what());
  result.Set("code", Napi::String::New(env, Name(error.code())));
  if (!error.subject().empty()) result.Set("subject", Napi::String::New(env, error.subject()));
  if (!error.expected().empty()) result.Set("expected", Napi::String::New(env, error.expected()));
  if (!error.actual().empty()) result.Set("actual", Napi::String::New(env, error.actual()));
  return result;
}

}  // namespace convolve::addon
