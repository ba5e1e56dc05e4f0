#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <queue>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/base/json/json_view.h"
#include "core/formats/ios/ios_format.h"
#include "core/model/graph/builder.h"
#include "core/model/schedule/schedule.h"
#include "core/model/schedule/schedule_table.h"

namespace iosx {
namespace {

// The owner of a name in the file.
struct Owner {
  const IosNode* unit = nullptr;
  bool is_input = false;
  std::size_t block = 0;
  std::size_t node = 0;   // the unit's index in its block
  std::size_t inner = 0;  // index inside a sequential
  bool is_inner = false;
};

// The format knows only channels x height x width.
Shape feature_map(const Shape& shape) { return {shape.channels(), shape.height(), shape.width()}; }

class GraphMaker {
 public:
  GraphMaker(const IosDocument& document, const std::string& origin)
      : document_(document), errors_(origin), builder_(document.name) {}

  Result<Graph> run() {
    index_names();
    if (!errors_.error()) values_[document_.input.name] = add_input();
    for (std::size_t b = 0; b < document_.blocks.size() && !errors_.error(); ++b) add_block(b);
    if (errors_.error()) return tl::unexpected(*errors_.error());
    return std::move(builder_).build();
  }

 private:
  void index_name(const IosNode& node, const Owner& owner) {
    const auto [place, inserted] = names_.try_emplace(node.name, owner);
    if (inserted) return;
    const IosNode& first =
        place->second.is_inner ? place->second.unit->nodes[place->second.inner] : *place->second.unit;
    errors_.report(node.place, message("the name {} is used twice, first at {}", in_quotes(node.name), first.place),
                   message("give every operator its own name"));
  }

  void index_names() {
    index_name(document_.input, Owner{&document_.input, true, 0, 0, 0, false});
    for (std::size_t b = 0; b < document_.blocks.size(); ++b) {
      const auto& nodes = document_.blocks[b].nodes;
      for (std::size_t n = 0; n < nodes.size(); ++n) {
        index_name(nodes[n], Owner{&nodes[n], false, b, n, 0, false});
        for (std::size_t i = 0; i < nodes[n].nodes.size(); ++i) {
          const IosNode& inner = nodes[n].nodes[i];
          const bool is_output = i + 1 == nodes[n].nodes.size();
          if (is_output && inner.name == nodes[n].name) continue;
          index_name(inner, Owner{&nodes[n], false, b, n, i, true});
        }
      }
    }
  }

  Value add_input() {
    const Value value = builder_.input(document_.input.name, *document_.input.output_shape);
    take_error(document_.input);
    return value;
  }

  // Moves the builder's error, which knows operator names only, to the node's place in the file.
  void take_error(const IosNode& node) {
    if (!builder_.error()) return;
    const Error& error = *builder_.error();
    const bool own = error.where.empty() || error.where == node.name;
    errors_.report(node.place, own ? error.what : message("{}: {}", in_quotes(error.where), error.what), error.remedy);
  }

  void add_block(std::size_t b) {
    const IosBlock& block = document_.blocks[b];
    if (block.enter) check_enter(*block.enter, b);
    builder_.begin_part(fmt::format("block {}", b + 1));
    for (const std::size_t n : order(b)) {
      add_unit(block.nodes[n]);
      if (errors_.error()) return;
    }
  }

  void check_enter(const IosNode& enter, std::size_t b) {
    const auto found = names_.find(enter.name);
    if (found == names_.end() || found->second.is_inner || (!found->second.is_input && found->second.block >= b)) {
      errors_.report(enter.place, message("enter_node {} is not a node of an earlier block", in_quotes(enter.name)),
                     message("the enter_node of a block must be the network's input or an earlier exit_node"));
    } else if (!agree(enter, *found->second.unit)) {
      errors_.report(enter.place,
                     message("enter_node differs from the node {} that it repeats, at {}", in_quotes(enter.name),
                             found->second.unit->place),
                     message("make both the same"));
    }
  }

