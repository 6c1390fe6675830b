// Greedy: the first simpler case that still fails is the next one to simplify.
#include "shrink.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace convolve::fuzz {
namespace {

/// The kernel with other sides, its anchor at the same share of them.
void Resize(WorkSpec& work, int width, int height) {
  width = std::max(width, 1);
  height = std::max(height, 1);
  work.anchor_x = std::min(work.anchor_x * width / work.width, width - 1);
  work.anchor_y = std::min(work.anchor_y * height / work.height, height - 1);
  work.width = width;
  work.height = height;
}

using Change = std::function<void(CaseSpec&)>;

void AddWorkChanges(size_t i, WorkSpec PassSpec::*which, const WorkSpec& work, std::vector<Change>& changes) {
  const auto resize = [&](int width, int height) {
    if (width == work.width && height == work.height) return;
    changes.push_back([=](CaseSpec& spec) { Resize(spec.passes[i].*which, width, height); });
  };
  resize(work.width / 2, work.height / 2);
  resize(work.width / 2, work.height);
  resize(work.width, work.height / 2);
  resize(std::max(1, work.width - 1), work.height);
  resize(work.width, std::max(1, work.height - 1));
  changes.push_back([=](CaseSpec& spec) {
    WorkSpec& one = spec.passes[i].*which;
    one.anchor_x = one.width / 2;
    one.anchor_y = one.height / 2;
  });
  changes.push_back([=](CaseSpec& spec) { (spec.passes[i].*which).drawn = Drawn::kPositive; });
  changes.push_back([=](CaseSpec& spec) { (spec.passes[i].*which).seed = 1; });
  changes.push_back([=](CaseSpec& spec) { (spec.passes[i].*which).pairs = 1; });
}

std::vector<Change> Changes(const CaseSpec& spec) {
  std::vector<Change> changes;
  for (size_t i = 0; i < spec.passes.size(); ++i) {
    changes.push_back([=](CaseSpec& one) { one.passes.erase(one.passes.begin() + static_cast<std::ptrdiff_t>(i)); });
  }
  changes.push_back([](CaseSpec& one) { one.width = std::max(1, one.width / 2); });
  changes.push_back([](CaseSpec& one) { one.height = std::max(1, one.height / 2); });
  changes.push_back([](CaseSpec& one) { one.level = 0; });
  changes.push_back([](CaseSpec& one) { one.padding = 0; });
  changes.push_back([](CaseSpec& one) { one.destination = one.type; });
  changes.push_back([](CaseSpec& one) { one.left = 0, one.top = 0, one.right = 1000, one.bottom = 1000; });
  changes.push_back([](CaseSpec& one) { one.alpha = false; });
  changes.push_back([](CaseSpec& one) { one.channels = 1, one.alpha = false; });
  changes.push_back([](CaseSpec& one) { one.content = Content::kNoise; });
  changes.push_back([](CaseSpec& one) { one.seed = 1; });
  for (size_t i = 0; i < spec.passes.size(); ++i) {
    const PassSpec usual;
    const auto reset = [&](auto member) {
      changes.push_back([=](CaseSpec& one) { one.passes[i].*member = PassSpec{}.*member; });
    };
    reset(&PassSpec::repeat);
    reset(&PassSpec::mix);
    changes.push_back([=](CaseSpec& one) { one.passes[i].mix.mask = 0; });
    changes.push_back([=](CaseSpec& one) { one.passes[i].mix.other = 0; });
    changes.push_back([=](CaseSpec& one) { one.passes[i].mix.opacity = 1; });
    changes.push_back([=](CaseSpec& one) { one.passes[i].mix.blend = BlendMode::kNormal; });
    changes.push_back([=](CaseSpec& one) { one.passes[i].mix.luminance = false; });
    reset(&PassSpec::valid);
    reset(&PassSpec::linear);
    reset(&PassSpec::result);
    reset(&PassSpec::input);
    reset(&PassSpec::offset);
    reset(&PassSpec::range);
    reset(&PassSpec::alpha);
    reset(&PassSpec::border);
    reset(&PassSpec::border_value);
    AddWorkChanges(i, &PassSpec::work, spec.passes[i].work, changes);
    if (spec.passes[i].work.kind == WorkKind::kMagnitude) {
      AddWorkChanges(i, &PassSpec::other, spec.passes[i].other, changes);
    }
  }
  changes.push_back([](CaseSpec& one) { one.width = std::max(1, one.width - 1); });
  changes.push_back([](CaseSpec& one) { one.height = std::max(1, one.height - 1); });
  return changes;
}

}  // namespace

CaseSpec Shrunk(CaseSpec spec, const std::function<bool(const CaseSpec&)>& fails, std::chrono::milliseconds limit) {
  const auto end = std::chrono::steady_clock::now() + limit;
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (const Change& change : Changes(spec)) {
      if (std::chrono::steady_clock::now() > end) return spec;
      CaseSpec simpler = spec;
      change(simpler);
      if (TextOf(simpler) == TextOf(spec) || !fails(simpler)) continue;
      spec = std::move(simpler);
      smaller = true;
      break;
    }
  }
  return spec;
}

}  // namespace convolve::fuzz
