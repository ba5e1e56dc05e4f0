#include "core/model/graph/operator_table.h"
#include "core/model/graph/attribute_list.h"
#include "core/model/graph/shape_inference.h"
#include "tests/support/prelude.h"

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
  Conv conv{.out_channels = 8};
  EXPECT_EQ(kind_name(conv), "conv");
  conv.groups = 2;
  EXPECT_EQ(kind_name(conv), "grouped conv");
  conv.groups = 8;
  EXPECT_EQ(kind_name(conv), "depthwise conv");
  conv.merged_from = {"a", "b"};
  EXPECT_EQ(kind_name(conv), "merged conv");
  Pool pool{.kind = PoolKind::kGlobalAverage};
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

TEST(OperatorClass, TellsConvolutionsApartByTheirKernel) {
  Conv conv{.out_channels = 32};
  const auto of = [&](Extent kernel, std::int64_t groups) {
    conv.kernel = kernel;
    conv.groups = groups;
    return operator_class(conv);
  };
  EXPECT_EQ(of({1, 1}, 1), OperatorClass::kConv1x1);
  EXPECT_EQ(of({3, 3}, 1), OperatorClass::kConv3x3);
  EXPECT_EQ(of({1, 7}, 1), OperatorClass::kConvLine);
  EXPECT_EQ(of({3, 1}, 1), OperatorClass::kConvLine);
  EXPECT_EQ(of({5, 5}, 1), OperatorClass::kConvOther);
  EXPECT_EQ(of({3, 3}, 32), OperatorClass::kDepthwiseConv);
  EXPECT_EQ(of({3, 3}, 4), OperatorClass::kGroupedConv);
  EXPECT_EQ(operator_class(ConvTranspose{}), OperatorClass::kTransposedConv);
  EXPECT_EQ(operator_class(Pool{}), OperatorClass::kPool);
  EXPECT_EQ(operator_class(Reduce{}), OperatorClass::kPool);
  EXPECT_EQ(operator_class(Opaque{}), OperatorClass::kOpaque);
}

TEST(OperatorClass, OfAMergedConvolutionIsThatOfItsKernel) {
  Conv conv{.out_channels = 32, .kernel = {3, 3}};
  EXPECT_FALSE(is_merged(conv));
  conv.merged_from = {"a", "b"};
  EXPECT_TRUE(is_merged(conv));
  EXPECT_EQ(operator_class(conv), OperatorClass::kConv3x3);
  EXPECT_FALSE(is_merged(Linear{}));
}

TEST(OperatorClass, HasALetterAndANameOfItsOwn) {
  std::set<std::string_view> letters;
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < kOperatorClasses; ++i) {
    const auto what = static_cast<OperatorClass>(i);
    EXPECT_EQ(class_letter(what).size(), 1U) << i;
    letters.insert(class_letter(what));
    names.insert(class_name(what));
  }
  EXPECT_EQ(letters.size(), kOperatorClasses);
  EXPECT_EQ(names.size(), kOperatorClasses);
}

AttributeEntry entry_of(const Attributes& attributes, std::string_view name) {
  for (const AttributeEntry& entry : attribute_list(attributes)) {
    if (entry.name == name) return entry;
  }
  ADD_FAILURE() << name;
  return {};
}

TEST(AttributeList, EveryAttributeHasItsNameAndComesBackAsItWas) {
  std::set<std::string_view> ids;
  for (std::size_t kind = 0; kind < std::variant_size_v<Attributes>; ++kind) {
    const Attributes attributes = attributes_of_kind(kind);
    ASSERT_EQ(attributes.index(), kind);
    const std::string_view id = operator_row(attributes).id;
    EXPECT_TRUE(ids.insert(id).second) << id;
    EXPECT_EQ(kind_of_id(id), kind);
    std::set<std::string_view> names;
    for (const AttributeEntry& entry : attribute_list(attributes)) {
      SCOPED_TRACE(std::string(id) + "." + std::string(entry.name));
      EXPECT_TRUE(names.insert(entry.name).second);
      EXPECT_LT(entry.least, entry.most);
      Attributes same = attributes;
      EXPECT_TRUE(set_attribute(same, entry.name, entry.value));
      EXPECT_TRUE(same == attributes);
    }
    Attributes same = attributes;
    EXPECT_FALSE(set_attribute(same, "of no kind", std::int64_t{1}));
  }
  EXPECT_FALSE(kind_of_id("of no kind"));
}

TEST(AttributeList, ValuesAreSetByName) {
  Attributes conv = Conv{};
  EXPECT_TRUE(set_attribute(conv, "out_channels", std::int64_t{8}));
  EXPECT_TRUE(set_attribute(conv, "kernel", std::int64_t{3}));
  EXPECT_TRUE(set_attribute(conv, "padding", std::vector<std::int64_t>{1, 2}));
  EXPECT_TRUE(set_attribute(conv, "activation", Activation::kRelu));
  EXPECT_TRUE(conv == Attributes(Conv{
                          .out_channels = 8, .kernel = {3, 3}, .padding = {1, 2}, .activation = Activation::kRelu}));
  EXPECT_FALSE(set_attribute(conv, "kernel", 1.5));
  EXPECT_FALSE(set_attribute(conv, "kernel", std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_FALSE(set_attribute(conv, "groups", std::string("two")));
  Attributes softmax = Softmax{};
  EXPECT_FALSE(set_attribute(softmax, "axis", std::int64_t{-1}));
  Attributes pad = Pad{};
  EXPECT_TRUE(set_attribute(pad, "mode", std::int64_t{2}));
  EXPECT_TRUE(pad == Attributes(Pad{.mode = PadMode::kEdge}));
  EXPECT_FALSE(set_attribute(pad, "mode", std::int64_t{3})) << "there are three words";
  EXPECT_EQ(entry_of(pad, "mode").words.size(), 3U);
}

TEST(AttributeList, WhatMeansNothingBesideTheOthersIsSaidSo) {
  EXPECT_TRUE(entry_of(Pool{.kind = PoolKind::kMax}, "kernel").means_something);
  EXPECT_FALSE(entry_of(Pool{.kind = PoolKind::kGlobalMax}, "kernel").means_something);
  EXPECT_FALSE(entry_of(Pad{.mode = PadMode::kEdge}, "value").means_something);
  EXPECT_TRUE(entry_of(Conv{}, "dilation").usual);
  EXPECT_FALSE(entry_of(Conv{.dilation = {2, 1}}, "dilation").usual);
}

TEST(AttributeList, BoundsAreThoseOfTheRows) {
  EXPECT_TRUE(check_bounds(Conv{.out_channels = 1}));
  EXPECT_EQ(check_bounds(Conv{.out_channels = 0}).error().what, "Output channels 0 must lie in 1..16777216");
  EXPECT_EQ(check_bounds(Conv{.out_channels = 1, .padding = {0, -1}}).error().what,
            "Padding [0, -1] must lie in 0..16777216");
  EXPECT_FALSE(check_bounds(Pool{.kernel = {0, 0}}));
  EXPECT_TRUE(check_bounds(Pool{.kind = PoolKind::kGlobalAverage, .kernel = {0, 0}})) << "it has no window";
}

}  // namespace

}  // namespace iosx
