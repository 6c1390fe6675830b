// The entry point of the C++ tests.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#if defined(__SANITIZE_ADDRESS__)
// A request over 8 GiB fails, as on a small machine, instead of ending the program: the out-of-memory tests need that.
extern "C" __attribute__((visibility("default"))) const char* __asan_default_options() {
  return "allocator_may_return_null=1:max_allocation_size_mb=8192";
}
#endif
