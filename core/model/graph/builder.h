#pragma once

#include <unordered_map>

#include "core/base/result.h"
#include "core/model/graph/graph.h"

namespace iosx {

// Makes a Graph, operator by operator in topological order. It keeps the first mistake for build(); later calls are
// harmless, so callers need not check each step.
class GraphBuilder {
 public:
  explicit GraphBuilder(std::string name);

  Value input(std::string name, Shape shape);
  // Adds a tensor of at most Shape::kMaxRank axes that is part of the model.
  Value constant(std::string name, Tensor value);
  // Does the same with a made-up value (parameters.h); at least one axis.
  Value constant(std::string name, Shape shape);

  // Adds an operator, infers its output shape, and returns its whole output. Outside begin_unit/end_unit the
  // operator becomes a unit of its own. An empty name gets the next free number.
  Value add(std::string name, Attributes attributes, std::vector<Value> inputs);

  // Adds an operator or a source of another graph under this name, with these inputs and its given parameters.
  // Made-up ones are made up anew, from the name.
  Value add_copy(const Graph& of, OperatorId id, std::string name, std::vector<Value> inputs = {});

  // Sets the weights and bias (parameters.h) of an operator from add(); without this call they are made up. With an
  // empty bias the operator has none.
  void set_parameters(const Value& of, Tensor weights, Tensor bias = {});
  // Removes the bias of an operator from add() whose kind may have one.
  void leave_out_bias(const Value& of);

  // Sets Operator::aliases of an operator from add(). They need not be unique.
  void set_aliases(const Value& of, std::vector<std::string> aliases);

  // Operators added until end_unit() form one unit.
  void begin_unit(std::string name, std::string hint = {}, bool whole = false);
  Value end_unit();
  // Starts a new part for later units. An empty part is dropped.
  void begin_part(std::string name);

  // Sets the network (networks.h) of later operators and sources; with an empty name build() chooses: the network
  // that they read or that reads them, or else the last one.
  void set_network(const std::string& name);

  // Records a mistake of the caller; the first one counts.
  void fail(Error error);
  const std::optional<Error>& error() const { return error_; }

  // Says how much there is, so that what is added later can be taken back, with its mistake. Parts and networks cannot.
  struct Mark {
    std::size_t operators = 0;
    std::size_t units = 0;
    std::size_t parts = 0;
    std::size_t inputs = 0;
    std::size_t names = 0;
    std::size_t operators_of_last_unit = 0;
    std::size_t units_of_last_part = 0;
    std::size_t begun_parts = 0;
    MemberId network;
    bool in_unit = false;
    int next_number = 1;
  };
  Mark mark() const;
  void revert(const Mark& mark);

  // Returns the shape of a result of add() or input(), for builders that depend on it.
  Shape shape(const Value& value) const;

  Result<Graph> build() &&;

 private:
  Value failed(Error error) { return fail(std::move(error)), Value{}; }
  bool check_inputs(const Operator& op);
  bool claim_name(const std::string& name, UnitId unit);
  void check_unit_outputs();
  void settle_networks();
  Value add_source(std::string name, Attributes attributes);
  ParameterDims dims_of(const Operator& op) const;
  void collect_parameters();

  Graph graph_;
  std::optional<Error> error_;
  std::unordered_map<std::string, UnitId> names_;  // name → its unit (invalid: an Input)
  std::vector<std::string> claimed_;               // these names, in the order in which they were claimed
  struct Given {
    Tensor weights;
    Tensor bias;
    bool biased = true;
  };
  std::unordered_map<std::size_t, Given> parameters_;  // by index of the operator
  MemberId network_;                                   // of later operators
  std::size_t begun_parts_ = 0;
  bool in_unit_ = false;
  int next_number_ = 1;
};

}  // namespace iosx
