#include "core/formats/wire/graph_wire.h"
#include "core/formats/wire/message_fields.h"
#include "core/formats/wire/writer.h"
#include "core/model/graph/attribute_list.h"
#include "core/model/graph/networks.h"
#include "core/model/plan/stage_planner.h"
#include "core/search/prepare.h"
#include "models/networks/zoo.h"
#include "tests/support/element_functions.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

void expect_same(const Graph& read, const Graph& graph) {
  EXPECT_EQ(test::describe(read), test::describe(graph));
  ASSERT_EQ(read.operators().size(), graph.operators().size());
  for (std::size_t i = 0; i < graph.operators().size(); ++i) {
    const Operator& a = read.operators()[i];
    const Operator& b = graph.operators()[i];
    EXPECT_EQ(a.name, b.name);
    EXPECT_TRUE(a.attributes == b.attributes) << a.name;
    EXPECT_EQ(a.inputs, b.inputs);
    EXPECT_EQ(a.output, b.output);
    EXPECT_EQ(a.unit, b.unit);
    EXPECT_EQ(read.parameters()->dims(OperatorId(i)).weights, graph.parameters()->dims(OperatorId(i)).weights);
    EXPECT_EQ(read.parameters()->has_bias(OperatorId(i)), graph.parameters()->has_bias(OperatorId(i))) << a.name;
  }
  ASSERT_EQ(read.parts().size(), graph.parts().size());
  for (std::size_t i = 0; i < graph.parts().size(); ++i) EXPECT_EQ(read.parts()[i].units, graph.parts()[i].units);
}

Graph through_wire(const Graph& graph) { return must(graph_from_wire(graph_to_wire(graph), "test")); }

