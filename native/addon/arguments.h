// Parses the arguments of the addon's functions other than the plan: samples, sizes, requests, backends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "addon/backends.h"
#include "addon/field.h"
#include "engine/backend.h"
#include "engine/tone_curve.h"
#include "engine/view.h"
#include "napi.h"

namespace convolve::addon {

/// Memory that JavaScript owns. Valid while `array` is kept and its buffer is neither transferred nor resized; buffers
/// that could be resized are refused, and callers promise not to transfer one that is in use.
struct Samples {
  Napi::Object array;
  SampleType type;
  std::byte* data;
  size_t length;  // samples
};

/// A Uint8Array, Uint16Array, Float32Array or Float64Array (also a part of a buffer, also of a shared one) that has
/// exactly width * height * channels samples.
Samples ParseSamples(const Field& field, int width, int height, int channels);

/// The samples as a writable view of rows without padding.
AnyView ViewOf(const Samples& samples, int width, int height, int channels);

/// "u8", "u16", "f32" or "f64".
SampleType ParseSampleType(const Field& field);

BackendName ParseBackend(const Field& field);

/// A whole number of at least 1.
int ParsePositive(const Field& field);

/// The sRGB curve where the field is absent; else what core/toneCurve.ts describes.
std::shared_ptr<const ToneCurve> ParseCurve(const Field& field);

Region ParseRegion(const Field& field);

RunRequest ParseRequest(const Field& field);

}  // namespace convolve::addon
