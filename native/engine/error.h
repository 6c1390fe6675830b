// Typed errors: the codes shared with core/errors.ts (same names, same order) and the one exception that carries them.
#pragma once

#include <exception>
#include <string>
#include <utility>

namespace convolve {

enum class ErrorCode {
  kCancelled,
  kInvalidArgument,
  kInvalidKernel,
  kInvalidPlan,
  kImageTooLarge,
  kOutOfMemory,
  kUnsupported,
  kBackendUnavailable,
  kDeviceFailed,
  kInternal,
};

/// The code's name as TypeScript knows it, such as `invalidKernel`.
constexpr const char* Name(ErrorCode code) {
  switch (code) {
    case ErrorCode::kCancelled:
      return "cancelled";
    case ErrorCode::kInvalidArgument:
      return "invalidArgument";
    case ErrorCode::kInvalidKernel:
      return "invalidKernel";
    case ErrorCode::kInvalidPlan:
      return "invalidPlan";
    case ErrorCode::kImageTooLarge:
      return "imageTooLarge";
    case ErrorCode::kOutOfMemory:
      return "outOfMemory";
    case ErrorCode::kUnsupported:
      return "unsupported";
    case ErrorCode::kBackendUnavailable:
      return "backendUnavailable";
    case ErrorCode::kDeviceFailed:
      return "deviceFailed";
    case ErrorCode::kInternal:
      return "internal";
  }
  return "internal";
}

/// What went wrong: the field or thing (`subject`), what it should have been and what it was.
class Error : public std::exception {
 public:
  Error(ErrorCode code, std::string subject, std::string expected = "", std::string actual = "")
      : code_(code), subject_(std::move(subject)), expected_(std::move(expected)), actual_(std::move(actual)) {
    message_ = std::string(Name(code_)) + ": " + subject_;
    if (!expected_.empty()) message_ += ": expected " + expected_;
    if (!actual_.empty()) message_ += ": got " + actual_;
  }
  const char* what() const noexcept override { return message_.c_str(); }
  ErrorCode code() const { return code_; }
  const std::string& subject() const { return subject_; }
  const std::string& expected() const { return expected_; }
  const std::string& actual() const { return actual_; }

 private:
  ErrorCode code_;
  std::string subject_, expected_, actual_, message_;
};

}  // namespace convolve
