#include "core/formats/wire/edit_text.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/model/edit/check.h"
#include "core/model/edit/convert.h"
#include "tests/support/editing.h"
#include "tests/support/graphs.h"
#include "tests/support/sanitized.h"

namespace iosx {
namespace {

using Json = nlohmann::json;

// What reading says of the chain's text after a change.
std::string refusal(const auto& change) {
  Json json = Json::parse(edit_to_text(editable(test::chain(2))));
  change(json["content"]);
  const auto read = edit_from_text(json.dump(), "x.json");
  return read ? "" : read.error().text();
}

TEST(EditText, PlacesAreThoseOfTheList) {
  EditableGraph graph = editable(test::chain(3));
  const std::string before = edit_to_text(graph);
  const OperatorKey key = graph.add(EditOperator{.name = "x", .attributes = Input{{1, 1, 1}}, .inputs = {}});
  graph.remove(key);
  graph.add(graph.op(test::key_of(graph, "a")));
  EXPECT_NE(edit_to_text(graph), before);
  const auto read = edit_from_text(edit_to_text(graph), "x.json");
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(edit_to_text(*read), edit_to_text(graph));
}

TEST(EditText, KeepsWhatIsNotFinished) {
  EditableGraph graph("drawing");
  graph.set_name("a \"name\" \xff");
  const PartKey part = graph.parts()[0].key;
  EditOperator open{.name = "", .attributes = Conv{}, .inputs = {EditInput{}}};
  open.unit = graph.add(EditUnit{"", "hint", part});
  open.place = CanvasPlace{0.1, -7};
  graph.add(open);
  EditOperator looped{.name = "loop", .attributes = Identity{}, .inputs = {}};
  looped.unit = graph.add(EditUnit{"loop", "", part});
  const OperatorKey loop = graph.add(looped);
  looped.inputs = {EditInput{loop, ChannelRange{1, 5}}};
  graph.set(loop, looped);
  const std::string text = edit_to_text(graph);
  const auto read = edit_from_text(text, "x.json");
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(edit_to_text(*read), text);
  EXPECT_EQ(test::problems(*read), test::problems(graph));
}

TEST(EditText, RefusesWhatIsNotThere) {
  EXPECT_EQ(refusal([](Json& c) { c["operators"][1]["inputs"][0]["from"] = 3; }),
            "x.json: content.operators[1]: reads an operator that does not exist");
  EXPECT_EQ(refusal([](Json& c) { c["operators"][1]["unit"] = 7; }),
            "x.json: content.operators[1]: is in a unit that does not exist");
  EXPECT_EQ(refusal([](Json& c) { c["operators"][1]["unit"] = nullptr; }),
            "x.json: content.operators[1]: is in a unit that does not exist");
  EXPECT_EQ(refusal([](Json& c) { c["operators"][0]["unit"] = 0; }),
            "x.json: content.operators[0]: a source is in no unit");
  EXPECT_EQ(refusal([](Json& c) { c["units"][0]["part"] = 1; }),
            "x.json: content.units[0]: is in a part that does not exist");
  EXPECT_EQ(refusal([](Json& c) { c["parts"] = Json::array(); }),
            "x.json: content.parts: a graph has at least one part");
  EXPECT_EQ(refusal([](Json& c) { c["units"].push_back(c["units"][0]); }),
            "x.json: content.units[2]: has no operators");
  EXPECT_EQ(refusal([](Json& c) {
              c["operators"][1]["inputs"][0]["channels"] = {3, 3};
            }),
            "x.json: content.operators[1]: must read at least one channel, from 0 on");
  EXPECT_EQ(refusal([](Json& c) { c["operators"][1]["inputs"][0]["outside"] = "x"; }),
            "x.json: content.operators[1]: reads two operators at once");
}

TEST(EditText, RefusesWhatIsTooLargeOrOfAnotherType) {
  EXPECT_EQ(refusal([](Json& c) {
              c["operators"][1]["place"] = {1e300, 0};
            }),
            "x.json: content.operators[1].place[0]: 1e+300 must lie in -16777216..16777216");
  EXPECT_EQ(refusal([](Json& c) { c["operators"][1]["inputs"][0]["from"] = -1; }),
            "x.json: content.operators[1].inputs[0].from: -1 must lie in 0..4294967294");
  EXPECT_EQ(refusal([](Json& c) { c["operators"][1]["attributes"]["kind"] = "magic"; }),
            "x.json: content.operators[1].attributes: the word 'magic' is unknown here");
  EXPECT_EQ(refusal([](Json& c) { c["operators"] = 5; }), "x.json: content.operators: must be a list, not number");
  EXPECT_EQ(refusal([](Json& c) { c["operators"][1]["bias"] = c["operators"][1]["weights"]; }), "");
  EXPECT_EQ(refusal([](Json& c) {
              c["operators"][1]["bias"] = {{"dims", {1}}, {"float32", "AAAAAA=="}};
            }),
            "x.json: content.operators[1]: has its own bias but not its own weights");
}

TEST(EditText, RefusesWhatIsNoSuchText) {
  EXPECT_THAT(edit_from_text("", "x.json").error().text(), testing::HasSubstr("x.json"));
  EXPECT_THAT(edit_from_text("{}", "x.json").error().text(), testing::HasSubstr("iosx-editable-graph"));
  EXPECT_THAT(edit_from_text(R"({"format":"iosx-editable-graph","version":2,"content":{}})", "x.json").error().text(),
              testing::HasSubstr("use the version of IOS Explorer that wrote it"));
  const std::string deep = R"({"format":"iosx-editable-graph","version":4,"content":)" + std::string(100000, '[');
  EXPECT_FALSE(edit_from_text(deep, "x.json"));
  EXPECT_FALSE(
      edit_from_text(R"({"format":"iosx-editable-graph","version":4,"content":{"name":"a","name":"b"}})", "x"));
}

// Every prefix and many single changes of a text: an error, or a graph that can be checked and written.
TEST(EditText, AnyBytesAreSafe) {
  const std::string text = edit_to_text(editable(test::clique(3)));
  const auto look = [](const std::string& bytes) {
    const auto read = edit_from_text(bytes, "x");
    if (!read) {
      EXPECT_EQ(read.error().text().find('\n'), std::string::npos);
      return;
    }
    const auto made = to_graph(*read, check(*read));
    EXPECT_TRUE(made || !made.error().what.empty());
    EXPECT_TRUE(edit_from_text(edit_to_text(*read), "again"));
  };
  for (std::size_t size = 0; size < text.size(); size += 7) look(text.substr(0, size));
  for (std::size_t at = 0; at < text.size(); at += test::every(5)) {
    for (const char c : {'9', '"', '-', ',', '}'}) {
      std::string changed = text;
      changed[at] = c;
      look(changed);
    }
  }
}

}  // namespace
}  // namespace iosx
