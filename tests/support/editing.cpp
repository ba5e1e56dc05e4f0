#include "tests/support/editing.h"

#include "tests/support/graphs.h"

namespace iosx::test {
namespace {

void expect_same_tensor(const Tensor& made, const Tensor& wanted, const std::string& name) {
  EXPECT_TRUE(std::ranges::equal(made.dims(), wanted.dims())) << name;
  EXPECT_EQ(made.empty(), wanted.empty()) << name;
  EXPECT_TRUE(std::ranges::equal(made.elements(), wanted.elements())) << name;
}

}  // namespace

void expect_equal(const Graph& made, const Graph& wanted) {
  EXPECT_EQ(describe(made), describe(wanted));
  ASSERT_EQ(made.operators().size(), wanted.operators().size());
  for (std::size_t i = 0; i < wanted.operators().size(); ++i) {
    const Operator& a = made.operators()[i];
    const Operator& b = wanted.operators()[i];
    EXPECT_EQ(a.name, b.name);
    EXPECT_TRUE(a.attributes == b.attributes) << b.name;
    EXPECT_EQ(a.inputs, b.inputs) << b.name;
    EXPECT_EQ(a.output, b.output) << b.name;
    EXPECT_EQ(a.unit, b.unit) << b.name;
    const OperatorId id(i);
    EXPECT_EQ(made.parameters()->has_bias(id), wanted.parameters()->has_bias(id)) << b.name;
    EXPECT_EQ(made.parameters()->dims(id).weights, wanted.parameters()->dims(id).weights) << b.name;
    expect_same_tensor(made.parameters()->given_weights(id), wanted.parameters()->given_weights(id), b.name);
    expect_same_tensor(made.parameters()->given_bias(id), wanted.parameters()->given_bias(id), b.name);
  }
  EXPECT_EQ(std::vector(made.inputs().begin(), made.inputs().end()),
            std::vector(wanted.inputs().begin(), wanted.inputs().end()));
  ASSERT_EQ(made.parts().size(), wanted.parts().size());
  for (std::size_t i = 0; i < wanted.parts().size(); ++i) {
    EXPECT_EQ(made.parts()[i].name, wanted.parts()[i].name);
    EXPECT_EQ(made.parts()[i].units, wanted.parts()[i].units);
    EXPECT_EQ(made.parts()[i].continued, wanted.parts()[i].continued);
  }
}

std::string problems(const EditableGraph& graph) {
  std::string all;
  for (const Problem& problem : check(graph).problems) all += problem.wording.text() + "\n";
  return all;
}

OperatorKey key_of(const EditableGraph& graph, std::string_view name) {
  const auto key = graph.find_operator(name);
  EXPECT_TRUE(key) << name;
  return key.value_or(OperatorKey());
}
UnitKey unit_of(const EditableGraph& graph, std::string_view operator_name) {
  return graph.op(key_of(graph, operator_name)).unit;
}

Graph built(const EditableGraph& graph) {
  auto made = must(to_graph(graph, check(graph)));
  return std::move(made.graph);
}

void edit(EditHistory& history, Result<Patch> patch) {
  ASSERT_TRUE(patch) << patch.error().text();
  EXPECT_TRUE(history.push(*std::move(patch)));
}

}  // namespace iosx::test
