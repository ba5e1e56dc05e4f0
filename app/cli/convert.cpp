#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "app/cli/options.h"
#include "app/cli/schedule_format.h"
#include "core/base/printable.h"
#include "core/documents/report/output_file.h"
#include "core/formats/document.h"
#include "core/formats/file_kind.h"
#include "core/formats/onnx/write/export.h"
#include "core/formats/onnx/write/kept_open.h"
#include "core/formats/schedule_file.h"
#include "core/model/schedule/baselines.h"
#include "models/open_graph.h"

namespace iosx::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ConvertArguments {
  std::string input;
  std::string output;
  std::string graph;
  OpeningFlags opening;
  std::string format;
  std::optional<std::int64_t> batch;
  bool json = false;

  bool to_onnx() const { return format == "onnx" || (format.empty() && output.ends_with(".onnx")); }
};

struct Loaded {
  std::shared_ptr<const Graph> graph;
  Schedule schedule;
  ScheduleNotes notes;
  FileInterface file = {};  // of the network; empty where its file says no more than the graph
  bool from_schedule_file = false;
  std::optional<LaneSchedule> lanes = {};
};

tl::expected<Loaded, Failure> load_with_graph(const ConvertArguments& options, Session& session) {
  const std::string graph = options.graph.empty() ? graph_of_schedule_file(options.input) : options.graph;
  auto document = open_graph_argument(session, graph, options.opening);
  if (!document) {
    Error error = std::move(document.error().error);
    if (options.graph.empty() && !error.where.starts_with("--")) {
      error = Error{message("is a schedule of '{}', which is not a built-in network", graph), options.input,
                    message("give its graph with --graph FILE")};
    }
    return tl::unexpected(Failure{std::move(error), options.graph.empty() ? kUsage : document.error().exit_code});
  }
  IOS_TRY(auto file, load_schedule(options.input, *document->graph));
  return Loaded{document->graph,      std::move(file.schedule), std::move(file.notes), document->file, true,
                std::move(file.lanes)};
}

tl::expected<Loaded, Failure> load(const ConvertArguments& options, Session& session) {
  const auto at_once = session.at_once("reading the schedule");
  if (file_kind(options.input) == FileKind::kSchedule) return load_with_graph(options, session);
  IOS_TRY(auto document, open_graph_argument(session, options.input, options.opening));
  Schedule schedule = document.schedule ? *document.schedule : one_by_one_schedule(*document.graph);
  FileInterface file = std::move(document.file);
  if (options.to_onnx() && !file.open.empty()) {
    file =
        onnx_import::kept_open(*document.graph, file, [&](const InputSizes& sizes) -> Result<onnx_import::SizedModel> {
          IOS_TRY(auto again, open_graph(options.input, sizes));
          return onnx_import::SizedModel{*again.graph, std::move(again.file)};
        });
  }
  return Loaded{document.graph, std::move(schedule), {}, std::move(file)};
}

// Writes the graph with its weights: an ONNX model has no place for a schedule.
Exit export_onnx(const Loaded& loaded, const ConvertArguments& options, Session& session) {
  const Graph& graph = *loaded.graph;
  const auto at_once = session.at_once("writing the network");
  const onnx_import::OnnxExportOptions written{.batch = options.batch, .file = loaded.file};
  IOS_TRY(onnx_import::write_onnx(graph, options.output, written));
  const auto batch = onnx_import::exported_batch(graph, written);
  if (options.json) {
    session.print(Json{{"input", options.input},
                       {"output", options.output},
                       {"format", "onnx"},
                       {"graph", graph.name()},
                       {"batch", batch ? Json(*batch) : Json(nullptr)},
                       {"operators", graph.operators().size()}});
  } else {
    session.print(fmt::format("wrote {}: {} with its weights, batch {}, format onnx\n", options.output,
                              printable(graph.name()), batch ? fmt::to_string(*batch) : "open"));
  }
  return kSuccess;
}

Exit convert(const ConvertArguments& options, Session& session) {
  if (options.batch && !options.to_onnx()) {
    return session.fail(Error{message("only an ONNX model has a batch size"), "--batch", message("leave it out")},
                        kUsage);
  }
  IOS_TRY(auto loaded, load(options, session));
  const bool prints = options.json || options.to_onnx();  // one onto the other, or bytes on a terminal
  const auto standard_output = prints ? StandardOutput::kNotPossible : StandardOutput::kPossible;
  IOS_TRY(check_output(options.output, {options.input, options.graph}, standard_output));
  if (options.to_onnx()) return export_onnx(loaded, options, session);
  const auto known_format = format_of(options.format, options.output);
  if (!known_format) {
    return session.fail({known_format.error().what, known_format.error().where,
                         message("use .json, .csv or .onnx, or choose with --format iosx|ios|csv|onnx")},
                        kUsage);
  }
  ScheduleFormat format = *known_format;
  if (loaded.from_schedule_file && options.format.empty() && format == ScheduleFormat::kIosx) {
    format = ScheduleFormat::kIos;
  }
  const auto at_once = session.at_once("writing the schedule");
  IOS_TRY(const auto text, format_schedule(*loaded.graph, loaded.schedule, loaded.notes, format, loaded.lanes));
  IOS_TRY(write_output(session, options.output, text));
  if (options.output == kStandardOutput) return kSuccess;
  if (options.json) {
    session.print(Json{{"input", options.input},
                       {"output", options.output},
                       {"format", format_name(format)},
                       {"graph", loaded.graph->name()},
                       {"schedule", loaded.schedule.name},
                       {"stages", loaded.schedule.stages.size()}});
  } else {
    session.print(fmt::format("wrote {}: {}, schedule {} of {} stages, format {}\n", options.output,
                              printable(loaded.graph->name()), printable(loaded.schedule.name),
                              loaded.schedule.stages.size(), format_name(format)));
  }
  return kSuccess;
}

}  // namespace

void add_convert(Command& program) {
  Command command = program.add_command(
      "convert",
      "Convert the original's JSON (graph and schedule) into our schedule file, or back; either into CSV; or any "
      "graph with its weights into an ONNX model");
  auto options = std::make_shared<ConvertArguments>();
  command.add_option("IN", options->input, "A graph file, a built-in network, or a schedule file of ours")
      .required()
      .type_name("FILE");
  command.add_option("OUT,-o,--output", options->output, "The file to write; - is standard output")
      .required()
      .type_name("FILE");
  command.add_option("--graph", options->graph, "The graph of a schedule file, if it is not a built-in network")
      .type_name("NAME|FILE");
  add_sizes(command, options->opening);
  add_finer_units(command, options->opening);
  command
      .add_option("--format", options->format,
                  "iosx: our schedule file; ios: the original's JSON, graph included; csv: a table of stages; onnx: "
                  "the graph and its weights. Without it the extension decides: .csv, .onnx, or .json for iosx")
      .check(one_of({"iosx", "ios", "csv", "onnx"}))
      .type_name("iosx|ios|csv|onnx");
  command
      .add_option("--batch", options->batch,
                  "Batch size of an ONNX model; without it as in the file, and open where there is none")
      .check(whole_number(1, 1 << 20, "a batch size"))
      .type_name("N");
  add_json(command, options->json);
  command.runs([options](Session& session) { return convert(*options, session); });
}

}  // namespace iosx::cli
