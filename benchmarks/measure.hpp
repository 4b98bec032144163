// Timing in rounds: each contender in turn, so that changes of the machine's speed affect all of them equally. A sample
// is taken directly after a run of the same contender, so that it starts with the caches as it leaves them.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace benchmarks {

class stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// The times of one contender, in seconds per run.
class series {
 public:
  series(std::string name, std::function<void()> run) : name_(std::move(name)), run_(std::move(run)) {}

  const std::string& name() const { return name_; }

  // A sample lasts a millisecond or one run, whichever is longer. To one of a second or more the caches do not matter:
  // the run before it is the sample.
  double sample() {
    double last = run_many(repetitions_ == 0 ? 1 : repetitions_);
    if (repetitions_ == 0)
      for (repetitions_ = 1; last < 1 && (last = run_many(repetitions_)) < 1e-3;) repetitions_ *= 2;
    if (last < 1) last = run_many(repetitions_);
    samples_.push_back(last / static_cast<double>(repetitions_));
    return samples_.back();
  }

  std::size_t count() const { return samples_.size(); }
  double best() const { return *std::min_element(samples_.begin(), samples_.end()); }
  double median() const {
    std::vector<double> sorted = samples_;
    std::sort(sorted.begin(), sorted.end());
    const std::size_t middle = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

 private:
  double run_many(std::uint64_t times) {
    const stopwatch watch;
    for (std::uint64_t i = 0; i < times; ++i) run_();
    return watch.seconds();
  }

  std::string name_;
  std::function<void()> run_;
  std::uint64_t repetitions_ = 0;  // 0: not determined yet
  std::vector<double> samples_;
};

}  // namespace benchmarks
