#include "views/text/messages.h"

#include <gtest/gtest.h>

#include "core/base/message.h"

namespace iosx {
namespace {

TEST(Messages, BeginASentenceButLeaveANameAsItIs) {
  EXPECT_EQ(message_sentence(message("all {} names of {} are known", 3, "made_up.csv")),
            "All 3 names of made_up.csv are known");
  EXPECT_EQ(message_sentence(message("{} has no names", "made_up.csv")), "made_up.csv has no names");
  EXPECT_EQ(message_sentence(message("{}, {}", message("recorded on {}", "node1"), "CPU")), "Recorded on node1, CPU");
  EXPECT_EQ(message_sentence(verbatim("made_up.csv")), "made_up.csv");
  EXPECT_EQ(message_sentence(Message()), QString());
}

}  // namespace
}  // namespace iosx
