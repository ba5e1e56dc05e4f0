#include <unistd.h>

#include "core/base/json/json_view.h"
#include "core/formats/document.h"
#include "tests/formats/ios/small_network.h"
#include "tests/support/prelude.h"
#include "tests/support/store_files.h"

namespace iosx {
namespace {

using OrderedJson = nlohmann::ordered_json;

// A message that a person can use: one line that leads with the file and is not longer than a screen.
void expect_useful(const Error& error, const std::string& where, const std::string& says) {
  EXPECT_THAT(error.where, AllOf(StartsWith("net.json"), HasSubstr(where)));
  EXPECT_THAT(error.text(), AllOf(HasSubstr(says), Not(HasSubstr("\n"))));
  EXPECT_LT(error.text().size(), 600U);
}

// Replaces what is at the pointer by this JSON; "a/type" is the type of the node 'a'.
struct Edit {
  std::string pointer;
  std::string json;
};
constexpr const char* kErased = "";

void apply(const Edit& edit, OrderedJson& network) {
  static const std::map<char, std::string> kNodes{{'a', "/blocks/0/inner_nodes/0"},
                                                  {'s', "/blocks/0/inner_nodes/1"},
                                                  {'x', "/blocks/1/inner_nodes/0"},
                                                  {'y', "/blocks/1/inner_nodes/1"}};
  const bool of_node = !edit.pointer.empty() && edit.pointer[0] != '/';
  const std::string pointer = of_node ? kNodes.at(edit.pointer[0]) + edit.pointer.substr(1) : edit.pointer;
  if (edit.json == kErased) {
    network = network.patch(OrderedJson::array({{{"op", "remove"}, {"path", pointer}}}));
  } else {
    network[OrderedJson::json_pointer(pointer)] = OrderedJson::parse(edit.json);
  }
}

struct Change {
  const char* name;
  std::vector<Edit> edits;
  const char* where;
  const char* says;
};

void PrintTo(const Change& change, std::ostream* out) { *out << change.name; }

class BadNetwork : public testing::TestWithParam<Change> {};

TEST_P(BadNetwork, IsAnErrorAtItsPlace) {
  ASSERT_TRUE(parse_ios_json(kSmallNetwork, "net.json").has_value());
  OrderedJson json = OrderedJson::parse(kSmallNetwork);
  for (const Edit& edit : GetParam().edits) apply(edit, json);
  const Error error = refused(parse_ios_json(json.dump(), "net.json"));
  expect_useful(error, GetParam().where, GetParam().says);
}

std::string case_name(const testing::TestParamInfo<Change>& info) { return info.param.name; }

const std::string kLongName = '"' + std::string((1 << 20) + 1, 'n') + '"';
constexpr const char* kNodeX =
    R"({"type": "pool", "name": "x", "hint_name": "x", "inputs": [[["c", 0, 12]]], "pool_type": "max", "kernel": [2, 2],
        "stride": [2, 2], "padding": [0, 0], "output_shape": [12, 4, 4]})";
constexpr const char* kA = "blocks[0].inner_nodes[0] 'a'";
constexpr const char* kS = "blocks[0].inner_nodes[1] 's'";
constexpr const char* kX = "blocks[1].inner_nodes[0] 'x'";
constexpr const char* kY = "blocks[1].inner_nodes[1] 'y'";

