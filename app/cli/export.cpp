#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "app/cli/options.h"
#include "core/analysis/compare/compare_options.h"
#include "core/base/text.h"
#include "core/documents/exports/exports.h"
#include "core/documents/report/comparison_files.h"
#include "core/documents/report/output_file.h"
#include "core/documents/run_file/run_file.h"
#include "core/formats/file_kind.h"
#include "core/formats/onnx/write/export.h"
#include "core/model/schedule/baselines.h"
#include "models/open_graph.h"

namespace iosx::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ExportArguments {
  std::string format;
  std::string input;  // a network, a schedule file or a run
  std::string graph;  // of a schedule file
  std::string schedule;
  std::string default_schedule;  // where that is empty and the network's file has none; empty: that is an error
  OpeningFlags opening;
  std::string output;
  std::optional<std::int64_t> batch;
  std::string streams;
  std::string streams_on;
  bool json = false;
};

// Returns the network whose schedule the input is.
tl::expected<Document, Failure> open_graph_of_schedule(const ExportArguments& options, Session& session) {
  const std::string graph = options.graph.empty() ? graph_of_schedule_file(options.input) : options.graph;
  auto document = open_graph_argument(session, graph, options.opening);
  if (document) return document;
  Error error = std::move(document.error().error);
  if (options.graph.empty() && !error.where.starts_with("--")) {
    error = Error{message("is a schedule of '{}', which is not a built-in network", graph), options.input,
                  message("give its graph with --graph FILE")};
  }
  return tl::unexpected(Failure{std::move(error), options.graph.empty() ? kUsage : document.error().exit_code});
}

bool has_schedule(const ExportFormat& format) {
  return format.needs == ExportNeeds::kSchedule || format.needs == ExportNeeds::kPlan;
}

// Reads a schedule of the run by its id, or the best one.
tl::expected<ExportSource, Failure> source_of_run(const ExportFormat& format, const ExportArguments& options) {
  IOS_TRY(auto opened, open_run(options.input));
  const auto run = std::make_shared<const Run>(std::move(opened));
  const Comparison& comparison = run->comparison;
  const bool weights = format.needs == ExportNeeds::kNetwork || format.needs == ExportNeeds::kPlan;
  if (weights && run->own_weights) {
    return wrong_usage(message("has no weights: a run file does not contain the weights of the network"), options.input,
                       message("give {} and --schedule FILE", run->network.source));
  }
  const ScheduleResult* result = &comparison.results[comparison.best()];
  if (!options.schedule.empty()) result = comparison.find(ScheduleId(options.schedule));
  if (result == nullptr) {
    std::vector<std::string> ids;
    for (const ScheduleResult& each : comparison.results) ids.push_back(each.id.text());
    return wrong_usage(message("the run has no such schedule"), "--schedule " + options.schedule,
                       message("it has {}", fmt::format("{}", fmt::join(ids, ", "))));
  }
  if (has_schedule(format) && options.schedule.empty() && !comparison.fits(*result)) {
    Error none{message("no schedule fits the limit"), options.input, message("choose one with --schedule")};
    return tl::unexpected(Failure{std::move(none), kFailed});
  }
  return ExportSource{.graph = run->network.graph,
                      .schedule = result->named(),
                      .notes = notes_of(comparison, *result),
                      .lanes = result->lanes,
                      .plan = result->plan,
                      .run = run};
}

// Refuses options that mean nothing for this input and format.
tl::expected<void, Failure> check_used(const ExportFormat& format, const ExportArguments& options, FileKind kind) {
  const bool is_schedule = kind == FileKind::kSchedule;
  const bool opens = kind != FileKind::kRun && format.needs != ExportNeeds::kRun;
  const OpeningFlags& opening = options.opening;
  struct Row {
    const char* flag;
    bool given;
    bool used;
    const char* with;
  };
  for (const Row& row : {Row{"--graph", !options.graph.empty(), opens && is_schedule, "a schedule file"},
                         Row{"--schedule", !options.schedule.empty(), has_schedule(format) && !is_schedule,
                             "a network or a run, and a format of schedules"},
                         Row{"--shape", !opening.shapes.empty(), opens, "a network or a schedule file"},
                         Row{"--dim", !opening.dims.empty(), opens, "a network or a schedule file"},
                         Row{"--finer-units", opening.finer_units, opens, "a network or a schedule file"}}) {
    if (!row.given || row.used) continue;
    return wrong_usage(message("does not apply here: it is for {}", row.with), row.flag, message("leave it out"));
  }
  return {};
}

