// From a call to its promise and back: JavaScript thread ▶ Start ▶ worker ▶ Mailbox ▶ JavaScript thread ▶ Settle.
#include "addon/environment.h"

#include <condition_variable>
#include <mutex>
#include <utility>

#include "addon/failure.h"

namespace convolve::addon {

/// The way from the workers to one JavaScript thread. Closed before Node takes that thread's queue away.
class Environment::Mailbox {
 public:
  Mailbox(Napi::Env env, Environment* environment) : env_(env) {
    napi_value name = Napi::String::New(env, "convolve");
    const napi_status status = napi_create_threadsafe_function(env, nullptr, nullptr, name, 0, 1, nullptr, nullptr,
                                                               environment, Receive, &queue_);
    NAPI_THROW_IF_FAILED_VOID(env, status);
    HoldLoop(false);
  }

  /// Whether the event loop stays alive for what is to come.
  void HoldLoop(bool hold) {
    if (hold) {
      napi_ref_threadsafe_function(env_, queue_);
    } else {
      napi_unref_threadsafe_function(env_, queue_);
    }
  }

  void Expect() {
    const std::lock_guard lock(mutex_);
    ++expected_;
  }

  /// From any thread: the job's work has ended.
  void Post(Job* job) {
    // The call is made under the lock: once Close has seen `expected_` at 0, nobody touches the queue any more.
    const std::lock_guard lock(mutex_);
    napi_call_threadsafe_function(queue_, job, napi_tsfn_nonblocking);
    --expected_;
    settled_.notify_all();
  }

  /// Blocks until every expected job has been posted.
  void AwaitAll() {
    std::unique_lock lock(mutex_);
    settled_.wait(lock, [this] { return expected_ == 0; });
  }

 private:
  napi_env env_;
  napi_threadsafe_function queue_ = nullptr;
  std::mutex mutex_;
  std::condition_variable settled_;
  size_t expected_ = 0;
};

Environment::Environment(Napi::Env env) : env_(env), mailbox_(std::make_shared<Mailbox>(env, this)) {
  // Hooks run newest first, so this one runs while the mailbox's queue still exists.
  env.AddCleanupHook([this] { Close(); });
}

Napi::Promise Environment::Start(std::shared_ptr<CancelToken> cancel, std::vector<Napi::Object> kept,
                                 std::function<void(const CancelToken&)> work,
                                 std::function<Napi::Value(Napi::Env)> value) {
  auto owned =
      std::make_unique<Job>(Job{Napi::Promise::Deferred::New(env_), std::move(value), cancel, {}, std::nullopt});
  Job* const job = owned.get();
  for (const Napi::Object& object : kept) job->kept.push_back(Napi::Persistent(object));
  auto task = std::make_shared<Task>();
  task->cancel = std::move(cancel);
  task->work = std::move(work);
  task->done = [mailbox = mailbox_, job](std::optional<Error> error) {
    job->error = std::move(error);
    mailbox->Post(job);
  };
  const Napi::Promise promise = job->deferred.Promise();
  jobs_.emplace(job, std::move(owned));
  mailbox_->Expect();
  try {
    Workers::OfProcess().Submit(std::move(task));
  } catch (...) {
    job->error = ErrorOf(std::current_exception());
    mailbox_->Post(job);
  }
  if (jobs_.size() == 1) mailbox_->HoldLoop(true);
  return promise;
}

void Environment::Receive(napi_env env, napi_value, void* environment, void* job) {
  // Without an environment Node is emptying the queue of a thread that has gone; Close has taken care of the jobs.
  if (env == nullptr) return;
  static_cast<Environment*>(environment)->Settle(static_cast<Job*>(job));
}

void Environment::Settle(Job* job) {
  const auto entry = jobs_.find(job);
  if (entry == jobs_.end()) return;
  const std::unique_ptr<Job> owned = std::move(entry->second);
  jobs_.erase(entry);
  if (jobs_.empty()) mailbox_->HoldLoop(false);
  // Whoever cancelled before the promise settled sees `cancelled`, even when the work was just done.
  if (!job->error && job->cancel->cancelled()) job->error = Error(ErrorCode::kCancelled, "run");
  try {
    const Napi::HandleScope scope(env_);
    if (job->error) {
      job->deferred.Reject(ToJavaScript(env_, *job->error).Value());
      return;
    }
    try {
      job->deferred.Resolve(job->value(env_));
    } catch (const Napi::Error& error) {
      job->deferred.Reject(error.Value());
    } catch (...) {
      job->deferred.Reject(ToJavaScript(env_, ErrorOf(std::current_exception())).Value());
    }
  } catch (const Napi::Error&) {
    // The thread is being terminated and runs no more JavaScript: there is nobody to tell.
  }
}

void Environment::Close() {
  for (const auto& [job, owned] : jobs_) job->cancel->Cancel();
  Workers::OfProcess().EndCancelled();
  // The memory that running work writes into goes with the environment, so it must have stopped first.
  mailbox_->AwaitAll();
  jobs_.clear();
}

}  // namespace convolve::addon
