// Workers: the threads on which the engine works, shared by every JavaScript environment of the process. They are the
// addon's own because a run may take long: on libuv's four threads a few runs would hold up file access and decoding,
// and Node would wait for each run to its end before it let a worker thread or the process go.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_set>

#include "engine/backend.h"
#include "engine/error.h"

namespace convolve::addon {

/// Native work alone: nothing in a Task may touch JavaScript, because a worker runs it and drops it.
struct Task {
  std::shared_ptr<CancelToken> cancel;
  std::function<void(const CancelToken&)> work;
  /// Called once, whatever happens: with nothing after success, with the error otherwise.
  std::function<void(std::optional<Error>)> done;
};

class Workers {
 public:
  static Workers& OfProcess();

  /// Queues the task; tasks start in order. Tasks must not wait for each other: there are at most kMostThreads threads.
  void Submit(std::shared_ptr<Task> task);

  /// From now on started threads give way to all others of the process: to those that draw its window.
  void GiveWayToWindows() { gives_way_ = true; }

  /// Ends cancelled tasks that have not started, so that they need not wait for a free thread. (A running task looks at
  /// its token itself.)
  void EndCancelled();

 private:
  Workers();
  void Work();
  void StopAtExit();

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::condition_variable finished_;
  std::deque<std::shared_ptr<Task>> queue_;
  std::unordered_set<std::shared_ptr<Task>> running_;
  size_t threads_ = 0;
  size_t idle_ = 0;
  std::atomic<bool> gives_way_{false};
};

}  // namespace convolve::addon
