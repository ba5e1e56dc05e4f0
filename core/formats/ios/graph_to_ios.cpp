#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/formats/ios/ios_format.h"
#include "core/formats/ios/unit_to_ios.h"
#include "core/model/graph/shape_inference.h"
#include "core/model/schedule/legality.h"
#include "core/model/schedule/merge.h"

namespace iosx {
namespace {

// The units [first, last) that become one block.
struct BlockRange {
  std::size_t first = 0;
  std::size_t last = 0;
};

class DocumentMaker {
 public:
  DocumentMaker(const Graph& graph, const Schedule& schedule)
      : graph_(graph), schedule_(schedule), stage_of_(graph.units().size(), 0), merged_(graph.units().size()) {}

  Result<IosDocument> run() {
    IOS_TRY(check_legal(graph_, schedule_));
    if (graph_.inputs().size() != 1) {
      return fail(message("the network has {} inputs; this file format has exactly one", graph_.inputs().size()),
                  graph_.name(), message("save the schedule alone, as iosx-schedule JSON or CSV"));
    }
    for (std::size_t u = 0; u < graph_.units().size(); ++u) places_.push_back({graph_.units()[u].name, 0});
    IOS_TRY(place_stages());

    const Operator& input = graph_.op(graph_.inputs().front());
    document_.name = graph_.name();
    document_.input = IosNode{input.name, input.name, input.attributes, {}, {}, input.output, {}};
    for (const BlockRange& range : blocks()) {
      IOS_TRY(add_block(range));
    }
    return std::move(document_);
  }

 private:
  Result<void> place_stages() {
    for (std::size_t s = 0; s < schedule_.stages.size(); ++s) {
      for (const Group& group : schedule_.stages[s].groups) {
        for (const Step& step : group.steps) {
          for (const UnitId unit : step.units) stage_of_[unit.index()] = s;
          if (!step.merged()) continue;
          if (auto ok = place_merged(step); !ok) return ok;
        }
      }
    }
    return {};
  }

  // A linear layer is the convolution that it equals.
  Result<Attributes> attributes_in_file(const MergedLayer& merged) const {
    if (std::holds_alternative<Conv>(merged.attributes)) return merged.attributes;
    for (const MergedSource& source : merged.sources) {
      const Unit& unit = graph_.unit(source.unit);
      if (unit.operators.size() == 1) continue;
      return fail(message("the unit has more than the merged linear layer, which this file format cannot express"),
                  unit.name, message("save the schedule alone, as iosx-schedule JSON or CSV"));
    }
    IOS_TRY(const IosNode first, unit_to_ios(graph_, merged.sources.front().unit, places_));
    Conv conv = std::get<Conv>(first.attributes);
    conv.out_channels = std::get<Linear>(merged.attributes).out_features;
    return conv;
  }

  // The merged layer takes the name of its first source and the place of the earliest one: all read the same.
  Result<void> place_merged(const Step& step) {
    const auto merged = merge(graph_, step.units);
    IOS_CHECK(merged.has_value());  // the schedule is legal
    const Unit& first = graph_.unit(step.units.front());
    IOS_TRY(const Attributes attributes, attributes_in_file(*merged));
    IosNode node{first.name, {}, attributes, {}, {}, merged->output, {}};
    std::vector<std::string> names;
    for (const MergedSource& source : merged->sources) {
      const auto* conv = graph_.op(source.op).as<Conv>();
      if (conv == nullptr || conv->merged_from.empty()) {
        names.push_back(graph_.unit(source.unit).name);
      } else {
        names.insert(names.end(), conv->merged_from.begin(), conv->merged_from.end());
      }
      places_[source.unit.index()] = {first.name, source.channel_begin};
    }
    for (const std::string& name : names) {
      if (name.find_first_of(" \t\r\n\v\f") == std::string::npos) continue;
      return fail(
          message("the name of a merged layer has a space, but this file format separates such names by spaces"), name,
          message("rename it, or save the schedule alone"));
    }
    node.hint_name = fmt::format("{}", fmt::join(names, " "));
    const UnitId place = *std::min_element(step.units.begin(), step.units.end());
    for (const UnitId unit : step.units)
      merged_[unit.index()] = Merged{place, merged->input, unit == place ? node : IosNode{}};
    return {};
  }

