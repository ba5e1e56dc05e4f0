#include "views/timeline/span_text.h"

#include <QCoreApplication>
#include <QStringList>
#include <utility>
#include <vector>

#include "views/compare/latency_text.h"
#include "views/models/stage_table_model.h"

namespace iosx {
namespace {

struct Text {
  Q_DECLARE_TR_FUNCTIONS(iosx)
};

using Rows = std::vector<std::pair<QString, QString>>;

constexpr int kMostNames = 8;

QString table(const QString& heading, const Rows& rows) {
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

const Kernel* kernel_of(const ScheduleResult& result, const KernelSpan& span) {
  return span.kernel.index() < result.plan.kernels.size() ? &result.plan.kernel(span.kernel) : nullptr;
}

QString operator_names(const Comparison& comparison, const Kernel& kernel) {
  QStringList names;
  for (const OperatorId id : kernel.operators) {
    if (comparison.graph && id.index() < comparison.graph->operators().size()) {
      names << QString::fromStdString(comparison.graph->op(id).name);
    }
  }
  return shortened(names);
}

QString unit_names(const Comparison& comparison, const std::vector<UnitId>& units) {
  QStringList names;
  for (const UnitId id : units) {
    if (comparison.graph && id.index() < comparison.graph->units().size()) {
      names << QString::fromStdString(comparison.graph->unit(id).name);
    }
  }
  return shortened(names);
}

// "2 (1 core)" where the device shares out its cores.
QString stream_text(const Trace& trace, const KernelSpan& span) {
  const QString number = QString::number(span.lane + 1);
  if (span.stage >= trace.stages.size() || span.lane >= trace.stages[span.stage].lane_threads.size()) return number;
  const int cores = trace.stages[span.stage].lane_threads[span.lane];
  return cores == 1 ? Text::tr("%1 (1 core)").arg(number) : Text::tr("%1 (%2 cores)").arg(number).arg(cores);
}

QString work_text(const Work& work) {
  return Text::tr("%1 MFLOPs, %2 MB moved")
      .arg(QString::number(work.flops / 1e6, 'f', 1), QString::number(static_cast<double>(work.bytes()) / 1e6, 'f', 2));
}

}  // namespace

QString cores_text(const StageSpan& stage) {
  QStringList lanes;
  for (std::size_t lane = 0; lane < stage.lane_threads.size(); ++lane) {
    if (stage.lane_threads[lane] <= 0) continue;
    lanes << Text::tr("lane %1: %2").arg(lane + 1).arg(stage.lane_threads[lane]);
  }
  return lanes.join(QStringLiteral(", "));
}

QString span_tooltip(const Comparison& comparison, SpanRef ref) {
  const ScheduleResult& result = comparison.results[ref.result];
  const KernelSpan& span = result.trace.kernels[ref.span];
  Rows rows;
  if (const Kernel* kernel = kernel_of(result, span)) {
    rows.emplace_back(kernel->operators.size() > 1 ? Text::tr("Operators") : Text::tr("Operator"),
                      operator_names(comparison, *kernel));
    const std::string_view kind = kind_name(kernel->attributes);
    const QString name = QString::fromUtf8(kind.data(), static_cast<int>(kind.size()));
    rows.emplace_back(Text::tr("Kind"), kernel->operators.size() > 1 ? Text::tr("merged %1").arg(name) : name);
    rows.emplace_back(Text::tr("Output"), QString::fromStdString(shape_text(kernel->output, " × ")));
    rows.emplace_back(Text::tr("Work"), work_text(kernel->work));
  }
  rows.emplace_back(Text::tr("Begin"), duration_text(span.begin));
  rows.emplace_back(Text::tr("End"), duration_text(span.end));
  rows.emplace_back(Text::tr("Duration"), duration_text(span.end - span.begin));
  rows.emplace_back(Text::tr("Stage"), Text::tr("%1 of %2").arg(span.stage + 1).arg(result.trace.stages.size()));
  rows.emplace_back(Text::tr("Lane"), stream_text(result.trace, span));
  rows.emplace_back(Text::tr("Schedule"), QStringLiteral("%1 (%2)").arg(schedule_title(result.schedule.name),
                                                                        origin_text(result.latency.origin)));
  return table(QString::fromStdString(span.name), rows);
}

QString span_description(const Comparison& comparison, SpanRef ref) {
  const ScheduleResult& result = comparison.results[ref.result];
  const KernelSpan& span = result.trace.kernels[ref.span];
  return Text::tr("%1: %2, stage %3, lane %4, begins at %5, takes %6")
      .arg(schedule_title(result.schedule.name), QString::fromStdString(span.name))
      .arg(span.stage + 1)
      .arg(span.lane + 1)
      .arg(duration_text(span.begin), duration_text(span.end - span.begin));
}

QString stage_tooltip(const Comparison& comparison, std::size_t index, std::size_t stage) {
  const ScheduleResult& result = comparison.results[index];
  Rows rows;
  QString strategy;
  if (stage < result.schedule.stages.size()) {
    const Stage& own = result.schedule.stages[stage];
    if (comparison.graph) strategy = strategy_text(*comparison.graph, own);
    rows.emplace_back(Text::tr("Groups"), QString::number(own.groups.size()));
    rows.emplace_back(Text::tr("Units"), unit_names(comparison, own.units()));
  }
  if (!strategy.isEmpty()) {
    rows.emplace(rows.begin(), Text::tr("Strategy"), strategy);
  }
  if (stage < result.stage_latencies.size()) {
    const Latency& latency = result.stage_latencies[stage];
    rows.emplace_back(Text::tr("Latency alone"),
                      QStringLiteral("%1 (%2)").arg(latency_text(latency), origin_text(latency.origin)));
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
  return table(Text::tr("%1, stage %2 of %3")
                   .arg(schedule_title(result.schedule.name))
                   .arg(stage + 1)
                   .arg(result.schedule.stages.size()),
               rows);
}

QString schedule_tooltip(const Comparison& comparison, std::size_t index) {
  const ScheduleResult& result = comparison.results[index];
  Rows rows{{Text::tr("End to end"),
             QStringLiteral("%1 (%2)").arg(latency_text(result.latency), origin_text(result.latency.origin))},
            {Text::tr("Stage sum"), duration_text(result.stage_sum)},
            {Text::tr("Stages"), QString::number(result.schedule.stages.size())},
            {Text::tr("Streams"), QString::number(result.trace.lanes)}};
  if (const QString ratio = speed_up_text(comparison, index); !ratio.isEmpty()) {
    rows.emplace_back(Text::tr("Speed"), ratio);
  }
  return table(schedule_title(result.schedule.name), rows);
}

Selection stage_selection(const ScheduleResult& result, std::size_t stage) {
  if (stage >= result.schedule.stages.size()) return {};
  return {result.schedule.stages[stage].units(), result.schedule.name, stage};
}

}  // namespace iosx