  // Reports what cannot be read from inside node n of block b; otherwise adds the units of the same block to `needs`.
  void resolve(const IosNode& reader, std::size_t b, std::size_t n, std::size_t inner,
               std::vector<std::size_t>& needs) {
    for (const IosTerm& term : reader.inputs) {
      for (const IosValue& value : term) {
        const auto found = names_.find(value.producer);
        if (found == names_.end()) {
          errors_.report(reader.place, message("reads {}, which does not exist", in_quotes(value.producer)),
                         message("correct the name or add the operator"));
          return;
        }
        const Owner& owner = found->second;
        const bool own_unit = !owner.is_input && owner.block == b && owner.node == n;
        if (owner.is_inner && !own_unit) {
          errors_.report(
              reader.place,
              message("reads {} from the inside of {}", in_quotes(value.producer), in_quotes(owner.unit->name)),
              message("only the whole unit can be read: write {}", in_quotes(owner.unit->name)));
        } else if (owner.is_inner && owner.inner >= inner) {
          errors_.report(
              reader.place,
              message("reads {}, which does not come before it in its sequential", in_quotes(value.producer)),
              message("the operators of a sequential run in the order in which they are written"));
        } else if (!owner.is_input && owner.block > b) {
          errors_.report(reader.place,
                         message("reads {}, which is computed in a later block, at {}", in_quotes(value.producer),
                                 owner.unit->place),
                         message("blocks run one after another"));
        } else if (!owner.is_input && !owner.is_inner && owner.block == b) {
          needs.push_back(owner.node);
        }
      }
    }
  }

  // Returns the block's nodes in topological order, which is the file's order where that is one already.
  std::vector<std::size_t> order(std::size_t b) {
    const auto& nodes = document_.blocks[b].nodes;
    std::vector<std::vector<std::size_t>> needs(nodes.size());
    std::vector<std::vector<std::size_t>> readers(nodes.size());
    std::vector<std::size_t> missing(nodes.size(), 0);
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      resolve(nodes[n], b, n, 0, needs[n]);
      for (std::size_t i = 0; i < nodes[n].nodes.size(); ++i) resolve(nodes[n].nodes[i], b, n, i, needs[n]);
      std::sort(needs[n].begin(), needs[n].end());
      needs[n].erase(std::unique(needs[n].begin(), needs[n].end()), needs[n].end());
      for (const std::size_t from : needs[n]) readers[from].push_back(n);
      missing[n] = needs[n].size();
    }
    if (errors_.error()) return {};

    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      if (missing[n] == 0) ready.push(n);
    }
    std::vector<std::size_t> sorted;
    while (!ready.empty()) {
      sorted.push_back(ready.top());
      ready.pop();
      for (const std::size_t reader : readers[sorted.back()]) {
        if (--missing[reader] == 0) ready.push(reader);
      }
    }
    if (sorted.size() < nodes.size()) report_cycle(nodes, needs, missing);
    return sorted;
  }

  // Walks from an unsortable node along such producers, until one repeats. The cycle is reported in the direction of
  // the data, from its first node in the file on.
  void report_cycle(const std::vector<IosNode>& nodes, const std::vector<std::vector<std::size_t>>& needs,
                    const std::vector<std::size_t>& missing) {
    std::size_t at = 0;
    while (missing[at] == 0) ++at;
    std::vector<std::size_t> path;
    std::vector<bool> seen(nodes.size(), false);
    while (!seen[at]) {
      seen[at] = true;
      path.push_back(at);
      at = *std::find_if(needs[at].begin(), needs[at].end(), [&](std::size_t from) { return missing[from] > 0; });
    }
    path.erase(path.begin(), std::find(path.begin(), path.end(), at));
    std::reverse(path.begin(), path.end());
    std::rotate(path.begin(), std::min_element(path.begin(), path.end()), path.end());
    constexpr std::size_t kMostNames = 8;
    std::string names;
    for (std::size_t i = 0; i < std::min(path.size(), kMostNames); ++i) {
      names += (i > 0 ? " → " : "") + in_quotes(nodes[path[i]].name);
    }
    if (path.size() > kMostNames) names += fmt::format(" → … ({} operators)", path.size());
    errors_.report(
        nodes[path.front()].place,
        message("operators depend on one another in a cycle: {} → {}", names, in_quotes(nodes[path.front()].name)),
        message("an operator must not need its own output"));
  }