const Change kForm[] = {
    {"NotAnObject", {{"", "[1,2]"}}, "net.json", "an object with the key 'name'"},
    {"JustANumber", {{"", "3"}}, "net.json", "must be an object"},
    {"Null", {{"", "null"}}, "net.json", "not null"},
    {"OtherObject", {{"", R"({"hello":"world"})"}}, "net.json", "the key 'name' is missing"},
    {"NoInput", {{"/input", kErased}}, "net.json", "'input' is missing"},
    {"NoBlocks", {{"/blocks", kErased}}, "net.json", "'blocks' is missing"},
    {"EmptyBlocks", {{"/blocks", "[]"}}, "blocks", "there are no blocks"},
    {"BlocksAsObject", {{"/blocks", "{}"}}, "blocks", "must be a list, not object"},
    {"NullBlock", {{"/blocks/1", "null"}}, "blocks[1]", "not null"},
    {"NoInnerNodes", {{"/blocks/1/inner_nodes", kErased}}, "blocks[1]", "'inner_nodes'"},
    {"NoExitNode", {{"/blocks/1/exit_node", kErased}}, "blocks[1]", "'exit_node' is missing"},
    {"NullExitNode", {{"/blocks/0/exit_node", "null"}}, "blocks[0].exit_node", "null"},
    {"NameAsNumber", {{"/name", "7"}}, "name", "must be a text, not number"},
    {"EmptyName", {{"a/name", R"("")"}}, "blocks[0].inner_nodes[0].name", "must not be empty"},
    {"MissingName", {{"a/name", kErased}}, "blocks[0].inner_nodes[0]", "'name' is missing"},
    {"NameTooLong", {{"a/name", kLongName}}, "inner_nodes[0].name", "use at most 1048576"},
    {"NameWithLineBreak", {{"a/name", R"("a\nb")"}}, "inner_nodes[0].name", "control characters"},
    {"HintAsList", {{"a/hint_name", R"(["a"])"}}, "inner_nodes[0].hint_name", "must be a text, not array"},
    {"MissingType", {{"a/type", kErased}}, kA, "'type' is missing"},
    {"UnknownType", {{"a/type", R"("lstm")"}}, kA, "unknown operator type 'lstm'"},
    {"PlaceholderInBlock", {{"a/type", R"("placeholder")"}}, kA, "placeholder inside a block"},
    {"InputOfOtherType", {{"/input/type", R"("conv")"}}, "input", "must be 'placeholder'"},
    {"InputWithoutShape", {{"/input/output_shape", kErased}}, "input", "'output_shape'"},
    {"InputOfTwoDimensions",
     {{"/input/output_shape", "[4,8]"}},
     "input.output_shape",
     "must be a list of 3 integers [channels, height, width], but has 2"},
    {"SequentialOfNothing", {{"s/nodes", "[]"}}, kS, "needs operators"},
    {"SequentialInSequential",
     {{"s/nodes/0/type", R"("sequential")"}},
     "'s'.nodes[0] 'r'",
     "sequential is inside a sequential"},
    {"DilationThatTheFormatLacks", {{"a/dilation", "[2,2]"}}, kA, "'dilation' is not part"},
};
INSTANTIATE_TEST_SUITE_P(Form, BadNetwork, testing::ValuesIn(kForm), case_name);

const Change kNumbers[] = {
    {"Negative", {{"a/out_channels", "-6"}}, kA, "-6 must lie in 1..16777216"},
    {"TwoTo63", {{"a/out_channels", "9223372036854775808"}}, kA, "9223372036854775808 must"},
    {"MostNegative", {{"a/padding", "[-9223372036854775808,0]"}}, "'a'.padding[0]", "must lie in 0.."},
    {"OneE308", {{"a/out_channels", "1e308"}}, "'a'.out_channels", "must be an integer"},
    {"Fraction", {{"a/kernel", "[3.5,3]"}}, "'a'.kernel[0]", "must be an integer, not 3.5"},
    {"NumberAsText", {{"a/out_channels", R"("6")"}}, "'a'.out_channels", "integer, not string"},
    {"NumberAsBoolean", {{"a/groups", "true"}}, "'a'.groups", "integer, not boolean"},
    {"ZeroKernel", {{"a/kernel", "[0,3]"}}, "'a'.kernel[0]", "0 must lie in 1.."},
    {"KernelAsNumber", {{"a/kernel", "3"}}, "'a'.kernel", "must be a list of 2 integers"},
    {"KernelOfThree", {{"a/kernel", "[3,3,3]"}}, "'a'.kernel", "has 3"},
    {"ZeroStride", {{"x/stride", "[2,0]"}}, "'x'.stride[1]", "0 must lie in 1.."},
    {"KernelLargerThanInput", {{"a/kernel", "[11,3]"}}, kA, "kernel [11, 3] does not fit"},
    {"GroupsDoNotDivide", {{"s/nodes/1/groups", "4"}}, "'s'.nodes[1] 'p'", "groups 4 must divide"},
    {"ChannelsOverflow",
     {{"a/out_channels", "16777216"}, {"/input/output_shape", "[16777216,4096,4096]"}},
     "input 'in'",
     "elements"},
    {"WeightsOverflow",
     {{"a/out_channels", "16777216"}, {"a/kernel", "[16777216,16777216]"}, {"a/padding", "[8388608,8388608]"}},
     kA,
     "weights"},
    {"NegativeShape", {{"a/output_shape", "[6,-8,8]"}}, "'a'.output_shape[1]", "-8"},
    {"ShapeDoesNotFit",
     {{"a/output_shape", "[6,9,8]"}},
     kA,
     "output_shape is declared as [6, 9, 8], but its inputs and attributes give [6, 8, 8]"},
    {"InnerShapeDoesNotFit", {{"s/nodes/0/output_shape", "[5,8,8]"}}, "'s'.nodes[0] 'r'", "give [6, 8, 8]"},
    {"UnknownActivation", {{"a/act", R"("swish")"}}, "'a'.act", "unknown activation 'swish'"},
    {"NullActivation", {{"a/act", "null"}}, "'a'.act", "not null"},
    {"UnknownPool", {{"x/pool_type", R"("min")"}}, "'x'.pool_type", "unknown pool type 'min'"},
    {"PoolPadding", {{"x/padding", "[3,3]"}}, kX, "smaller than the kernel"},
    {"UnknownElement",
     {{"/blocks/0/inner_nodes/2/op_type", R"("div")"}},
     "'m'.op_type",
     "unknown element-wise operation 'div'"},
};
INSTANTIATE_TEST_SUITE_P(Numbers, BadNetwork, testing::ValuesIn(kNumbers), case_name);

