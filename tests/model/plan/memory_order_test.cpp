#include "core/model/plan/memory_order.h"

#include <gtest/gtest.h>

#include "core/model/graph/builder.h"

namespace iosx {
namespace {

bool row_major(const Graph& graph, std::string_view name) {
  return row_major_outputs(graph)[graph.find_operator(name)->index()];
}

Graph assembled(GraphBuilder builder) {
  auto graph = std::move(builder).build();
  EXPECT_TRUE(graph) << graph.error().text();
  return std::move(*graph);
}

TEST(MemoryOrder, OfHeadsIsRowMajorAndOfImagesIsNot) {
  GraphBuilder builder("vision");
  Conv conv;
  conv.out_channels = 8;
  Value x = builder.add("conv", conv, {builder.input("image", Shape{3, 4, 4})});
  x = builder.add("relu", Activate{}, {x});
  x = builder.add("tokens", Transpose{{1, 0}}, {builder.add("flat", Reshape{Shape{8, 16}}, {x})});
  x = builder.add("split", Reshape{Shape{16, 2, 4}}, {x});
  const Value heads = builder.add("heads", Transpose{{1, 0, 2}}, {x});
  const Value keys = builder.add("keys", Transpose{{1, 2, 0}}, {x});
  const Value scores = builder.add("scores", MatMul{}, {heads, keys});
  builder.add("softmax", Softmax{2}, {scores});
  const Graph graph = assembled(std::move(builder));
  for (const char* name : {"image", "conv", "relu", "flat", "tokens"}) EXPECT_FALSE(row_major(graph, name)) << name;
  for (const char* name : {"split", "heads", "keys", "scores", "softmax"}) EXPECT_TRUE(row_major(graph, name)) << name;
}

// Also over what is computed element by element, before and after, and by a pool that comes later.
TEST(MemoryOrder, IsThatOfAFeatureMapWhereAnyReaderSeesOne) {
  GraphBuilder builder("late");
  const Value in = builder.input("in", Shape{4, 6, 8});
  const Value scaled = builder.add("scaled", Affine{}, {in});
  const Value turned = builder.add("turned", Transpose{{0, 2, 1}}, {scaled});
  const Value sum = builder.add("sum", Add{}, {scaled, builder.constant("term", Shape{4, 1, 1})});
  builder.add("pool", Pool{PoolKind::kMax, {2, 2}, {2, 2}, {0, 0}, false}, {sum});
  builder.add("product", MatMul{}, {turned, sum});
  const Graph graph = assembled(std::move(builder));
  for (const char* name : {"in", "scaled", "term", "sum", "pool"}) EXPECT_FALSE(row_major(graph, name)) << name;
  for (const char* name : {"turned", "product"}) EXPECT_TRUE(row_major(graph, name)) << name;
}

}  // namespace
}  // namespace iosx
