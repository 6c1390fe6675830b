// Errors on their way to JavaScript: an Error object with `code`, `subject`, `expected` and `actual`, which
// main/engine.ts turns into a ConvolveError.
#pragma once

#include <exception>

#include "engine/error.h"
#include "napi.h"

namespace convolve::addon {

/// What a thrown C++ exception means: an Error as it is, std::bad_alloc as kOutOfMemory, anything else as kInternal.
Error ErrorOf(const std::exception_ptr& thrown);

/// The JavaScript Error object; empty fields are left out.
Napi::Error ToJavaScript(Napi::Env env, const Error& error);

/// Runs `body` at the door: a C++ exception leaves as a typed JavaScript error, a JavaScript one as it is.
template <typename Body>
Napi::Value AtTheDoor(Napi::Env env, Body body) {
  try {
    return body();
  } catch (const Napi::Error&) {
    throw;
  } catch (...) {
    throw ToJavaScript(env, ErrorOf(std::current_exception()));
  }
}

}  // namespace convolve::addon