// Reads what the format needs: a run, a schedule file with its network, or a network with the schedule that is named.
tl::expected<ExportSource, Failure> source_of(const ExportFormat& format, const ExportArguments& options,
                                              Session& session) {
  const auto at_once = session.at_once("reading");
  const FileKind kind = file_kind(options.input);
  IOS_TRY(check_used(format, options, kind));
  if (kind == FileKind::kRun) return source_of_run(format, options);
  if (format.needs == ExportNeeds::kRun) {
    return wrong_usage(message("is not a run file"), options.input,
                       message("give a run file: iosx compare --save FILE.iosrun writes one"));
  }
  const bool is_schedule = kind == FileKind::kSchedule;
  IOS_TRY(auto document, is_schedule ? open_graph_of_schedule(options, session)
                                     : open_graph_argument(session, options.input, options.opening));
  ExportSource source{.graph = document.graph, .file = document.file, .outputs = output_names(document)};
  if (format.needs == ExportNeeds::kNetwork) {
    if (!is_schedule && !source.file.open.empty()) {
      source.file = onnx_import::kept_open(*source.graph, source.file,
                                           [&](const InputSizes& sizes) -> Result<onnx_import::SizedModel> {
                                             IOS_TRY(auto again, open_graph(options.input, sizes));
                                             return onnx_import::SizedModel{*again.graph, std::move(again.file)};
                                           });
    }
    return source;
  }
  std::string schedule = is_schedule ? options.input : options.schedule;
  if (schedule.empty() && !document.schedule) schedule = options.default_schedule;
  IOS_TRY(auto opened, open_schedule(document, options.input, schedule));
  if (format.needs == ExportNeeds::kPlan) {
    if (!document.batched) session.note("this model runs only with batch size 1; the export has the same limit");
    IOS_TRY(source.plan, plan_of(session, *source.graph, opened));
    const DeviceInfo* const device = device_of(session, opened);
    source.on_processor = device != nullptr && device->threads > 0;
  }
  source.schedule = std::move(opened.given.schedule);
  source.lanes = std::move(opened.given.lanes);
  source.notes = std::move(opened.notes);
  return source;
}

std::size_t lane_count(const LaneSchedule& lanes) {
  std::size_t count = 0;
  for (const LaneSchedule::Launch& launch : lanes.launches) count = std::max(count, launch.lane + 1);
  return count;
}

// Says what was written, in members for programs.
Json export_json(const ExportFormat& format, const ExportSource& source, const ExportArguments& options) {
  Json json{
      {"input", options.input}, {"output", options.output}, {"format", format.id}, {"graph", source.graph->name()}};
  if (format.needs == ExportNeeds::kNetwork) {
    const auto batch = onnx_import::exported_batch(*source.graph, {.batch = source.batch, .file = source.file});
    json["batch"] = batch ? Json(*batch) : Json(nullptr);
    json["operators"] = source.graph->operators().size();
  }
  if (has_schedule(format)) {
    json["schedule"] = source.schedule.name;
    json["stages"] = source.schedule.stages.size();
    if (source.lanes || source.plan) {
      json["lanes"] = source.lanes ? lane_count(*source.lanes) : source.plan->lane_count();
      json["barriers"] = !source.lanes;
    }
  }
  if (source.streams) json["streams"] = options.streams;
  return json;
}

