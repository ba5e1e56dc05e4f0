#include "models/networks/zoo.h"
#include "core/analysis/compare/compare.h"
#include "core/formats/document.h"
#include "core/search/baseline.h"
#include "models/networks/randwire.h"
#include "tests/models/structure.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"
#include "tests/support/simulated.h"

namespace iosx::test {
namespace {

Graph network(std::string_view name) { return zoo_network(name).value(); }

std::int64_t parameters(const Graph& graph) { return total_work(graph, 1).parameters; }

Shape output_shape(const Graph& graph) {
  EXPECT_EQ(graph.outputs().size(), 1U);
  return graph.op(graph.outputs().front()).output;
}

TEST(Zoo, IsInOrder) {
  const auto names = mapped<std::string_view>(zoo(), &ZooNetwork::name);
  EXPECT_THAT(names,
              ElementsAre("sample", "inception_v3", "squeezenet", "nasnet", "randwire", "alexnet", "vgg16", "vgg19",
                          "resnet18", "resnet34", "resnet50", "googlenet", "inception_resnet_v2", "densenet121",
                          "nasnet_mobile", "shufflenet_v2", "mobilenet_v3_large", "mobilenet_v3_small",
                          "efficientnet_b0", "regnet_y_800mf", "hrnet_w18", "convnext_tiny", "randwire_320", "yolox_s",
                          "efficientdet_d0", "unet", "vit_b16", "parallel_vit_s16", "bert_base", "mixture_of_experts"));
}

TEST(Zoo, EveryNetworkIsNamedAsItsEntryAndQuickToBuild) {
  for (const ZooNetwork& entry : zoo()) {
    const auto start = std::chrono::steady_clock::now();
    const Graph graph = entry.build();
    // A few milliseconds at most, and some tens where weights are given; the bound leaves room for a busy machine.
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(500 * every(20))) << entry.name;
    EXPECT_EQ(graph.name(), entry.name);
    EXPECT_FALSE(entry.title.empty());
    EXPECT_FALSE(entry.summary.empty());
    EXPECT_EQ(graph.inputs().size(), 1U);
    EXPECT_EQ(graph.outputs().size(), 1U);
  }
}

TEST(Zoo, NamesInsideANetworkAreUnique) {
  for (const ZooNetwork& entry : zoo()) {
    const Graph graph = entry.build();
    std::set<std::string> operators;
    std::set<std::string> units;
    std::set<std::string> parts;
    for (const Operator& op : graph.operators()) EXPECT_TRUE(operators.insert(op.name).second) << op.name;
    for (const Unit& unit : graph.units()) EXPECT_TRUE(units.insert(unit.name).second) << unit.name;
    for (const Part& part : graph.parts()) EXPECT_TRUE(parts.insert(part.name).second) << part.name;
  }
}

TEST(Zoo, AnUnknownNameIsAnErrorThatListsTheNames) {
  const Error error = refused(zoo_network("inception_v4"));
  EXPECT_THAT(error.text(), HasSubstr("inception_v4"));
  for (const ZooNetwork& entry : zoo()) EXPECT_THAT(error.remedy, HasSubstr(std::string(entry.name)));
}

TEST(Zoo, HasThePublishedPartSizes) {
  EXPECT_THAT(part_sizes(network("sample")), ElementsAre(5));
  EXPECT_THAT(part_sizes(network("squeezenet")), ElementsAre(2, 6, 5, 6, 1, 5, 6, 5, 6, 1, 5, 2));
  EXPECT_THAT(part_sizes(network("inception_v3")), ElementsAre(7, 9, 9, 9, 6, 12, 12, 12, 12, 8, 11, 11, 1));
  EXPECT_THAT(part_sizes(network("nasnet")), ElementsAre(1, 18, 21, 18, 16, 16, 16, 16, 16, 19, 18, 16, 16, 16, 16, 16,
                                                         19, 18, 16, 16, 16, 16, 16, 1, 1));
  EXPECT_THAT(part_sizes(network("randwire")), ElementsAre(1, 17, 33, 33, 33, 3));
}

TEST(Zoo, PartsOfTheOthersAreBlocks) {
  EXPECT_THAT(part_sizes(network("alexnet")), ElementsAre(8, 3));
  EXPECT_THAT(part_sizes(network("vgg16")), ElementsAre(3, 3, 4, 4, 4, 3));
  EXPECT_THAT(part_sizes(network("vgg19")), ElementsAre(3, 3, 5, 5, 5, 3));
  EXPECT_THAT(part_sizes(network("resnet18")), ElementsAre(2, 3, 3, 4, 3, 4, 3, 4, 3, 2));
  EXPECT_THAT(part_sizes(network("resnet34")), ElementsAre(2, 3, 3, 3, 4, 3, 3, 3, 4, 3, 3, 3, 3, 3, 4, 3, 3, 2));
  EXPECT_THAT(part_sizes(network("resnet50")), ElementsAre(2, 5, 4, 4, 5, 4, 4, 4, 5, 4, 4, 4, 4, 4, 5, 4, 4, 2));
  EXPECT_THAT(part_sizes(network("googlenet")), ElementsAre(5, 8, 8, 1, 8, 8, 8, 8, 8, 1, 8, 8, 2));
}

std::vector<std::size_t> joined(std::initializer_list<std::vector<std::size_t>> lists) {
  std::vector<std::size_t> all;
  for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}
std::vector<std::size_t> times(std::size_t count, std::size_t size) { return std::vector(count, size); }

// Stems, blocks and heads; what is larger than a search takes at once is cut where it is narrow.
TEST(Zoo, PartsOfNetworksOfTodayAreBlocks) {
  using Sizes = std::vector<std::size_t>;
  EXPECT_EQ(part_sizes(network("inception_resnet_v2")),
            joined({{7}, times(11, 9), {6}, times(20, 7), {9}, times(10, 7), {3}}));
  EXPECT_EQ(part_sizes(network("densenet121")), (Sizes{2, 18, 3, 36, 3, 36, 36, 3, 48, 3}));
  EXPECT_EQ(part_sizes(network("nasnet_mobile")),
            (Sizes{1, 18, 21, 18, 16, 16, 16, 19, 18, 16, 16, 16, 19, 18, 16, 16, 16, 1, 1, 1}));
  EXPECT_EQ(part_sizes(network("shufflenet_v2")),
            joined({{2, 6}, times(3, 4), {6}, times(7, 4), {6}, times(3, 4), {3}}));
  EXPECT_EQ(part_sizes(network("mobilenet_v3_large")), (Sizes{1, 3, 3, 4, 7, 8, 8, 3, 4, 4, 4, 7, 8, 7, 8, 8, 4}));
  EXPECT_EQ(part_sizes(network("mobilenet_v3_small")), (Sizes{1, 6, 3, 4, 7, 8, 8, 7, 8, 7, 8, 8, 4}));
  EXPECT_EQ(part_sizes(network("efficientnet_b0")), (Sizes{1, 6, 7, 8, 7, 8, 7, 8, 8, 7, 8, 8, 7, 8, 8, 8, 7, 3}));
  EXPECT_EQ(part_sizes(network("regnet_y_800mf")), (Sizes{1, 9, 9, 8, 8, 9, 8, 8, 8, 8, 8, 8, 8, 9, 8, 2}));
  // Branches of 4 blocks of 3 units, then their exchange.
  EXPECT_EQ(part_sizes(network("hrnet_w18")),
            (Sizes{2, 5, 4, 4, 4, 2, 24, 4, 1, 36, 10, 36, 10, 36, 10, 36, 10, 1, 48, 20, 48, 20, 48, 20, 29}));
  EXPECT_EQ(part_sizes(network("convnext_tiny")),
            joined({{2}, times(3, 5), {2}, times(3, 5), {2}, times(9, 5), {2}, times(3, 5), {3}}));
  EXPECT_EQ(part_sizes(network("randwire_320")), (Sizes{1, 161, 321, 321, 321, 3}));
  EXPECT_EQ(part_sizes(network("yolox_s")), (Sizes{2, 8, 14, 14, 13, 9, 9, 8, 8, 28}));
  EXPECT_EQ(part_sizes(network("unet")), (Sizes{2, 3, 3, 3, 3, 5, 5, 5, 5, 1}));
  EXPECT_EQ(part_sizes(network("vit_b16")), joined({{2}, times(12, 11), {2}}));
  EXPECT_EQ(part_sizes(network("parallel_vit_s16")), joined({{2}, times(12, 30), {2}}));
  EXPECT_EQ(part_sizes(network("bert_base")), times(12, 9));
  EXPECT_EQ(part_sizes(network("mixture_of_experts")), times(1, 19));
}

// A search cuts large parts; what is shown stays the network's.
TEST(Zoo, ShownPartsAreThoseBeforeASearch) {
  for (const ZooNetwork& entry : zoo()) {
    SCOPED_TRACE(entry.name);
    const Graph graph = entry.build();
    const std::vector<Part> before = shown_parts(graph);
    const std::vector<Part> after = shown_parts(prepare(graph, {}).value());
    EXPECT_EQ(mapped<std::string>(before, &Part::name), mapped<std::string>(after, &Part::name));
    EXPECT_EQ(mapped<std::vector<UnitId>>(before, &Part::units), mapped<std::vector<UnitId>>(after, &Part::units));
  }
}

TEST(Zoo, EndsInThePublishedShapes) {
  EXPECT_EQ(output_shape(network("sample")), (Shape{1875, 15, 15}));
  EXPECT_EQ(output_shape(network("inception_v3")), (Shape{2048, 1, 1}));
  EXPECT_EQ(output_shape(network("nasnet")), (Shape{3360, 1, 1}));
  EXPECT_EQ(output_shape(network("randwire")), (Shape{1280, 1, 1}));
  EXPECT_EQ(output_shape(network("squeezenet")), (Shape{1000, 1, 1}));  // a pooled map, not a classifier
  for (const char* name :
       {"alexnet", "vgg16", "vgg19", "resnet18", "resnet34", "resnet50", "googlenet", "inception_resnet_v2",
        "densenet121", "nasnet_mobile", "shufflenet_v2", "mobilenet_v3_large", "mobilenet_v3_small", "efficientnet_b0",
        "regnet_y_800mf", "hrnet_w18", "convnext_tiny", "vit_b16", "parallel_vit_s16"}) {
    EXPECT_EQ(output_shape(network(name)), Shape{1000}) << name;
  }
  EXPECT_EQ(output_shape(network("randwire_320")), (Shape{1280, 1, 1}));
  EXPECT_EQ(output_shape(network("yolox_s")), (Shape{85, 8400}));               // 80² + 40² + 20² places
  EXPECT_EQ(output_shape(network("efficientdet_d0")), (Shape{49104, 90 + 4}));  // 9 anchors a place
  EXPECT_EQ(output_shape(network("unet")), (Shape{2, 388, 388}));
  EXPECT_EQ(output_shape(network("bert_base")), (Shape{128, 768}));
  EXPECT_EQ(output_shape(network("mixture_of_experts")), (Shape{128, 768}));
}

// A convolution here has one number an output channel besides its weights: a bias, into which a batch normalisation is
// folded. Published counts are of the network as it is trained, which has so many:
enum class PerChannel { kNothing = 0, kBias = 1, kNorm = 2, kBiasAndScale = 2, kBiasAndNorm = 3 };

template <typename PerChannelOf>
std::int64_t trained_parameters(const Graph& graph, const PerChannelOf& per_channel) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < graph.operators().size(); ++i) {
    const Operator& op = graph.operators()[i];
    const auto* conv = op.as<Conv>();
    sum += work(graph, OperatorId(i), 1).parameters;
    if (conv == nullptr) continue;
    EXPECT_TRUE(graph.parameters()->has_bias(OperatorId(i))) << op.name;
    sum += (static_cast<std::int64_t>(per_channel(op.name)) - 1) * conv->out_channels;
  }
  return sum;
}

