// Whether every pixel of a picture has full alpha, looked at once for each picture: an opaque one needs no weighting.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "cpu/thread_pool.h"
#include "engine/backend.h"
#include "engine/image.h"

namespace convolve::cpu {

class Opacity {
 public:
  /// True for a picture whose alpha channel is full scale everywhere; false for one without alpha. The first call for a
  /// picture reads all of it, on the pool's threads.
  bool IsOpaque(const std::shared_ptr<const Image>& image, ThreadPool& pool, const CancelToken& cancel);

 private:
  struct Known {
    std::weak_ptr<const Image> image;
    bool opaque = false;
  };
  std::mutex mutex_;
  std::map<const Image*, Known> known_;
};

}  // namespace convolve::cpu
