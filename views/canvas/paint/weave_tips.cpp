#include "views/canvas/paint/weave_tips.h"

#include <vector>

#include "views/text/latency_text.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

namespace iosx::canvas {
namespace {

// Returns as many as a tip has room for; what is left out is more than one.
QStringList first_of(QStringList words) {
  constexpr qsizetype kMost = 8;
  if (words.size() <= kMost + 1) return words;
  const qsizetype more = words.size() - kMost;
  return words.first(kMost) << Text::tr("and %1 more").arg(more);
}

QString name_of(const Model& model, UnitId unit) {
  return qstring(short_name(model.graph->unit(unit).name)).toHtmlEscaped();
}

QStringList names_of(const Model& model, const std::vector<UnitId>& units) {
  QStringList names;
  for (const UnitId unit : units) names.append(name_of(model, unit));
  return names;
}

}  // namespace

QStringList partner_lines(const Model& model, UnitId id) {
  if (!model.label.spans) return {};
  const UnitSpans& spans = *model.label.spans;
  QStringList lines;
  const std::vector<UnitId> mates = merged_with(spans, id);
  if (!mates.empty()) {
    lines.append(Text::tr("<b>merged with %1: one kernel</b>").arg(first_of(names_of(model, mates)).join(", ")));
  }
  if (!spans.traced) return lines;
  if (spans.of_unit[id.index()].empty()) {
    const UnitId with = spans.computed_with[id.index()];
    return lines << (with.valid() ? Text::tr("computed by the kernel of %1").arg(name_of(model, with))
                                  : Text::tr("no kernel of its own"));
  }
  const std::vector<Partner> all = partners(spans, id);
  if (all.empty())
    return lines << (mates.empty() ? Text::tr("runs beside nothing") : Text::tr("runs beside nothing else"));
  std::size_t units = 0;
  QStringList beside;
  for (const Partner& partner : all) {
    units += partner.units.size();
    beside.append(duration_text(partner.time).toHtmlEscaped() + " " + names_of(model, partner.units).join(" + "));
  }
  lines.append(units == 1 ? Text::tr("<b>runs beside 1 unit</b>") : Text::tr("<b>runs beside %1 units</b>").arg(units));
  return lines + first_of(beside);
}

QString row_tip(const Model& model, const RowBox& row) {
  if (!model.schedule) return {};
  const bool traced = model.label.spans && model.label.spans->traced;
  const std::size_t all = row.own.size() + row.guests.size();
  QStringList lines{"<b>" + (all == 1 ? Text::tr("1 kernel in flight") : Text::tr("%1 kernels in flight").arg(all)) +
                    "</b>"};
  lines.front() += " " + (traced ? Text::tr("at %1 of this run").arg(duration_text(row.at)).toHtmlEscaped()
                                 : Text::tr("by the order of the schedule, which no run has traced"));
  QStringList names;
  for (const auto* kernels : {&row.own, &row.guests}) {
    for (const std::vector<UnitId>& kernel : *kernels) names.append(names_of(model, kernel).join(" + "));
  }
  lines << first_of(names) << Text::tr("click: select them");
  return lines.join("<br>");
}

}  // namespace iosx::canvas
