#include "views/canvas/layout/labels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/model/schedule/baselines.h"
#include "models/networks/zoo.h"
#include "tests/views/canvas/canvas_graphs.h"
#include "views/canvas/layout/camera.h"
#include "views/canvas/layout/names.h"

namespace iosx::canvas::test {
namespace {

constexpr SmallText kSmall{9.3, 2.4, 7.3, 7.6};

struct Placed {
  std::string what;
  Rect box;
};

std::shared_ptr<const Graph> network(const std::string& name) {
  return std::make_shared<const Graph>(zoo_network(name).value());
}

Layout lay_out_for(const std::shared_ptr<const Graph>& graph, const Schedule& schedule, const Size& room,
                   double figure = 31) {
  LayoutRequest request;
  request.graph = graph;
  request.schedule = std::make_shared<const Schedule>(schedule);
  request.style = plain_style();
  request.room = room;
  request.figure = figure;
  return layout_graph(request);
}

double fit_zoom(const Layout& layout, const Size& room) {
  return Camera::fitting_zoom(layout.bounds, {0, 0, room.width, room.height});
}

// Everything that is written while the canvas is zoomed out, each in the room that it may take.
std::vector<Placed> written(const Layout& layout, double zoom) {
  std::vector<Placed> all;
  const auto names = header_names(layout, zoom, kSmall, plain_style().name);
  for (std::size_t f = 0; f < layout.frames.size(); ++f) {
    const FrameBox& frame = layout.frames[f];
    for (std::size_t c = 0; c < frame.columns.size(); ++c) {
      if (!names[f][c].empty()) all.push_back({"name " + names[f][c], header_room(frame, c, zoom, kSmall)});
    }
    for (std::size_t b = frame.bands.first; b < frame.bands.second; ++b) {
      const BandBox& band = layout.bands[b];
      const std::string stage = std::to_string(band.stage + 1);
      if (!header_is_small(zoom)) continue;  // then the band's label has all of it
      const GainRooms gains = gain_rooms(layout, frame, band, zoom, kSmall);
      Rect room = stage_room(band, zoom, kSmall);
      if (!gains.beside.empty()) room.width = gains.beside.x - room.x;
      if (!room.empty()) all.push_back({"number " + stage, room});
      if (!gains.beside.empty()) all.push_back({"figure of " + stage, gains.beside});
      if (!gains.below.empty()) all.push_back({"figure below " + stage, gains.below});
    }
  }
  return all;
}

void expect_nothing_overlaps(const Layout& layout, double zoom, const std::string& where) {
  const std::vector<Placed> all = written(layout, zoom);
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      EXPECT_FALSE(all[i].box.grown(-0.01).intersects(all[j].box)) << where << all[i].what << " on " << all[j].what;
    }
    for (const NodeBox& node : layout.nodes) {
      EXPECT_FALSE(all[i].box.grown(-0.01).intersects(node.box)) << where << all[i].what << " on a node";
    }
    if (!all[i].what.starts_with("name")) continue;
    for (const BandBox& band : layout.bands) {
      EXPECT_FALSE(all[i].box.intersects(band.box)) << where << all[i].what << " on a band";
    }
    for (const EdgePath& edge : layout.edges) {
      EXPECT_FALSE(all[i].box.intersects(edge.bounds)) << where << all[i].what << " on an edge";
    }
  }
}

TEST(Labels, OfNoPartLieOnNumbersNodesFiguresOrOneAnother) {
  for (const char* name : {"inception_v3", "nasnet", "yolox_s", "randwire"}) {
    const auto graph = network(name);
    for (const Schedule& schedule : {greedy_schedule(*graph), one_by_one_schedule(*graph)}) {
      for (const Size room : {Size{660, 250}, Size{980, 440}}) {  // what the canvas has of 1280 × 800 and 1600 × 1000
        const Layout layout = lay_out_for(graph, schedule, room);
        const double fit = fit_zoom(layout, room);
        for (const double zoom : {fit, 1.7 * fit, 0.3, 0.6, 1.0}) {
          expect_nothing_overlaps(layout, zoom, std::string(name) + " at " + std::to_string(zoom) + ": ");
        }
      }
    }
  }
}

TEST(Labels, OfAllPartsCanBeReadWhenAllIsInSight) {
  for (const char* name : {"inception_v3", "nasnet", "yolox_s", "randwire"}) {
    const auto graph = network(name);
    const Size room{660, 250};
    const Layout layout = lay_out_for(graph, greedy_schedule(*graph), room);
    const double zoom = fit_zoom(layout, room);
    std::set<std::string> different;
    for (const auto& names : header_names(layout, zoom, kSmall, plain_style().name)) {
      EXPECT_FALSE(names.front().empty()) << name;
      different.insert(names.front());
    }
    EXPECT_EQ(different.size(), layout.frames.size()) << name;
  }
}

void expect_room_for_figures(const std::shared_ptr<const Graph>& graph, const Schedule& schedule, double figure) {
  const Size room{980, 440};
  const Layout layout = lay_out_for(graph, schedule, room, figure);
  const double zoom = fit_zoom(layout, room);
  for (const FrameBox& frame : layout.frames) {
    for (std::size_t b = frame.bands.first; b < frame.bands.second; ++b) {
      if (stage_room(layout.bands[b], zoom, kSmall).empty()) continue;  // lower than a line
      const GainRooms rooms = gain_rooms(layout, frame, layout.bands[b], zoom, kSmall);
      EXPECT_GE(std::max(rooms.beside.width, rooms.below.width) * zoom, figure)
          << graph->name() << ", figures of " << figure << ", stage " << b + 1;
    }
  }
}

