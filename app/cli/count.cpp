#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "app/cli/options.h"
#include "core/search/count_parts.h"
#include "core/search/prepare.h"

namespace iosx::cli {
namespace {

using Json = nlohmann::ordered_json;

struct CountArguments {
  std::string graph;
  OpeningFlags opening;
  CompareOptions compare;
  bool json = false;
};

Json counted_json(const PartCounts& counted, const Graph& graph, const CountArguments& options) {
  Json parts = Json::array();
  for (const PartCount& part : counted.parts) {
    parts.push_back({{"index", parts.size()},
                     {"units", part.units},
                     {"width", part.width},
                     {"states", part.space.states},
                     {"transitions", part.space.transitions},
                     {"stages", part.space.stages},
                     {"schedules", part.space.schedules}});
  }
  return Json{{"graph", graph.name()},
              {"ending_rule", word_of(options.compare.search.rule)},
              {"r", options.compare.search.pruning.r},
              {"s", options.compare.search.pruning.s},
              {"complete", counted.complete},
              {"parts", std::move(parts)},
              {"seconds", counted.elapsed.count()}};
}

std::string counted_text(const PartCounts& counted, const Graph& graph, const CountArguments& options) {
  const auto limit = [](std::size_t n) { return n == 0 ? std::string("unlimited") : fmt::format("{}", n); };
  const SearchOptions& search = options.compare.search;
  std::string text = fmt::format("{}: search space, ending rule {}, r {}, s {}\n\n", graph.name(), word_of(search.rule),
                                 limit(search.pruning.r), limit(search.pruning.s));
  const auto row = [&](auto part, auto units, auto width, auto states, auto transitions, auto stages, auto schedules) {
    text += fmt::format("{:>5}  {:>5}  {:>5}  {:>10}  {:>12}  {:>10}  {:>24}\n", part, units, width, states,
                        transitions, stages, schedules);
  };
  row("part", "units", "width", "states", "transitions", "stages", "schedules");
  SpaceCount sum;
  for (std::size_t p = 0; p < counted.parts.size(); ++p) {
    const PartCount& part = counted.parts[p];
    row(p + 1, part.units, part.width, part.space.states, part.space.transitions, part.space.stages,
        part.space.schedules);
    sum.states += part.space.states;
    sum.transitions += part.space.transitions;
    sum.stages += part.space.stages;
  }
  row("sum", "", "", sum.states, sum.transitions, sum.stages, "");
  return text + fmt::format("\n{:.3f} s\n", counted.elapsed.count());
}

Exit count_command(const CountArguments& options, Session& session) {
  IOS_TRY(auto document, open_graph_argument(session, options.graph, options.opening));
  const SearchOptions& search = options.compare.search;
  IOS_TRY(const Graph graph,  // cut as optimize cuts it
          prepare(*document.graph, search, options.compare.max_part_size, kPartBudget, session.job()));
  IOS_TRY(const auto counted, count_parts(graph, search, session.job()));
  if (options.json) {
    session.print(counted_json(counted, graph, options));
  } else {
    session.print(counted_text(counted, graph, options));
  }
  if (counted.complete) return kSuccess;
  session.note(fmt::format("count: cancelled after {} of {} parts", counted.parts.size(), graph.parts().size()));
  return kFailed;
}

}  // namespace

void add_count(Command& program) {
  Command command = program.add_command("count", "Count states, transitions, stages and schedules, part by part");
  auto options = std::make_shared<CountArguments>();
  add_graph(command, options->graph, options->opening);
  add_options(command, options->compare, use::kCount);
  add_json(command, options->json);
  command.runs([options](Session& session) { return count_command(*options, session); });
}

}  // namespace iosx::cli