// One operator of every kind.
Graph every_kind() {
  auto [b, in] = test::sketch("every kind", Shape{4, 16, 16});
  const Value small = b.constant("small", Tensor({4, 1, 1}, {1, -2.5F, 0.1F, 1e-30F}));
  const Value scalar = b.constant("scalar", Tensor({}, {0.1F}));
  const Value large = b.constant("large", Tensor({4, 32, 32}, std::vector<float>(4096, 3)));
  Conv attributes{.out_channels = 8,
                  .kernel = {3, 5},
                  .padding = {1, 2},
                  .groups = 2,
                  .activation = {ActivationKind::kClip, -kInfinity, 6.1F},
                  .merged_from = {"x", "y"}};
  const Value conv = b.add("conv", attributes, {in});
  b.begin_unit("several", "a hint");
  Pool pool{PoolKind::kAverage, {3, 3}, {2, 2}, {1, 1}};
  pool.ceil_mode = true;
  pool.count_padding = false;
  const Value first = b.add("first", pool, {conv});
  b.add("several", Activate{{ActivationKind::kLeakyRelu, 0.2F, 0}}, {first});
  const Value several = b.end_unit();
  ConvTranspose transposed{.out_channels = 4};
  transposed.kernel = transposed.stride = {2, 2};
  transposed.padding = {1, 1};
  const Value up = b.add("up", transposed, {several});
  const Value affine = b.add("affine", Affine{Activation::kRelu}, {in});
  const Value added = b.add("added", Add{}, {affine, small});
  const Value product = b.add("product", Mul{}, {added, scalar});
  const Value less = b.add("less", Binary{BinaryFunction::kSub}, {product, in});
  const Value ratio = b.add("ratio", Binary{BinaryFunction::kDiv}, {less, in});
  const Value chosen = b.add("chosen", Where{}, {ratio, in, scalar});
  const Value normal = b.add("normal", Normalize{1, 1e-3F, false, true}, {chosen});
  const Value wide = b.add("wide", Expand{Shape{4, 16, 16}}, {normal});
  const Value looked_up = b.add("looked_up", Gather{GatherKind::kElements, 2}, {wide, wide});
  const Value copy = b.add("copy", Identity{}, {looked_up});
  const Value joined = b.add("joined", Concat{0}, {copy, in, up});
  const Value part{joined.producer, 2, 6};
  const Value padded = b.add("padded", Pad{PadMode::kConstant, {0, 1, 1}, {0, 1, -1}, -kInfinity}, {part});
  const Value sliced = b.add("sliced", Slice{{0, 16, 0}, {1, -1, 1}, Shape{4, 16, 16}}, {padded});
  const Value resized = b.add(
      "resized",
      Resize{ResizeMode::kLinear, ResizeCoordinates::kAlignCorners, ResizeRounding::kCeil, {1, 2, 2}, Shape{4, 32, 32}},
      {sliced});
  const Value sum = b.add("sum", Add{}, {resized, large});
  const Value lrn = b.add("lrn", Lrn{5, 1e-4F, 0.75F, 2}, {sum});
  const Value turned = b.add("turned", Transpose{{1, 0, 2}}, {lrn});
  const Value flat = b.add("flat", Reshape{Shape{32, 128}}, {turned});
  const Value square = b.add("square", MatMul{}, {flat, b.add("other", Reshape{Shape{128, 32}}, {lrn})});
  const Value soft = b.add("soft", Softmax{1}, {square});
  const Value mean = b.add("mean", Reduce{ReduceKind::kMean, {0, 1}, false}, {soft});
  const Value turning = b.add("turning", Reshape{Shape{32, 2, 64}}, {lrn});
  Recurrent gru{RecurrentKind::kGru, RecurrentDirection::kBoth, 3, true};
  const Value recurrent = b.add("recurrent", gru, {turning});
  b.add("celled", Recurrent{.hidden = 2, .last_cell = true}, {turning});
  const Value top = b.add("top", TopK{2, 0, false, TopKOutput::kIndices}, {recurrent});
  const Value grid = b.add("grid", Reshape{Shape{3, 4, 2}}, {top});
  b.add("sampled", GridSample{GridMode::kCubic, GridPadding::kReflection, true}, {lrn, grid});
  const Value strange = b.add("strange", Opaque{"LSTM", "node 7", Shape{3}}, {mean});
  b.begin_part("last");
  b.add("linear", Linear{10, Activation::kTanh}, {strange});
  return must(std::move(b).build());
}

TEST(GraphWire, BringsEveryZooNetworkBack) {
  for (std::size_t i = 0; i < zoo().size(); i += test::every(3)) {
    const ZooNetwork& network = zoo()[i];
    SCOPED_TRACE(network.name);
    const Graph graph = network.build();
    const std::string text = graph_to_wire(graph);
    const auto read = must(graph_from_wire(text, "test"));
    expect_same(read, graph);
    EXPECT_EQ(graph_to_wire(read), text);
  }
}

TEST(GraphWire, BringsEveryKindOfOperatorBack) {
  const Graph graph = every_kind();
  std::set<std::size_t> kinds;
  for (const Operator& op : graph.operators()) kinds.insert(op.attributes.index());
  ASSERT_EQ(kinds.size(), std::variant_size_v<Attributes>);
  const Graph read = through_wire(graph);
  expect_same(read, graph);
  EXPECT_EQ(read.unit(*read.find_unit("several")).hint, "a hint");
  EXPECT_EQ(read.parts().size(), 2U);
}

TEST(GraphWire, KeepsWholeUnits) {
  const Graph graph = test::whole_unit();
  EXPECT_THAT(graph_to_wire(graph), HasSubstr(R"({"name":"u","hint":"","whole":true},{"name":"c","hint":""})"));
  const Graph read = through_wire(graph);
  EXPECT_TRUE(read.unit(UnitId(0)).whole);
  EXPECT_FALSE(read.unit(UnitId(1)).whole);
  EXPECT_EQ(test::describe(read), test::describe(graph));
}

