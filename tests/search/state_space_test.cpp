#include "core/search/state_space.h"
#include "core/formats/document.h"
#include "core/search/space_counts.h"
#include "models/networks/zoo.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

// The worked example of state_space.h.
TEST(StateSpace, OfADiamond) {
  const Graph graph = test::diamond();
  const PartGraph part(graph, graph.parts().front().units);
  const Pruning unlimited{.r = 0, .s = 0};
  const StateSpace space = enumerate(part, EndingRule::kConnected, unlimited).value();

  std::vector<UnitSet> states(space.states.begin(), space.states.end());
  EXPECT_THAT(states, UnorderedElementsAre(0b0000, 0b0001, 0b0011, 0b0101, 0b0111, 0b1111));
  EXPECT_EQ(space.states.front(), 0b0000U);
  EXPECT_EQ(space.states[space.order.front()], 0b1111U);
  const auto last = mapped<UnitSet>(space.transitions_of(0),
                                    [&](const Transition& transition) { return space.stages[transition.stage]; });
  EXPECT_THAT(last, UnorderedElementsAre(0b1000, 0b1010, 0b1100, 0b1110, 0b1111));
  EXPECT_EQ(space.state_count(), 5U);
  EXPECT_EQ(space.transitions.size(), 14U);
  EXPECT_EQ(space.stages.size(), 12U);

  const SpaceCount counted = count(part, EndingRule::kConnected, unlimited).value();
  EXPECT_EQ(counted.states, 5);
  EXPECT_EQ(counted.transitions, 14);
  EXPECT_EQ(counted.stages, 12);
  EXPECT_EQ(counted.schedules, "12");

  // At most one unit in a group: the endings of more than one group are {1, 2} alone.
  EXPECT_EQ(count(part, EndingRule::kConnected, {.r = 1, .s = 0}).value().stages, 5);
  EXPECT_EQ(count(part, EndingRule::kConnected, {.r = 1, .s = 0}).value().schedules, "3");
}

double estimate(const Graph& graph) { return estimated_states(graph, graph.parts().front().units); }

TEST(StateEstimate, IsExactWhereEveryDescentIsAlike) {
  EXPECT_DOUBLE_EQ(estimate(test::chain(30)), 30);
  const Graph fork = test::fork(20);
  EXPECT_NEAR(estimate(fork) / (std::pow(2.0, static_cast<double>(fork.units().size())) - 1), 1, 1e-9);
  EXPECT_GT(estimate(test::fork(200)), 1e59);
}

TEST(StateEstimate, IsNearTheCount) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Graph graph = test::random_dag(seed, 18);
    const auto counted = must(count(PartGraph(graph, graph.parts().front().units), EndingRule::kConnected, {3, 8}));
    const double ratio = estimate(graph) / static_cast<double>(counted.states);
    EXPECT_GT(ratio, 0.5) << seed;
    EXPECT_LT(ratio, 2) << seed;
  }
  const Graph randwire = zoo_network("randwire").value();
  for (const Part& part : randwire.parts()) {
    const auto counted = count(PartGraph(randwire, part.units), EndingRule::kConnected, {1, 1});
    EXPECT_NEAR(estimated_states(randwire, part.units) / static_cast<double>(counted->states), 1, 0.5) << part.name;
  }
}

TEST(BigCount, PrintsDecimals) {
  EXPECT_EQ(BigCount().decimal(), "0");
  EXPECT_EQ(BigCount(10).decimal(), "10");
  EXPECT_EQ(BigCount(18446744073709551615U).decimal(), "18446744073709551615");
}

TEST(BigCount, CarriesThroughEveryLimb) {
  BigCount power(1);
  for (int i = 0; i < 331; ++i) {
    const BigCount twice = power;
    power += twice;
  }
  EXPECT_EQ(power.decimal(),
            "4374501449566023848745004454235242730706338861786424872851541212819905998398751846447026354046107648");
  BigCount almost(18446744073709551615U);
  almost += almost;
  almost += BigCount(2);
  EXPECT_EQ(almost.decimal(), "36893488147419103232");  // 2^65
}

TEST(BigCount, CountsTheSchedulesOfIndependentUnits) {
  // Ordered partitions of n units: the Fubini numbers, OEIS A000670.
  const std::vector<UnitSet> predecessors(12, 0);
  const auto counted = must(count(PartGraph(predecessors), EndingRule::kConnected, {0, 0}));
  EXPECT_EQ(counted.schedules, "28091567595");
  EXPECT_EQ(counted.states, 4095);
  EXPECT_EQ(counted.transitions, 527345);  // 3^12 - 2^12
}

TEST(BigCount, CountsTheSchedulesOfTheLongestChain) {
  std::vector<UnitSet> predecessors(64, 0);
  for (std::size_t i = 1; i < 64; ++i) predecessors[i] = singleton(i - 1);
  const auto counted = must(count(PartGraph(predecessors), EndingRule::kConnected, {0, 0}));
  EXPECT_EQ(counted.schedules, "9223372036854775808");  // 2^63: cut or not after each unit but the last
  EXPECT_EQ(counted.states, 64);
  EXPECT_EQ(counted.transitions, 64 * 65 / 2);
}

PartGraph part_of(const Graph& graph, std::size_t part = 0) { return PartGraph(graph, graph.parts()[part].units); }

