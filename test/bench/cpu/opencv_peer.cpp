// OpenCV. Its user sees to threads where it does not: row strips, each filtered by itself. A strip is a part of a
// larger Mat, so that OpenCV reads across its edges and the result is the same.
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "peers.h"

namespace convolve::bench {
namespace {

constexpr int kBorder = cv::BORDER_REFLECT_101;

int Depth(SampleType type) {
  switch (type) {
    case SampleType::kU8:
      return CV_8U;
    case SampleType::kU16:
      return CV_16U;
    case SampleType::kF32:
      return CV_32F;
    case SampleType::kF64:
      return CV_64F;
  }
  return CV_8U;
}

cv::Mat Whole(const Image& image, const std::byte* data) {
  // OpenCV has no read-only Mat over memory of somebody else; sources are only read.
  return cv::Mat(image.height(), image.width(), CV_MAKETYPE(Depth(image.type()), image.channels()),
                 const_cast<std::byte*>(data));
}

cv::Mat Grid(const DenseWeights& kernel) {
  cv::Mat grid(kernel.height, kernel.width, CV_32F);
  for (int j = 0; j < kernel.height; ++j) {
    for (int i = 0; i < kernel.width; ++i) {
      grid.at<float>(j, i) =
          static_cast<float>(kernel.weights[static_cast<size_t>(j) * kernel.width + i] / kernel.divisor);
    }
  }
  return grid;
}

/// Filters a strip of rows of a picture into the same rows of the destination.
using Filter = std::function<void(const cv::Mat& source, cv::Mat& destination)>;

struct Named {
  std::string name;
  Filter filter;
  /// Threads that it uses by itself.
  bool parallel = false;
};

/// Both gradients and their length, a few rows at a time, so that what lies between stays in the cache.
Filter Magnitude(int block) {
  return [block](const cv::Mat& source, cv::Mat& destination) {
    thread_local cv::Mat x, y, length;
    for (int top = 0; top < source.rows; top += block) {
      const int bottom = std::min(top + block, source.rows);
      const cv::Mat part = source.rowRange(top, bottom);
      cv::Mat target = destination.rowRange(top, bottom);
      cv::Sobel(part, x, CV_32F, 1, 0, 3, 1, 0, kBorder);
      cv::Sobel(part, y, CV_32F, 0, 1, 3, 1, 0, kBorder);
      if (destination.depth() == CV_32F) {
        cv::magnitude(x, y, target);
      } else {
        cv::magnitude(x, y, length);
        length.convertTo(target, destination.depth());
      }
    }
  };
}

std::vector<Named> FiltersFor(const Row& row, SampleType type) {
  switch (row.operation) {
    case Operation::kGaussian: {
      const cv::Size size(row.size, row.size);
      const double sigma = row.sigma;
      const cv::Mat taps = cv::Mat(row.taps, true);
      cv::Mat single;
      taps.convertTo(single, CV_32F);
      const bool parallel = type == SampleType::kU8;
      return {{"GaussianBlur",
               [=](const cv::Mat& source, cv::Mat& destination) {
                 cv::GaussianBlur(source, destination, size, sigma, sigma, kBorder);
               },
               parallel},
              {"sepFilter2D",
               [=](const cv::Mat& source, cv::Mat& destination) {
                 cv::sepFilter2D(source, destination, -1, single, single, cv::Point(-1, -1), 0, kBorder);
               },
               false}};
    }
    case Operation::kBox: {
      const cv::Size size(row.size, row.size);
      return {{"blur",
               [=](const cv::Mat& source, cv::Mat& destination) {
                 cv::blur(source, destination, size, cv::Point(-1, -1), kBorder);
               },
               false}};
    }
    case Operation::kMagnitude:
      return {{"Sobel, 8 rows", Magnitude(8), false}, {"Sobel, 32 rows", Magnitude(32), false}};
    case Operation::kFilter:
      break;
  }
  const cv::Mat grid = Grid(row.kernel);
  return {{"filter2D",
           [=](const cv::Mat& source, cv::Mat& destination) {
             cv::filter2D(source, destination, -1, grid, cv::Point(-1, -1), 0, kBorder);
           },
           false}};
}

}  // namespace

std::string OpenCvName() { return std::string("OpenCV ") + CV_VERSION; }

std::vector<Contestant> OpenCvContestants(const Row& row, const PeerWork& work) {
  const cv::Mat source = Whole(work.source, work.source.data());
  cv::Mat destination = Whole(work.source, work.destination);
  Crew* const crew = &work.crew;
  const int threads = crew->size();
  std::vector<Contestant> contestants;
  for (const Named& named : FiltersFor(row, work.source.type())) {
    Contestant plain;
    plain.name = named.name;
    plain.family = "OpenCV";
    plain.threads = named.parallel ? threads : 1;
    plain.prepare = [threads] { cv::setNumThreads(threads); };
    plain.run = [=, filter = named.filter]() mutable { filter(source, destination); };
    contestants.push_back(std::move(plain));
    if (threads == 1) continue;
    Contestant strips;
    strips.name = named.name + " in strips";
    strips.family = "OpenCV";
    strips.threads = threads;
    strips.prepare = [] { cv::setNumThreads(1); };
    strips.run = [=, filter = named.filter] {
      crew->Run([&](int member) {
        const int top = source.rows * member / threads;
        const int bottom = source.rows * (member + 1) / threads;
        cv::Mat target = destination.rowRange(top, bottom);
        filter(source.rowRange(top, bottom), target);
      });
    };
    contestants.push_back(std::move(strips));
  }
  return contestants;
}

}  // namespace convolve::bench