  void add_unit(const IosNode& node) {
    const bool hint = node.hint_name != node.name && (node.sequential() || merged_from(node).empty());
    builder_.begin_unit(node.name, hint ? node.hint_name : std::string{});
    for (const IosNode& inner : node.nodes) {
      add_operator(inner);
      if (errors_.error()) return;
    }
    if (!node.sequential()) add_operator(node);
    if (errors_.error()) return;
    values_[node.name] = builder_.end_unit();
    check_shape(node, values_[node.name]);
  }

  static std::vector<std::string> merged_from(const IosNode& node) {
    const auto* conv = std::get_if<Conv>(&node.attributes);
    return conv == nullptr ? std::vector<std::string>{} : conv->merged_from;
  }

  void add_operator(const IosNode& node) {
    const Value value = std::holds_alternative<Identity>(node.attributes) ? add_identity(node) : add_other(node);
    values_[node.name] = value;
    take_error(node);
    if (!errors_.error()) check_shape(node, value);
  }

  std::vector<Value> read(const IosTerm& term) const {
    std::vector<Value> values;
    for (const IosValue& value : term) {
      values.push_back(Value{values_.at(value.producer).producer, value.begin, value.end});
    }
    return values;
  }

  // Adds the sums that long terms stand for; one value per term.
  std::vector<Value> add_terms(const IosNode& node) {
    std::vector<Value> operands;
    std::size_t sums = 0;
    for (const IosTerm& term : node.inputs) {
      std::vector<Value> values = read(term);
      if (values.size() == 1) {
        operands.push_back(values.front());
        continue;
      }
      const std::string suffix = node.inputs.size() == 1 ? ".add" : fmt::format(".add{}", ++sums);
      operands.push_back(builder_.add(free_name(node.name + suffix), Add{}, std::move(values)));
    }
    return operands;
  }

  Value add_identity(const IosNode& node) {
    if (node.inputs.size() > 1) return builder_.add(node.name, Concat{}, add_terms(node));
    std::vector<Value> values = read(node.inputs.front());
    if (values.size() > 1) return builder_.add(node.name, Add{}, std::move(values));
    return builder_.add(node.name, Identity{}, std::move(values));
  }

  Value add_other(const IosNode& node) {
    std::vector<Value> operands = add_terms(node);
    const bool element = std::holds_alternative<Add>(node.attributes) || std::holds_alternative<Mul>(node.attributes);
    if (!element && operands.size() > 1) {
      operands = {builder_.add(free_name(node.name + ".concat"), Concat{}, std::move(operands))};
    }
    return builder_.add(node.name, node.attributes, std::move(operands));
  }

  // The name, made longer while an operator of the file has it.
  std::string free_name(std::string name) const {
    while (names_.contains(name)) name += '_';
    return name;
  }

  void check_shape(const IosNode& node, const Value& value) {
    const Shape inferred = builder_.shape(value);
    if (builder_.error() || !node.output_shape || *node.output_shape == feature_map(inferred)) return;
    errors_.report(node.place,
                   message("output_shape is declared as [{}], but its inputs and attributes give [{}]",
                           fmt::join(node.output_shape->dims(), ", "), fmt::join(feature_map(inferred).dims(), ", ")),
                   message("correct the wrong one, or omit output_shape"));
  }

  const IosDocument& document_;
  FirstError errors_;
  GraphBuilder builder_;
  std::unordered_map<std::string, Owner> names_;
  std::unordered_map<std::string, Value> values_;  // the whole output of a unit or of an inner node
};

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

Result<Graph> to_graph(const IosDocument& document, const std::string& origin) {
  return GraphMaker(document, origin).run();
}

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
