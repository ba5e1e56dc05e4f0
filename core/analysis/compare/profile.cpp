#include "core/analysis/compare/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/base/text.h"

namespace iosx {
namespace {

void add_notices(Comparison& comparison, std::vector<Message>& notices) {
  for (Message& notice : notices) {
    if (std::ranges::find(comparison.notices, notice) == comparison.notices.end()) {
      comparison.notices.push_back(std::move(notice));
    }
  }
  notices.clear();
}

// Loads all of them first: the device's measurements while preparing one must not run under a profiler.
Result<LoadedPlans> load_all(const Comparison& comparison, Device& device, const JobContext& job) {
  LoadedPlans loaded;
  for (const ScheduleResult& result : comparison.results) {
    job.report(message("preparing {}", result.title()), static_cast<std::int64_t>(loaded.size()),
               static_cast<std::int64_t>(comparison.results.size()));
    IOS_TRY(auto plan, device.load(result.plan, {.tune = true}, job));
    loaded.push_back(std::move(plan));
  }
  return loaded;
}

using Json = nlohmann::ordered_json;

Json counter_json(const Counter& counter, const Trace& trace) {
  Json stages = Json::array();
  for (std::size_t i = 0; i < trace.stages.size(); ++i) {
    stages.push_back({{"mean", counter.mean(trace.stages[i].begin, trace.stages[i].end)}});
    if (i < counter.stage_errors.size()) stages.back()["error"] = counter.stage_errors[i];
  }
  Json json{{"name", counter.name},
            {"unit", counter.unit},
            {"peak", counter.peak},
            {"source", counter.source},
            {"mean", counter.mean(Micros{0}, trace.duration)}};
  if (!counter.errors.empty()) json["error"] = counter.error;
  json["stages"] = std::move(stages);
  return json;
}

std::size_t launches_in(const Trace& trace) {
  std::size_t launches = 0;
  for (const KernelSpan& span : trace.kernels) launches += span.launches.size();
  return launches;
}

// Returns "1203 +- 12", with digits by its size.
std::string mean_text(const Counter& counter, const Trace& trace) {
  const double mean = counter.mean(Micros{0}, trace.duration);
  int digits = mean < 100 ? 1 : 0;
  if (counter.peak > 0 && counter.peak < 100) digits = 2;
  std::string text = fmt::format("{:.{}f}", mean, digits);
  if (!counter.errors.empty()) text += fmt::format(" +- {:.{}f}", counter.error, digits);
  return text;
}

// "1.58 x sequential's": of the counter's mean.
std::string ratio_text(const Comparison& comparison, const ScheduleResult& result, const Counter& counter) {
  const ScheduleResult* const sequential = comparison.find(ScheduleKind::kSequential);
  if (sequential == nullptr || sequential == &result) return {};
  const auto other = std::ranges::find(sequential->trace.counters, counter.name, &Counter::name);
  if (other == sequential->trace.counters.end()) return {};
  const double mean = other->mean(Micros{0}, sequential->trace.duration);
  if (mean <= 0) return {};
  return fmt::format("{:.2f} x sequential's", counter.mean(Micros{0}, result.trace.duration) / mean);
}

std::string counter_line(const Comparison& comparison, const ScheduleResult& result, const Counter& counter) {
  const std::string of = counter.peak > 0 ? fmt::format("of {:.0f} {}", counter.peak, counter.unit) : counter.unit;
  std::string line = fmt::format("  {:<20}{:>16} {:<16}{}", counter.name, mean_text(counter, result.trace), of,
                                 ratio_text(comparison, result, counter));
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

// Every source once, with the counters that come from it.
std::string sources_text(const Comparison& comparison) {
  std::vector<std::pair<std::string, std::string>> sources;
  for (const ScheduleResult& result : comparison.results) {
    for (const Counter& counter : result.trace.counters) {
      const auto known = std::ranges::find(sources, counter.source, &std::pair<std::string, std::string>::first);
      if (known == sources.end()) {
        sources.emplace_back(counter.source, counter.name);
      } else if (&result == &comparison.results.front()) {
        known->second += ", " + counter.name;
      }
    }
  }
  std::string text;
  for (const auto& [source, names] : sources) {
    text += fmt::format("{}{}: {}\n", text.empty() ? "\nmeans over a run; " : "", names, source);
  }
  return text;
}

// The name in simulated devices and the GPU profiler. On a GPU other counters may come first.
constexpr const char* kWarps = "active warps";

}  // namespace

Result<void> profile(Comparison& comparison, Device& device, const ProfileOptions& options, const JobContext& job,
                     const std::function<Result<void>(const Comparison&)>& halfway) {
  if (device.info().fingerprint != comparison.device.fingerprint) {
    return fail(message("the schedules were run on {} ({})", comparison.device.name, comparison.device.fingerprint),
                device.info().id, message("run them on this device first"));
  }
  if (!comparison.knows_latencies()) return fail(kUnknownLatencies);
  IOS_TRY(const auto loaded, load_all(comparison, device, job));
  const auto count = static_cast<std::int64_t>(2 * loaded.size());
  std::vector<Profile> profiles;
  for (std::size_t i = 0; i < loaded.size(); ++i) {
    job.report(message("profiling {}", comparison.results[i].title()), static_cast<std::int64_t>(i), count);
    IOS_TRY(profiles.emplace_back(), loaded[i]->timeline(options, job));
  }
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    comparison.results[i].trace = profiles[i].trace;
    add_notices(comparison, profiles[i].notices);
  }
  if (halfway) {
    if (auto done = halfway(comparison); !done) return done;
  }
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    job.report(message("counting {}", comparison.results[i].title()), static_cast<std::int64_t>(profiles.size() + i),
               count);
    IOS_TRY(auto counted, loaded[i]->counters(std::move(profiles[i]), options, job));
    comparison.results[i].trace = std::move(counted.trace);
    add_notices(comparison, counted.notices);
  }
  return {};
}

