// Jobs queue up in order; the caller of Run is always one of its job's workers, so that a job ends even when every
// other thread is busy elsewhere or could not be started.
#include "cpu/thread_pool.h"

#include <algorithm>

namespace convolve::cpu {

ThreadPool::ThreadPool(int threads) : threads_(std::max(threads, 1)) {}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  work_.notify_all();
  for (std::thread& thread : started_) thread.join();
}

int ThreadPool::Workers(size_t tasks) const {
  return static_cast<int>(std::clamp<size_t>(tasks, 1, static_cast<size_t>(threads_)));
}

void ThreadPool::Run(size_t tasks, const Body& body) {
  if (threads_ == 1 || tasks <= 1) {
    for (size_t task = 0; task < tasks; ++task) body(task, 0);
    return;
  }
  Job job;
  job.body = &body;
  job.tasks = tasks;
  job.most_workers = Workers(tasks);
  job.joined = 1;
  job.active = 1;
  std::list<Job*> entry{&job};
  {
    const std::lock_guard lock(mutex_);
    Start();
    jobs_.splice(jobs_.end(), entry);
  }
  work_.notify_all();
  Work(job, 0);
  {
    std::unique_lock lock(mutex_);
    jobs_.remove(&job);
    --job.active;
    done_.wait(lock, [&] { return job.active == 0; });
  }
  if (job.failure) std::rethrow_exception(job.failure);
}

/// Starts the threads once; where the system gives fewer, the pool is smaller. Needs the mutex.
void ThreadPool::Start() {
  if (start_tried_) return;
  start_tried_ = true;
  try {
    started_.reserve(static_cast<size_t>(threads_ - 1));
    while (static_cast<int>(started_.size()) < threads_ - 1) started_.emplace_back([this] { Serve(); });
  } catch (...) {
    // No more threads, or no memory for them: what was started serves; the calling thread does the rest.
  }
}

/// The oldest job that has tasks left and room for a worker. Needs the mutex.
ThreadPool::Job* ThreadPool::NextJob() {
  for (Job* job : jobs_) {
    if (job->joined < job->most_workers && !job->failed && job->next < job->tasks) return job;
  }
  return nullptr;
}

void ThreadPool::Serve() {
  std::unique_lock lock(mutex_);
  while (true) {
    Job* job = nullptr;
    work_.wait(lock, [&] { return ending_ || (job = NextJob()) != nullptr; });
    if (job == nullptr) return;
    const int worker = job->joined++;
    ++job->active;
    lock.unlock();
    Work(*job, worker);
    lock.lock();
    if (--job->active == 0) done_.notify_all();
  }
}

void ThreadPool::Work(Job& job, int worker) {
  while (!job.failed) {
    const size_t task = job.next++;
    if (task >= job.tasks) return;
    try {
      (*job.body)(task, worker);
    } catch (...) {
      if (!job.failed.exchange(true)) job.failure = std::current_exception();
      return;
    }
  }
}

}  // namespace convolve::cpu