TEST(GraphWire, KnowsWhichBiasesAreNotThere) {
  auto [b, in] = test::sketch("biases", {4, 3, 3});
  Conv attributes{.out_channels = 8};
  const Value conv = b.add("conv", attributes, {in});
  b.leave_out_bias(conv);
  b.add("linear", Linear{10}, {conv});
  const Graph graph = std::move(b).build().value();
  const Graph read = through_wire(graph);
  expect_same(read, graph);
  EXPECT_FALSE(read.parameters()->has_bias(*read.find_operator("conv")));
  EXPECT_TRUE(read.parameters()->has_bias(*read.find_operator("linear")));

  const std::string text = graph_to_wire(graph);
  const std::string list = R"(,"unbiased":[1])";
  const std::size_t at = text.find(list);
  ASSERT_NE(at, std::string::npos) << text;
  for (const char* const other : {"[0]", "[3]", "[null]"}) {
    std::string bad = text;
    bad.replace(at, list.size(), std::string(",\"unbiased\":") + other);
    EXPECT_FALSE(graph_from_wire(bad, "test")) << other;
  }
}

TEST(GraphWire, CarriesSmallConstantsAndMakesUpLargeOnes) {
  const Graph graph = every_kind();
  const Graph read = through_wire(graph);
  for (const char* const name : {"small", "scalar"}) {
    const OperatorId id = *graph.find_operator(name);
    EXPECT_TRUE(
        std::ranges::equal(read.parameters()->weights(id).elements(), graph.parameters()->weights(id).elements()))
        << name;
  }
  const OperatorId large = *graph.find_operator("large");
  const Tensor made_up = read.parameters()->weights(large);
  EXPECT_TRUE(std::ranges::equal(made_up.dims(), graph.parameters()->weights(large).dims()));
  EXPECT_FALSE(std::ranges::equal(made_up.elements(), graph.parameters()->weights(large).elements()));
}

// Its matrices are constants that are made up, as the weights of a convolution would be.
TEST(GraphWire, KnowsWhetherNumbersWereMadeUp) {
  EXPECT_FALSE(has_numbers_of_its_own(zoo_network("bert_base").value()));
  const auto product = [](const std::vector<float>& matrix) {
    auto [builder, in] = test::sketch("product", Shape{2, 64});
    const Value right = matrix.empty() ? builder.constant("matrix", Shape{64, 64})
                                       : builder.constant("matrix", Tensor({64, 64}, matrix));
    builder.add("op", MatMul{}, {in, right});
    return std::move(builder).build().value();
  };
  EXPECT_FALSE(has_numbers_of_its_own(product({})));
  EXPECT_TRUE(has_numbers_of_its_own(product(std::vector<float>(64 * 64, 1))));
}

TEST(GraphWire, KeepsPartsThatWereCutForASearch) {
  const auto cut = must(prepare(*zoo_network("inception_v3"), SearchOptions{}, 10));
  ASSERT_GT(cut.parts().size(), 3U);
  expect_same(through_wire(cut), cut);
}

TEST(GraphWire, KeepsNamesOfAnyBytes) {
  GraphBuilder builder("q\"\\\n\x01");
  const Value in = builder.input("\xFF\xFE not UTF-8", Shape{1, 2, 2});
  builder.add("größe\t\x7F", Identity{}, {in});
  const auto graph = must(std::move(builder).build());
  const Graph read = through_wire(graph);
  EXPECT_EQ(read.name(), graph.name());
  EXPECT_EQ(read.operators()[0].name, "\xFF\xFE not UTF-8");
  EXPECT_EQ(read.operators()[1].name, graph.operators()[1].name);
}