// Says the same in a line for people.
std::string sentence_of(const ExportFormat& format, const ExportSource& source, const ExportArguments& options) {
  std::string text = fmt::format("wrote {}: {}", options.output, printable(source.graph->name()));
  if (format.needs == ExportNeeds::kNetwork) {
    const auto batch = onnx_import::exported_batch(*source.graph, {.batch = source.batch, .file = source.file});
    text += fmt::format(" with its weights, batch {}", batch ? fmt::to_string(*batch) : "open");
  } else if (format.needs != ExportNeeds::kRun && source.lanes) {
    text += fmt::format(", schedule {} on {} lanes without barriers", printable(source.schedule.name),
                        lane_count(*source.lanes));
  } else if (format.needs != ExportNeeds::kRun) {
    text += fmt::format(", schedule {} of {} stages", printable(source.schedule.name), source.schedule.stages.size());
  }
  text += fmt::format(", format {}\n", format.id);
  if (!format.next.empty()) text += fmt::format(fmt::runtime(format.next), options.output) + '\n';
  if (source.streams) {
    text += fmt::format(
        "wrote {}: streams for ONNX Runtime (session.node_partition_config_file); with ORT_DISABLE_ALL they always "
        "match the model\n",
        options.streams);
  }
  return text;
}

Exit export_command(const ExportFormat& format, const ExportArguments& options, Session& session) {
  ExportSource requested{.batch = options.batch};
  if (!options.streams.empty()) requested.streams = options.streams;
  if (!options.streams_on.empty())
    requested.streams_on = options.streams_on == "cpu" ? StreamsOn::kCpu : StreamsOn::kGpu;
  IOS_TRY(usage(check_export(format, requested)));
  IOS_TRY(auto source, source_of(format, options, session));
  source.batch = requested.batch;
  source.streams = requested.streams;
  source.streams_on = requested.streams_on;
  // One onto the other, or bytes on a terminal.
  const bool text = format.text != nullptr && !options.json;
  const std::initializer_list<std::string_view> inputs{options.input, options.graph, options.schedule};
  if (!format.suffix.empty()) {
    IOS_TRY(check_output(options.output, inputs, text ? StandardOutput::kPossible : StandardOutput::kNotPossible));
  }
  if (source.streams) IOS_TRY(check_output(options.streams, inputs));
  IOS_TRY(check_apart(options.output, options.streams));
  const auto at_once = session.at_once("writing");
  if (options.output == kStandardOutput && text) {
    IOS_TRY(const auto written, export_text(format, source));
    session.print_document(written);
    return kSuccess;
  }
  IOS_TRY(write_export(format, source, options.output));
  if (options.json) {
    session.print(export_json(format, source, options));
  } else {
    session.print(sentence_of(format, source, options));
  }
  return kSuccess;
}

Exit convert(const ExportArguments& options, Session& session) {
  constexpr std::array kNeeds{ExportNeeds::kSchedule, ExportNeeds::kNetwork};
  IOS_TRY(const ExportFormat* format,
          usage(export_format_of(options.format, options.output, export_formats_of(kNeeds))));
  const bool from_schedule = file_kind(options.input) == FileKind::kSchedule;
  // A schedule file is in our own form already.
  if (from_schedule && options.format.empty() && format->id == "iosx") format = find_export("ios");
  return export_command(*format, options, session);
}

void add_streams(Command& command, ExportArguments& options) {
  command.add_option(
      "--streams", options.streams, "FILE",
      "Also write the streams of a scheduled ONNX model for ONNX Runtime, one per lane: the file for the "
      "setting session.node_partition_config_file");
  command
      .add_option(
          "--streams-on", options.streams_on, "cpu|gpu",
          "Device on which ONNX Runtime runs the model. Default: cpu for a schedule that was found on a CPU, else gpu")
      .check(one_of({"cpu", "gpu"}));
}

void add_model_batch(Command& command, ExportArguments& options) {
  command
      .add_option(
          "--batch", options.batch, "N",
          "Batch size of the ONNX model. Default: the batch size in the file, or an open axis if the file has none")
      .check(whole_number(1, kMaxBatch, "a batch size"));
}

