// plan_fuzz: random plans on random pictures, cpu against reference, for as long as it is told to.
//   plan_fuzz --seconds 60 --seed 7     cases number 7, 8, 9 ... for a minute
//   plan_fuzz --cases 1000 --seed 7     as many, however long they take
//   plan_fuzz --target cuda             the cuda backend instead of the cpu's
//   plan_fuzz --case '{"width":3,...}'  one case, as it was printed or as it stands in the corpus
//   plan_fuzz --corpus FILE             every case of a file, one a line
// Ends with "N cases passed, N failed" and code 1 where one failed.
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "case.h"
#include "generate.h"
#include "shrink.h"
#include "trial.h"

namespace convolve::fuzz {
namespace {

struct Options {
  double seconds = 60;
  uint64_t cases = 0;  // 0: as many as the seconds allow
  uint64_t seed = 1;
  std::string single;
  std::string corpus;
  std::string target;
  int most_failures = 10;
};

Options ParseOptions(const std::vector<std::string>& words) {
  Options options;
  for (size_t i = 0; i < words.size(); i += 2) {
    if (i + 1 == words.size()) throw std::invalid_argument(words[i] + ": expected a value, got nothing");
    const std::string& value = words[i + 1];
    if (words[i] == "--seconds") {
      options.seconds = std::stod(value);
    } else if (words[i] == "--cases") {
      options.cases = std::stoull(value);
    } else if (words[i] == "--seed") {
      options.seed = std::stoull(value);
    } else if (words[i] == "--case") {
      options.single = value;
    } else if (words[i] == "--corpus") {
      options.corpus = value;
    } else if (words[i] == "--target") {
      options.target = value;
    } else if (words[i] == "--failures") {
      options.most_failures = std::stoi(value);
    } else {
      throw std::invalid_argument("unknown option " + words[i] +
                                  "; there are --seconds, --cases, --seed, --case, --corpus, --target and --failures");
    }
  }
  return options;
}

/// What runs now, for when the process dies of it.
std::string current;

void SayCurrent() { std::fprintf(stderr, "\nthe process ended in case %s\n", current.c_str()); }

extern "C" void OnSignal(int signal) {
  SayCurrent();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

struct Counts {
  int64_t passed = 0;
  int64_t failed = 0;
};

void TryCase(Session& session, const std::string& name, const CaseSpec& spec, Counts& counts) {
  current = name + ": " + TextOf(spec);
  const auto what = session.Try(spec);
  if (!what) {
    ++counts.passed;
    return;
  }
  ++counts.failed;
  std::printf("FAILED %s\n  %s\n  --case '%s'\n", name.c_str(), what->c_str(), TextOf(spec).c_str());
  std::fflush(stdout);
  const auto fails = [&](const CaseSpec& simpler) {
    current = name + " made smaller: " + TextOf(simpler);
    return session.Try(simpler).has_value();
  };
  const CaseSpec small = Shrunk(spec, fails, std::chrono::seconds(20));
  const auto why = session.Try(small);
  std::printf("  smaller: %s\n  as a line of test/fuzz/corpus.jsonl:\n%s\n",
              why.value_or("does not fail again").c_str(), TextOf(small).c_str());
  std::fflush(stdout);
}

void TryCorpus(Session& session, const std::string& file, Counts& counts) {
  std::ifstream stream(file);
  if (!stream) throw std::runtime_error("cannot read " + file);
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (line.empty() || line.front() == '#') continue;
    TryCase(session, "line " + std::to_string(number), CaseOf(line), counts);
  }
}

int Main(const std::vector<std::string>& words) {
  const Options options = ParseOptions(words);
  Session session(options.target);
  Counts counts;
  if (!options.single.empty()) {
    TryCase(session, "the case", CaseOf(options.single), counts);
  } else if (!options.corpus.empty()) {
    TryCorpus(session, options.corpus, counts);
  } else {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(options.seconds);
    std::printf("seed %llu\n", static_cast<unsigned long long>(options.seed));
    const auto goes_on = [&](uint64_t seed) {
      return options.cases > 0 ? seed - options.seed < options.cases : std::chrono::steady_clock::now() < end;
    };
    for (uint64_t seed = options.seed; goes_on(seed); ++seed) {
      TryCase(session, "seed " + std::to_string(seed), RandomCase(seed), counts);
      if (counts.failed >= options.most_failures) break;
    }
    bool enough = true;
    std::printf("%s", session.RoundingReport(enough).c_str());
    if (!enough) ++counts.failed;
  }
  std::printf("%lld cases passed, %lld failed\n", static_cast<long long>(counts.passed),
              static_cast<long long>(counts.failed));
  return counts.failed == 0 && counts.passed > 0 ? 0 : 1;
}

}  // namespace
}  // namespace convolve::fuzz

/// The sanitizers end the process without a signal; they call this instead.
extern "C" void __sanitizer_set_death_callback(void (*callback)()) __attribute__((weak));

int main(int count, char** words) {
  for (const int signal : {SIGABRT, SIGFPE, SIGILL}) std::signal(signal, convolve::fuzz::OnSignal);
  if (__sanitizer_set_death_callback != nullptr) {
    __sanitizer_set_death_callback(convolve::fuzz::SayCurrent);
  } else {
    std::signal(SIGSEGV, convolve::fuzz::OnSignal);
  }
  try {
    return convolve::fuzz::Main({words + 1, words + count});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    convolve::fuzz::SayCurrent();
    return 2;
  }
}
