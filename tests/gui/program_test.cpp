#include <sys/stat.h>

#include <QLocalSocket>

#include "app/gui/arguments.h"
#include "app/gui/display.h"
#include "app/gui/run_socket.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

struct Parsed {
  std::variant<Arguments, int> result;
  std::string out;
  std::string err;
};

Parsed parse(std::vector<const char*> words) {
  words.insert(words.begin(), "ios-explorer");
  std::ostringstream out;
  std::ostringstream err;
  auto result = parse_arguments(static_cast<int>(words.size()), words.data(), out, err);
  return {std::move(result), out.str(), err.str()};
}

TEST(Arguments, AreRead) {
  const auto parsed = parse({"inception_v3", "--device", "a100", "--batch", "32", "--report", "out"});
  const auto& arguments = std::get<Arguments>(parsed.result);
  EXPECT_EQ(arguments.graph, "inception_v3");
  EXPECT_EQ(arguments.device, "a100");
  EXPECT_EQ(arguments.batch, 32);
  EXPECT_EQ(arguments.report, std::filesystem::path("out"));
  EXPECT_FALSE(std::get<Arguments>(parse({}).result).report);
}

TEST(Arguments, NameAnExperimentForAReport) {
  const auto parsed = parse({"squeezenet", "--experiment", "pruning", "--report", "out"});
  EXPECT_EQ(std::get<Arguments>(parsed.result).experiment, ExperimentKind::kPruning);
  EXPECT_FALSE(std::get<Arguments>(parse({"--report", "out"}).result).experiment);
  const auto unknown = parse({"--experiment", "nonsense", "--report", "out"});
  ASSERT_TRUE(std::holds_alternative<int>(unknown.result));
  EXPECT_NE(unknown.err.find("choose one of schedules|pruning|"), std::string::npos) << unknown.err;
}

TEST(Arguments, WithAnEmptyValueAreWrong) {
  for (const char* option : {"--device", "--batch", "--shape", "--dim", "--report", "--experiment", "--figure-width",
                             "--store", "--language"}) {
    for (const std::vector<const char*>& words :
         {std::vector<const char*>{"squeezenet", option, ""}, {"squeezenet", option, "", "--report", "out"}}) {
      const auto parsed = parse(words);
      ASSERT_TRUE(std::holds_alternative<int>(parsed.result)) << option;
      EXPECT_EQ(std::get<int>(parsed.result), 2);
      EXPECT_EQ(parsed.err, std::string("ios-explorer: ") + option + ": is empty (give it a value, or leave it out)\n");
    }
  }
  EXPECT_EQ(std::get<int>(parse({""}).result), 2);
  EXPECT_EQ(std::get<int>(parse({"--device=", "cpu"}).result), 2);
}

TEST(Arguments, NameALanguage) {
  EXPECT_EQ(std::get<Arguments>(parse({"--language", "zh_CN"}).result).language, LanguageMode::kChinese);
  EXPECT_EQ(std::get<Arguments>(parse({"--language", "system"}).result).language, LanguageMode::kSystem);
  EXPECT_FALSE(std::get<Arguments>(parse({}).result).language);
  const auto unknown = parse({"--language", "fr"});
  EXPECT_EQ(std::get<int>(unknown.result), 2);
  EXPECT_NE(unknown.err.find("choose system, en or zh_CN"), std::string::npos) << unknown.err;
}

TEST(Arguments, SayHowFiguresAreDrawnForAPaper) {
  EXPECT_FALSE(std::get<Arguments>(parse({"--report", "out"}).result).paper);
  const auto parsed = parse({"--report", "out", "--figure-width", "3.5in", "--figure-font", "7"});
  const auto& arguments = std::get<Arguments>(parsed.result);
  ASSERT_TRUE(arguments.paper);
  EXPECT_NEAR(arguments.paper->width_mm, 88.9, 1e-9);
  EXPECT_EQ(arguments.paper->font_points, 7);
  EXPECT_EQ(arguments.paper->png_dpi, 300);
  EXPECT_NE(report_command("ios-explorer", arguments, "cpu").find("--figure-width 88.9mm --figure-font 7"),
            std::string::npos);
  EXPECT_EQ(std::get<Arguments>(parse({"--report", "out", "--figure-font", "9"}).result).paper->width_mm, 84);
  for (const std::vector<const char*>& wrong :
       std::vector<std::vector<const char*>>{{"--figure-width", "84mm"},
                                             {"--report", "out", "--figure-width", "84"},
                                             {"--report", "out", "--figure-font", "5"}}) {
    const auto refused = parse(wrong);
    EXPECT_EQ(std::get<int>(refused.result), 2);
    EXPECT_NE(refused.err.find("figure"), std::string::npos) << refused.err;
  }
}