const Change kWiring[] = {
    {"DuplicateName",
     {{"y/name", R"("a")"}},
     "blocks[1].inner_nodes[1] 'a'",
     "'a' is used twice, first at blocks[0].inner_nodes[0] 'a'"},
    {"DuplicateInnerName", {{"s/nodes/0/name", R"("m")"}}, "inner_nodes[2] 'm'", "used twice"},
    {"NameOfTheInput", {{"a/name", R"("in")"}}, "inner_nodes[0] 'in'", "first at input 'in'"},
    {"MissingInputs", {{"a/inputs", kErased}}, kA, "'inputs' is missing"},
    {"EmptyInputs", {{"a/inputs", "[]"}}, "'a'.inputs", "needs an input"},
    {"EmptyTerm", {{"a/inputs/0", "[]"}}, "'a'.inputs[0]", "no values"},
    {"ValueOfTwo",
     {{"a/inputs/0/0", R"(["in",0])"}},
     "'a'.inputs[0][0]",
     "must be a list of 3 elements [operator, begin, end], but has 2"},
    {"ValueAsText", {{"a/inputs/0/0", R"("in")"}}, "'a'.inputs[0][0]", "not string"},
    {"ValueNamesANumber", {{"a/inputs/0/0/0", "0"}}, "'a'.inputs[0][0][0]", "must be a text, not number"},
    {"SliceOutOfRange",
     {{"y/inputs/0/0", R"(["x",6,13])"}},
     kY,
     "reads channels [6, 13) of 'x', which has 12 channels"},
    {"SliceEmpty", {{"y/inputs/0/0", R"(["x",6,6])"}}, "'y'.inputs[0][0]", "are empty"},
    {"SliceReversed", {{"y/inputs/0/0", R"(["x",6,2])"}}, "'y'.inputs[0][0]", "are empty"},
    {"SliceNegative", {{"y/inputs/0/0", R"(["x",-6,0])"}}, "'y'.inputs[0][0][1]", "-6 must"},
    {"SummandsDiffer", {{"y/inputs/0/0", R"(["x",0,4])"}}, kY, "'y.add': add: inputs have different shapes"},
    {"UnknownProducer", {{"y/inputs/0/0/0", R"("nobody")"}}, kY, "reads 'nobody', which does not exist"},
    {"InsideOfAnotherUnit",
     {{"y/inputs", R"([[["r",0,6]]])"}},
     kY,
     "reads 'r' from the inside of 's' (only the whole unit can be read: write 's')"},
    {"LaterInTheSequential",
     {{"s/nodes/0/inputs", R"([[["p",0,6]]])"}},
     "'s'.nodes[0] 'r'",
     "reads 'p', which does not come before it"},
    {"LaterBlock",
     {{"s/nodes/0/inputs", R"([[["x",0,6]]])"}},
     "'s'.nodes[0] 'r'",
     "reads 'x', which is computed in a later block, at blocks[1].inner_nodes[0] 'x'"},
    {"ReadsItself", {{"a/inputs", R"([[["a",0,4]]])"}}, kA, "cycle: 'a' → 'a'"},
    {"Cycle", {{"a/inputs", R"([[["m",0,4]]])"}}, "blocks[0]", "cycle: 'a' → 'm' → 'a'"},
    {"CycleThroughTheExit", {{"x/inputs", R"([[["t",0,4]]])"}}, "blocks[1]", "cycle: 'x' → 'y' → 't' → 'x'"},
    {"EnterNodeDiffers",
     {{"/blocks/1/enter_node/inputs/0/0/2", "5"}},
     "blocks[1].enter_node 'c'",
     "differs from the node 'c' that it repeats, at blocks[0].exit_node 'c'"},
    {"EnterNodeUnknown",
     {{"/blocks/1/enter_node/name", R"("d")"}, {"/blocks/1/enter_name", R"("d")"}},
     "blocks[1].enter_node 'd'",
     "is not a node of an earlier block"},
    {"EnterNodeOfTheSameBlock",
     {{"/blocks/1/enter_node", kNodeX}, {"/blocks/1/enter_name", R"("x")"}},
     "blocks[1].enter_node 'x'",
     "is not a node of an earlier block"},
    {"EnterNameDiffers",
     {{"/blocks/1/enter_name", R"("a")"}},
     "blocks[1].enter_name",
     "is not the name of enter_node, 'c'"},
};
INSTANTIATE_TEST_SUITE_P(Wiring, BadNetwork, testing::ValuesIn(kWiring), case_name);

