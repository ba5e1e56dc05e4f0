#include "views/edit_schedule/refusal_words.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <array>

namespace iosx::board {
namespace {

struct Board {
  Q_DECLARE_TR_FUNCTIONS(iosx::StageBoard)
};

struct Sentence {
  const char* pattern;  // of core/model/schedule/schedule_draft.h
  QString (*words)(const QRegularExpressionMatch&);
};

using Match = const QRegularExpressionMatch&;

const std::array<Sentence, 14>& sentences() {
  static const std::array<Sentence, 14> table{{
      {"'{}' needs '{}', which is in stage {}",
       [](Match m) {
         return Board::tr("'%1' needs '%2', which is in stage %3").arg(m.captured(1), m.captured(2), m.captured(3));
       }},
      {"'{}' needs '{}', which is in another lane of this stage",
       [](Match m) {
         return Board::tr("'%1' needs '%2', which is in another lane of this stage").arg(m.captured(1), m.captured(2));
       }},
      {"'{}' needs '{}', which stands on the wrong side",
       [](Match m) {
         return Board::tr("'%1' needs '%2', which stands on the wrong side").arg(m.captured(1), m.captured(2));
       }},
      {"'{}' is needed by '{}', which is in stage {}",
       [](Match m) {
         return Board::tr("'%1' is needed by '%2', which is in stage %3")
             .arg(m.captured(1), m.captured(2), m.captured(3));
       }},
      {"'{}' is needed by '{}', which is in another lane of this stage",
       [](Match m) {
         return Board::tr("'%1' is needed by '%2', which is in another lane of this stage")
             .arg(m.captured(1), m.captured(2));
       }},
      {"'{}' is needed by '{}', which stands on the wrong side",
       [](Match m) {
         return Board::tr("'%1' is needed by '%2', which stands on the wrong side").arg(m.captured(1), m.captured(2));
       }},
      {"stage {} is locked", [](Match m) { return Board::tr("stage %1 is locked").arg(m.captured(1)); }},
      {"no stage follows the last one", [](Match) { return Board::tr("no stage follows the last one"); }},
      {"a stage is split between some of its operators and the others",
       [](Match) { return Board::tr("a stage is split between some of its operators and the others"); }},
      {"a merged convolution is one piece: take it apart first",
       [](Match) { return Board::tr("a merged convolution is one piece: take it apart first"); }},
      {"one operator cannot be split", [](Match) { return Board::tr("one operator cannot be split"); }},
      {"they cannot be merged: {}",
       [](Match m) {
         return Board::tr("they cannot be merged: %1")
             .arg(QCoreApplication::translate("iosx::Core", m.captured(1).toUtf8().constData()));
       }},
      {"'{}' is in stage {}, '{}' in stage {}: only what is in one stage merges",
       [](Match m) {
         return Board::tr("'%1' is in stage %2, '%3' in stage %4: only what is in one stage merges")
             .arg(m.captured(1), m.captured(2), m.captured(3), m.captured(4));
       }},
      {"'{}' is not merged", [](Match m) { return Board::tr("'%1' is not merged").arg(m.captured(1)); }},
  }};
  return table;
}

}  // namespace

QStringList refusal_patterns() {
  QStringList patterns;
  for (const Sentence& sentence : sentences()) patterns << QString::fromLatin1(sentence.pattern);
  return patterns;
}

QString refusal_words(const QString& why) {
  for (const Sentence& sentence : sentences()) {
    const QString pieces = QRegularExpression::escape(QString::fromLatin1(sentence.pattern));
    const QRegularExpression pattern(
        QRegularExpression::anchoredPattern(QString(pieces).replace(QStringLiteral("\\{\\}"), QStringLiteral("(.*)"))),
        QRegularExpression::DotMatchesEverythingOption);
    if (const auto match = pattern.match(why); match.hasMatch()) return sentence.words(match);
  }
  return why;
}

}  // namespace iosx::board
