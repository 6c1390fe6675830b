// Work that several threads share for the time of one call.
#pragma once

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace convolve {

/// Calls work(i) for each i below `count` on up to `threads` threads, the caller's among them; each makes its own by
/// make(). Returns when all have ended. The first exception of any is thrown, and after it nothing further is begun.
/// Where the system has no more threads, or no memory for them, those that there are do it all. `Thread` is what
/// std::thread is.
template <typename Thread = std::thread, typename Make>
void RunOnThreads(int count, int threads, const Make& make) {
  std::atomic<int> next{0};
  std::exception_ptr failure;
  std::mutex mutex;
  const auto share = [&] {
    try {
      auto work = make();
      for (int i = next++; i < count; i = next++) work(i);
    } catch (...) {
      next = count;
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  std::vector<Thread> others;
  try {
    for (int i = 1; i < threads; ++i) others.emplace_back(share);
  } catch (...) {
    // To leave without joining those that run would end the program.
  }
  share();
  for (Thread& thread : others) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace convolve
