#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/formats/document.h"
#include "core/search/state_space.h"
#include "models/networks/zoo.h"
#include "tests/support/graphs.h"

namespace iosx {
namespace {

struct Row {
  std::string_view network;
  std::size_t part;
  std::size_t units;
  Pruning pruning;
  SpaceCount connected;
  SpaceCount single_root;
};

// Counted by two other programs that agree with one another: reference/search_space.json, all of it.
const std::vector<Row>& reference_rows() {
  // clang-format off
  static const std::vector<Row> rows{
    {"squeezenet", 0, 2, {0, 0}, {2, 3, 3, "2"}, {2, 3, 3, "2"}},
    {"squeezenet", 1, 6, {0, 0}, {12, 60, 37, "152"}, {12, 51, 29, "131"}},
    {"squeezenet", 2, 5, {0, 0}, {6, 20, 18, "24"}, {6, 18, 16, "22"}},
    {"squeezenet", 3, 6, {0, 0}, {12, 60, 37, "152"}, {12, 51, 29, "131"}},
    {"squeezenet", 4, 1, {0, 0}, {1, 1, 1, "1"}, {1, 1, 1, "1"}},
    {"squeezenet", 5, 5, {0, 0}, {6, 20, 18, "24"}, {6, 18, 16, "22"}},
    {"squeezenet", 6, 6, {0, 0}, {12, 60, 37, "152"}, {12, 51, 29, "131"}},
    {"squeezenet", 7, 5, {0, 0}, {6, 20, 18, "24"}, {6, 18, 16, "22"}},
    {"squeezenet", 8, 6, {0, 0}, {12, 60, 37, "152"}, {12, 51, 29, "131"}},
    {"squeezenet", 9, 1, {0, 0}, {1, 1, 1, "1"}, {1, 1, 1, "1"}},
    {"squeezenet", 10, 5, {0, 0}, {6, 20, 18, "24"}, {6, 18, 16, "22"}},
    {"squeezenet", 11, 2, {0, 0}, {2, 3, 3, "2"}, {2, 3, 3, "2"}},
    {"squeezenet", 0, 2, {3, 8}, {2, 3, 3, "2"}, {2, 3, 3, "2"}},
    {"squeezenet", 1, 6, {3, 8}, {12, 51, 29, "138"}, {12, 47, 26, "126"}},
    {"squeezenet", 2, 5, {3, 8}, {6, 17, 15, "21"}, {6, 16, 14, "20"}},
    {"squeezenet", 3, 6, {3, 8}, {12, 51, 29, "138"}, {12, 47, 26, "126"}},
    {"squeezenet", 4, 1, {3, 8}, {1, 1, 1, "1"}, {1, 1, 1, "1"}},
    {"squeezenet", 5, 5, {3, 8}, {6, 17, 15, "21"}, {6, 16, 14, "20"}},
    {"squeezenet", 6, 6, {3, 8}, {12, 51, 29, "138"}, {12, 47, 26, "126"}},
    {"squeezenet", 7, 5, {3, 8}, {6, 17, 15, "21"}, {6, 16, 14, "20"}},
    {"squeezenet", 8, 6, {3, 8}, {12, 51, 29, "138"}, {12, 47, 26, "126"}},
    {"squeezenet", 9, 1, {3, 8}, {1, 1, 1, "1"}, {1, 1, 1, "1"}},
    {"squeezenet", 10, 5, {3, 8}, {6, 17, 15, "21"}, {6, 16, 14, "20"}},
    {"squeezenet", 11, 2, {3, 8}, {2, 3, 3, "2"}, {2, 3, 3, "2"}},
    {"inception_v3", 0, 7, {0, 0}, {7, 28, 28, "64"}, {7, 28, 28, "64"}},
    {"inception_v3", 1, 9, {0, 0}, {72, 1080, 295, "69032"}, {72, 1017, 232, "59892"}},
    {"inception_v3", 2, 9, {0, 0}, {72, 1080, 295, "69032"}, {72, 1017, 232, "59892"}},
    {"inception_v3", 3, 9, {0, 0}, {72, 1080, 295, "69032"}, {72, 1017, 232, "59892"}},
    {"inception_v3", 4, 6, {0, 0}, {16, 90, 43, "264"}, {16, 80, 33, "232"}},
    {"inception_v3", 5, 12, {0, 0}, {144, 3780, 1039, "5243136"}, {144, 3648, 907, "4598400"}},
    {"inception_v3", 6, 12, {0, 0}, {144, 3780, 1039, "5243136"}, {144, 3648, 907, "4598400"}},
    {"inception_v3", 7, 12, {0, 0}, {144, 3780, 1039, "5243136"}, {144, 3648, 907, "4598400"}},
    {"inception_v3", 8, 12, {0, 0}, {144, 3780, 1039, "5243136"}, {144, 3648, 907, "4598400"}},
    {"inception_v3", 9, 8, {0, 0}, {30, 270, 117, "3776"}, {30, 248, 95, "3344"}},
    {"inception_v3", 10, 11, {0, 0}, {180, 5040, 1011, "4410136"}, {180, 4871, 842, "3757392"}},
    {"inception_v3", 11, 11, {0, 0}, {180, 5040, 1011, "4410136"}, {180, 4871, 842, "3757392"}},
    {"inception_v3", 12, 1, {0, 0}, {1, 1, 1, "1"}, {1, 1, 1, "1"}},
    {"inception_v3", 0, 7, {3, 8}, {7, 18, 18, "44"}, {7, 18, 18, "44"}},
    {"inception_v3", 1, 9, {3, 8}, {72, 1022, 237, "65738"}, {72, 1016, 231, "59716"}},
    {"inception_v3", 2, 9, {3, 8}, {72, 1022, 237, "65738"}, {72, 1016, 231, "59716"}},
    {"inception_v3", 3, 9, {3, 8}, {72, 1022, 237, "65738"}, {72, 1016, 231, "59716"}},
    {"inception_v3", 4, 6, {3, 8}, {16, 82, 35, "249"}, {16, 79, 32, "229"}},
    {"inception_v3", 5, 12, {3, 8}, {144, 3110, 741, "4846536"}, {144, 3104, 735, "4448840"}},
    {"inception_v3", 6, 12, {3, 8}, {144, 3110, 741, "4846536"}, {144, 3104, 735, "4448840"}},
    {"inception_v3", 7, 12, {3, 8}, {144, 3110, 741, "4846536"}, {144, 3104, 735, "4448840"}},
    {"inception_v3", 8, 12, {3, 8}, {144, 3110, 741, "4846536"}, {144, 3104, 735, "4448840"}},
    {"inception_v3", 9, 8, {3, 8}, {30, 231, 88, "3477"}, {30, 228, 85, "3224"}},
    {"inception_v3", 10, 11, {3, 8}, {180, 4631, 790, "4226508"}, {180, 4616, 775, "3727132"}},
    {"inception_v3", 11, 11, {3, 8}, {180, 4631, 790, "4226508"}, {180, 4616, 775, "3727132"}},
    {"inception_v3", 12, 1, {3, 8}, {1, 1, 1, "1"}, {1, 1, 1, "1"}},
  };
  // clang-format on
  return rows;
}

void expect_counts(const PartGraph& part, EndingRule rule, Pruning pruning, const SpaceCount& expected) {
  const auto counted = count(part, rule, pruning);
  ASSERT_TRUE(counted.has_value());
  EXPECT_EQ(counted->states, expected.states);
  EXPECT_EQ(counted->transitions, expected.transitions);
  EXPECT_EQ(counted->stages, expected.stages);
  EXPECT_EQ(counted->schedules, expected.schedules);
}

TEST(ReferenceCounts, SqueezeNetAndInceptionPartByPart) {
  std::map<std::string_view, Graph> graphs;
  for (const std::string_view name : {"squeezenet", "inception_v3"}) {
    auto graph = zoo_network(name);
    ASSERT_TRUE(graph.has_value());
    graphs.emplace(name, *std::move(graph));
  }
  ASSERT_EQ(reference_rows().size(), 50U);
  for (const Row& row : reference_rows()) {
    SCOPED_TRACE(fmt::format("{} part {} r={} s={}", row.network, row.part, row.pruning.r, row.pruning.s));
    const Graph& graph = graphs.at(row.network);
    ASSERT_LT(row.part, graph.parts().size());
    const PartGraph part(graph, graph.parts()[row.part].units);
    ASSERT_EQ(part.size(), row.units);
    expect_counts(part, EndingRule::kConnected, row.pruning, row.connected);
    expect_counts(part, EndingRule::kSingleRoot, row.pruning, row.single_root);
  }
}

// Two digits, as the paper prints them.
std::string rounded(double value) { return fmt::format("{:.1e}", value); }

struct Totals {
  std::size_t widest_units = 0;  // of the part with the most transitions
  std::size_t widest_width = 0;
  SpaceCount widest;
  std::int64_t stages = 0;  // of all parts
};

Totals totals(const Graph& graph, Pruning pruning) {
  Totals totals;
  for (const Part& units : graph.parts()) {
    const PartGraph part(graph, units.units);
    const auto counted = count(part, EndingRule::kSingleRoot, pruning);
    EXPECT_TRUE(counted.has_value());
    totals.stages += counted->stages;
    if (counted->transitions <= totals.widest.transitions) continue;
    totals.widest = *counted;
    totals.widest_units = part.size();
    totals.widest_width = part.width();
  }
  return totals;
}

// Table 1 of the paper, and the number of stages that the published code measures with r = 3, s = 8.
void expect_paper(const Graph& graph, std::size_t units, std::size_t width, double transitions, double schedules,
                  std::int64_t stages) {
  const Totals free = totals(graph, {0, 0});
  EXPECT_EQ(free.widest_units, units);
  EXPECT_EQ(free.widest_width, width);
  EXPECT_EQ(rounded(static_cast<double>(free.widest.transitions)), rounded(transitions));
  EXPECT_EQ(rounded(std::stod(free.widest.schedules)), rounded(schedules));
  EXPECT_EQ(totals(graph, {3, 8}).stages, stages);
}

TEST(ReferenceCounts, SqueezeNetInThePaper) {
  const auto graph = zoo_network("squeezenet");
  ASSERT_TRUE(graph.has_value());
  EXPECT_EQ(test::part_sizes(*graph), (std::vector<std::size_t>{2, 6, 5, 6, 1, 5, 6, 5, 6, 1, 5, 2}));
  expect_paper(*graph, 6, 3, 51, 130, 168);
}

TEST(ReferenceCounts, InceptionInThePaper) {
  const auto graph = zoo_network("inception_v3");
  ASSERT_TRUE(graph.has_value());
  EXPECT_EQ(test::part_sizes(*graph), (std::vector<std::size_t>{7, 9, 9, 9, 6, 12, 12, 12, 12, 8, 11, 11, 1}));
  expect_paper(*graph, 11, 6, 4.9e3, 3.8e6, 5319);
}

TEST(ReferenceCounts, NasnetInThePaper) {
  const auto graph = zoo_network("nasnet");
  ASSERT_TRUE(graph.has_value());
  EXPECT_EQ(test::part_sizes(*graph), (std::vector<std::size_t>{1,  18, 21, 18, 16, 16, 16, 16, 16, 19, 18, 16, 16,
                                                                16, 16, 16, 19, 18, 16, 16, 16, 16, 16, 1,  1}));
  expect_paper(*graph, 18, 8, 3.1e5, 7.2e12, 240330);
}

TEST(ReferenceCounts, RandWireInThePaper) {
  const auto folder = test::reference_folder();
  if (folder.empty()) GTEST_SKIP() << "the reference folder with the published RandWire graph is absent";
  const auto document = load_document(folder / "graphs" / "randwire_large-sequential.json");
  ASSERT_TRUE(document.has_value()) << document.error().text();
  EXPECT_EQ(test::part_sizes(*document->graph), (std::vector<std::size_t>{1, 17, 33, 33, 33, 3}));
  expect_paper(*document->graph, 33, 8, 1.2e6, 9.2e22, 212775);
}

}  // namespace
}  // namespace iosx
