#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "core/base/duration.h"
#include "core/base/function_ref.h"
#include "core/base/progress.h"
#include "gpu/runtime/runtime.h"

namespace iosx::gpu {

// Gives n copies of some work, one after another, to stream 0 and whatever it joins back to it.
using EnqueueCopies = FunctionRef<void(int copies)>;

// Captures what `enqueue` gives to stream 0 as a graph. After an exception nothing is being captured.
std::unique_ptr<CapturedGraph> capture_work(Runtime& runtime, FunctionRef<void()> enqueue);

// Finds out what one of many copies of some work takes: a graph of N copies and one of 2N are replayed one after the
// other, a replay of 2N before them keeps the GPU busy while the host launches them, and the difference of their times
// over N is a sample. Launch of a graph and what its first and last node cost cancel out.
class CopyGraphs {
 public:
  // N is at most this. It bounds the graphs, because they grow only as long as N copies take less than they should.
  static constexpr int kMaxCopies = 256;
  struct Sample {
    Millis per_copy{0};  // may be negative where noise is larger than the work
    Millis took{0};      // both graphs
  };

  // Runs the work once and captures one copy. `enqueue` must outlive this.
  CopyGraphs(Runtime& runtime, EnqueueCopies enqueue);
  // This one is for work that ran before, so that nothing is left to load. It captures the N copies that one expects to
  // be enough. `before` gives stream 0 what comes before each graph, untimed.
  CopyGraphs(Runtime& runtime, EnqueueCopies enqueue, int copies, std::function<void()> before = {});

  // Returns the time of the N copies, launch included; the device is idle before and afterwards.
  Millis replay();
  // Returns the shortest of three replays.
  Millis shortest_replay();
  // Multiplies N by powers of two, up to kMaxCopies, until the N copies take so long. It returns false if stopped.
  bool grow(Millis at_least, const JobContext& job);
  // Takes a sample; grow() must have come before.
  Sample sample();
  int copies() const { return copies_; }

 private:
  Runtime* runtime_;
  EnqueueCopies enqueue_;
  std::function<void()> before_;
  int copies_ = 1;
  bool long_ = false;      // the host's launches do not matter
  bool reversed_ = false;  // which graph comes first changes from sample to sample, against drift
  std::unique_ptr<CapturedGraph> once_;
  std::unique_ptr<CapturedGraph> twice_;
};

}  // namespace iosx::gpu
