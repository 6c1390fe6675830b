// Threads that live as long as the backend: started when first needed, joined on destruction.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <list>
#include <mutex>
#include <thread>
#include <vector>

namespace convolve::cpu {

class ThreadPool {
 public:
  /// `threads` >= 1 counts the thread that calls Run, so that one less is started.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return threads_; }

  /// Calls body(task, worker) once for each task 0...tasks-1, on the calling thread and up to threads() - 1 others, and
  /// returns when all calls have ended. `worker` is 0...Workers(tasks)-1 and no two calls at a time have the same one.
  /// After the first exception no further task is begun; that exception is thrown here. Any number of threads may call.
  using Body = std::function<void(size_t task, int worker)>;
  void Run(size_t tasks, const Body& body);
  /// How many workers share this many tasks at most; at least 1.
  int Workers(size_t tasks) const;

 private:
  struct Job {
    const Body* body = nullptr;
    size_t tasks = 0;
    int most_workers = 0;
    std::atomic<size_t> next{0};
    std::atomic<bool> failed{false};
    std::exception_ptr failure;  // written once, by whoever sets `failed`
    int joined = 0;              // workers that ever took part; guarded by the pool's mutex, as is `active`
    int active = 0;
  };

  void Start();
  void Serve();
  Job* NextJob();
  static void Work(Job& job, int worker);

  const int threads_;
  std::mutex mutex_;
  std::condition_variable work_;  // a job was added, or the pool ends
  std::condition_variable done_;  // a worker left a job
  std::list<Job*> jobs_;
  std::vector<std::thread> started_;
  bool start_tried_ = false;
  bool ending_ = false;
};

}  // namespace convolve::cpu
