#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "app/cli/options.h"
#include "core/base/printable.h"
#include "core/documents/pytorch/export.h"

namespace iosx::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ExportArguments {
  std::string graph;
  OpeningFlags opening;
  std::string schedule;  // as of run
  std::string folder;
  bool json = false;
};

Exit export_pytorch(const ExportArguments& options, Session& session) {
  IOS_TRY(auto document, open_graph_argument(session, options.graph, options.opening));
  IOS_TRY(const auto opened, open_schedule(document, options.graph, options.schedule));
  const Graph& graph = *document.graph;
  const Schedule& schedule = opened.given.schedule;
  const auto at_once = session.at_once("writing the package");
  IOS_TRY(auto barrier_free, barrier_free_plan_of(session, graph, opened));
  const std::size_t lanes = barrier_free ? barrier_free->lane_count() : 0;
  IOS_TRY(pytorch::write_package(
      graph, schedule, options.folder,
      {.notes = opened.notes, .outputs = output_names(document), .barrier_free = std::move(barrier_free)}));
  if (!document.batched) {
    session.note("this model runs with a batch of 1 only, in the package too");
  }
  if (options.json) {
    session.print(Json{{"graph", graph.name()},
                       {"schedule", schedule.name},
                       {"stages", schedule.stages.size()},
                       {"lanes", lanes},
                       {"output", options.folder}});
  } else {
    session.print(fmt::format(
        "wrote {}: {}, {}, as a PyTorch module; its README.md says how to use it, its check.py checks it\n",
        options.folder, printable(graph.name()),
        lanes > 0 ? fmt::format("kernels of {} on {} lanes without barriers", printable(schedule.name), lanes)
                  : fmt::format("schedule {} of {} stages", printable(schedule.name), schedule.stages.size())));
  }
  return kSuccess;
}

}  // namespace

void add_export_pytorch(Command& program) {
  Command command = program.add_command(
      "export-pytorch",
      "Write a network with its weights and a schedule as a Python package that runs the schedule in PyTorch, on CUDA "
      "streams");
  auto options = std::make_shared<ExportArguments>();
  add_graph(command, options->graph, options->opening);
  command
      .add_option("--schedule", options->schedule,
                  "A schedule file, sequential, one-by-one or greedy; without it the schedule in GRAPH")
      .type_name("FILE");
  command.add_option("-o,--output", options->folder, "The folder to write: a new one, or that of an earlier export")
      .required()
      .type_name("FOLDER");
  add_json(command, options->json);
  command.runs([options](Session& session) { return export_pytorch(*options, session); });
}

}  // namespace iosx::cli
