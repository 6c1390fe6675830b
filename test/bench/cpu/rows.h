// What the bench measures: one row for each kernel, with every way in which the engine could run it.
#pragma once

#include <string>
#include <vector>

#include "engine/pass.h"

namespace convolve::bench {

/// Which function of a peer does the same.
enum class Operation { kFilter, kGaussian, kBox, kMagnitude };

/// One path of the engine.
struct Path {
  std::string name;  // "dense", "separable", ...
  Work work;
  /// Additions and multiplications a sample that the path's arithmetic needs; 0 where that is no fixed number (fft).
  double operations = 0;
};

struct Row {
  std::string name;   // "gaussian 9"
  std::string curve;  // rows of one curve differ by size only: "dense", "gaussian", "box"; else empty
  int size = 0;       // cells a side
  Operation operation = Operation::kFilter;
  DenseWeights kernel;       // the same as a dense kernel, without weights where it is too large for one; or a
                             // magnitude's x
  DenseWeights other;        // of a magnitude its y
  std::vector<double> taps;  // gaussian and box: the kernel is their outer product
  double sigma = 0;          // gaussian only
  /// The first is the usual one.
  std::vector<Path> paths;
  /// Not among the rows that are measured unless asked for by name.
  bool extra = false;
};

std::vector<Row> MakeRows();

}  // namespace convolve::bench
