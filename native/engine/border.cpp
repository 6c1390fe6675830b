// The arithmetic of the borders: repeats correctly however far outside the position lies.
#include "engine/border.h"

#include <algorithm>

namespace convolve {
namespace {

/// Remainder that is never negative: 0 ... period - 1.
int64_t Modulo(int64_t value, int64_t period) {
  const int64_t remainder = value % period;
  return remainder < 0 ? remainder + period : remainder;
}

}  // namespace

int MapPosition(BorderKind border, int64_t position, int size) {
  if (position >= 0 && position < size) return static_cast<int>(position);
  const int64_t n = size;
  switch (border) {
    case BorderKind::kZero:
    case BorderKind::kConstant:
      return -1;
    case BorderKind::kReplicate:
      return static_cast<int>(std::clamp<int64_t>(position, 0, n - 1));
    case BorderKind::kReflect: {
      const int64_t q = Modulo(position, 2 * n);
      return static_cast<int>(q < n ? q : 2 * n - 1 - q);
    }
    case BorderKind::kMirror: {
      if (n == 1) return 0;  // no neighbour to turn back to
      const int64_t q = Modulo(position, 2 * n - 2);
      return static_cast<int>(q < n ? q : 2 * n - 2 - q);
    }
    case BorderKind::kWrap:
      return static_cast<int>(Modulo(position, n));
  }
  return -1;
}

}  // namespace convolve
