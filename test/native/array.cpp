// Reads .npy version 1.0: magic, header length, an ASCII dictionary, then the raw values.
#include "array.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace convolve::test {
namespace {

static_assert(std::endian::native == std::endian::little, "the arrays are little-endian");

template <typename T>
void Append(const std::string& bytes, size_t start, size_t count, std::vector<double>& values) {
  if (bytes.size() != start + count * sizeof(T)) throw std::runtime_error("wrong number of values");
  for (size_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, bytes.data() + start + i * sizeof(T), sizeof(T));
    values.push_back(value);
  }
}

/// The header's text between `before` and the next `after`.
std::string Between(const std::string& header, const std::string& before, const std::string& after) {
  const size_t start = header.find(before);
  if (start == std::string::npos) throw std::runtime_error("the header has no " + before);
  const size_t from = start + before.size();
  return header.substr(from, header.find(after, from) - from);
}

Array Parse(const std::string& bytes) {
  if (bytes.size() < 10 || bytes.compare(0, 8, std::string("\x93NUMPY\x01\x00", 8)) != 0) {
    throw std::runtime_error("not a .npy file of version 1.0");
  }
  const size_t start = 10 + static_cast<uint8_t>(bytes[8]) + 256 * static_cast<size_t>(static_cast<uint8_t>(bytes[9]));
  const std::string header = bytes.substr(10, start - 10);
  if (Between(header, "'fortran_order': ", ",") != "False") throw std::runtime_error("not in C order");
  Array array;
  size_t count = 1;
  std::istringstream shape(Between(header, "'shape': (", ")"));
  for (std::string length; std::getline(shape, length, ',');) {
    array.shape.push_back(std::stoi(length));
    count *= static_cast<size_t>(array.shape.back());
  }
  const std::string type = Between(header, "'descr': '", "'");
  if (type == "|u1") {
    array.type = SampleType::kU8;
    Append<uint8_t>(bytes, start, count, array.values);
  } else if (type == "<u2") {
    array.type = SampleType::kU16;
    Append<uint16_t>(bytes, start, count, array.values);
  } else if (type == "<f4") {
    array.type = SampleType::kF32;
    Append<float>(bytes, start, count, array.values);
  } else if (type == "<f8") {
    array.type = SampleType::kF64;
    Append<double>(bytes, start, count, array.values);
  } else {
    throw std::runtime_error("values of type " + type);
  }
  return array;
}

}  // namespace

Array ReadArray(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path + ": cannot be opened");
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  try {
    return Parse(bytes);
  } catch (const std::exception& error) {
    throw std::runtime_error(path + ": " + error.what());
  }
}

}  // namespace convolve::test
