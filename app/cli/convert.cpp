#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "app/cli/options.h"
#include "app/cli/schedule_format.h"
#include "core/report/output_file.h"
#include "core/schedule/baselines.h"
#include "models/open_graph.h"

namespace iosx::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string input;
  std::string output;
  std::string graph;
  std::string format;
  bool json = false;
};

struct Loaded {
  std::shared_ptr<const Graph> graph;
  Schedule schedule;
  ScheduleNotes notes;
  bool from_schedule_file = false;
};

tl::expected<Loaded, OpenError> load_with_graph(const Options& options) {
  const std::string graph = options.graph.empty() ? graph_of_schedule_file(options.input) : options.graph;
  auto document = open_graph_argument(graph);
  if (!document) {
    Error error = std::move(document.error().error);
    if (options.graph.empty()) {
      error = Error{fmt::format("is a schedule of '{}', which is not a built-in network", graph), options.input,
                    "give its graph with --graph FILE"};
    }
    return tl::unexpected(OpenError{std::move(error), options.graph.empty() ? kUsage : document.error().exit_code});
  }
  auto file = load_schedule(options.input, *document->graph);
  if (!file) return tl::unexpected(OpenError{std::move(file.error()), kFailed});
  return Loaded{document->graph, std::move(file->schedule), std::move(file->notes), true};
}

tl::expected<Loaded, OpenError> load(const Options& options) {
  if (is_schedule_file(options.input)) return load_with_graph(options);
  auto document = open_graph_argument(options.input);
  if (!document) return tl::unexpected(std::move(document.error()));
  Schedule schedule = document->schedule ? *document->schedule : sequential_schedule(*document->graph);
  return Loaded{document->graph, std::move(schedule), {}, false};
}

int convert(const Options& options, Session& session) {
  auto loaded = load(options);
  if (!loaded) return session.fail(loaded.error().error, loaded.error().exit_code);
  const auto known_format = format_of(options.format, options.output);
  if (!known_format) return session.fail(known_format.error(), kUsage);
  ScheduleFormat format = *known_format;
  if (loaded->from_schedule_file && options.format.empty() && format == ScheduleFormat::kIosx) {
    format = ScheduleFormat::kIos;
  }
  const auto text = format_schedule(*loaded->graph, loaded->schedule, loaded->notes, format);
  if (!text) return session.fail(text.error());
  if (auto written = write_file(options.output, *text); !written) return session.fail(written.error());
  if (options.json) {
    session.print(Json{{"input", options.input},
                       {"output", options.output},
                       {"format", format_name(format)},
                       {"graph", loaded->graph->name()},
                       {"schedule", loaded->schedule.name},
                       {"stages", loaded->schedule.stages.size()}});
  } else {
    session.print(fmt::format("wrote {}: {}, schedule {} of {} stages, format {}\n", options.output,
                              loaded->graph->name(), loaded->schedule.name, loaded->schedule.stages.size(),
                              format_name(format)));
  }
  return kSuccess;
}

}  // namespace

void add_convert(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand(
      "convert",
      "Convert the original's JSON (graph and schedule) into our schedule file, or back; or either into CSV");
  auto options = std::make_shared<Options>();
  command->add_option("IN", options->input, "A graph file, a built-in network, or a schedule file of ours")
      ->required()
      ->type_name("FILE");
  command->add_option("OUT", options->output, "The file to write")->required()->type_name("FILE");
  command->add_option("--graph", options->graph, "The graph of a schedule file, if it is not a built-in network")
      ->type_name("NAME|FILE");
  add_format(*command, options->format);
  add_json(*command, options->json);
  command->callback(
      [&chosen, options] { chosen = [options](Session& session) { return convert(*options, session); }; });
}

}  // namespace iosx::cli
