#include "core/model/edit/convert.h"

#include <unordered_set>

#include "core/base/check.h"
#include "core/model/edit/names.h"
#include "core/model/graph/builder.h"

namespace iosx {
namespace {

class GraphDrawer {
 public:
  GraphDrawer(const EditableGraph& graph, const GraphCheck& check)
      : graph_(graph), check_(check), builder_(graph.name()) {}

  Result<BuiltGraph> run() && {
    reserve_names();
    for (const auto& [key, op] : graph_.operators()) {
      if (!check_.valid(key)) {
        left_out_.push_back(key);
      } else if (op->is_source()) {
        sources_.push_back(key);
      }
    }
    for (const OrderedUnit& unit : check_.units) add(unit);
    while (next_source_ < sources_.size()) add_source();
    if (units_ == 0)
      return fail(message("no operator can be computed yet"), graph_.name(), message("add one and connect its inputs"));
    IOS_TRY(auto graph, std::move(builder_).build());
    return BuiltGraph{in_parts(std::move(graph)), std::move(made_), std::move(made_units_), std::move(left_out_),
                      taken_apart()};
  }

 private:
  // The replacement of a taken name must be unused.
  void reserve_names() {
    for (const auto& [key, op] : graph_.operators()) names_.reserve(op->name);
    for (const auto& [key, unit] : graph_.units()) names_.reserve(unit->name);
  }

  std::string claimed(const std::string& name) {
    if (!name.empty() && claimed_.insert(name).second) return name;
    return names_.unique(name.empty() ? "unnamed" : name);
  }

  void add(const OrderedUnit& unit) {
    std::vector<OperatorKey> valid;
    for (const OperatorKey key : unit.operators) {
      if (check_.valid(key)) valid.push_back(key);
    }
    if (valid.empty()) return;
    begin_part(unit.part);
    if (!unit.whole) {
      for (const OperatorKey key : valid) {
        const std::string name = claimed(graph_.op(key).name);
        add_sources(key);
        begin_unit(name, {});
        add(key, name);
        builder_.end_unit();
      }
      return;
    }
    const EditUnit& drawn = graph_.unit(unit.unit);
    const std::string name = claimed(drawn.name);
    begin_unit(name, drawn);
    made_units_.set(unit.unit, UnitId(units_ - 1));
    for (const OperatorKey key : valid) {
      add_sources(key);
      const std::string& own = graph_.op(key).name;
      const bool as_unit = key == valid.back() && own == name;
      add(key, as_unit ? own : claimed(own));
    }
    builder_.end_unit();
  }

  void begin_part(PartKey part) {
    if (!parts_.empty() && parts_.back() == part) return;
    parts_.push_back(part);
    builder_.begin_part(graph_.find(part)->name);
  }

  void begin_unit(const std::string& name, const EditUnit& drawn) {
    builder_.begin_unit(name, drawn.hint, drawn.whole);
    ++units_;
  }

  // Sources that come before the operator: those of lower keys, and all that it reads.
  void add_sources(OperatorKey reader) {
    OperatorKey last = reader;
    for (const EditInput& input : graph_.op(reader).inputs) {
      if (graph_.op(input.producer).is_source()) last = std::max(last, input.producer);
    }
    while (next_source_ < sources_.size() && sources_[next_source_] <= last) add_source();
  }

  void add_source() {
    const OperatorKey key = sources_[next_source_++];
    const EditOperator& op = graph_.op(key);
    const std::string name = claimed(op.name);
    builder_.set_network(op.network);
    Value value;
    if (const auto* const input = std::get_if<Input>(&op.attributes)) {
      value = builder_.input(name, input->shape);
    } else if (!op.weights.empty() && fits(op, parameter_dims(op.attributes, {}))) {
      value = builder_.constant(name, op.weights);
    } else {
      value = builder_.constant(name, std::get<Constant>(op.attributes).shape);
    }
    made_.set(key, value.producer);
  }

