#include <QtWidgets>

#include "tests/support/made_up_comparison.h"
#include "tests/support/prelude.h"
#include "views/figures/exporter.h"
#include "views/share/animation.h"
#include "views/share/picture.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"

namespace iosx {
namespace {

constexpr std::size_t kSequential = 0;
constexpr std::size_t kGreedy = 1;
constexpr std::size_t kBoth = 2;

QByteArray svg_of(const Figure& figure) { return render_figure(figure, FigureFormat::kSvg).value(); }

TEST(Rivals, AreTheShownScheduleAndSequential) {
  const auto comparison = test::made_up_comparison();
  const auto rivals = must(rivals_of(comparison, kGreedy));
  EXPECT_EQ(rivals.shown, kGreedy);
  EXPECT_EQ(rivals.against, kSequential);
}

TEST(Rivals, OfSequentialAreTheBestAndIt) {
  const auto comparison = test::made_up_comparison();
  const auto rivals = must(rivals_of(comparison, kSequential));
  EXPECT_EQ(rivals.shown, comparison->best());
  EXPECT_EQ(rivals.against, kSequential);
}

TEST(Rivals, AreAgainstTheBaselineThatWasChosen) {
  const auto comparison = test::made_up_comparison();
  const auto rivals = must(rivals_of(comparison, kBoth, kGreedy));
  EXPECT_EQ(rivals.shown, kBoth);
  EXPECT_EQ(rivals.against, kGreedy);
  EXPECT_FALSE(rivals_of(comparison, kBoth, comparison->results.size()));
}

TEST(Rivals, AreNoneWhereNothingCanBeCompared) {
  EXPECT_FALSE(rivals_of(nullptr, 0));
  const auto comparison = test::made_up_comparison();
  EXPECT_FALSE(rivals_of(comparison, comparison->results.size()));
  const auto untimed = test::made_up_comparison();
  untimed->results[kGreedy].trace.kernels.clear();
  EXPECT_FALSE(rivals_of(untimed, kGreedy));
  EXPECT_FALSE(rivals_of(test::made_up_chain(3), 0));
  const auto without = test::made_up_comparison();
  without->results.erase(without->results.begin());
  EXPECT_FALSE(rivals_of(without, 0));
}

TEST(Rivals, SayWhoIsFasterAgainstWhat) {
  const auto rivals = must(rivals_of(test::made_up_comparison(), kBoth));
  const QString sentence = rivals.sentence();
  EXPECT_TRUE(sentence.contains(schedule_title(rivals.one()))) << sentence.toStdString();
  EXPECT_TRUE(sentence.contains(schedule_title(rivals.other()))) << sentence.toStdString();
  EXPECT_TRUE(
      sentence.contains(latency_text(rivals.one().latency) + " instead of " + latency_text(rivals.other().latency)))
      << sentence.toStdString();
}

// Two measured runs of few samples, alike: nobody is called faster.
TEST(Rivals, ClaimNothingWithinTheNoise) {
  const auto comparison = test::made_up_comparison();
  for (ScheduleResult& result : comparison->results) {
    result.latency = {.value = Millis(1), .spread = Millis(0.2), .samples = 50, .origin = Origin::kMeasured};
    result.rounds = {Millis(0.9), Millis(1), Millis(1.1), Millis(1), Millis(0.95), Millis(1.05)};
  }
  const auto rivals = must(rivals_of(comparison, kBoth));
  EXPECT_NE(difference(rivals.one(), rivals.other()), Difference::kFaster);
  EXPECT_FALSE(rivals.sentence().contains(" is 1."));
}

TEST(Card, SaysHowFastAgainstWhatWhereAndWhetherItWasMeasured) {
  const auto comparison = test::made_up_comparison();
  const auto rivals = must(rivals_of(comparison, kBoth));
  const QByteArray page = svg_of(*make_card_figure(rivals));
  for (const QString& text : {speed_text(rivals.one(), rivals.other()), rivals.sentence(), context_text(*comparison),
                              origin_text(rivals.one().latency.origin)}) {
    EXPECT_TRUE(page.contains(text.toHtmlEscaped().toUtf8())) << text.toStdString();
  }
}

TEST(Card, FitsEveryWidthAndHasBothSchedulesAsData) {
  const auto rivals = must(rivals_of(test::made_up_comparison(), kBoth));
  const auto card = make_card_figure(rivals);
  EXPECT_EQ(card->size(), card->sizeWithin(card->size().width()));
  EXPECT_EQ(card->sizeWithin(600).width(), 600);
  const QStringList lines = card->csv().split(QStringLiteral("\n"), Qt::SkipEmptyParts);
  ASSERT_EQ(lines.size(), 3);
  EXPECT_TRUE(lines[1].startsWith(shown_name(rivals.other().id.text())));
  EXPECT_TRUE(lines[2].startsWith(shown_name(rivals.one().id.text())));
  EXPECT_TRUE(render_figure(*card, FigureFormat::kPng));
}

TEST(Race, LastsAsLongAsTheSlowerOneAndChangesUntilThen) {
  const auto rivals = must(rivals_of(test::made_up_comparison(), kBoth));
  const Race race(rivals);
  EXPECT_EQ(race.end(), std::max(rivals.one().trace.duration, rivals.other().trace.duration));
  const QImage start = race.frame(Micros(0));
  EXPECT_EQ(start.size(), Race::kFrame);
  EXPECT_EQ(start, race.frame(Micros(0)));
  const QImage middle = race.frame(race.end() / 2);
  EXPECT_NE(start, middle);
  const QImage last = race.frame(race.end());
  EXPECT_NE(middle, last);
  EXPECT_EQ(last, race.frame(race.end() * 2)) << "nothing happens after the end";
}

class AnimationTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(folder_.isValid() && rivals_); }
  void TearDown() override { qputenv("PATH", path_); }
  QString file(const char* name) const { return folder_.filePath(QString::fromLatin1(name)); }
  // Puts a program in the place of ffmpeg: it writes how many bytes it was given into the file that it is to make.
  void encode_with(const QByteArray& script) {
    ASSERT_TRUE(QDir(folder_.path()).mkpath(QStringLiteral("bin")));
    QFile program(file("bin/ffmpeg"));
    ASSERT_TRUE(program.open(QFile::WriteOnly));
    program.write("#!/bin/sh\nfor made; do :; done\n" + script);
    program.close();
    ASSERT_TRUE(program.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    qputenv("PATH", file("bin").toUtf8() + ':' + path_);
  }
  QStringList files() const {
    return QDir(folder_.path()).entryList(QDir::Files | QDir::Dirs | QDir::Hidden | QDir::NoDotAndDotDot);
  }

  QByteArray path_ = qgetenv("PATH");
  QTemporaryDir folder_;
  std::optional<Rivals> rivals_ = rivals_of(test::made_up_comparison(), kBoth);
};

TEST_F(AnimationTest, GivesTheEncoderEveryFrameWhole) {
  encode_with("wc -c > \"$made\"\n");
  must(write_animation(*rivals_, file("race.gif"), {}));
  QFile made(file("race.gif"));
  ASSERT_TRUE(made.open(QFile::ReadOnly));
  const qlonglong bytes = made.readAll().trimmed().toLongLong();
  const qlonglong frame = 4LL * Race::kFrame.width() * Race::kFrame.height();
  EXPECT_EQ(bytes % frame, 0);
  EXPECT_GT(bytes / frame, 100);
  EXPECT_EQ(files(), (QStringList{"bin", "race.gif"})) << "nothing is left beside it";
}

TEST_F(AnimationTest, SaysWhatTheEncoderSaysAndLeavesAnOlderFile) {
  encode_with("echo 'first line' >&2; echo 'Unknown encoder libx264' >&2; exit 1\n");
  QFile older(file("race.mp4"));
  ASSERT_TRUE(older.open(QFile::WriteOnly));
  older.write("older");
  older.close();
  EXPECT_THAT(refused(write_animation(*rivals_, file("race.mp4"), {})).text(), HasSubstr("Unknown encoder libx264"));
  ASSERT_TRUE(older.open(QFile::ReadOnly));
  EXPECT_EQ(older.readAll(), "older");
  EXPECT_EQ(files(), (QStringList{"bin", "race.mp4"}));
}

TEST_F(AnimationTest, StopsBetweenFrames) {
  encode_with("wc -c > \"$made\"\n");
  std::stop_source stop;
  int frames = 0;
  const JobContext job{stop.get_token(), [&](const Progress& progress) {
                         if (progress.total > 0 && ++frames == 3) stop.request_stop();
                       }};
  EXPECT_FALSE(write_animation(*rivals_, file("race.webm"), job));
  EXPECT_LE(frames, 4);
  EXPECT_EQ(files(), QStringList{"bin"});
}

TEST_F(AnimationTest, NeedsAKnownSuffixAFolderAndAnEncoder) {
  encode_with("wc -c > \"$made\"\n");
  EXPECT_THAT(refused(write_animation(*rivals_, file("race.avi"), {})).text(), HasSubstr(".gif, .mp4 or .webm"));
  EXPECT_FALSE(write_animation(*rivals_, file("nowhere/race.gif"), {}));
  qputenv("PATH", folder_.path().toUtf8());
  EXPECT_THAT(refused(write_animation(*rivals_, file("race.gif"), {})).text(),
              AllOf(HasSubstr("ffmpeg, which is not installed"), HasSubstr("sudo apt install ffmpeg")));
  EXPECT_TRUE(film_writer_lack().contains("sudo apt install ffmpeg")) << film_writer_lack().toStdString();
}

// What a real ffmpeg makes of it, where there is one.
TEST_F(AnimationTest, IsReadByOthers) {
  if (film_writer().isEmpty()) GTEST_SKIP() << "ffmpeg is not installed";
  ASSERT_TRUE(write_animation(*rivals_, file("race.gif"), {}));
  QFile made(file("race.gif"));
  ASSERT_TRUE(made.open(QFile::ReadOnly));
  EXPECT_EQ(made.read(6), "GIF89a");
}

}  // namespace
}  // namespace iosx