const Change kStages[] = {
    {"AsText", {{"/blocks/0/stages", R"("a")"}}, "blocks[0].stages", "must be a list, not string"},
    {"FlatList", {{"/blocks/0/stages", R"(["a","s"])"}}, "blocks[0].stages[0]", "must be a list"},
    {"UnitAsNumber", {{"/blocks/0/stages/0/0/0", "1"}}, "blocks[0].stages[0][0][0]", "must be a text"},
    {"EmptyStage", {{"/blocks/1/stages/1", "[]"}}, "blocks[1].stages[1]", "stage is empty"},
    {"EmptyGroup", {{"/blocks/1/stages/1", "[[]]"}}, "blocks[1].stages[1][0]", "group is empty"},
    {"UnknownOperator", {{"/blocks/1/stages/1/0/0", R"("w")"}}, "blocks[1].stages[1][0][0]", "there is no unit 'w'"},
    {"InsideOfAUnit",
     {{"/blocks/0/stages/1", R"([["r","p","m"]])"}},
     "blocks[0].stages[1][0][0]",
     "there is no unit 'r' (it is inside 's')"},
    {"NamesTheInput", {{"/blocks/0/stages/0/0/0", R"("in")"}}, "blocks[0].stages[0][0][0]", "there is no unit 'in'"},
    {"OfAnotherBlock",
     {{"/blocks/0/stages/2/0/-", R"("x")"}},
     "blocks[0].stages[2][0][1]",
     "'x' belongs to another block"},
    {"Duplicate", {{"/blocks/0/stages/2/0/-", R"("a")"}}, "blocks[0].stages[2][0][1]", "'a' is in a stage already"},
    {"LeavesOneOut", {{"/blocks/0/stages/1", R"([["s"]])"}}, "blocks[0].stages", "'c' reads 'm'"},
    {"LeavesTheLastOut", {{"/blocks/1/stages/3", kErased}}, "blocks[1].stages", "no stage runs 'z'"},
    {"MissingInOneBlock", {{"/blocks/1/stages", kErased}}, "blocks[1].stages", "no stage runs 'x'"},
    {"WrongStageOrder",
     {{"/blocks/0/stages", R"([[["s","m"]],[["a"]],[["c"]]])"}},
     "blocks[0].stages[0][0][0]",
     "'s' reads 'a', which has not run yet"},
    {"WrongOrderInGroup", {{"/blocks/0/stages/1", R"([["m","s"]])"}}, "blocks[0].stages[1][0][0]", "'m' reads 's'"},
    {"SideBySideThoughDependent",
     {{"/blocks/0/stages/1", R"([["s"],["m"]])"}},
     "blocks[0].stages[1][1][0]",
     "'m' reads 's', which has not run yet"},
};
INSTANTIATE_TEST_SUITE_P(Stages, BadNetwork, testing::ValuesIn(kStages), case_name);

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
  EXPECT_THAT(error.where, AllOf(StartsWith("net.json"), HasSubstr(GetParam().where)));
  EXPECT_THAT(error.text(), AllOf(HasSubstr(GetParam().says), Not(HasSubstr("exception"))));
  EXPECT_LT(error.text().size(), 400U);
}

