#include "core/compare/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "app/cli/options.h"
#include "core/compare/report.h"
#include "core/report/output_file.h"
#include "core/runfile/run_file.h"

namespace iosx::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ProfileArguments {
  std::string graph;
  std::vector<std::string>
      schedules;  // files or ids of baselines; empty: the graph's file's, or else what a search finds
  std::string device;
  std::int64_t batch = 1;
  TimingOptions timing;
  StoreFlags store;
  int interval = 5;  // µs
  int replays = 200;
  std::string run_file;
  bool json = false;
};

// The schedules besides sequential and greedy, which are there anyway.
Result<void> choose_schedules(const Document& document, const ProfileArguments& options, CompareOptions& compare,
                              int& exit_code) {
  compare.recipes = {Recipe::kSequential, Recipe::kGreedy};
  for (const std::string& name : options.schedules) {
    auto opened = open_schedule(document, options.graph, name);
    if (!opened) {
      exit_code = opened.error().exit_code;
      return tl::unexpected(std::move(opened.error().error));
    }
    if (opened->given.recipe == Recipe::kFile) compare.given.push_back(std::move(opened->given));
  }
  if (!options.schedules.empty()) return {};
  if (document.schedule) {
    compare.given.emplace_back(*document.schedule);
  } else {
    compare.recipes.push_back(row_of(StrategySet::kBoth).recipe);
  }
  return {};
}

Json counter_json(const Counter& counter, const Trace& trace) {
  Json stages = Json::array();
  for (const StageSpan& stage : trace.stages) {
    stages.push_back(
        {{"mean", counter.mean(stage.begin, stage.end)}, {"error", counter.mean_error(stage.begin, stage.end)}});
  }
  return {{"name", counter.name},
          {"unit", counter.unit},
          {"peak", counter.peak},
          {"source", counter.source},
          {"mean", counter.mean(Micros{0}, trace.duration)},
          {"error", counter.mean_error(Micros{0}, trace.duration)},
          {"stages", std::move(stages)}};
}

Json result_json(const ScheduleResult& result) {
  std::size_t launches = 0;
  for (const KernelSpan& span : result.trace.kernels) launches += span.launches.size();
  Json counters = Json::array();
  for (const Counter& counter : result.trace.counters) counters.push_back(counter_json(counter, result.trace));
  return {{"id", result.id.text()},
          {"latency_ms", result.latency.value.count()},
          {"profiled_ms", Millis(result.trace.duration).count()},
          {"timeline", result.trace.source},
          {"kernels", result.trace.kernels.size()},
          {"launches", launches},
          {"counters", std::move(counters)}};
}

Json profile_json(const Comparison& comparison, const ProfileArguments& options) {
  Json schedules = Json::array();
  for (const ScheduleResult& result : comparison.results) schedules.push_back(result_json(result));
  Json json{{"graph", comparison.graph->name()},
            {"device", comparison.device.id},
            {"origin", origin_name(comparison.device.origin)},
            {"batch", comparison.batch},
            {"notices", comparison.notices},
            {"schedules", std::move(schedules)}};
  if (!options.run_file.empty()) json["files"] = {options.run_file};
  return json;
}

// "1203 +- 12", with as many digits as its size asks for.
std::string mean_text(const Counter& counter, const Trace& trace) {
  const double mean = counter.mean(Micros{0}, trace.duration);
  const double error = counter.mean_error(Micros{0}, trace.duration);
  const int digits = counter.peak > 0 && counter.peak < 100 ? 2 : mean < 100 ? 1 : 0;
  std::string text = fmt::format("{:.{}f}", mean, digits);
  if (!counter.errors.empty()) text += fmt::format(" +- {:.{}f}", error, digits);
  return text;
}

// Every counter's mean in one schedule over that in sequential.
std::string ratio_text(const Comparison& comparison, const ScheduleResult& result, const Counter& counter) {
  const ScheduleResult* const sequential = comparison.find(Recipe::kSequential);
  if (sequential == nullptr || sequential == &result) return {};
  const auto other = std::ranges::find(sequential->trace.counters, counter.name, &Counter::name);
  if (other == sequential->trace.counters.end()) return {};
  const double mean = other->mean(Micros{0}, sequential->trace.duration);
  if (mean <= 0) return {};
  return fmt::format("{:.2f}", counter.mean(Micros{0}, result.trace.duration) / mean);
}

