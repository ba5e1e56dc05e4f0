#include "gpu/ops/conv/trial_log.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <stdexcept>

namespace iosx::gpu {
namespace {

namespace fs = std::filesystem;

class TrialLogTest : public testing::Test {
 protected:
  void SetUp() override { fs::remove_all(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  // What a process does before it ends without a word.
  void in_a_process_that_ends(const std::function<void(TrialLog&)>& work) const {
    const pid_t child = fork();
    if (child == 0) {
      TrialLog log(folder_, "gpu");
      work(log);
      std::_Exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
  }
  std::size_t files() const {
    std::error_code error;
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder_, error)) ++count;
    return count;
  }

  const fs::path folder_ = fs::path(testing::TempDir()) / "trial_log_test";
};

TEST_F(TrialLogTest, KnowsWhatEndedAProcess) {
  in_a_process_that_ends([](TrialLog& log) {
    { const Trial harmless(&log, "a"); }
    log.begin("b");
  });
  in_a_process_that_ends([](TrialLog& log) { log.begin("c, with\ttabs"); });
  for (int process = 0; process < 3; ++process) {
    const TrialLog log(folder_, "gpu");
    EXPECT_FALSE(log.ended("a"));
    EXPECT_TRUE(log.ended("b"));
    EXPECT_TRUE(log.ended("c, with\ttabs"));
    EXPECT_EQ(log.known(), 2U);
    EXPECT_EQ(files(), 1U) << "the processes' own files are gone";
  }
  EXPECT_EQ(TrialLog(folder_, "another gpu").known(), 0U);
}

TEST_F(TrialLogTest, KnowsNothingOfTrialsThatAreOverOrUnderWay) {
  TrialLog first(folder_, "gpu");
  first.begin("a");
  {
    const TrialLog meanwhile(folder_, "gpu");
    EXPECT_EQ(meanwhile.known(), 0U) << "its process lives";
  }
  first.end();
  { const Trial over(&first, "b"); }
  const TrialLog later(folder_, "gpu");
  EXPECT_EQ(later.known(), 0U);
}

TEST_F(TrialLogTest, LeavesNoFileBehindWhereNothingHappened) {
  {
    TrialLog log(folder_, "gpu");
    const Trial trial(&log, "a");
  }
  EXPECT_EQ(files(), 0U);
}

// What is caught further out is that the GPU is lost.
TEST_F(TrialLogTest, CountsATrialThatAnExceptionPasses) {
  {
    TrialLog log(folder_, "gpu");
    try {
      const Trial trial(&log, "a");
      throw std::runtime_error("an illegal memory access");
    } catch (const std::runtime_error&) {
    }
  }
  EXPECT_TRUE(TrialLog(folder_, "gpu").ended("a"));
}

TEST_F(TrialLogTest, DoesNotWriteDownAgainWhatItLeavesOut) {
  in_a_process_that_ends([](TrialLog& log) { log.begin("a"); });
  TrialLog log(folder_, "gpu");
  const Trial trial(&log, "a");
  EXPECT_TRUE(trial.ended_a_process());
  EXPECT_EQ(files(), 1U);
}

TEST_F(TrialLogTest, IgnoresDamage) {
  in_a_process_that_ends([](TrialLog& log) { log.begin("a"); });
  for (const auto& entry : fs::directory_iterator(folder_)) std::ofstream(entry.path(), std::ios::app) << "more";
  EXPECT_EQ(TrialLog(folder_, "gpu").known(), 0U);
  in_a_process_that_ends([](TrialLog& log) { log.begin("b"); });
  EXPECT_TRUE(TrialLog(folder_, "gpu").ended("b"));
}

TEST_F(TrialLogTest, WithoutAFolderTriesEverything) {
  TrialLog log(std::nullopt, "gpu");
  const Trial trial(&log, "a");
  EXPECT_FALSE(trial.ended_a_process());
  const Trial nowhere(nullptr, "a");
  EXPECT_FALSE(nowhere.ended_a_process());
  std::ofstream(folder_) << "a file where the folder should be";
  TrialLog blocked(folder_, "gpu");
  const Trial still(&blocked, "a");
  EXPECT_FALSE(still.ended_a_process());
}

}  // namespace
}  // namespace iosx::gpu
