// The backends of the process: one of each, made when first asked for, never destroyed.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "engine/backend.h"

namespace convolve::addon {

enum class BackendName { kReference, kCpu, kCuda };

/// Makes the backend on the first call (which may take as long as starting a device); any thread.
Backend& BackendOf(BackendName name);

/// The same, or Error kBackendUnavailable with the reason.
Backend& AvailableBackend(BackendName name);

/// Every backend, also those that are not available; makes them on the first call.
std::vector<BackendInfo> AllBackends();

}  // namespace convolve::addon
