#include "core/analysis/validate/validate.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "app/cli/options.h"
#include "core/search/prepare.h"
#include "models/networks/zoo.h"

namespace iosx::cli {
namespace {

struct ValidateArguments {
  bool without_searches = false;
  bool json = false;
};

Exit validate_command(const ValidateArguments& options, Session& session) {
  ValidateRequest request{.networks = {}, .options = {.searches = !options.without_searches}};
  for (const std::string_view name : kValidatedNetworks) {
    IOS_TRY(const auto graph, zoo_network(name));
    IOS_TRY(auto parts, prepare(graph, SearchOptions{}));
    request.networks.emplace(name, std::make_shared<const Graph>(std::move(parts)));
  }
  IOS_TRY(const auto validation, workbench_of(session).run(request, session.job(), hooks_of(session)));
  session.print(options.json ? validation_json(validation) : validation_table(validation));
  return kSuccess;
}

}  // namespace

void add_validate(Command& program) {
  Command command =
      program.add_command("validate", "Compare the simulated V100 and K80 with the latencies published for IOS");
  auto options = std::make_shared<ValidateArguments>();
  command.add_flag("--without-searches", options->without_searches, "Only what needs no search (seconds)");
  add_json(command, options->json);
  command.runs([options](Session& session) { return validate_command(*options, session); });
}

}  // namespace iosx::cli
