#include "core/base/json/json_stream.h"

#include "core/base/json/text_file.h"
#include "tests/support/attacks.h"
#include "tests/support/gzipped.h"
#include "tests/support/prelude.h"
#include "tests/support/sanitized.h"

namespace iosx {
namespace {

// Writes what it gets as JSON without spaces. Numbers stay as they were written.
class Copy final : public JsonSink {
 public:
  std::string text;
  bool begin(bool object) override { return add(object ? "{" : "[", false); }
  bool end(bool object) override {
    comma_ = false;
    return add(object ? "}" : "]", true);
  }
  bool key(std::string_view name) override { return add(nlohmann::json(name).dump() + ":", false); }
  bool string(std::string_view value) override { return add(nlohmann::json(value).dump(), true); }
  bool number(std::string_view value) override { return add(std::string(value), true); }
  bool literal(std::string_view /*word*/) override { return add("null", true); }

 private:
  bool add(const std::string& piece, bool comma) {
    if (std::exchange(comma_, comma)) text += ',';
    text += piece;
    return true;
  }
  bool comma_ = false;
};

// Gives a few bytes at a time.
class Crumbs final : public ByteSource {
 public:
  Crumbs(std::string_view text, std::size_t most) : text_(text), most_(most) {}
  Result<std::string_view> next() override {
    held_ = text_.substr(0, most_);
    text_.remove_prefix(held_.size());
    return std::string_view(held_);
  }

 private:
  std::string_view text_;
  std::size_t most_;
  std::string held_;
};

constexpr std::string_view kText = R"( {"a": [1, -2.5e+3, 0, {"b\n\u0041\ud83d\ude00": "\"é\\/\b"}], "c": {}, "d": [],
  "e": [true, false, null, "", [[]]], "long key that is longer than a crumb": "x"} )";

std::optional<std::string> read(std::string_view text, std::size_t crumb) {
  Crumbs source(text, crumb);
  Copy copy;
  if (must(stream_json(source, copy))) return std::nullopt;
  return copy.text;
}

// Another parser says what is JSON, and what it says.
TEST(JsonStream, AgreesWithAnotherParserWhateverIsDamaged) {
  const auto expected = nlohmann::json::parse(kText);
  EXPECT_EQ(must(read(kText, 1000)),
            R"({"a":[1,-2.5e+3,0,{"b\nA😀":"\"é\\/\b"}],"c":{},"d":[],"e":[null,null,null,"",[[]]],)"
            R"("long key that is longer than a crumb":"x"})");
  int accepted = 0;
  test::attack_often(5000, [&](std::mt19937& random) {
    const std::string text = test::attacked(std::string(kText), random);
    const auto whole = read(text, text.size() + 1);
    ASSERT_EQ(whole, read(text, 1 + random() % 7)) << text;
    try {
      const auto other = nlohmann::json::parse(text);
      ASSERT_TRUE(whole) << other;
    } catch (const nlohmann::json::out_of_range&) {
      return;  // of a number, as "1e999", for which this parser has no room
    } catch (const nlohmann::json::exception&) {
      ASSERT_FALSE(whole) << text;
      return;
    }
    ++accepted;
    const auto without_literals = [](int, nlohmann::json::parse_event_t, nlohmann::json& value) {
      if (value.is_boolean()) value = nullptr;
      return true;
    };
    EXPECT_EQ(nlohmann::json::parse(*whole), nlohmann::json::parse(text, without_literals));
  });
  EXPECT_GT(accepted, 100);
}

TEST(JsonStream, SaysWhereItStopsToBeJson) {
  Copy copy;
  for (const std::size_t crumb : {1, 3, 100}) {
    Crumbs source("[\n {\"a\": 1},\n  oops]", crumb);
    const auto fault = must(must(stream_json(source, copy)));
    EXPECT_EQ(fault.line, 3U);
    EXPECT_EQ(fault.column, 6U);
    EXPECT_FALSE(fault.broke_off_between_values);
    Crumbs cut("[1, {\"a\": 1},", crumb);
    EXPECT_TRUE(must(must(stream_json(cut, copy))).broke_off_between_values);
    Crumbs inside("[1, {\"a\": 1", crumb);
    EXPECT_FALSE(must(must(stream_json(inside, copy))).broke_off_between_values);
  }
  const std::string endless = "[\"" + std::string(20'000'000, 'x');
  Crumbs source(endless, 1'000'000);
  EXPECT_THAT(must(must(stream_json(source, copy))).what.text(), HasSubstr("a text has more than 16 MiB"));
}

TEST(ByteSource, UnpacksGzipAndItsPieces) {
  std::string text;
  for (int i = 0; i < 300'000; ++i) text += fmt::format("{} ", i);
  const std::string packed = test::gzipped(text);
  ASSERT_LT(packed.size(), text.size() / 2);
  EXPECT_EQ(must(all_of(*source_of(packed, "x"), "x")), text);
  EXPECT_EQ(must(all_of(*source_of(packed + packed + std::string(7, '\0'), "x"), "x")), text + text);
  EXPECT_EQ(must(all_of(*source_of(text, "x"), "x")), text);
  EXPECT_EQ(must(all_of(*source_of("", "x"), "x")), "");
  EXPECT_EQ(must(head_of(*source_of(packed, "x"), 10)), text.substr(0, 10));
  const auto why = [](std::string_view bytes) { return refused(all_of(*source_of(bytes, "x"), "x")).text(); };
  EXPECT_THAT(why(std::string_view(packed).substr(0, packed.size() / 2)), HasSubstr("x: is damaged or cut off"));
  std::string damaged = packed;
  damaged[packed.size() / 2] = static_cast<char>(damaged[packed.size() / 2] + 1);
  EXPECT_THAT(why(damaged), HasSubstr("is damaged or cut off"));
}

// A megabyte of gzip can be a gigabyte.
TEST(ByteSource, RefusesABomb) {
  if (test::kSanitized) GTEST_SKIP() << "two gigabytes take a minute";
  const std::string megabytes = test::gzipped(std::string(std::size_t{64} << 20U, ' '));
  std::string bomb;
  for (int i = 0; i < 33; ++i) bomb += megabytes;
  Copy copy;
  const auto source = source_of(bomb, "bomb.json.gz");
  EXPECT_THAT(refused(stream_json(*source, copy)).text(), HasSubstr("bomb.json.gz: has more than 2048 MiB"));
  EXPECT_THAT(refused(all_of(*source_of(bomb, "x"), "x")).text(), HasSubstr("has more than 256 MiB"));
}

}  // namespace
}  // namespace iosx