TEST(Arguments, GiveSizesThatAModelLeavesOpen) {
  const auto parsed = parse({"--shape", "x=1x3x8x8", "--dim", "a=5", "--dim", "b=6", "net.onnx", "--report", "out"});
  const auto& arguments = std::get<Arguments>(parsed.result);
  EXPECT_EQ(arguments.graph, "net.onnx");
  EXPECT_EQ(arguments.sizes, (InputSizes{.shapes = {{"x", {1, 3, 8, 8}}}, .dims = {{"a", 5}, {"b", 6}}}));
  EXPECT_NE(report_command("ios-explorer", arguments, "cpu").find("net.onnx --shape x=1x3x8x8 --dim a=5 --dim b=6"),
            std::string::npos);
}

TEST(Arguments, SayWhereMeasurementsAreKept) {
  EXPECT_FALSE(std::get<Arguments>(parse({}).result).store);
  EXPECT_EQ(std::get<Arguments>(parse({"--store", "mine.db"}).result).store,
            (StorePlace{.kept = true, .file = "mine.db"}));
  EXPECT_EQ(std::get<Arguments>(parse({"--no-store", "--report", "out"}).result).store, StorePlace{});
}

TEST(Arguments, BadUsageIsOneLineAndExitCodeTwo) {
  for (const auto& words : std::vector<std::vector<const char*>>{{"--nonsense"},
                                                                 {"--dim", "x"},
                                                                 {"--dim", "x=2", "--dim", "x=3"},
                                                                 {"--shape", "x=1xy"},
                                                                 {"--batch", "0"},
                                                                 {"--batch", "x"},
                                                                 {"--report"},
                                                                 {"--report", ""},
                                                                 {"a", "b"},
                                                                 {"--experiment", "pruning"},
                                                                 {"--store"},
                                                                 {"--store", ""},
                                                                 {"--store", "x.db", "--no-store"}}) {
    const auto parsed = parse(words);
    ASSERT_TRUE(std::holds_alternative<int>(parsed.result)) << words.front();
    EXPECT_EQ(std::get<int>(parsed.result), 2);
    EXPECT_EQ(parsed.out, "");
    EXPECT_EQ(std::count(parsed.err.begin(), parsed.err.end(), '\n'), 1) << parsed.err;
  }
}

TEST(Arguments, HelpAndVersion) {
  const auto help = parse({"--help"});
  EXPECT_EQ(std::get<int>(help.result), 0);
  EXPECT_NE(help.out.find("--report"), std::string::npos);
  const auto version = parse({"--version"});
  EXPECT_EQ(std::get<int>(version.result), 0);
  EXPECT_EQ(version.out, "ios-explorer " IOSX_VERSION "\n");
}

TEST(Arguments, OfAReportOnAnotherDeviceCanBeCopiedIntoAShell) {
  const auto command = [](std::vector<const char*> words, const char* program) {
    return report_command(program, std::get<Arguments>(parse(std::move(words)).result), "cpu");
  };
  EXPECT_EQ(command({"inception_v3", "--report", "report", "--device", "tesla-v100"}, "build/ios-explorer"),
            "build/ios-explorer inception_v3 --device cpu --report report-cpu");
  EXPECT_EQ(command({"my net's.onnx", "--report", "a folder/", "--batch", "8"}, "/opt/x y/ios-explorer"),
            "'/opt/x y/ios-explorer' 'my net'\\''s.onnx' --batch 8 --device cpu --report 'a folder-cpu'");
  EXPECT_EQ(command({"--report", "out"}, "ios-explorer"), "ios-explorer --device cpu --report out-cpu");
  EXPECT_EQ(command({"--report", "out", "--no-store"}, "ios-explorer"),
            "ios-explorer --no-store --device cpu --report out-cpu");
  EXPECT_EQ(command({"--report", "out", "--store", "my store.db"}, "ios-explorer"),
            "ios-explorer --store 'my store.db' --device cpu --report out-cpu");
}

TEST(SettingsTest, KeepsTheNewestTenFilesOnce) {
  const QTemporaryDir folder;
  Settings settings(folder.filePath(QStringLiteral("settings.ini")));
  EXPECT_TRUE(settings.recentFiles().isEmpty());
  for (int i = 0; i < 12; ++i) settings.addRecentFile(QStringLiteral("/tmp/file%1.json").arg(i));
  settings.addRecentFile(QStringLiteral("/tmp/file5.json"));
  ASSERT_EQ(settings.recentFiles().size(), Settings::kMaxRecent);
  EXPECT_EQ(settings.recentFiles().front(), "/tmp/file5.json");
  EXPECT_EQ(settings.recentFiles().count(QStringLiteral("/tmp/file5.json")), 1);
  settings.clearRecentFiles();
  EXPECT_TRUE(settings.recentFiles().isEmpty());
  EXPECT_EQ(settings.themeMode(), ThemeMode::kSystem);
}