// Boxes leave none of their own where three and more stand beside one another.
TEST(Labels, OfStagesHaveRoomForWhatTheySaveWhenAllIsInSight) {
  for (const double figure : {31.0, 38.0}) {  // pixels, of "−0.28" and "−0.030"
    for (const char* name : {"inception_v3", "yolox_s", "randwire", "squeezenet"}) {
      const auto graph = network(name);
      expect_room_for_figures(graph, greedy_schedule(*graph), figure);
    }
    for (const char* name : {"nasnet", "parallel_vit_s16", "inception_v3"}) {  // a part is a stage, which is high
      const auto graph = network(name);
      expect_room_for_figures(graph, sequential_schedule(*graph), figure);
    }
  }
}

// Where bands are as low as their numbers, smaller ones would have none.
TEST(Labels, OfStagesDoNotVanishForTheRoomOfWhatTheseSave) {
  const auto graph = network("inception_v3");
  const Size room{660, 250};
  const Layout layout = lay_out_for(graph, greedy_schedule(*graph), room);
  for (const BandBox& band : layout.bands) EXPECT_FALSE(stage_room(band, fit_zoom(layout, room), kSmall).empty());
}

// Nor is the room kept where nothing is known to be saved.
TEST(Labels, OfStagesHaveNoMoreRoomThanTheyWant) {
  const auto graph = network("inception_v3");
  const Size room{980, 440};
  const double with = fit_zoom(lay_out_for(graph, greedy_schedule(*graph), room), room);
  EXPECT_LT(with, fit_zoom(lay_out_for(graph, greedy_schedule(*graph), room, 0), room));
}

TEST(Labels, RowTakesNoMoreRoomThanItNeedsOnceZoomedIn) {
  const auto graph = network("nasnet");
  const Layout layout = lay_out_for(graph, greedy_schedule(*graph), {660, 250});
  const FrameBox& frame = layout.frames.front();
  const double fit = fit_zoom(layout, {660, 250});
  EXPECT_GE(header_row(frame, 0, fit).height * fit, kSmall.ascent + kSmall.descent);
  EXPECT_LT(header_row(frame, 0, 1).height, 31);
  EXPECT_EQ(header_row(frame, 0, 1).bottom(), header_row(frame, 0, fit).bottom()) << "what is below stays in place";
  EXPECT_TRUE(header_room(frame, 0, fit / 3, kSmall).empty()) << "no room for text";
}

TEST(Labels, OfBandsTooLowForThemAreLeftOut) {
  BandBox band;
  band.box = {0, 0, 400, 60};
  band.label = {10, 10, 120, 40};
  EXPECT_FALSE(stage_room(band, 0.2, kSmall).empty());
  EXPECT_TRUE(stage_room(band, 0.1, kSmall).empty()) << "6 pixels";
  Layout layout;
  layout.bands = {band};
  layout.groups = {{{150, 10, 200, 40}, 0, 0, false}};
  FrameBox frame;
  frame.groups = {0, 1};
  EXPECT_TRUE(gain_rooms(layout, frame, band, 0.1, kSmall).beside.empty());
  const GainRooms rooms = gain_rooms(layout, frame, band, 0.2, kSmall);
  EXPECT_GE(rooms.beside.x, band.label.x + kSmall.digit / 0.2) << "right of the number";
  EXPECT_LE(rooms.beside.right(), 150) << "left of the units";
}

TEST(Labels, SayWhereAPartGoesOn) {
  FrameBox frame;
  frame.title = "heads";
  frame.header = {0, 0, 1000, 200};
  frame.columns = {{0, 0, 480, 1000}, {520, 0, 480, 1000}};
  Layout layout;
  layout.frames = {frame};
  const auto wide = header_names(layout, 1, kSmall, plain_style().name);
  EXPECT_EQ(wide[0], (std::vector<std::string>{"heads", "heads, continued"}));
  const auto narrow = header_names(layout, 0.12, kSmall, plain_style().name);  // 57 pixels each
  EXPECT_EQ(narrow[0], (std::vector<std::string>{"h…s 1/2", "h…s 2/2"}));
}

TEST(Labels, OfAPartThatGoesOnTwiceSaySoOnce) {
  FrameBox frame;
  frame.title = "heads, continued";
  frame.goes_on = true;
  frame.header = {0, 0, 1000, 200};
  frame.columns = {{0, 0, 480, 1000}, {520, 0, 480, 1000}};
  Layout layout;
  layout.frames = {frame};
  const auto names = header_names(layout, 1, kSmall, plain_style().name);
  EXPECT_EQ(names[0], (std::vector<std::string>{"heads, continued", "heads, continued"}));
}

// Long parts are lower where that is enough; nothing of them stands beside an earlier stage.
TEST(Labels, LongPartsShrinkBeforeTheyGoOnInAnotherPanel) {
  const auto graph = network("yolox_s");
  const Layout layout = lay_out_for(graph, one_by_one_schedule(*graph), {660, 250});
  const auto heads = std::ranges::find(layout.frames, "heads", &FrameBox::title);
  ASSERT_NE(heads, layout.frames.end());
  for (const FrameBox& frame : layout.frames) EXPECT_EQ(frame.columns.size(), 1U) << frame.title;
  for (std::size_t b = heads->bands.first + 1; b < heads->bands.second; ++b) {
    EXPECT_GT(layout.bands[b].box.y, layout.bands[b - 1].box.bottom()) << "stages are one below the other";
  }
}

}  // namespace
}  // namespace iosx::canvas::test
