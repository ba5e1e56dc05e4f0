#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/duration.h"
#include "core/base/result.h"
#include "gpu/profile/fold.h"
#include "gpu/runtime/runtime.h"

namespace iosx::gpu {

// A record is one kernel as the profiler saw it run.
struct LaunchRecord {
  GraphNode node = kNoNode;  // that launched it; kNoNode: none that is known
  std::string name;          // of the function, readable
  std::int64_t begin = 0;    // ns of the profiler's clock
  std::int64_t end = 0;
  std::array<int, 3> grid{};      // blocks
  std::array<int, 3> block{};     // threads
  int registers = 0;              // a thread
  std::int64_t shared_bytes = 0;  // a block, static and dynamic
};

// Describes a counter that a sampler reads.
struct CounterKind {
  std::string name;  // "active warps"
  std::string unit;  // "warps"
  double peak = 0;   // 0: not known
};

struct Recording {
  std::vector<CounterSample> samples;  // one value a counter of the sampler, in its unit; by time
  bool overflow = false;               // samples may be missing: the interval is too short or the recording too long
};

// A sampler reads the GPU's hardware counters at a fixed interval. While one lives, the GPU may keep other clocks:
// nothing that is timed then counts. It ends when it is destroyed; launches may be out of sight from then on (see
// Profiler).
class Sampler {
 public:
  Sampler() = default;
  virtual ~Sampler() = default;
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  // The first is the part of the time in which the GPU was at work, in %, the second its active warps.
  virtual const std::vector<CounterKind>& counters() const = 0;
  virtual std::size_t most_samples() const = 0;  // of one recording
  virtual Micros interval() const = 0;           // as the GPU can have it: no shorter than what was asked for
  // The interval holds from the next recording on. After an error it records no more.
  virtual Result<void> set_interval(Micros interval) = 0;
  // Records samples from before `work` to after it; what `work` throws goes through.
  virtual Result<Recording> record(const std::function<void()>& work) = 0;
};

class Profiler;

// Keeps one sampler for all that is counted in a row: it is switched off only where the interval changes, and at its
// end.
class Sampling {
 public:
  explicit Sampling(Profiler& profiler) : profiler_(&profiler) {}

  // Returns the sampler, which this owns, with that interval, or one as near above as the GPU has it. The errors are
  // the profiler's and the sampler's; then there is none.
  Result<Sampler*> at(Micros interval);
  Micros asked() const { return asked_; }  // of at(), last; 0 where there is no sampler
  void end();

 private:
  Profiler* profiler_;
  std::unique_ptr<Sampler> sampler_;
  Micros asked_{0};
};

// A profiler looks at a GPU while it works; tests have their own. There is one for a process: it is used by one thread
// at a time.
class Profiler {
 public:
  Profiler() = default;
  virtual ~Profiler() = default;
  Profiler(const Profiler&) = delete;
  Profiler& operator=(const Profiler&) = delete;

  // Returns the kernels that `work` launches, once they have ended. Graphs must be captured within `work` to be known
  // by their nodes. What it throws goes through. It must not be called while there is a sampler, and what comes after
  // one may fail: the end of sampling may end everything else that looks at the GPU.
  virtual Result<std::vector<LaunchRecord>> trace(const std::function<void()>& work) = 0;
  // Errors say why the counters cannot be read and what to do about it: no permission, an old GPU, MIG, a virtual one.
  virtual Result<std::unique_ptr<Sampler>> open_sampler(Micros interval) = 0;
};

}  // namespace iosx::gpu
