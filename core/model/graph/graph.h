#pragma once

#include "core/model/graph/operator.h"
#include "core/model/graph/parameters.h"

namespace iosx {

// The piece that the scheduler moves: operators that run in order on one stream. Only the last operator's output
// is read outside the unit, unless the unit is whole.
struct Unit {
  std::string name;
  std::string hint;  // its common name ("ReluSepConv"); may be empty
  std::vector<OperatorId> operators;
  PartId part;
  bool whole = false;  // one operator of the model: its kernels run in order, on lanes too; any operator may be read

  OperatorId output() const { return operators.back(); }  // the last one
};

// Consecutive units that are scheduled together; parts run one after another.
struct Part {
  std::string name;
  std::vector<UnitId> units;
  bool continued = false;  // cut from the next part only because together they were too large (prepare())
};

// A validated, immutable computation graph. Operators and units are in topological order, like every list of ids
// below unless it says otherwise. Built by GraphBuilder.
class Graph {
 public:
  const std::string& name() const { return name_; }

  std::span<const Operator> operators() const { return operators_; }
  const Operator& op(OperatorId id) const { return operators_[id.index()]; }
  std::span<const Unit> units() const { return units_; }
  const Unit& unit(UnitId id) const { return units_[id.index()]; }

  // Declared by the builder or file, otherwise one part with all units. They cover all units in order. partition()
  // returns parts small enough to search.
  std::span<const Part> parts() const { return parts_; }
  const Part& part(PartId id) const { return parts_[id.index()]; }

  // Names of the networks that run together, each once; empty where the graph is one network. See networks.h.
  std::span<const std::string> networks() const { return networks_; }
  MemberId network(UnitId id) const { return op(unit(id).output()).network; }

  std::span<const OperatorId> inputs() const { return inputs_; }
  // Operators that nothing reads, unit by unit: the results of the network.
  std::span<const OperatorId> outputs() const { return outputs_; }
  // Returns the unit's operators that other units or nothing read; the last one is always among them.
  std::vector<OperatorId> outputs(UnitId id) const;
  // Returns the name of the unit whose last operator it is, otherwise the operator's own.
  const std::string& output_name(OperatorId id) const;

  // Returns whether the work of all operators is known. Otherwise no model of a device knows their latency.
  bool has_known_cost() const { return has_known_cost_; }

  // Never null. Shared by all copies of the graph.
  const std::shared_ptr<const Parameters>& parameters() const { return parameters_; }

  // Units that the unit reads / that read it; each once, by id.
  std::span<const UnitId> predecessors(UnitId id) const { return predecessors_[id.index()]; }
  std::span<const UnitId> successors(UnitId id) const { return successors_[id.index()]; }
  // Operators that read any channel of the operator's output; each once, by id.
  std::span<const OperatorId> consumers(OperatorId id) const { return consumers_[id.index()]; }

  Shape shape(const Value& value) const;
  // The whole output of an operator.
  Value whole(OperatorId id) const { return Value{id, 0, op(id).output.channels()}; }

  // A unit's name returns its unit; an operator's name, or a unit's (then its last operator), its operator.
  std::optional<UnitId> find_unit(std::string_view name) const;
  std::optional<OperatorId> find_operator(std::string_view name) const;

  // Returns the same graph cut into other parts, which must cover all units in order.
  Graph with_parts(std::vector<Part> parts) const;
  // Returns the same graph with its operators, whose ids stay, in other units. Together the units must hold every
  // operator that is not a source once, in order, each have a part of this graph, and hide all outputs except their
  // last operator's, unless they are whole.
  Graph with_units(std::vector<Unit> units) const;
  // Returns the same graph with other weights of the same dims.
  Graph with_parameters(Parameters parameters) const;

 private:
  friend class GraphBuilder;
  Graph() = default;
  // Derives readers, outputs and what is known from operators and units.
  void connect();

  std::string name_;
  std::vector<Operator> operators_;
  std::vector<Unit> units_;
  std::vector<Part> parts_;
  std::vector<std::string> networks_;
  std::vector<OperatorId> inputs_;
  std::vector<OperatorId> outputs_;
  std::vector<std::vector<UnitId>> predecessors_;
  std::vector<std::vector<UnitId>> successors_;
  std::vector<std::vector<OperatorId>> consumers_;
  bool has_known_cost_ = true;
  std::shared_ptr<const Parameters> parameters_;
};

// Returns the operators of the network's outputs: first those of these names, in their order, such as a file's; then
// the others in the graph's order. A name that is no output is skipped.
std::vector<OperatorId> output_operators(const Graph& graph, std::span<const std::string> first = {});

}  // namespace iosx