// Of sums of products with weights, and of matrix products.
double multiply_adds(const Graph& graph) {
  double sum = 0;
  for (const Operator& op : graph.operators()) {
    const auto elements = static_cast<double>(op.output.elements());
    const auto input = [&] { return graph.shape(op.inputs.front()); };
    if (const auto* conv = op.as<Conv>()) {
      const auto terms = input().channels() / conv->groups * conv->kernel.height * conv->kernel.width;
      sum += elements * static_cast<double>(terms);
    } else if (const auto* up = op.as<ConvTranspose>()) {
      const auto terms = up->out_channels / up->groups * up->kernel.height * up->kernel.width;
      sum += static_cast<double>(input().elements() * terms);
    } else if (const auto* linear = op.as<Linear>()) {
      sum += elements * static_cast<double>(input().elements_from(linear->axis));
    } else if (op.as<MatMul>() != nullptr) {
      sum += elements * static_cast<double>(input()[input().rank() - 1]);
    }
  }
  return sum;
}

TEST(Zoo, HasThePublishedParameterCounts) {
  EXPECT_EQ(parameters(network("alexnet")), 61'100'840);
  EXPECT_EQ(parameters(network("vgg16")), 138'357'544);
  EXPECT_EQ(parameters(network("vgg19")), 143'667'240);
}

