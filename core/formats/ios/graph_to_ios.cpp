#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "core/base/check.h"
#include "core/formats/ios/ios_format.h"
#include "core/model/graph/operator_table.h"
#include "core/model/graph/shape_inference.h"
#include "core/model/schedule/merge.h"
#include "core/model/schedule/schedule.h"

namespace iosx {
namespace {

constexpr Sentence kNoCounterpart{"no counterpart in this format"};

// The attributes of an operator that the format cannot express; empty if it can express all.
struct Beyond {
  const Graph& graph;
  const Operator& op;

  static Message activation(const Activation& function) {
    const bool known = function == Activation::kIdentity || function == Activation::kRelu ||
                       function == Activation::kSigmoid || function == Activation::kTanh;
    return known ? Message() : message("another activation");
  }

  Message operator()(const OneOf<Input, Identity> auto& /*plain*/) const { return {}; }
  Message operator()(const Conv& conv) const {
    if (conv.dilation != Extent{}) return message("dilation");
    if (conv.end_padding != Extent{0, 0}) return message("uneven padding");
    return activation(conv.activation);
  }
  Message operator()(const Pool& pool) const {
    if (pool.dilation != Extent{}) return message("dilation");
    if (pool.end_padding != Extent{0, 0}) return message("uneven padding");
    const bool padded = pool.padding != Extent{0, 0};
    return pool.kind == PoolKind::kAverage && padded && !pool.count_padding ? message("an average without padding")
                                                                            : Message();
  }
  Message operator()(const Activate& activate) const { return activation(activate.function); }
  Message operator()(const Linear& linear) const {
    return linear.axis == 0 ? activation(linear.activation) : message("axes that it does not change");
  }
  Message operator()(const OneOf<Add, Mul> auto& /*element*/) const {
    const bool one_shape =
        std::ranges::all_of(op.inputs, [&](const Value& value) { return graph.shape(value) == op.output; });
    return one_shape ? Message() : message("inputs of different shapes");
  }
  Message operator()(const Concat& concat) const { return concat.axis == 0 ? Message() : message("another axis"); }
  Message otherwise() const { return kNoCounterpart; }
};

// Where the file keeps a unit's output: in channels of this node's output from `channel_begin` on.
struct UnitPlace {
  std::string node;
  std::int64_t channel_begin = 0;
};

// Returns a value of another unit or of the network's input by its name in the file. `places` is indexed by unit.
IosValue value_in_file(const Graph& graph, const Value& value, const std::vector<UnitPlace>& places) {
  const Operator& producer = graph.op(value.producer);
  if (producer.is_source()) return {producer.name, value.begin, value.end};
  const UnitPlace& place = places[producer.unit.index()];
  return {place.node, place.channel_begin + value.begin, place.channel_begin + value.end};
}

class UnitWriter {
 public:
  UnitWriter(const Graph& graph, UnitId id, const std::vector<UnitPlace>& places)
      : graph_(graph), unit_(graph.unit(id)), id_(id), places_(places) {}

  Result<IosNode> run() {
    if (const auto outputs = graph_.outputs(id_); unit_.whole && outputs.size() > 1)
      return cannot(graph_.op(outputs.front()), message("an output that is not its unit's last one"));
    for (const OperatorId op : unit_.operators) {
      if (can_fold(op)) folded_.insert(op);
    }
    std::vector<IosNode> nodes;
    for (const OperatorId op : unit_.operators) {
      if (folded_.contains(op)) continue;
      auto node = node_of(op);
      if (!node) return node;
      nodes.push_back(*std::move(node));
    }
    const std::string& hint = unit_.hint.empty() ? unit_.name : unit_.hint;
    if (nodes.size() == 1) {
      IosNode& only = nodes.front();
      if (only.hint_name == only.name) only.hint_name = hint;
      only.name = unit_.name;
      return std::move(only);
    }
    const Shape shape = graph_.op(unit_.output()).output;
    return IosNode{unit_.name, hint, Identity{}, {}, std::move(nodes), shape, {}};
  }

 private:
  template <typename Kind>
  bool is(OperatorId id) const {
    return graph_.op(id).as<Kind>() != nullptr;
  }
  bool folded(const Value& value) const { return folded_.contains(value.producer); }

  bool reads_concatenated(OperatorId id) const {
    return is<Conv>(id) || is<Pool>(id) || is<Activate>(id) || is<Linear>(id);
  }

  // Returns whether it is a sum or concatenation that exactly one input of exactly one operator of the unit reads
  // whole, and that this input can express as terms. It is called in order, so that the operator's inputs are decided.
  bool can_fold(OperatorId id) const {
    if (id == unit_.output() || graph_.consumers(id).size() != 1 || !(is<Add>(id) || is<Concat>(id))) return false;
    const OperatorId reader = graph_.consumers(id).front();
    const Operator& reading = graph_.op(reader);
    if (reading.unit != id_) return false;
    const auto reads = std::count_if(reading.inputs.begin(), reading.inputs.end(),
                                     [&](const Value& value) { return value.producer == id; });
    const auto whole = std::count(reading.inputs.begin(), reading.inputs.end(), graph_.whole(id));
    if (reads != 1 || whole != 1) return false;
    const auto& inputs = graph_.op(id).inputs;
    if (is<Concat>(id)) return inputs.size() > 1 && reads_concatenated(reader);
    if (std::any_of(inputs.begin(), inputs.end(), [&](const Value& value) { return folded(value); })) return false;
    return reads_concatenated(reader) || is<Add>(reader) || is<Mul>(reader) ||
           (is<Concat>(reader) && reading.inputs.size() > 1);
  }