TEST(GraphWire, RefusesOtherFormsAndVersionsInWords) {
  const std::string text = graph_to_wire(test::diamond());
  auto json = nlohmann::json::parse(text);
  for (const int version : {2, 9}) {
    json["version"] = version;
    const Error error = refused(graph_from_wire(json.dump(), "some file"));
    EXPECT_EQ(error.where, "some file");
    EXPECT_THAT(error.what, HasSubstr("version " + std::to_string(version)));
    EXPECT_THAT(error.remedy, HasSubstr("the version of IOS Explorer that wrote it"));
  }
  json["format"] = "iosx-plan";
  EXPECT_THAT(graph_from_wire(json.dump(), "f").error().what, HasSubstr("'iosx-graph'"));
  for (const char* other :
       {"", "{}", "[]", "7", "{\"format\":\"iosx-graph\"}", "{\"format\":\"iosx-graph\",\"version\":0}"}) {
    EXPECT_FALSE(graph_from_wire(other, "f")) << other;
  }
}

TEST(GraphWire, PassesOverKeysOfLaterPrograms) {
  auto json = nlohmann::json::parse(graph_to_wire(test::diamond()));
  json["content"]["operators"][1]["colour"] = "blue";
  const auto read = must(graph_from_wire(json.dump(), "f"));
  expect_same(read, test::diamond());
}

struct Edit {
  const char* pointer;  // JSON pointer below "content"; what is there is replaced
  const char* value;
  const char* place;  // of the error
};

TEST(GraphWire, SaysWhereAMistakeIs) {
  const auto json = nlohmann::json::parse(graph_to_wire(test::diamond()));
  // operators: in, a, b, c, d.add1, d; units a, b, c, d
  constexpr Edit kEdits[] = {
      {"/operators/1/name", "\"b\"", "content.operators[2]"},
      {"/operators/1/name", "\"\"", "content.operators[1]"},
      {"/operators/1/name", "null", "content.operators[1].name"},
      {"/operators/1/attributes/kind", "\"no such kind\"", "content.operators[1].attributes"},
      {"/operators/1/attributes/kind", "\"linear\"", "content.operators[1].attributes"},
      {"/operators/1/attributes/kind", "\"input\"", "content.operators[1].attributes"},
      {"/operators/1/attributes/out_channels", "0", "content.operators[1]"},
      {"/operators/1/attributes/out_channels", "1e3", "content.operators[1].attributes.out_channels"},
      {"/operators/1/attributes/out_channels", "9007199254740993", "content.operators[1].attributes.out_channels"},
      {"/operators/1/attributes/end_padding", "[9007199254740992,9007199254740992]", "content.operators[1]"},
      {"/operators/1/attributes/kernel", "[3]", "content.operators[1].attributes.kernel"},
      {"/operators/1/attributes/activation/alpha", "1e300", "content.operators[1].attributes.activation.alpha"},
      {"/operators/1/inputs/0/0", "1", "content.operators[1]"},
      {"/operators/1/inputs/0/0", "4294967295", "content.operators[1].inputs[0][0]"},
      {"/operators/1/inputs/0/0", "null", "content.operators[1]"},
      {"/operators/1/inputs/0/2", "9", "content.operators[1]"},
      {"/operators/1/inputs/0/1", "8", "content.operators[1]"},
      {"/operators/1/unit", "null", "content.operators[1]"},
      {"/operators/1/unit", "1", "content.operators[1]"},
      {"/operators/0/unit", "0", "content.operators[0]"},
      {"/operators/0/attributes/shape", "[8,0,16]", "content.operators[0].attributes.shape[1]"},
      {"/operators/0/attributes/shape", "[16777216,16777216]", "content.operators[0].attributes.shape"},
      {"/operators/0/attributes/shape", "[1,1,1,1,1,1,1,1,1]", "content.operators[0].attributes.shape"},
      {"/operators/5/unit", "4", "content.operators[5]"},
      {"/units/0/name", "\"b\"", "content.operators[2]"},
      {"/units/4", "{\"name\":\"e\",\"hint\":\"\"}", "content.units"},
      {"/parts/0/units", "3", "content.parts"},
      {"/parts/0/units", "5", "content.parts[0]"},
      {"/parts/0/units", "-1", "content.parts[0].units"},
      {"/operators", "[]", "content.units"},
      {"/constants/0", R"({"constant":1,"value":{"dims":[1],"float32":"AAAAAA=="}})", "content.operators[1]"},
      {"/constants/0", R"({"constant":1,"value":{"dims":[2],"float32":"AAAAAA=="}})", "content.constants[0].value"},
      {"/constants/0", R"({"constant":1,"value":{"dims":[1],"float32":"AAAAA"}})", "content.constants[0].value"},
  };
  for (const Edit& edit : kEdits) {
    auto edited = json;
    edited["content"][nlohmann::json::json_pointer(edit.pointer)] = nlohmann::json::parse(edit.value);
    const auto read = graph_from_wire(edited.dump(), "f");
    ASSERT_FALSE(read) << edit.pointer << " = " << edit.value;
    EXPECT_EQ(read.error().where, std::string("f: ") + edit.place)
        << edit.pointer << " = " << edit.value << ": " << read.error().text();
  }
}

