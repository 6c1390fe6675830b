// Transfer: pixels between host and device through page-locked staging memory, in chunks that overlap: while the device
// copies one, the host fills or empties the next; large pictures by several threads.
#pragma once

#include "cuda/device.h"
#include "engine/image.h"

namespace convolve::cuda {

/// The sample type of an image on the device: its own, but f32 for f64.
SampleType DeviceType(SampleType type);

/// The whole image into `to`, which has its size and device type. On return the image has been read; the device may
/// still be copying.
void UploadImage(const Device& device, Lane& lane, const Image& image, const DeviceView& to);

/// `part` (in picture pixels, inside `from`) into the view, which has its size; f32 may become f64. Waits for
/// everything queued on the lane before; looks at `cancel` between chunks.
void DownloadPart(const Device& device, Lane& lane, const DeviceView& from, const Region& part, const AnyView& to,
                  const CancelToken& cancel);

}  // namespace convolve::cuda