  IosValue value_of(const Value& value) const {
    const Operator& producer = graph_.op(value.producer);
    if (producer.unit == id_) return {producer.name, value.begin, value.end};
    return value_in_file(graph_, value, places_);
  }

  IosTerm term_of(const Value& value) const {
    if (!folded(value)) return {value_of(value)};
    IosTerm term;
    for (const Value& summand : graph_.op(value.producer).inputs) term.push_back(value_of(summand));
    return term;
  }

  std::vector<IosTerm> terms_of(const Operator& op) const {
    std::vector<IosTerm> terms;
    for (const Value& value : op.inputs) {
      if (folded(value) && is<Concat>(value.producer)) {
        for (const Value& piece : graph_.op(value.producer).inputs) terms.push_back(term_of(piece));
      } else {
        terms.push_back(term_of(value));
      }
    }
    return terms;
  }

  Result<IosNode> node_of(OperatorId id) const {
    const Operator& op = graph_.op(id);
    if (const Message what = beyond_format(op); !what.empty()) return cannot(op, what);
    IosNode node{op.name, op.name, op.attributes, terms_of(op), {}, op.output, {}};
    if (const auto* conv = op.as<Conv>()) {
      if (!conv->merged_from.empty()) node.hint_name = fmt::format("{}", fmt::join(conv->merged_from, " "));
    } else if (const auto* pool = op.as<Pool>()) {
      if (!drops_ceil_mode(op, *pool)) return cannot(op, message("ceil_mode"));
      node.attributes = pool_in_file(op, *pool);
    } else if (const auto* linear = op.as<Linear>()) {
      node.attributes = equal_conv(op, *linear);
    } else if (op.as<Concat>() != nullptr) {
      node.attributes = Identity{};
    } else if (op.as<Add>() != nullptr &&
               std::none_of(op.inputs.begin(), op.inputs.end(), [&](const Value& value) { return folded(value); })) {
      node.attributes = Identity{};  // one long term
      IosTerm sum;
      for (const IosTerm& term : node.inputs) sum.push_back(term.front());
      node.inputs = {sum};
    }
    return node;
  }

  // Returns what the format cannot express of the operator; empty if it can express all.
  Message beyond_format(const Operator& op) const {
    const Message beyond = visit_kind(Beyond{graph_, op}, op.attributes);
    if (beyond == kNoCounterpart) return beyond;
    if (!op.output.is_feature_map() && op.as<Linear>() == nullptr)
      return message("an output that is not a feature map");
    for (const Value& value : op.inputs) {
      if (graph_.op(value.producer).is_constant()) return message("a constant input");
    }
    return beyond;
  }

  static tl::unexpected<Error> cannot(const Operator& op, const Message& what) {
    return fail(message("the {} has {}, which this file format cannot express", kind_name(op.attributes), what),
                op.name, message("save the schedule alone, as iosx-schedule JSON or CSV"));
  }

  // Returns true if rounding down gives the same output.
  bool drops_ceil_mode(const Operator& op, Pool pool) const {
    if (!pool.ceil_mode) return true;
    pool.ceil_mode = false;
    const Shape in = graph_.shape(op.inputs.front());
    const auto shape = infer_shape(pool, {&in, 1});
    return shape && *shape == op.output;
  }

  // The format gives a global pool a window as large as its input.
  Pool pool_in_file(const Operator& op, Pool pool) const {
    pool.ceil_mode = false;
    if (pool.kind != PoolKind::kGlobalMax && pool.kind != PoolKind::kGlobalAverage) return pool;
    const Shape in = graph_.shape(op.inputs.front());
    return Pool{pool.kind, {in.height(), in.width()}, {1, 1}, {0, 0}, false};
  }

  // Fully connected is a convolution as large as its input.
  Conv equal_conv(const Operator& op, const Linear& linear) const {
    const Shape in = graph_.shape(op.inputs.front());
    Conv conv;
    conv.out_channels = linear.out_features;
    conv.kernel = {in.height(), in.width()};
    conv.activation = linear.activation;
    return conv;
  }

  const Graph& graph_;
  const Unit& unit_;
  UnitId id_;
  const std::vector<UnitPlace>& places_;
  std::unordered_set<OperatorId> folded_;
};

// Returns the unit as a node of the file. Sums and concatenations that only feed another operator of the unit become
// terms of its inputs; a single remaining operator is the node, several are a sequential. Returns an error that names
// the operator for what the format cannot express.
Result<IosNode> unit_to_ios(const Graph& graph, UnitId id, const std::vector<UnitPlace>& places) {
  return UnitWriter(graph, id, places).run();
}

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
    for (const BlockRange& range : blocks()) IOS_TRY(add_block(range));
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
