#include "views/canvas/paint/weave_tips.h"

#include <algorithm>
#include <vector>

#include "views/text/latency_text.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

namespace iosx::canvas {
namespace {

constexpr std::size_t kMostNames = 8;  // in a tip

QString name_of(const Model& model, UnitId unit) {
  return qstring(short_name(model.graph->unit(unit).name)).toHtmlEscaped();
}

}  // namespace

QStringList partner_lines(const Model& model, UnitId id) {
  if (!model.label.spans || !model.label.spans->traced) return {};
  if (model.label.spans->of_unit[id.index()].empty()) {
    const UnitId with = model.label.spans->computed_with[id.index()];
    return QStringList(with.valid() ? Text::tr("computed by the kernel of %1").arg(name_of(model, with))
                                    : Text::tr("no kernel of its own"));
  }
  const std::vector<Partner> all = partners(*model.label.spans, id);
  if (all.empty()) return QStringList(Text::tr("runs beside nothing"));
  QStringList lines{all.size() == 1 ? Text::tr("<b>runs beside 1 unit</b>")
                                    : Text::tr("<b>runs beside %1 units</b>").arg(all.size())};
  for (std::size_t i = 0; i < std::min(kMostNames, all.size()); ++i) {
    lines.append(duration_text(all[i].time).toHtmlEscaped() + " " + name_of(model, all[i].unit));
  }
  if (all.size() > kMostNames) lines.append(Text::tr("and %1 more").arg(all.size() - kMostNames));
  return lines;
}

QString row_tip(const Model& model, const RowBox& row) {
  if (!model.schedule) return {};
  const bool traced = model.label.spans && model.label.spans->traced;
  const std::size_t all = row.own.size() + row.guests.size();
  QStringList lines{"<b>" + (all == 1 ? Text::tr("1 unit in flight") : Text::tr("%1 units in flight").arg(all)) +
                    "</b>"};
  lines.front() += " " + (traced ? Text::tr("at %1 of this run").arg(duration_text(row.at)).toHtmlEscaped()
                                 : Text::tr("by the order of the schedule, which no run has traced"));
  std::vector<UnitId> units = row.own;
  units.insert(units.end(), row.guests.begin(), row.guests.end());
  for (std::size_t i = 0; i < std::min(kMostNames, all); ++i) lines.append(name_of(model, units[i]));
  if (all > kMostNames) lines.append(Text::tr("and %1 more").arg(all - kMostNames));
  lines.append(Text::tr("click: select them"));
  return lines.join("<br>");
}

}  // namespace iosx::canvas
