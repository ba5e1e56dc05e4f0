#pragma once

#include "gpu/profile/profiler.h"
#include "tests/gpu/support/host_runtime.h"
#include "tests/support/prelude.h"

namespace iosx::gpu::test {

// Sees what a HostRuntime does on its virtual clock. A launch that fills a part of the GPU has that part of its warp
// slots active.
class HostProfiler final : public Profiler {
 public:
  struct Options {
    std::string trace_error = {};    // trace() refuses with this text
    std::string sampler_error = {};  // open_sampler() refuses with this text
    Micros shortest{0};              // the least possible interval
    Micros lost_below{0};            // recordings with a shorter interval lose samples
    std::size_t most_samples = 8192;
    double jitter = 0.005;  // standard deviation of a run's duration
    std::size_t lost_records = 0;
    // As CUPTI may do: once a sampler was switched off, trace() refuses.
    bool sampling_ends_traces = false;
    std::function<void()> before_sampler = {};  // called by open_sampler(), if set
  };
  // The runtime must outlive the profiler.
  explicit HostProfiler(HostRuntime& runtime) : HostProfiler(runtime, Options{}) {}
  HostProfiler(HostRuntime& runtime, Options options) : runtime_(runtime), options_(std::move(options)) {}

  Result<std::vector<LaunchRecord>> trace(const std::function<void()>& work) override;
  Result<std::unique_ptr<Sampler>> open_sampler(Micros interval) override;

  int recordings = 0;  // so far
  int samplers = 0;    // existing ones
  int opened = 0;      // so far
  int intervals = 0;   // number of changes

 private:
  friend class HostSampler;
  HostRuntime& runtime_;
  Options options_;
  bool ended_ = false;  // some sampler was switched off
  std::mt19937 random_{5};
};

}  // namespace iosx::gpu::test
