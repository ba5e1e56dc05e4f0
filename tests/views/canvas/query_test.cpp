#include <gtest/gtest.h>

#include "core/model/graph/builder.h"
#include "models/networks/zoo.h"
#include "tests/views/canvas/canvas_graphs.h"
#include "views/canvas/paint/unit_query.h"

namespace iosx::canvas::test {
namespace {

class Query : public testing::Test {
 protected:
  Query() {
    GraphBuilder builder("net");
    const Value in = builder.input("in", {16, 32, 32});
    builder.begin_part("stem");
    Conv conv;
    conv.out_channels = 32;
    conv.kernel = {3, 3};
    conv.stride = {2, 2};
    conv.padding = {1, 1};
    const Value a = builder.add("stem/conv 1", conv, {in});
    builder.begin_part("mixed_5b");
    conv.kernel = {1, 1};
    conv.stride = {1, 1};
    conv.padding = {0, 0};
    const Value b = builder.add("mixed_5b/branch:0", conv, {a});
    conv.kernel = {1, 7};
    conv.padding = {0, 3};
    conv.activation = Activation::kRelu;
    const Value c = builder.add("mixed_5b/branch_1", conv, {a});
    Pool pool;
    pool.kernel = {3, 3};
    pool.padding = {1, 1};
    const Value d = builder.add("mixed_5b/pool", pool, {a});
    builder.add("mixed_5b/concat", Concat{}, {b, c, d});
    auto graph = std::move(builder).build();
    EXPECT_TRUE(graph.has_value()) << graph.error().text();
    const auto shared = std::make_shared<const Graph>(std::move(*graph));
    Schedule schedule;
    schedule.stages.push_back(single_unit_stage(UnitId(0)));
    schedule.stages.push_back({{Group{{Step{{UnitId(1)}}}}, Group{{Step{{UnitId(2)}}, Step{{UnitId(3)}}}}}});
    schedule.stages.push_back(single_unit_stage(UnitId(4)));
    model_ = with_schedule(*make_model(shared, plain_style()), &schedule, {});
  }

  std::vector<std::size_t> found(const char* text) const {
    const auto query = UnitQuery::parse(QString::fromUtf8(text));
    EXPECT_TRUE(query.has_value()) << text << ": " << query.error().toStdString();
    std::vector<std::size_t> units;
    if (!query) return units;
    for (const UnitId unit : query->matches(*model_)) units.push_back(unit.index());
    return units;
  }
  static std::string error(const char* text) {
    const auto query = UnitQuery::parse(QString::fromUtf8(text));
    return query ? std::string() : query.error().toStdString();
  }

  using Units = std::vector<std::size_t>;
  std::shared_ptr<const Model> model_;
};

TEST_F(Query, WordsAreTextAnywhere) {
  EXPECT_EQ(found("BRANCH"), (Units{1, 2}));
  EXPECT_EQ(found("mixed pool"), (Units{3}));
  EXPECT_EQ(found("stem"), (Units{0}));
  EXPECT_EQ(found("nothing like this"), Units{});
  EXPECT_EQ(found(""), Units{});
  EXPECT_EQ(found("   "), Units{});
}

TEST_F(Query, QuotesHoldSpacesAndColons) {
  EXPECT_EQ(found("\"1 conv\""), Units{});  // without quotes two words, in any order
  EXPECT_NE(found("1 conv"), Units{});
  EXPECT_EQ(found("\"branch:0\""), (Units{1}));
  EXPECT_EQ(found("name:\"conv 1\""), (Units{0}));
}

TEST_F(Query, KeysLookAtOneThing) {
  EXPECT_EQ(found("name:pool"), (Units{3}));
  EXPECT_EQ(found("type:conv"), (Units{0, 1, 2}));
  EXPECT_EQ(found("type:pool"), (Units{3}));
  EXPECT_EQ(found("part:stem"), (Units{0}));
  EXPECT_EQ(found("-type:conv"), (Units{3, 4}));
  EXPECT_EQ(found("part:mixed -branch"), (Units{3, 4}));
  EXPECT_EQ(found("shape:32x16x16"), (Units{0, 1, 2, 3}));
}

TEST_F(Query, AttributesAreTakenWhole) {
  EXPECT_EQ(found("kernel:3x3"), (Units{0, 3}));
  EXPECT_EQ(found("kernel:3"), (Units{0, 3}));
  EXPECT_EQ(found("type:conv kernel:3×3"), (Units{0}));
  EXPECT_EQ(found("kernel:1x7"), (Units{2}));
  EXPECT_EQ(found("kernel:/^1/"), (Units{1, 2}));
  EXPECT_EQ(found("stride:2"), (Units{0}));
  EXPECT_EQ(found("activation:relu"), (Units{2}));
}

TEST_F(Query, NumbersAreNumbersOrRanges) {
  EXPECT_EQ(found("stage:2"), (Units{1, 2, 3}));
  EXPECT_EQ(found("stage:2-3"), (Units{1, 2, 3, 4}));
  EXPECT_EQ(found("stage:>1 group:2"), (Units{2, 3}));
  EXPECT_EQ(found("stage:<2"), (Units{0}));
  EXPECT_EQ(found("channels:>=96"), (Units{4}));
  EXPECT_EQ(found("flops:>2M"), (Units{0, 2}));  // 2·32·16²·9·16 and ·7·32, but not ·1·32
  EXPECT_EQ(found("parameters:>4.2k"), (Units{0, 2}));
}

TEST_F(Query, ExpressionsAreRegular) {
  EXPECT_EQ(found("/branch[:_][01]$/"), (Units{1, 2}));
  EXPECT_EQ(found("name:/^mixed_5.*(pool|concat)/"), (Units{3, 4}));
  EXPECT_EQ(found("/conv 1$/"), (Units{0}));
  EXPECT_EQ(found("/MIXED/ type:conv"), (Units{1, 2}));
  EXPECT_EQ(found("-/branch/ part:mixed"), (Units{3, 4}));
  EXPECT_EQ(found("5b/pool"), (Units{3}));  // a path, no expression
  EXPECT_EQ(found("/pool"), (Units{3}));
}

TEST_F(Query, SaysWhatIsWrong) {
  EXPECT_NE(error("name:/mixed(/").find("mixed("), std::string::npos);
  EXPECT_NE(error("name:/mixed(/").find("not a regular expression"), std::string::npos);
  EXPECT_NE(error("colour:red").find("colour"), std::string::npos);
  EXPECT_NE(error("stage:first").find("first"), std::string::npos);
  EXPECT_NE(error("stage:5-2").find("not a number"), std::string::npos);
  EXPECT_NE(error("kernel:").find("kernel"), std::string::npos);
  EXPECT_EQ(error("conv"), "");
}

// (a+)+$ on a text of a's takes as many steps as there are ways to split it up: it is given up.
TEST_F(Query, AnExpressionThatTakesForEverIsGivenUp) {
  GraphBuilder builder("net");
  const Value in = builder.input("in", {4, 8, 8});
  builder.add(std::string(60, 'a') + "!", Activate{}, {in});
  auto graph = std::move(builder).build();
  ASSERT_TRUE(graph.has_value());
  const auto model = make_model(std::make_shared<const Graph>(std::move(*graph)), plain_style());
  EXPECT_TRUE(UnitQuery::parse("name:/^(a+)+$/")->matches(*model).empty());
}

}  // namespace
}  // namespace iosx::canvas::test
