#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "app/cli/options.h"
#include "core/search/count_parts.h"
#include "core/search/prepare.h"
#include "core/tables/render.h"

namespace iosx::cli {
namespace {

using Json = nlohmann::ordered_json;

struct CountArguments {
  std::string graph;
  OpeningFlags opening;
  CompareOptions compare;
  bool json = false;
};

struct PartLine {
  std::optional<std::size_t> index;  // none of the sum
  PartCount count;
};

Table parts_table(const PartCounts& counted) {
  std::vector<PartLine> lines;
  PartLine sum;
  for (const PartCount& part : counted.parts) {
    lines.push_back({lines.size(), part});
    sum.count.space.states += part.space.states;
    sum.count.space.transitions += part.space.transitions;
    sum.count.space.stages += part.space.stages;
  }
  const auto number = [](const char* id, auto value_of) {
    return Column<PartLine>{{.id = id, .title = in_english(id), .kind = ColumnKind::kCount},
                            [value_of](const PartLine& line) { return Cell{count_value(value_of(line.count))}; }};
  };
  // The parts of such a column do not add up to the whole, so the sum is empty.
  const auto of_a_part = [](const char* id, auto value_of) {
    return Column<PartLine>{
        {.id = id, .title = in_english(id), .kind = ColumnKind::kCount},
        [value_of](const PartLine& line) { return line.index ? Cell{value_of(line.count)} : Cell{}; }};
  };
  const std::vector<Column<PartLine>> columns{
      {{.id = "index", .title = in_english("part"), .kind = ColumnKind::kCount},
       [](const PartLine& line) {
         if (!line.index) return Cell{.value = {}, .mark = in_english("sum")};
         return Cell{.value = count_value(*line.index), .shown = verbatim(std::to_string(*line.index + 1))};
       }},
      of_a_part("units", [](const PartCount& count) { return count_value(count.units); }),
      of_a_part("width", [](const PartCount& count) { return count_value(count.width); }),
      number("states", [](const PartCount& count) { return count.space.states; }),
      number("transitions", [](const PartCount& count) { return count.space.transitions; }),
      number("stages", [](const PartCount& count) { return count.space.stages; }),
      of_a_part("schedules", [](const PartCount& count) { return CellValue(verbatim(count.space.schedules)); })};
  return table_of(columns, lines, {sum});
}

Json counted_json(const PartCounts& counted, const Graph& graph, const CountArguments& options) {
  return Json{{"graph", graph.name()},
              {"ending_rule", word_of(options.compare.search.rule)},
              {"r", options.compare.search.pruning.r},
              {"s", options.compare.search.pruning.s},
              {"complete", counted.complete},
              {"parts", table_json(parts_table(counted))},
              {"seconds", counted.elapsed.count()}};
}

std::string counted_text(const PartCounts& counted, const Graph& graph, const CountArguments& options) {
  const auto limit = [](std::size_t n) { return n == 0 ? std::string("unlimited") : fmt::format("{}", n); };
  const SearchOptions& search = options.compare.search;
  return fmt::format("{}: search space, ending rule {}, r {}, s {}\n\n{}\n{:.3f} s\n", graph.name(),
                     word_of(search.rule), limit(search.pruning.r), limit(search.pruning.s),
                     table_text(parts_table(counted)), counted.elapsed.count());
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
  Command command = program.add_command("count", "Count the states, transitions, stages and schedules of each part");
  auto options = std::make_shared<CountArguments>();
  add_graph(command, options->graph, options->opening);
  add_options(command, options->compare, use::kCount);
  add_json(command, options->json);
  command.runs([options](Session& session) { return count_command(*options, session); });
}

}  // namespace iosx::cli
