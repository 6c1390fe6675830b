// Reading the golden set, and putting its cases into the engine's words.
#include "golden.h"

#include <cstdint>
#include <fstream>
#include <map>
#include <stdexcept>
#include <utility>

namespace convolve::test {
namespace {

std::string PathOf(const std::string& file) { return std::string(CONVOLVE_GOLDEN_FOLDER) + "/" + file; }

BorderKind BorderNamed(const std::string& name) {
  static const std::map<std::string, BorderKind> kinds = {
      {"zero", BorderKind::kZero},       {"constant", BorderKind::kConstant}, {"replicate", BorderKind::kReplicate},
      {"reflect", BorderKind::kReflect}, {"mirror", BorderKind::kMirror},     {"wrap", BorderKind::kWrap}};
  return kinds.at(name);
}

template <typename T>
void Fill(const Array& array, const View<T>& view) {
  for (size_t i = 0; i < array.values.size(); ++i) view.data[i] = static_cast<T>(array.values[i]);
}

}  // namespace

nlohmann::json GoldenManifest(const std::string& name) {
  std::ifstream file(PathOf(name));
  if (!file) throw std::runtime_error(PathOf(name) + ": cannot be opened");
  return nlohmann::json::parse(file);
}

const Array& GoldenArray(const std::string& file) {
  static std::map<std::string, Array> arrays;
  auto found = arrays.find(file);
  if (found == arrays.end()) found = arrays.emplace(file, ReadArray(PathOf(file))).first;
  return found->second;
}

std::shared_ptr<const Image> GoldenImage(const std::string& file, bool alpha) {
  const Array& array = GoldenArray(file);
  auto image = std::make_shared<Image>(array.width(), array.height(), array.channels(), alpha, array.type);
  std::visit([&](const auto& view) { Fill(array, view); }, image->view());
  return image;
}

DenseWeights GoldenKernel(const nlohmann::json& golden) {
  const Array& array = GoldenArray(golden.at("kernel"));
  const int width = array.width();
  const int height = array.height();
  const int anchor_x = golden.at("anchor").at(0);
  const int anchor_y = golden.at("anchor").at(1);
  DenseWeights kernel{width, height, anchor_x, anchor_y, array.values, 1};
  if (golden.at("mode") == "correlation") return kernel;
  if (golden.at("mode") != "convolution") throw std::runtime_error("unknown mode");
  // Convolution is correlation with the kernel turned by 180 degrees and the anchor turned with it.
  for (int j = 0; j < height; ++j) {
    for (int i = 0; i < width; ++i) {
      kernel.weights[static_cast<size_t>(j * width + i)] =
          array.values[static_cast<size_t>((height - 1 - j) * width + (width - 1 - i))];
    }
  }
  kernel.anchor_x = width - 1 - anchor_x;
  kernel.anchor_y = height - 1 - anchor_y;
  return kernel;
}

Pass GoldenPass(const nlohmann::json& golden, Work work) {
  Pass pass;
  pass.work = std::move(work);
  pass.range.kind = RangeKind::kFloat;
  const std::string border = golden.at("border");
  if (border == "valid") {
    pass.size = SizeMode::kValid;
  } else {
    pass.border.kind = BorderNamed(border);
    if (pass.border.kind == BorderKind::kConstant) pass.border.value = golden.at("borderValue");
  }
  return pass;
}

}  // namespace convolve::test
