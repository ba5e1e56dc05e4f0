#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <utility>
#include <variant>

#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "app/cli/options.h"
#include "core/analysis/explain/explain_report.h"
#include "core/documents/run_file/run_file.h"

namespace iosx::cli {
namespace {

struct ExplainArguments : NetworkArguments {
  std::string schedule;  // a file, a schedule kind, or empty: the one in the graph's file
  std::int64_t stage = 0;
  bool one_stage = false;
  bool measure = false;
};

// Says what is to be explained: a schedule, or the strategies of a search that is to find one.
struct ExplainedSchedule {
  std::variant<Schedule, StrategySet> schedule;
  std::optional<WholeLatency> latency = {};
};

// Returns the fastest schedule with stages of a saved run of this network; a note says where another one is faster.
Result<ExplainedSchedule> from_run(const std::string& path, const Graph& graph, Session& session) {
  IOS_TRY(const auto run, open_run(path));
  const ScheduleResult& fastest = run.comparison.results[run.comparison.best()];
  Comparison staged = run.comparison;
  std::erase_if(staged.results, [](const ScheduleResult& result) { return result.lanes.has_value(); });
  if (staged.results.empty()) return fail(message("contains no schedule with stages"), path);
  const ScheduleResult& best = staged.results[staged.best()];
  if (fastest.lanes) {
    session.note(fmt::format("{}: its fastest schedule, {}, runs on lanes without stages; {} is explained", path,
                             fastest.title(), best.title()));
  }
  // By name, as schedules in files are: the run's graph is another object.
  IOS_TRY(auto file, parse_schedule_json(schedule_to_json(*run.comparison.graph, best.schedule), path, graph));
  return ExplainedSchedule{
      std::move(file.schedule),
      WholeLatency{best.latency.value,
                   fmt::format("{}, batch {}, {}", best.title(), run.comparison.batch, recorded_text(run).text())}};
}

std::optional<WholeLatency> latency_of(const ScheduleNotes& notes, const std::string& file) {
  if (!notes.latency_ms) return std::nullopt;
  const std::string device = notes.device.empty() ? "an unnamed device" : notes.device;
  const std::string recorded = notes.recorded.empty() ? "" : ", " + notes.recorded;
  return WholeLatency{Millis(*notes.latency_ms), fmt::format("{} on {}, batch {}{}, according to {}", notes.origin,
                                                             device, notes.batch, recorded, file)};
}

tl::expected<ExplainedSchedule, Failure> open_to_explain(const Document& document, const ExplainArguments& options,
                                                         Session& session) {
  std::error_code ignored;
  const bool file = std::filesystem::exists(options.schedule, ignored);
  if (file && file_kind(options.schedule) == FileKind::kRun) {
    return from_run(options.schedule, *document.graph, session).map_error([](Error error) {
      return Failure(std::move(error));
    });
  }
  const auto schedule_kind = parse_schedule_kind(options.schedule);
  if (schedule_kind && row_of(*schedule_kind).strategies && !file) {
    return ExplainedSchedule{*row_of(*schedule_kind).strategies};
  }
  IOS_TRY(auto opened, open_schedule(document, options.graph, options.schedule));
  if (opened.given.lanes) {
    session.note(fmt::format("{} runs on lanes without stages; the stages that chose its kernels are explained",
                             opened.given.schedule.name));
  }
  // What it takes end to end, it takes without stages.
  auto latency = opened.given.lanes
                     ? std::nullopt
                     : latency_of(opened.notes, options.schedule.empty() ? options.graph : options.schedule);
  return ExplainedSchedule{std::move(opened.given.schedule), std::move(latency)};
}

bool is_incomplete(const Explanation& explanation) {
  return !is_known(explanation.basis) || explanation.unknown_units > 0 ||
         std::ranges::any_of(explanation.explained, [](const StageExplanation& stage) {
           return std::ranges::any_of(stage.alternatives,
                                      [](const Alternative& each) { return !is_known(each.basis); });
         });
}

Exit explain_command(ExplainArguments& options, Session& session) {
  IOS_TRY(settled(options.compare, options.job.replay ? use::kExplain : 0));
  IOS_TRY(auto document, open_graph_argument(session, options.graph, options.opening, &options.compare.batch));
  IOS_TRY(const auto device, choose_device(session, options.device, options.job));
  IOS_TRY(auto opened, open_to_explain(document, options, session));
  ExplainRequest request{.graph = document.graph,
                         .device = device,
                         .batch = options.compare.batch,
                         .timing = options.compare.timing,
                         .schedule = opened.schedule,
                         .search = options.compare.search,
                         .max_part_size = options.compare.max_part_size,
                         .replay = options.job.replay,
                         .measure = options.measure,
                         .anew = options.job.anew};
  if (options.one_stage) request.stage = static_cast<std::size_t>(options.stage - 1);
  auto outcome = workbench_of(session, options.store).run(request, session.job(), hooks_of(session));
  if (!outcome) {
    const bool stage_missing = request.stage && outcome.error().what == no_such_stage(*request.stage);
    const bool searches = std::holds_alternative<StrategySet>(request.schedule);
    if (searches && !stage_missing && !request.replay && !request.asks(session.devices().find(device)->info)) {
      outcome.error().remedy = message("add --measure, or run iosx optimize first");
    }
    return session.fail(outcome.error(), stage_missing ? kUsage : kFailed);
  }
  const Explained explained{*outcome->graph, outcome->schedule,    outcome->device, options.compare.batch,
                            outcome->search, outcome->explanation, opened.latency};
  if (!outcome->asked_device && !options.job.replay && is_incomplete(outcome->explanation)) {
    session.note(
        "latencies that were never measured on this device are predicted, bounded or unknown; --measure measures them");
  }
  if (options.json) {
    session.print(explanation_json(explained));
  } else if (options.one_stage) {
    session.print(stage_text(explained, outcome->explanation.explained.front()));
  } else {
    session.print(overview_text(explained));
  }
  return kSuccess;
}

}  // namespace

void add_explain(Command& program) {
  Command command =
      program.add_command("explain", "Explain a schedule: show the alternatives to each stage and their latencies");
  auto options = std::make_shared<ExplainArguments>();
  add_graph(command, options->graph, options->opening);
  command.add_option(
      "--schedule", options->schedule, "FILE|NAME",
      "A schedule file, a saved run (its fastest schedule with stages), or sequential, one-by-one, greedy, ios-both, "
      "ios-parallel, ios-merge. Default: the schedule in GRAPH");
  const Option stage = command
                           .add_option("--stage", options->stage, "N",
                                       "Number of the stage to explain, from 1. Default: the whole schedule, and the "
                                       "stages with the largest possible gain")
                           .check(whole_number(1, 1'000'000, "the number of a stage"));
  add_device(command, options->device);
  add_batch(command, options->compare);
  add_options(command, options->compare, use::kExplain);
  add_store(command, options->store, options->job);
  add_replay(command, options->job);
  command
      .add_flag("--measure", options->measure,
                "Measure unknown latencies. Without this flag, only simulated devices run, and other unknown latencies "
                "are predicted")
      .excludes(info_of(&JobOptions::replay).flag());
  add_json(command, options->json);
  command.runs([options, stage](Session& session) {
    options->one_stage = stage.given();
    return explain_command(*options, session);
  });
}

}  // namespace iosx::cli
