#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "app/cli/options.h"
#include "core/analysis/compare/compare_options.h"
#include "core/analysis/compare/comparison.h"
#include "core/analysis/compare/reliability.h"
#include "core/analysis/compare/report.h"
#include "core/base/text.h"
#include "core/documents/report/comparison_files.h"
#include "core/documents/report/output_file.h"

namespace iosx::cli {
namespace {

using Json = nlohmann::ordered_json;

struct OptimizeArguments : NetworkArguments {
  std::string file;
  std::string format;  // empty: by the file's extension
};

std::string summary(const Comparison& comparison, const OptimizeArguments& options) {
  const ScheduleResult& best = comparison.results[comparison.best()];
  const bool known = comparison.knows_latencies();
  std::string text = fmt::format("{} on {}, batch {}: ", printable(comparison.graph->name()), comparison.device.name,
                                 comparison.batch);
  if (known && !best.search && !best.lanes) {
    text +=
        fmt::format("{} {} than {}\n",
                    comparison.complete ? "the search found nothing" : "stopped before the search had found anything",
                    comparison.memory_limit > 0 ? "that fits and is faster" : "faster", best.id.text());
  }
  text +=
      fmt::format("{}, {} ({}), {} {}", best.id.text(),
                  known ? fmt::format("{:.3f} ms", best.latency.value.count()) : std::string("unknown latency"),
                  origin_name(best.latency.origin), best.lanes ? best.plan.lane_count() : best.schedule.stages.size(),
                  best.lanes ? "lanes without barriers" : "stages");
  if (comparison.memory_limit > 0) {
    text += fmt::format(", a planned peak of {:.2f} MB", megabytes(best.planned_bytes));
  }
  if (known) text += ", " + speedup_text(comparison.speedup(best));
  text += '\n';
  const auto started = [](const ScheduleResult& each) { return each.search && each.search->warm_start; };
  const auto from = std::ranges::find_if(comparison.results, started);
  if (from != comparison.results.end()) {
    const WarmStart& start = *from->search->warm_start;
    const std::size_t beyond = start.beyond.size();
    const std::string cost = known ? fmt::format(", {:.3f} ms of stages", start.cost.count()) : "";
    text += fmt::format("started from '{}'{}: {}", printable(start.name), cost,
                        start.better ? "found a better schedule" : "found no better schedule");
    if (beyond > 0) text += fmt::format("; {} stages are outside the search space", beyond);
    text += "\n";
  }
  if (const auto saving = comparison.saving(best)) text += saving_text(*saving) + "\n";
  if (const std::string sensitivity = sensitivity_text(comparison); !sensitivity.empty()) text += sensitivity + "\n";
  if (best.verification) text += fmt::format("verify: {}\n", verification_text(*best.verification));
  text += fmt::format("wrote {}\n", options.file);
  return text;
}

// Writes the schedule after a cancel that left no time to run what the search had found.
Exit write_unrun(const std::shared_ptr<const Graph>& graph, const Schedule& schedule, const OptimizeArguments& options,
                 Session& session) {
  IOS_TRY(const ExportFormat* const format, usage(export_format_of(options.format, options.file, schedule_formats())));
  IOS_TRY(const auto text, export_text(*format, {.graph = graph, .schedule = schedule}));
  IOS_TRY(write_output(session, options.file, text));
  session.note(fmt::format(
      "optimize: cancelled; the best schedule of the search is in {}, but no time was left to run it", options.file));
  return kFailed;
}

// Returns the schedule of the network's own file, which a comparison has too, where the device can
// run it and the format can hold it.
std::optional<GivenSchedule> own_schedule(const Document& document, const ExportFormat& format,
                                          const DeviceInfo& device, std::int64_t batch) {
  if (!document.schedule) return std::nullopt;
  GivenSchedule own = schedule_in_file(document.schedule->schedule, document.schedule->lanes);
  if (!own.lanes) return own;
  const bool possible = format.lanes && device.barrier_free;
  if (!possible || !plan_on(device, *document.graph, own, batch)) return std::nullopt;
  return own;
}

Exit optimize(OptimizeArguments& options, Session& session) {
  IOS_TRY(settled(options.compare, options.job.replay ? use::kOptimize : 0));
  IOS_TRY(const ExportFormat* const format, usage(export_format_of(options.format, options.file, schedule_formats())));
  IOS_TRY(auto document, open_graph_argument(session, options.graph, options.opening, &options.compare.batch));
  IOS_TRY(const auto device, choose_device(session, options.device, options.job, options.compare.verify));
  IOS_TRY(check_output(options.file, {options.graph}, beside_json(options.json)));

  CompareOptions compare_options = options.compare;
  compare_options.sensitivity = !compare_options.quick;
  IOS_TRY(compare_options.warm_start, open_warm_start(session, document, options.job.warm_start));
  const std::optional<bool> lanes = format->lanes ? std::nullopt : std::optional(false);
  compare_options.schedule_kinds = kinds_to_optimize(compare_options, lanes);
  if (lanes)
    session.note(fmt::format("the format {} has no lanes: only schedules with stages are searched", format->id));
  const DeviceRegistry::Entry* const entry = session.devices().find(device);
  if (entry != nullptr && !options.job.replay) {  // a replay has only what was measured
    if (auto own = own_schedule(document, *format, entry->info, options.compare.batch))
      compare_options.given.push_back(*std::move(own));
  }
  std::optional<Schedule> found;
  JobHooks hooks = hooks_of(session);
  hooks.compare.found = [&](ScheduleKind, const Schedule& schedule) { found = schedule; };
  const auto comparison = workbench_of(session, options.store)
                              .run(CompareRequest{.graph = document.graph,
                                                  .device = device,
                                                  .options = compare_options,
                                                  .replay = options.job.replay,
                                                  .anew = options.job.anew,
                                                  .reference = options.job.reference},
                                   session.job(), hooks);
  if (!comparison && found && session.job().stopped()) return write_unrun(document.graph, *found, options, session);
  if (!comparison) return session.fail(comparison.error());

  for (const Message& sentence : ignored_options(*comparison, options.compare)) session.note(sentence);
  const ScheduleResult& best = comparison->results[comparison->best()];
  if (!comparison->fits(best)) {  // a notice says how little would do
    return fail(message("no schedule fits the limit; no file was written"),
                info_of(&CompareOptions::memory_limit).flag(),
                message("raise the limit, or choose a smaller batch size"));
  }
  IOS_TRY(const auto text, export_text(*format, {.graph = comparison->graph,
                                                 .schedule = best.named(),
                                                 .notes = notes_of(*comparison, best),
                                                 .lanes = best.lanes}));
  IOS_TRY(write_output(session, options.file, text));
  if (options.json) {
    Json json = comparison_json(*comparison);
    json["written"] = {
        {"file", options.file}, {"format", format->id}, {"schedule", best.name()}, {"id", best.id.text()}};
    session.print(json);
  } else if (options.file != kStandardOutput) {
    session.print(summary(*comparison, options));
  }
  if (comparison->complete) return comparison->failed_verification() ? kFailed : kSuccess;
  session.note(fmt::format("optimize: cancelled; the best so far is in {}", options.file));
  return kFailed;
}

struct ImproveArguments : NetworkArguments {
  std::string schedule;
  std::optional<std::string> pin;  // "2,5-7"
  std::string file;
  std::string format;
};

Error no_such_stages(const std::string& text, std::size_t stages) {
  return Error{message("'{}' names no stages", printable(text)), "--pin",
               message("give stages from 1 to {}, as in 2,5-7", stages)};
}

// Reads "2,5-7" for a schedule of that many stages, counted from 0.
Result<std::vector<std::size_t>> pinned_stages(const std::optional<std::string>& pin, std::size_t stages) {
  std::set<std::size_t> pinned;
  if (!pin) return std::vector<std::size_t>();
  const std::string& text = *pin;
  const auto number = [&](std::string_view digits) {
    const auto value = read_number<std::size_t>(digits);
    return value && *value >= 1 && *value <= stages ? value : std::nullopt;
  };
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view piece = std::string_view(text).substr(begin, end - begin);
    const std::size_t dash = piece.find('-');
    const auto first = number(piece.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : number(piece.substr(dash + 1));
    if (!first || !last || *first > *last) return tl::unexpected(no_such_stages(text, stages));
    for (std::size_t stage = *first; stage <= *last; ++stage) pinned.insert(stage - 1);
    begin = end + 1;
  }
  return std::vector<std::size_t>(pinned.begin(), pinned.end());
}

struct Improved {
  const ScheduleResult& start;
  const ScheduleResult& found;
  std::size_t pinned = 0;
  bool better = false;
  std::vector<StageBeyond> beyond;  // what of it no search would have made
};

std::string improved_text(const Comparison& comparison, const Improved& improved, const std::string& file) {
  std::string text =
      fmt::format("{} on {}, batch {}, {} of {} stages pinned: ", printable(comparison.graph->name()),
                  comparison.device.name, comparison.batch, improved.pinned, improved.start.schedule.stages.size());
  const char* const origin = origin_name(improved.found.latency.origin).data();
  if (!comparison.knows_latencies()) {
    text += fmt::format("{}\n", kUnknownLatencies.pattern);
  } else if (improved.better) {
    text += fmt::format("{:.3f} ms instead of {:.3f} ({})\n", improved.found.latency.value.count(),
                        improved.start.latency.value.count(), origin);
  } else {
    text += fmt::format("no schedule is better than the start, {:.3f} ms ({})\n", improved.start.latency.value.count(),
                        origin);
  }
  for (const StageBeyond& each : improved.beyond) text += beyond_text(each) + "\n";
  return text + fmt::format("wrote {}\n", file);
}

Json improved_json(const Comparison& comparison, const Improved& improved) {
  Json json = comparison_json(comparison);
  json["improved"] = {{"start", improved.start.id.text()},
                      {"found", improved.found.id.text()},
                      {"better", improved.better},
                      {"pinned_stages", improved.pinned},
                      {"beyond_search", beyond_json(improved.beyond)}};
  return json;
}

Exit improve_command(ImproveArguments& options, Session& session) {
  IOS_TRY(settled(options.compare));
  IOS_TRY(const ExportFormat* const format, usage(export_format_of(options.format, options.file, schedule_formats())));
  IOS_TRY(auto document, open_graph_argument(session, options.graph, options.opening, &options.compare.batch));
  IOS_TRY(const auto opened, open_schedule(document, options.graph, options.schedule));
  if (opened.given.lanes) return tl::unexpected(has_stages_only(message("a search")));
  IOS_TRY(const auto pinned, usage(pinned_stages(options.pin, opened.given.schedule.stages.size())));
  IOS_TRY(const auto device, choose_device(session, options.device, options.job, options.compare.verify));
  IOS_TRY(check_output(options.file, {options.graph, options.schedule}, beside_json(options.json)));

  IOS_TRY(const auto outcome, workbench_of(session, options.store)
                                  .run(ImproveRequest{.graph = document.graph,
                                                      .device = device,
                                                      .batch = options.compare.batch,
                                                      .timing = options.compare.timing,
                                                      .start = opened.given,
                                                      .pinned = pinned,
                                                      .search = options.compare.search,
                                                      .max_part_size = options.compare.max_part_size,
                                                      .anew = options.job.anew,
                                                      .run = true,
                                                      .name = "improved",
                                                      .verify = options.compare.verify,
                                                      .reference = options.job.reference},
                                       session.job(), hooks_of(session)));
  const std::optional<Comparison>& comparison = outcome.comparison;
  const ScheduleResult& start = comparison->results[0];
  const ScheduleResult& better = comparison->results[1];

  IOS_TRY(const auto text, export_text(*format, {.graph = comparison->graph,
                                                 .schedule = better.schedule,
                                                 .notes = notes_of(*comparison, better)}));
  IOS_TRY(write_output(session, options.file, text));
  const Improved improved{start, better, pinned.size(), outcome.improvement.better, outcome.beyond};
  if (options.json) {
    session.print(improved_json(*comparison, improved));
  } else if (options.file != kStandardOutput) {
    session.print(improved_text(*comparison, improved, options.file));
  }
  if (outcome.improvement.found.complete) return comparison->failed_verification() ? kFailed : kSuccess;
  session.note(fmt::format("improve: cancelled; the best so far is in {}", options.file));
  return kFailed;
}

// Declares the file that a command writes its schedule to, and the format.
void add_schedule_file(Command& command, std::string& file, std::string& format) {
  command.add_option("-o,--output", file, "FILE", "The schedule file to write: .json or .csv; - is standard output")
      .required();
  add_format(command, format, schedule_formats());
}

}  // namespace

void add_optimize(Command& program) {
  Command command = program.add_command(
      "optimize",
      "Search schedules, with stages and on lanes, and write the fastest: the one that compare calls the best");
  const auto options = command.runs(optimize);
  add_graph(command, options->graph, options->opening);
  add_device(command, options->device);
  add_accurate(command, options->device);
  add_batch(command, options->compare);
  add_options(command, options->compare, use::kOptimize);
  add_options(command, options->job, use::kOptimize);
  add_store(command, options->store, options->job);
  add_replay(command, options->job);
  add_schedule_file(command, options->file, options->format);
  add_json(command, options->json);
}

void add_improve(Command& program) {
  Command command = program.add_command(
      "improve", "Search from a given schedule. Pinned stages do not change, and the result is never worse");
  const auto options = command.runs(improve_command);
  add_graph(command, options->graph, options->opening);
  command.add_option("--schedule", options->schedule, "FILE|NAME",
                     "The start: a schedule file, sequential, one-by-one or greedy. Default: the schedule in GRAPH");
  command.add_option("--pin", options->pin, "STAGES",
                     "Stages of the start that do not change, numbered from 1, such as 2,5-7. Default: none");
  add_device(command, options->device);
  add_batch(command, options->compare);
  add_options(command, options->compare, use::kImprove);
  add_options(command, options->job, use::kImprove);
  add_store(command, options->store, options->job);
  add_schedule_file(command, options->file, options->format);
  add_json(command, options->json);
}

}  // namespace iosx::cli
