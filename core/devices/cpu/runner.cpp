#include "core/devices/cpu/runner.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <utility>

namespace iosx::cpu {
namespace {

void execute(const PreparedKernel& kernel) {
  for (const Step& step : kernel.steps) step();
}

constexpr const char* kSource = "clock readings of the cores";

// Counts the cores at work over time: those of a team while it executes a kernel.
Counter busy_cores(const Trace& trace, int cores) {
  Counter counter{said("busy cores"), said("cores"), static_cast<double>(cores), {}, {}, kSource};
  std::vector<std::pair<Micros, int>> changes;
  for (const KernelSpan& span : trace.kernels) {
    const int threads = trace.stages[span.stage].lane_threads[span.lane];
    changes.emplace_back(span.begin, threads);
    changes.emplace_back(span.end, -threads);
  }
  std::ranges::sort(changes);  // what ends before what begins at the same time
  counter.times.emplace_back(0);
  counter.values.push_back(0);
  int busy = 0;
  for (const auto& [time, change] : changes) {
    busy += change;
    if (time > counter.times.back()) {
      counter.times.push_back(time);
      counter.values.push_back(busy);
    } else {
      counter.values.back() = busy;
    }
  }
  return counter;
}

}  // namespace

template <typename Around>
bool Runner::run_all(const JobContext& job, const Around& around) {
  begin_ = Clock::now();
  for (std::size_t i = 0; i < plan_.stages().size(); ++i) {
    const PreparedStage& stage = plan_.stages()[i];
    std::atomic<bool> stopped{false};
    pool_.run(stage.teams.sizes, [&](int team) {
      for (const std::size_t lane : stage.teams.lanes[static_cast<std::size_t>(team)]) {
        for (const PreparedKernel& kernel : stage.lanes[lane]) {
          if (job.stopped()) return stopped.store(true, std::memory_order_relaxed);
          around(kernel);
        }
      }
    });
    if (stopped.load(std::memory_order_relaxed)) return false;
    ends_[i] = Clock::now();
  }
  return true;
}

std::optional<Millis> Runner::run(const JobContext& job) {
  if (!run_all(job, execute)) return std::nullopt;
  return ends_.empty() ? Millis(0) : Millis(ends_.back() - begin_);
}

std::vector<Millis> Runner::stage_times() const {
  std::vector<Millis> times;
  for (std::size_t i = 0; i < ends_.size(); ++i) times.emplace_back(ends_[i] - (i == 0 ? begin_ : ends_[i - 1]));
  return times;
}

std::optional<Trace> Runner::trace(const JobContext& job) {
  std::vector<Span> spans(plan_.plan().kernels.size());
  const bool whole = run_all(job, [&](const PreparedKernel& kernel) {
    Span& span = spans[kernel.id.index()];
    span.begin = Clock::now();
    execute(kernel);
    span.end = Clock::now();
  });
  if (!whole) return std::nullopt;
  return assemble(spans);
}

Trace Runner::assemble(const std::vector<Span>& spans) const {
  const auto at = [&](Clock::time_point time) { return Micros(time - begin_); };
  Trace trace;
  trace.lanes = plan_.plan().lane_count();
  trace.duration = ends_.empty() ? Micros(0) : at(ends_.back());
  for (std::size_t k = 0; k < spans.size(); ++k) {
    const Kernel& kernel = plan_.plan().kernels[k];
    trace.kernels.push_back(
        {kernel.name, KernelId(k), kernel.lane, kernel.stage, at(spans[k].begin), at(spans[k].end)});
  }
  std::ranges::stable_sort(trace.kernels, std::less<>{}, &KernelSpan::begin);
  for (std::size_t i = 0; i < plan_.stages().size(); ++i) {
    const PreparedStage& stage = plan_.stages()[i];
    StageSpan span{i == 0 ? Micros(0) : at(ends_[i - 1]), at(ends_[i]), std::vector<int>(stage.lanes.size(), 0)};
    for (std::size_t team = 0; team < stage.teams.sizes.size(); ++team) {
      for (const std::size_t lane : stage.teams.lanes[team]) span.lane_threads[lane] = stage.teams.sizes[team];
    }
    trace.stages.push_back(std::move(span));
  }
  trace.source = kSource;
  trace.counters.push_back(busy_cores(trace, pool_.cores()));
  return trace;
}

}  // namespace iosx::cpu
