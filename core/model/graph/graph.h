#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/graph/operator.h"
#include "core/model/graph/parameters.h"

namespace iosx {

// A unit is what the scheduler moves as one piece: operators run in order on one stream. Only the last operator's
// output is read outside the unit.
struct Unit {
  std::string name;
  std::string hint;  // what people call it ("ReluSepConv"); may be empty
  std::vector<OperatorId> operators;
  PartId part;

  OperatorId output() const { return operators.back(); }
};

// A run of consecutive units scheduled together; parts run one after another.
struct Part {
  std::string name;
  std::vector<UnitId> units;
  bool continued = false;  // cut off from the next part only because together they were too large (prepare())
};

// A validated computation graph; immutable. Operators and units are in topological order, so is every list of ids
// below unless it says otherwise. Built by GraphBuilder.
class Graph {
 public:
  const std::string& name() const { return name_; }

  std::span<const Operator> operators() const { return operators_; }
  const Operator& op(OperatorId id) const { return operators_[id.index()]; }
  std::span<const Unit> units() const { return units_; }
  const Unit& unit(UnitId id) const { return units_[id.index()]; }

  // Declared by the builder or file, otherwise one part with all units. They cover all units in order. To get parts
  // small enough to search, see partition().
  std::span<const Part> parts() const { return parts_; }
  const Part& part(PartId id) const { return parts_[id.index()]; }

  // Names of the networks that run together, each once; none where the graph is one network. See networks.h.
  std::span<const std::string> networks() const { return networks_; }
  MemberId network(UnitId id) const { return op(unit(id).output()).network; }

  std::span<const OperatorId> inputs() const { return inputs_; }
  // Units whose output nobody reads: the results of the network.
  std::span<const UnitId> outputs() const { return outputs_; }

  // Never null. Shared by all copies of the graph.
  const std::shared_ptr<const Parameters>& parameters() const { return parameters_; }

  // Units that the unit reads from / that read from it; each once, by id.
  std::span<const UnitId> predecessors(UnitId id) const { return predecessors_[id.index()]; }
  std::span<const UnitId> successors(UnitId id) const { return successors_[id.index()]; }
  // Operators that read any channel of the operator's output; each once, by id.
  std::span<const OperatorId> consumers(OperatorId id) const { return consumers_[id.index()]; }

  Shape shape(const Value& value) const;
  // The whole output of an operator.
  Value whole(OperatorId id) const { return Value{id, 0, op(id).output.channels()}; }

  // A unit's name finds its unit; an operator's name, or a unit's (then its last operator), its operator.
  std::optional<UnitId> find_unit(std::string_view name) const;
  std::optional<OperatorId> find_operator(std::string_view name) const;

  // The same graph cut into other parts. The parts must cover all units in order.
  Graph with_parts(std::vector<Part> parts) const;
  // The same graph with its operators, whose ids stay, in other units. Together the units must hold every operator that
  // is no source once, in order, each have a part of this graph, and keep to themselves all that but their last make.
  Graph with_units(std::vector<Unit> units) const;
  // The same graph with other weights, of the same dims.
  Graph with_parameters(Parameters parameters) const;

 private:
  friend class GraphBuilder;
  Graph() = default;
  // Works out who reads whom, and the outputs, from operators and units.
  void connect();

  std::string name_;
  std::vector<Operator> operators_;
  std::vector<Unit> units_;
  std::vector<Part> parts_;
  std::vector<std::string> networks_;
  std::vector<OperatorId> inputs_;
  std::vector<UnitId> outputs_;
  std::vector<std::vector<UnitId>> predecessors_;
  std::vector<std::vector<UnitId>> successors_;
  std::vector<std::vector<OperatorId>> consumers_;
  std::shared_ptr<const Parameters> parameters_;
};

// The operators that compute the network's outputs: those of these names first, in their order, as a file may have one
// of its own; then the others as in the graph. A name of no output is passed over.
std::vector<OperatorId> output_operators(const Graph& graph, std::span<const std::string> first = {});

}  // namespace iosx
