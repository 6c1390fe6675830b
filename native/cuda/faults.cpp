// Reading the words, and counting.
#include "cuda/faults.h"

#include <sstream>

#include "engine/error.h"

namespace convolve::cuda {
namespace {

[[noreturn]] void Refuse(const std::string& word) {
  throw Error(ErrorCode::kInvalidArgument, kFaultVariable, "memory:N, memory:N+, largest:BYTES, device:N or device:N+",
              word);
}

uint64_t Number(const std::string& digits, const std::string& word) {
  constexpr size_t kMostDigits = 18;
  if (digits.empty() || digits.size() > kMostDigits) Refuse(word);
  uint64_t number = 0;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9') Refuse(word);
    number = 10 * number + static_cast<uint64_t>(digit - '0');
  }
  if (number == 0) Refuse(word);
  return number;
}

}  // namespace

Faults::Faults(const std::string& text) {
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    const size_t colon = word.find(':');
    if (colon == std::string::npos) Refuse(word);
    const std::string kind = word.substr(0, colon);
    std::string digits = word.substr(colon + 1);
    if (kind == "largest") {
      largest_ = Number(digits, word);
      continue;
    }
    if (kind != "memory" && kind != "device") Refuse(word);
    Trigger& trigger = kind == "memory" ? memory_ : device_;
    trigger.onwards = !digits.empty() && digits.back() == '+';
    if (trigger.onwards) digits.pop_back();
    trigger.first = Number(digits, word);
  }
}

bool Faults::Trigger::Fires() {
  if (first == 0) return false;
  const uint64_t number = ++count;
  return onwards ? number >= first : number == first;
}

void Faults::Allocating(size_t bytes) {
  if (memory_.Fires() || bytes > largest_) {
    throw Error(ErrorCode::kOutOfMemory, "cuda: device memory", "",
                "a failure asked for by " + std::string(kFaultVariable));
  }
}

void Faults::Launching() {
  if (device_.Fires()) {
    throw Error(ErrorCode::kDeviceFailed, "cuda: launch", "", "a failure asked for by " + std::string(kFaultVariable));
  }
}

}  // namespace convolve::cuda
