#include "models/networks/zoo.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <set>

#include "core/graph/work.h"
#include "tests/networks/structure.h"
#include "tests/support/graphs.h"

namespace iosx::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Graph network(std::string_view name) { return zoo_network(name).value(); }

// One for each output channel of each convolution.
std::int64_t convolution_channels(const Graph& graph) {
  std::int64_t sum = 0;
  for (const Operator& op : graph.operators()) {
    if (const auto* conv = op.as<Conv>()) sum += conv->out_channels;
  }
  return sum;
}

std::int64_t parameters(const Graph& graph) { return total_work(graph, 1).parameters; }

Shape output_shape(const Graph& graph) {
  EXPECT_EQ(graph.outputs().size(), 1U);
  return graph.op(graph.unit(graph.outputs().front()).output()).output;
}

TEST(Zoo, IsInOrder) {
  std::vector<std::string_view> names;
  for (const ZooNetwork& entry : zoo()) names.push_back(entry.name);
  EXPECT_THAT(names, ElementsAre("sample", "inception_v3", "squeezenet", "nasnet", "randwire", "alexnet", "vgg16",
                                 "vgg19", "resnet18", "resnet34", "resnet50", "googlenet"));
}

TEST(Zoo, EveryNetworkIsNamedAsItsEntryAndQuickToBuild) {
  for (const ZooNetwork& entry : zoo()) {
    const auto start = std::chrono::steady_clock::now();
    const Graph graph = entry.build();
    // Takes under a millisecond; the bound leaves room for sanitizers and a busy machine.
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(500)) << entry.name;
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
  const auto graph = zoo_network("inception_v4");
  ASSERT_FALSE(graph.has_value());
  EXPECT_THAT(graph.error().text(), HasSubstr("inception_v4"));
  for (const ZooNetwork& entry : zoo()) EXPECT_THAT(graph.error().remedy, HasSubstr(std::string(entry.name)));
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

TEST(Zoo, EndsInThePublishedShapes) {
  EXPECT_EQ(output_shape(network("sample")), (Shape{1875, 15, 15}));
  EXPECT_EQ(output_shape(network("inception_v3")), (Shape{2048, 1, 1}));
  EXPECT_EQ(output_shape(network("nasnet")), (Shape{3360, 1, 1}));
  EXPECT_EQ(output_shape(network("randwire")), (Shape{1280, 1, 1}));
  EXPECT_EQ(output_shape(network("squeezenet")), (Shape{1000, 1, 1}));  // a pooled map, not a classifier
  for (const char* name : {"alexnet", "vgg16", "vgg19", "resnet18", "resnet34", "resnet50", "googlenet"}) {
    EXPECT_EQ(output_shape(network(name)), Shape{1000}) << name;
  }
}

TEST(Zoo, HasThePublishedParameterCounts) {
  EXPECT_EQ(parameters(network("alexnet")), 61'100'840);
  EXPECT_EQ(parameters(network("vgg16")), 138'357'544);
  EXPECT_EQ(parameters(network("vgg19")), 143'667'240);
}

// The published counts are of convolutions without bias, each followed by a batch normalisation with two parameters a
// channel. Folded into the convolution these become one bias a channel, so one a channel is missing here.
TEST(Zoo, HasThePublishedParameterCountsLessFoldedBatchNormalisation) {
  const auto unfolded = [](const Graph& graph) { return parameters(graph) + convolution_channels(graph); };
  EXPECT_EQ(unfolded(network("resnet18")), 11'689'512);
  EXPECT_EQ(unfolded(network("resnet34")), 21'797'672);
  EXPECT_EQ(unfolded(network("resnet50")), 25'557'032);
  EXPECT_EQ(unfolded(network("googlenet")), 6'624'904);
  // Published without the auxiliary classifier: 23,834,568, of which the final classifier, left out here, has
  // 2048 · 1000 + 1000.
  EXPECT_EQ(unfolded(network("inception_v3")), 23'834'568 - 2'049'000);
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

// Published multiply-adds (10⁹, 224 × 224, Inception 299 × 299), counted without biases, pooling and element-wise
// operators; an operator count of two for each multiply-add must lie a little above.
TEST(Zoo, HasAboutThePublishedWork) {
  const std::pair<const char*, double> published[] = {
      {"alexnet", 0.714},  {"vgg16", 15.470},   {"vgg19", 19.632},    {"resnet18", 1.814},
      {"resnet34", 3.664}, {"resnet50", 4.089}, {"googlenet", 1.498}, {"inception_v3", 5.713},
  };
  for (const auto& [name, multiply_adds] : published) {
    const double flops = total_work(network(name), 1).flops / 1e9;
    EXPECT_GT(flops, 2 * multiply_adds * 0.999) << name;
    EXPECT_LT(flops, 2 * multiply_adds * 1.01) << name;
  }
}

}  // namespace
}  // namespace iosx::test
