#include "core/base/message.h"

#include <gmock/gmock.h>

#include <string>
#include <type_traits>

#include "core/base/result.h"

namespace iosx {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

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
