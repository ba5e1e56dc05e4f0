#include "core/analysis/experiment/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "app/cli/options.h"
#include "app/devices/all_devices.h"
#include "core/analysis/compare/compare.h"
#include "core/base/text.h"
#include "core/documents/report/output_file.h"
#include "core/tables/render.h"

namespace iosx::cli {
namespace {

struct SweepArguments : NetworkArguments {
  std::string vary = "batch";
  std::string op;
  std::vector<std::string> values;
  std::string csv;
};

Result<OperatorId> operator_of(const Graph& graph, const Sweep& sweep, const std::string& name) {
  if (!row_of(sweep.parameter).of_operator) {
    if (name.empty()) return OperatorId();
    return fail(message("'{}' does not apply to one operator", row_of(sweep.parameter).id), "--operator",
                message("leave it out"));
  }
  if (name.empty()) {
    return fail(message("'{}' applies to one operator", row_of(sweep.parameter).id), "--operator",
                message("name the operator; iosx inspect lists the operators"));
  }
  const auto op = graph.find_operator(name);
  if (op) return *op;
  return fail(message("the network has no operator '{}'", name), "--operator",
              message("iosx inspect lists the operators"));
}

Result<std::vector<std::int64_t>> values_of(const SweepArguments& arguments, const DeviceRegistry& devices,
                                            Sweep& sweep) {
  if (arguments.values.empty()) return usual_values(sweep);
  std::vector<std::int64_t> values;
  const Bounds<std::int64_t> bounds = row_of(sweep.parameter).bounds;
  for (auto at = arguments.values.begin(); at != arguments.values.end(); ++at) {
    const std::string& word = *at;
    if (std::find(arguments.values.begin(), at, word) != at) {
      return fail(message("'{}' is given twice", word), "--values", message("give each once"));
    }
    if (sweep.parameter == SweepParameter::kDevice) {
      if (devices.find(word) == nullptr) {
        const Error error = devices.open(word).error();
        return fail(error.what, "--values", error.remedy);
      }
      values.push_back(std::ssize(sweep.base.devices));
      sweep.base.devices.push_back(word);
      continue;
    }
    const auto value = read_number<std::int64_t>(word);
    if (!value || !bounds.hold(*value)) {
      return fail(message("'{}' is not a valid value", word), "--values",
                  message("give whole numbers from {} to {}, separated by commas", bounds.least, bounds.most));
    }
    values.push_back(*value);
  }
  return values;
}

Exit sweep_command(SweepArguments& arguments, Session& session) {
  IOS_TRY(settled(arguments.compare));
  const auto parameter = parse_sweep_parameter(arguments.vary);
  if (!parameter) return wrong_usage(parameter.error().what, "--vary", parameter.error().remedy);
  IOS_TRY(auto document, open_graph_argument(session, arguments.graph, arguments.opening, &arguments.compare.batch));

  Sweep sweep{.parameter = *parameter};
  SweepBase& base = sweep.base;
  base.graph = document.graph;
  base.options = arguments.compare;
  base.options.schedule_kinds = {ScheduleKind::kSequential, ScheduleKind::kGreedy, ScheduleKind::kIosBoth};
  if (!arguments.job.schedules.empty()) {
    IOS_TRY(base.options.schedule_kinds, usage(schedule_kinds_of(arguments.job)));
  }
  for (const ScheduleKind kind : base.options.schedule_kinds) {
    if (!row_of(kind).given()) continue;
    return wrong_usage(message("'{}' is a schedule for one graph only", row_of(kind).id),
                       info_of(&JobOptions::schedules).flag(),
                       message("choose sequential, one-by-one, greedy or a search"));
  }
  IOS_TRY(sweep.op, usage(operator_of(*base.graph, sweep, arguments.op)));
  if (row_of(*parameter).of_operator && present_value(sweep) == 0) {
    return wrong_usage(message("'{}' has no {}", arguments.op, row_of(*parameter).axis), "--operator");
  }
  IOS_TRY(base.device, choose_device(session, arguments.device));
  if (*parameter == SweepParameter::kDevice && arguments.values.empty()) base.devices = paper_devices();
  IOS_TRY(const auto values, usage(values_of(arguments, session.devices(), sweep)));
  if (!arguments.csv.empty()) {
    IOS_TRY(or_another_file(check_output(arguments.csv, {arguments.graph}, beside_json(arguments.json)), "--csv"));
  }

  IOS_TRY(const auto outcome, workbench_of(session, arguments.store)
                                  .run(SweepRequest{.sweep = sweep, .values = values, .anew = arguments.job.anew},
                                       session.job(), hooks_of(session)));
  const std::vector<SweepPoint>& points = outcome.points;
  Result<void> written;  // the result is shown all the same
  if (!arguments.csv.empty()) {
    written = or_another_file(write_output(session, arguments.csv, table_csv(sweep_list(sweep, points))), "--csv");
  }
  if (arguments.json) {
    session.print(sweep_json(sweep, points));
  } else if (arguments.csv != kStandardOutput) {
    session.print(sweep_table_text(sweep, points));
  }
  IOS_TRY(written);
  if (points.size() == values.size()) {
    if (std::ranges::any_of(points, [](const SweepPoint& point) { return point.problem.empty(); })) return kSuccess;
    session.note("sweep: no value could be run");
    return kFailed;
  }
  session.note("sweep: cancelled; the finished results are shown");
  return kFailed;
}

}  // namespace

void add_sweep(Command& program) {
  Command command = program.add_command(
      "sweep",
      "Vary one parameter (batch size, device, limit or tensor size) and compare the latencies of the schedules");
  const auto arguments = command.runs(sweep_command);
  add_graph(command, arguments->graph, arguments->opening);
  std::string ids;
  for (const SweepParameterRow& row : sweep_table()) ids += (ids.empty() ? "" : ", ") + std::string(row.id);
  command.add_option("--vary", arguments->vary, "WHAT", "The parameter to vary: " + ids).show_default();
  command.add_option("--operator", arguments->op, "NAME", "The operator whose channels or kernel vary");
  command.add_list(
      "--values", arguments->values, "V,…",
      "Values to try, separated by commas; for devices, their ids. Default: common values around the current one");
  add_device(command, arguments->device);
  add_batch(command, arguments->compare);
  add_schedules(command, arguments->job);
  add_options(command, arguments->compare, use::kSweep);
  add_store(command, arguments->store, arguments->job);
  command.add_option("--csv", arguments->csv, "FILE", "Also write a CSV file with one line per value and schedule");
  add_json(command, arguments->json);
}

}  // namespace iosx::cli
