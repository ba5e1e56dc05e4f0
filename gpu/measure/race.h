#pragma once

#include <cstddef>
#include <exception>
#include <optional>
#include <span>
#include <vector>

#include "gpu/measure/clock_guard.h"
#include "gpu/measure/copy_graphs.h"

namespace iosx::gpu {

// Times several works that do the same against one another in interleaved rounds, so that a drifting clock favours
// none: every contender once per round. A round with a low clock does not count.
class Race {
 public:
  struct Options {
    int rounds = 9;
    Millis copies_take{0.1};  // minimum time of the N copies of a sample
    Millis max_time{50};      // no round starts after this total time of samples; the first one always does
    double hopeless = 2;      // contenders that take more than this multiple of the fastest drop out
    int hopeless_after = 0;   // after this many rounds; 0: after three single replays, before the first round
  };
  Race(Runtime& runtime, ClockGuard& guard, const Options& options)
      : runtime_(runtime), guard_(guard), options_(options) {}

  // Runs the work once. `enqueue` must outlive the race. A contender that throws, here or later, drops out, unless
  // the GPU is unusable afterwards: then the exception passes through.
  void add(EnqueueCopies enqueue);
  // Returns false if stopped, which it checks before each sample.
  bool run(const JobContext& job);

  // Returns a contender's samples; contenders count from 0 in the order of add(). All that stayed to the end have
  // equally many, those that dropped out have fewer, or none if before the first round.
  std::span<const Millis> samples(std::size_t contender) const { return contenders_[contender].samples; }
  bool finished(std::size_t contender) const { return !contenders_[contender].out; }
  // Returns the contenders that finished, by median, the fastest first; empty if all threw.
  std::vector<std::size_t> ranking() const;
  Millis took() const { return took_; }  // of all samples
  // Returns the exception of the last contender that threw; null if none did.
  std::exception_ptr failure() const { return failure_; }

 private:
  struct Contender {
    std::optional<CopyGraphs> graphs = {};  // none after it drops out
    std::vector<Millis> samples = {};
    bool out = false;
  };
  // Returns false, and drops the contender, if the work throws.
  bool attempt(Contender& contender, FunctionRef<void()> work);
  void put_out(Contender& contender);
  bool prepare(const JobContext& job);
  bool round(const JobContext& job);
  void drop_hopeless();
  std::size_t remaining() const;

  Runtime& runtime_;
  ClockGuard& guard_;
  Options options_;
  std::vector<Contender> contenders_;
  Millis took_{0};
  std::exception_ptr failure_;
};

// Returns whether the first contender is faster than the second beyond the noise: the confidence interval of the median
// difference of the rounds lies below zero. With too few rounds for an interval, every difference does, and the median
// by 2 %.
bool faster(std::span<const Millis> a, std::span<const Millis> b);

}  // namespace iosx::gpu
