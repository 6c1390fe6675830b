// The cache's list, and how an image gets to the device.
#include "cuda/image_cache.h"

#include <algorithm>
#include <utility>

#include "cuda/check.h"
#include "cuda/reduce.h"
#include "cuda/transfer.h"

namespace convolve::cuda {
namespace {

std::shared_ptr<const ResidentImage> Uploaded(Device* device, Lane& lane, const Image& image) {
  auto resident = std::make_shared<ResidentImage>();
  const SampleType type = DeviceType(image.type());
  resident->picture =
      device->AllocatePicture(type, image.channels(), {0, 0, image.width(), image.height()}, lane.stream);
  UploadImage(*device, lane, image, resident->picture.view);
  if (image.alpha()) {
    const DeviceView& view = resident->picture.view;
    const DeviceMemory flag = device->Allocate(sizeof(uint32_t), lane.stream);
    Check(cudaMemsetAsync(flag.get(), 1, sizeof(uint32_t), lane.stream), "opacity");
    LaunchOpaque(view.data, view.pitch, image.width(), image.height(), image.channels(), type,
                 static_cast<uint32_t*>(flag.get()), lane.stream);
    uint32_t opaque = 0;
    Check(cudaMemcpyAsync(&opaque, flag.get(), sizeof opaque, cudaMemcpyDeviceToHost, lane.stream), "opacity");
    Check(cudaStreamSynchronize(lane.stream), "upload");
    resident->opaque = opaque != 0;
  }
  // Other lanes may use it at once.
  Check(cudaStreamSynchronize(lane.stream), "upload");
  return resident;
}

}  // namespace

std::shared_ptr<ImageCache::Entry> ImageCache::Find(const std::shared_ptr<const Image>& image) {
  const std::lock_guard lock(mutex_);
  for (auto at = entries_.begin(); at != entries_.end();) {
    if ((*at)->image.expired()) {
      at = entries_.erase(at);
      continue;
    }
    if ((*at)->key == image.get()) {
      entries_.splice(entries_.begin(), entries_, at);
      return entries_.front();
    }
    ++at;
  }
  auto entry = std::make_shared<Entry>();
  entry->key = image.get();
  entry->image = image;
  entry->bytes = image->bytes();
  entries_.push_front(entry);
  return entry;
}

void ImageCache::MakeRoom(const Entry* for_entry) {
  const std::lock_guard lock(mutex_);
  size_t bytes = 0;
  for (auto at = entries_.begin(); at != entries_.end();) {
    bytes += (*at)->bytes;
    at = bytes > budget_ && at->get() != for_entry ? entries_.erase(at) : std::next(at);
  }
}

bool ImageCache::Holds(const Image& image) {
  const std::lock_guard lock(mutex_);
  return std::any_of(entries_.begin(), entries_.end(), [&](const auto& entry) {
    return entry->key == &image && !entry->image.expired() && entry->uploaded;
  });
}

bool ImageCache::KeepOnly(const Image* image) {
  const std::lock_guard lock(mutex_);
  const size_t before = entries_.size();
  entries_.remove_if([&](const auto& entry) { return entry->key != image; });
  return entries_.size() < before;
}

std::shared_ptr<const ResidentImage> ImageCache::Get(const std::shared_ptr<const Image>& image, Lane& lane) {
  const std::shared_ptr<Entry> entry = Find(image);
  const std::lock_guard lock(entry->mutex);
  if (entry->resident == nullptr) {
    MakeRoom(entry.get());
    try {
      entry->resident = Uploaded(device_, lane, *image);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kOutOfMemory || !KeepOnly(image.get())) throw;
      entry->resident = Uploaded(device_, lane, *image);
    }
    entry->uploaded = true;
  }
  return entry->resident;
}

}  // namespace convolve::cuda
