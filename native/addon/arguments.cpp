// Checks what JavaScript passed before any of it reaches a thread.
#include "addon/arguments.h"

#include <array>
#include <optional>
#include <string>

namespace convolve::addon {
namespace {

constexpr std::array<Named<BackendName>, 3> kBackendNames{
    {{"reference", BackendName::kReference}, {"cpu", BackendName::kCpu}, {"cuda", BackendName::kCuda}}};

constexpr std::array<Named<SampleType>, 4> kSampleTypes{
    {{"u8", SampleType::kU8}, {"u16", SampleType::kU16}, {"f32", SampleType::kF32}, {"f64", SampleType::kF64}}};

std::optional<SampleType> SampleTypeOf(napi_typedarray_type type) {
  switch (type) {
    case napi_uint8_array:
      return SampleType::kU8;
    case napi_uint16_array:
      return SampleType::kU16;
    case napi_float32_array:
      return SampleType::kF32;
    case napi_float64_array:
      return SampleType::kF64;
    default:
      return std::nullopt;
  }
}

}  // namespace

Samples ParseSamples(const Field& field, int width, int height, int channels) {
  const char* const expected = "a Uint8Array, Uint16Array, Float32Array or Float64Array";
  if (!field.value().IsTypedArray()) field.Refuse(expected);
  const Napi::Env env = field.value().Env();
  napi_typedarray_type array_type = napi_uint8_array;
  size_t length = 0;
  size_t offset = 0;
  void* data = nullptr;  // of the first sample: the offset is already in it
  napi_value buffer = nullptr;
  const napi_status status =
      napi_get_typedarray_info(env, field.value(), &array_type, &length, &data, &buffer, &offset);
  NAPI_THROW_IF_FAILED(env, status, Samples{});
  const std::optional<SampleType> type = SampleTypeOf(array_type);
  if (!type) field.Refuse(expected);
  bool detached = false;
  if (napi_is_detached_arraybuffer(env, buffer, &detached) == napi_ok && detached) {
    field.Refuse("samples in memory of their own", "an array whose buffer was transferred away");
  }
  const Napi::Value resizable = Napi::Object(env, buffer).Get("resizable");
  if (resizable.IsBoolean() && resizable.As<Napi::Boolean>().Value()) {
    field.Refuse("samples in a buffer of fixed size", "a resizable buffer");
  }
  // In floating point nothing overflows, and counts that memory can hold are exact.
  const double count = static_cast<double>(width) * height * channels;
  if (static_cast<double>(length) != count) {
    field.Refuse(std::to_string(width) + " × " + std::to_string(height) + " × " + std::to_string(channels) + " samples",
                 std::to_string(length));
  }
  return {field.value().As<Napi::Object>(), *type, static_cast<std::byte*>(data), length};
}

AnyView ViewOf(const Samples& samples, int width, int height, int channels) {
  const ptrdiff_t stride = static_cast<ptrdiff_t>(width) * channels;
  const auto view = [&]<typename T>(T* data) { return AnyView(View<T>{data, width, height, channels, stride}); };
  switch (samples.type) {
    case SampleType::kU8:
      return view(reinterpret_cast<uint8_t*>(samples.data));
    case SampleType::kU16:
      return view(reinterpret_cast<uint16_t*>(samples.data));
    case SampleType::kF32:
      return view(reinterpret_cast<float*>(samples.data));
    case SampleType::kF64:
      return view(reinterpret_cast<double*>(samples.data));
  }
  throw Error(ErrorCode::kInternal, "sample type");
}

SampleType ParseSampleType(const Field& field) { return field.OneOf(kSampleTypes); }

BackendName ParseBackend(const Field& field) { return field.OneOf(kBackendNames); }

int ParsePositive(const Field& field) {
  const int number = field.WholeNumber();
  if (number < 1) field.Refuse("at least 1");
  return number;
}

std::shared_ptr<const ToneCurve> ParseCurve(const Field& field) {
  if (field.absent()) return SrgbCurve();
  enum class Kind { kParametric, kSampled };
  constexpr std::array<Named<Kind>, 2> kKinds{{{"parametric", Kind::kParametric}, {"sampled", Kind::kSampled}}};
  if (field["kind"].OneOf(kKinds) == Kind::kSampled) {
    const Field samples = field["samples"];
    const bool typed = samples.value().IsTypedArray();
    const size_t count = typed ? samples.value().As<Napi::TypedArray>().ElementLength() : 0;
    return std::make_shared<const ToneCurve>(samples.FiniteNumbers(static_cast<int64_t>(count)));
  }
  CurveParameters parameters;
  parameters.gamma = field["gamma"].FiniteNumber();
  parameters.scale = field["scale"].FiniteNumber();
  parameters.offset = field["offset"].FiniteNumber();
  parameters.slope = field["slope"].FiniteNumber();
  parameters.knee = field["knee"].FiniteNumber();
  parameters.above = field["above"].FiniteNumber();
  parameters.below = field["below"].FiniteNumber();
  return std::make_shared<const ToneCurve>(parameters);
}

Region ParseRegion(const Field& field) {
  return {field["x"].WholeNumber(), field["y"].WholeNumber(), ParsePositive(field["width"]),
          ParsePositive(field["height"])};
}

RunRequest ParseRequest(const Field& field) { return {ParseRegion(field["region"]), field["level"].WholeNumber()}; }

}  // namespace convolve::addon
