#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/base/json/json_view.h"
#include "core/formats/ios/ios_format.h"
#include "core/model/schedule/legality.h"
#include "core/model/schedule/schedule_table.h"

namespace iosx {
namespace {

// Makes the schedule block by block, so that errors can name their place in the file. Block b became part b.
class ScheduleMaker {
 public:
  ScheduleMaker(const IosDocument& document, const Graph& graph, const std::string& origin)
      : document_(document), graph_(graph), errors_(origin), done_(graph.units().size(), 0) {
    for (std::size_t u = 0; u < graph.units().size(); ++u) units_.emplace(graph.units()[u].name, UnitId(u));
  }

  Result<Schedule> run() {
    schedule_.name = row_of(ScheduleKind::kFile).id;
    for (std::size_t b = 0; b < document_.blocks.size() && !errors_.error(); ++b) add_block(b);
    if (errors_.error()) return tl::unexpected(*errors_.error());
    return std::move(schedule_);
  }

 private:
  void add_block(std::size_t b) {
    const IosBlock& block = document_.blocks[b];
    for (std::size_t s = 0; s < block.stages.size() && !errors_.error(); ++s) {
      add_stage(block.stages[s], PartId(b), fmt::format("{}.stages[{}]", block.place, s));
    }
    for (const UnitId unit : graph_.part(PartId(b)).units) {
      if (done_[unit.index()] == 0) {
        errors_.report(block.place + ".stages", message("no stage runs {}", in_quotes(graph_.unit(unit).name)),
                       message("name it in one stage, or remove the stages of all blocks"));
      }
    }
  }

  void add_stage(const IosStage& groups, PartId part, const std::string& place) {
    Stage stage;
    const std::size_t first_step = next_step_;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      Group group;
      const std::size_t first_in_group = next_step_;
      for (std::size_t i = 0; i < groups[g].size(); ++i) {
        const std::string step_place = fmt::format("{}[{}][{}]", place, g, i);
        const auto unit = find(groups[g][i], part, step_place);
        if (!unit) return;
        // Runs after every earlier stage and, of its own stage, after what its group has done.
        check_ready(*unit, first_step, first_in_group, step_place);
        done_[unit->index()] = next_step_++;
        group.steps.push_back(Step{{*unit}});
      }
      stage.groups.push_back(std::move(group));
    }
    schedule_.stages.push_back(std::move(stage));
  }

  std::optional<UnitId> find(const std::string& name, PartId part, const std::string& place) {
    const auto found = units_.find(name);
    if (found == units_.end()) {
      const auto op = graph_.find_operator(name);
      const bool inner = op && !graph_.op(*op).is_input();
      errors_.report(place, message("there is no unit {}", in_quotes(name)),
                     inner ? message("it is inside {}", in_quotes(graph_.unit(graph_.op(*op).unit).name))
                           : message("a stage can name only operators of its block"));
      return std::nullopt;
    }
    if (graph_.unit(found->second).part != part) {
      errors_.report(place, message("{} belongs to another block", in_quotes(name)),
                     message("a stage can name only operators of its own block"));
      return std::nullopt;
    }
    if (done_[found->second.index()] != 0) {
      errors_.report(place, message("{} is in a stage already", in_quotes(name)), message("every operator runs once"));
      return std::nullopt;
    }
    return found->second;
  }

  void check_ready(UnitId unit, std::size_t first_step, std::size_t first_in_group, const std::string& place) {
    for (const UnitId from : graph_.predecessors(unit)) {
      const std::size_t step = done_[from.index()];
      if (step != 0 && (step < first_step || step >= first_in_group)) continue;
      errors_.report(place,
                     message("{} reads {}, which has not run yet", in_quotes(graph_.unit(unit).name),
                             in_quotes(graph_.unit(from).name)),
                     message("put what it reads into an earlier stage, or before it in the same group"));
    }
  }

  const IosDocument& document_;
  const Graph& graph_;
  FirstError errors_;
  std::unordered_map<std::string_view, UnitId> units_;
  std::vector<std::size_t> done_;  // the step at which a unit runs, from 1; 0: not yet
  std::size_t next_step_ = 1;
  Schedule schedule_;
};

}  // namespace

Result<std::optional<Schedule>> to_schedule(const IosDocument& document, const Graph& graph,
                                            const std::string& origin) {
  const auto unscheduled = [](const IosBlock& block) { return block.stages.empty(); };
  if (std::all_of(document.blocks.begin(), document.blocks.end(), unscheduled)) return std::nullopt;
  IOS_TRY(auto schedule, ScheduleMaker(document, graph, origin).run());
  if (auto legal = check_legal(graph, schedule); !legal) {
    Error error = legal.error();
    error.where = error.where.empty() ? origin : origin + ": " + error.where;
    return tl::unexpected(std::move(error));
  }
  return std::optional<Schedule>(std::move(schedule));
}

}  // namespace iosx