  void add(OperatorKey key, const std::string& name) {
    const EditOperator& op = graph_.op(key);
    std::vector<Value> inputs;
    inputs.reserve(op.inputs.size());
    for (const EditInput& input : op.inputs) {
      const OperatorId* const producer = made_.find(input.producer);
      IOS_CHECK(producer != nullptr);
      const ChannelRange channels =
          input.channels.value_or(ChannelRange{0, check_.shapes.find(input.producer)->channels()});
      inputs.push_back({*producer, channels.begin, channels.end});
    }
    builder_.set_network(op.network);
    const Value value = builder_.add(name, op.attributes, std::move(inputs));
    made_.set(key, value.producer);
    if (!op.weights.empty() || !op.bias.empty() || !op.biased) set_parameters(op, value);
  }

  void set_parameters(const EditOperator& op, const Value& value) {
    std::vector<Shape> read;
    for (const EditInput& input : op.inputs) read.push_back(*check_.shape_of(input));
    const ParameterDims dims = parameter_dims(op.attributes, read);
    const bool may_have_bias = !dims.bias.empty();
    if (!op.weights.empty() && fits(op, dims)) {
      Tensor bias = op.biased ? op.bias : Tensor();
      if (may_have_bias && op.biased && bias.empty()) {  // given weights have no made-up bias beside them
        const auto count = static_cast<std::size_t>(Shape(dims.bias).elements());
        bias = Tensor(dims.bias, std::vector<float>(count, 0.0F));
      }
      builder_.set_parameters(value, op.weights, std::move(bias));
    } else if (may_have_bias && !op.biased) {
      builder_.leave_out_bias(value);
    }
  }

  Graph in_parts(Graph graph) const {
    std::vector<Part> parts(graph.parts().begin(), graph.parts().end());
    bool any = false;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      parts[i].continued = graph_.find(parts_[i])->continued;
      any = any || parts[i].continued;
    }
    return any ? graph.with_parts(std::move(parts)) : std::move(graph);
  }

  std::vector<UnitKey> taken_apart() const {
    std::vector<UnitKey> units;
    for (const OrderedUnit& unit : check_.units) {
      if (!unit.whole && unit.unit.valid()) units.push_back(unit.unit);
    }
    std::ranges::sort(units);
    units.erase(std::unique(units.begin(), units.end()), units.end());
    return units;
  }

  const EditableGraph& graph_;
  const GraphCheck& check_;
  GraphBuilder builder_;
  Names names_;
  std::unordered_set<std::string_view> claimed_;  // of names that the editable graph holds
  std::vector<OperatorKey> sources_;              // valid ones, by key
  std::size_t next_source_ = 0;
  std::size_t units_ = 0;
  std::vector<PartKey> parts_;  // begun
  KeyMap<OperatorKey, OperatorId> made_;
  KeyMap<UnitKey, UnitId> made_units_;
  std::vector<OperatorKey> left_out_;
};

}  // namespace

EditableGraph editable(const Graph& graph) {
  EditableGraph made(graph.name());
  std::vector<EditPart> parts;
  for (std::size_t i = 0; i < graph.parts().size(); ++i) {
    parts.push_back({PartKey(i), graph.parts()[i].name, graph.parts()[i].continued});
  }
  made.set_parts(std::move(parts));
  for (std::size_t i = 0; i < graph.units().size(); ++i) {
    const Unit& unit = graph.units()[i];
    made.set(UnitKey(i), EditUnit{unit.name, unit.hint, PartKey(unit.part.index()), unit.whole});
  }
  const Parameters& parameters = *graph.parameters();
  for (std::size_t i = 0; i < graph.operators().size(); ++i) {
    const Operator& op = graph.operators()[i];
    const OperatorId id(i);
    EditOperator drawn{.name = op.name, .attributes = op.attributes, .inputs = {}};
    for (const Value& value : op.inputs) {
      EditInput input{OperatorKey(value.producer.index()), std::nullopt};
      if (value != graph.whole(value.producer)) input.channels = {value.begin, value.end};
      drawn.inputs.push_back(input);
    }
    drawn.weights = parameters.given_weights(id);
    drawn.bias = parameters.given_bias(id);
    drawn.biased = parameters.dims(id).bias.empty() || parameters.has_bias(id);
    if (op.network.valid()) drawn.network = graph.networks()[op.network.index()];
    if (op.unit.valid()) drawn.unit = UnitKey(op.unit.index());
    made.set(OperatorKey(i), std::move(drawn));
  }
  return made;
}

Result<BuiltGraph> to_graph(const EditableGraph& graph, const GraphCheck& check) {
  return GraphDrawer(graph, check).run();
}

}  // namespace iosx
