// Environment: what the addon keeps for one JavaScript environment (the main thread, or one worker_thread): the work it
// has outstanding, the way back to its thread, and its classes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "addon/workers.h"
#include "engine/error.h"
#include "napi.h"

namespace convolve::addon {

/// One promise that native work will settle. It lives on the JavaScript thread; workers write `error` only.
struct Job {
  Napi::Promise::Deferred deferred;
  /// Makes the promise's value, on the JavaScript thread.
  std::function<Napi::Value(Napi::Env)> value;
  std::shared_ptr<CancelToken> cancel;
  /// Keeps the memory that the work reads or writes from being collected.
  std::vector<Napi::ObjectReference> kept;
  std::optional<Error> error;
};

class Environment {
 public:
  explicit Environment(Napi::Env env);
  static Environment& Of(Napi::Env env) { return *env.GetInstanceData<Environment>(); }

  /// Starts `work` on a worker thread and returns the promise of `value`. The promise rejects with the work's error, or
  /// with `cancelled` when `cancel` was set before it settled. `kept` is held until then. `work` must not touch
  /// JavaScript.
  Napi::Promise Start(std::shared_ptr<CancelToken> cancel, std::vector<Napi::Object> kept,
                      std::function<void(const CancelToken&)> work, std::function<Napi::Value(Napi::Env)> value);

  Napi::FunctionReference image_class;
  Napi::FunctionReference kept_class;

 private:
  class Mailbox;

  static void Receive(napi_env env, napi_value callback, void* environment, void* job);
  void Settle(Job* job);
  void Close();

  Napi::Env env_;
  /// Shared with the tasks, which may outlive the environment by a few instructions.
  std::shared_ptr<Mailbox> mailbox_;
  std::unordered_map<Job*, std::unique_ptr<Job>> jobs_;
};

}  // namespace convolve::addon