TEST(Zoo, HasThePublishedParameterCountsWithBatchNormalisation) {
  const auto all = [](const std::string& /*name*/) { return PerChannel::kNorm; };
  for (const auto& [name, published] : {
           std::pair{"resnet18", 11'689'512},
           {"resnet34", 21'797'672},
           {"resnet50", 25'557'032},
           {"googlenet", 6'624'904},
           // Published without the auxiliary classifier: 23,834,568, of which the final classifier, left out here, has
           // 2048 · 1000 + 1000.
           {"inception_v3", 23'834'568 - 2'049'000},
           {"shufflenet_v2", 2'278'604},
       }) {
    EXPECT_EQ(trained_parameters(network(name), all), published) << name;
  }
}

TEST(Zoo, HasThePublishedParameterCountsWhereNotAllIsNormalised) {
  const auto besides = [](std::string_view part, PerChannel there) {
    return [=](const std::string& name) { return name.find(part) == std::string::npos ? PerChannel::kNorm : there; };
  };
  const auto excited = besides(".se.", PerChannel::kBias);
  EXPECT_EQ(trained_parameters(network("mobilenet_v3_large"), excited), 5'483'032);
  EXPECT_EQ(trained_parameters(network("mobilenet_v3_small"), excited), 2'542'856);
  EXPECT_EQ(trained_parameters(network("efficientnet_b0"), excited), 5'288'548);
  EXPECT_EQ(trained_parameters(network("regnet_y_800mf"), excited), 6'432'512);
  EXPECT_EQ(trained_parameters(network("inception_resnet_v2"),
                               [](const std::string& name) {
                                 return name.starts_with("block") && name.ends_with(".conv") ? PerChannel::kBias
                                                                                             : PerChannel::kNorm;
                               }),
            55'843'464);
  EXPECT_EQ(trained_parameters(network("densenet121"),
                               [](const std::string& name) {
                                 return name.ends_with(".conv2") || name.starts_with("transition")
                                            ? PerChannel::kNothing
                                            : PerChannel::kNorm;
                               }),
            7'978'856);
  EXPECT_EQ(trained_parameters(network("hrnet_w18"),
                               [](const std::string& name) {
                                 return name.starts_with("head.down") || name == "head.final" ? PerChannel::kBiasAndNorm
                                                                                              : PerChannel::kNorm;
                               }),
            21'299'004);
  EXPECT_EQ(trained_parameters(network("nasnet_mobile"), besides(".depthwise", PerChannel::kNothing)), 5'289'978);
}

