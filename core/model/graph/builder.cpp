#include "core/model/graph/builder.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/check.h"
#include "core/model/graph/networks.h"
#include "core/model/graph/shape_inference.h"

namespace iosx {

GraphBuilder::GraphBuilder(std::string name) { graph_.name_ = std::move(name); }

void GraphBuilder::fail(Error error) {
  if (!error_) error_ = std::move(error);
}

bool GraphBuilder::claim_name(const std::string& name, UnitId unit) {
  if (names_.try_emplace(name, unit).second) {
    claimed_.push_back(name);
    return true;
  }
  // A unit's operator may have the unit's name; end_unit() sees to it that only the last one does.
  if (unit.valid() && unit.index() < graph_.units_.size() && graph_.unit(unit).name == name) {
    const auto& operators = graph_.unit(unit).operators;
    const auto has_name = [&](OperatorId id) { return graph_.op(id).name == name; };
    if (std::none_of(operators.begin(), operators.end(), has_name)) return true;
  }
  fail({message("the name '{}' is used twice", name), name, message("give every operator its own name")});
  return false;
}

Value GraphBuilder::add_source(std::string name, Attributes attributes) {
  if (error_) return {};
  if (name.empty()) name = std::to_string(next_number_++);
  auto shape = infer_shape(attributes, {});
  if (!shape) {
    shape.error().where = name;
    return failed(shape.error());
  }
  if (!claim_name(name, UnitId{})) return {};
  const OperatorId id(graph_.operators_.size());
  graph_.operators_.push_back(Operator{std::move(name), std::move(attributes), {}, *shape, UnitId{}, network_});
  return graph_.whole(id);
}

Value GraphBuilder::input(std::string name, Shape shape) {
  const Value value = add_source(std::move(name), Input{shape});
  if (!error_) graph_.inputs_.push_back(value.producer);
  return value;
}

Value GraphBuilder::constant(std::string name, Tensor value) {
  if (error_) return {};
  if (value.dims().size() > Shape::kMaxRank) {
    return failed({message("has {} axes", value.dims().size()), name, message("at most {}", Shape::kMaxRank)});
  }
  const Value made = add_source(std::move(name), Constant{Shape(value.dims())});
  if (!error_) parameters_[made.producer.index()] = {std::move(value), {}};
  return made;
}

Value GraphBuilder::constant(std::string name, Shape shape) {
  IOS_CHECK(shape.rank() > 0);
  return add_source(std::move(name), Constant{shape});
}

Value GraphBuilder::add_copy(const Graph& of, OperatorId id, std::string name, std::vector<Value> inputs) {
  const Operator& op = of.op(id);
  const Parameters& parameters = *of.parameters();
  const Tensor& given = parameters.given_weights(id);
  if (op.is_input()) return input(std::move(name), op.output);
  if (op.is_constant()) {
    return given.empty() ? constant(std::move(name), op.output) : constant(std::move(name), given);
  }
  const Value value = add(std::move(name), op.attributes, std::move(inputs));
  if (!given.empty()) {
    set_parameters(value, given, parameters.given_bias(id));
  } else if (!parameters.dims(id).bias.empty() && !parameters.has_bias(id)) {
    leave_out_bias(value);
  }
  return value;
}

void GraphBuilder::set_parameters(const Value& of, Tensor weights, Tensor bias) {
  if (error_) return;
  IOS_CHECK(of.producer.valid());
  const Operator& op = graph_.op(of.producer);
  const ParameterDims dims = dims_of(op);
  const auto fits = [](const Tensor& tensor, const std::vector<std::int64_t>& wanted) {
    return std::equal(wanted.begin(), wanted.end(), tensor.dims().begin(), tensor.dims().end());
  };
  if (!fits(weights, dims.weights) || (!bias.empty() && !fits(bias, dims.bias))) {
    fail({message("its weights [{}] should be [{}]", fmt::join(weights.dims(), ", "), fmt::join(dims.weights, ", ")),
          op.name,
          {}});
    return;
  }
  const bool biased = !bias.empty();
  parameters_[of.producer.index()] = {std::move(weights), std::move(bias), biased};
}

void GraphBuilder::leave_out_bias(const Value& of) {
  if (error_) return;
  IOS_CHECK(of.producer.valid());
  const Operator& op = graph_.op(of.producer);
  if (dims_of(op).bias.empty()) return fail({message("has no bias to omit"), op.name, {}});
  Given& given = parameters_[of.producer.index()];
  given.bias = {};
  given.biased = false;
}

void GraphBuilder::set_aliases(const Value& of, std::vector<std::string> aliases) {
  if (error_) return;
  IOS_CHECK(of.producer.valid());
  graph_.operators_[of.producer.index()].aliases = std::move(aliases);
}

ParameterDims GraphBuilder::dims_of(const Operator& op) const {
  std::vector<Shape> shapes;
  for (const Value& value : op.inputs) shapes.push_back(graph_.shape(value));
  return parameter_dims(op.attributes, shapes);
}

void GraphBuilder::collect_parameters() {
  auto parameters = std::make_shared<Parameters>();
  for (std::size_t i = 0; i < graph_.operators_.size(); ++i) {
    const Operator& op = graph_.operators_[i];
    const auto given = parameters_.find(i);
    Given taken = given == parameters_.end() ? Given{} : std::move(given->second);
    parameters->add(own_name(graph_, op), dims_of(op), std::move(taken.weights), std::move(taken.bias), taken.biased);
  }
  graph_.parameters_ = std::move(parameters);
}

bool GraphBuilder::check_inputs(const Operator& op) {
  for (const Value& value : op.inputs) {
    if (!value.producer.valid() || value.producer.index() >= graph_.operators_.size()) {
      fail({message("reads an operator that does not exist (yet)"), op.name,
            message("add operators in topological order")});
      return false;
    }
    const Operator& producer = graph_.op(value.producer);
    if (value.begin < 0 || value.begin >= value.end || value.end > producer.output.channels()) {
      fail({message("reads channels [{}, {}) of '{}', which has {} channels", value.begin, value.end, producer.name,
                    producer.output.channels()),
            op.name, message("a slice needs 0 <= begin < end <= channels")});
      return false;
    }
  }
  return true;
}

Value GraphBuilder::add(std::string name, Attributes attributes, std::vector<Value> inputs) {
  if (error_) return {};
  if (std::holds_alternative<Input>(attributes) || std::holds_alternative<Constant>(attributes)) {
    return failed({message("a source cannot be added as an operator"), name, message("use input() or constant()")});
  }
  while (name.empty()) {
    name = std::to_string(next_number_++);
    if (names_.contains(name)) name.clear();
  }
  const bool own_unit = !in_unit_;
  if (own_unit) begin_unit(name);
  if (error_) return {};
  Operator op{std::move(name), std::move(attributes), std::move(inputs), {}, UnitId(graph_.units_.size() - 1),
              network_};
  if (!claim_name(op.name, op.unit) || !check_inputs(op)) return {};
  std::vector<Shape> shapes;
  for (const Value& value : op.inputs) shapes.push_back(graph_.shape(value));
  auto shape = infer_shape(op.attributes, shapes);
  if (!shape) {
    return failed({message("{}: {}", kind_name(op.attributes), shape.error().what), op.name, {}});
  }
  op.output = *shape;
  const auto* const opaque = op.as<Opaque>();
  const auto sized = [&](const Value& value) { return graph_.op(value.producer).sized; };
  op.sized = opaque != nullptr ? !opaque->guessed : std::ranges::all_of(op.inputs, sized);
  const OperatorId id(graph_.operators_.size());
  graph_.units_.back().operators.push_back(id);
  graph_.operators_.push_back(std::move(op));
  if (own_unit) return end_unit();
  return graph_.whole(id);
}

void GraphBuilder::begin_unit(std::string name, std::string hint, bool whole) {
  if (error_) return;
  IOS_CHECK(!in_unit_);
  const UnitId id(graph_.units_.size());
  if (!claim_name(name, id)) return;
  if (graph_.parts_.empty()) graph_.parts_.push_back(Part{graph_.name_, {}});
  const PartId part(graph_.parts_.size() - 1);
  graph_.parts_.back().units.push_back(id);
  graph_.units_.push_back(Unit{std::move(name), std::move(hint), {}, part, whole});
  in_unit_ = true;
}

void GraphBuilder::set_network(const std::string& name) {
  if (error_) return;
  network_ = {};
  if (name.empty()) return;
  auto& networks = graph_.networks_;
  const auto at = std::ranges::find(networks, name);
  network_ = MemberId(static_cast<std::size_t>(at - networks.begin()));
  if (at == networks.end()) networks.push_back(name);
}

Value GraphBuilder::end_unit() {
  if (error_) return {};
  IOS_CHECK(in_unit_);
  in_unit_ = false;
  const Unit& unit = graph_.units_.back();
  if (unit.operators.empty()) {
    return failed({message("the unit has no operators"), unit.name, {}});
  }
  for (const OperatorId id : unit.operators) {
    if (id == unit.output() || graph_.op(id).name != unit.name) continue;
    return failed({message("an operator has the name of its unit but is not its last operator"), unit.name,
                   message("rename one of them")});
  }
  return graph_.whole(unit.output());
}

void GraphBuilder::begin_part(std::string name) {
  if (error_) return;
  IOS_CHECK(!in_unit_);
  if (!graph_.parts_.empty() && graph_.parts_.back().units.empty()) graph_.parts_.pop_back();
  graph_.parts_.push_back(Part{std::move(name), {}});
  ++begun_parts_;
}

GraphBuilder::Mark GraphBuilder::mark() const {
  return {.operators = graph_.operators_.size(),
          .units = graph_.units_.size(),
          .parts = graph_.parts_.size(),
          .inputs = graph_.inputs_.size(),
          .names = claimed_.size(),
          .operators_of_last_unit = graph_.units_.empty() ? 0 : graph_.units_.back().operators.size(),
          .units_of_last_part = graph_.parts_.empty() ? 0 : graph_.parts_.back().units.size(),
          .begun_parts = begun_parts_,
          .network = network_,
          .in_unit = in_unit_,
          .next_number = next_number_};
}

void GraphBuilder::revert(const Mark& mark) {
  IOS_CHECK(mark.begun_parts == begun_parts_ && mark.network == network_);
  const auto cut = [](auto& list, std::size_t size) {
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(size), list.end());
  };
  for (std::size_t i = mark.operators; i < graph_.operators_.size(); ++i) parameters_.erase(i);
  for (std::size_t i = mark.names; i < claimed_.size(); ++i) names_.erase(claimed_[i]);
  cut(claimed_, mark.names);
  cut(graph_.operators_, mark.operators);
  cut(graph_.inputs_, mark.inputs);
  cut(graph_.units_, mark.units);
  if (mark.units > 0) cut(graph_.units_.back().operators, mark.operators_of_last_unit);
  cut(graph_.parts_, mark.parts);
  if (mark.parts > 0) cut(graph_.parts_.back().units, mark.units_of_last_part);
  in_unit_ = mark.in_unit;
  next_number_ = mark.next_number;
  error_.reset();
}

