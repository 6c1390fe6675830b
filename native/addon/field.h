// Field: a JavaScript value together with the path that leads to it, such as `passes[1].work.weights.divisor`. Reading
// one either gives a C++ value or refuses with an error that names the path, what belongs there and what was there.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "engine/error.h"
#include "napi.h"

namespace convolve::addon {

/// What a value is, for the end of "got …": `undefined`, `-3`, `"blue"`, `an array of 4`, `a Uint8Array of 12`.
std::string Describe(Napi::Value value);

template <typename T>
using Named = std::pair<const char*, T>;

class Field {
 public:
  /// `code` is the error code that a refusal of this field, or of one inside it, carries.
  Field(Napi::Value value, std::string path, ErrorCode code) : value_(value), path_(std::move(path)), code_(code) {}

  Napi::Value value() const { return value_; }
  const std::string& path() const { return path_; }
  bool absent() const { return value_.IsUndefined(); }

  /// The member of an object. The member may be absent; reading it then refuses.
  Field operator[](const char* name) const;
  /// The elements of an array.
  std::vector<Field> Elements() const;
  /// The same field, with refusals of another code.
  Field WithCode(ErrorCode code) const { return Field(value_, path_, code); }

  double FiniteNumber() const;
  /// A whole number that fits 32 bits.
  int WholeNumber() const;
  bool Boolean() const;
  /// A copy of a Float64Array that has `count` finite values.
  std::vector<double> FiniteNumbers(int64_t count) const;

  /// The value that belongs to the name in this field.
  template <typename T, size_t N>
  T OneOf(const std::array<Named<T>, N>& choices) const {
    const std::string name = value_.IsString() ? value_.As<Napi::String>().Utf8Value() : std::string();
    std::string expected;
    for (const auto& [choice, result] : choices) {
      if (value_.IsString() && name == choice) return result;
      expected += (expected.empty() ? "" : ", ") + std::string(choice);
    }
    Refuse("one of " + expected);
  }

  [[noreturn]] void Refuse(const std::string& expected) const { Refuse(expected, Describe(value_)); }
  [[noreturn]] void Refuse(const std::string& expected, const std::string& actual) const {
    throw Error(code_, path_, expected, actual);
  }

 private:
  Napi::Value value_;
  std::string path_;
  ErrorCode code_;
};

}  // namespace convolve::addon
