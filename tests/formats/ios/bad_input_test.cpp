#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>

#include "core/base/json/json_view.h"
#include "core/formats/document.h"
#include "tests/formats/ios/small_network.h"
#include "tests/support/must.h"
#include "tests/support/sanitized.h"

namespace iosx {
namespace {

using OrderedJson = nlohmann::ordered_json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// A message that a person can use: one line that leads with the file and is not longer than a screen.
void expect_useful(const Error& error, const std::string& where, const std::string& says) {
  EXPECT_THAT(error.where, StartsWith("net.json"));
  EXPECT_THAT(error.where, HasSubstr(where));
  EXPECT_THAT(error.text(), HasSubstr(says));
  EXPECT_THAT(error.text(), Not(HasSubstr("\n")));
  EXPECT_LT(error.text().size(), 600U);
}

struct Change {
  const char* name;
  std::function<void(OrderedJson&)> make;
  const char* where;
  const char* says;
};

void PrintTo(const Change& change, std::ostream* out) { *out << change.name; }

class BadNetwork : public testing::TestWithParam<Change> {};

TEST_P(BadNetwork, IsAnErrorAtItsPlace) {
  ASSERT_TRUE(parse_ios_json(kSmallNetwork, "net.json").has_value());
  OrderedJson json = OrderedJson::parse(kSmallNetwork);
  GetParam().make(json);
  const Error error = refused(parse_ios_json(json.dump(), "net.json"));
  expect_useful(error, GetParam().where, GetParam().says);
}

OrderedJson& a(OrderedJson& json) { return json["blocks"][0]["inner_nodes"][0]; }
OrderedJson& s(OrderedJson& json) { return json["blocks"][0]["inner_nodes"][1]; }
OrderedJson& x(OrderedJson& json) { return json["blocks"][1]["inner_nodes"][0]; }
OrderedJson& y(OrderedJson& json) { return json["blocks"][1]["inner_nodes"][1]; }
OrderedJson& stages(OrderedJson& json, int block) { return json["blocks"][block]["stages"]; }

std::string case_name(const testing::TestParamInfo<Change>& info) { return info.param.name; }

constexpr const char* kA = "blocks[0].inner_nodes[0] 'a'";
constexpr const char* kS = "blocks[0].inner_nodes[1] 's'";
constexpr const char* kX = "blocks[1].inner_nodes[0] 'x'";
constexpr const char* kY = "blocks[1].inner_nodes[1] 'y'";

INSTANTIATE_TEST_SUITE_P(
    Form, BadNetwork,
    testing::Values(Change{"NotAnObject",
                           [](OrderedJson& j) {
                             j = OrderedJson::array({1, 2});
                           },
                           "net.json", "an object with the key 'name'"},
                    Change{"JustANumber", [](OrderedJson& j) { j = 3; }, "net.json", "must be an object"},
                    Change{"Null", [](OrderedJson& j) { j = nullptr; }, "net.json", "not null"},
                    Change{"OtherObject",
                           [](OrderedJson& j) {
                             j = {{"hello", "world"}};
                           },
                           "net.json", "the key 'name' is missing"},
                    Change{"NoInput", [](OrderedJson& j) { j.erase("input"); }, "net.json", "'input' is missing"},
                    Change{"NoBlocks", [](OrderedJson& j) { j.erase("blocks"); }, "net.json", "'blocks' is missing"},
                    Change{"EmptyBlocks", [](OrderedJson& j) { j["blocks"] = OrderedJson::array(); }, "blocks",
                           "there are no blocks"},
                    Change{"BlocksAsObject", [](OrderedJson& j) { j["blocks"] = OrderedJson::object(); }, "blocks",
                           "must be a list, not object"},
                    Change{"NullBlock", [](OrderedJson& j) { j["blocks"][1] = nullptr; }, "blocks[1]", "not null"},
                    Change{"NoInnerNodes", [](OrderedJson& j) { j["blocks"][1].erase("inner_nodes"); }, "blocks[1]",
                           "'inner_nodes'"},
                    Change{"NoExitNode", [](OrderedJson& j) { j["blocks"][1].erase("exit_node"); }, "blocks[1]",
                           "'exit_node' is missing"},
                    Change{"NullExitNode", [](OrderedJson& j) { j["blocks"][0]["exit_node"] = nullptr; },
                           "blocks[0].exit_node", "null"},
                    Change{"NameAsNumber", [](OrderedJson& j) { j["name"] = 7; }, "name", "must be a text, not number"},
                    Change{"EmptyName", [](OrderedJson& j) { a(j)["name"] = ""; }, "blocks[0].inner_nodes[0].name",
                           "must not be empty"},
                    Change{"MissingName", [](OrderedJson& j) { a(j).erase("name"); }, "blocks[0].inner_nodes[0]",
                           "'name' is missing"},
                    Change{"NameTooLong", [](OrderedJson& j) { a(j)["name"] = std::string(1 << 20, 'n'); },
                           "inner_nodes[0].name", "use at most 256"},
                    Change{"NameWithLineBreak", [](OrderedJson& j) { a(j)["name"] = "a\nb"; }, "inner_nodes[0].name",
                           "control characters"},
                    Change{"HintAsList", [](OrderedJson& j) { a(j)["hint_name"] = OrderedJson::array({"a"}); },
                           "inner_nodes[0].hint_name", "must be a text, not array"},
                    Change{"MissingType", [](OrderedJson& j) { a(j).erase("type"); }, kA, "'type' is missing"},
                    Change{"UnknownType", [](OrderedJson& j) { a(j)["type"] = "lstm"; }, kA,
                           "unknown operator type 'lstm'"},
                    Change{"PlaceholderInBlock", [](OrderedJson& j) { a(j)["type"] = "placeholder"; }, kA,
                           "placeholder inside a block"},
                    Change{"InputOfOtherType", [](OrderedJson& j) { j["input"]["type"] = "conv"; }, "input",
                           "must be 'placeholder'"},
                    Change{"InputWithoutShape", [](OrderedJson& j) { j["input"].erase("output_shape"); }, "input",
                           "'output_shape'"},
                    Change{"InputOfTwoDimensions",
                           [](OrderedJson& j) {
                             j["input"]["output_shape"] = {4, 8};
                           },
                           "input.output_shape", "must be a list of 3 integers [channels, height, width], but has 2"},
                    Change{"SequentialOfNothing", [](OrderedJson& j) { s(j)["nodes"] = OrderedJson::array(); }, kS,
                           "needs operators"},
                    Change{"SequentialInSequential", [](OrderedJson& j) { s(j)["nodes"][0]["type"] = "sequential"; },
                           "'s'.nodes[0] 'r'", "sequential is inside a sequential"},
                    Change{"DilationThatTheFormatLacks",
                           [](OrderedJson& j) {
                             a(j)["dilation"] = {2, 2};
                           },
                           kA, "'dilation' is not part"}),
    case_name);

INSTANTIATE_TEST_SUITE_P(
    Numbers, BadNetwork,
    testing::Values(
        Change{"Negative", [](OrderedJson& j) { a(j)["out_channels"] = -6; }, kA, "-6 must lie in 1..16777216"},
        Change{"TwoTo63", [](OrderedJson& j) { a(j)["out_channels"] = std::uint64_t{1} << 63U; }, kA,
               "9223372036854775808 must"},
        Change{"MostNegative",
               [](OrderedJson& j) {
                 a(j)["padding"] = {INT64_MIN, 0};
               },
               "'a'.padding[0]", "must lie in 0.."},
        Change{"OneE308", [](OrderedJson& j) { a(j)["out_channels"] = 1e308; }, "'a'.out_channels",
               "must be an integer"},
        Change{"Fraction",
               [](OrderedJson& j) {
                 a(j)["kernel"] = {3.5, 3};
               },
               "'a'.kernel[0]", "must be an integer, not 3.5"},
        Change{"NumberAsText", [](OrderedJson& j) { a(j)["out_channels"] = "6"; }, "'a'.out_channels",
               "integer, not string"},
        Change{"NumberAsBoolean", [](OrderedJson& j) { a(j)["groups"] = true; }, "'a'.groups", "integer, not boolean"},
        Change{"ZeroKernel",
               [](OrderedJson& j) {
                 a(j)["kernel"] = {0, 3};
               },
               "'a'.kernel[0]", "0 must lie in 1.."},
        Change{"KernelAsNumber", [](OrderedJson& j) { a(j)["kernel"] = 3; }, "'a'.kernel",
               "must be a list of 2 integers"},
        Change{"KernelOfThree",
               [](OrderedJson& j) {
                 a(j)["kernel"] = {3, 3, 3};
               },
               "'a'.kernel", "has 3"},
        Change{"ZeroStride",
               [](OrderedJson& j) {
                 x(j)["stride"] = {2, 0};
               },
               "'x'.stride[1]", "0 must lie in 1.."},
        Change{"KernelLargerThanInput",
               [](OrderedJson& j) {
                 a(j)["kernel"] = {11, 3};
               },
               kA, "kernel [11, 3] does not fit"},
        Change{"GroupsDoNotDivide", [](OrderedJson& j) { s(j)["nodes"][1]["groups"] = 4; }, "'s'.nodes[1] 'p'",
               "groups 4 must divide"},
        Change{"ChannelsOverflow",
               [](OrderedJson& j) {
                 a(j)["out_channels"] = 1 << 24;
                 j["input"]["output_shape"] = {1 << 24, 4096, 4096};
               },
               "input 'in'", "elements"},
        Change{"WeightsOverflow",
               [](OrderedJson& j) {
                 a(j)["out_channels"] = 1 << 24;
                 a(j)["kernel"] = {1 << 24, 1 << 24};
                 a(j)["padding"] = {1 << 23, 1 << 23};
               },
               kA, "weights"},
        Change{"NegativeShape",
               [](OrderedJson& j) {
                 a(j)["output_shape"] = {6, -8, 8};
               },
               "'a'.output_shape[1]", "-8"},
        Change{"ShapeDoesNotFit",
               [](OrderedJson& j) {
                 a(j)["output_shape"] = {6, 9, 8};
               },
               kA, "output_shape is declared as [6, 9, 8], but its inputs and attributes give [6, 8, 8]"},
        Change{"InnerShapeDoesNotFit",
               [](OrderedJson& j) {
                 s(j)["nodes"][0]["output_shape"] = {5, 8, 8};
               },
               "'s'.nodes[0] 'r'", "give [6, 8, 8]"},
        Change{"UnknownActivation", [](OrderedJson& j) { a(j)["act"] = "swish"; }, "'a'.act",
               "unknown activation 'swish'"},
        Change{"NullActivation", [](OrderedJson& j) { a(j)["act"] = nullptr; }, "'a'.act", "not null"},
        Change{"UnknownPool", [](OrderedJson& j) { x(j)["pool_type"] = "min"; }, "'x'.pool_type",
               "unknown pool type 'min'"},
        Change{"PoolPadding",
               [](OrderedJson& j) {
                 x(j)["padding"] = {3, 3};
               },
               kX, "smaller than the kernel"},
        Change{"UnknownElement", [](OrderedJson& j) { j["blocks"][0]["inner_nodes"][2]["op_type"] = "div"; },
               "'m'.op_type", "unknown element-wise operation 'div'"}),
    case_name);

INSTANTIATE_TEST_SUITE_P(
    Wiring, BadNetwork,
    testing::Values(
        Change{"DuplicateName", [](OrderedJson& j) { y(j)["name"] = "a"; }, "blocks[1].inner_nodes[1] 'a'",
               "'a' is used twice, first at blocks[0].inner_nodes[0] 'a'"},
        Change{"DuplicateInnerName", [](OrderedJson& j) { s(j)["nodes"][0]["name"] = "m"; }, "inner_nodes[2] 'm'",
               "used twice"},
        Change{"NameOfTheInput", [](OrderedJson& j) { a(j)["name"] = "in"; }, "inner_nodes[0] 'in'",
               "first at input 'in'"},
        Change{"MissingInputs", [](OrderedJson& j) { a(j).erase("inputs"); }, kA, "'inputs' is missing"},
        Change{"EmptyInputs", [](OrderedJson& j) { a(j)["inputs"] = OrderedJson::array(); }, "'a'.inputs",
               "needs an input"},
        Change{"EmptyTerm", [](OrderedJson& j) { a(j)["inputs"][0] = OrderedJson::array(); }, "'a'.inputs[0]",
               "no values"},
        Change{"ValueOfTwo",
               [](OrderedJson& j) {
                 a(j)["inputs"][0][0] = {"in", 0};
               },
               "'a'.inputs[0][0]", "must be a list of 3 elements [operator, begin, end], but has 2"},
        Change{"ValueAsText", [](OrderedJson& j) { a(j)["inputs"][0][0] = "in"; }, "'a'.inputs[0][0]", "not string"},
        Change{"ValueNamesANumber", [](OrderedJson& j) { a(j)["inputs"][0][0][0] = 0; }, "'a'.inputs[0][0][0]",
               "must be a text, not number"},
        Change{"SliceOutOfRange",
               [](OrderedJson& j) {
                 y(j)["inputs"][0][0] = {"x", 6, 13};
               },
               kY, "reads channels [6, 13) of 'x', which has 12 channels"},
        Change{"SliceEmpty",
               [](OrderedJson& j) {
                 y(j)["inputs"][0][0] = {"x", 6, 6};
               },
               "'y'.inputs[0][0]", "are empty"},
        Change{"SliceReversed",
               [](OrderedJson& j) {
                 y(j)["inputs"][0][0] = {"x", 6, 2};
               },
               "'y'.inputs[0][0]", "are empty"},
        Change{"SliceNegative",
               [](OrderedJson& j) {
                 y(j)["inputs"][0][0] = {"x", -6, 0};
               },
               "'y'.inputs[0][0][1]", "-6 must"},
        Change{"SummandsDiffer",
               [](OrderedJson& j) {
                 y(j)["inputs"][0][0] = {"x", 0, 4};
               },
               kY, "'y.add': add: inputs have different shapes"},
        Change{"UnknownProducer", [](OrderedJson& j) { y(j)["inputs"][0][0][0] = "nobody"; }, kY,
               "reads 'nobody', which does not exist"},
        Change{"InsideOfAnotherUnit",
               [](OrderedJson& j) {
                 y(j)["inputs"] = {{{"r", 0, 6}}};
               },
               kY, "reads 'r' from the inside of 's' (only the whole unit can be read: write 's')"},
        Change{"LaterInTheSequential",
               [](OrderedJson& j) {
                 s(j)["nodes"][0]["inputs"] = {{{"p", 0, 6}}};
               },
               "'s'.nodes[0] 'r'", "reads 'p', which does not come before it"},
        Change{"LaterBlock",
               [](OrderedJson& j) {
                 s(j)["nodes"][0]["inputs"] = {{{"x", 0, 6}}};
               },
               "'s'.nodes[0] 'r'", "reads 'x', which is computed in a later block, at blocks[1].inner_nodes[0] 'x'"},
        Change{"ReadsItself",
               [](OrderedJson& j) {
                 a(j)["inputs"] = {{{"a", 0, 4}}};
               },
               kA, "cycle: 'a' → 'a'"},
        Change{"Cycle",
               [](OrderedJson& j) {
                 a(j)["inputs"] = {{{"m", 0, 4}}};
               },
               "blocks[0]", "cycle: 'a' → 'm' → 'a'"},
        Change{"CycleThroughTheExit",
               [](OrderedJson& j) {
                 x(j)["inputs"] = {{{"t", 0, 4}}};
               },
               "blocks[1]", "cycle: 'x' → 'y' → 't' → 'x'"},
        Change{"EnterNodeDiffers", [](OrderedJson& j) { j["blocks"][1]["enter_node"]["inputs"][0][0][2] = 5; },
               "blocks[1].enter_node 'c'", "differs from the node 'c' that it repeats, at blocks[0].exit_node 'c'"},
        Change{"EnterNodeUnknown",
               [](OrderedJson& j) {
                 j["blocks"][1]["enter_node"]["name"] = "d";
                 j["blocks"][1]["enter_name"] = "d";
               },
               "blocks[1].enter_node 'd'", "is not a node of an earlier block"},
        Change{"EnterNodeOfTheSameBlock",
               [](OrderedJson& j) {
                 j["blocks"][1]["enter_node"] = x(j);
                 j["blocks"][1]["enter_name"] = "x";
               },
               "blocks[1].enter_node 'x'", "is not a node of an earlier block"},
        Change{"EnterNameDiffers", [](OrderedJson& j) { j["blocks"][1]["enter_name"] = "a"; }, "blocks[1].enter_name",
               "is not the name of enter_node, 'c'"}),
    case_name);

INSTANTIATE_TEST_SUITE_P(
    Stages, BadNetwork,
    testing::Values(
        Change{"AsText", [](OrderedJson& j) { stages(j, 0) = "a"; }, "blocks[0].stages", "must be a list, not string"},
        Change{"FlatList",
               [](OrderedJson& j) {
                 stages(j, 0) = {"a", "s"};
               },
               "blocks[0].stages[0]", "must be a list"},
        Change{"UnitAsNumber", [](OrderedJson& j) { stages(j, 0)[0][0][0] = 1; }, "blocks[0].stages[0][0][0]",
               "must be a text"},
        Change{"EmptyStage", [](OrderedJson& j) { stages(j, 1)[1] = OrderedJson::array(); }, "blocks[1].stages[1]",
               "stage is empty"},
        Change{"EmptyGroup", [](OrderedJson& j) { stages(j, 1)[1] = OrderedJson::array({OrderedJson::array()}); },
               "blocks[1].stages[1][0]", "group is empty"},
        Change{"UnknownOperator", [](OrderedJson& j) { stages(j, 1)[1][0][0] = "w"; }, "blocks[1].stages[1][0][0]",
               "there is no unit 'w'"},
        Change{"InsideOfAUnit",
               [](OrderedJson& j) {
                 stages(j, 0)[1] = {{"r", "p", "m"}};
               },
               "blocks[0].stages[1][0][0]", "there is no unit 'r' (it is inside 's')"},
        Change{"NamesTheInput", [](OrderedJson& j) { stages(j, 0)[0][0][0] = "in"; }, "blocks[0].stages[0][0][0]",
               "there is no unit 'in'"},
        Change{"OfAnotherBlock", [](OrderedJson& j) { stages(j, 0)[2][0].push_back("x"); }, "blocks[0].stages[2][0][1]",
               "'x' belongs to another block"},
        Change{"Duplicate", [](OrderedJson& j) { stages(j, 0)[2][0].push_back("a"); }, "blocks[0].stages[2][0][1]",
               "'a' is in a stage already"},
        Change{"LeavesOneOut", [](OrderedJson& j) { stages(j, 0)[1] = {{"s"}}; }, "blocks[0].stages", "'c' reads 'm'"},
        Change{"LeavesTheLastOut", [](OrderedJson& j) { stages(j, 1).erase(3); }, "blocks[1].stages",
               "no stage runs 'z'"},
        Change{"MissingInOneBlock", [](OrderedJson& j) { j["blocks"][1].erase("stages"); }, "blocks[1].stages",
               "no stage runs 'x'"},
        Change{"WrongStageOrder", [](OrderedJson& j) { std::swap(stages(j, 0)[0], stages(j, 0)[1]); },
               "blocks[0].stages[0][0][0]", "'s' reads 'a', which has not run yet"},
        Change{"WrongOrderInGroup", [](OrderedJson& j) { std::swap(stages(j, 0)[1][0][0], stages(j, 0)[1][0][1]); },
               "blocks[0].stages[1][0][0]", "'m' reads 's'"},
        Change{"SideBySideThoughDependent",
               [](OrderedJson& j) {
                 stages(j, 0)[1] = {{"s"}, {"m"}};
               },
               "blocks[0].stages[1][1][0]", "'m' reads 's', which has not run yet"}),
    case_name);

// Files that are not a network at all, and the bounds of what is read.

struct Text {
  const char* name;
  std::string text;
  const char* where;
  const char* says;
};

void PrintTo(const Text& text, std::ostream* out) { *out << text.name; }

class BadText : public testing::TestWithParam<Text> {};

TEST_P(BadText, IsAnErrorAtItsLine) {
  const Error error = refused(parse_ios_json(GetParam().text, "net.json"));
  EXPECT_THAT(error.where, StartsWith("net.json"));
  EXPECT_THAT(error.where, HasSubstr(GetParam().where));
  EXPECT_THAT(error.text(), HasSubstr(GetParam().says));
  EXPECT_THAT(error.text(), Not(HasSubstr("exception")));
  EXPECT_LT(error.text().size(), 400U);
}

std::string repeated(const std::string& piece, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += piece;
  return text;
}

INSTANTIATE_TEST_SUITE_P(
    Cases, BadText,
    testing::Values(
        Text{"Empty", "", "net.json", "the file is empty"}, Text{"Blank", " \n\t\r\n", "net.json", "the file is empty"},
        Text{"Prose", "Dear reader", "line 1, column 1", "not valid JSON: invalid literal"},
        Text{"Xml", "<?xml version=\"1.0\"?>", "line 1, column 1", "not valid JSON"},
        Text{"MissingComma", "{\n  \"name\": \"x\"\n  \"input\": 1}", "line 3, column 9", "unexpected string literal"},
        Text{"TrailingComma", "{\"name\": \"x\",}", "line 1, column 14", "not valid JSON"},
        Text{"TwoDocuments", "{} {}", "line 1, column 4", "not valid JSON"},
        Text{"SingleQuotes", "{'name': 1}", "line 1, column 2", "not valid JSON"},
        Text{"NotANumber", "{\"name\": NaN}", "line 1, column 10", "a number is NaN or infinite"},
        Text{"Infinity", "{\"name\": -Infinity}", "line 1, column 11", "a number is NaN or infinite"},
        Text{"NumberTooLarge", "{\"name\": 1e999}", "line 1, column ", "a number is too large"},
        Text{"Hexadecimal", "{\"name\": 0x10}", "line 1, column 11", "not valid JSON"},
        Text{"Comment", "{// a network\n}", "line 1, column 2", "not valid JSON"},
        Text{"NotUtf8", "{\"name\": \"caf\xe9\"}", "line 1, column ", "ill-formed UTF-8"},
        Text{"BrokenSurrogate", "{\"name\": \"\\ud800\"}", "line 1, column ", "surrogate"},
        Text{"ZeroBytes", std::string(1000, '\0'), "line 1, column 1", "not valid JSON"},
        Text{"Png", std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16), "", "is not JSON but a PNG image"},
        Text{"Zip", "PK\x03\x04 and so on", "", "is not JSON but a zip archive"},
        Text{"Database", std::string("SQLite format 3\0\x10\0", 18), "", "is not JSON but an SQLite database"},
        Text{"DuplicateKey", "{\"name\": \"x\",\n \"name\": \"y\"}", "line 2, column ",
             "'name' appears twice in one object"},
        Text{"DuplicateKeyInside", "{\"input\": {\"type\": 1, \"type\": 2}}", "line 1, column ",
             "'type' appears twice"},
        Text{"DeepLists", repeated("[", 65) + repeated("]", 65), "line 1, column 65", "nested more than 64 deep"},
        Text{"DeepObjects", repeated("{\"a\":", 70) + "1" + repeated("}", 70), "line 1, column ",
             "nested more than 64"},
        Text{"DeepInsideAnIgnoredKey", "{\"name\": \"x\", \"other\": " + repeated("[", 80) + repeated("]", 80) + "}",
             "line 1, column ", "nested more than 64"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(BadText, HundredMegabytesOfBracketsAreRefusedAtOnce) {
  for (const char bracket : {'[', '{', ']'}) {
    const std::string text(100'000'000, bracket);
    const auto start = std::chrono::steady_clock::now();
    const auto document = parse_ios_json(text, "net.json");
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2 * test::every(10)));
    ASSERT_FALSE(document.has_value());
    EXPECT_THAT(document.error().text(), HasSubstr("line 1, column "));
  }
}

TEST(BadText, TooManyValuesAreRefused) {
  std::string text = "[";
  for (std::size_t i = 0; i < kMaxJsonValues + 10; ++i) text += "0,";
  EXPECT_THAT(refused(parse_ios_json(text + "0]", "net.json")).text(), HasSubstr("more than 4000000 values"));
}

TEST(BadText, EveryTruncationIsAnError) {
  const std::string whole = kSmallNetwork;
  for (std::size_t length = 0; length < whole.size(); length += test::every(5)) {
    const auto document = parse_ios_json(whole.substr(0, length), "net.json");
    ASSERT_FALSE(document.has_value()) << length;
    ASSERT_THAT(document.error().text(), length == 0 ? HasSubstr("empty") : HasSubstr("line ")) << length;
  }
}

// Any single wrong byte either leaves a valid network or gives an error that leads with the file; nothing crashes.
TEST(BadText, AnyWrongByteIsHandled) {
  const std::string whole = kSmallNetwork;
  std::size_t errors = 0;
  for (std::size_t at = 0; at < whole.size(); at += test::every(7)) {
    for (const char wrong : {'9', '"', '}', '\xff'}) {
      std::string text = whole;
      text[at] = wrong;
      const auto document = parse_ios_json(text, "net.json");
      if (document) continue;
      ++errors;
      ASSERT_THAT(document.error().where, StartsWith("net.json"));
      ASSERT_FALSE(document.error().what.empty());
    }
  }
  EXPECT_GT(errors, whole.size() / test::every(7));
}

// A list of 50,000 operators in reverse order, each reading the next: sorted without recursion.
TEST(BadText, ManyOperatorsInReverseOrderAreSorted) {
  constexpr int kCount = 50'000 / test::every(10);
  std::string text =
      R"({"name":"n","input":{"type":"placeholder","name":"0","output_shape":[1,1,1]},"blocks":[{"inner_nodes":[)";
  const auto node = [](int i) {
    return "{\"type\":\"relu\",\"name\":\"" + std::to_string(i) + "\",\"inputs\":[[[\"" + std::to_string(i - 1) +
           "\",0,1]]]}";
  };
  for (int i = kCount - 1; i > 0; --i) text += node(i) + (i > 1 ? "," : "");
  const std::string end = "],\"exit_node\":" + node(kCount) + "}]}";
  const auto document = must(parse_ios_json(text + end, "net.json"));
  EXPECT_EQ(document.graph->units().front().name, "1");
  EXPECT_EQ(document.graph->units().size(), static_cast<std::size_t>(kCount));
  EXPECT_FALSE(document.schedule.has_value());

  // The same as a cycle: the message stays short.
  std::string cycle = text;
  cycle.replace(cycle.find("[[[\"0\""), 6, "[[[\"" + std::to_string(kCount) + "\"");
  const Error error = refused(parse_ios_json(cycle + end, "net.json"));
  EXPECT_THAT(error.text(), HasSubstr("(" + std::to_string(kCount) + " operators)"));
  EXPECT_LT(error.text().size(), 400U);
}

class BadFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("iosx_bad_file_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(const std::string& text) const {
    const auto path = folder_ / "net.json";
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  static void expect_error(const std::filesystem::path& path, const char* says) {
    const Error error = refused(load_document(path));
    EXPECT_THAT(error.where, StartsWith(path.string()));
    EXPECT_THAT(error.text(), HasSubstr(says));
  }

  std::filesystem::path folder_;
};

TEST_F(BadFile, Absent) { expect_error(folder_ / "absent.json", "there is no such file"); }
TEST_F(BadFile, Folder) { expect_error(folder_, "is a folder"); }
TEST_F(BadFile, UnderAFile) { expect_error(write("{}") / "net.json", "check the path"); }
TEST_F(BadFile, Device) { expect_error("/dev/zero", "not a regular file"); }
TEST_F(BadFile, Empty) { expect_error(write(""), "the file is empty"); }
TEST_F(BadFile, NameTooLong) { expect_error(folder_ / std::string(5000, 'x'), "check the path"); }

TEST_F(BadFile, TooLarge) {
  const auto path = write("[");
  std::filesystem::resize_file(path, (std::uintmax_t{256} << 20U) + 1);  // sparse
  expect_error(path, "at most 256 MiB");
}

TEST_F(BadFile, BinaryGarbage) {
  std::string bytes;
  std::uint32_t state = 1;
  for (int i = 0; i < 100'000; ++i) bytes += static_cast<char>((state = state * 1664525U + 1013904223U) >> 24U);
  expect_error(write(bytes), "line 1, column 1");
}

TEST_F(BadFile, OfOurScheduleFormat) {
  expect_error(write(R"({"format":"iosx-schedule","version":1,"stages":[]})"), "a schedule, not a network");
}

TEST_F(BadFile, GoodFileIsRead) { EXPECT_EQ(must(load_document(write(kSmallNetwork))).graph->name(), "small"); }

}  // namespace

}  // namespace iosx
