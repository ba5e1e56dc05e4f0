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

Result<Graph> network_to_search(std::string_view name) {
  auto graph = zoo_network(name);
  if (!graph) return graph;
  return prepare(*graph, SearchOptions{});
}

int validate_command(const ValidateArguments& options, Session& session) {
  auto v100 = open_device(session, "tesla-v100");
  if (!v100) return session.fail(v100.error().error, v100.error().exit_code);
  auto k80 = open_device(session, "tesla-k80");
  if (!k80) return session.fail(k80.error().error, k80.error().exit_code);

  const JobContext job = session.job();
  const auto validation =
      validate(network_to_search, **v100, **k80, ValidationOptions{.searches = !options.without_searches}, job);
  if (!validation) return session.fail(validation.error());
  session.print(options.json ? validation_json(*validation) : validation_table(*validation));
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
