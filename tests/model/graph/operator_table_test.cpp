#include "core/model/graph/operator_table.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/model/graph/shape_inference.h"

namespace iosx {
namespace {

// What a visitor must be is checked while this file compiles.
struct Every {
  int operator()(const OneOf<Input, Constant, Conv, ConvTranspose, Pool, Activate, Affine, Add, Mul, Binary, Where,
                             Concat, Identity, Linear, MatMul, Reshape, Expand, Transpose, Slice, Pad, Resize, Gather,
                             Softmax, Normalize, Lrn> auto&) {
    return 1;
  }
  int operator()(const Reduce&) { return 2; }
  int operator()(const Opaque&) { return 3; }
  int operator()(const OneOf<Recurrent, TopK, GridSample> auto&) { return 4; }
};
static_assert(CoversEveryKind<Every>);

struct LacksOne {
  template <OperatorKind Kind>
  requires(!std::same_as<Kind, Softmax>) int operator()(const Kind&) { return 1; }
};
static_assert(!CoversEveryKind<LacksOne>);

struct TakesAnything {
  int operator()(const Conv&) { return 1; }
  int operator()(const auto&) { return 0; }
};
static_assert(!CoversEveryKind<TakesAnything>, "a forgotten kind would end up there");

struct HasDefault {
  int operator()(const Conv&) { return 1; }
  int otherwise() { return 0; }
};
static_assert(CoversEveryKind<HasDefault>);

struct HandsOn {
  int operator()(const OperatorKind auto&) { return 0; }  // through the table: each has a row
};
static_assert(CoversEveryKind<HandsOn>);

static_assert(OperatorKind<Linear> && !OperatorKind<Activation> && !OperatorKind<Shape>);
static_assert(LayerKind<Conv> && LayerKind<ConvTranspose> && LayerKind<Linear>);
static_assert(!LayerKind<MatMul> && !LayerKind<Pool> && !LayerKind<Activation>);

template <std::size_t... I>
std::vector<Attributes> one_of_each(std::index_sequence<I...> /*kinds*/) {
  return {Attributes(std::in_place_index<I>)...};
}
std::vector<Attributes> one_of_each() {
  return one_of_each(std::make_index_sequence<std::variant_size_v<Attributes>>());
}

TEST(OperatorTable, EveryKindHasItsOwnRow) {
  std::set<std::string_view> names;
  for (const Attributes& attributes : one_of_each()) {
    const OperatorRow& row = operator_row(attributes);
    EXPECT_EQ(row.kind, attributes.index());
    EXPECT_FALSE(kind_name(attributes).empty());
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_LE(row.least_inputs, row.most_inputs);
    EXPECT_EQ(row.role == OperatorRole::kSource, row.most_inputs == 0);
  }
}

TEST(OperatorTable, VisitsTheKind) {
  EXPECT_EQ(visit_kind(Every{}, Conv{}), 1);
  EXPECT_EQ(visit_kind(Every{}, Reduce{}), 2);
  EXPECT_EQ(visit_kind(Every{}, Opaque{}), 3);
  EXPECT_EQ(visit_kind(HasDefault{}, Conv{}), 1);
  EXPECT_EQ(visit_kind(HasDefault{}, Opaque{}), 0);
}

TEST(OperatorTable, InputsAreCountedForEveryKind) {
  for (const Attributes& attributes : one_of_each()) {
    const OperatorRow& row = operator_row(attributes);
    const std::vector<Shape> shapes(4, Shape{4, 4, 4});
    if (row.least_inputs > 0) {
      const auto too_few = infer_shape(attributes, std::span(shapes).first(row.least_inputs - 1));
      ASSERT_FALSE(too_few.has_value()) << row.name;
      EXPECT_NE(too_few.error().what.text().find("input"), std::string::npos) << too_few.error().what;
    }
    if (row.most_inputs < shapes.size()) {
      const auto too_many = infer_shape(attributes, std::span(shapes).first(row.most_inputs + 1));
      ASSERT_FALSE(too_many.has_value()) << row.name;
      EXPECT_NE(too_many.error().what.text().find("input"), std::string::npos) << too_many.error().what;
    }
  }
}

TEST(OperatorTable, NamesFollowTheAttributes) {
  Conv conv;
  conv.out_channels = 8;
  EXPECT_EQ(kind_name(conv), "conv");
  conv.groups = 2;
  EXPECT_EQ(kind_name(conv), "grouped conv");
  conv.groups = 8;
  EXPECT_EQ(kind_name(conv), "depthwise conv");
  conv.merged_from = {"a", "b"};
  EXPECT_EQ(kind_name(conv), "merged conv");
  Pool pool;
  pool.kind = PoolKind::kGlobalAverage;
  EXPECT_EQ(kind_name(pool), "global average pool");
  EXPECT_EQ(kind_name(Activate{Activation::kTanh}), "tanh");
}

TEST(OperatorTable, FusedActivationsCanBeChanged) {
  for (Attributes attributes : one_of_each()) {
    Activation* const activation = fused_activation(attributes);
    const OperatorRow& row = operator_row(attributes);
    EXPECT_TRUE(activation != nullptr || !(row.takes_residual || row.role == OperatorRole::kLayer)) << row.name;
    if (activation == nullptr) continue;
    *activation = Activation::kSwish;
    EXPECT_EQ(fused_activation(std::as_const(attributes)), Activation::kSwish) << row.name;
  }
}

}  // namespace
}  // namespace iosx
