#include "views/tables/why_words.h"

#include <QStringList>

#include "views/text/qstring.h"
#include "views/text/translate.h"

namespace iosx {
namespace {

QString list_of(const Graph& graph, const std::vector<UnitId>& units) {
  constexpr std::size_t kMost = 4;
  const std::size_t shown = units.size() > kMost + 1 ? kMost : units.size();
  QStringList names;
  for (std::size_t i = 0; i < shown; ++i) names << shown_name(graph.unit(units[i]).name);
  const QString list = names.join(QLatin1Char(' '));
  return shown == units.size() ? QStringLiteral("[%1]").arg(list)
                               : Inspector::tr("[%1 and %2 more]").arg(list).arg(units.size() - shown);
}

QString action_words(const Graph& graph, const ChangeFacts& facts) {
  const QString units = list_of(graph, facts.units);
  const QString stage = QString::number(facts.neighbour + 1);
  switch (facts.kind) {
    case ChangeKind::kSplit:
      return facts.last ? Inspector::tr("split off %1 last").arg(units)
                        : Inspector::tr("split off %1 first").arg(units);
    case ChangeKind::kJoinBefore:
    case ChangeKind::kJoinAfter: return Inspector::tr("join with stage %1").arg(stage);
    case ChangeKind::kMerge: return Inspector::tr("merge %1").arg(units);
    case ChangeKind::kUnmerge: return Inspector::tr("run %1 in parallel, not merged").arg(units);
    case ChangeKind::kMoveBefore:
    case ChangeKind::kMoveAfter: return Inspector::tr("move %1 to stage %2").arg(units, stage);
    case ChangeKind::kTakeBefore:
    case ChangeKind::kTakeAfter: break;
  }
  return Inspector::tr("take %1 from stage %2").arg(units, stage);
}

QString exclusion_words(const Exclusion& why) {
  const QString found = QString::number(why.found);
  switch (why.limit) {
    case Limit::kR: return Inspector::tr("r = %1: a group of %2 units").arg(QString::number(why.allowed), found);
    case Limit::kS: return Inspector::tr("s = %1: %2 groups").arg(QString::number(why.allowed), found);
    case Limit::kEndingRule: return Inspector::tr("single-root: a group with %1 roots").arg(found);
    case Limit::kStrategy:
      return why.found == 1 ? Inspector::tr("strategy parallel: a merged layer")
                            : Inspector::tr("strategy merge: %1 units that are not merged").arg(found);
    case Limit::kParts:
      return Inspector::tr("parts: it would have units of parts %1 and %2").arg(why.allowed + 1).arg(why.found + 1);
    case Limit::kForm: break;
  }
  return why.found == 1 ? Inspector::tr("a search merges whole stages only")
                        : Inspector::tr("a search groups only units that read one another");
}

}  // namespace

QString change_words(const Graph& graph, const Schedule& schedule, const Change& change) {
  const ChangeFacts facts = facts_of(schedule, change);
  QString words = action_words(graph, facts);
  for (const auto& merged : facts.merged) words += Inspector::tr(", merging %1").arg(list_of(graph, merged));
  for (const auto& merged : facts.unmerged) {
    words += facts.one_was_merged ? Inspector::tr(", not merged")
                                  : Inspector::tr(", %1 not merged").arg(list_of(graph, merged));
  }
  return words;
}

QString why_words(const std::vector<Exclusion>& excluded) {
  QStringList words;
  for (const Exclusion& why : excluded) words << exclusion_words(why);
  return words.join(Inspector::tr("; "));
}

}  // namespace iosx
