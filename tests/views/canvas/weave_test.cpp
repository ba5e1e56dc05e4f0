#include <set>

#include "core/analysis/compare/compare.h"
#include "core/analysis/difference/part_matrix.h"
#include "core/documents/run_file/run_file.h"
#include "core/model/graph/networks.h"
#include "models/networks/zoo.h"
#include "tests/support/graphs.h"
#include "tests/support/must.h"
#include "tests/support/prelude.h"
#include "tests/support/sanitized.h"
#include "tests/support/simulated.h"
#include "tests/views/canvas/canvas_graphs.h"
#include "views/canvas/paint/marks.h"
#include "views/canvas/paint/scene.h"
#include "views/canvas/paint/weave_tips.h"
#include "views/canvas/weave/columns.h"
#include "views/canvas/weave/rows.h"
#include "views/canvas/weave/weave.h"
#include "views/text/qstring.h"

namespace iosx::canvas::test {
namespace {

using Pair = std::pair<UnitId, UnitId>;

// All rows of a run.
struct Woven {
  WeaveColumns columns;
  std::vector<SectionRows> sections;
  std::vector<Overlap> found;
};

Woven weave(const Graph& graph, const UnitSpans& spans, bool tracks) {
  Woven woven{weave_columns(graph, tracks), {}, overlaps(spans)};
  for (std::size_t s = 0; s < woven.columns.sections.size(); ++s) {
    woven.sections.push_back(weave_rows(graph, woven.columns, s, spans, at_once(spans, woven.found)));
  }
  return woven;
}

// Returns the pairs of units that share a row, with the number of rows; guests share it too.
std::map<Pair, std::size_t> sharing(const Woven& woven) {
  std::map<Pair, std::size_t> pairs;
  for (std::size_t s = 0; s < woven.sections.size(); ++s) {
    const auto& units = woven.columns.sections[s].units;
    std::vector<std::vector<UnitId>> rows(woven.sections[s].instants.size());
    for (std::size_t i = 0; i < units.size(); ++i) {
      for (const auto* list : {&woven.sections[s].units[i].rows, &woven.sections[s].units[i].early}) {
        for (const std::size_t row : *list) rows[row].push_back(units[i]);
      }
    }
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const auto& row = rows[r];
      for (std::size_t a = 0; a < row.size(); ++a) {
        for (std::size_t b = a + 1; b < row.size(); ++b) ++pairs[std::minmax(row[a], row[b])];
        for (const UnitId guest : woven.sections[s].guests[r]) ++pairs[std::minmax(row[a], guest)];
      }
    }
  }
  return pairs;
}

Micros kernel_time(const UnitSpans& spans, UnitId unit) {
  Micros sum{0};
  for (const UnitSpan& span : spans.of_unit[unit.index()]) sum += span.time();
  return sum;
}

// Checks what a reader relies on; returns the share of the overlapping time that rows show.
double expect_true(const Graph& graph, const UnitSpans& spans, bool tracks) {
  const Woven woven = weave(graph, spans, tracks);
  const auto shared = sharing(woven);
  std::map<Pair, Micros> real;
  Micros all{0};
  Micros shown{0};
  for (const Overlap& pair : woven.found) {
    real[{pair.a, pair.b}] = pair.time;
    all += pair.time;
    const bool side_by_side = shared.contains({pair.a, pair.b});
    if (side_by_side) shown += pair.time;
    const bool one_section = woven.columns.section_of[pair.a.index()] == woven.columns.section_of[pair.b.index()];
    const Micros shorter = std::min(kernel_time(spans, pair.a), kernel_time(spans, pair.b));
    if (one_section && pair.time >= 0.5 * shorter) {
      EXPECT_TRUE(side_by_side) << graph.unit(pair.a).name << " and " << graph.unit(pair.b).name;
    }
  }
  for (const auto& [pair, rows] : shared) {
    EXPECT_TRUE(real.contains(pair)) << graph.unit(pair.first).name << " and " << graph.unit(pair.second).name;
  }
  for (std::size_t s = 0; s < woven.sections.size(); ++s) {
    const auto& units = woven.columns.sections[s].units;
    EXPECT_TRUE(std::ranges::is_sorted(woven.sections[s].instants));
    std::map<double, std::size_t> ends;  // of columns
    for (std::size_t i = 0; i < units.size(); ++i) {
      const UnitRows& rows = woven.sections[s].units[i];
      std::size_t& end = ends[woven.columns.column_of[units[i].index()]];
      EXPECT_GE(rows.first, end) << graph.unit(units[i]).name;  // below what is above it in its column
      end = std::max(end, rows.last);
      const bool has_kernel = !spans.of_unit[units[i].index()].empty();
      EXPECT_EQ(has_kernel, !rows.rows.empty() || !rows.early.empty()) << graph.unit(units[i]).name;
    }
  }
  return all > Micros(0) ? shown / all : 1;
}

// Units in one column can never run at the same time, and parts of a track neither.
void expect_columns_are_chains(const Graph& graph, const WeaveColumns& columns) {
  std::vector<std::set<UnitId>> reach(graph.units().size());
  for (std::size_t u = reach.size(); u-- > 0;) {
    for (const UnitId next : graph.successors(UnitId(u))) {
      reach[u].insert(next);
      reach[u].insert(reach[next.index()].begin(), reach[next.index()].end());
    }
  }
  for (std::size_t a = 0; a < reach.size(); ++a) {
    for (std::size_t b = a + 1; b < reach.size(); ++b) {
      if (columns.section_of[a] != columns.section_of[b] || columns.column_of[a] != columns.column_of[b]) continue;
      EXPECT_TRUE(reach[a].contains(UnitId(b))) << graph.units()[a].name << " above " << graph.units()[b].name;
    }
  }
}

std::shared_ptr<const Comparison> measured(const std::string& network) {
  return std::make_shared<const Comparison>(
      must(open_run(std::string(IOS_SOURCE_FOLDER) + "/gpu/bench/measured/2026-11-26/h200-" + network + ".iosrun"))
          .comparison);
}

std::size_t columns_of(const Graph& graph) {
  std::size_t sum = 0;
  for (const WeavePart& part : weave_columns(graph, false).parts) sum += static_cast<std::size_t>(part.width);
  return sum;
}

// Measured on an H200. The rest overlaps by less than half of the shorter unit.
TEST(WeaveTest, MeasuredRunsShowTheirOverlap) {
  for (const auto& [network, least] : {std::pair("nasnet", 0.889), std::pair("hrnet_w18", 0.90)}) {
    const auto kept = measured(network);
    const Comparison& run = *kept;
    for (const ScheduleResult& result : run.results) {
      const UnitSpans spans = unit_spans(*run.graph, result.plan, result.trace);
      const double share = expect_true(*run.graph, spans, true);
      RecordProperty(std::string(network) + "_" + result.id.text(), std::to_string(share));
      if (result.schedule_kind == ScheduleKind::kIosFlow) {
        EXPECT_GE(share, least) << network;
      }
    }
  }
}

TEST(WeaveTest, EveryNetworkOfTheZooIsTrueInEverySchedule) {
  const auto device = iosx::test::simulated("h200");
  for (const ZooNetwork& network : zoo()) {
    const auto graph = std::make_shared<const Graph>(network.build());
    if (iosx::test::kSanitized && graph->units().size() > 150) continue;
    SCOPED_TRACE(network.name);
    CompareOptions options;
    options.schedule_kinds = {ScheduleKind::kSequential, ScheduleKind::kGreedy};
    if (graph->units().size() <= 150) options.schedule_kinds.push_back(ScheduleKind::kList);
    const Comparison run = must(compare(*graph, *device, options, {}));
    const bool tracks = std::ranges::any_of(run.results, [](const auto& each) { return each.lanes.has_value(); });
    for (const ScheduleResult& result : run.results) {
      SCOPED_TRACE(result.id.text());
      expect_true(*graph, unit_spans(*graph, result.plan, result.trace), tracks);
      expect_true(*graph, expected_spans(*graph, result.plan), tracks);
      expect_true(*graph, expected_spans(*graph, result.schedule), false);
    }
    expect_true(*graph, expected_spans(*graph), false);
  }
}

TEST(WeaveTest, ColumnsAreChainsAndAsFewAsTheOrderIsWide) {
  const std::map<std::string_view, std::size_t> width{{"nasnet", 175}, {"hrnet_w18", 106}, {"inception_v3", 48}};
  for (const ZooNetwork& network : zoo()) {
    const Graph graph = network.build();
    SCOPED_TRACE(network.name);
    if (const auto known = width.find(network.name); known != width.end()) {
      EXPECT_EQ(columns_of(graph), known->second);
    }
    if (graph.units().size() > 150) continue;
    for (const bool tracks : {false, true}) expect_columns_are_chains(graph, weave_columns(graph, tracks));
  }
  for (int seed = 0; seed < 30; ++seed) {
    const Graph graph = iosx::test::random_dag(static_cast<std::uint64_t>(seed), 40);
    for (const bool tracks : {false, true}) expect_columns_are_chains(graph, weave_columns(graph, tracks));
  }
}

// NASNet's cells alternate: each reads the two before it.
TEST(WeaveTest, PartsThatMayOverlapStandOnTracks) {
  const Graph nasnet = zoo_network("nasnet").value();
  const WeaveColumns apart = weave_columns(nasnet, false);
  EXPECT_EQ(apart.sections.size(), apart.parts.size());
  const WeaveColumns tracks = weave_columns(nasnet, true);
  EXPECT_LT(tracks.sections.size(), apart.sections.size());
  EXPECT_TRUE(std::ranges::any_of(tracks.sections, [](const auto& section) { return section.tracks > 1; }));
  // Modules of Inception V3 never overlap.
  const Graph inception = zoo_network("inception_v3").value();
  EXPECT_TRUE(
      std::ranges::all_of(weave_columns(inception, true).sections, [](const auto& each) { return each.tracks == 1; }));
}

// Parts of two networks never wait for one another: each network has a track.
TEST(WeaveTest, TwoNetworksStandOnATrackEach) {
  const Graph one = zoo_network("googlenet").value();
  const Graph other = zoo_network("squeezenet").value();
  const Graph both = *unite(std::array{&one, &other});
  const WeaveColumns columns = weave_columns(both, true);
  ASSERT_EQ(columns.sections.size(), 1U);
  EXPECT_EQ(columns.sections[0].tracks, 2U);
  for (const WeavePart& part : columns.parts) {
    const bool first = both.network(part.units.front()) == MemberId(0);
    EXPECT_EQ(part.left == 0, first) << part.title;
  }
}

// A part in the middle of a section cannot be shown alone, and what is closed keeps its units.
TEST(WeaveTest, OneSectionIsShownAlone) {
  LayoutRequest request{.graph = std::make_shared<const Graph>(zoo_network("nasnet").value())};
  request.weave.tracks = true;
  const auto columns = weave_columns(*request.graph, true);
  const auto large = std::ranges::find_if(columns.sections, [](const auto& each) { return each.parts.size() > 2; });
  ASSERT_NE(large, columns.sections.end());
  const auto closed = [&](std::size_t part) {
    request.expanded = PartId(part);
    const Layout layout = weave_graph(request);
    std::size_t units = 0;
    for (const FrameBox& frame : layout.frames) units += frame.units.size();
    EXPECT_EQ(units, request.graph->units().size());
    return std::ranges::count_if(layout.frames, &FrameBox::collapsed);
  };
  EXPECT_EQ(closed(large->parts[0]), std::ssize(columns.sections) - 1);
  EXPECT_EQ(closed(large->parts[1]), 0);
}

// Only rows depend on the schedule. A unit of a folded frame may be in another panel.
TEST(WeaveTest, AUnitKeepsItsColumnInEverySchedule) {
  for (const char* const network : {"nasnet", "hrnet_w18", "inception_v3", "sample"}) {
    SCOPED_TRACE(network);
    const auto run = measured(network);
    LayoutRequest request{.graph = run->graph};
    request.room = {1364, 510};
    std::map<UnitId, double> x;
    std::vector<std::vector<Rect>> panels;  // of each frame
    for (const ScheduleResult& result : run->results) {
      SCOPED_TRACE(result.id.text());
      request.schedule = std::make_shared<const Schedule>(result.schedule);
      request.weave = weave_of(schedule_label(*run, result, {}));
      const Layout layout = weave_graph(request);
      panels.resize(layout.frames.size());
      for (std::size_t f = 0; f < layout.frames.size(); ++f) {
        const FrameBox& frame = layout.frames[f];
        if (panels[f].empty()) panels[f] = frame.columns;
        ASSERT_EQ(panels[f].size(), frame.columns.size()) << frame.title;
        for (std::size_t p = 0; p < panels[f].size(); ++p) {
          EXPECT_NEAR(panels[f][p].x, frame.columns[p].x, 1e-6) << frame.title;
          EXPECT_NEAR(panels[f][p].width, frame.columns[p].width, 1e-6) << frame.title;
        }
        for (std::size_t n = frame.nodes.first; n < frame.nodes.second; ++n) {
          const double center = layout.nodes[n].box.center().x;
          double panel = 0;
          for (std::size_t r = frame.rows.first; r < frame.rows.second; ++r) {
            const Rect& row = layout.rows[r].box;
            if (row.x <= center && center < row.right()) panel = row.x;
          }
          const double at = frame.columns.size() == 1 ? center : center - panel;
          EXPECT_NEAR(x.try_emplace(layout.nodes[n].unit, at).first->second, at, 1e-6) << frame.title;
        }
      }
    }
  }
}

// Sequential is a staircase; what a stage runs at once is in one row.
TEST(WeaveTest, RowsOfAScheduleThatNoRunTraced) {
  const Scheduled small = small_scheduled();
  LayoutRequest request{.graph = small.graph};
  request.schedule = std::make_shared<const Schedule>(small.schedule);
  const Layout layout = weave_graph(request);
  const auto top = [&](std::uint32_t unit) { return layout.box_of(UnitId(unit))->y; };
  EXPECT_EQ(top(1), top(2));  // b beside c
  EXPECT_LT(top(2), top(3));  // d after c, in the same group
  EXPECT_LT(top(3), top(4));
  EXPECT_EQ(top(4), top(5));  // merged
  ASSERT_EQ(layout.merged.size(), 1U);
  EXPECT_THAT(layout.merged[0].units, ElementsAre(UnitId(4), UnitId(5)));
  ASSERT_EQ(layout.bands.size(), 4U);
  EXPECT_EQ(std::ranges::count_if(layout.rows, &RowBox::barrier), 3);
  std::vector<std::size_t> flying;
  for (const RowBox& row : layout.rows) flying.push_back(row.own.size());
  EXPECT_THAT(flying, ElementsAre(1, 2, 1, 1, 1)) << "merged units are one kernel";
  EXPECT_THAT(layout.rows[3].units(), ElementsAre(UnitId(4), UnitId(5)));
}

TEST(WeaveTest, FoldedSectionsShowEveryRowAndUnitOnce) {
  const auto run = measured("nasnet");
  LayoutRequest request{.graph = run->graph};
  for (const ScheduleResult& result : run->results) {
    request.schedule = std::make_shared<const Schedule>(result.schedule);
    request.weave = weave_of(schedule_label(*run, result, {}));
    const Layout layout = weave_graph(request);
    EXPECT_TRUE(std::ranges::any_of(layout.frames, [](const auto& frame) { return frame.columns.size() > 1; }));
    for (const FrameBox& frame : layout.frames) {
      Micros last{-1};
      for (std::size_t r = frame.rows.first; r < frame.rows.second; ++r) {
        EXPECT_LT(last, layout.rows[r].at);
        last = layout.rows[r].at;
        EXPECT_TRUE(frame.box.grown(0.01).contains(layout.rows[r].box));
      }
      for (std::size_t n = frame.nodes.first; n < frame.nodes.second; ++n) {
        const NodeShape& shape = layout.nodes[n].shape;
        ASSERT_FALSE(shape.pieces.empty());
        for (const Rect& piece : shape.pieces) {
          const auto inside = [&](const Rect& panel) { return panel.grown(0.01).contains(piece); };
          EXPECT_EQ(std::ranges::count_if(frame.columns, inside), 1);
        }
        for (std::size_t m = n + 1; m < frame.nodes.second; ++m) {
          for (const Rect& piece : shape.pieces) {
            for (const Rect& other : layout.nodes[m].shape.pieces) {
              EXPECT_FALSE(piece.grown(-0.01).intersects(other)) << n << " and " << m;
            }
          }
        }
      }
    }
  }
}

// The shape of a small graph is seen at once.
TEST(WeaveTest, ASmallGraphWithoutAScheduleIsNotFolded) {
  LayoutRequest request{.graph = branches(9, 1)};
  for (const Size& room : {Size{1364, 510}, Size{1100, 600}, Size{900, 260}}) {
    request.room = room;
    const Layout layout = weave_graph(request);
    ASSERT_EQ(layout.frames.size(), 1U);
    EXPECT_EQ(layout.frames[0].columns.size(), 1U) << room.width;
  }
}

TEST(WeaveTest, TheSameRunHasTheSamePicture) {
  const auto run = measured("hrnet_w18");
  const ScheduleResult& result = run->results.back();
  LayoutRequest request{.graph = run->graph};
  request.schedule = std::make_shared<const Schedule>(result.schedule);
  request.weave = weave_of(schedule_label(*run, result, {}));
  const Layout a = weave_graph(request);
  const Layout b = weave_graph(request);
  ASSERT_EQ(a.nodes.size(), b.nodes.size());
  for (std::size_t n = 0; n < a.nodes.size(); ++n) EXPECT_EQ(a.nodes[n].box, b.nodes[n].box);
}

// A frame of lanes holds several parts: it saves what the waterfall says of them together.
TEST(WeaveTest, AFrameSavesWhatTheStepsOfItsPartsDo) {
  std::size_t known = 0;
  for (const char* const network : {"nasnet", "hrnet_w18", "sample"}) {
    SCOPED_TRACE(network);
    const auto run = measured(network);
    for (std::size_t i = 1; i < run->results.size(); ++i) {
      const auto steps = saving_steps({run, 0}, {run, i});
      if (!steps) continue;
      const ScheduleResult& result = run->results[i];
      SCOPED_TRACE(result.id.text());
      LayoutRequest request{.graph = run->graph};
      request.schedule = std::make_shared<const Schedule>(result.schedule);
      request.weave = weave_of(schedule_label(*run, result, {}));
      const PartGains gains(saving_deltas(*steps, {}));
      for (const FrameBox& frame : weave_graph(request).frames) {
        Millis sum{0};
        std::size_t units = 0;  // whose saving is known
        for (const SavingStep& step : steps->steps) {
          if (!std::ranges::includes(frame.units, step.units)) continue;
          sum += step.units.empty() ? Millis{0} : step.delta.value;
          units += step.units.size();
        }
        QString figure = gains.figure(frame.units);
        const bool all = units == frame.units.size();
        known += all ? 1 : 0;
        EXPECT_TRUE(all || figure.isEmpty()) << frame.title;
        if (!all) continue;
        if (figure.isEmpty()) figure = QStringLiteral("0");
        EXPECT_NEAR(figure.replace(QChar(0x2212), QChar('-')).toDouble(), sum.count(), 0.006) << frame.title;
      }
    }
  }
  EXPECT_GT(known, 5U);
}

UnitSpan span(double begin, double end, std::size_t lane = 0) { return {Micros(begin), Micros(end), lane}; }

TEST(UnitSpansTest, PartnersAreWhatRanMeanwhile) {
  UnitSpans spans;
  spans.of_unit = {{span(0, 10), span(20, 30)}, {span(5, 25)}, {span(10, 20)}, {}};
  const auto beside = partners(spans, UnitId(0));
  ASSERT_EQ(beside.size(), 1U);  // unit 2 begins as the kernel ends
  EXPECT_THAT(beside[0].units, ElementsAre(UnitId(1)));
  EXPECT_DOUBLE_EQ(beside[0].time.count(), 10);
  EXPECT_TRUE(partners(spans, UnitId(3)).empty());
  const auto pairs = overlaps(spans);
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_DOUBLE_EQ(pairs[0].time.count(), 10);
  EXPECT_DOUBLE_EQ((pairs[0].end - pairs[0].begin).count(), 5);
  EXPECT_EQ(pairs[1].b, UnitId(2));
}

TEST(UnitSpansTest, MergedUnitsAreOneKernel) {
  UnitSpans spans;
  spans.of_unit = {{span(0, 10), span(10, 12)}, {span(0, 10)}, {span(0, 10), span(10, 13, 2)}, {span(5, 15, 1)}};
  spans.together = {{UnitId(0), UnitId(1), UnitId(2)}};
  EXPECT_THAT(merged_with(spans, UnitId(1)), ElementsAre(UnitId(0), UnitId(2)));
  EXPECT_TRUE(merged_with(spans, UnitId(3)).empty());
  const std::vector<UnitId> units{UnitId(0), UnitId(2), UnitId(3)};
  EXPECT_THAT(by_kernel(spans, units, Micros(5)),
              ElementsAre(ElementsAre(UnitId(0), UnitId(2)), ElementsAre(UnitId(3))));
  EXPECT_THAT(by_kernel(spans, units, Micros(11)), SizeIs(3)) << "what follows are kernels of their own";
  const auto beside = partners(spans, UnitId(3));
  ASSERT_EQ(beside.size(), 1U);
  EXPECT_THAT(beside[0].units, SizeIs(3));
  EXPECT_DOUBLE_EQ(beside[0].time.count(), 5 + 2 + 3) << "each kernel once";
}

// Nine names take as much room as eight and "and 1 more".
TEST(WeaveTips, SayWhatIsMergedAndLeaveOutMoreThanOne) {
  const auto graph = branches(12, 1);
  UnitSpans spans;
  spans.computed_with.resize(graph->units().size());
  for (std::size_t u = 0; u < graph->units().size(); ++u) spans.of_unit.push_back({span(0, 10, u)});
  spans.together = {{UnitId(0), UnitId(1), UnitId(2)}};
  const auto tip = [&](std::size_t units) {
    UnitSpans some = spans;
    for (std::size_t u = units; u < some.size(); ++u) some.of_unit[u].clear();
    auto model = std::make_shared<Model>(*make_model(graph, text_style()));
    model->label.spans = std::make_shared<const UnitSpans>(some);
    return partner_lines(*model, UnitId(1));
  };
  const QString name = qstring(graph->unit(UnitId(0)).name);
  EXPECT_TRUE(tip(12).front().contains("merged with " + name)) << tip(12).front().toStdString();
  EXPECT_EQ(tip(3).size(), 2) << "nothing else";
  EXPECT_TRUE(tip(12).filter("more").isEmpty());
  EXPECT_EQ(tip(12).size(), 2 + 9);
  spans.together = {{UnitId(0), UnitId(1)}};
  EXPECT_EQ(tip(12).filter("and 2 more").size(), 1);
  EXPECT_EQ(tip(12).size(), 2 + 8 + 1);
}

}  // namespace
}  // namespace iosx::canvas::test
