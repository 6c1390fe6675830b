// A plain thread pool that grows on demand, ends cancelled tasks early and stops before the process is torn down.
#include "addon/workers.h"

#ifdef __linux__
#include <sys/resource.h>
#endif

#include <chrono>
#include <cstdlib>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "addon/failure.h"

namespace convolve::addon {
namespace {

// A preview, an export, a measurement and a few loads at once; each fast backend spreads one run over all cores by
// itself.
constexpr size_t kMostThreads = 8;
// How long the end of the process waits for cancelled runs. They stop between tiles; a stuck device must not hang it.
constexpr std::chrono::seconds kExitPatience{5};

// How far threads that give way stand behind others: a third of their share of a core that both want.
constexpr int kNiceness = 5;

/// This thread, and those that it starts, give way. Linux alone counts by threads.
void GiveWay() {
#ifdef __linux__
  setpriority(PRIO_PROCESS, 0, kNiceness);
#endif
}

std::optional<Error> Outcome(const Task& task) {
  try {
    task.cancel->ThrowIfCancelled();
    task.work(*task.cancel);
    return std::nullopt;
  } catch (...) {
    return ErrorOf(std::current_exception());
  }
}

}  // namespace

Workers& Workers::OfProcess() {
  // Never destroyed: detached threads wait in it until the process is gone.
  static Workers* const workers = new Workers();
  return *workers;
}

Workers::Workers() {
  // Static objects are destroyed after this; no run may still be using them.
  std::atexit([] { OfProcess().StopAtExit(); });
}

void Workers::Submit(std::shared_ptr<Task> task) {
  const std::lock_guard lock(mutex_);
  if (queue_.size() >= idle_ && threads_ < kMostThreads) {
    try {
      std::thread([this] { Work(); }).detach();
      ++threads_;
    } catch (const std::system_error& error) {
      if (threads_ == 0) throw Error(ErrorCode::kOutOfMemory, "thread", "", error.what());
    }
  }
  queue_.push_back(std::move(task));
  arrived_.notify_one();
}

void Workers::Work() {
  if (gives_way_) GiveWay();
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    arrived_.wait(lock, [this] { return !queue_.empty(); });
    --idle_;
    std::shared_ptr<Task> task = std::move(queue_.front());
    queue_.pop_front();
    running_.insert(task);
    lock.unlock();
    task->done(Outcome(*task));
    lock.lock();
    running_.erase(task);
    finished_.notify_all();
    // What the work holds (an image, perhaps) is freed without the lock and before the next wait.
    lock.unlock();
    task.reset();
    lock.lock();
  }
}

void Workers::EndCancelled() {
  std::vector<std::shared_ptr<Task>> ended;
  {
    const std::lock_guard lock(mutex_);
    std::deque<std::shared_ptr<Task>> kept;
    for (std::shared_ptr<Task>& task : queue_) {
      if (task->cancel->cancelled()) {
        ended.push_back(std::move(task));
      } else {
        kept.push_back(std::move(task));
      }
    }
    queue_ = std::move(kept);
  }
  for (const std::shared_ptr<Task>& task : ended) task->done(Error(ErrorCode::kCancelled, "run"));
}

void Workers::StopAtExit() {
  std::unique_lock lock(mutex_);
  queue_.clear();
  for (const std::shared_ptr<Task>& task : running_) task->cancel->Cancel();
  finished_.wait_for(lock, kExitPatience, [this] { return running_.empty(); });
}

}  // namespace convolve::addon
