#include "views/text/stage_text.h"

#include <algorithm>

#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

namespace iosx {
namespace {

constexpr qsizetype kMostNames = 8;

QString unit_names(const Comparison& comparison, const std::vector<UnitId>& units) {
  QStringList names;
  for (const UnitId id : units) {
    if (comparison.graph && id.index() < comparison.graph->units().size()) {
      names << shown_name(comparison.graph->unit(id).name);
    }
  }
  return shortened(names);
}

// Returns the title of the schedule with stages that chose the kernels.
QString title_of_kernels(const ScheduleResult& result) {
  const std::string& name = result.schedule.name;
  if (result.schedule_kind == ScheduleKind::kSideBySide) return Text::tr("each network alone");
  if (name == row_of(result.schedule_kind).id) return Text::tr("an earlier search");
  const auto row = std::ranges::find(schedule_table(), name, &ScheduleKindRow::id);
  return row == schedule_table().end() ? shown_name(name) : core_words(row->title);
}

}  // namespace

QString tooltip_table(const QString& heading, const TooltipRows& rows) {
  QString html = QStringLiteral("<b>%1</b><table>").arg(heading.toHtmlEscaped());
  for (const auto& [key, value] : rows) {
    html += QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td>%2</td></tr>").arg(key, value.toHtmlEscaped());
  }
  return html + QStringLiteral("</table>");
}

QString shortened(QStringList names) {
  const auto count = names.size();
  if (count <= kMostNames) return names.join(QStringLiteral(", "));
  names.erase(names.begin() + kMostNames, names.end());
  return names.join(QStringLiteral(", ")) + Text::tr(" and %1 more").arg(count - kMostNames);
}

QString common_prefix(const Graph& graph, const std::vector<UnitId>& units) {
  if (units.size() < 2) return {};
  QString prefix = shown_name(graph.unit(units.front()).name);
  for (const UnitId unit : units) {
    const QString name = shown_name(graph.unit(unit).name);
    while (!prefix.isEmpty() && !name.startsWith(prefix)) prefix.chop(1);
  }
  return prefix.left(prefix.lastIndexOf(QLatin1Char('.')) + 1);
}

QString stage_prefix(const Graph& graph, const Stage& stage) {
  const std::vector<UnitId> units = stage.units();
  if (units.size() > 1) return common_prefix(graph, units);
  const QString name = shown_name(graph.unit(units.front()).name);
  return name.left(name.lastIndexOf(QLatin1Char('.')) + 1);
}

QString units_of_group(const Graph& graph, const Group& group, qsizetype skipped) {
  QStringList steps;
  for (const Step& step : group.steps) {
    QStringList units;
    for (const UnitId unit : step.units) units << shown_name(graph.unit(unit).name).mid(skipped);
    steps << units.join(QStringLiteral(" + "));
  }
  return steps.join(QStringLiteral(" → "));
}

QString units_of_groups(const Graph& graph, const Stage& stage, qsizetype skipped) {
  QStringList groups;
  for (const Group& group : stage.groups) groups << units_of_group(graph, group, skipped);
  return groups.join(QStringLiteral("  |  "));
}

QString strategy_text(const Graph& graph, const Stage& stage) {
  if (strategy_of(graph, stage) == Strategy::kMerge) return Text::tr("merge");
  return stage.groups.size() > 1 ? Text::tr("concurrent") : Text::tr("one group");
}

QString cores_text(const StageSpan& stage) {
  QStringList lanes;
  for (std::size_t lane = 0; lane < stage.lane_threads.size(); ++lane) {
    if (stage.lane_threads[lane] <= 0) continue;
    lanes << Text::tr("lane %1: %2").arg(lane + 1).arg(stage.lane_threads[lane]);
  }
  return lanes.join(QStringLiteral(", "));
}

QString chosen_by_stages_text(const ScheduleResult& result) {
  if (!result.lanes) return {};
  if (result.plan.lane_count() == 1) {
    return Text::tr(
               "The kernels come from these stages (%1) and run on one lane without barriers; the latencies are those "
               "of the stages.")
        .arg(title_of_kernels(result));
  }
  return Text::tr(
             "The kernels come from these stages (%1) and run on %2 lanes without barriers; the latencies are those of "
             "the stages.")
      .arg(title_of_kernels(result))
      .arg(result.plan.lane_count());
}

QString stage_tooltip(const Comparison& comparison, std::size_t index, std::size_t stage) {
  const ScheduleResult& result = comparison.results[index];
  TooltipRows rows;
  if (stage < result.schedule.stages.size()) {
    const Stage& own = result.schedule.stages[stage];
    if (comparison.graph) rows.emplace_back(Text::tr("Strategy"), strategy_text(*comparison.graph, own));
    rows.emplace_back(Text::tr("Groups"), QString::number(own.groups.size()));
    rows.emplace_back(Text::tr("Units"), unit_names(comparison, own.units()));
  }
  if (stage < result.stage_latencies.size()) {
    const Latency& latency = result.stage_latencies[stage];
    rows.emplace_back(Text::tr("Latency alone"), QStringLiteral("%1 (%2)").arg(latency_text(comparison, result, stage),
                                                                               origin_text(latency.origin)));
    if (result.stage_sum > Millis(0)) {
      rows.emplace_back(Text::tr("Share"),
                        Text::tr("%1 of the stage sum").arg(percent_text(latency.value / result.stage_sum)));
    }
  }
  if (stage < result.trace.stages.size()) {
    const StageSpan& span = result.trace.stages[stage];
    rows.emplace_back(Text::tr("In the run"), Text::tr("from %1 to %2 (%3)")
                                                  .arg(duration_text(span.begin), duration_text(span.end),
                                                       duration_text(span.end - span.begin)));
    if (const QString cores = cores_text(span); !cores.isEmpty()) rows.emplace_back(Text::tr("Cores"), cores);
  }
  return tooltip_table(
      Text::tr("%1, stage %2 of %3").arg(schedule_title(result)).arg(stage + 1).arg(result.schedule.stages.size()),
      rows);
}

QString schedule_tooltip(const Comparison& comparison, std::size_t index) {
  const ScheduleResult& result = comparison.results[index];
  TooltipRows rows{{Text::tr("End to end"), QStringLiteral("%1 (%2)").arg(latency_text(comparison, result),
                                                                          origin_text(result.latency.origin))},
                   {Text::tr("Streams"), QString::number(result.trace.lanes)}};
  if (result.lanes) {
    rows.emplace_back(Text::tr("Kernels of"), title_of_kernels(result));
  } else {
    rows.emplace_back(Text::tr("Stages"), QString::number(result.schedule.stages.size()));
    if (comparison.knows_latencies()) rows.emplace_back(Text::tr("Stage sum"), duration_text(result.stage_sum));
  }
  if (const QString ratio = speed_up_text(comparison, index); !ratio.isEmpty()) {
    rows.emplace_back(Text::tr("Speed"), ratio);
  }
  return tooltip_table(schedule_title(result), rows);
}

}  // namespace iosx
