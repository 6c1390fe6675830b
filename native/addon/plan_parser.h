// Parses core/pass.ts's form of a plan into native/engine/pass.h's. What is left to the engine's own Validate are the
// rules that hold for every caller: kernel sizes, anchors, divisors, regions.
#pragma once

#include "addon/field.h"
#include "engine/edge_picture.h"
#include "engine/pass.h"

namespace convolve::addon {

/// Throws Error kInvalidPlan, or kInvalidKernel inside `work`, with the path of the field that does not fit.
Plan ParsePlan(const Field& passes);

/// The same for the search for edges.
EdgeFilter ParseEdgeFilter(const Field& edges);

}  // namespace convolve::addon
