// The strip above Explore: how fast, why, the schedules as chips, and what of the search is not done.

#include "views/window/panels/headline.h"
#include "core/analysis/compare/why.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/prelude.h"
#include "views/explore/saving/saving_view.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/window/panels/schedule_chips.h"
#include "views/window/panels/views.h"

namespace iosx {
namespace {

class HeadlineTest : public test::WindowTest {
 protected:
  QString said(const char* name) const {
    const auto* label = part<QLabel>(name);
    return label->isVisible() ? label->text() : QString();
  }
  QList<QToolButton*> chips() const { return window_->findChildren<QToolButton*>(QStringLiteral("schedule-chip")); }
  QList<QToolButton*> visibleChips() const {
    QList<QToolButton*> visible;
    for (QToolButton* chip : chips()) {
      if (chip->isVisible()) visible << chip;
    }
    return visible;
  }
  QToolButton* chip(ScheduleKind kind) const {
    const Comparison& comparison = *session_->comparison();
    return chips().at(static_cast<int>(*comparison.index_of(comparison.find(kind)->id)));
  }
  void resizeTo(int width, int height) {
    window_->resize(width, height);
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
  }
  QRect inWindow(const QWidget* widget) const { return {widget->mapTo(window_.get(), QPoint(0, 0)), widget->size()}; }
};

TEST_F(HeadlineTest, AChipShowsItsScheduleAndTheHeadlineFollows) {
  open(QStringLiteral("inception_v3"));
  resizeTo(1900, 1000);
  const Comparison& comparison = *session_->comparison();
  ASSERT_EQ(chips().size(), static_cast<qsizetype>(comparison.results.size()));
  EXPECT_EQ(chip(ScheduleKind::kSequential)->accessibleName(), "Sequential baseline");
  const ScheduleResult& greedy = *comparison.find(ScheduleKind::kGreedy);
  const ScheduleResult& sequential = *comparison.find(ScheduleKind::kSequential);
  EXPECT_EQ(chip(ScheduleKind::kGreedy)->accessibleName(), "Greedy " + speed_text(greedy, sequential));
  QTest::mouseClick(chip(ScheduleKind::kGreedy), Qt::LeftButton);
  EXPECT_EQ(comparison.results[session_->activeSchedule()].id, greedy.id);
  EXPECT_EQ(said("headline-speed"), speed_text(greedy, sequential));
  EXPECT_EQ(said("headline-detail"), message_text(why_text(*why(comparison, greedy))));
  EXPECT_TRUE(chip(ScheduleKind::kGreedy)->isChecked());
  // The baseline has nothing to be compared with.
  QTest::mouseClick(chip(ScheduleKind::kSequential), Qt::LeftButton);
  EXPECT_EQ(said("headline-speed"), latency_text(sequential.latency));
  EXPECT_EQ(said("headline-sentence"), "Sequential, the baseline");
  EXPECT_EQ(said("headline-question"), QString());
  EXPECT_EQ(said("headline-detail"), QString());
  // Another baseline is what all are told against.
  session_->editor().setBaseline(Choice{session_->runId(), greedy.id});
  EXPECT_EQ(chip(ScheduleKind::kGreedy)->accessibleName(), "Greedy baseline");
  EXPECT_EQ(said("headline-speed"), speed_text(sequential, greedy));
  EXPECT_TRUE(said("headline-sentence").startsWith("as fast as Greedy: ")) << said("headline-sentence").toStdString();
}

TEST_F(HeadlineTest, KeysMoveAmongTheChips) {
  open(QStringLiteral("sample"));
  resizeTo(1900, 1000);
  activate();
  session_->setActiveSchedule(0);
  chips().at(0)->setFocus(Qt::TabFocusReason);
  QTest::keyClick(chips().at(0), Qt::Key_Right);
  EXPECT_TRUE(chips().at(1)->hasFocus());
  QTest::keyClick(chips().at(1), Qt::Key_Space);
  EXPECT_EQ(session_->activeSchedule(), 1U);
}

// Chips without room are in the menu, never cut off; the shown schedule is always among the chips.
TEST_F(HeadlineTest, NothingIsCutOffInASmallWindow) {
  open(QStringLiteral("inception_v3"));
  const auto* strip = window_->findChild<Headline*>();
  auto* more = part<QToolButton>("more-schedules");
  for (const QSize size : {QSize(1070, 700), QSize(1280, 800), QSize(1600, 1000), QSize(2560, 1440)}) {
    resizeTo(size.width(), size.height());
    SCOPED_TRACE(window_->width());
    for (std::size_t active = 0; active < session_->comparison()->results.size(); ++active) {
      session_->setActiveSchedule(active);
      QCoreApplication::processEvents();
      EXPECT_TRUE(chips().at(static_cast<int>(active))->isVisible()) << active;
      const QRect room = inWindow(strip);
      QRect before = inWindow(part<QLabel>("headline-sentence"));
      EXPECT_GE(before.width(), part<QLabel>("headline-sentence")->sizeHint().width());
      for (const QToolButton* each : visibleChips()) {
        EXPECT_TRUE(room.contains(inWindow(each))) << each->text().toStdString();
        EXPECT_FALSE(before.intersects(inWindow(each))) << each->text().toStdString();
        before = inWindow(each);
      }
      EXPECT_EQ(more->isVisible(), visibleChips().size() < chips().size());
    }
  }
  resizeTo(1070, 700);
  session_->setActiveSchedule(session_->comparison()->best());
  ASSERT_TRUE(more->isVisible());
  EXPECT_FALSE(more->accessibleName().isEmpty());
  emit more->menu()->aboutToShow();
  ASSERT_EQ(more->menu()->actions().size(), chips().size() - visibleChips().size());
  QToolButton* hidden = nullptr;
  for (QToolButton* each : chips()) {
    if (hidden == nullptr && !each->isVisible()) hidden = each;
  }
  more->menu()->actions().front()->trigger();
  QCoreApplication::processEvents();
  EXPECT_TRUE(hidden->isVisible());
  EXPECT_TRUE(hidden->isChecked());
}

TEST_F(HeadlineTest, TheSpeedUpStandsOnceInExplore) {
  open(QStringLiteral("inception_v3"));
  resizeTo(1600, 1000);
  const QString speed = said("headline-speed");
  ASSERT_TRUE(speed.endsWith(QString::fromUtf8("×"))) << speed.toStdString();
  int times = 0;
  for (const QLabel* label : window_->findChildren<QLabel*>()) {
    times += label->isVisible() && label->text().contains(speed) ? 1 : 0;
  }
  EXPECT_EQ(times, 1);
  const Comparison& comparison = *session_->comparison();
  const QString saved = window_->views().saving()->sentence();
  EXPECT_FALSE(saved.contains("ms")) << saved.toStdString();
  const auto* project = part<QWidget>("project");
  EXPECT_TRUE(project->isAncestorOf(part<QWidget>("project-tree")));
  EXPECT_FALSE(project->isAncestorOf(part<QWidget>("headline")));
  EXPECT_GT(inWindow(part<QWidget>("project")).top(), inWindow(part<QWidget>("headline")).bottom());
  EXPECT_EQ(said("headline-detail"),
            message_text(why_text(*why(comparison, comparison.results[session_->activeSchedule()]))));
}

TEST_F(HeadlineTest, TheStripIsALineOfItsOwnInExploreOnly) {
  const auto* strip = window_->findChild<Headline*>();
  EXPECT_FALSE(strip->isVisible()) << "nothing is open";
  open(QStringLiteral("sample"));
  for (const Mode mode : {Mode::kCompare, Mode::kExplore, Mode::kEditGraph, Mode::kEditSchedule, Mode::kExplore}) {
    window_->setMode(mode);
    QCoreApplication::processEvents();
    EXPECT_EQ(strip->isVisible(), mode == Mode::kExplore) << static_cast<int>(mode);
  }
  EXPECT_GE(inWindow(strip).top(), inWindow(part<QWidget>("run-bar")).bottom());
  EXPECT_GE(strip->width(), window_->width() - 20);
  EXPECT_LE(part<QWidget>("headline-bar")->height(), 52);
}

TEST_F(HeadlineTest, AnUnfinishedSearchIsCalledSo) {
  jobs_->automatic().setLimit(std::chrono::milliseconds(0));
  jobs_->open(QStringLiteral("nasnet"));
  bool searched = false;  // with a result in sight
  ASSERT_TRUE(QTest::qWaitFor(
      [&] {
        if (session_->comparison() && jobs_->automatic().waits()) {
          searched = true;
          EXPECT_TRUE(said("headline-search").contains("still searching"));
        }
        return session_->comparison() && !jobs_->busy();
      },
      test::kSanitized ? 400000 : 60000));
  EXPECT_TRUE(searched);
  auto* search = part<QLabel>("headline-search");
  EXPECT_EQ(search->accessibleName(), QString::fromUtf8("stopped at 0 s – continue"));
  // With other settings it is not the same search.
  part<QSpinBox>("batch")->setValue(2);
  EXPECT_EQ(search->accessibleName(), "stopped at 0 s");
  part<QSpinBox>("batch")->setValue(1);
  ASSERT_FALSE(session_->upToDate());
  emit search->linkActivated(QStringLiteral("continue"));
  EXPECT_TRUE(jobs_->busy());
  EXPECT_EQ(said("headline-search"), "still searching");
  // A person stops it: nothing is said of a limit.
  jobs_->cancel();
  idle();
  ASSERT_TRUE(session_->comparison());
  if (!session_->comparison()->complete && !session_->shownRun()->automatic) {
    EXPECT_EQ(search->accessibleName(), QString::fromUtf8("stopped – continue"));
  }
}

// What a search has found so far is gone with it, whatever it leaves.
TEST_F(HeadlineTest, AStoppedSearchIsNoLongerCalledSearching) {
  jobs_->automatic().setLimit(std::chrono::milliseconds(2000));
  bool searched = false;
  QObject::connect(jobs_.get(), &Jobs::searchingChanged, window_.get(),
                   [&] { searched = searched || window_->views().saving()->sentence().contains("is searching"); });
  open(QStringLiteral("hrnet_w18"));
  ASSERT_TRUE(session_->comparison());
  EXPECT_EQ(part<QLabel>("headline-search")->accessibleName(), QString::fromUtf8("stopped at 2 s – continue"));
  EXPECT_FALSE(window_->views().saving()->sentence().contains("is searching"))
      << window_->views().saving()->sentence().toStdString();
  if (!searched) GTEST_SKIP() << "on a slow machine it was stopped before it searched";
}

TEST_F(HeadlineTest, AFinishedSearchIsNotCalledUnfinished) {
  jobs_->automatic().setLimit(std::chrono::milliseconds(0));
  open(QStringLiteral("googlenet"));
  // On a slow machine it was stopped before it searched.
  if (!said("headline-search").isEmpty()) {
    emit part<QLabel>("headline-search")->linkActivated(QStringLiteral("continue"));
    idle();
  }
  EXPECT_TRUE(session_->upToDate());
  EXPECT_EQ(said("headline-search"), QString());
}

}  // namespace
}  // namespace iosx
