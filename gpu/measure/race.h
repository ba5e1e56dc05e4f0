#pragma once

#include <cstddef>
#include <exception>
#include <optional>
#include <span>
#include <vector>

#include "gpu/measure/clock_guard.h"
#include "gpu/measure/copy_graphs.h"

namespace iosx::gpu {

// A race has several works that do the same and times them against one another in interleaved rounds, so that a
// drifting clock favours none: every contender once a round. A round during which the clock was low does not count.
class Race {
 public:
  struct Options {
    int rounds = 9;
    Millis copies_take{0.1};  // the N copies of a sample at least
    Millis max_time{50};      // no round begins when the samples took so long together; the first one always does
    double hopeless = 2;      // who takes more than so many times what the fastest takes is out
    int hopeless_after = 0;   // after so many rounds; 0: already after three single replays, before the first round
  };
  Race(Runtime& runtime, ClockGuard& guard, const Options& options)
      : runtime_(runtime), guard_(guard), options_(options) {}

  // Runs the work once. `enqueue` must outlive the race. A contender that throws here or later is out, unless the GPU
  // is unusable afterwards: that goes through.
  void add(EnqueueCopies enqueue);
  // Returns false if stopped, which is looked for before each sample.
  bool run(const JobContext& job);

  // Returns the rounds' samples of a contender; contenders count from 0 in the order of add(). All that were there to
  // the end have equally many, those that were out earlier have fewer, those that were out before the first round none.
  std::span<const Millis> samples(std::size_t contender) const { return contenders_[contender].samples; }
  bool finished(std::size_t contender) const { return !contenders_[contender].out; }
  // Returns the contenders that finished, by median, the fastest first; empty if all have thrown.
  std::vector<std::size_t> ranking() const;
  Millis took() const { return took_; }  // all samples together
  // Returns what the last contender that has thrown said; null if none has.
  std::exception_ptr failure() const { return failure_; }

 private:
  struct Contender {
    std::optional<CopyGraphs> graphs = {};  // none once it is out
    std::vector<Millis> samples = {};
    bool out = false;
  };
  // Returns false, and the contender is out, if the work throws.
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

// Says whether the first contender is faster than the second beyond the noise: the confidence interval of the median of
// the rounds' differences lies below zero; with too few rounds for an interval, every difference does, and the median
// by 2 %.
bool faster(std::span<const Millis> a, std::span<const Millis> b);

}  // namespace iosx::gpu
