// Files that are not a network at all, and the bounds of what is read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <string>

#include "core/base/json/json_view.h"
#include "core/formats/document.h"
#include "tests/formats/ios/small_network.h"
#include "tests/support/sanitized.h"

namespace iosx {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

struct Text {
  const char* name;
  std::string text;
  const char* where;
  const char* says;
};

void PrintTo(const Text& text, std::ostream* out) { *out << text.name; }

class BadText : public testing::TestWithParam<Text> {};

TEST_P(BadText, IsAnErrorAtItsLine) {
  const auto document = parse_ios_json(GetParam().text, "net.json");
  ASSERT_FALSE(document.has_value());
  EXPECT_THAT(document.error().where, StartsWith("net.json"));
  EXPECT_THAT(document.error().where, HasSubstr(GetParam().where));
  EXPECT_THAT(document.error().text(), HasSubstr(GetParam().says));
  EXPECT_THAT(document.error().text(), Not(HasSubstr("exception")));
  EXPECT_LT(document.error().text().size(), 400U);
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
  const auto document = parse_ios_json(text + "0]", "net.json");
  ASSERT_FALSE(document.has_value());
  EXPECT_THAT(document.error().text(), HasSubstr("more than 4000000 values"));
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
  const auto document = parse_ios_json(text + end, "net.json");
  ASSERT_TRUE(document.has_value()) << document.error().text();
  EXPECT_EQ(document->graph->units().front().name, "1");
  EXPECT_EQ(document->graph->units().size(), static_cast<std::size_t>(kCount));
  EXPECT_FALSE(document->schedule.has_value());

  // The same as a cycle: the message stays short.
  std::string cycle = text;
  cycle.replace(cycle.find("[[[\"0\""), 6, "[[[\"" + std::to_string(kCount) + "\"");
  const auto broken = parse_ios_json(cycle + end, "net.json");
  ASSERT_FALSE(broken.has_value());
  EXPECT_THAT(broken.error().text(), HasSubstr("(" + std::to_string(kCount) + " operators)"));
  EXPECT_LT(broken.error().text().size(), 400U);
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
    const auto document = load_document(path);
    ASSERT_FALSE(document.has_value());
    EXPECT_THAT(document.error().where, StartsWith(path.string()));
    EXPECT_THAT(document.error().text(), HasSubstr(says));
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

TEST_F(BadFile, GoodFileIsRead) {
  const auto document = load_document(write(kSmallNetwork));
  ASSERT_TRUE(document.has_value()) << document.error().text();
  EXPECT_EQ(document->graph->name(), "small");
}

}  // namespace
}  // namespace iosx
