#include "core/formats/scheduled_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/check.h"
#include "core/model/graph/builder.h"
#include "core/model/layout/kernel_weights.h"
#include "core/model/plan/operator_steps.h"
#include "core/model/schedule/merge.h"

namespace iosx {
namespace {

// Units hide outputs of their operators that nothing reads; alone such an operator would be an output.
std::vector<bool> needed_by_outputs(const Graph& graph) {
  std::vector<bool> needed(graph.operators().size(), false);
  for (const UnitId unit : graph.outputs()) needed[graph.unit(unit).output().index()] = true;
  for (std::size_t i = needed.size(); i-- > 0;) {
    if (!needed[i]) continue;
    for (const Value& value : graph.operators()[i].inputs) needed[value.producer.index()] = true;
  }
  return needed;
}

class ScheduledGraphMaker {
 public:
  explicit ScheduledGraphMaker(const Graph& graph)
      : graph_(graph), builder_(graph.name()), needed_(needed_by_outputs(graph)), made_(graph.operators().size()) {}

  Result<ScheduledGraph> run(const std::vector<OperatorStep>& steps) && {
    for (std::size_t i = 0; i < graph_.operators().size(); ++i) {
      if (graph_.operators()[i].is_source()) copy(OperatorId(i), {});
    }
    for (const OperatorStep& step : steps) {
      if (step.merged) {
        merge_layers(step);
        continue;
      }
      for (const OperatorId id : step.operators) {
        if (needed_[id.index()]) copy(id, step);
      }
    }
    IOS_TRY(auto graph, std::move(builder_).build());
    return ScheduledGraph{std::move(graph), std::move(stages_), std::move(lanes_)};
  }

 private:
  void enter_network(const Operator& op) {
    if (op.network.valid()) builder_.set_network(graph_.networks()[op.network.index()]);
  }

  void note(const OperatorStep& step) {
    stages_.push_back(step.stage);
    lanes_.push_back(step.lane);
  }

  Value new_value(const Value& old) const {
    const Value& all = made_[old.producer.index()];
    return Value{all.producer, all.begin + old.begin, all.begin + old.end};
  }

  // Inputs of a concatenation that are side by side in a merged layer are read as one.
  std::vector<Value> new_values(const Operator& op) const {
    const auto* const concat = op.as<Concat>();
    const bool joins = concat != nullptr && concat->axis == 0;
    std::vector<Value> values;
    for (const Value& old : op.inputs) {
      const Value value = new_value(old);
      if (joins && !values.empty() && values.back().producer == value.producer && values.back().end == value.begin) {
        values.back().end = value.end;
      } else {
        values.push_back(value);
      }
    }
    return values;
  }

  void copy(OperatorId id, const OperatorStep& step) {
    const Operator& op = graph_.op(id);
    enter_network(op);
    made_[id.index()] = builder_.add_copy(graph_, id, op.name, new_values(op));
    note(step);
  }

  void merge_layers(const OperatorStep& step) {
    std::vector<UnitId> units;
    std::string name;
    for (const OperatorId id : step.operators) {
      units.push_back(graph_.op(id).unit);
      name += (name.empty() ? "" : "+") + graph_.op(id).name;
    }
    while (graph_.find_operator(name)) name += '_';
    const auto merged = merge(graph_, units);
    IOS_CHECK(merged);  // the plan says so
    enter_network(graph_.op(step.operators.front()));
    const Value whole = builder_.add(std::move(name), merged->attributes, {new_value(merged->input)});
    note(step);
    set_parameters(whole, *merged, step.operators);
    for (const MergedSource& source : merged->sources) split(whole, *merged, source, step);
  }

  void set_parameters(const Value& whole, const MergedLayer& merged, const std::vector<OperatorId>& layers) {
    const Parameters& parameters = *graph_.parameters();
    const auto* const conv = std::get_if<Conv>(&merged.attributes);
    Tensor weights = conv != nullptr ? conv_weights(parameters, layers, *conv, merged.input.channels())
                                     : linear_weights(parameters, layers);
    const bool biased = std::ranges::any_of(layers, [&](OperatorId id) { return parameters.has_bias(id); });
    builder_.set_parameters(whole, std::move(weights), biased ? joined_bias(parameters, layers) : Tensor());
  }

  // Splits a merged layer's output for one layer: channels, which others read directly, or places along another
  // axis.
  void split(const Value& whole, const MergedLayer& merged, const MergedSource& source, const OperatorStep& step) {
    const Operator& op = graph_.op(source.op);
    Value& place = made_[source.op.index()];
    if (!needed_[source.op.index()]) return;
    if (merged.axis == 0) {
      place = Value{whole.producer, source.channel_begin, source.channel_end};
      if (!graph_.consumers(source.op).empty()) return;
      place = builder_.add(op.name, Identity{}, {place});
    } else {
      std::vector<std::int64_t> begins(op.output.rank(), 0);
      begins[merged.axis] = source.channel_begin;
      const std::vector<std::int64_t> steps(op.output.rank(), 1);
      place = builder_.add(op.name, Slice{std::move(begins), steps, op.output}, {whole});
    }
    note(step);
  }

  const Graph& graph_;
  GraphBuilder builder_;
  std::vector<bool> needed_;  // by operator
  std::vector<Value> made_;   // by operator of the graph: where its output is
  std::vector<std::size_t> stages_;
  std::vector<std::size_t> lanes_;
};

}  // namespace

Result<ScheduledGraph> scheduled_graph(const Graph& graph, const ExecutionPlan& plan) {
  return ScheduledGraphMaker(graph).run(operator_steps(graph, plan));
}

}  // namespace iosx
