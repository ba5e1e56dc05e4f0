#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/base/duration.h"
#include "core/base/function_ref.h"
#include "core/base/progress.h"
#include "core/devices/device.h"
#include "gpu/measure/drift.h"
#include "gpu/runtime/runtime.h"

namespace iosx::gpu {

// Enqueues n copies of some work one after another on stream 0 and on streams that it joins back to stream 0.
using EnqueueCopies = FunctionRef<void(int copies)>;

// Captures the work that `enqueue` gives to stream 0 as a graph. An exception ends the capture.
std::unique_ptr<CapturedGraph> capture_work(Runtime& runtime, FunctionRef<void()> enqueue);

// Measures the time of one of many copies of some work. It replays a graph of N copies and one of 2N, after a replay
// of 2N that keeps the GPU busy while the host launches them. A sample is the difference of their times over N. The
// launch of a graph and the cost of its first and last node cancel out.
class CopyGraphs {
 public:
  // The upper limit of N. It bounds the graphs, because they grow only while N copies take too little time.
  static constexpr int kMaxCopies = 256;
  struct Sample {
    Millis per_copy{0};  // may be negative where noise exceeds the work
    Millis took{0};      // both graphs
  };

  // Runs the work once and captures one copy. `enqueue` must outlive this.
  CopyGraphs(Runtime& runtime, EnqueueCopies enqueue);
  // For work that ran before, so that nothing is left to load. Captures the N copies that are expected to be enough.
  // `before` enqueues untimed work on stream 0 before each graph.
  CopyGraphs(Runtime& runtime, EnqueueCopies enqueue, int copies, std::function<void()> before = {});

  // Returns the time of the N copies with the launch; the device is idle before and afterwards.
  Millis replay();
  // Returns the shortest of three replays.
  Millis shortest_replay();
  // Multiplies N by powers of two, up to kMaxCopies, until the N copies take `at_least`. Returns false if stopped.
  bool grow(Millis at_least, const JobContext& job);
  // Takes a sample; call grow() first.
  Sample sample();
  int copies() const { return copies_; }

 private:
  Runtime* runtime_;
  EnqueueCopies enqueue_;
  std::function<void()> before_;
  int copies_ = 1;
  bool long_ = false;      // the host's launches do not matter
  bool reversed_ = false;  // alternates which graph comes first, against drift
  std::unique_ptr<CapturedGraph> once_;
  std::unique_ptr<CapturedGraph> twice_;
};

// Times work by replaying graphs of it between device timers (those below kFirstPlanTimer). It warms the GPU up first
// and drops samples with a low clock (ClockGuard). Results are empty if the job was stopped, which it checks before
// every sample.
class ReplayTimer {
 public:
  ReplayTimer(Runtime& runtime, ClockGuard& guard) : runtime_(runtime), guard_(guard) {}

  // Returns the latency of as many samples as the timing wants. `work` is what ClockGuard::sample_counts() repeats.
  std::optional<Latency> of_samples(
      const TimingOptions& timing, const JobContext& job, FunctionRef<void()> work,
      FunctionRef<CopyGraphs::Sample()> sample, std::vector<Millis>* runs = nullptr,
      FunctionRef<void()> after_sample = [] {});

  // Returns the time of one of many copies in a row (CopyGraphs). N copies take at least a tenth of timing.min_time,
  // limited to 50 to 200 µs. Samples below zero count as they are; a negative median, for work below the noise, becomes
  // zero with a spread that reaches it. Finding N is the warm-up. `ran` is the time of one copy launch by launch, which
  // gives the first N; empty where none ran yet. `before` precedes each graph of copies, untimed.
  std::optional<Latency> per_copy(EnqueueCopies enqueue_copies, const TimingOptions& timing, const JobContext& job,
                                  std::optional<Millis> ran = {}, const std::function<void()>& before = {});

  // Returns the time of one replay with launches back to back: a sample is the mean of as many replays between two
  // marks as take at least 1 ms. `after_sample` is called after each sample that counts, with the device idle. `runs`
  // receives the samples in order where each is a single replay, else nothing; it may be null.
  std::optional<Latency> per_replay(CapturedGraph& graph, const TimingOptions& timing, const JobContext& job,
                                    FunctionRef<void()> after_sample, std::vector<Millis>* runs = nullptr);

  // Returns the host's wait for one run, from its launch until the device is idle, comparable with engines timed from
  // outside. An untimed run follows each, to record the SM clock, which takes time. `runs` receives the samples in
  // order; it may be null.
  std::optional<Latency> per_wait(FunctionRef<void()> launch, const TimingOptions& timing, const JobContext& job,
                                  std::vector<Millis>* runs = nullptr);

  Runtime& runtime() const { return runtime_; }
  ClockGuard& guard() const { return guard_; }

 private:
  Runtime& runtime_;
  ClockGuard& guard_;
};

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
