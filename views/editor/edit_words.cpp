#include "views/editor/edit_words.h"

#include <QCoreApplication>
#include <array>
#include <string>

#include "views/text/qstring.h"

namespace iosx::editor {
namespace {

struct Edit {
  Q_DECLARE_TR_FUNCTIONS(iosx::Edit)
};

// Patterns of core/edit, for lupdate to find; tests compare them with its sources.
[[maybe_unused]] constexpr std::array kPatterns{
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
