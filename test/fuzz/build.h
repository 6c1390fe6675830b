// From the written form to what the backends take.
#pragma once

#include <memory>
#include <optional>

#include "case.h"
#include "engine/backend.h"

namespace convolve::fuzz {

struct BuiltCase {
  std::shared_ptr<const Image> image;
  Plan plan;
  RunRequest request;
};

/// Nothing where the plan leaves nothing of the picture, or does not fit it.
std::optional<BuiltCase> Build(const CaseSpec& spec);

/// How many multiply-adds the reference needs, roughly: what a case costs.
double Cost(const CaseSpec& spec);

}  // namespace convolve::fuzz
