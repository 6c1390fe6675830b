// MemoryLimit: while it lives, this process gets no address space beyond the limit, so that large requests fail as they
// would on a small machine.
#pragma once

#include <cstddef>

#if defined(__unix__)
#include <sys/resource.h>
#endif

namespace convolve::test {

class MemoryLimit {
 public:
  explicit MemoryLimit([[maybe_unused]] size_t bytes) {
#if defined(__unix__)
    getrlimit(RLIMIT_AS, &before_);
    rlimit limited = before_;
    limited.rlim_cur = bytes;
    setrlimit(RLIMIT_AS, &limited);
#endif
  }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;
  ~MemoryLimit() {
#if defined(__unix__)
    setrlimit(RLIMIT_AS, &before_);
#endif
  }

 private:
#if defined(__unix__)
  rlimit before_{};
#endif
};

}  // namespace convolve::test
