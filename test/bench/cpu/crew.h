// A fixed group of threads that run one job together: what the user of a library without threads would write.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace convolve::bench {

class Crew {
 public:
  /// `size` members; the caller of Run is the first of them. size >= 1.
  explicit Crew(int size);
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  ~Crew();

  int size() const { return size_; }
  /// job(0) ... job(size - 1), each on a thread of its own; returns when all are done.
  void Run(const std::function<void(int)>& job);

 private:
  void Work(int member);

  const int size_;
  std::mutex mutex_;
  std::condition_variable begin_;
  std::condition_variable end_;
  const std::function<void(int)>* job_ = nullptr;
  int turn_ = 0;
  int busy_ = 0;
  bool closing_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace convolve::bench