bool profiled(const Comparison& comparison) {
  return std::ranges::any_of(comparison.results, [](const ScheduleResult& result) {
    return launches_in(result.trace) > 0 ||
           std::ranges::any_of(result.trace.counters, [](const Counter& counter) { return !counter.errors.empty(); });
  });
}

std::string profile_table(const Comparison& comparison) {
  std::string text = fmt::format("{} on {}, batch {}, {}\n", printable(comparison.graph->name()),
                                 comparison.device.name, comparison.batch, origin_name(comparison.device.origin));
  for (const ScheduleResult& result : comparison.results) {
    const Trace& trace = result.trace;
    text += fmt::format("\n{}: {:.3f} ms; its timeline has {:.3f} ms ({})\n", result.title(),
                        result.latency.value.count(), Millis(trace.duration).count(), trace.source);
    for (const Counter& counter : trace.counters) text += counter_line(comparison, result, counter);
  }
  return text + sources_text(comparison);
}

Json profile_json(const Comparison& comparison) {
  Json schedules = Json::array();
  for (const ScheduleResult& result : comparison.results) {
    Json counters = Json::array();
    for (const Counter& counter : result.trace.counters) counters.push_back(counter_json(counter, result.trace));
    schedules.push_back({{"id", result.id.text()},
                         {"latency_ms", result.latency.value.count()},
                         {"timeline_ms", Millis(result.trace.duration).count()},
                         {"timeline", result.trace.source},
                         {"kernels", result.trace.kernels.size()},
                         {"launches", launches_in(result.trace)},
                         {"counters", std::move(counters)}});
  }
  return schedules;
}

const Counter* occupancy(const Trace& trace) {
  const auto warps = std::ranges::find_if(
      trace.counters, [](const Counter& counter) { return counter.name == kWarps && !counter.times.empty(); });
  const Counter* counter = warps != trace.counters.end() ? &*warps : main_counter(trace);
  return counter != nullptr && counter->peak > 0 ? counter : nullptr;
}

}  // namespace iosx
