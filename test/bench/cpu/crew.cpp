// The crew waits on a condition between jobs, so that an idle member costs nothing.
#include "crew.h"

namespace convolve::bench {

Crew::Crew(int size) : size_(size) {
  for (int member = 1; member < size; ++member) threads_.emplace_back([this, member] { Work(member); });
}

Crew::~Crew() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  begin_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Crew::Run(const std::function<void(int)>& job) {
  {
    const std::lock_guard lock(mutex_);
    job_ = &job;
    busy_ = size_ - 1;
    ++turn_;
  }
  begin_.notify_all();
  job(0);
  std::unique_lock lock(mutex_);
  end_.wait(lock, [this] { return busy_ == 0; });
}

void Crew::Work(int member) {
  int seen = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    begin_.wait(lock, [&] { return closing_ || turn_ != seen; });
    if (closing_) return;
    seen = turn_;
    const std::function<void(int)>& job = *job_;
    lock.unlock();
    job(member);
    lock.lock();
    if (--busy_ == 0) end_.notify_one();
  }
}

}  // namespace convolve::bench
