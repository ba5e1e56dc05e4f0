#include "core/base/text.h"
#include "core/base/text_table.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

TEST(Printable, LeavesTextAsItIs) {
  for (const std::string text : {"", "conv_1/weight:0", "C:\\models\\x", "Größe × 2 µs", "模型", "한국어", "🙂"}) {
    EXPECT_EQ(printable(text), text);
    EXPECT_EQ(printable_lines(text), text);
    EXPECT_EQ(printable_json(text), text);
  }
}

TEST(Printable, EscapesWhatControlsATerminal) {
  EXPECT_EQ(printable("\x1b[2Jred\x07"), "\\x1B[2Jred\\x07");
  EXPECT_EQ(printable(std::string("a\0b\x7f", 4)), "a\\x00b\\x7F");
  EXPECT_EQ(printable("a\nb\tc\rd"), "a\\nb\\tc\\rd");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\u{009B}31m");  // a control of eight bits
}

TEST(Printable, EscapesWhatNobodySees) {
  EXPECT_EQ(printable("user\xe2\x80\xaegnp.exe"), "user\\u{202E}gnp.exe");
  EXPECT_EQ(printable("a\xe2\x80\x8b"
                      "b"),
            "a\\u{200B}b");
  EXPECT_EQ(printable("\xef\xbb\xbf"
                      "x"),
            "\\u{FEFF}x");
  EXPECT_EQ(printable("\xf3\xa0\x81\x81"), "\\u{E0041}");
  EXPECT_EQ(printable("\xe2\x80\xa8"), "\\u{2028}");
}

TEST(Printable, EscapesBytesThatAreNotUtf8) {
  EXPECT_EQ(printable("\xff\xfe"), "\\xFF\\xFE");
  EXPECT_EQ(printable("a\xc3"), "a\\xC3");                           // cut short
  EXPECT_EQ(printable("\xc0\xaf"), "\\xC0\\xAF");                    // longer than need be
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xED\\xA0\\x80");           // half of a pair
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xF4\\x90\\x80\\x80");  // beyond the last character
  EXPECT_EQ(printable("\xe2\x28\xa1"), "\\xE2(\\xA1");
}

// Every string of two bytes, and many of three, comes back as UTF-8 that JSON takes, and unchanged the second time.
TEST(Printable, AlwaysGivesUtf8) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; second += test::every(5)) {
      for (const int third : {0x00, 0x28, 0x80, 0xbf, 0xff}) {
        const std::string text{static_cast<char>(first), static_cast<char>(second), static_cast<char>(third)};
        const std::string once = printable(text);
        ASSERT_NO_THROW(nlohmann::json(once).dump());
        ASSERT_EQ(printable(once), once);
        for (const char c : once) ASSERT_TRUE(static_cast<unsigned char>(c) >= ' ' && c != '\x7f');
      }
    }
  }
}

TEST(Printable, KeepsLines) { EXPECT_EQ(printable_lines("a\tb\nc\r\x1b\n"), "a\tb\nc\\r\\x1B\n"); }

TEST(Printable, KeepsWhatJsonSays) {
  const nlohmann::json document{{"name\x7f", "a\xe2\x80\xae\xf3\xa0\x81\x81z\n\xc2\x85"}};
  const std::string json = printable_json(document.dump(2));
  EXPECT_EQ(nlohmann::json::parse(json), document);
  EXPECT_NE(json.find("\\u202e\\udb40\\udc41z"), std::string::npos) << json;
}

