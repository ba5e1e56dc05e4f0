#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/result.h"
#include "core/model/graph/graph.h"

namespace iosx {

// Makes a Graph, operator by operator in topological order. The first mistake is kept and returned by build(); after
// it every call is harmless, so a builder's caller need not check each step.
class GraphBuilder {
 public:
  explicit GraphBuilder(std::string name);

  Value input(std::string name, Shape shape);
  // A tensor of at most Shape::kMaxRank axes that is part of the model.
  Value constant(std::string name, Tensor value);
  // The same without its value, which is made up (parameters.h); at least one axis.
  Value constant(std::string name, Shape shape);

  // Adds an operator and infers its output shape; returns its whole output. Outside begin_unit/end_unit the operator
  // becomes a unit of its own. An empty name gets the next free number.
  Value add(std::string name, Attributes attributes, std::vector<Value> inputs);

  // Adds an operator or a source of another graph under this name, reading these inputs, with its given parameters.
  // What is made up there is made up anew, from the name.
  Value add_copy(const Graph& of, OperatorId id, std::string name, std::vector<Value> inputs = {});

  // Weights and bias (parameters.h) of the operator that add() returned; without this call they are made up. With an
  // empty bias the operator has none.
  void set_parameters(const Value& of, Tensor weights, Tensor bias = {});
  // The operator that add() returned, of a kind that may have a bias, has none.
  void leave_out_bias(const Value& of);

  // Operators added until end_unit() form one unit.
  void begin_unit(std::string name, std::string hint = {});
  Value end_unit();
  // Units added from here on belong to a new part. A part that stays empty is dropped.
  void begin_part(std::string name);

  // Operators and sources added from here on are of the network of this name (networks.h); an empty one leaves to
  // build() what they belong to: the network that they read or that reads them, or else the last one.
  void set_network(const std::string& name);

  // Records a mistake that the caller found; the first one wins.
  void fail(Error error);
  const std::optional<Error>& error() const { return error_; }

  // Shape of what add() or input() returned, for builders that depend on it.
  Shape shape(const Value& value) const;

  Result<Graph> build() &&;

 private:
  bool check_inputs(const Operator& op);
  bool claim_name(const std::string& name, UnitId unit);
  void check_unit_outputs();
  void settle_networks();
  Value add_source(std::string name, Attributes attributes);
  ParameterDims dims_of(const Operator& op) const;
  void collect_parameters();

  Graph graph_;
  std::optional<Error> error_;
  std::unordered_map<std::string, UnitId> names_;  // name → unit it was given to (invalid: an Input)
  struct Given {
    Tensor weights;
    Tensor bias;
    bool biased = true;
  };
  std::unordered_map<std::size_t, Given> parameters_;  // by index of the operator
  MemberId network_;                                   // of what is added
  bool in_unit_ = false;
  int next_number_ = 1;
};

}  // namespace iosx
