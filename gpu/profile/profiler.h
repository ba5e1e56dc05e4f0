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

// One kernel's run as the profiler saw it.
struct LaunchRecord {
  GraphNode node = kNoNode;  // that launched it; kNoNode: unknown
  std::string name;          // of the function, readable
  std::int64_t begin = 0;    // ns of the profiler's clock
  std::int64_t end = 0;
  std::array<int, 3> grid{};      // blocks
  std::array<int, 3> block{};     // threads
  int registers = 0;              // per thread
  std::int64_t shared_bytes = 0;  // per block, static and dynamic
};

// A counter that a sampler reads.
struct CounterKind {
  std::string name;  // "active warps"
  std::string unit;  // "warps"
  double peak = 0;   // 0: unknown
};

struct Recording {
  std::vector<CounterSample> samples;  // sorted by time, with one value per counter of the sampler, in its unit
  bool overflow = false;               // samples may be missing: the interval is too short or the recording too long
};

// Reads the GPU's hardware counters at a fixed interval. While one lives, the GPU may run at other clocks, so no
// timing counts. It ends when destroyed; launches may be invisible from then on (see Profiler).
class Sampler : public Interface {
 public:
  // The first is the share of time in which the GPU was busy, in %, the second its active warps.
  virtual const std::vector<CounterKind>& counters() const = 0;
  virtual std::size_t most_samples() const = 0;  // per recording
  virtual Micros interval() const = 0;           // the GPU's actual one: at least the requested one
  // The interval applies from the next recording on. After an error it records nothing more.
  virtual Result<void> set_interval(Micros interval) = 0;
  // Records samples from before `work` to after it; exceptions of `work` pass through.
  virtual Result<Recording> record(const std::function<void()>& work) = 0;
};

class Profiler;

// Keeps one sampler for consecutive counting: it is switched off only where the interval changes, and at its end.
class Sampling {
 public:
  explicit Sampling(Profiler& profiler) : profiler_(&profiler) {}

  // Returns the sampler, owned by this, with that interval or the GPU's next longer one. Errors are the profiler's
  // and the sampler's; then there is none.
  Result<Sampler*> at(Micros interval);
  Micros asked() const { return asked_; }  // the last one of at(); 0 without a sampler
  void end();

 private:
  Profiler* profiler_;
  std::unique_ptr<Sampler> sampler_;
  Micros asked_{0};
};

// Observes a GPU while it works; tests have their own. There is one per process; one thread at a time uses it.
class Profiler : public Interface {
 public:
  // Returns the kernels that `work` launches, after they have ended. To identify nodes, graphs must be captured
  // within `work`. Its exceptions pass through. Do not call it while a sampler exists; after one it may fail, because
  // the end of sampling may end all other tracing of the GPU.
  virtual Result<std::vector<LaunchRecord>> trace(const std::function<void()>& work) = 0;
  // Errors give the reason and the remedy where counters cannot be read: no permission, an old GPU, MIG, a virtual one.
  virtual Result<std::unique_ptr<Sampler>> open_sampler(Micros interval) = 0;
};

}  // namespace iosx::gpu
