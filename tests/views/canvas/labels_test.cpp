#include "core/model/schedule/baselines.h"
#include "models/networks/zoo.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"
#include "tests/views/canvas/canvas_graphs.h"
#include "views/canvas/paint/scene.h"
#include "views/canvas/weave/weave.h"

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

Layout lay_out_for(const std::shared_ptr<const Graph>& graph, const Schedule& schedule, const Size& room) {
  LayoutRequest request{.graph = graph, .schedule = std::make_shared<const Schedule>(schedule), .room = room};
  return weave_graph(request);
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

TEST(Labels, OfNoPartLieOnNodesOrOneAnother) {
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

TEST(Labels, SayWhereAPartGoesOn) {
  FrameBox frame{.header = {0, 0, 1000, 200}, .columns = {{0, 0, 480, 1000}, {520, 0, 480, 1000}}, .title = "heads"};
  Layout layout{.frames = {frame}};
  const auto wide = header_names(layout, 1, kSmall, plain_style().name);
  EXPECT_EQ(wide[0], (std::vector<std::string>{"heads", "heads, continued"}));
  const auto narrow = header_names(layout, 0.12, kSmall, plain_style().name);  // 57 pixels each
  EXPECT_EQ(narrow[0], (std::vector<std::string>{"h…s 1/2", "h…s 2/2"}));
}

std::vector<std::string> fitted(const std::vector<std::string>& names, double room) {
  return fit_names(names, std::vector<double>(names.size(), room), plain_style().body);
}

TEST(Names, KeepWhatTellsThemApart) {
  const std::vector<std::string> names{"backbone/stage3/block_11/branch_3x3_reduce/conv",
                                       "backbone/stage3/block_12/branch_3x3_reduce/conv",
                                       "backbone/stage3/block_12/branch_5x5_reduce/conv"};
  const auto shown = fitted(names, 160);
  EXPECT_NE(shown[0].find("11"), std::string::npos) << shown[0];
  EXPECT_NE(shown[1].find("3x3"), std::string::npos) << shown[1];
  EXPECT_NE(shown[2].find("5x5"), std::string::npos) << shown[2];
  for (const std::string& text : shown) EXPECT_LE(plain_style().body.width(text), 160) << text;
}

TEST(Names, ThatDifferStillDoHoweverNarrow) {
  std::vector<std::string> names;
  for (int a = 0; a < 12; ++a) {
    for (int b = 0; b < 12; ++b) {
      names.push_back("encoder/layer_" + std::to_string(a) + "/attention/self/head_" + std::to_string(b) +
                      "/projection/matmul");
    }
  }
  for (const double room : {90.0, 140.0, 220.0}) {
    const auto shown = fitted(names, room);
    EXPECT_EQ(std::set<std::string>(shown.begin(), shown.end()).size(), names.size()) << room;
    for (const std::string& text : shown) EXPECT_LE(plain_style().body.width(text), room) << text;
  }
}

TEST(Names, ShortOnesStayWhole) {
  const std::vector<std::string> names{"conv1", "pool", "conv1"};
  EXPECT_EQ(fitted(names, 100), names);
}

TEST(Names, CutBetweenCharactersOfUtf8) {
  const FontWidths widths = plain_style().body;
  std::string name;
  for (int i = 0; i < 40; ++i) name += "层";
  for (double width = 0; width < 200; width += 7) {
    const std::string shown = elide_around(name, 30, 60, width, widths);
    EXPECT_EQ(QString::fromStdString(shown).toStdString(), shown);
    EXPECT_FALSE(QString::fromStdString(shown).contains(QChar(QChar::ReplacementCharacter)));
  }
}

TEST(Names, LeaveOutWhatAllHaveInFront) {
  auto [builder, last] = iosx::test::sketch("g", {8, 8, 8});
  Conv conv{.out_channels = 8};
  for (const char* name : {"/model/stem/conv", "/model/stem/conv_1", "/model/neck/conv"}) {
    last = builder.add(name, conv, {last});
  }
  const auto graph = must(std::move(builder).build());
  EXPECT_EQ(shared_prefix(graph), "/model/");
  EXPECT_EQ(unit_titles(graph), (std::vector<std::string>{"stem/conv", "stem/conv_1", "neck/conv"}));
}

// Of all our networks: no box has a remainder such as "7_3" or "_pool_1".
TEST(Names, OnBoxesCanBeRecognized) {
  for (const ZooNetwork& network : zoo()) {
    SCOPED_TRACE(network.name);
    const auto graph = std::make_shared<const Graph>(network.build());
    const auto model = make_model(graph, text_style());
    for (const UnitLabel& label : model->labels) {
      EXPECT_TRUE(has_letter(label.name.toStdString())) << label.name.toStdString();
      EXPECT_FALSE(label.name.startsWith('_') || label.name.startsWith('.')) << label.name.toStdString();
    }
    if (network.name != "inception_v3") continue;
    std::size_t branches = 0;
    for (std::size_t u = 0; u < graph->units().size(); ++u) {
      if (graph->unit(UnitId(u)).name.find(".branch") == std::string::npos) continue;
      ++branches;
      EXPECT_TRUE(model->labels[u].name.startsWith("b")) << model->labels[u].name.toStdString();
    }
    EXPECT_GT(branches, 50U);
  }
}

// A part's name says nothing where only a number would be left.
TEST(Names, KeepThePartWhereANumberIsLeft) {
  auto [builder, last] = iosx::test::sketch("g", {8, 8, 8});
  builder.begin_part("features");
  for (const char* name : {"features.0", "features.3", "features.conv"}) {
    last = builder.add(name, Conv{.out_channels = 8}, {last});
  }
  const auto graph = must(std::move(builder).build());
  EXPECT_EQ(unit_titles(graph), (std::vector<std::string>{"features.0", "features.3", "conv"}));
}

// A name of a million characters beside one that differs in the middle: both are shown, apart, and soon.
TEST(Names, OfAMillionCharactersAreElidedAtOnce) {
  std::string one(1'000'000, 'x');
  std::string other = one;
  one.replace(500'000, 3, "ONE");
  other.replace(500'000, 3, "TWO");
  const auto shown = fitted({one, other}, 200);
  EXPECT_NE(shown[0].find("ONE"), std::string::npos) << shown[0];
  EXPECT_NE(shown[1].find("TWO"), std::string::npos) << shown[1];
  EXPECT_LT(shown[0].size(), 60U);
  EXPECT_LT(short_name(one).size(), 220U);
  // What is kept is asked for character by character, what is left out is not: as many steps as for a short name.
  EXPECT_EQ(elide_middle(one, 100, plain_style().body).size(),
            elide_middle(std::string(1000, 'x'), 100, plain_style().body).size());
}

TEST(Names, OfAnyLengthMakeAModel) {
  GraphBuilder builder("long");
  const Value in = builder.input(std::string(300'000, 'i'), {8, 8, 8});
  Conv conv{.out_channels = 8};
  builder.add(std::string(1'000'000, 'n'), conv, {in});
  auto graph = must(std::move(builder).build());
  const auto model = make_model(std::make_shared<const Graph>(std::move(graph)), plain_style());
  EXPECT_LT(model->labels[0].name.size(), 60);
  EXPECT_LT(lay_out(model->graph).bounds.width, 2000);
}

NodeText text_of(const Graph& graph, UnitId unit) { return node_text(graph, unit, unit_titles(graph)[unit.index()]); }

TEST(NodeText, SaysKindKernelChannelsAndShape) {
  auto [builder, in] = iosx::test::sketch("g", {384, 35, 35});
  Conv conv{.out_channels = 448, .kernel = {3, 3}, .stride = {2, 2}};
  const Value a = builder.add("a", conv, {in});
  Pool pool{.kernel = {3, 1}, .stride = {2, 1}};
  builder.add("p", pool, {a});
  builder.begin_unit("u", "ReluConv");
  const Value relu = builder.add("", Activate{}, {in});
  builder.add("", conv, {relu});
  builder.end_unit();
  const auto graph = must(std::move(builder).build());
  const NodeText text = text_of(graph, UnitId(0));
  EXPECT_EQ(text.name, "a");
  EXPECT_EQ(text.lines, std::vector<std::string>{"conv 3×3 /2 · 384→448"});
  EXPECT_EQ(text.shape, "448×17×17");
  EXPECT_EQ(text_of(graph, UnitId(1)).lines.front(), "max pool 3×1 /2×1");
  const NodeText unit = text_of(graph, UnitId(2));
  EXPECT_EQ(unit.name, "u ReluConv");
  EXPECT_EQ(unit.lines, (std::vector<std::string>{"relu", "conv 3×3 /2 · 384→448"}));
  EXPECT_EQ(dominant_operator(graph, UnitId(2)), graph.unit(UnitId(2)).operators[1]);
}

TEST(NodeText, SaysWhatOperatorsOnAnyRankDo) {
  GraphBuilder builder("g");
  const Value image = builder.input("image", {8, 4, 4});
  const Value weights = builder.constant("table", Tensor({3, 16}, std::vector<float>(48, 1)));
  const Value flat = builder.add("flat", Reshape{{8, 16}}, {image});
  const Value turned = builder.add("turned", Transpose{{1, 0}}, {flat});
  const Value product = builder.add("product", MatMul{}, {weights, turned});
  builder.add("soft", Softmax{1}, {product});
  builder.add("mean", Reduce{ReduceKind::kMean, {0, 1}, false}, {product});
  Resize twice{.scales = {1, 2, 1.5F}, .shape = {8, 8, 6}};
  builder.add("twice", twice, {image});
  Recurrent layer{.direction = RecurrentDirection::kBoth, .hidden = 6};
  builder.add("layer", layer, {image});
  builder.add("top", TopK{2, 1}, {image});
  const auto graph = must(std::move(builder).build());
  const auto line = [&](std::size_t unit) { return text_of(graph, UnitId(unit)).lines.front(); };
  EXPECT_EQ(line(0), "reshape");
  EXPECT_EQ(text_of(graph, UnitId(0)).shape, "8×16");
  EXPECT_EQ(line(1), "transpose 1 0");
  EXPECT_EQ(line(2), "matmul");
  EXPECT_EQ(line(3), "softmax on axis 1");
  EXPECT_EQ(line(4), "mean over axes 0 1");
  EXPECT_EQ(text_of(graph, UnitId(4)).shape, "scalar");
  EXPECT_EQ(line(5), "resize 1×2×1.5 nearest");
  EXPECT_EQ(line(6), "lstm both ways · 4→6");
  EXPECT_EQ(line(7), "largest 2 on axis 1");
}

TEST(NodeText, BoxGrowsWithItsTextUpToALimit) {
  NodeText text{"name", {"short"}, "1×1×1", ""};
  const Size small = box_size(text, plain_style());
  text.lines = {"a longer line of text", "and one more"};
  const Size larger = box_size(text, plain_style());
  EXPECT_GT(larger.width, small.width);
  EXPECT_EQ(larger.height, small.height + plain_style().body.line_height);
  text.name = std::string(200, 'x');
  EXPECT_EQ(box_size(text, plain_style()).width, kMaxBoxWidth);
}

TEST(NodeText, ElidesInTheMiddle) {
  const FontWidths widths = plain_style().body;
  EXPECT_EQ(elide_middle("short", 100, widths), "short");
  const QString elided = elide_middle("mixed_5b/branch_3x3/conv_1", 100, widths);
  EXPECT_TRUE(elided.startsWith("mixed"));
  EXPECT_TRUE(elided.endsWith("_1"));
  EXPECT_LE(widths.width(elided.toStdString()), 100);
  EXPECT_EQ(widths.width("a×b"), 7 + 8 + 7);
}

}  // namespace

}  // namespace iosx::canvas::test