TEST(PartGraph, KnowsWhoDependsOnWhom) {
  const PartGraph part = part_of(test::diamond());
  EXPECT_EQ(part.size(), 4U);
  EXPECT_EQ(part.all(), 0b1111U);
  EXPECT_EQ(part.predecessors(3), 0b0110U);
  EXPECT_EQ(part.successors(0), 0b0110U);
  EXPECT_EQ(part.descendants(0), 0b1111U);
  EXPECT_EQ(part.descendants(1), 0b1010U);
  EXPECT_EQ(part.ancestors(3), 0b1111U);
  EXPECT_EQ(part.ancestors(2), 0b0101U);
}

TEST(PartGraph, LeavesOutWhatIsOutsideThePart) {
  const Graph graph = test::two_parts();
  const PartGraph second = part_of(graph, 1);
  EXPECT_EQ(second.predecessors(0), 0U);
  EXPECT_EQ(second.unit(0), graph.parts()[1].units.front());
  const PartGraph first = part_of(graph, 0);
  EXPECT_EQ(first.successors(first.size() - 1), 0U);
}

TEST(PartGraph, FindsComponents) {
  const PartGraph part = part_of(test::diamond());
  EXPECT_EQ(part.component(0b0110, 1), 0b0010U);
  EXPECT_EQ(part.component(0b1110, 1), 0b1110U);
  EXPECT_EQ(part.component(0b1001, 3), 0b1000U);
}

TEST(PartGraph, HoldsSixtyFourUnits) {
  const PartGraph part = part_of(test::chain(64));
  EXPECT_EQ(part.all(), ~UnitSet{0});
  EXPECT_EQ(part.descendants(0), ~UnitSet{0});
  EXPECT_EQ(part.width(), 1U);
  EXPECT_EQ(part_of(test::fork(64)).width(), 64U);
}

// The largest set of pairwise independent units, by trying every set.
std::size_t widest_antichain(const PartGraph& part) {
  std::size_t widest = 0;
  for (UnitSet set = 1; set <= part.all(); ++set) {
    bool independent = true;
    for (UnitSet rest = set; rest != 0; rest &= rest - 1) {
      const std::size_t i = first_of(rest);
      independent = independent && (part.descendants(i) & set) == singleton(i);
    }
    if (independent) widest = std::max(widest, size_of(set));
  }
  return widest;
}

TEST(PartGraph, WidthIsTheWidestAntichain) {
  EXPECT_EQ(part_of(test::diamond()).width(), 2U);
  EXPECT_EQ(part_of(test::clique(5)).width(), 1U);
  EXPECT_EQ(part_of(test::fork_join(5)).width(), 5U);
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const PartGraph part = part_of(test::random_dag(seed, 10));
    EXPECT_EQ(part.width(), widest_antichain(part)) << seed;
  }
}

// Table 1 of the paper: units and width of the widest part.
TEST(PartGraph, WidthsAreThePapers) {
  const auto widest = [](std::string_view name) {
    const auto graph = zoo_network(name);
    EXPECT_TRUE(graph.has_value());
    std::size_t width = 0;
    for (std::size_t p = 0; p < graph->parts().size(); ++p) width = std::max(width, part_of(*graph, p).width());
    return width;
  };
  EXPECT_EQ(widest("inception_v3"), 6U);
  EXPECT_EQ(widest("nasnet"), 8U);
  EXPECT_EQ(widest("squeezenet"), 3U);
}

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
  const auto counted = must(count(part, rule, pruning));
  EXPECT_EQ(counted.states, expected.states);
  EXPECT_EQ(counted.transitions, expected.transitions);
  EXPECT_EQ(counted.stages, expected.stages);
  EXPECT_EQ(counted.schedules, expected.schedules);
}

TEST(ReferenceCounts, SqueezeNetAndInceptionPartByPart) {
  std::map<std::string_view, Graph> graphs;
  for (const std::string_view name : {"squeezenet", "inception_v3"}) {
    auto graph = must(zoo_network(name));
    graphs.emplace(name, std::move(graph));
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
  const auto graph = must(zoo_network("squeezenet"));
  EXPECT_EQ(test::part_sizes(graph), (std::vector<std::size_t>{2, 6, 5, 6, 1, 5, 6, 5, 6, 1, 5, 2}));
  expect_paper(graph, 6, 3, 51, 130, 168);
}

TEST(ReferenceCounts, InceptionInThePaper) {
  const auto graph = must(zoo_network("inception_v3"));
  EXPECT_EQ(test::part_sizes(graph), (std::vector<std::size_t>{7, 9, 9, 9, 6, 12, 12, 12, 12, 8, 11, 11, 1}));
  expect_paper(graph, 11, 6, 4.9e3, 3.8e6, 5319);
}

TEST(ReferenceCounts, NasnetInThePaper) {
  const auto graph = must(zoo_network("nasnet"));
  EXPECT_EQ(test::part_sizes(graph), (std::vector<std::size_t>{1,  18, 21, 18, 16, 16, 16, 16, 16, 19, 18, 16, 16,
                                                               16, 16, 16, 19, 18, 16, 16, 16, 16, 16, 1,  1}));
  expect_paper(graph, 18, 8, 3.1e5, 7.2e12, 240330);
}

TEST(ReferenceCounts, RandWireInThePaper) {
  const auto folder = test::reference_folder();
  if (folder.empty()) GTEST_SKIP() << "the reference folder with the published RandWire graph is absent";
  const auto document = must(load_document(folder / "graphs" / "randwire_large-sequential.json"));
  EXPECT_EQ(test::part_sizes(*document.graph), (std::vector<std::size_t>{1, 17, 33, 33, 33, 3}));
  expect_paper(*document.graph, 33, 8, 1.2e6, 9.2e22, 212775);
}

}  // namespace

}  // namespace iosx
