#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>

#include "core/analysis/experiment/experiment.h"
#include "core/documents/exports/exports.h"
#include "models/networks/zoo.h"
#include "tests/support/prelude.h"
#include "tests/translations/core_messages.h"
#include "tests/translations/sheet.h"

namespace iosx::test {
namespace {

const QString kFolder = QStringLiteral(IOS_SOURCE_FOLDER "/");
const QString kSheet = kFolder + QStringLiteral("resources/translations/ios-explorer_zh_CN.ts");

const std::vector<Entry>& sheet() {
  static const std::vector<Entry> entries = read_sheet(kSheet);
  return entries;
}

// What is found of a kind in a text, in order of the alphabet.
QStringList all(const QString& text, const char* pattern) {
  QStringList found;
  QRegularExpressionMatchIterator match = QRegularExpression(QString::fromUtf8(pattern)).globalMatch(text);
  while (match.hasNext()) found << match.next().captured().toLower();
  found.sort();
  return found;
}

// Sources of entries with a translation that the check refuses.
template <typename Check>
std::vector<std::string> refused(const Check& accepts) {
  std::vector<std::string> sources;
  for (const Entry& entry : sheet()) {
    for (const QString& translation : entry.translations) {
      if (!accepts(entry, translation)) {
        sources.push_back((entry.context + QStringLiteral(": ") + entry.source + QString::fromUtf8(" ⇒ ") + translation)
                              .toStdString());
      }
    }
  }
  return sources;
}

// What fills a text: "%1", "{}", "{:.1f}", and "{1:.1f}" of a translation, which may have another order. Of several
// with numbers each stands once.
QStringList places_of(const QString& text) {
  static const QRegularExpression kNumber(QStringLiteral("^\\{(\\d+)"));
  QStringList places;
  std::set<int> numbers;
  for (const QString& place : all(text, "%L?[1-9n]|\\{[^{}]*\\}")) {
    const auto number = kNumber.match(place);
    if (number.hasMatch()) numbers.insert(number.captured(1).toInt());
    if (number.hasMatch() && numbers.size() != static_cast<std::size_t>(places.size()) + 1) return {};
    places << QString(place).replace(kNumber, QStringLiteral("{"));
  }
  if (!numbers.empty() && *numbers.rbegin() + 1 != places.size()) return {};
  places.sort();
  return places;
}

TEST(Translations, AreRead) { EXPECT_GT(sheet().size(), 1000U); }

TEST(Translations, AreFinished) {
  EXPECT_THAT(refused([](const Entry& entry, const QString& text) { return entry.finished && !text.isEmpty(); }),
              IsEmpty());
}

TEST(Translations, KeepPlaceholders) {
  EXPECT_THAT(
      refused([](const Entry& entry, const QString& text) { return places_of(entry.source) == places_of(text); }),
      IsEmpty());
}

TEST(Translations, KeepMnemonics) {
  EXPECT_THAT(refused([](const Entry& entry, const QString& text) {
                constexpr const char* kMnemonic = "&[A-Za-z]";
                return all(entry.source, kMnemonic) == all(text, kMnemonic);
              }),
              IsEmpty());
}

TEST(Translations, KeepEllipsesKeysAndLineBreaks) {
  const QString dots = QString::fromUtf8("…");
  EXPECT_THAT(refused([&](const Entry& entry, const QString& text) {
                const bool keys =
                    entry.source.contains(QRegularExpression(QStringLiteral("^(Ctrl|Alt|Shift)\\+\\S+$")));
                if (keys) return text == entry.source;
                return entry.source.endsWith(dots) == text.endsWith(dots) &&
                       entry.source.count(QLatin1Char('\n')) == text.count(QLatin1Char('\n'));
              }),
              IsEmpty());
}

// Between Chinese characters stands Chinese punctuation.
TEST(Translations, AreSetInChinesePunctuation) {
  EXPECT_THAT(refused([](const Entry& entry, const QString& text) {
                if (entry.source.contains(QStringLiteral(";;"))) return true;  // a list for a file dialog
                return all(text, "[\\x{4E00}-\\x{9FFF}][,;?!]|[,;?!][\\x{4E00}-\\x{9FFF}]").isEmpty();
              }),
              IsEmpty());
}

TEST(Translations, UseTheWordsOfTheGlossary) {
  const std::vector<Term> glossary = read_glossary(kFolder + QStringLiteral("resources/translations/GLOSSARY.md"));
  ASSERT_GT(glossary.size(), 20U);
  std::vector<std::string> sources;
  for (const Term& term : glossary) {
    // Not as a part of a name (IOS-Merge), nor as a key of a search (stage:29), nor of a file (stages.md).
    const QRegularExpression word(
        QStringLiteral("(?<![-\\w])%1(s|es)?\\b(?!:\\S|\\.md)").arg(QRegularExpression::escape(term.english)),
        QRegularExpression::CaseInsensitiveOption);
    std::size_t uses = 0;
    for (const Entry& entry : sheet()) {
      if (!QString(entry.source).remove(QLatin1Char('&')).contains(word)) continue;
      ++uses;
      const QString& text = entry.translations.constFirst();
      const bool fits =
          std::ranges::any_of(term.chinese, [&](const QString& chinese) { return text.contains(chinese); });
      if (!fits) {
        sources.push_back(
            (term.english + QStringLiteral(": ") + entry.source + QString::fromUtf8(" ⇒ ") + text).toStdString());
      }
    }
    EXPECT_GT(uses, 0U) << term.english.toStdString();
  }
  EXPECT_THAT(sources, IsEmpty());
}

// Of the sources as they are now: nothing is missing in the sheet, and nothing in it is no longer said.
TEST(Translations, AreOfAllThatTheSourcesSay) {
#ifndef IOS_LUPDATE
  GTEST_SKIP() << "lupdate is not installed (package qt6-l10n-tools)";
#else
  QTemporaryDir folder;
  const QString fresh = folder.filePath(QStringLiteral("fresh.ts"));
  QFile header(folder.filePath(QStringLiteral("core_messages.h")));
  ASSERT_TRUE(header.open(QIODevice::WriteOnly));
  header.write(QByteArray::fromStdString(translatable_header(said_messages(IOS_SOURCE_FOLDER))));
  header.close();
  QProcess lupdate;
  lupdate.setWorkingDirectory(kFolder);
  lupdate.start(
      QStringLiteral(IOS_LUPDATE),
      {QStringLiteral("-no-obsolete"), QStringLiteral("-locations"), QStringLiteral("none"),
       QStringLiteral("-extensions"), QStringLiteral("cpp,h"), QStringLiteral("-I"), kFolder, QStringLiteral("views"),
       QStringLiteral("app/gui"), header.fileName(), QStringLiteral("-source-language"), QStringLiteral("en"),
       QStringLiteral("-target-language"), QStringLiteral("zh_CN"), QStringLiteral("-ts"), fresh});
  ASSERT_TRUE(lupdate.waitForFinished(120000));
  ASSERT_EQ(lupdate.exitCode(), 0) << lupdate.readAllStandardError().toStdString();
  std::set<QString> said;
  for (const Entry& entry : read_sheet(fresh)) {
    said.insert(entry.key());
    // Where lupdate takes a function for another class's, its words would not be found when the program runs.
    EXPECT_TRUE(entry.context == QStringLiteral("iosx") || entry.context.startsWith(QStringLiteral("iosx::")))
        << entry.context.toStdString() << ": " << entry.source.toStdString();
  }
  std::set<QString> translated;
  for (const Entry& entry : sheet()) translated.insert(entry.key());
  std::vector<std::string> missing;
  for (const QString& key : said) {
    if (!translated.contains(key)) missing.push_back(key.toStdString());
  }
  EXPECT_THAT(missing, IsEmpty()) << "cmake --build build/release --target update_translations, then translate them";
  std::vector<std::string> obsolete;
  for (const QString& key : translated) {
    if (!said.contains(key)) obsolete.push_back(key.toStdString());
  }
  EXPECT_THAT(obsolete, IsEmpty());
#endif
}

// Whatever core says in a message has a finished translation, with lupdate or without it.
TEST(Translations, HaveTheMessagesOfTheCore) {
  std::set<std::string> known;
  for (const Entry& entry : sheet()) {
    if (entry.context == QStringLiteral("iosx::Core") && entry.finished) known.insert(entry.source.toStdString());
  }
  const SaidMessages said = said_messages(IOS_SOURCE_FOLDER);
  EXPECT_GT(said.messages.size(), 1000U);
  std::vector<std::string> missing;
  for (const SaidMessage& message : said.messages) {
    if (!known.contains(message.pattern)) missing.push_back(message.file + ": " + message.pattern);
  }
  EXPECT_THAT(missing, IsEmpty());
  EXPECT_THAT(said.hidden, IsEmpty());
}

TEST(CoreMessages, AreFoundInSources) {
  const auto patterns = [](std::string_view source) {
    return mapped<std::string>(messages_in(source, "a.cpp").messages, &SaidMessage::pattern);
  };
  EXPECT_THAT(patterns(R"cpp(fail(message("a {} b", f(x, ")")), where, message("c"));)cpp"),
              ElementsAre("a {} b", "c"));
  EXPECT_THAT(patterns("message(\n    \"one, \"\n    \"two\", x)"), ElementsAre("one, two"));
  EXPECT_THAT(patterns(R"cpp(message("says \"so\""))cpp"), ElementsAre("says \"so\""));
  EXPECT_THAT(patterns(R"cpp(constexpr Sentence kAgain{"again"};
                             return Sentence{"move {}"};)cpp"),
              ElementsAre("again", "move {}"));
  EXPECT_THAT(patterns(R"cpp(require(a == f(b), "gave {}", a);
                             one ? message("x") : iosx::message("y"))cpp"),
              ElementsAre("gave {}", "x", "y"));
  EXPECT_THAT(patterns("// message(\"a\")\nerror.message(\"b\"); print(\"message(\\\"c\\\")\"); message(wrong, x)"),
              IsEmpty());
  EXPECT_THAT(patterns("a_message(\"d\")"), IsEmpty());
}

