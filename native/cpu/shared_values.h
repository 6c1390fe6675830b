// Values that are worked out once, and shared by all who copy them.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace convolve::cpu {

/// A vector that nobody changes any more: its copies are the same memory.
template <typename Value>
class SharedValues {
 public:
  SharedValues() : SharedValues(std::vector<Value>()) {}
  SharedValues(std::vector<Value> values)  // NOLINT: what it is made of
      : values_(std::make_shared<const std::vector<Value>>(std::move(values))) {}

  operator const std::vector<Value>&() const { return *values_; }  // NOLINT: it is one
  const Value* data() const { return values_->data(); }
  size_t size() const { return values_->size(); }
  bool empty() const { return values_->empty(); }
  const Value& front() const { return values_->front(); }
  const Value& operator[](size_t index) const { return (*values_)[index]; }
  auto begin() const { return values_->begin(); }
  auto end() const { return values_->end(); }

 private:
  std::shared_ptr<const std::vector<Value>> values_;
};

}  // namespace convolve::cpu