TEST(SettingsTest, RememberWhereMeasurementsAreKept) {
  const QTemporaryDir folder;
  const QString file = folder.filePath(QStringLiteral("settings.ini"));
  EXPECT_EQ(Settings(file).store(), StorePlace{.kept = true});
  Settings(file).setStore({.kept = false, .file = "/tmp/mine.db"});
  EXPECT_EQ(Settings(file).store(), (StorePlace{.kept = false, .file = "/tmp/mine.db"}));
}

// The variables that say where to draw, put back afterwards.
class DisplayTest : public testing::Test {
 protected:
  DisplayTest() {
    for (std::size_t i = 0; i < kCount; ++i) {
      before_[i] = qgetenv(kVariables[i]);
      qunsetenv(kVariables[i]);
    }
  }
  ~DisplayTest() override {
    for (std::size_t i = 0; i < kCount; ++i)
      before_[i].isNull() ? qunsetenv(kVariables[i]) : qputenv(kVariables[i], before_[i]);
  }

  static constexpr std::size_t kCount = 3;
  static constexpr const char* kVariables[kCount] = {"QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"};
  QByteArray before_[kCount];
};

TEST_F(DisplayTest, AnEmptyDisplayIsNone) {
  EXPECT_FALSE(choose_platform(false));
  qputenv("DISPLAY", "");
  EXPECT_FALSE(choose_platform(false));
  qputenv("DISPLAY", ":0");
  EXPECT_TRUE(choose_platform(false));
  EXPECT_TRUE(qgetenv("QT_QPA_PLATFORM").isEmpty());
}

TEST_F(DisplayTest, AReportNeedsNoDisplayAndAGivenPlatformStays) {
  qputenv("DISPLAY", ":99");
  EXPECT_TRUE(choose_platform(true));
  EXPECT_EQ(qgetenv("QT_QPA_PLATFORM"), "offscreen");
  qputenv("QT_QPA_PLATFORM", "minimal");
  EXPECT_TRUE(choose_platform(true));
  EXPECT_EQ(qgetenv("QT_QPA_PLATFORM"), "minimal");
}

class RunSocketTest : public test::WindowTest {
 protected:
  // Returns what the socket answers until it closes.
  static QByteArray ask(const QString& path) {
    QLocalSocket socket;
    QByteArray answer;
    socket.connectToServer(path, QIODevice::ReadOnly);
    EXPECT_TRUE(QTest::qWaitFor([&] {
      answer += socket.readAll();
      return socket.state() == QLocalSocket::UnconnectedState;
    }));
    return answer + socket.readAll();
  }
};

TEST_F(RunSocketTest, HandsOverTheRunThatIsShown) {
  const QString place = path("window.socket");
  const RunSocket socket(*session_, place);
  ASSERT_TRUE(socket.isListening());
  EXPECT_EQ(ask(place), QByteArray());  // nothing is shown yet

  open(QStringLiteral("sample"));
  optimize();
  const auto run = must(run_from_bytes(ask(place).toStdString(), "socket"));
  EXPECT_EQ(run.comparison.graph->name(), "sample");
  EXPECT_EQ(run.comparison.results.size(), session_->comparison()->results.size());
}

TEST_F(RunSocketTest, IsForThisUserAlone) {
  const QString place = path("window.socket");
  const RunSocket socket(*session_, place);
  struct stat found {};
  ASSERT_EQ(stat(QFile::encodeName(place).constData(), &found), 0);
  EXPECT_EQ(found.st_mode & (S_IRWXG | S_IRWXO), 0U);
}

TEST_F(RunSocketTest, GoesWithItsWindowAndTakesThePlaceOfOneThatWasKilled) {
  const QString place = path("window.socket");
  { const RunSocket socket(*session_, place); }
  EXPECT_FALSE(QFile::exists(place));
  QFile left(place);
  ASSERT_TRUE(left.open(QIODevice::WriteOnly));
  left.close();
  const RunSocket socket(*session_, place);
  EXPECT_TRUE(socket.isListening());
}

TEST_F(RunSocketTest, DoesWithoutAPlace) {
  const RunSocket socket(*session_, path("no/such/folder/window.socket"));
  EXPECT_FALSE(socket.isListening());
}

}  // namespace

}  // namespace iosx