Graph two_networks() {
  const Graph graph = test::diamond();
  return *unite(std::array{&graph, &graph});
}

TEST(GraphWire, KeepsSeveralNetworksAndTheirNumbers) {
  const Graph graph = two_networks();
  const Graph read = through_wire(graph);
  expect_same(read, graph);
  EXPECT_THAT(read.networks(), testing::ElementsAreArray(graph.networks()));
  for (std::size_t i = 0; i < graph.operators().size(); ++i) {
    const OperatorId id(i);
    EXPECT_EQ(read.op(id).network, graph.op(id).network);
    EXPECT_TRUE(
        std::ranges::equal(read.parameters()->weights(id).elements(), graph.parameters()->weights(id).elements()));
  }
}

TEST(GraphWire, RefusesNetworksThatDoNotFit) {
  const auto text = [](auto change) {
    auto json = nlohmann::json::parse(graph_to_wire(two_networks()));
    change(json["content"]["networks"]);
    return graph_from_wire(json.dump(), "test");
  };
  EXPECT_THAT(refused(text([](auto& networks) { networks[0]["operators"].erase(0); })).text(),
              HasSubstr("operator 0 is in no network"));
  EXPECT_THAT(refused(text([](auto& networks) { networks[1]["operators"].push_back(0); })).text(),
              HasSubstr("networks[1]"));
  EXPECT_FALSE(text([](auto& networks) { networks[1]["operators"].push_back(9999); }));
  EXPECT_FALSE(text([](auto& networks) { networks[1]["name"] = ""; }));
  EXPECT_TRUE(text([](auto& networks) { networks = nlohmann::json::array(); }));
}

// Kept files must keep their bytes: the text of operators that stage keys are made of, their form in files,
// and the keys of the zoo's stages. The golden files were written before operators had a schema.

// Changes of one member, or of all.
template <typename Kind, typename Member>
auto set(Member Kind::*member, std::type_identity_t<Member> value) {
  return [=](Kind& x) { x.*member = value; };
}
template <typename Kind>
auto to(Kind value) {
  return [=](Kind& x) { x = value; };
}

