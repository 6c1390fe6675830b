// Bookkeeping of the squares that are there, and pages that the system backs as they are written.
#include "engine/kept_result.h"

#include <algorithm>
#include <string>
#include <utility>

#include "engine/pages.h"
#include "engine/plan.h"

namespace convolve {
namespace {

constexpr size_t kLine = 64;       // bytes
constexpr size_t kRowSlack = 128;  // bytes that vector code may write behind a row

int Squares(int length) { return (length + kKeptSquare - 1) / kKeptSquare; }

ResultSize RequireSize(const std::shared_ptr<const Image>& image, const Plan& before) {
  if (image == nullptr) throw Error(ErrorCode::kInvalidArgument, "image", "an image", "none");
  ValidatePlan(before, *image);
  if (before.passes.empty()) throw Error(ErrorCode::kInvalidPlan, "passes", "at least one", "none");
  return SizeAfter(before, image->width(), image->height());
}

}  // namespace

void Backend::RunAfter(KeptResult& kept, const Plan& after, const RunRequest& request, const AnyView& destination,
                       const CancelToken& cancel) {
  Run(kept.Followed(after), kept.image(), request, destination, cancel);
}

Extremes Backend::MeasureAfter(KeptResult& kept, const Plan& after, const CancelToken& cancel) {
  return Measure(kept.Followed(after), kept.image(), cancel);
}

KeptResult::KeptResult(std::shared_ptr<const Image> image, Plan before)
    : image_(std::move(image)),
      before_(std::move(before)),
      size_(RequireSize(image_, before_)),
      columns_(Squares(size_.width)),
      rows_(Squares(size_.height)),
      there_(static_cast<size_t>(columns_) * static_cast<size_t>(rows_), false) {}

KeptResult::~KeptResult() { FreePages(samples_, bytes_); }

Plan KeptResult::Followed(const Plan& by) const {
  Plan plan = before_;
  plan.passes.insert(plan.passes.end(), by.passes.begin(), by.passes.end());
  return plan;
}

std::byte* KeptResult::Samples(size_t bytes_per_sample) {
  const std::lock_guard lock(mutex_);
  if (samples_ != nullptr) {
    if (bytes_per_sample == bytes_per_sample_) return samples_;
    throw Error(ErrorCode::kInternal, "kept result", std::to_string(bytes_per_sample_) + " bytes a sample",
                std::to_string(bytes_per_sample));
  }
  const size_t row = static_cast<size_t>(size_.width) * static_cast<size_t>(image_->channels()) * bytes_per_sample;
  row_bytes_ = ((row + kRowSlack + kLine - 1) / kLine | 1) * kLine;
  bytes_ = row_bytes_ * static_cast<size_t>(size_.height);
  bytes_per_sample_ = bytes_per_sample;
  samples_ = AllocatePages(bytes_);
  if (samples_ == nullptr) {
    throw Error(ErrorCode::kOutOfMemory, "kept result", "", std::to_string(bytes_) + " bytes asked for");
  }
  return samples_;
}

std::vector<Region> KeptResult::Missing(const std::vector<Region>& needed) const {
  std::vector<bool> wanted(there_.size(), false);
  for (const Region& region : needed) {
    for (int row = region.y / kKeptSquare; row < Squares(region.y + region.height); ++row) {
      for (int column = region.x / kKeptSquare; column < Squares(region.x + region.width); ++column) {
        const size_t square = static_cast<size_t>(row) * static_cast<size_t>(columns_) + static_cast<size_t>(column);
        wanted[square] = !there_[square];
      }
    }
  }
  // Squares side by side are one region, and rows of the same columns too: what a kernel reaches beyond a region is
  // computed twice.
  std::vector<Region> missing;
  for (int row = 0; row < rows_; ++row) {
    const int y = row * kKeptSquare;
    const int height = std::min(kKeptSquare, size_.height - y);
    for (int column = 0; column < columns_; ++column) {
      const size_t first = static_cast<size_t>(row) * static_cast<size_t>(columns_);
      if (!wanted[first + static_cast<size_t>(column)]) continue;
      const int x = column * kKeptSquare;
      while (column < columns_ && wanted[first + static_cast<size_t>(column)]) ++column;
      const int width = std::min(column * kKeptSquare, size_.width) - x;
      const auto over = std::find_if(missing.begin(), missing.end(), [&](const Region& region) {
        return region.y + region.height == y && region.x == x && region.width == width;
      });
      if (over == missing.end()) {
        missing.push_back({x, y, width, height});
      } else {
        over->height += height;
      }
    }
  }
  return missing;
}

void KeptResult::Require(const std::vector<Region>& needed, const std::function<void(const Region&)>& compute) {
  const std::lock_guard lock(mutex_);
  for (const Region& region : Missing(needed)) {
    compute(region);
    for (int row = region.y / kKeptSquare; row < Squares(region.y + region.height); ++row) {
      for (int column = region.x / kKeptSquare; column < Squares(region.x + region.width); ++column) {
        there_[static_cast<size_t>(row) * static_cast<size_t>(columns_) + static_cast<size_t>(column)] = true;
      }
    }
  }
}

}  // namespace convolve
