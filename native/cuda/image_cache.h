// ImageCache: images that are already on the device, under a budget of bytes; the least recently used goes first.
#pragma once

#include <atomic>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>

#include "cuda/device.h"
#include "engine/image.h"

namespace convolve::cuda {

struct ResidentImage {
  DevicePicture picture;
  bool opaque = false;  // it has alpha, and all of it is full scale
};

class ImageCache {
 public:
  ImageCache(Device* device, size_t budget) : device_(device), budget_(budget) {}

  /// The image on the device, uploaded now where it is not there yet. What is returned lives as long as it is held,
  /// also after it has left the cache. Several threads may ask at once.
  std::shared_ptr<const ResidentImage> Get(const std::shared_ptr<const Image>& image, Lane& lane);
  /// Whether the image is on the device; never waits for an upload.
  bool Holds(const Image& image);
  /// Lets go of every image but this one; says whether there was any.
  bool KeepOnly(const Image* image);

 private:
  struct Entry {
    const Image* key = nullptr;
    std::weak_ptr<const Image> image;  // tells a new image at an old address
    std::mutex mutex;                  // held while uploading
    std::shared_ptr<const ResidentImage> resident;
    std::atomic<bool> uploaded{false};
    size_t bytes = 0;
  };

  std::shared_ptr<Entry> Find(const std::shared_ptr<const Image>& image);
  void MakeRoom(const Entry* for_entry);

  Device* device_;
  size_t budget_;
  std::mutex mutex_;
  std::list<std::shared_ptr<Entry>> entries_;  // the most recently used first
};

}  // namespace convolve::cuda
