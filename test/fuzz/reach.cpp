// Windows are rectangles and borders work axis by axis, so one sweep along rows and one along columns suffice.
#include "reach.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <type_traits>
#include <variant>

#include "engine/border.h"
#include "engine/plan.h"

namespace convolve::fuzz {
namespace {

struct Mask {
  int width = 0;
  int height = 0;
  std::vector<char> cells;
  char& At(int x, int y) { return cells[static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)]; }
};

Mask Specials(const Image& image) {
  Mask mask{image.width(), image.height(), {}};
  mask.cells.resize(static_cast<size_t>(mask.width) * static_cast<size_t>(mask.height));
  std::visit(
      [&](const auto& view) {
        if constexpr (std::is_floating_point_v<std::remove_pointer_t<decltype(view.data)>>) {
          for (int y = 0; y < view.height; ++y) {
            for (int i = 0; i < view.width * view.channels; ++i) {
              if (!std::isfinite(view.Row(y)[i])) mask.At(i / view.channels, y) = 1;
            }
          }
        }
      },
      image.view());
  return mask;
}

/// Along one axis: whether the window around each of `length` positions meets a set cell.
template <typename IsSet>
std::vector<char> Line(int length, int before, int after, BorderKind border, const IsSet& is_set) {
  std::vector<char> reached(static_cast<size_t>(length));
  std::vector<int> count(static_cast<size_t>(length + before + after) + 1);
  for (int i = 0; i < length + before + after; ++i) {
    const int position = MapPosition(border, int64_t{i} - before, length);
    count[static_cast<size_t>(i) + 1] = count[static_cast<size_t>(i)] + (position >= 0 && is_set(position) ? 1 : 0);
  }
  for (int i = 0; i < length; ++i) {
    reached[static_cast<size_t>(i)] =
        count[static_cast<size_t>(i + before + after) + 1] > count[static_cast<size_t>(i)] ? 1 : 0;
  }
  return reached;
}

Mask After(const Pass& pass, Mask mask) {
  const Reach reach = ReachOf(pass);
  Mask own = mask;
  for (int y = 0; y < mask.height; ++y) {
    const auto line =
        Line(mask.width, reach.left, reach.right, pass.border.kind, [&](int x) { return mask.At(x, y) != 0; });
    for (int x = 0; x < mask.width; ++x) mask.At(x, y) = line[static_cast<size_t>(x)];
  }
  for (int x = 0; x < mask.width; ++x) {
    const auto line =
        Line(mask.height, reach.top, reach.bottom, pass.border.kind, [&](int y) { return mask.At(x, y) != 0; });
    for (int y = 0; y < mask.height; ++y) {
      mask.At(x, y) = static_cast<char>(line[static_cast<size_t>(y)] != 0 || own.At(x, y) != 0);
    }
  }
  if (pass.size == SizeMode::kSame) return mask;
  Mask inner{mask.width - reach.left - reach.right, mask.height - reach.top - reach.bottom, {}};
  for (int y = 0; y < inner.height; ++y) {
    for (int x = 0; x < inner.width; ++x) inner.cells.push_back(mask.At(x + reach.left, y + reach.top));
  }
  return inner;
}

}  // namespace

std::vector<char> ReachedBySpecials(const BuiltCase& built) {
  Mask mask = Specials(*built.image);
  if (std::none_of(mask.cells.begin(), mask.cells.end(), [](char cell) { return cell != 0; })) return {};
  for (const Pass* pass : StepsOf(built.plan)) mask = After(*pass, std::move(mask));
  return mask.cells;
}

}  // namespace convolve::fuzz
