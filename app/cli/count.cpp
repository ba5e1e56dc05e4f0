#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "app/cli/options.h"
#include "core/search/prepare.h"
#include "core/search/state_space.h"

namespace iosx::cli {
namespace {

using Json = nlohmann::ordered_json;

struct CountArguments {
  std::string graph;
  OpeningFlags opening;
  SearchFlags search;
  bool json = false;
};

// Counting keeps some 100 bytes a state and nothing a transition; its time is the user's to cancel.
constexpr SpaceBudget kBudget{.states = 50'000'000, .transitions = std::size_t{1} << 50};

struct PartCount {
  std::size_t index = 0;
  std::size_t units = 0;
  std::size_t width = 0;
  SpaceCount space;
};

struct Counted {
  std::vector<PartCount> parts;
  bool complete = true;  // false: cancelled
  Seconds elapsed{0};
};

Error too_large(const Graph& graph, std::size_t part, SpaceRefusal refusal) {
  const bool states = refusal == SpaceRefusal::kTooManyStates;
  return Error{
      message("has more than {} {}", states ? kBudget.states : kBudget.transitions, states ? "states" : "transitions"),
      fmt::format("{}: part {} of {} units", graph.name(), part + 1, graph.parts()[part].units.size()),
      message("lower -r, -s or --max-part-size")};
}

Result<Counted> count_parts(const Graph& graph, const SearchOptions& options, const JobContext& job) {
  const auto start = std::chrono::steady_clock::now();
  Counted counted;
  for (std::size_t p = 0; p < graph.parts().size(); ++p) {
    job.report(message("counting parts"), static_cast<std::int64_t>(p),
               static_cast<std::int64_t>(graph.parts().size()));
    const PartGraph part(graph, graph.parts()[p].units);
    auto space = count(part, options.rule, options.pruning, kBudget, job.stop);
    if (!space && space.error() != SpaceRefusal::kStopped) {
      return tl::unexpected(too_large(graph, p, space.error()));
    }
    counted.complete = space.has_value();
    if (!counted.complete) break;
    counted.parts.push_back({p, part.size(), part.width(), std::move(*space)});
  }
  counted.elapsed = std::chrono::steady_clock::now() - start;
  return counted;
}

Json counted_json(const Counted& counted, const Graph& graph, const CountArguments& options) {
  Json parts = Json::array();
  for (const PartCount& part : counted.parts) {
    parts.push_back({{"index", part.index},
                     {"units", part.units},
                     {"width", part.width},
                     {"states", part.space.states},
                     {"transitions", part.space.transitions},
                     {"stages", part.space.stages},
                     {"schedules", part.space.schedules}});
  }
  return Json{{"graph", graph.name()},
              {"ending_rule", options.search.rule},
              {"r", options.search.r},
              {"s", options.search.s},
              {"complete", counted.complete},
              {"parts", std::move(parts)},
              {"seconds", counted.elapsed.count()}};
}

std::string counted_text(const Counted& counted, const Graph& graph, const CountArguments& options) {
  const auto limit = [](std::size_t n) { return n == 0 ? std::string("unlimited") : fmt::format("{}", n); };
  std::string text = fmt::format("{}: search space, ending rule {}, r {}, s {}\n\n", graph.name(), options.search.rule,
                                 limit(options.search.r), limit(options.search.s));
  const auto row = [&](auto part, auto units, auto width, auto states, auto transitions, auto stages, auto schedules) {
    text += fmt::format("{:>5}  {:>5}  {:>5}  {:>10}  {:>12}  {:>10}  {:>24}\n", part, units, width, states,
                        transitions, stages, schedules);
  };
  row("part", "units", "width", "states", "transitions", "stages", "schedules");
  SpaceCount sum;
  for (const PartCount& part : counted.parts) {
    row(part.index + 1, part.units, part.width, part.space.states, part.space.transitions, part.space.stages,
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
  const SearchOptions search = options.search.search_options();
  IOS_TRY(const Graph graph,  // cut as optimize cuts it
          prepare(*document.graph, search, options.search.max_part_size, kPartBudget, session.job()));
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
  add_space(command, options->search);
  add_json(command, options->json);
  command.runs([options](Session& session) { return count_command(*options, session); });
}

}  // namespace iosx::cli