// Every member of every kind, with its usual value and others.
std::vector<Attributes> variants() {
  std::vector<Attributes> all;
  const auto vary = [&]<typename Kind>(const Kind& usual, auto... changes) {
    all.emplace_back(usual);
    const auto with = [&](auto change) {
      Kind other = usual;
      change(other);
      all.emplace_back(other);
    };
    (with(changes), ...);
  };
  vary(Input{Shape{3, 224, 224}}, set(&Input::shape, {}));
  vary(Constant{Shape{4}}, set(&Constant::shape, {2, 3, 4, 5}));
  vary(Conv{.out_channels = 8, .kernel = {3, 5}}, set(&Conv::stride, {2, 1}), set(&Conv::padding, {1, 2}),
       set(&Conv::dilation, {2, 3}), set(&Conv::groups, 4), set(&Conv::activation, Activation::kRelu),
       set(&Conv::merged_from, {"a", "b"}), set(&Conv::end_padding, {-1, 2}),
       to(Conv{12, {1, 7}, {2, 2}, {3, 4}, {5, 6}, 2, {ActivationKind::kClip, -1.5F, 6}, {"c"}, {1, -1}}));
  vary(
      ConvTranspose{.out_channels = 8, .kernel = {3, 5}}, set(&ConvTranspose::stride, {2, 1}),
      set(&ConvTranspose::padding, {1, 2}), set(&ConvTranspose::dilation, {2, 3}), set(&ConvTranspose::groups, 4),
      set(&ConvTranspose::activation, Activation::kTanh), set(&ConvTranspose::end_padding, {-1, 2}),
      set(&ConvTranspose::output_padding, {1, 0}),
      to(ConvTranspose{12, {1, 7}, {2, 2}, {3, 4}, {5, 6}, 2, {ActivationKind::kLeakyRelu, 0.1F, 0}, {1, -1}, {1, 1}}));
  for (const PoolKind kind : {PoolKind::kMax, PoolKind::kAverage, PoolKind::kGlobalMax, PoolKind::kGlobalAverage}) {
    vary(Pool{.kind = kind}, set(&Pool::kernel, {3, 2}), set(&Pool::stride, {2, 1}), set(&Pool::padding, {1, 2}),
         set(&Pool::ceil_mode, true), set(&Pool::dilation, {2, 3}), set(&Pool::count_padding, false),
         set(&Pool::end_padding, {-1, 2}), to(Pool{kind, {3, 3}, {2, 2}, {1, 1}, true, {2, 2}, false, {1, 0}}));
  }
  for (const Activation& function : test::every_activation()) all.emplace_back(Activate{function});
  vary(Affine{}, set(&Affine::activation, {ActivationKind::kHardSigmoid, 0.2F, 0.5F}), set(&Affine::shift_first, true));
  all.insert(all.end(), {Add{}, Mul{}, Where{}, Identity{}});
  for (const BinaryRow& row : binary_rows()) all.emplace_back(Binary{row.function});
  vary(Concat{}, set(&Concat::axis, 2));
  vary(Linear{.out_features = 10}, set(&Linear::activation, Activation::kRelu), set(&Linear::axis, 1),
       to(Linear{7, {ActivationKind::kElu, 0.5F, 0}, 3}));
  vary(MatMul{}, set(&MatMul::sparse, true));
  for (const RecurrentKind kind : {RecurrentKind::kRnn, RecurrentKind::kGru, RecurrentKind::kLstm}) {
    vary(Recurrent{.kind = kind}, set(&Recurrent::direction, RecurrentDirection::kReverse),
         set(&Recurrent::direction, RecurrentDirection::kBoth), set(&Recurrent::hidden, 32),
         set(&Recurrent::linear_before_reset, true), set(&Recurrent::peepholes, true),
         set(&Recurrent::last_cell, true));
  }
  vary(TopK{}, set(&TopK::k, 5), set(&TopK::axis, 2), set(&TopK::largest, false),
       set(&TopK::output, TopKOutput::kIndices), to(TopK{3, 1, false, TopKOutput::kIndices}));
  for (const GridMode mode : {GridMode::kNearest, GridMode::kLinear, GridMode::kCubic}) {
    vary(GridSample{.mode = mode}, set(&GridSample::padding, GridPadding::kBorder),
         set(&GridSample::padding, GridPadding::kReflection), set(&GridSample::align_corners, true));
  }
  vary(Reshape{Shape{3, 4}}, set(&Reshape::shape, {}));
  vary(Expand{Shape{3, 4}}, set(&Expand::shape, {}));
  vary(Transpose{{2, 0, 1}}, set(&Transpose::axes, {}));
  vary(Slice{{1, 2}, {1, 1}, Shape{3, 4}}, to(Slice{{9, 0}, {-2, 1}, Shape{2, 1}}));
  for (const PadMode mode : {PadMode::kConstant, PadMode::kReflect, PadMode::kEdge}) {
    vary(Pad{mode, {0, 1}, {2, -3}, 0}, set(&Pad::value, 1.5F),
         set(&Pad::value, -std::numeric_limits<float>::infinity()));
  }
  for (const ResizeMode mode : {ResizeMode::kNearest, ResizeMode::kLinear}) {
    vary(Resize{.mode = mode, .scales = {1, 2, 1.5F}, .shape = {3, 8, 6}},
         set(&Resize::coordinates, ResizeCoordinates::kPytorchHalfPixel),
         set(&Resize::coordinates, ResizeCoordinates::kAlignCorners),
         set(&Resize::coordinates, ResizeCoordinates::kAsymmetric), set(&Resize::rounding, ResizeRounding::kPreferCeil),
         set(&Resize::rounding, ResizeRounding::kFloor), set(&Resize::rounding, ResizeRounding::kCeil));
  }
  for (const GatherKind kind : {GatherKind::kSlices, GatherKind::kElements}) {
    vary(Gather{.kind = kind}, set(&Gather::axis, 3));
  }
  vary(Softmax{}, set(&Softmax::axis, 2));
  vary(Normalize{}, set(&Normalize::axis, 1), set(&Normalize::epsilon, 1e-3F), set(&Normalize::centred, false),
       set(&Normalize::scaled, false));
  vary(Lrn{}, to(Lrn{5, 2e-4F, 0.5F, 2}));
  for (int kind = 0; kind <= static_cast<int>(ReduceKind::kArgMin); ++kind) {
    vary(Reduce{.kind = static_cast<ReduceKind>(kind), .axes = {1}}, set(&Reduce::axes, {0, 2}),
         set(&Reduce::keep_dims, false), set(&Reduce::last, true));
  }
  vary(Opaque{"LSTM", "node 7", Shape{3}}, to(Opaque{"com.example.Foo", "", {}}),
       to(Opaque{.type = "Foo",
                 .shape = {3},
                 .costed = true,
                 .flops = 8,
                 .parameters = 4,
                 .weight_bytes = 2,
                 .guessed = true}));
  return all;
}