TEST(Zoo, TransformersHaveThePublishedParameterCounts) {
  const auto biased = [](const std::string& /*name*/) { return PerChannel::kBias; };
  EXPECT_EQ(trained_parameters(network("convnext_tiny"),
                               [](const std::string& name) {
                                 return name.ends_with(".project") ? PerChannel::kBiasAndScale : PerChannel::kBias;
                               }),
            28'589'128);
  const auto factors = [](const Graph& graph) {  // constants that are no parameters: one number each
    return std::ranges::count_if(graph.operators(),
                                 [](const Operator& op) { return op.is_constant() && op.output == Shape{1}; });
  };
  const auto count = [&](std::string_view name) {
    const Graph graph = network(name);
    return trained_parameters(graph, biased) - factors(graph);
  };
  EXPECT_EQ(count("vit_b16"), 86'567'656);
  // The published one normalises before the MLP of each of 12 blocks too, but no queries and keys of the 6 heads.
  EXPECT_EQ(count("parallel_vit_s16"), 22'050'664 - 12 * 2 * 384 + 12 * 6 * 2 * 2 * 64);
  EXPECT_EQ(count("bert_base"), 85'054'464);  // 109,482,240 without embeddings and pooler
  // The published one has no biases.
  EXPECT_EQ(count("mixture_of_experts"), 768 + 8 * 768 + 8 * 2 * 768 * 3072 + 8 + 8 * (3072 + 768));
}

