#include "views/timeline/span_text.h"

#include <QStringList>
#include <utility>
#include <vector>

#include "views/text/latency_text.h"
#include "views/text/stage_text.h"
#include "views/text/translate.h"

namespace iosx {
namespace {

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

QString span_tooltip(const Comparison& comparison, SpanRef ref) {
  const ScheduleResult& result = comparison.results[ref.result];
  const KernelSpan& span = result.trace.kernels[ref.span];
  TooltipRows rows;
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
  rows.emplace_back(Text::tr("Schedule"),
                    QStringLiteral("%1 (%2)").arg(schedule_title(result), origin_text(result.latency.origin)));
  return tooltip_table(QString::fromStdString(span.name), rows);
}

QString span_description(const Comparison& comparison, SpanRef ref) {
  const ScheduleResult& result = comparison.results[ref.result];
  const KernelSpan& span = result.trace.kernels[ref.span];
  return Text::tr("%1: %2, stage %3, lane %4, begins at %5, takes %6")
      .arg(schedule_title(result), QString::fromStdString(span.name))
      .arg(span.stage + 1)
      .arg(span.lane + 1)
      .arg(duration_text(span.begin), duration_text(span.end - span.begin));
}

}  // namespace iosx