  // Parts are joined until every block reads only the exit of the block before it, and runs wholly after that block.
  std::vector<BlockRange> blocks() {
    const auto cuts = crossings();
    std::vector<BlockRange> ranges{{0, 0}};
    std::size_t latest_stage = 0;
    for (std::size_t u = 0; u < graph_.units().size(); ++u) {
      latest_stage = std::max(latest_stage, stage_of_[u]);
      ranges.back().last = u + 1;
      if (u + 1 == graph_.units().size() || graph_.units()[u].part == graph_.units()[u + 1].part) continue;
      const bool own_exit = cuts[u].count == 1 && cuts[u].unit.valid() && cuts[u].unit.index() >= ranges.back().first;
      if (!own_exit || earliest_stage_from(u + 1) <= latest_stage) continue;
      exits_.push_back(cuts[u].unit);
      ranges.push_back({u + 1, u + 1});
    }
    exits_.emplace_back();
    return ranges;
  }

  // What later units read from all units up to and including one: the number of tensors, and the unit of the last one
  // (invalid: the network's input).
  struct Crossing {
    std::size_t count = 0;
    UnitId unit;
  };

  std::vector<Crossing> crossings() const {
    const std::size_t units = graph_.units().size();
    std::vector<Crossing> cuts(units);
    std::vector<std::vector<UnitId>> ends(units);  // tensors that are read last at this unit
    std::vector<UnitId> live;
    const auto last_reader = [&](OperatorId id, std::size_t made) {
      std::size_t last = made;
      for (const OperatorId reader : graph_.consumers(id)) last = std::max(last, graph_.op(reader).unit.index());
      return last;
    };
    live.emplace_back();
    ends[last_reader(graph_.inputs().front(), 0)].emplace_back();
    for (std::size_t u = 0; u < units; ++u) {
      const std::size_t last = last_reader(graph_.units()[u].output(), u);
      live.emplace_back(u);
      ends[last].emplace_back(u);
      for (const UnitId ended : ends[u]) live.erase(std::find(live.begin(), live.end(), ended));
      cuts[u] = {live.size(), live.empty() ? UnitId{} : live.back()};
    }
    return cuts;
  }

  std::size_t earliest_stage_from(std::size_t unit) {
    if (earliest_.empty()) {
      earliest_ = stage_of_;
      for (std::size_t u = earliest_.size() - 1; u-- > 0;) earliest_[u] = std::min(earliest_[u], earliest_[u + 1]);
    }
    return earliest_[unit];
  }

  Result<void> add_block(const BlockRange& range) {
    const UnitId exit_unit = exits_[document_.blocks.size()];
    IosBlock block;
    block.enter = document_.blocks.empty() ? document_.input : document_.blocks.back().nodes.back();
    std::optional<IosNode> exit;
    for (std::size_t u = range.first; u < range.last; ++u) {
      IOS_TRY(auto node, node_of(UnitId(u)));
      if (node.name.empty()) continue;  // merged into an earlier one
      const bool is_exit = exit_unit.valid() && node.name == places_[exit_unit.index()].node;
      if (is_exit) {
        exit = std::move(node);
      } else {
        block.nodes.push_back(std::move(node));
      }
    }
    if (exit) block.nodes.push_back(*std::move(exit));
    while (next_stage_ < schedule_.stages.size() && belongs(schedule_.stages[next_stage_], range)) {
      block.stages.push_back(stage_names(schedule_.stages[next_stage_++]));
    }
    document_.blocks.push_back(std::move(block));
    return {};
  }

  Result<IosNode> node_of(UnitId id) const {
    const auto& merged = merged_[id.index()];
    if (!merged) return unit_to_ios(graph_, id, places_);
    IosNode node = merged->node;
    if (merged->place == id) node.inputs = {{value_in_file(graph_, merged->input, places_)}};
    return node;
  }

  static bool belongs(const Stage& stage, const BlockRange& range) {
    return stage.groups.front().steps.front().units.front().index() < range.last;
  }

  IosStage stage_names(const Stage& stage) const {
    IosStage groups;
    for (const Group& group : stage.groups) {
      IosGroup names;
      for (const Step& step : group.steps) names.push_back(graph_.unit(step.units.front()).name);
      groups.push_back(std::move(names));
    }
    return groups;
  }

  struct Merged {
    UnitId place;  // the unit in whose place the merged layer stands
    Value input;
    IosNode node;  // without a name for the other units
  };

  const Graph& graph_;
  const Schedule& schedule_;
  std::vector<std::size_t> stage_of_;          // by unit
  std::vector<std::optional<Merged>> merged_;  // by unit
  std::vector<UnitPlace> places_;              // by unit
  std::vector<std::size_t> earliest_;          // the earliest stage of a unit or of any after it
  std::vector<UnitId> exits_;                  // by block; invalid: the last unit
  std::size_t next_stage_ = 0;
  IosDocument document_;
};

}  // namespace

Result<IosDocument> to_ios_document(const Graph& graph, const Schedule& schedule) {
  return DocumentMaker(graph, schedule).run();
}

}  // namespace iosx
