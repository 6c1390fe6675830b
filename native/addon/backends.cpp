// Lazy, process-wide backends.
#include "addon/backends.h"

#include "addon/failure.h"

namespace convolve::addon {
namespace {

const char* Text(BackendName name) {
  switch (name) {
    case BackendName::kReference:
      return "reference";
    case BackendName::kCpu:
      return "cpu";
    case BackendName::kCuda:
      return "cuda";
  }
  return "";
}

}  // namespace

Backend& BackendOf(BackendName name) {
  // Not destroyed: at the end of the process their threads and devices may still be in use.
  switch (name) {
    case BackendName::kReference: {
      static Backend* const reference = MakeReferenceBackend().release();
      return *reference;
    }
    case BackendName::kCpu: {
      static Backend* const cpu = MakeCpuBackend().release();
      return *cpu;
    }
    case BackendName::kCuda: {
      static Backend* const cuda = MakeCudaBackend().release();
      return *cuda;
    }
  }
  throw Error(ErrorCode::kInternal, "backend");
}

Backend& AvailableBackend(BackendName name) {
  Backend& backend = BackendOf(name);
  const BackendInfo info = backend.info();
  if (!info.available)
    throw Error(ErrorCode::kBackendUnavailable, Text(name), "an available backend", info.description);
  return backend;
}

std::vector<BackendInfo> AllBackends() {
  std::vector<BackendInfo> all;
  for (const BackendName name : {BackendName::kReference, BackendName::kCpu, BackendName::kCuda}) {
    try {
      all.push_back(BackendOf(name).info());
    } catch (...) {
      all.push_back({Text(name), false, ErrorOf(std::current_exception()).what()});
    }
  }
  return all;
}

}  // namespace convolve::addon