void add_schedule(Command& command, ExportArguments& options) {
  command.add_option(
      "--schedule", options.schedule, "FILE|ID",
      "A schedule file, sequential, one-by-one or greedy. Default: the schedule in the network's file. For "
      "a run: the id of one of its schedules. Default: the fastest one");
}

// Declares a command of an earlier version, which help does not list.
void add_alias(Command& program, const std::string& name, const char* format) {
  Command command = program.add_hidden_command(name, fmt::format("The same as iosx export {}", format));
  auto options = std::make_shared<ExportArguments>();
  add_graph(command, options->input, options->opening);
  add_schedule(command, *options);
  command.add_option("-o,--output", options->output, "FILE", "The file or folder to write").required();
  add_streams(command, *options);
  add_json(command, options->json);
  command.runs([options, format](Session& session) { return export_command(*find_export(format), *options, session); });
}

}  // namespace

std::vector<const ExportFormat*> schedule_formats() {
  constexpr std::array kNeeds{ExportNeeds::kSchedule};
  return export_formats_of(kNeeds);
}

void add_format(Command& command, std::string& format, std::span<const ExportFormat* const> formats) {
  std::vector<std::string> ids;
  std::string help;
  for (const ExportFormat* const each : formats) {
    ids.emplace_back(each->id);
    help += fmt::format("{}{}: {}", help.empty() ? "" : "; ", each->id, each->title);
  }
  command
      .add_option("--format", format, fmt::format("{}", fmt::join(ids, "|")),
                  help + ". Default: the format of the output's extension")
      .check(one_of(ids));
}

void add_export(Command& program) {
  Command command =
      program.add_command("export", "Write a network, a schedule or a run in the format of another program");
  auto options = std::make_shared<ExportArguments>();
  std::vector<std::string> ids;
  std::string help = "The format:";
  for (const ExportFormat& each : export_formats()) {
    ids.emplace_back(each.id);
    help += fmt::format("\n{}: {}", each.id, each.summary);
  }
  command.add_option("FORMAT", options->format, "FORMAT", help).required().check(one_of(ids));
  command
      .add_option("IN", options->input, "NAME|FILE",
                  "A built-in network, a graph file, a schedule file, or a run file (see iosx compare --save)")
      .required();
  command
      .add_option("-o,--output", options->output, "FILE", "The file or folder to write; - is standard output, for text")
      .required();
  add_schedule(command, *options);
  command.add_option("--graph", options->graph, "NAME|FILE",
                     "The graph of a schedule file, if it is not a built-in network");
  add_sizes(command, options->opening);
  add_finer_units(command, options->opening);
  add_model_batch(command, *options);
  add_streams(command, *options);
  add_json(command, options->json);
  command.runs(
      [options](Session& session) { return export_command(*find_export(options->format), *options, session); });
  add_alias(program, "export-onnx", "scheduled-onnx");
  add_alias(program, "export-pytorch", "pytorch");
}

void add_convert(Command& program) {
  Command command =
      program.add_command("convert",
                          "Convert the JSON of the original IOS program (graph and schedule) to a schedule file of IOS "
                          "Explorer or back. Convert either to CSV, or any graph with its weights to an ONNX model");
  const auto options = command.runs(convert);
  options->default_schedule = row_of(ScheduleKind::kOneByOne).id;
  command
      .add_option("IN", options->input, "FILE", "A graph file, a built-in network, or a schedule file of IOS Explorer")
      .required();
  command.add_option("OUT,-o,--output", options->output, "FILE", "The file to write; - is standard output").required();
  command.add_option("--graph", options->graph, "NAME|FILE",
                     "The graph of a schedule file, if it is not a built-in network");
  add_sizes(command, options->opening);
  add_finer_units(command, options->opening);
  constexpr std::array kNeeds{ExportNeeds::kSchedule, ExportNeeds::kNetwork};
  add_format(command, options->format, export_formats_of(kNeeds));
  add_model_batch(command, *options);
  add_json(command, options->json);
}

}  // namespace iosx::cli
