#include "views/canvas/layout/node_text.h"

#include <gtest/gtest.h>

#include "core/model/graph/builder.h"
#include "core/model/graph/work.h"
#include "tests/views/canvas/canvas_graphs.h"
#include "views/canvas/layout/names.h"
#include "views/canvas/paint/scene.h"

namespace iosx::canvas::test {
namespace {

NodeText text_of(const Graph& graph, UnitId unit) { return node_text(graph, unit, unit_titles(graph)[unit.index()]); }

TEST(NodeText, SaysKindKernelChannelsAndShape) {
  GraphBuilder builder("g");
  const Value in = builder.input("in", {384, 35, 35});
  Conv conv;
  conv.out_channels = 448;
  conv.kernel = {3, 3};
  conv.stride = {2, 2};
  const Value a = builder.add("a", conv, {in});
  Pool pool;
  pool.kernel = {3, 1};
  pool.stride = {2, 1};
  builder.add("p", pool, {a});
  builder.begin_unit("u", "ReluConv");
  const Value relu = builder.add("", Activate{}, {in});
  builder.add("", conv, {relu});
  builder.end_unit();
  const auto graph = std::move(builder).build();
  ASSERT_TRUE(graph.has_value());
  const NodeText text = text_of(*graph, UnitId(0));
  EXPECT_EQ(text.name, "a");
  EXPECT_EQ(text.lines, std::vector<std::string>{"conv 3×3 /2 · 384→448"});
  EXPECT_EQ(text.shape, "448×17×17");
  EXPECT_EQ(text_of(*graph, UnitId(1)).lines.front(), "max pool 3×1 /2×1");
  const NodeText unit = text_of(*graph, UnitId(2));
  EXPECT_EQ(unit.name, "u ReluConv");
  EXPECT_EQ(unit.lines, (std::vector<std::string>{"relu", "conv 3×3 /2 · 384→448"}));
  EXPECT_EQ(dominant_operator(*graph, UnitId(2)), graph->unit(UnitId(2)).operators[1]);
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
  Resize twice;
  twice.scales = {1, 2, 1.5F};
  twice.shape = {8, 8, 6};
  builder.add("twice", twice, {image});
  Recurrent layer;
  layer.hidden = 6;
  layer.direction = RecurrentDirection::kBoth;
  builder.add("layer", layer, {image});
  builder.add("top", TopK{2, 1}, {image});
  const auto graph = std::move(builder).build();
  ASSERT_TRUE(graph.has_value()) << graph.error().text();
  const auto line = [&](std::size_t unit) { return text_of(*graph, UnitId(unit)).lines.front(); };
  EXPECT_EQ(line(0), "reshape");
  EXPECT_EQ(text_of(*graph, UnitId(0)).shape, "8×16");
  EXPECT_EQ(line(1), "transpose 1 0");
  EXPECT_EQ(line(2), "matmul");
  EXPECT_EQ(line(3), "softmax on axis 1");
  EXPECT_EQ(line(4), "mean over axes 0 1");
  EXPECT_EQ(text_of(*graph, UnitId(4)).shape, "scalar");
  EXPECT_EQ(line(5), "resize 1×2×1.5 nearest");
  EXPECT_EQ(line(6), "lstm both ways · 4→6");
  EXPECT_EQ(line(7), "largest 2 on axis 1");
  EXPECT_EQ(port_text(*graph, weights.producer), "constant table · 3×16");
  EXPECT_EQ(port_text(*graph, image.producer), "input image · 8×4×4");
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
