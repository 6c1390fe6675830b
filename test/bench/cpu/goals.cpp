// One table.
#include "goals.h"

#include <map>

namespace convolve::bench {
namespace {

struct Goals {
  double u8_exact;
  double u8_quick;
  double f32_exact;
};

const std::map<std::string, Goals>& Table() {
  static const std::map<std::string, Goals> table = {
      {"dense 3", {3, 4, 1.5}},       {"dense 5", {4.5, 3.5, 2.5}},       {"dense 7", {5, 2.8, 2.6}},
      {"dense 11", {6, 2, 3}},        {"dense 15", {6.5, 1.9, 3}},        {"dense 31", {7, 3, 8}},
      {"dense 63", {7, 100, 8}},      {"gaussian 5", {1.7, 4, 1.9}},      {"gaussian 9", {2.1, 3.5, 3.3}},
      {"gaussian 15", {2.3, 3, 4.4}}, {"gaussian 31", {2.8, 2.5, 5.9}},   {"gaussian 61", {3.4, 1.7, 6.8}},
      {"box 31", {2.5, 4, 2.4}},      {"sobel magnitude", {4.8, 5, 3.2}}, {"laplacian", {2, 10, 1.4}},
  };
  return table;
}

}  // namespace

Goal GoalOf(const std::string& format, const std::string& row) {
  const auto found = Table().find(row);
  if (found == Table().end()) return {};
  if (format == "u8 RGBA") return {found->second.u8_exact, found->second.u8_quick};
  if (format == "f32 RGBA") return {found->second.f32_exact, std::nullopt};
  return {};
}

std::optional<double> MeanGoalOf(const std::string& format) {
  if (format == "u8 RGBA") return 3.5;
  if (format == "f32 RGBA") return 3.3;
  return std::nullopt;
}

}  // namespace convolve::bench