TEST(Printable, AsMarkupIsText) {
  EXPECT_EQ(printable_markup("<a href=\"x\">&'"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39;");
  EXPECT_EQ(printable_markup("a\x01\n\u202e"), "a\\x01\\n\\u{202E}");
}

TEST(Printable, DocumentsStayWhatTheyAre) {
  EXPECT_EQ(printable_document("{\"a\": \"\u009b\u202e\"}\n"), "{\"a\": \"\\u009b\\u202e\"}\n");
  EXPECT_EQ(printable_document("[1,\n 2]\n"), "[1,\n 2]\n");
  EXPECT_EQ(printable_document("name,n\r\n\u009b2J,\t1\n"), "name,n\\r\n\\u{009B}2J,\t1\n");
}

TEST(CsvField, IsNoFormula) {
  EXPECT_EQ(csv_field("=cmd|' /C calc'!A0"), "'=cmd|' /C calc'!A0");
  EXPECT_EQ(csv_field("@SUM(1,2)"), "\"'@SUM(1,2)\"");
  EXPECT_EQ(csv_field("+conv"), "'+conv");
  EXPECT_EQ(csv_field("-1+1"), "'-1+1");
  EXPECT_EQ(csv_field("-"), "'-");
  EXPECT_EQ(csv_field("\t=1"), "'\\t=1");
  EXPECT_EQ(csv_field("\r=1"), "'\\r=1");
  EXPECT_EQ(csv_field("a=b"), "a=b");
}

TEST(CsvField, LeavesNumbers) {
  for (const std::string number : {"-1", "-0.25", "+3", "-1.5e-07", "-inf", "+12.5 %", "-3 ms"}) {
    EXPECT_EQ(csv_field(number), number);
  }
}

TEST(CsvField, QuotesWhatNeedsIt) {
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("say \"x\""), "\"say \"\"x\"\"\"");
  EXPECT_EQ(csv_field("two\nlines\x1b"), "two\\nlines\\x1B");
}

// A text is no message before somebody says what it is: a sentence, or what has no other language.
static_assert(!std::is_convertible_v<std::string, Message>);
static_assert(!std::is_convertible_v<const char*, Message>);
static_assert(!std::is_constructible_v<Message, std::string>);

TEST(Message, SaysItsPatternAndWhatFillsIt) {
  const Message made = message("stage {} of '{}' took {:.1f} ms", 3, "net", 2.345);
  EXPECT_EQ(made.text(), "stage 3 of 'net' took 2.3 ms");
  EXPECT_EQ(made.pattern(), "stage {} of '{}' took {:.1f} ms");
  EXPECT_THAT(made.arguments(), ElementsAre(verbatim("3"), verbatim("net"), verbatim("2.3")));
  EXPECT_EQ(message("{{}} of {}", 1).text(), "{} of 1");
  EXPECT_EQ(message("nothing").text(), "nothing");
}

TEST(Message, MayBeInAnother) {
  const Message inner = message("their strides differ");
  const Message outer = message("they cannot be merged: {}", inner);
  EXPECT_EQ(outer, "they cannot be merged: their strides differ");
  ASSERT_THAT(outer.arguments(), SizeIs(1));
  EXPECT_EQ(outer.arguments().front(), inner);
  EXPECT_FALSE(outer.arguments().front().is_verbatim());
}

TEST(Message, WhatHasNoOtherLanguageHasNoHoles) {
  const Message name = verbatim("a {} b");
  EXPECT_TRUE(name.is_verbatim());
  EXPECT_EQ(name.text(), "a {} b");
  EXPECT_EQ(message("'{}'", "{}").text(), "'{}'");
  EXPECT_TRUE(Message().empty());
  EXPECT_EQ(Message(Sentence{"again"}), message("again"));
}

TEST(Message, PatternsFallIntoPieces) {
  const auto pieces = pieces_of("{1:.1f} of {0}: {{}}");
  ASSERT_THAT(pieces, SizeIs(4));
  EXPECT_EQ(pieces[0].hole, 1U);
  EXPECT_EQ(pieces[0].text, ":.1f");
  EXPECT_EQ(pieces[1].text, " of ");
  EXPECT_EQ(pieces[2].hole, 0U);
  EXPECT_EQ(pieces[3].text, ": {}");
  EXPECT_EQ(pieces_of("cut {").front().text, "cut {");
}

TEST(Error, IsALineInEitherForm) {
  for (const Error& error :
       {Error{message("is {}", "odd"), {}, {}}, Error{message("odd"), "there", {}},
        Error{message("odd"), {}, message("do that")}, Error{message("odd"), "there", message("do that")}}) {
    EXPECT_EQ(error.line().text(), error.text());
  }
  EXPECT_EQ((Error{message("odd"), "there", message("do that")}.text()), "there: odd (do that)");
}

}  // namespace

}  // namespace iosx
