#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "app/cli/options.h"
#include "core/analysis/explain/explain_report.h"
#include "core/devices/measure/device_latency_source.h"
#include "core/devices/measure/recorded_latency_source.h"
#include "core/documents/run_file/run_file.h"
#include "core/search/prepare.h"
#include "core/search/search.h"

namespace iosx::cli {
namespace {

struct ExplainArguments {
  std::string graph;
  SizeFlags sizes;
  std::string schedule;  // a file, a schedule kind, or empty: the one in the graph's file
  std::int64_t stage = 0;
  bool one_stage = false;
  std::string device;
  std::int64_t batch = 0;
  SearchFlags search;
  TimingOptions timing;
  StoreFlags store;
  bool measure = false;
  bool json = false;
};

// Who knows what stages take: a store alone, a device that is asked, or what was measured on it earlier.
std::unique_ptr<StageLatencySource> latency_source(const Source& source, const Graph& graph,
                                                   const ExplainArguments& options) {
  if (source.recorded) return std::make_unique<RecordedLatencySource>(graph, source.store.get(), *source.recorded);
  Device& device = *source.devices.device;
  if (options.measure || options.store.anew || device.info().origin == Origin::kSimulated) {
    return std::make_unique<DeviceLatencySource>(graph, device, options.batch, options.timing,
                                                 Keeping{source.store.get(), IOSX_VERSION, source.anew});
  }
  return std::make_unique<RecordedLatencySource>(
      graph, source.store.get(), measurement_set(device.info(), options.batch), RecordedLatencySource::Where::kHere);
}

struct ExplainedSchedule {
  Schedule schedule;
  std::optional<WholeLatency> latency = {};
  std::optional<Pruning> widened = {};  // of the search that made it
};

// The fastest schedule of a saved run of this network.
Result<ExplainedSchedule> from_run(const std::string& path, const Graph& graph) {
  IOS_TRY(const auto run, open_run(path));
  const ScheduleResult& best = run.comparison.results[run.comparison.best()];
  // By name, as schedules in files are: the run's graph is another object.
  IOS_TRY(auto file, parse_schedule_json(schedule_to_json(*run.comparison.graph, best.schedule), path, graph));
  return ExplainedSchedule{std::move(file.schedule),
                           WholeLatency{best.latency.value, fmt::format("{}, batch {}, {}", best.title(),
                                                                        run.comparison.batch, recorded_text(run))}};
}

std::optional<WholeLatency> latency_of(const ScheduleNotes& notes, const std::string& file) {
  if (!notes.latency_ms) return std::nullopt;
  const std::string device = notes.device.empty() ? "an unnamed device" : notes.device;
  const std::string recorded = notes.recorded.empty() ? "" : ", " + notes.recorded;
  return WholeLatency{Millis(*notes.latency_ms),
                      fmt::format("{} on {}, batch {}{}, says {}", notes.origin, device, notes.batch, recorded, file)};
}

// Made first, if that is what --schedule names.
tl::expected<ExplainedSchedule, OpenError> open_to_explain(const Document& document, const Graph& prepared,
                                                           StageLatencySource& source, const ExplainArguments& options,
                                                           Session& session) {
  std::error_code ignored;
  const bool file = std::filesystem::exists(options.schedule, ignored);
  if (file && is_run_file(options.schedule)) {
    auto opened = from_run(options.schedule, prepared);
    if (!opened) return tl::unexpected(OpenError{std::move(opened.error()), kFailed});
    return std::move(*opened);
  }
  const auto schedule_kind = parse_schedule_kind(options.schedule);
  if (schedule_kind && row_of(*schedule_kind).strategies && !file) {
    SearchOptions search = options.search.search_options();
    search.strategies = *row_of(*schedule_kind).strategies;
    auto found = iosx::search(prepared, source, search, session.job());
    if (!found && !source.measures() && !options.store.replay) {
      found.error().remedy = "give --measure, or search first with iosx optimize";
    }
    if (!found) return tl::unexpected(OpenError{std::move(found.error()), kFailed});
    const bool out_of_budget = found->lazy && found->lazy->out_of_budget;
    if (!found->complete) {
      const Error stopped{"stopped before the search had ended", {}, {}};
      const Error no_time{"the search found no schedule within its budget", {}, "give a larger --budget"};
      return tl::unexpected(OpenError{out_of_budget ? no_time : stopped, kFailed});
    }
    if (out_of_budget) session.note("the budget ended the search");
    if (!found->knew_all) session.note("searched among the stages that were measured; others may be better");
    const auto widened = found->lazy ? found->lazy->widened : std::nullopt;
    return ExplainedSchedule{std::move(found->schedule), std::nullopt, widened};
  }
  IOS_TRY(auto opened, open_schedule(document, options.graph, options.schedule));
  return ExplainedSchedule{std::move(opened.given.schedule), latency_of(opened.notes, options.schedule)};
}

bool is_incomplete(const Explanation& explanation) {
  return !is_known(explanation.basis) || explanation.unknown_units > 0 ||
         std::ranges::any_of(explanation.explained, [](const StageExplanation& stage) {
           return std::ranges::any_of(stage.alternatives,
                                      [](const Alternative& each) { return !is_known(each.basis); });
         });
}

int explain_command(ExplainArguments& options, Session& session) {
  if (const std::string wrong = options.search.contradiction(); !wrong.empty()) {
    return session.fail(Error{wrong, {}, {}}, kUsage);
  }
  auto document = open_graph_argument(session, options.graph, options.sizes, &options.batch);
  if (!document) return session.fail(document.error().error, document.error().exit_code);
  auto source = open_source(session, options.device, options.batch, {}, options.store);
  if (!source) return session.fail(source.error().error, source.error().exit_code);
  SearchOptions search = options.search.search_options();
  const auto graph = prepare(*document->graph, search, options.search.max_part_size, kPartBudget, session.job());
  if (!graph) return session.fail(graph.error());
  const auto latencies = latency_source(*source, *graph, options);
  auto opened = open_to_explain(*document, *graph, *latencies, options, session);
  if (!opened) return session.fail(opened.error().error, opened.error().exit_code);
  search.pruning = opened->widened.value_or(search.pruning);
  const Schedule schedule = latencies->planner().canonical(opened->schedule);

  ExplainOptions explain_options{.search = search};
  if (options.one_stage) explain_options.stage = static_cast<std::size_t>(options.stage - 1);
  DeviceInfo device;
  if (source->recorded) {
    device.id = source->recorded->device_id;
    device.name = source->recorded->device_name;
  } else {
    device = source->devices.device->info();
    explain_options.rates = source->devices.device->peak_rates();
  }
  const auto explanation = explain(*graph, options.batch, schedule, *latencies, explain_options, session.job());
  if (!explanation) {
    const bool no_such_stage = explain_options.stage && *explain_options.stage >= schedule.stages.size();
    return session.fail(explanation.error(), no_such_stage ? kUsage : kFailed);
  }
  const Explained explained{*graph, schedule, device, options.batch, search, *explanation, opened->latency};
  if (!latencies->measures() && !source->recorded && is_incomplete(*explanation)) {
    session.note("what was never measured on this device is predicted, bounded or unknown; --measure measures it");
  }
  if (options.json) {
    session.print(explanation_json(explained));
  } else if (options.one_stage) {
    session.print(stage_text(explained, explanation->explained.front()));
  } else {
    session.print(overview_text(explained));
  }
  return kSuccess;
}

}  // namespace

void add_explain(Command& program) {
  Command command = program.add_command(
      "explain", "Say why a schedule is as it is: what else could be done at a stage, and what that would cost");
  auto options = std::make_shared<ExplainArguments>();
  add_graph(command, options->graph, options->sizes);
  command
      .add_option("--schedule", options->schedule,
                  "A schedule file, a saved run (its fastest schedule), or sequential, greedy, ios-both, ios-parallel, "
                  "ios-merge; without it the schedule in GRAPH")
      .type_name("FILE|NAME");
  const Option stage = command
                           .add_option("--stage", options->stage,
                                       "The stage to explain, from 1; without it the whole schedule, and the stages "
                                       "where most is to be gained")
                           .check(whole_number(1, 1'000'000, "a stage, counted from 1"))
                           .type_name("N");
  add_device(command, options->device);
  add_batch(command, options->batch);
  add_space(command, options->search);
  add_strategy(command, options->search);
  add_effort(command, options->search);
  add_timing(command, options->timing);
  add_store(command, options->store);
  add_replay(command, options->store);
  command
      .add_flag("--measure", options->measure,
                "Measure what is not known; without it only what is simulated is asked for, and the rest predicted")
      .excludes("--replay");
  add_json(command, options->json);
  command.runs([options, stage](Session& session) {
    options->one_stage = stage.given();
    return explain_command(*options, session);
  });
}

}  // namespace iosx::cli
