#include "core/analysis/validate/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "app/cli/options.h"
#include "core/analysis/validate/operators.h"
#include "core/base/json/text_file.h"
#include "core/search/prepare.h"
#include "models/devices/embedded_devices.h"
#include "models/devices/simulated_devices.h"
#include "models/networks/zoo.h"

namespace iosx::cli {
namespace {

struct ValidateArguments {
  bool without_searches = false;
  std::vector<std::string> operators;
  std::optional<std::string> plots;
  bool json = false;
};

// The place of the tables beside the sources; without them operators are skipped.
constexpr std::array kReferenceTables{"../shared/reference/gpu_operators/convolutions.csv",
                                      "../shared/reference/gpu_operators/matrix_products.csv",
                                      "../shared/reference/gpu_operators/elementwise.csv"};

Result<std::vector<MeasuredOperator>> measured_operators(std::vector<std::string> files) {
  if (files.empty()) {
    for (const std::string file : kReferenceTables) {
      if (std::filesystem::exists(file)) files.push_back(file);
    }
  }
  std::vector<MeasuredOperator> all;
  for (const std::string& file : files) {
    IOS_TRY(const auto text, read_text_file(file));
    IOS_TRY(auto table, read_operators(text, file));
    std::ranges::move(table, std::back_inserter(all));
  }
  return all;
}

// Writes a drawing of each kind of operators that there are: FOLDER/operators-conv.svg, …
Result<void> write_plots(Session& session, const std::string& folder, const OperatorValidation& validation) {
  for (const MeasuredKind kind : {MeasuredKind::kConvolution, MeasuredKind::kMatrix, MeasuredKind::kStream,
                                  MeasuredKind::kRows, MeasuredKind::kPool, MeasuredKind::kLaunches}) {
    if (std::ranges::find(validation.pairs, kind, &OperatorPair::kind) == validation.pairs.end()) continue;
    const std::filesystem::path file = std::filesystem::path(folder) / fmt::format("operators-{}.svg", name_of(kind));
    IOS_TRY(write_output(session, file.string(), operators_svg(validation, kind)));
  }
  return {};
}

Exit validate_command(const ValidateArguments& options, Session& session) {
  ValidateRequest request{.networks = {}, .options = {.searches = !options.without_searches}};
  for (const std::string_view name : kValidatedNetworks) {
    IOS_TRY(const auto graph, zoo_network(name));
    IOS_TRY(auto parts, prepare(graph, SearchOptions{}));
    request.networks.emplace(name, std::make_shared<const Graph>(std::move(parts)));
  }
  IOS_TRY(request.operators, measured_operators(options.operators));
  request.simulated = simulated_descriptions();
  IOS_TRY(request.recorded, parse_recorded(embedded_launches().json, std::string(embedded_launches().file)));
  IOS_TRY(request.captured, simulated::parse_captured(embedded_captured().json, std::string(embedded_captured().file)));
  IOS_TRY(const auto validation, workbench_of(session).run(request, session.job(), hooks_of(session)));
  if (options.plots) IOS_TRY(write_plots(session, *options.plots, validation.operators));
  session.print(options.json ? validation_json(validation) : validation_table(validation));
  return kSuccess;
}

}  // namespace

void add_validate(Command& program) {
  Command command =
      program.add_command("validate", "Compare simulated devices with published latencies and measured operators");
  const auto options = command.runs(validate_command);
  command.add_flag("--without-searches", options->without_searches,
                   "Skip the comparisons that need a search, to finish in seconds");
  command.add_option(
      "--operators", options->operators, "",
      "Tables of measured operators (CSV; gpu_launch_bench --csv writes one) instead of the tables in the source tree");
  command.add_option("--plots", options->plots, "",
                     "A folder for drawings (SVG) that compare simulated and measured operators");
  add_json(command, options->json);
}

}  // namespace iosx::cli