Shape GraphBuilder::shape(const Value& value) const {
  return error_ || !value.producer.valid() ? Shape{1, 1, 1} : graph_.shape(value);
}

void GraphBuilder::check_unit_outputs() {
  for (const Operator& op : graph_.operators_) {
    for (const Value& value : op.inputs) {
      const Operator& producer = graph_.op(value.producer);
      if (producer.is_source() || producer.unit == op.unit) continue;
      const Unit& unit = graph_.unit(producer.unit);
      if (unit.whole || unit.output() == value.producer) continue;
      fail({message("reads '{}' from the inside of unit '{}'", producer.name, unit.name), op.name,
            message("only a unit's last operator can be read outside it")});
      return;
    }
  }
}

void GraphBuilder::settle_networks() {
  if (graph_.networks_.empty()) return;
  auto& operators = graph_.operators_;
  for (Operator& op : operators) {
    for (const Value& value : op.inputs) {
      if (!op.network.valid()) op.network = operators[value.producer.index()].network;
    }
  }
  for (std::size_t i = operators.size(); i-- > 0;) {
    if (!operators[i].network.valid()) operators[i].network = MemberId(graph_.networks_.size() - 1);
    for (const Value& value : operators[i].inputs) {
      MemberId& network = operators[value.producer.index()].network;
      if (!network.valid()) network = operators[i].network;
    }
  }
}

Result<Graph> GraphBuilder::build() && {
  if (!error_ && graph_.units_.empty()) fail({message("the graph has no operators"), graph_.name_, {}});
  if (!error_) check_unit_outputs();
  if (error_) return tl::unexpected(*error_);
  IOS_CHECK(!in_unit_);
  if (graph_.parts_.back().units.empty()) graph_.parts_.pop_back();

  settle_networks();
  graph_.connect();
  collect_parameters();
  return std::move(graph_);
}

}  // namespace iosx
