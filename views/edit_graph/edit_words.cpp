#include "views/edit_graph/edit_words.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "views/text/core_words.h"
#include "views/text/qstring.h"

namespace iosx::editor {
namespace {

struct Edit {
  Q_DECLARE_TR_FUNCTIONS(iosx::Edit)
};

// Patterns of core/model/edit, for lupdate to find; a test compares them with its sources. Of two that match the same
// text the more particular one stands first.
constexpr std::array kPatterns{
    QT_TRANSLATE_NOOP("iosx::Edit", "Connect {} to {}"),
    QT_TRANSLATE_NOOP("iosx::Edit", "Disconnect {} from {}"),
    QT_TRANSLATE_NOOP("iosx::Edit", "Add an input to {}"),
    QT_TRANSLATE_NOOP("iosx::Edit", "Remove an input of {}"),
    QT_TRANSLATE_NOOP("iosx::Edit", "Reorder the inputs of {}"),
    QT_TRANSLATE_NOOP("iosx::Edit", "Add {}"),
    QT_TRANSLATE_NOOP("iosx::Edit", "Insert {}"),
    QT_TRANSLATE_NOOP("iosx::Edit", "Insert {} between {} and {}"),
    QT_TRANSLATE_NOOP("iosx::Edit", "Remove {}"),
    QT_TRANSLATE_NOOP("iosx::Edit", "Remove {} operators"),
    QT_TRANSLATE_NOOP("iosx::Edit", "Rename {} to {}"),
    QT_TRANSLATE_NOOP("iosx::Edit", "Change {}"),
    QT_TRANSLATE_NOOP("iosx::Edit", "Give {} a bias"),
    QT_TRANSLATE_NOOP("iosx::Edit", "Take the bias from {}"),
    QT_TRANSLATE_NOOP("iosx::Edit", "Group {} operators as {}"),
    QT_TRANSLATE_NOOP("iosx::Edit", "Split {}"),
    QT_TRANSLATE_NOOP("iosx::Edit", "Describe {}"),
    QT_TRANSLATE_NOOP("iosx::Edit", "Begin part {} with {}"),
    QT_TRANSLATE_NOOP("iosx::Edit", "Join parts {} and {}"),
    QT_TRANSLATE_NOOP("iosx::Edit", "Move {}"),
    QT_TRANSLATE_NOOP("iosx::Edit", "Move {} operators"),
    QT_TRANSLATE_NOOP("iosx::Edit", "Let the layout place {}"),
    QT_TRANSLATE_NOOP("iosx::Edit", "Let the layout place {} operators"),
    QT_TRANSLATE_NOOP("iosx::Edit", "Align {}"),
    QT_TRANSLATE_NOOP("iosx::Edit", "Align {} operators"),
    QT_TRANSLATE_NOOP("iosx::Edit", "Duplicate as {}"),
    QT_TRANSLATE_NOOP("iosx::Edit", "Duplicate operators of {}"),
    QT_TRANSLATE_NOOP("iosx::Edit", "{} is a circle; no operator can read what comes of itself"),
    QT_TRANSLATE_NOOP("iosx::Edit", "'{}' is a constant of one number, which is missing"),
    QT_TRANSLATE_NOOP("iosx::Edit",
                      "the weights given to '{}' are for other sizes than it has now; made-up ones stand in"),
    QT_TRANSLATE_NOOP("iosx::Edit", "'{}' reads channels {} to {} of '{}', which has {}"),
    QT_TRANSLATE_NOOP("iosx::Edit", "'{}' ({}) reads nothing yet"),
    QT_TRANSLATE_NOOP("iosx::Edit", "nothing is connected to input {} of {} of '{}' ({})"),
    QT_TRANSLATE_NOOP("iosx::Edit", "'{}' ({}) has inputs: {}; it needs at least {}"),
    QT_TRANSLATE_NOOP("iosx::Edit", "'{}' ({}) has inputs: {}; it takes at most {}"),
    QT_TRANSLATE_NOOP("iosx::Edit", "'{}' ({}): {}"),
    QT_TRANSLATE_NOOP("iosx::Edit", "'{}' ({}): {}; it reads {}"),
    QT_TRANSLATE_NOOP("iosx::Edit", "an operator ({}) has no name"),
    QT_TRANSLATE_NOOP("iosx::Edit", "the name '{}' is used twice"),
    QT_TRANSLATE_NOOP("iosx::Edit", "the unit of '{}' has no name"),
    QT_TRANSLATE_NOOP("iosx::Edit", "two units are called '{}'"),
    QT_TRANSLATE_NOOP("iosx::Edit", "a unit is called '{}' as an operator that is not its last"),
    QT_TRANSLATE_NOOP("iosx::Edit",
                      "unit '{}' is read at '{}' and at '{}'; only its last operator can be read outside it"),
    QT_TRANSLATE_NOOP(
        "iosx::Edit",
        "unit '{}' is read at '{}', which is inside it, before '{}'; only its last operator can be read outside it"),
    QT_TRANSLATE_NOOP("iosx::Edit", "unit '{}' does not hang together: nothing in it connects '{}' and '{}'"),
    QT_TRANSLATE_NOOP(
        "iosx::Edit",
        "unit '{}' both reads and is read by another unit: '{}' leads nowhere in it; it should be a unit of its own"),
    QT_TRANSLATE_NOOP("iosx::Edit",
                      "unit '{}' of part '{}' reads '{}', which runs in the later part '{}'; it runs there too"),
};

// Errors of edits that are impossible, likewise.
constexpr std::array kRefusals{
    QT_TRANSLATE_NOOP("iosx::Edit", "'{}' ({}) does not take {}: {}"),
    QT_TRANSLATE_NOOP("iosx::Edit", "that would be a circle: {}"),
    QT_TRANSLATE_NOOP("iosx::Edit", "'{}' ({}) has no input {}; it takes {} as it is"),
    QT_TRANSLATE_NOOP("iosx::Edit", "'{}' ({}) has no input {}; it takes {}"),
    QT_TRANSLATE_NOOP("iosx::Edit", "'{}' ({}) takes {} input(s), no more and no fewer"),
    QT_TRANSLATE_NOOP("iosx::Edit", "'{}' ({}) needs at least {} input(s)"),
    QT_TRANSLATE_NOOP("iosx::Edit", "'{}' ({}) is computed by nothing, so it is in no unit"),
    QT_TRANSLATE_NOOP("iosx::Edit", "'{}' ({}) reads nothing"),
    QT_TRANSLATE_NOOP("iosx::Edit", "'{}' cannot read itself"),
    QT_TRANSLATE_NOOP("iosx::Edit", "'{}' has {} channels, not {} to {}"),
    QT_TRANSLATE_NOOP("iosx::Edit", "'{}' has no input {}"),
    QT_TRANSLATE_NOOP("iosx::Edit", "'{}' has {} input(s)"),
    QT_TRANSLATE_NOOP("iosx::Edit", "'{}' is one operator and cannot be split"),
    QT_TRANSLATE_NOOP("iosx::Edit", "'{}' is on a circle, so it has no place in a part"),
    QT_TRANSLATE_NOOP("iosx::Edit", "'{}' is {} and stays one"),
    QT_TRANSLATE_NOOP("iosx::Edit", "nothing is connected to input {} of '{}'"),
    QT_TRANSLATE_NOOP("iosx::Edit", "{} reads nothing, so it cannot stand on a connection"),
    QT_TRANSLATE_NOOP("iosx::Edit", "another operator is called '{}'"),
    QT_TRANSLATE_NOOP("iosx::Edit", "another unit is called '{}'"),
    QT_TRANSLATE_NOOP("iosx::Edit", "an operator is called '{}'"),
    QT_TRANSLATE_NOOP("iosx::Edit", "a unit is called '{}'"),
    QT_TRANSLATE_NOOP("iosx::Edit", "a unit of one operator is what every operator is already; choose several"),
    QT_TRANSLATE_NOOP("iosx::Edit", "part '{}' begins with '{}' already"),
    QT_TRANSLATE_NOOP("iosx::Edit", "part '{}' is the first; there is none before it to join"),
    QT_TRANSLATE_NOOP("iosx::Edit", "a name cannot be empty"),
    QT_TRANSLATE_NOOP("iosx::Edit", "a name has at most {} bytes"),
};

// What stands where the pattern has its holes; nothing where the text is of another one.
std::optional<std::vector<std::string>> fills_of(std::string_view pattern, const std::string& text) {
  const QStringList pieces = qstring(pattern).split(QStringLiteral("{}"));
  QString expression;
  for (const QString& piece : pieces) {
    if (!expression.isEmpty() || &piece != &pieces.front()) expression += QStringLiteral("(.*)");
    expression += QRegularExpression::escape(piece);
  }
  const QRegularExpression whole(QRegularExpression::anchoredPattern(expression),
                                 QRegularExpression::DotMatchesEverythingOption);
  const auto match = whole.match(QString::fromStdString(text));
  if (!match.hasMatch()) return std::nullopt;
  std::vector<std::string> fills;
  for (int hole = 1; hole <= match.lastCapturedIndex(); ++hole) fills.push_back(match.captured(hole).toStdString());
  return fills;
}

}  // namespace

QString edit_words(const Wording& wording) {
  const QString pattern = QCoreApplication::translate("iosx::Edit", std::string(wording.pattern).c_str());
  QString text;
  qsizetype from = 0;
  for (const std::string& fill : wording.fills) {
    const qsizetype hole = pattern.indexOf(QLatin1String("{}"), from);
    if (hole < 0) break;
    text += pattern.mid(from, hole - from) + shown_name(fill);
    from = hole + 2;
  }
  return text + pattern.mid(from);
}

QString refusal_words(const std::string& refusal) {
  const auto worded = [&](std::string_view pattern) -> std::optional<QString> {
    auto fills = fills_of(pattern, refusal);
    if (!fills) return std::nullopt;
    // Names stand in quotes; what does not may be a word or a sentence of core's own.
    std::size_t from = 0;
    for (std::string& fill : *fills) {
      const std::size_t hole = pattern.find("{}", from);
      const bool name = hole > 0 && pattern[hole - 1] == '\'';
      if (!name && fill != refusal) fill = refusal_words(fill).toStdString();
      from = hole + 2;
    }
    return edit_words({pattern, std::move(*fills)});
  };
  for (const char* pattern : kRefusals) {
    if (const auto words = worded(pattern)) return *words;
  }
  for (const char* pattern : kPatterns) {
    if (std::string_view(pattern).find(' ') == std::string_view::npos) continue;
    if (const auto words = worded(pattern)) return *words;
  }
  return core_words(refusal);
}

QString problem_title(ProblemKind kind) {
  switch (kind) {
    case ProblemKind::kOpenInput: return Edit::tr("Open input");
    case ProblemKind::kArity: return Edit::tr("Number of inputs");
    case ProblemKind::kSlice: return Edit::tr("Channels");
    case ProblemKind::kShape: return Edit::tr("Shape");
    case ProblemKind::kWeights: return Edit::tr("Weights");
    case ProblemKind::kCircle: return Edit::tr("Circle");
    case ProblemKind::kName: return Edit::tr("Name");
    case ProblemKind::kUnitRead:
    case ProblemKind::kUnitApart:
    case ProblemKind::kUnitCircle: return Edit::tr("Unit");
    case ProblemKind::kPartOrder: return Edit::tr("Part");
  }
  return {};
}

}  // namespace iosx::editor
