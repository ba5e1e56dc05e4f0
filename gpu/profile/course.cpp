#include "gpu/profile/course.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <utility>

#include "gpu/profile/profiler.h"

namespace iosx::gpu {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kIdleIntervals = 6;  // between replays
constexpr Micros kLeastIdle{40};
constexpr int kWarmUps = 3;    // replays before each recording
constexpr double kRoom = 0.7;  // of the samples that one recording may have
constexpr Micros kLongestInterval{1000};

Micros idle_for(Micros interval) { return std::max(kLeastIdle, interval * kIdleIntervals); }

// Waits busily: sleeping would take too long.
void wait(Micros time) {
  const auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(time);
  while (Clock::now() < until) {
  }
}

// Returns the replays of one recording: as many as its samples have room for; below 1 where there is none for a whole
// one.
double replays_at_once(const Sampler& sampler, const CourseOptions& options) {
  const Micros each = options.expected + 2 * idle_for(sampler.interval());
  return kRoom * static_cast<double>(sampler.most_samples()) * (sampler.interval() / each);
}

struct Samples {
  std::vector<CounterSample> all;
  bool overflow = false;  // some were lost
};

// Returns the samples of all replays.
Result<Samples> samples_of(const std::function<void()>& replay, Sampler& sampler, const CourseOptions& options,
                           const JobContext& job) {
  const int at_once = static_cast<int>(std::min(replays_at_once(sampler, options), 1e6));
  Samples samples;
  for (int done = 0; done < options.replays && !samples.overflow; done += at_once) {
    if (job.stopped()) return fail(message("stopped"), "profiling");
    for (int i = 0; i < kWarmUps; ++i) replay();
    IOS_TRY(auto recording, sampler.record([&] {
      const int now = std::min(at_once, options.replays - done);
      for (int i = 0; i < now && !job.stopped(); ++i) {
        wait(idle_for(sampler.interval()));
        replay();
      }
      wait(idle_for(sampler.interval()));
    }));
    samples.overflow = recording.overflow;
    samples.all.insert(samples.all.end(), std::make_move_iterator(recording.samples.begin()),
                       std::make_move_iterator(recording.samples.end()));
  }
  return samples;
}

// Writes what was sampled to the file that IOS_GPU_SAMPLES names, behind what is in it: a line about the counters, a
// line a sample. It is how one finds out why replays could not be told apart.
void write_down(const Samples& samples, const Sampler& sampler, const CourseOptions& options) {
  const char* const file = std::getenv("IOS_GPU_SAMPLES");
  if (file == nullptr) return;
  std::ofstream out(file, std::ios::app);
  out << fmt::format("# every {:g} us, idle {:g} us, a replay {:g} us, overflow {}; begin and end in ns",
                     sampler.interval().count(), idle_for(sampler.interval()).count(), options.expected.count(),
                     samples.overflow);
  for (const CounterKind& kind : sampler.counters()) out << fmt::format(", {} [{}]", kind.name, kind.unit);
  out << '\n';
  for (const CounterSample& sample : samples.all) {
    out << fmt::format("{} {} {:.4g}\n", sample.begin, sample.end, fmt::join(sample.values, " "));
  }
}

}  // namespace

Result<Course> course_of(const std::function<void()>& replay, Sampling& sampling, const CourseOptions& options,
                         const JobContext& job) {
  const Micros first = std::max(options.interval, sampling.asked());
  for (Micros interval = first; interval <= kLongestInterval; interval *= 2) {
    IOS_TRY(const auto sampler, sampling.at(interval));
    interval = std::max(interval, sampler->interval());
    if (replays_at_once(*sampler, options) < 1) continue;
    auto samples = samples_of(replay, *sampler, options, job);
    if (!samples) {
      if (!job.stopped()) sampling.end();
      return tl::unexpected(std::move(samples.error()));
    }
    write_down(*samples, *sampler, options);
    if (samples->overflow) continue;
    IOS_TRY(auto folded, fold(samples->all, {.busy = 0,
                                             .shape = 1,
                                             .idle = idle_for(interval),
                                             .expected = options.expected,
                                             .resolution = interval / 2,
                                             .ranges = options.ranges}));
    return Course{std::move(folded), sampler->counters(), interval};
  }
  sampling.end();
  return fail(message("samples were lost, even at the maximum interval of {:g} us", kLongestInterval.count()),
              "profiling", message("end other programs that use the GPU, and try again"));
}

std::vector<Counter> counters_of(const Course& course, Micros begin, Micros end) {
  const Folded& folded = course.folded;
  const double stretch = (end - begin) / folded.duration;
  std::vector<Counter> counters;
  // Active warps, the second one, come first: the default of plots.
  std::vector<std::size_t> order;
  for (std::size_t i = 1; i < course.kinds.size(); ++i) order.push_back(i);
  order.push_back(0);
  for (const std::size_t metric : order) {
    const CounterKind& kind = course.kinds[metric];
    Counter counter{kind.name, kind.unit, kind.peak, {}, {}};
    counter.source = fmt::format("CUPTI PM sampling every {:g} us, {} runs laid over one another",
                                 course.interval.count(), folded.replays);
    const auto add = [&counter](Micros time, double value, double error) {
      counter.times.push_back(time);
      counter.values.push_back(value);
      counter.errors.push_back(error);
    };
    if (begin > Micros{0}) add(Micros{0}, folded.idle[metric], 0);
    for (std::size_t bin = 0; bin < folded.begins.size(); ++bin) {
      const double value = folded.values[metric][bin];  // by a least-squares solution, which knows no limits
      add(begin + folded.begins[bin] * stretch, kind.peak > 0 ? std::min(value, kind.peak) : value,
          folded.errors[metric][bin]);
    }
    add(end, folded.idle[metric], 0);
    counter.stage_errors = folded.range_errors[metric];
    counter.error = folded.mean_errors[metric];
    counters.push_back(std::move(counter));
  }
  return counters;
}

Result<Sampler*> Sampling::at(Micros interval) {
  if (sampler_ == nullptr) {
    IOS_TRY(auto opened, profiler_->open_sampler(interval));
    sampler_ = std::move(opened);
  } else if (interval != asked_) {
    if (auto set = sampler_->set_interval(interval); !set) {
      end();
      return tl::unexpected(std::move(set.error()));
    }
  }
  asked_ = interval;
  return sampler_.get();
}

void Sampling::end() {
  sampler_.reset();
  asked_ = Micros{0};
}

}  // namespace iosx::gpu
