// The window in Chinese: what it says, how it changes, and that nothing it says is without a translation.

#include <regex>

#include "app/gui/window_host.h"
#include "core/formats/wire/graph_wire.h"
#include "core/model/schedule/merge.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/prelude.h"
#include "tests/translations/core_messages.h"
#include "views/edit_graph/edit_canvas.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/window/actions/keys.h"
#include "views/window/base/language.h"
#include "views/window/shell/experiment_panel.h"
#include "views/window/shell/graph_editing.h"
#include "views/window/shell/schedule_editor.h"

namespace iosx {
namespace {

QString chinese(const char* text) { return QString::fromUtf8(text); }

// Installed before the window's own translator it is asked only for what that one does not know. Of tables that may
// hold names (iosx::Core) not everything is on the sheet.
class Listener final : public QTranslator {
 public:
  bool isEmpty() const override { return false; }
  QString translate(const char* context, const char* source, const char* /*comment*/, int /*n*/) const override {
    const std::string_view of(context);
    if (of.starts_with("iosx") && of != "iosx::Core") missing_.insert(std::string(of) + ": " + source);
    return {};
  }
  const std::set<std::string>& missing() const { return missing_; }

 private:
  mutable std::set<std::string> missing_;
};

class LanguageTest : public testing::Test {
 protected:
  LanguageTest() {
    add_simulated_devices(devices_);
    test::set(session_, [](RunSettings& settings) { settings.device = "tesla-v100"; });
  }
  ~LanguageTest() override {
    host_.reset();
    QLocale::setDefault(QLocale::system());
  }

  void start() {
    host_ = std::make_unique<WindowHost>(devices_, session_, jobs_, settings_, nullptr, false);
    host_->window().resize(1600, 1000);
    host_->window().show();
  }
  MainWindow& window() { return host_->window(); }
  void open(const QString& source) {
    jobs_.open(source);
    idle();
  }
  void idle() {
    ASSERT_TRUE(QTest::qWaitFor([this] { return !jobs_.busy(); }, 60000));
  }
  QString menus() {
    QStringList titles;
    for (const QAction* action : window().menuBar()->actions()) titles << action->text();
    return titles.join(QLatin1Char(' '));
  }
  void choose(const char* id) {
    window().findChild<QAction*>(QString::fromLatin1(id))->trigger();
    QCoreApplication::sendPostedEvents();
    QCoreApplication::processEvents();
  }

