#include "views/app_model/latest_answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QSignalSpy>
#include <atomic>
#include <thread>
#include <vector>

#include "tests/views/app_model/wait.h"

namespace iosx {
namespace {

using std::chrono::milliseconds;
using test::wait_until;
using testing::ElementsAre;

class LatestAnswerTest : public testing::Test {
 protected:
  // Answers with the number.
  void ask(int number) {
    answers_.ask([number](const JobContext&, const std::stop_token&) -> Result<int> { return number; },
                 [this](int found) {
                   EXPECT_FALSE(answers_.busy());
                   taken_.push_back(found);
                 });
  }

  // Answers only when nobody wants it any more.
  void ask_for_ever() {
    answers_.ask(
        [this](const JobContext&, const std::stop_token& abandon) -> Result<int> {
          working_ = true;
          while (!abandon.stop_requested()) std::this_thread::sleep_for(milliseconds(1));
          return -1;
        },
        [this](int found) { taken_.push_back(found); });
  }

  std::atomic<bool> working_ = false;
  std::vector<int> taken_;
  LatestAnswer answers_;  // last: its thread uses the others
};

TEST_F(LatestAnswerTest, IsTakenOnce) {
  ask(7);
  EXPECT_TRUE(answers_.busy());
  ASSERT_TRUE(wait_until([this] { return !taken_.empty(); }));
  EXPECT_THAT(taken_, ElementsAre(7));
}

TEST_F(LatestAnswerTest, AnotherQuestionDropsTheOneThatIsWorkedOn) {
  ask_for_ever();
  ASSERT_TRUE(wait_until([this] { return working_.load(); }));
  ask(1);
  ask(2);
  ASSERT_TRUE(wait_until([this] { return !taken_.empty(); }));
  EXPECT_THAT(taken_, ElementsAre(2));
}

TEST_F(LatestAnswerTest, NothingComesOfWhatIsDropped) {
  ask_for_ever();
  ASSERT_TRUE(wait_until([this] { return working_.load(); }));
  answers_.drop();
  EXPECT_FALSE(answers_.busy());
  answers_.askLater(milliseconds(0), [this] { ask(3); });
  answers_.drop();
  QTest::qWait(20);
  EXPECT_TRUE(taken_.empty());
  ask(4);
  ASSERT_TRUE(wait_until([this] { return !taken_.empty(); }));
  EXPECT_THAT(taken_, ElementsAre(4));
}

TEST_F(LatestAnswerTest, OfManyQuestionsInARowTheLastIsBegun) {
  int begun = 0;
  for (int i = 0; i < 10; ++i) {
    answers_.askLater(milliseconds(30), [this, &begun, i] {
      ++begun;
      ask(i);
    });
    EXPECT_FALSE(answers_.busy()) << "it waits";
  }
  ASSERT_TRUE(wait_until([this] { return !taken_.empty(); }));
  EXPECT_EQ(begun, 1);
  EXPECT_THAT(taken_, ElementsAre(9));
}

// As a sweep, which asks value by value, while its values are being changed.
TEST_F(LatestAnswerTest, WhatWaitsForItsTimeIsNotForgottenForWhatIsAskedAtOnce) {
  answers_.askLater(milliseconds(30), [this] { ask(2); });
  ask(1);
  ASSERT_TRUE(wait_until([this] { return taken_.size() == 2; }));
  EXPECT_THAT(taken_, ElementsAre(1, 2));
}

TEST_F(LatestAnswerTest, WhatIsTakenMayAskAgain) {
  answers_.ask([](const JobContext&, const std::stop_token&) -> Result<int> { return 1; },
               [this](int found) {
                 taken_.push_back(found);
                 ask(found + 1);
                 EXPECT_TRUE(answers_.busy());
               });
  ASSERT_TRUE(wait_until([this] { return taken_.size() == 2; }));
  EXPECT_THAT(taken_, ElementsAre(1, 2));
}

TEST_F(LatestAnswerTest, AnErrorIsTold) {
  QSignalSpy failed(&answers_, &LatestAnswer::failed);
  answers_.ask([](const JobContext&, const std::stop_token&) -> Result<int> { return fail(message("no")); },
               [this](int found) { taken_.push_back(found); });
  ASSERT_TRUE(wait_until([&failed] { return failed.count() == 1; }));
  EXPECT_FALSE(answers_.busy());
  EXPECT_TRUE(taken_.empty());
}

}  // namespace
}  // namespace iosx