TEST(CoreMessages, AreNotHidden) {
  const auto hidden = [](std::string_view source) { return messages_in(source, "a.cpp").hidden; };
  EXPECT_THAT(hidden(R"cpp(fail(verbatim("is a file"));
                           verbatim(fmt::format("{} is", x));)cpp"),
              ElementsAre("a.cpp: is a file", "a.cpp: fmt::format"));
  EXPECT_THAT(hidden("message(kAgain)"), ElementsAre("a.cpp: kAgain"));
  EXPECT_THAT(hidden("verbatim(error.what()) // verbatim(\"a\")"), IsEmpty());
}

// What core says in its tables is in views/text/messages.cpp, word for word.
TEST(Translations, HaveTheTablesOfTheCore) {
  std::set<std::string> known;
  for (const Entry& entry : sheet()) {
    if (entry.context == QStringLiteral("iosx::Core")) known.insert(entry.source.toStdString());
  }
  for (const ScheduleKindRow& row : schedule_table()) {
    EXPECT_THAT(known, Contains(std::string(row.title)));
    EXPECT_TRUE(row.strategy_word.empty() || known.contains(std::string(row.strategy_word))) << row.strategy_word;
  }
  for (const ExperimentRow& row : experiment_table()) {
    EXPECT_THAT(known, AllOf(Contains(std::string(row.title)), Contains(std::string(row.summary))));
  }
  for (const ExportFormat& format : export_formats()) {
    EXPECT_THAT(known, AllOf(Contains(std::string(format.title)), Contains(std::string(format.summary))));
  }
  for (const ZooNetwork& network : zoo()) EXPECT_THAT(known, Contains(std::string(zoo_group_title(network.group))));
}

TEST(Glossary, IsRead) {
  QTemporaryDir folder;
  QFile file(folder.filePath(QStringLiteral("glossary.md")));
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write("text\n\n| English | Chinese |\n| --- | --- |\n| kernel | 内核、核 |\n");
  file.close();
  const auto terms = read_glossary(file.fileName());
  ASSERT_EQ(terms.size(), 1U);
  EXPECT_EQ(terms[0].english, QStringLiteral("kernel"));
  EXPECT_EQ(terms[0].chinese, QStringList({QString::fromUtf8("内核"), QString::fromUtf8("核")}));
}

}  // namespace
}  // namespace iosx::test
