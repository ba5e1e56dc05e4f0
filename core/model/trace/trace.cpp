#include "core/model/trace/trace.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace iosx {

double Counter::area(Micros begin, Micros end) const {
  double sum = 0;
  for (std::size_t i = 0; i < times.size() && i < values.size(); ++i) {
    const Micros from = std::max(begin, times[i]);
    const Micros to = i + 1 < times.size() ? std::min(end, times[i + 1]) : end;
    if (to > from) sum += values[i] * (to - from).count();
  }
  return sum;
}

double Counter::mean(Micros begin, Micros end) const {
  return end > begin ? area(begin, end) / (end - begin).count() : 0;
}

std::vector<StageSpan> overlapping_stages(const ExecutionPlan& plan, const std::vector<KernelSpan>& kernels) {
  std::vector<StageSpan> stages(plan.stages.size());
  std::vector<bool> begun(stages.size(), false);
  for (const KernelSpan& span : kernels) {
    StageSpan& stage = stages[span.stage];
    stage.begin = begun[span.stage] ? std::min(stage.begin, span.begin) : span.begin;
    stage.end = std::max(stage.end, span.end);
    begun[span.stage] = true;
  }
  return stages;
}

const Counter* main_counter(const Trace& trace) {
  const auto found =
      std::ranges::find_if(trace.counters, [](const Counter& counter) { return !counter.times.empty(); });
  return found == trace.counters.end() ? nullptr : &*found;
}

Result<void> check_trace(const Trace& trace, const ExecutionPlan& plan) {
  if (trace.lanes > plan.lane_count()) {
    return fail(message("has {} lanes, but the plan has {}", trace.lanes, plan.lane_count()), "lanes");
  }
  if (!trace.stages.empty() && trace.stages.size() != plan.stages.size()) {
    return fail(message("has {} stages, but the plan has {}", trace.stages.size(), plan.stages.size()), "stages");
  }
  for (std::size_t i = 0; i < trace.stages.size(); ++i) {
    if (trace.stages[i].end < trace.stages[i].begin)
      return fail(message("ends before it begins"), fmt::format("stages[{}]", i));
  }
  for (std::size_t i = 0; i < trace.kernels.size(); ++i) {
    const KernelSpan& span = trace.kernels[i];
    const auto refuse = [&](Message what) { return fail(std::move(what), fmt::format("kernels[{}]", i)); };
    if (!span.kernel.valid() || span.kernel.index() >= plan.kernels.size())
      return refuse(message("is not a kernel of the plan"));
    if (span.lane >= trace.lanes || span.stage >= plan.stages.size())
      return refuse(message("is in no lane or stage of the plan"));
    if (span.end < span.begin) return refuse(message("ends before it begins"));
    for (const LaunchSpan& launch : span.launches) {
      if (launch.begin < span.begin || launch.end < launch.begin || launch.end > span.end) {
        return refuse(message("has a launch outside its own time"));
      }
    }
    if (i > 0 && span.begin < trace.kernels[i - 1].begin) return refuse(message("begins before the previous one"));
  }
  for (std::size_t i = 0; i < trace.counters.size(); ++i) {
    const Counter& counter = trace.counters[i];
    const std::string place = fmt::format("counters[{}]", i);
    if (counter.times.size() != counter.values.size()) return fail(message("does not have one value per time"), place);
    if (!counter.errors.empty() && counter.errors.size() != counter.values.size()) {
      return fail(message("does not have one error per value"), place);
    }
    if (!counter.stage_errors.empty() && counter.stage_errors.size() != trace.stages.size()) {
      return fail(message("does not have one error per stage"), place);
    }
    if (!std::ranges::is_sorted(counter.times)) return fail(message("its times do not ascend"), place);
  }
  return {};
}

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kStageThread = 1;
constexpr std::size_t kFirstLaneThread = 2;

Json metadata(const char* kind, std::size_t pid, std::size_t tid, Json args) {
  return Json{{"name", kind}, {"ph", "M"}, {"pid", pid}, {"tid", tid}, {"args", std::move(args)}};
}

Json span(const std::string& name, const char* category, std::size_t pid, std::size_t tid, Micros begin, Micros end) {
  return Json{{"name", name},
              {"cat", category},
              {"ph", "X"},
              {"pid", pid},
              {"tid", tid},
              {"ts", begin.count()},
              {"dur", (end - begin).count()}};
}

void add_thread(Json& events, std::size_t pid, std::size_t tid, const std::string& name) {
  events.push_back(metadata("thread_name", pid, tid, Json{{"name", name}}));
  events.push_back(metadata("thread_sort_index", pid, tid, Json{{"sort_index", tid}}));
}

void add_names(Json& events, const NamedTrace& named, std::size_t pid) {
  events.push_back(metadata("process_name", pid, 0, Json{{"name", named.name}}));
  events.push_back(metadata("process_sort_index", pid, 0, Json{{"sort_index", pid}}));
  if (named.stages) add_thread(events, pid, kStageThread, "stages");
  for (std::size_t lane = 0; lane < named.trace->lanes; ++lane) {
    add_thread(events, pid, kFirstLaneThread + lane, "lane " + std::to_string(lane + 1));
  }
}

void add_spans(Json& events, const NamedTrace& named, std::size_t pid) {
  const Trace& trace = *named.trace;
  for (std::size_t i = 0; i < trace.stages.size() && named.stages; ++i) {
    const StageSpan& stage = trace.stages[i];
    events.push_back(span("stage " + std::to_string(i + 1), "stage", pid, kStageThread, stage.begin, stage.end));
  }
  for (const KernelSpan& kernel : trace.kernels) {
    Json event = span(kernel.name, "kernel", pid, kFirstLaneThread + kernel.lane, kernel.begin, kernel.end);
    event["args"] = Json{{"stage", kernel.stage + 1}};
    for (const LaunchSpan& launch : kernel.launches) {
      event["args"]["launches"].push_back({{"function", launch.name},
                                           {"us", (launch.end - launch.begin).count()},
                                           {"grid", launch.grid},
                                           {"block", launch.block},
                                           {"registers", launch.registers},
                                           {"shared_bytes", launch.shared_bytes},
                                           {"occupancy", launch.occupancy}});
    }
    events.push_back(std::move(event));
  }
}

void add_counter(Json& events, const Counter& counter, Micros duration, std::size_t pid) {
  const auto sample = [&](Micros time, double value) {
    events.push_back(Json{{"name", counter.name},
                          {"ph", "C"},
                          {"pid", pid},
                          {"tid", 0},
                          {"ts", time.count()},
                          {"args", Json{{counter.unit, value}}}});
  };
  for (std::size_t i = 0; i < counter.times.size(); ++i) sample(counter.times[i], counter.values[i]);
  if (!counter.times.empty()) sample(duration, 0);  // the track ends with the run
}

}  // namespace

std::string chrome_trace_json(std::span<const NamedTrace> traces, const std::string& device,
                              const std::string& origin) {
  Json events = Json::array();
  for (std::size_t i = 0; i < traces.size(); ++i) {
    const std::size_t pid = i + 1;
    add_names(events, traces[i], pid);
    add_spans(events, traces[i], pid);
    for (const Counter& counter : traces[i].trace->counters) {
      add_counter(events, counter, traces[i].trace->duration, pid);
    }
  }
  const Json document{{"displayTimeUnit", "ms"},
                      {"otherData", Json{{"device", device}, {"origin", origin}}},
                      {"traceEvents", std::move(events)}};
  // Names come from users' files: invalid UTF-8 is replaced, not refused.
  return document.dump(1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace iosx
