// Reads JavaScript values and describes those that do not fit.
#include "addon/field.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <system_error>

namespace convolve::addon {
namespace {

constexpr size_t kLongestQuote = 40;  // bytes of a string that are worth repeating in an error

/// The shortest digits that read back as this number, as JavaScript prints it.
std::string Digits(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number < 0 ? "-Infinity" : "Infinity";
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, number);
  return error == std::errc() ? std::string(digits, end) : "a number";
}

std::string Quote(const std::string& text) {
  if (text.size() <= kLongestQuote) return '"' + text + '"';
  size_t end = kLongestQuote;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // not inside a UTF-8 sequence
  return '"' + text.substr(0, end) + "…\"";
}

const char* ArrayName(napi_typedarray_type type) {
  switch (type) {
    case napi_int8_array:
      return "an Int8Array";
    case napi_uint8_array:
      return "a Uint8Array";
    case napi_uint8_clamped_array:
      return "a Uint8ClampedArray";
    case napi_int16_array:
      return "an Int16Array";
    case napi_uint16_array:
      return "a Uint16Array";
    case napi_int32_array:
      return "an Int32Array";
    case napi_uint32_array:
      return "a Uint32Array";
    case napi_float32_array:
      return "a Float32Array";
    case napi_float64_array:
      return "a Float64Array";
    case napi_bigint64_array:
      return "a BigInt64Array";
    case napi_biguint64_array:
      return "a BigUint64Array";
    default:
      return "a typed array";
  }
}

}  // namespace

std::string Describe(Napi::Value value) {
  switch (value.Type()) {
    case napi_undefined:
      return "undefined";
    case napi_null:
      return "null";
    case napi_boolean:
      return value.As<Napi::Boolean>().Value() ? "true" : "false";
    case napi_number:
      return Digits(value.As<Napi::Number>().DoubleValue());
    case napi_string:
      return Quote(value.As<Napi::String>().Utf8Value());
    case napi_symbol:
      return "a symbol";
    case napi_function:
      return "a function";
    case napi_bigint:
      return "a bigint";
    case napi_external:
      return "an external value";
    case napi_object:
      break;
  }
  if (value.IsTypedArray()) {
    const auto array = value.As<Napi::TypedArray>();
    return ArrayName(array.TypedArrayType()) + std::string(" of ") + std::to_string(array.ElementLength());
  }
  if (value.IsArray()) return "an array of " + std::to_string(value.As<Napi::Array>().Length());
  if (value.IsArrayBuffer()) return "an ArrayBuffer";
  return "an object";
}

Field Field::operator[](const char* name) const {
  if (!value_.IsObject() || value_.IsArray() || value_.IsTypedArray()) Refuse("an object");
  return Field(value_.As<Napi::Object>().Get(name), path_ + "." + name, code_);
}

std::vector<Field> Field::Elements() const {
  if (!value_.IsArray()) Refuse("an array");
  const auto array = value_.As<Napi::Array>();
  const uint32_t length = array.Length();
  std::vector<Field> elements;
  for (uint32_t i = 0; i < length; ++i) {
    elements.emplace_back(array.Get(i), path_ + "[" + std::to_string(i) + "]", code_);
  }
  return elements;
}

double Field::FiniteNumber() const {
  if (!value_.IsNumber()) Refuse("a finite number");
  const double number = value_.As<Napi::Number>().DoubleValue();
  if (!std::isfinite(number)) Refuse("a finite number");
  return number;
}

int Field::WholeNumber() const {
  if (!value_.IsNumber()) Refuse("a whole number");
  const double number = value_.As<Napi::Number>().DoubleValue();
  // Not a number compares false, so it is refused as well.
  const bool whole = number >= std::numeric_limits<int>::min() && number <= std::numeric_limits<int>::max() &&
                     number == std::floor(number);
  if (!whole) Refuse("a whole number");
  return static_cast<int>(number);
}

bool Field::Boolean() const {
  if (!value_.IsBoolean()) Refuse("true or false");
  return value_.As<Napi::Boolean>().Value();
}

std::vector<double> Field::FiniteNumbers(int64_t count) const {
  const std::string expected = "a Float64Array of " + std::to_string(count);
  if (!value_.IsTypedArray()) Refuse(expected);
  if (value_.As<Napi::TypedArray>().TypedArrayType() != napi_float64_array) Refuse(expected);
  const auto array = value_.As<Napi::Float64Array>();
  if (static_cast<int64_t>(array.ElementLength()) != count) Refuse(expected);
  std::vector<double> numbers(array.Data(), array.Data() + array.ElementLength());
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (!std::isfinite(numbers[i])) {
      throw Error(code_, path_ + "[" + std::to_string(i) + "]", "a finite number", Digits(numbers[i]));
    }
  }
  return numbers;
}

}  // namespace convolve::addon