std::string bytes_of_operators() {
  std::string lines;
  for (const Attributes& attributes : variants()) {
    put_attributes(lines, attributes);
    wire::Writer writer;
    writer.put(attributes);
    lines += '\t' + std::move(writer).take() + '\n';
  }
  return lines;
}

// Returns a line for a network: the hash of the keys of each of its units alone, in order.
std::string keys_of(const ZooNetwork& network) {
  const Graph graph = network.build();
  StagePlanner planner(graph, 1, {});
  std::string keys;
  for (std::size_t unit = 0; unit < graph.units().size(); ++unit)
    keys += planner.canonical(single_unit_stage(UnitId(unit))).key.text();
  return fmt::format("{} {:016x}", network.name, hash64(keys));
}

std::string golden(const std::string& name) {
  std::ifstream file(std::string(IOS_SOURCE_FOLDER) + "/tests/golden/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(OperatorBytes, StayAsTheyWere) {
  std::istringstream expected(golden("operators.txt"));
  std::istringstream found(bytes_of_operators());
  std::string line;
  std::string other;
  while (std::getline(expected, line)) {
    ASSERT_TRUE(std::getline(found, other)) << line;
    EXPECT_EQ(other, line);
  }
  EXPECT_FALSE(std::getline(found, other)) << other;
}

TEST(OperatorBytes, StageKeysOfTheZooStayAsTheyWere) {
  const std::string expected = golden("stage_keys.txt");
  for (std::size_t i = 0; i < zoo().size(); i += test::every(6)) {
    const std::string line = keys_of(zoo()[i]);
    EXPECT_NE(expected.find(line + '\n'), std::string::npos) << line;
  }
}

}  // namespace

}  // namespace iosx