// Published: 8.97 million.
TEST(Zoo, DetectorsHaveThePublishedParameterCounts) {
  const std::int64_t yolox = trained_parameters(network("yolox_s"), [](const std::string& name) {
    const bool prediction = name.ends_with(".classes") || name.ends_with(".boxes") || name.ends_with(".object");
    return prediction ? PerChannel::kBias : PerChannel::kNorm;
  });
  EXPECT_EQ(yolox, 8'968'255);
}

// The published count of SqueezeNet 1.0 is of the network without bypass convolutions.
TEST(Zoo, SqueezeNetHasThePublishedParameterCountBesidesItsBypasses) {
  const Graph graph = network("squeezenet");
  std::int64_t bypasses = 0;
  for (std::size_t i = 0; i < graph.operators().size(); ++i) {
    if (graph.operators()[i].name.ends_with(".bypass")) bypasses += work(graph, OperatorId(i), 1).parameters;
  }
  EXPECT_GT(bypasses, 0);
  EXPECT_EQ(parameters(graph) - bypasses, 1'248'424);
}

// The published network's convolutions have a bias also where a normalisation follows. The weights of its nets count
// once: its levels share them, though each normalises by itself.
TEST(Zoo, EfficientDetHasThePublishedParameterCount) {
  const Graph graph = network("efficientdet_d0");
  std::int64_t sum = trained_parameters(graph, [](const std::string& name) {
    if (name.starts_with("stem") || name.starts_with("stage")) {
      return name.find(".se.") == std::string::npos ? PerChannel::kNorm : PerChannel::kBias;
    }
    if (name.ends_with(".depthwise")) return PerChannel::kNothing;
    return name.starts_with("class.") || name.starts_with("box.") ? PerChannel::kBias : PerChannel::kBiasAndNorm;
  });
  for (const char* net : {"class", "box"}) {
    std::int64_t shared = 0;
    for (int layer = 0; layer <= 3; ++layer) {
      for (const char* what : {"depthwise", "pointwise"}) {
        const auto id = must(graph.find_operator(fmt::format("{}.p3.{}.{}", net, layer, what)));
        shared += work(graph, id, 1).parameters;
        if (what == std::string_view("depthwise")) shared -= graph.op(id).output.channels();
      }
    }
    sum -= 4 * shared;
    sum += 5 * 3 * 2 * 64;  // normalisations of five levels, three layers
  }
  EXPECT_EQ(sum, 3'880'067);
}

// 3 × 3 convolutions of the four levels and the bottom, both ways; then those that double height and width.
TEST(Zoo, UNetHasTheParametersOfItsPaper) {
  std::int64_t expected = (9 + 1) * 64 + 64 * 2 + 2;
  std::int64_t in = 64;
  expected += 9 * 64 * 64 + 64;
  for (const std::int64_t out : {128, 256, 512, 1024}) {
    expected += 9 * in * out + out + 9 * out * out + out;  // down
    expected += 4 * out * in + in;                         // up
    expected += 9 * out * in + in + 9 * in * in + in;      // of both maps
    in = out;
  }
  EXPECT_EQ(parameters(network("unet")), expected);
  EXPECT_NEAR(static_cast<double>(expected), 31.03e6, 0.005e6);
}

// Published multiply-adds (10⁹). Where these count pooling, normalisation and element-wise operators too, up to two in
// a hundred are not in ours.
TEST(Zoo, HasThePublishedWork) {
  struct Published {
    const char* name;
    double multiply_adds;
    double tolerance;  // half of the last published digit, or those two in a hundred
  };
  constexpr Published kPublished[] = {
      {"alexnet", 0.714, 5e-4},
      {"vgg16", 15.470, 5e-3},
      {"vgg19", 19.632, 5e-3},
      {"resnet18", 1.814, 5e-4},
      {"resnet34", 3.664, 5e-4},
      {"resnet50", 4.089, 5e-4},
      {"googlenet", 1.498, 5e-4},
      {"inception_v3", 5.711, 5e-4},
      {"mobilenet_v3_large", 0.217, 5e-4},
      {"mobilenet_v3_small", 0.057, 5e-4},
      {"efficientnet_b0", 0.386, 5e-4},
      {"shufflenet_v2", 0.145, 5e-4},
      {"densenet121", 2.834, 5e-4},
      {"regnet_y_800mf", 0.834, 5e-4},
      {"inception_resnet_v2", 13.18, 0.03},
      {"hrnet_w18", 4.32, 0.04},
      {"nasnet_mobile", 0.564, 5e-4},
      {"yolox_s", 26.8 / 2, 0.06},
      {"efficientdet_d0", 2.54, 0.05},
      {"convnext_tiny", 4.456, 5e-4},
      {"vit_b16", 17.564, 5e-4},
      {"parallel_vit_s16", 4.6, 0.05},
      {"bert_base", 22.5 / 2, 0.1},
  };
  for (const Published& each : kPublished) {
    const Graph graph = network(each.name);
    const double found = multiply_adds(graph);
    EXPECT_NEAR(found / 1e9, each.multiply_adds, each.tolerance) << each.name;
    // What a search is told: two operations each, and a little besides.
    const double flops = total_work(graph, 1).flops;
    EXPECT_GT(flops, 2 * found) << each.name;
    EXPECT_LT(flops, 2.2 * found) << each.name;
  }
}

