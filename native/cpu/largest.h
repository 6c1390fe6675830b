// The largest magnitude among a picture's samples, looked at once for each picture: running sums need a bound.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "cpu/thread_pool.h"
#include "engine/backend.h"
#include "engine/image.h"

namespace convolve::cpu {

class Largest {
 public:
  /// Full scale for integers. Of floating point the largest magnitude in code values, infinity where a sample is
  /// infinite or not a number; the first call for a picture reads all of it, on the pool's threads.
  double Of(const std::shared_ptr<const Image>& image, ThreadPool& pool, const CancelToken& cancel);

 private:
  struct Known {
    std::weak_ptr<const Image> image;
    double largest = 0;
  };
  std::mutex mutex_;
  std::map<const Image*, Known> known_;
};

}  // namespace convolve::cpu
