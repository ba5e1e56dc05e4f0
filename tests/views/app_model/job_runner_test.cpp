#include <stdexcept>

#include "tests/support/prelude.h"
#include "tests/views/app_model/wait.h"
#include "views/app_model/job_runner.h"

namespace iosx {
namespace {

using test::wait_until;
using Delivery = JobRunner::Delivery;

void nap() { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }

TEST(JobRunner, DeliversOnTheThreadItLivesOn) {
  JobRunner runner;
  QSignalSpy finished(&runner, &JobRunner::finished);
  const auto here = std::this_thread::get_id();
  std::thread::id worked;
  std::thread::id delivered;
  runner.start(QStringLiteral("job"), [&](const JobContext&, const std::stop_token&) -> Result<Delivery> {
    worked = std::this_thread::get_id();
    return Delivery{[&] { delivered = std::this_thread::get_id(); }};
  });
  EXPECT_TRUE(runner.busy());
  ASSERT_TRUE(wait_until([&] { return finished.count() == 1; }));
  EXPECT_NE(worked, here);
  EXPECT_EQ(delivered, here);
  EXPECT_FALSE(runner.busy());
}

TEST(JobRunner, ThrottlesAFloodOfProgress) {
  JobRunner runner;
  QSignalSpy finished(&runner, &JobRunner::finished);
  int delivered = 0;
  std::int64_t last = 0;
  QObject::connect(&runner, &JobRunner::progressed, &runner, [&](const Progress& progress) {
    ++delivered;
    EXPECT_GT(progress.done, last);
    last = progress.done;
  });
  std::atomic<std::int64_t> reported = 0;
  double seconds = 0;
  runner.start(QStringLiteral("flood"), [&](const JobContext& job, const std::stop_token&) -> Result<Delivery> {
    const auto begin = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(300)) {
      job.report(message("flood"), ++reported, 0);
    }
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return Delivery{};
  });
  ASSERT_TRUE(wait_until([&] { return finished.count() == 1; }));
  EXPECT_GT(reported, 1000);
  EXPECT_GE(delivered, 1);
  EXPECT_LE(delivered, static_cast<int>(seconds / 0.033) + 1);
}

// A phase that ends in a burst, and then one that says nothing more: the window must not go on showing the old one.
TEST(JobRunner, DeliversTheLastProgressOfABurst) {
  JobRunner runner;
  QSignalSpy finished(&runner, &JobRunner::finished);
  std::vector<Progress> delivered;
  QObject::connect(&runner, &JobRunner::progressed, &runner,
                   [&](const Progress& progress) { delivered.push_back(progress); });
  runner.start(QStringLiteral("job"), [&](const JobContext& job, const std::stop_token&) -> Result<Delivery> {
    for (int i = 1; i <= 100; ++i) job.report(message("searching"), i, 100);
    job.report(message("running end to end"), 0, 35);
    while (!job.stopped()) nap();
    return Delivery{};
  });
  EXPECT_TRUE(wait_until([&] { return !delivered.empty() && delivered.back().phase == "running end to end"; }));
  EXPECT_LE(delivered.size(), 4U);  // not the whole burst
  runner.cancel();
  ASSERT_TRUE(wait_until([&] { return finished.count() == 1; }));
}

TEST(JobRunner, ProgressOfAJobThatEndedIsNotDeliveredLater) {
  JobRunner runner;
  QSignalSpy finished(&runner, &JobRunner::finished);
  QStringList seen;
  QObject::connect(&runner, &JobRunner::progressed, &runner,
                   [&](const Progress& progress) { seen << QString::fromStdString(progress.phase.text()); });
  QObject::connect(&runner, &JobRunner::finished, &runner, [&] { seen << QStringLiteral("end"); });
  for (int number = 0; number < 3; ++number) {
    runner.start(QStringLiteral("job"), [number](const JobContext& job, const std::stop_token&) -> Result<Delivery> {
      for (int i = 0; i < 10; ++i) job.report(message("job {}", std::to_string(number)), i, 10);
      return Delivery{};
    });
    ASSERT_TRUE(wait_until([&] { return finished.count() == number + 1; }));
    const qsizetype end = seen.size();
    test::wait_until([] { return false; }, 80);
    EXPECT_EQ(seen.size(), end);
  }
}

TEST(JobRunner, CancelAsksTheJobToStopAndItMayStillDeliver) {
  JobRunner runner;
  QSignalSpy finished(&runner, &JobRunner::finished);
  bool delivered = false;
  runner.start(QStringLiteral("job"), [&](const JobContext& job, const std::stop_token&) -> Result<Delivery> {
    while (!job.stopped()) nap();
    return Delivery{[&] { delivered = true; }};
  });
  runner.cancel();
  EXPECT_TRUE(runner.stopping());
  ASSERT_TRUE(wait_until([&] { return finished.count() == 1; }));
  EXPECT_TRUE(finished.front().front().toBool());
  EXPECT_TRUE(delivered);
}

TEST(JobRunner, ReportsErrorsAndExceptions) {
  JobRunner runner;
  QSignalSpy finished(&runner, &JobRunner::finished);
  std::vector<std::string> errors;
  QObject::connect(&runner, &JobRunner::failed, &runner, [&](const Error& error) { errors.push_back(error.text()); });
  runner.start(QStringLiteral("bad"), [](const JobContext&, const std::stop_token&) -> Result<Delivery> {
    return fail(message("no"), "here", message("try"));
  });
  ASSERT_TRUE(wait_until([&] { return finished.count() == 1; }));
  runner.start(QStringLiteral("thrower"), [](const JobContext&, const std::stop_token&) -> Result<Delivery> {
    throw std::runtime_error("thrown");
  });
  ASSERT_TRUE(wait_until([&] { return finished.count() == 2; }));
  ASSERT_EQ(errors.size(), 2U);
  EXPECT_EQ(errors[0], "here: no (try)");
  EXPECT_NE(errors[1].find("thrown"), std::string::npos);
}

TEST(JobRunner, ANewJobReplacesTheRunningOneWhoseResultIsDropped) {
  JobRunner runner;
  QSignalSpy started(&runner, &JobRunner::started);
  QSignalSpy finished(&runner, &JobRunner::finished);
  std::vector<int> delivered;
  const auto job_number = [&](int number, bool wait) {
    return [&delivered, number, wait](const JobContext& job, const std::stop_token&) -> Result<Delivery> {
      while (wait && !job.stopped()) nap();
      return Delivery{[&delivered, number] { delivered.push_back(number); }};
    };
  };
  runner.start(QStringLiteral("1"), job_number(1, true));
  runner.start(QStringLiteral("2"), job_number(2, false));
  runner.start(QStringLiteral("3"), job_number(3, false));  // 2 never starts
  ASSERT_TRUE(wait_until([&] { return finished.count() == 2; }));
  EXPECT_EQ(delivered, std::vector<int>{3});
  EXPECT_EQ(started.count(), 2);
}

TEST(JobRunner, ADeliveryMayStartTheNextJob) {
  JobRunner runner;
  QSignalSpy finished(&runner, &JobRunner::finished);
  bool second = false;
  runner.start(QStringLiteral("1"), [&](const JobContext&, const std::stop_token&) -> Result<Delivery> {
    return Delivery{[&] {
      runner.start(QStringLiteral("2"), [&](const JobContext&, const std::stop_token&) -> Result<Delivery> {
        return Delivery{[&] { second = true; }};
      });
    }};
  });
  ASSERT_TRUE(wait_until([&] { return finished.count() == 2; }));
  EXPECT_TRUE(second);
}

TEST(JobRunner, JobsWaitForTheirTurn) {
  JobRunner runner;
  QSignalSpy finished(&runner, &JobRunner::finished);
  std::vector<int> delivered;
  std::atomic<bool> go = false;
  const auto job_number = [&](int number) {
    return [&, number](const JobContext& job, const std::stop_token&) -> Result<Delivery> {
      while (!go && !job.stopped()) nap();
      return Delivery{[&, number] { delivered.push_back(number); }};
    };
  };
  const auto first = runner.enqueue(QStringLiteral("1"), job_number(1));
  runner.enqueue(QStringLiteral("2"), job_number(2));
  const auto third = runner.enqueue(QStringLiteral("3"), job_number(3));
  const auto fourth = runner.enqueue(QStringLiteral("4"), job_number(4), JobRunner::Turn::kNext);
  EXPECT_EQ(runner.running(), first);
  EXPECT_EQ(runner.title(), "1");
  ASSERT_EQ(runner.waiting().size(), 3U);
  EXPECT_EQ(runner.waiting().front().id, fourth);
  runner.abandon(third);
  EXPECT_EQ(runner.waiting().size(), 2U);
  go = true;
  ASSERT_TRUE(wait_until([&] { return finished.count() == 3; }));
  EXPECT_EQ(delivered, (std::vector<int>{1, 4, 2}));
  EXPECT_FALSE(runner.busy());
}

TEST(JobRunner, CancelAndAbandonOfOneLeaveTheOthersWaiting) {
  JobRunner runner;
  QSignalSpy finished(&runner, &JobRunner::finished);
  std::vector<int> delivered;
  const auto job_number = [&](int number, bool endless) {
    return [&, number, endless](const JobContext& job, const std::stop_token&) -> Result<Delivery> {
      while (endless && !job.stopped()) nap();
      return Delivery{[&, number] { delivered.push_back(number); }};
    };
  };
  runner.enqueue(QStringLiteral("1"), job_number(1, true));
  const auto second = runner.enqueue(QStringLiteral("2"), job_number(2, true));
  runner.enqueue(QStringLiteral("3"), job_number(3, false));
  runner.cancel();
  ASSERT_TRUE(wait_until([&] { return runner.running() == second; }));
  runner.abandon(second);
  ASSERT_TRUE(wait_until([&] { return finished.count() == 3; }));
  EXPECT_EQ(delivered, (std::vector<int>{1, 3}));
}

TEST(JobRunner, DestructionMidRunStopsTheJobAndDeliversNothing) {
  std::atomic<bool> ended = false;
  bool delivered = false;
  {
    JobRunner runner;
    runner.start(QStringLiteral("job"), [&](const JobContext& job, const std::stop_token&) -> Result<Delivery> {
      while (!job.stopped()) {
        job.report(message("busy"), 1, 2);
        nap();
      }
      job.report(message("late"), 2, 2);
      ended = true;
      return Delivery{[&] { delivered = true; }};
    });
  }
  EXPECT_TRUE(ended);
  QCoreApplication::processEvents();
  EXPECT_FALSE(delivered);
}

TEST(JobRunner, CancelAsksForTheBestSoFarAndAbandonForNothing) {
  for (const bool abandon : {false, true}) {
    JobRunner runner;
    QSignalSpy finished(&runner, &JobRunner::finished);
    std::atomic<bool> told = false;
    bool delivered = false;
    runner.start(QStringLiteral("job"),
                 [&](const JobContext& job, const std::stop_token& unwanted) -> Result<Delivery> {
                   while (!job.stopped()) nap();
                   told = unwanted.stop_requested();
                   return Delivery{[&] { delivered = true; }};
                 });
    abandon ? runner.abandon() : runner.cancel();
    ASSERT_TRUE(wait_until([&] { return finished.count() == 1; }));
    EXPECT_EQ(told, abandon);
    EXPECT_EQ(delivered, !abandon);
  }
}

TEST(JobRunner, APausedJobWaitsAtItsNextReportUntilItGoesOnOrStops) {
  JobRunner runner;
  std::atomic<int> reports{0};
  std::atomic<bool> stopped{false};
  const auto work = [&](const JobContext& job, const std::stop_token&) -> Result<JobRunner::Delivery> {
    while (!job.stopped()) {
      job.report(message("measuring"), ++reports, 0);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    stopped = true;
    return JobRunner::Delivery{};
  };
  QSignalSpy changes(&runner, &JobRunner::pausedChanged);
  runner.setPaused(true);
  EXPECT_FALSE(runner.paused()) << "nothing runs";
  runner.start(QStringLiteral("search"), work);
  ASSERT_TRUE(QTest::qWaitFor([&] { return reports > 2; }));
  runner.setPaused(true);
  EXPECT_TRUE(runner.paused());
  // It may be on its way to one more report, and stays there.
  int held = -1;
  ASSERT_TRUE(QTest::qWaitFor([&] {
    const int before = reports;
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    held = reports;
    return held == before;
  }));
  const Seconds elapsed = runner.elapsed();
  std::this_thread::sleep_for(std::chrono::milliseconds(40));  // nothing happens
  EXPECT_EQ(reports, held);
  EXPECT_NEAR(runner.elapsed().count(), elapsed.count(), 1e-3) << "a pause is no time of the job";
  runner.setPaused(false);
  EXPECT_TRUE(QTest::qWaitFor([&] { return reports > held + 2; }));
  runner.setPaused(true);
  runner.cancel();
  EXPECT_FALSE(runner.paused()) << "a stop ends the pause at once";
  EXPECT_TRUE(runner.stopping());
  EXPECT_TRUE(QTest::qWaitFor([&] { return stopped && !runner.busy(); }));
  EXPECT_FALSE(runner.paused());
  EXPECT_EQ(changes.count(), 4);
}

TEST(JobRunner, MeasuresElapsedTime) {
  JobRunner runner;
  QSignalSpy finished(&runner, &JobRunner::finished);
  runner.start(QStringLiteral("job"), [&](const JobContext&, const std::stop_token&) -> Result<Delivery> {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    return Delivery{};
  });
  ASSERT_TRUE(wait_until([&] { return finished.count() == 1; }));
  EXPECT_GE(runner.elapsed().count(), 0.03);
  const double then = runner.elapsed().count();
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(runner.elapsed().count(), then);  // stands still once the job has ended
}

using test::wait_until;

TEST(Postbox, MakesCallsOnItsThreadInTheirOrder) {
  Postbox box;
  const auto here = std::this_thread::get_id();
  std::vector<int> made;
  std::jthread other([&box, &made, here] {
    for (int i = 0; i < 100; ++i) {
      box.post([&made, i, here] { made.push_back(std::this_thread::get_id() == here ? i : -1); });
    }
  });
  ASSERT_TRUE(wait_until([&made] { return made.size() == 100; }));
  for (int i = 0; i < 100; ++i) EXPECT_EQ(made[static_cast<std::size_t>(i)], i);
}

TEST(Postbox, MakesNoCallAtOnce) {
  Postbox box;
  bool made = false;
  box.post([&made] { made = true; });
  EXPECT_FALSE(made);
  QCoreApplication::processEvents();
  EXPECT_TRUE(made);
}

// Threads fill it while it is emptied, and each call has what it took along.
TEST(Postbox, TakesCallsOfSeveralThreads) {
  Postbox box;
  int sum = 0;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&box, &sum] {
      for (int i = 0; i < 50; ++i) {
        box.post([&sum, value = std::make_shared<int>(i)] { sum += *value; });
      }
    });
  }
  ASSERT_TRUE(wait_until([&sum] { return sum == 4 * 49 * 50 / 2; }));
}

TEST(Postbox, ACallMayPostAndMayEndTheBox) {
  auto box = std::make_unique<Postbox>();
  bool ended = false;
  bool late = false;
  box->post([&] {
    box->post([&] {
      box->post([&late] { late = true; });
      box.reset();
      ended = true;
    });
  });
  ASSERT_TRUE(wait_until([&ended] { return ended; }));
  QCoreApplication::processEvents();
  EXPECT_FALSE(late);
}

using std::chrono::milliseconds;
using test::wait_until;

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