// Depthwise convolutions weigh more in narrower layers, so that work and weights are a little more.
TEST(Zoo, LargeRandWireIsRandWireInMorePieces) {
  const Graph small = network("randwire");
  const Graph large = network("randwire_320");
  EXPECT_NEAR(multiply_adds(large) / multiply_adds(small), 1, 0.2);
  EXPECT_NEAR(static_cast<double>(parameters(large)) / static_cast<double>(parameters(small)), 1, 0.2);
  EXPECT_GT(large.units().size(), 9 * small.units().size());
}

// The zoo against the published graphs.

class ReferenceGraphs : public testing::Test {
 protected:
  void SetUp() override {
    if (reference_folder().empty()) GTEST_SKIP() << "the folder with the published graphs is absent";
  }

  static Graph published(const std::string& file) {
    const auto path = reference_folder() / "graphs" / file;
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    auto document = must(parse_ios_json(text.str(), path.string()));
    return *document.graph;
  }
};

// The stages of a randomly wired network: parts that are neither the first nor the last, their last unit the output.
std::vector<RandWireStage> stages_of(const Graph& graph) {
  std::vector<RandWireStage> stages;
  for (std::size_t i = 1; i + 1 < graph.parts().size(); ++i) {
    const auto& units = graph.parts()[i].units;
    RandWireStage stage{.channels = graph.op(graph.unit(units.front()).output()).output.channels(),
                        .nodes = static_cast<int>(units.size()) - 1};
    std::map<UnitId, int> number;
    for (int node = 0; node < stage.nodes; ++node) {
      number[units[node]] = node;
      for (const UnitId source : graph.predecessors(units[node])) {
        if (number.contains(source)) stage.edges.push_back({number[source], node});
      }
    }
    stages.push_back(std::move(stage));
  }
  return stages;
}

TEST_F(ReferenceGraphs, InceptionV3IsThePublishedOne) {
  const Graph expected = published("inception_v3-sequential.json");
  const Graph actual = zoo_network("inception_v3").value();
  EXPECT_EQ(first_difference(expected, actual), "");
  EXPECT_EQ(part_sizes(actual), part_sizes(expected));
}

TEST_F(ReferenceGraphs, SqueezeNetIsThePublishedOne) {
  const Graph expected = published("squeezenet-sequential.json");
  const Graph actual = zoo_network("squeezenet").value();
  EXPECT_EQ(first_difference(expected, actual), "");
  EXPECT_EQ(part_sizes(actual), part_sizes(expected));
}

// The file has one block for the whole network, so parts are not compared.
TEST_F(ReferenceGraphs, NasnetIsThePublishedOne) {
  EXPECT_EQ(first_difference(published("nasnet-sequential.json"), zoo_network("nasnet").value()), "");
}

// The published graphs were drawn at random; from their edges the builder makes the same network.
TEST_F(ReferenceGraphs, RandWireFromThePublishedEdgesIsThePublishedOne) {
  const Graph expected = published("randwire_large-sequential.json");
  const auto stages = stages_of(expected);
  ASSERT_EQ(stages.size(), 4U);
  const auto actual = must(build_randwire("randwire", stages));
  EXPECT_EQ(first_difference(expected, actual, {.unordered_sums = true}), "");
  EXPECT_EQ(part_sizes(actual), part_sizes(expected));
}

