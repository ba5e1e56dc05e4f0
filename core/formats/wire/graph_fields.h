#pragma once

#include "core/formats/wire/fields.h"
#include "core/model/graph/graph.h"
#include "core/model/graph/operator_fields.h"
#include "core/model/graph/operator_table.h"
#include "core/model/schedule/schedule.h"

// This header says how graphs and schedules are written down; see fields.h. What an operator computes with is written
// as core/model/graph/operator_fields.h names it.
namespace iosx::wire {

// Words of operators' attributes.
template <typename E>
requires requires(E value) { word_of(value); }
std::string_view word(Spelled<E> x) { return word_of(x.value).pattern; }
inline std::string_view word(Spelled<ParameterInit> x) {
  switch (x.value) {
    case ParameterInit::kScaled: return "scaled";
    case ParameterInit::kIntegers: return "integers";
  }
  return {};
}

template <OperatorKind Kind>
inline constexpr std::string_view kKind<Kind> = kOperatorRow<Kind>.id;

template <typename A>
void fields(A& a, typename A::template Of<Value>& x) {
  a.row(x, field(x.producer), field(x.begin), field(x.end));
}

template <typename A>
void fields(A& a, typename A::template Of<Step>& x) {
  a.only(x, field(x.units));
}
template <typename A>
void fields(A& a, typename A::template Of<Group>& x) {
  a.only(x, field(x.steps));
}
template <typename A>
void fields(A& a, typename A::template Of<Stage>& x) {
  a.only(x, field(x.groups));
}
template <typename A>
void fields(A& a, typename A::template Of<Schedule>& x) {
  a.all(x, field("name", x.name), field("stages", x.stages));
}

// A graph is written as this: the rest of it follows from this.
struct OperatorRecord {
  std::string name;
  Attributes attributes;
  std::vector<Value> inputs;
  UnitId unit;  // invalid for a source
};
struct UnitRecord {
  std::string name;
  std::string hint;
};
struct PartRecord {
  std::string name;
  std::size_t units = 0;  // so many of those that follow
  bool continued = false;
};
struct ConstantRecord {
  OperatorId constant;
  Tensor value;
};
struct MemberRecord {
  std::string name;
  std::vector<OperatorId> operators;
};
struct GraphRecord {
  std::string name;
  std::vector<OperatorRecord> operators;
  std::vector<UnitRecord> units;
  std::vector<PartRecord> parts;
  std::vector<ConstantRecord> constants;  // the small ones
  std::vector<OperatorId> unbiased;       // of kinds that may have a bias, those without
  std::vector<MemberRecord> networks;     // each operator is in one, if there are any
};

template <typename A>
void fields(A& a, typename A::template Of<OperatorRecord>& x) {
  a.all(x, field("name", x.name), field("attributes", x.attributes), field("inputs", x.inputs), field("unit", x.unit));
}
template <typename A>
void fields(A& a, typename A::template Of<UnitRecord>& x) {
  a.all(x, field("name", x.name), field("hint", x.hint));
}
template <typename A>
void fields(A& a, typename A::template Of<PartRecord>& x) {
  a.all(x, field("name", x.name), field("units", x.units), field("continued", x.continued));
}
template <typename A>
void fields(A& a, typename A::template Of<ConstantRecord>& x) {
  a.all(x, field("constant", x.constant), field("value", x.value));
}
template <typename A>
void fields(A& a, typename A::template Of<MemberRecord>& x) {
  a.all(x, field("name", x.name), field("operators", x.operators));
}
template <typename A>
void fields(A& a, typename A::template Of<GraphRecord>& x) {
  a.all(x, field("name", x.name), field("operators", x.operators), field("units", x.units), field("parts", x.parts),
        field("constants", x.constants), field("unbiased", x.unbiased), later(field("networks", x.networks)));
}

std::vector<PartRecord> part_records(const Graph& graph);
// Returns the same graph in these parts. The error's place is inside the list ("[3]").
Result<Graph> with_parts(const Graph& graph, std::vector<PartRecord> records);

GraphRecord record_of(const Graph& graph);
// Makes the graph of a record. The error's place is inside the record. What the record does not hold of weights and
// constants is made up.
Result<Graph> graph_of(GraphRecord record);

}  // namespace iosx::wire