std::string profile_text(const Comparison& comparison) {
  std::string text = fmt::format("{} on {}, batch {}, {}\n", comparison.graph->name(), comparison.device.name,
                                 comparison.batch, origin_name(comparison.device.origin));
  for (const ScheduleResult& result : comparison.results) {
    const Trace& trace = result.trace;
    text += fmt::format("\n{}: {:.3f} ms; {:.3f} ms under the profiler, timeline from {}\n", result.title(),
                        result.latency.value.count(), Millis(trace.duration).count(), trace.source);
    for (const Counter& counter : trace.counters) {
      const std::string of = counter.peak > 0 ? fmt::format("of {:.0f} {}", counter.peak, counter.unit) : counter.unit;
      const std::string ratio = ratio_text(comparison, result, counter);
      std::string line = fmt::format("  {:<20}{:>16} {:<16}{}", counter.name, mean_text(counter, trace), of,
                                     ratio.empty() ? "" : ratio + " x sequential's");
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + '\n';
    }
  }
  const auto measured = std::ranges::find_if(
      comparison.results, [](const ScheduleResult& result) { return !result.trace.counters.empty(); });
  if (measured != comparison.results.end()) {
    text += fmt::format("\ncounters: means over a run; {} from {}\n", measured->trace.counters.front().name,
                        measured->trace.counters.front().source);
  }
  return text;
}

int profile_command(const ProfileArguments& options, Session& session) {
  auto source = open_source(session, options.device, options.batch, {}, options.store);
  if (!source) return session.fail(source.error().error, source.error().exit_code);
  auto document = open_graph_argument(session, options.graph, options.batch);
  if (!document) return session.fail(document.error().error, document.error().exit_code);
  CompareOptions compare_options;
  compare_options.batch = options.batch;
  compare_options.timing = options.timing;
  int exit_code = kFailed;
  if (auto chosen = choose_schedules(*document, options, compare_options, exit_code); !chosen) {
    return session.fail(chosen.error(), exit_code);
  }
  if (!options.run_file.empty()) {
    if (auto possible = check_output(options.run_file, {options.graph}); !possible)
      return session.fail(possible.error());
  }
  auto comparison = compare_with(*source, *document->graph, compare_options, session);
  if (!comparison) return session.fail(comparison.error());
  if (!comparison->complete) {
    session.note("profile: cancelled before anything was profiled");
    return kFailed;
  }
  const std::size_t noted = comparison->notices.size();
  const ProfileOptions profile_options{.interval = Micros(options.interval), .replays = options.replays};
  if (auto profiled = profile(*comparison, *source->devices.device, profile_options, session.job()); !profiled) {
    return session.fail(profiled.error());
  }
  for (std::size_t i = noted; i < comparison->notices.size(); ++i) session.note(comparison->notices[i]);
  if (!options.run_file.empty()) {
    const Run run =
        make_run(*comparison, compare_options, {options.graph, document->graph, document->batched}, IOSX_VERSION);
    if (auto saved = save_run(run, options.run_file); !saved) return session.fail(saved.error());
  }
  if (options.json) {
    session.print(profile_json(*comparison, options));
    return kSuccess;
  }
  std::string text = profile_text(*comparison);
  if (!options.run_file.empty()) text += fmt::format("wrote {}\n", options.run_file);
  session.print(text);
  return kSuccess;
}

}  // namespace

void add_profile(Command& program) {
  Command command = program.add_command("profile", "Look into the runs of schedules: launches, hardware counters");
  auto options = std::make_shared<ProfileArguments>();
  add_graph(command, options->graph);
  command
      .add_option("--schedule", options->schedules,
                  "A schedule file, or several; sequential and greedy are there anyway. Without it the schedule in "
                  "GRAPH, or else one that is searched first")
      .type_name("FILE");
  add_device(command, options->device);
  add_batch(command, options->batch);
  add_timing(command, options->timing);
  add_store(command, options->store);
  command.add_option("--interval", options->interval, "Microseconds between samples of hardware counters")
      .check(whole_number(1, 1000, "an interval"))
      .type_name("US")
      .show_default();
  command.add_option("--replays", options->replays, "Runs that are laid over one another to see short stages")
      .check(whole_number(20, 100'000, "a number of runs"))
      .type_name("N")
      .show_default();
  command
      .add_option("-o,--output", options->run_file,
                  "Also save everything as a run, which iosx show and ios-explorer open anywhere")
      .type_name("FILE.iosrun");
  add_json(command, options->json);
  command.runs([options](Session& session) { return profile_command(*options, session); });
}

}  // namespace iosx::cli