  QTemporaryDir folder_;
  DeviceRegistry devices_;
  Settings settings_{folder_.filePath(QStringLiteral("settings.ini"))};
  Session session_{devices_};
  Jobs jobs_{session_, [](const std::string& source, const InputSizes& sizes) { return open_graph(source, sizes); }};
  std::unique_ptr<WindowHost> host_;
};

TEST(Language, FollowsWhatTheDesktopWants) {
  EXPECT_EQ(language_for({QStringLiteral("zh-CN")}), LanguageMode::kChinese);
  EXPECT_EQ(language_for({QStringLiteral("zh-Hans-CN"), QStringLiteral("en")}), LanguageMode::kChinese);
  EXPECT_EQ(language_for({QStringLiteral("zh_SG")}), LanguageMode::kChinese);
  EXPECT_EQ(language_for({QStringLiteral("de-DE"), QStringLiteral("zh-CN")}), LanguageMode::kChinese);
  EXPECT_EQ(language_for({QStringLiteral("en-US"), QStringLiteral("zh-CN")}), LanguageMode::kEnglish);
  EXPECT_EQ(language_for({QStringLiteral("zh-TW")}), LanguageMode::kEnglish);
  EXPECT_EQ(language_for({QStringLiteral("C")}), LanguageMode::kEnglish);
  EXPECT_EQ(language_for({}), LanguageMode::kEnglish);
}

TEST(Language, HasAnId) {
  for (const LanguageMode mode : kLanguageModes) EXPECT_EQ(language_of(language_id(mode)), mode);
  EXPECT_EQ(language_of(QStringLiteral("fr")), std::nullopt);
}

TEST(Language, MarksOfMenusAreNoPartOfTheirNames) {
  EXPECT_EQ(plain_text(chinese("打开(&O)…")), chinese("打开…"));
  EXPECT_EQ(plain_text(QStringLiteral("&Open…")), "Open…");
  EXPECT_EQ(plain_text(QStringLiteral("a && b (c)")), "a & b (c)");
}

TEST(Language, IsSpokenOnlyWhileItIsUsed) {
  {
    Languages languages;
    languages.use(LanguageMode::kChinese);
    EXPECT_EQ(languages.spoken(), LanguageMode::kChinese);
    EXPECT_EQ(origin_text(Origin::kMeasured), chinese("实测"));
    EXPECT_EQ(schedule_kind_title(ScheduleKind::kGreedy), chinese("贪心"));
    EXPECT_EQ(schedule_kind_title(ScheduleKind::kIosBoth), chinese("IOS-Both"));
    EXPECT_EQ(message_text(message("{}: {}", "ios-both", message("measuring stages"))),
              chinese("ios-both：正在测量阶段"));
    EXPECT_EQ(message_text(message("preparing {}", "greedy")), chinese("正在准备 greedy"));
    EXPECT_EQ(rough_time_words(Seconds(20)), chinese("约 20 s"));
    EXPECT_EQ(origin_id(Origin::kMeasured), "measured");  // documents have one language
    languages.use(LanguageMode::kEnglish);
    EXPECT_EQ(origin_text(Origin::kMeasured), "measured");
    languages.use(LanguageMode::kChinese);
  }
  EXPECT_EQ(origin_text(Origin::kMeasured), "measured");
  EXPECT_EQ(message_text(message("{}: {}", "ios-both", message("measuring stages"))), "ios-both: measuring stages");
  EXPECT_EQ(message_text(message("preparing {}", "greedy")), "preparing greedy");
  EXPECT_EQ(message_text(verbatim("something else")), "something else");
}

// In Chinese it is something else than in English, unless it has no words ("{} {}") or is a name, and all that fills it
// is still there.
void expect_translated(const std::string& pattern) {
  constexpr const char* kFills[] = {"①", "②", "③", "④", "⑤", "⑥", "⑦", "⑧", "⑨", "⑩"};
  std::vector<Message> fills;
  bool has_words = false;
  for (const PatternPiece& piece : pieces_of(pattern)) {
    if (piece.hole) fills.push_back(verbatim(kFills[fills.size()]));
    // A word has two letters or more; "A", "p95" and "±" are the same in every language.
    has_words = has_words || (!piece.hole && std::regex_search(std::string(piece.text), std::regex("[A-Za-z]{2}")));
  }
  static const std::set<std::string> kNames{"IOS-Merge", "IOS-Parallel", "IOS-Both", "IOS-Flow", "ceil_mode",
                                            "ppm",       "gru",          "lstm",     "rnn"};
  has_words = has_words && !kNames.contains(pattern);
  const Message filled = Message::sentence(pattern, fills);
  const QString words = message_text(filled);
  if (has_words) {
    EXPECT_NE(words.toStdString(), filled.text());
  }
  for (const Message& fill : fills) {
    EXPECT_EQ(words.count(QString::fromStdString(fill.text())), 1) << pattern << " as " << words.toStdString();
  }
}

TEST(Language, EverySentenceOfTheCoreIsWorded) {
  Languages languages;
  languages.use(LanguageMode::kChinese);
  int of_drafts = 0;
  int of_edits = 0;
  for (const test::SaidMessage& said : test::said_messages(IOS_SOURCE_FOLDER).messages) {
    expect_translated(said.pattern);
    of_drafts += said.file == "core/model/schedule/schedule_draft.cpp" ? 1 : 0;
    of_edits += said.file.starts_with("core/model/edit/") ? 1 : 0;
  }
  EXPECT_GE(of_drafts, 14);
  EXPECT_GT(of_edits, 40);
  EXPECT_EQ(message_text(message("another operator is called '{}'", "a 'b' {}")),
            chinese("另一个算子已命名为“a 'b' {}”"));
  EXPECT_EQ(message_text(verbatim("the moon is full")), "the moon is full");
}

TEST(Language, WhyConvolutionsAreNotMergedIsWorded) {
  Languages languages;
  languages.use(LanguageMode::kChinese);
  for (int i = 0; text(static_cast<MergeRefusal>(i)) != text(static_cast<MergeRefusal>(-1)); ++i) {
    const Message why = text(static_cast<MergeRefusal>(i));
    const QString words = message_text(message("they cannot be merged: {}", why));
    EXPECT_FALSE(words.contains(QString::fromStdString(why.text()))) << words.toStdString();
  }
}

TEST_F(LanguageTest, WindowSpeaksChinese) {
  settings_.setLanguage(LanguageMode::kChinese);
  start();
  open(QStringLiteral("squeezenet"));
  EXPECT_EQ(menus(), chinese("文件(&F) 编辑(&E) 视图(&V) 计算图(&G) 调度(&S) 帮助(&H)"));
  EXPECT_EQ(window().findChild<QDockWidget*>(QStringLiteral("inspector"))->windowTitle(), chinese("检查器"));
  EXPECT_EQ(window().findChild<QAction*>(QStringLiteral("optimize"))->text(), chinese("优化(&O)"));
  EXPECT_TRUE(window().windowTitle().contains(chinese("模拟"))) << window().windowTitle().toStdString();
  jobs_.optimize();
  idle();
  const QString sentence = summary_sentence(*session_.comparison());
  EXPECT_TRUE(sentence.contains(chinese("速度是顺序 的 "))) << sentence.toStdString();
  EXPECT_TRUE(sentence.endsWith(chinese("。"))) << sentence.toStdString();
  // Numbers keep their point and their units.
  EXPECT_TRUE(sentence.contains(QRegularExpression(QStringLiteral("\\d\\.\\d+ ms")))) << sentence.toStdString();
  EXPECT_EQ(QLocale().decimalPoint(), ".");
}

TEST_F(LanguageTest, IsChangedInTheMenuAndBack) {
  settings_.setLanguage(LanguageMode::kEnglish);
  start();
  open(QStringLiteral("squeezenet"));
  const auto comparison = must(session_.comparison());
  window().setMode(Mode::kCompare);
  choose("language-zh-CN");
  EXPECT_EQ(settings_.language(), LanguageMode::kChinese);
  EXPECT_TRUE(menus().startsWith(chinese("文件"))) << menus().toStdString();
  EXPECT_TRUE(window().isVisible());
  EXPECT_EQ(window().mode(), Mode::kCompare);
  EXPECT_EQ(session_.comparison(), comparison);  // what is open stays open
  EXPECT_TRUE(window().windowTitle().contains(QStringLiteral("SqueezeNet"), Qt::CaseInsensitive));
  EXPECT_TRUE(window().findChild<QAction*>(QStringLiteral("language-zh-CN"))->isChecked());
  choose("language-en");
  EXPECT_TRUE(menus().startsWith("&File")) << menus().toStdString();
  EXPECT_EQ(session_.comparison(), comparison);
}

TEST_F(LanguageTest, SchedulesMadeByHandKeepTheirSteps) {
  settings_.setLanguage(LanguageMode::kEnglish);
  start();
  open(QStringLiteral("squeezenet"));
  session_.setActiveSchedule(session_.comparison()->find(ScheduleKind::kGreedy)->id);
  window().setMode(Mode::kEditSchedule);
  const auto controller = [this]() -> ScheduleController& { return window().editor().controller(); };
  ASSERT_NE(controller().draft(), nullptr);
  const Schedule before = controller().draft()->schedule();
  ASSERT_TRUE(controller().take(QStringLiteral("join"), controller().draft()->joined(0)));
  const Schedule joined = controller().draft()->schedule();
  choose("language-zh-CN");
  ASSERT_NE(controller().draft(), nullptr);
  EXPECT_TRUE(controller().draft()->schedule() == joined);
  ASSERT_FALSE(controller().undoName().isEmpty());
  choose("undo");
  EXPECT_TRUE(controller().draft()->schedule() == before);
}

// An error in Chinese: its place stays what it is, and it says what to do.
TEST(Language, ErrorsAreWorded) {
  Languages languages;
  languages.use(LanguageMode::kChinese);
  EXPECT_EQ(error_text({message("is empty"), "a.onnx", message("choose another file")}),
            chinese("a.onnx：为空（请选择其他文件）"));
  EXPECT_EQ(error_text({message("the page shows the {} longest of its {} kernels", 500, 812), {}, {}}),
            chinese("页面显示 812 个内核中最长的 500 个"));
}

TEST_F(LanguageTest, BrokenFilesAreToldInChinese) {
  settings_.setLanguage(LanguageMode::kChinese);
  start();
  const QString path = folder_.filePath(QStringLiteral("broken.onnx"));
  QFile file(path);
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write("garbage");
  file.close();
  open(path);
  EXPECT_TRUE(window().messages().showsError());
  EXPECT_EQ(window().messages().text(), path + chinese("：不是 ONNX 模型，或在字节 0 处损坏（请重新导出或下载）"));
}

TEST_F(LanguageTest, DrawingsKeepTheirSteps) {
  settings_.setLanguage(LanguageMode::kEnglish);
  start();
  open(QStringLiteral("sample"));
  window().setMode(Mode::kEditGraph);
  const auto controller = [this]() -> GraphController& { return window().graphEditing().controller(); };
  const std::string before = edit_to_text(controller().graph());
  const auto conv = must(controller().graph().find_operator("sample.conv_a"));
  controller().select({conv});
  ASSERT_TRUE(controller().move(std::vector{conv}, 40, 20));
  ASSERT_TRUE(controller().rename(conv, QStringLiteral("mine")));
  const std::string renamed = edit_to_text(controller().graph());
  choose("language-zh-CN");
  EXPECT_EQ(edit_to_text(controller().graph()), renamed);
  EXPECT_EQ(controller().selected(), std::vector{conv});
  EXPECT_TRUE(controller().undoText().contains(chinese("改名"))) << controller().undoText().toStdString();
  window().graphEditing().canvas()->grab();
  choose("undo");
  choose("undo");
  EXPECT_EQ(edit_to_text(controller().graph()), before);
  choose("language-en");
  choose("redo");
  choose("redo");
  EXPECT_EQ(edit_to_text(controller().graph()), renamed);
}

TEST_F(LanguageTest, TextKeepsItsSize) {
  settings_.setLanguage(LanguageMode::kEnglish);
  start();
  const double size = QApplication::font().pointSizeF();
  const double menu = QApplication::font("QMenuBar").pointSizeF();
  for (const char* language : {"language-zh-CN", "language-en", "language-zh-CN"}) {
    choose(language);
    EXPECT_EQ(QApplication::font().pointSizeF(), size) << language;
    EXPECT_EQ(QApplication::font("QMenuBar").pointSizeF(), menu) << language;
    for (const QWidget* widget : window().findChildren<QWidget*>()) {
      EXPECT_GE(widget->fontInfo().pixelSize(), 11) << widget->metaObject()->className() << ' ' << language;
    }
    for (const char* name : {"device", "headline-detail", "project-tree"}) {
      EXPECT_EQ(window().findChild<QWidget*>(QString::fromLatin1(name))->font().pointSizeF(), size) << name;
    }
  }
}

TEST_F(LanguageTest, ChangesWhileAJobRuns) {
  settings_.setLanguage(LanguageMode::kEnglish);
  start();
  open(QStringLiteral("inception_v3"));
  jobs_.optimize();
  ASSERT_TRUE(jobs_.busy());
  choose("language-zh-CN");
  EXPECT_TRUE(menus().startsWith(chinese("文件"))) << menus().toStdString();
  idle();
  EXPECT_TRUE(session_.searched());
  EXPECT_EQ(window().findChild<QTableView*>(QStringLiteral("schedules-table"))->model()->rowCount(), 7);
}

TEST_F(LanguageTest, ExperimentsOutliveTheWindowThatTheyWereRunIn) {
  settings_.setLanguage(LanguageMode::kEnglish);
  start();
  open(QStringLiteral("sample"));
  jobs_.experiment({.kind = ExperimentKind::kSchedules});
  idle();
  choose("language-zh-CN");
  const auto* shelf = must(window().findChild<ExperimentPanel*>());
  EXPECT_NE(shelf->figure(), nullptr);
  EXPECT_EQ(shelf->findChild<QComboBox*>(QStringLiteral("experiment-box"))->count(), 1);
}

// Whatever is said in a session with every part of the window has a translation in the very context in which it is
// asked for.
TEST_F(LanguageTest, NothingIsWithoutATranslation) {
  Listener listener;
  settings_.setLanguage(LanguageMode::kChinese);
  ASSERT_TRUE(QCoreApplication::installTranslator(&listener));
  start();
  open(QStringLiteral("squeezenet"));
  jobs_.optimize();
  idle();
  for (std::size_t i = 0; i < session_.comparison()->results.size(); ++i) session_.setActiveSchedule(i);
  Selection selection;
  selection.stage = 0;
  selection.schedule = session_.comparison()->results[session_.activeSchedule()].id;
  selection.units = session_.comparison()->results[session_.activeSchedule()].schedule.stages[0].units();
  window().selection().select(selection);
  window().setMode(Mode::kCompare);
  for (const char* id :
       {"keys", "palette", "messages", "run-settings", "store", "about", "start-page", "experiment-batches"}) {
    choose(id);
  }
  QTest::qWait(50);
  EXPECT_EQ(QCoreApplication::translate("iosx::Test", "a word that is on no sheet"), "a word that is on no sheet");
  QCoreApplication::removeTranslator(&listener);
  EXPECT_THAT(listener.missing(), ElementsAre("iosx::Test: a word that is on no sheet"));
}

}  // namespace
}  // namespace iosx