TEST_F(ReferenceGraphs, OurRandWireHasThePublishedStages) {
  const auto expected = stages_of(published("randwire_large-sequential.json"));
  const auto actual = stages_of(zoo_network("randwire").value());
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    EXPECT_EQ(actual[i].channels, expected[i].channels);
    EXPECT_EQ(actual[i].nodes, expected[i].nodes);
    EXPECT_EQ(actual[i].edges.size(), expected[i].edges.size());
    EXPECT_NE(actual[i].edges, expected[i].edges);
  }
}

// The sequential schedule is what speed-ups are measured against: nothing of the zoo may make it slower than it has to
// be.

std::size_t kernels(const Graph& graph, const LowerOptions& lowering, const Schedule& schedule) {
  return StagePlanner(graph, 1, lowering).plan(schedule).kernels.size();
}

// All of the network in one group of one stage: nothing can be fused that this does not fuse.
Schedule in_one_stage(const Graph& graph) {
  Part all;
  for (std::size_t u = 0; u < graph.units().size(); ++u) all.units.emplace_back(u);
  return Schedule{"in one stage", {sequential_stage(all)}};
}

TEST(SequentialOfTheZoo, FusesAllThatOneStreamCan) {
  DeviceRegistry devices;
  add_simulated_devices(devices);
  const std::vector<std::string> ids{"h200", "tesla-v100", "h200-f16"};
  for (std::size_t d = 0; d < ids.size(); d += every(3)) {
    const std::string& id = ids[d];
    const auto device = devices.open(id).value();
    const LowerOptions& lowering = device->info().lowering;
    for (std::size_t n = 0; n < zoo().size(); n += every(4)) {
      const ZooNetwork& entry = zoo()[n];
      const Graph graph = prepare(entry.build(), {}).value();
      const std::size_t sequential = kernels(graph, lowering, sequential_schedule(graph));
      EXPECT_EQ(sequential, kernels(graph, lowering, in_one_stage(graph))) << entry.name << " on " << id;
      EXPECT_LE(sequential, kernels(graph, lowering, one_by_one_schedule(graph))) << entry.name << " on " << id;
    }
  }
}

// What a search may do says nothing of what one stream does.
TEST(SequentialOfTheZoo, DoesNotDependOnTheOptionsOfASearch) {
  const auto device = test::simulated("h200");
  const Graph graph = zoo_network("resnet18").value();
  iosx::CompareOptions options{.schedule_kinds = {ScheduleKind::kSequential}};
  const Schedule usual = compare(graph, *device, options, {}).value().results.front().schedule;
  options.max_part_size = 1;
  EXPECT_EQ(compare(graph, *device, options, {}).value().results.front().schedule, usual);
  EXPECT_EQ(made_baseline(ScheduleKind::kSequential, graph).stages.size(), usual.stages.size());
}

}  // namespace

// A search may take the stages of sequential and greedy, so it never loses to them.
TEST(Zoo, NoSearchIsSlowerThanSequentialOrGreedy) {
  const std::vector<std::string_view> devices{"tesla-v100", "tesla-k80", "rtx-2080-ti", "a100", "h200"};
  const std::vector<std::string_view> names{"sample", "squeezenet", "googlenet", "inception_v3", "resnet50", "vgg16"};
  for (std::size_t i = 0; i < names.size(); i += every(3)) {
    const Graph graph = network(names[i]);
    for (std::size_t d = 0; d < devices.size(); d += every(2)) {
      const auto device = simulated(devices[d]);
      for (const std::int64_t batch : {1, 8, 32, 128}) {
        iosx::CompareOptions options;
        options.batch = batch;
        options.schedule_kinds = {ScheduleKind::kIosMerge, ScheduleKind::kIosParallel, ScheduleKind::kIosBoth};
        const Comparison comparison = must(compare(graph, *device, options, {}));
        for (const ScheduleKind kind : options.schedule_kinds) {
          const Millis took = comparison.find(kind)->latency.value;
          for (const ScheduleKind base : {ScheduleKind::kSequential, ScheduleKind::kGreedy}) {
            EXPECT_LE(took, comparison.find(base)->latency.value * (1 + 1e-9))
                << names[i] << " on " << devices[d] << ", batch " << batch << ", " << row_of(kind).id;
          }
        }
      }
    }
  }
}

}  // namespace iosx::test