std::string repeated(const std::string& piece, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += piece;
  return text;
}

const Text kCases[] = {
    {"Empty", "", "net.json", "the file is empty"},
    {"Blank", " \n\t\r\n", "net.json", "the file is empty"},
    {"Prose", "Dear reader", "line 1, column 1", "not valid JSON: invalid literal"},
    {"Xml", "<?xml version=\"1.0\"?>", "line 1, column 1", "not valid JSON"},
    {"MissingComma", "{\n  \"name\": \"x\"\n  \"input\": 1}", "line 3, column 9", "unexpected string literal"},
    {"TrailingComma", "{\"name\": \"x\",}", "line 1, column 14", "not valid JSON"},
    {"TwoDocuments", "{} {}", "line 1, column 4", "not valid JSON"},
    {"SingleQuotes", "{'name': 1}", "line 1, column 2", "not valid JSON"},
    {"NotANumber", "{\"name\": NaN}", "line 1, column 10", "a number is NaN or infinite"},
    {"Infinity", "{\"name\": -Infinity}", "line 1, column 11", "a number is NaN or infinite"},
    {"NumberTooLarge", "{\"name\": 1e999}", "line 1, column ", "a number is too large"},
    {"Hexadecimal", "{\"name\": 0x10}", "line 1, column 11", "not valid JSON"},
    {"Comment", "{// a network\n}", "line 1, column 2", "not valid JSON"},
    {"NotUtf8", "{\"name\": \"caf\xe9\"}", "line 1, column ", "ill-formed UTF-8"},
    {"BrokenSurrogate", "{\"name\": \"\\ud800\"}", "line 1, column ", "surrogate"},
    {"ZeroBytes", std::string(1000, '\0'), "line 1, column 1", "not valid JSON"},
    {"Png", std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16), "", "is not JSON but a PNG image"},
    {"Zip", "PK\x03\x04 and so on", "", "is not JSON but a zip archive"},
    {"Database", std::string("SQLite format 3\0\x10\0", 18), "", "is not JSON but an SQLite database"},
    {"DuplicateKey", "{\"name\": \"x\",\n \"name\": \"y\"}", "line 2, column ", "'name' appears twice in one object"},
    {"DuplicateKeyInside", "{\"input\": {\"type\": 1, \"type\": 2}}", "line 1, column ", "'type' appears twice"},
    {"DeepLists", repeated("[", 65) + repeated("]", 65), "line 1, column 65", "nested more than 64 deep"},
    {"DeepObjects", repeated("{\"a\":", 70) + "1" + repeated("}", 70), "line 1, column ", "nested more than 64"},
    {"DeepInsideAnIgnoredKey", "{\"name\": \"x\", \"other\": " + repeated("[", 80) + repeated("]", 80) + "}",
     "line 1, column ", "nested more than 64"},
};
INSTANTIATE_TEST_SUITE_P(Cases, BadText, testing::ValuesIn(kCases),
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
  std::filesystem::path write(const std::string& text) const {
    const auto path = folder_ / "net.json";
    test::write_file(path, text);
    return path;
  }
  static void expect_error(const std::filesystem::path& path, const char* says) {
    const Error error = refused(load_document(path));
    EXPECT_THAT(error.where, StartsWith(path.string()));
    EXPECT_THAT(error.text(), HasSubstr(says));
  }

  const test::Folder folder_;
};

TEST_F(BadFile, Absent) { expect_error(folder_ / "absent.json", "there is no such file"); }
TEST_F(BadFile, Folder) { expect_error(folder_.path(), "is a folder"); }
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
