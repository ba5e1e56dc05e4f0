#include "tests/gpu/support/host_profiler.h"

namespace iosx::gpu::test {
namespace {

using LaunchTime = HostRuntime::LaunchTime;

std::int64_t nanoseconds(Micros time) { return std::llround(time.count() * 1e3); }

// The launches of each run of a graph, from its first one's begin on.
std::vector<std::vector<LaunchTime>> runs_of(const std::vector<LaunchTime>& launches) {
  std::map<GraphNode, std::size_t> seen;
  std::vector<std::vector<LaunchTime>> runs;
  for (const LaunchTime& launch : launches) {
    if (launch.node == kNoNode) continue;
    const std::size_t run = seen[launch.node]++;
    if (run == runs.size()) runs.emplace_back();
    runs[run].push_back(launch);
  }
  for (std::vector<LaunchTime>& run : runs) {
    const Micros first = std::ranges::min(run, {}, &LaunchTime::begin).begin;
    for (LaunchTime& launch : run) {
      launch.begin -= first;
      launch.end -= first;
    }
  }
  return runs;
}

double overlap(double begin, double end, double from, double to) {
  return std::max(0.0, std::min(end, to) - std::max(begin, from));
}

}  // namespace

class HostSampler final : public Sampler {
 public:
  HostSampler(HostProfiler& profiler, Micros interval)
      : profiler_(profiler), interval_(std::max(interval, profiler.options_.shortest)) {
    ++profiler_.samplers;
    ++profiler_.opened;
    const Properties& gpu = profiler.runtime_.properties();
    slots_ = gpu.multiprocessors * gpu.warps_per_sm;
    counters_ = {{"GPU at work", "%", 100}, {"active warps", "warps", slots_}};
  }
  ~HostSampler() override {
    --profiler_.samplers;
    profiler_.ended_ = true;
  }
  HostSampler(const HostSampler&) = delete;
  HostSampler& operator=(const HostSampler&) = delete;

  const std::vector<CounterKind>& counters() const override { return counters_; }
  std::size_t most_samples() const override { return profiler_.options_.most_samples; }
  Micros interval() const override { return interval_; }
  Result<void> set_interval(Micros interval) override {
    interval_ = std::max(interval, profiler_.options_.shortest);
    ++profiler_.intervals;
    profiler_.ended_ = true;
    return {};
  }

  Result<Recording> record(const std::function<void()>& work) override {
    ++profiler_.recordings;
    profiler_.runtime_.take_launch_times();
    work();
    Recording recording{.samples = samples_of(runs_of(profiler_.runtime_.take_launch_times()))};
    recording.overflow =
        interval_ < profiler_.options_.lost_below || recording.samples.size() > profiler_.options_.most_samples;
    return recording;
  }

 private:
  // Runs one after another with some idle time, as a host's waits leave it, seen at the interval.
  std::vector<CounterSample> samples_of(const std::vector<std::vector<LaunchTime>>& runs) {
    std::uniform_real_distribution<double> part(0, 1);
    std::normal_distribution<double> normal;
    const double interval = interval_.count();
    const double idle = std::max(40.0, 6 * interval);
    double time = time_ + idle;
    double sample = time_ + part(profiler_.random_) * interval;
    std::vector<CounterSample> samples;
    const auto add_until = [&](double until, const std::vector<LaunchTime>* run, double begin, double stretch,
                               double end) {
      for (; sample + interval <= until; sample += interval) {
        double warps = 0;
        for (const LaunchTime& launch : run == nullptr ? std::vector<LaunchTime>{} : *run) {
          warps += launch.fill * slots_ *
                   overlap(sample, sample + interval, begin + launch.begin.count() * stretch,
                           begin + launch.end.count() * stretch);
        }
        const double busy = run == nullptr ? 0 : overlap(sample, sample + interval, begin, end);
        samples.push_back({nanoseconds(Micros{sample}),
                           nanoseconds(Micros{sample + interval}),
                           {100 * busy / interval, std::min(warps / interval, slots_)}});
      }
    };
    for (const std::vector<LaunchTime>& run : runs) {
      const double stretch = 1 + profiler_.options_.jitter * normal(profiler_.random_);
      const double end = time + std::ranges::max(run, {}, &LaunchTime::end).end.count() * stretch;
      const double next = end + idle * (1.05 + part(profiler_.random_));
      // A window has something of one run at most: between two there are some without any.
      add_until(next - 2 * interval, &run, time, stretch, end);
      time = next;
    }
    add_until(time + idle, nullptr, 0, 1, 0);
    time_ = time + 2 * idle;
    return samples;
  }

  HostProfiler& profiler_;
  Micros interval_;
  double slots_ = 0;
  double time_ = 0;  // µs
  std::vector<CounterKind> counters_;
};

Result<std::vector<LaunchRecord>> HostProfiler::trace(const std::function<void()>& work) {
  if (!options_.trace_error.empty()) return fail(verbatim(options_.trace_error), "profiling");
  if (samplers > 0) return fail(message("a sampler is at work"), "profiling");
  if (options_.sampling_ends_traces && ended_) return fail(message("sampling has ended all tracing"), "profiling");
  runtime_.take_launch_times();
  work();
  std::vector<LaunchRecord> records;
  for (const LaunchTime& launch : runtime_.take_launch_times()) {
    LaunchRecord record{.node = launch.node,
                        .name = "kernel<float>",
                        .begin = nanoseconds(launch.begin),
                        .end = nanoseconds(launch.end),
                        .grid = {8, 2, 1},
                        .block = {128, 1, 1},
                        .registers = 64,
                        .shared_bytes = 4096};
    records.push_back(record);
  }
  records.resize(records.size() - std::min(records.size(), options_.lost_records));
  return records;
}

Result<std::unique_ptr<Sampler>> HostProfiler::open_sampler(Micros interval) {
  if (options_.before_sampler) options_.before_sampler();
  if (!options_.sampler_error.empty()) return fail(verbatim(options_.sampler_error), "profiling");
  return std::make_unique<HostSampler>(*this, interval);
}

}  // namespace iosx::gpu::test
