#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "core/formats/document.h"
#include "models/networks/randwire.h"
#include "models/networks/zoo.h"
#include "tests/models/structure.h"
#include "tests/support/graphs.h"

// The zoo against the published graphs.
namespace iosx::test {
namespace {

class ReferenceGraphs : public testing::Test {
 protected:
  void SetUp() override {
    if (reference_folder().empty()) GTEST_SKIP() << "the folder with the published graphs is absent";
  }

  static Graph published(const std::string& file) {
    const auto path = reference_folder() / "graphs" / file;
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    auto document = parse_ios_json(text.str(), path.string());
    EXPECT_TRUE(document.has_value()) << document.error().text();
    return *document.value().graph;
  }
};

// The stages of a randomly wired network: parts that are neither the first nor the last, their last unit the output.
std::vector<RandWireStage> stages_of(const Graph& graph) {
  std::vector<RandWireStage> stages;
  for (std::size_t i = 1; i + 1 < graph.parts().size(); ++i) {
    const auto& units = graph.parts()[i].units;
    RandWireStage stage;
    stage.channels = graph.op(graph.unit(units.front()).output()).output.channels();
    stage.nodes = static_cast<int>(units.size()) - 1;
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
  const auto actual = build_randwire("randwire", stages);
  ASSERT_TRUE(actual.has_value()) << actual.error().text();
  EXPECT_EQ(first_difference(expected, *actual, {.unordered_sums = true}), "");
  EXPECT_EQ(part_sizes(*actual), part_sizes(expected));
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

}  // namespace
}  // namespace iosx::test
