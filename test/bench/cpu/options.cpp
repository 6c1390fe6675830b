// Every option is a word, or a word and its value; scripts/benchCpu.ts says what they mean.
#include "options.h"

#include <cstdlib>
#include <functional>
#include <map>
#include <sstream>

namespace convolve::bench {
namespace {

std::vector<double> Numbers(const std::string& option, const std::string& text) {
  std::vector<double> numbers;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    char* end = nullptr;
    const double number = part == "all" ? 0 : std::strtod(part.c_str(), &end);
    if (part != "all" && (end == part.c_str() || *end != '\0' || !(number > 0) || number > 4096)) {
      throw UsageError(option + ": expected numbers between commas, got '" + text + "'");
    }
    numbers.push_back(number);
  }
  if (numbers.empty()) throw UsageError(option + ": expected numbers between commas, got nothing");
  return numbers;
}

/// Samples of all types stay aligned.
std::vector<size_t> Begins(const std::string& text) {
  std::vector<size_t> begins;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    char* end = nullptr;
    const long begin = std::strtol(part.c_str(), &end, 10);
    if (end == part.c_str() || *end != '\0' || begin < 0 || begin > 4096 || begin % 8 != 0) {
      throw UsageError("--begin: expected multiples of 8 between commas, up to 4096, got '" + text + "'");
    }
    begins.push_back(static_cast<size_t>(begin));
  }
  if (begins.empty()) throw UsageError("--begin: expected multiples of 8 between commas, got nothing");
  return begins;
}

}  // namespace

Options ParseOptions(const std::vector<std::string>& words) {
  Options options;
  bool said_formats = false;
  bool said_megapixels = false;
  bool said_threads = false;
  using Take = std::function<void(const std::string&)>;
  const std::map<std::string, Take> values = {
      {"--rows", [&](const std::string& text) { options.rows = text; }},
      {"--formats",
       [&](const std::string& text) {
         options.formats = text;
         said_formats = true;
       }},
      {"--megapixels",
       [&](const std::string& text) {
         options.megapixels = Numbers("--megapixels", text);
         said_megapixels = true;
       }},
      {"--threads",
       [&](const std::string& text) {
         options.threads.clear();
         for (const double number : Numbers("--threads", text)) options.threads.push_back(static_cast<int>(number));
         said_threads = true;
       }},
      {"--begin", [&](const std::string& text) { options.begins = Begins(text); }},
      {"--path", [&](const std::string& text) { options.path = text; }},
      {"--plan", [&](const std::string& text) { options.plan = text; }},
      {"--json", [&](const std::string& text) { options.json = text; }},
  };
  const std::map<std::string, bool*> flags = {
      {"--quick", &options.quick}, {"--slow-peers", &options.slow_peers}, {"--describe", &options.describe}};
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--no-peers") {
      options.peers = false;
    } else if (const auto flag = flags.find(words[i]); flag != flags.end()) {
      *flag->second = true;
    } else if (const auto value = values.find(words[i]); value != values.end()) {
      if (i + 1 == words.size()) throw UsageError(words[i] + ": expected a value, got nothing");
      value->second(words[++i]);
    } else {
      throw UsageError("unknown option " + words[i]);
    }
  }
  if (options.quick) {
    if (!said_formats) options.formats = "^(u8|f32) RGBA$";
    if (!said_megapixels) options.megapixels = {12};
    if (!said_threads) options.threads = {0};
  }
  return options;
}

}  // namespace convolve::bench
