#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "core/base/duration.h"
#include "core/base/function_ref.h"
#include "core/base/progress.h"
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

}  // namespace iosx::gpu
