#include "views/explore/timeline/span_text.h"

#include <QStringList>
#include <algorithm>
#include <cmath>

#include "views/text/counter_text.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/text/stage_text.h"
#include "views/text/translate.h"

namespace iosx {
namespace {

const Kernel* kernel_of(const ScheduleResult& result, const KernelSpan& span) {
  return span.kernel.index() < result.plan.kernels.size() ? &result.plan.kernel(span.kernel) : nullptr;
}

constexpr std::size_t kMostBytes = 200;  // of a name in a tool tip

QString operator_names(const Comparison& comparison, const Kernel& kernel) {
  QStringList names;
  for (const OperatorId id : kernel.operators) {
    if (comparison.graph && id.index() < comparison.graph->operators().size()) {
      names << brief_name(comparison.graph->op(id).name, kMostBytes);
    }
  }
  return shortened(names);
}

// Returns "2 (1 core)" where the device shares out its cores.
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

// Returns "8 × 2 blocks of 128 threads, 64 registers, 4.0 KB shared, occupancy 50 %".
QString launch_text(const LaunchSpan& launch) {
  const auto extent = [](const std::array<int, 3>& size) {
    QString text = QString::number(size[0]);
    if (size[1] > 1 || size[2] > 1) text += QStringLiteral(" \u00D7 %1").arg(size[1]);
    if (size[2] > 1) text += QStringLiteral(" \u00D7 %1").arg(size[2]);
    return text;
  };
  QString text = Text::tr("%1 blocks of %2 threads, %3 registers")
                     .arg(extent(launch.grid), extent(launch.block))
                     .arg(launch.registers);
  if (launch.shared_bytes > 0) {
    text += Text::tr(", %1 KB shared").arg(static_cast<double>(launch.shared_bytes) / 1024, 0, 'f', 1);
  }
  if (launch.occupancy > 0) text += Text::tr(", occupancy %1").arg(percent_text(launch.occupancy));
  return text;
}

void add_launches(TooltipRows& rows, const KernelSpan& span) {
  constexpr std::size_t kMost = 4;
  constexpr std::size_t kFunctionBytes = 56;  // names of templates are long: their arguments go first
  for (std::size_t i = 0; i < span.launches.size() && i < kMost; ++i) {
    const LaunchSpan& launch = span.launches[i];
    rows.emplace_back(Text::tr("Launch"), QStringLiteral("%1, %2").arg(brief_name(launch.name, kFunctionBytes),
                                                                       duration_text(launch.end - launch.begin)));
    rows.emplace_back(QString(), launch_text(launch));
  }
  if (span.launches.size() > kMost) {
    rows.emplace_back(QString(), Text::tr("and %1 more").arg(span.launches.size() - kMost));
  }
}

}  // namespace

QString brief_name(std::string_view name, std::size_t most) {
  if (name.size() <= most) return shown_name(name);
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U) --end;  // not within a character
  return shown_name(name.substr(0, end)) + QChar(0x2026);
}

QString span_tooltip(const TimelineTrack& track, std::size_t index) {
  const Comparison& comparison = *track.comparison;
  const ScheduleResult& result = track.schedule();
  const KernelSpan& span = result.trace.kernels[index];
  TooltipRows rows;
  if (const Kernel* kernel = kernel_of(result, span)) {
    rows.emplace_back(kernel->operators.size() > 1 ? Text::tr("Operators") : Text::tr("Operator"),
                      operator_names(comparison, *kernel));
    const std::string_view kind = kind_name(kernel->attributes);
    const QString name = QString::fromUtf8(kind.data(), static_cast<int>(kind.size()));
    rows.emplace_back(Text::tr("Kind"),
                      kernel->merged() && !is_merged(kernel->attributes) ? Text::tr("merged %1").arg(name) : name);
    rows.emplace_back(Text::tr("Output"), QString::fromStdString(shape_text(kernel->output, " × ")));
    rows.emplace_back(Text::tr("Work"), work_text(kernel->work));
  }
  add_launches(rows, span);
  rows.emplace_back(Text::tr("Begin"), duration_text(span.begin));
  rows.emplace_back(Text::tr("End"), duration_text(span.end));
  rows.emplace_back(Text::tr("Duration"), duration_text(span.end - span.begin));
  rows.emplace_back(result.lanes ? Text::tr("From stage") : Text::tr("Stage"),
                    Text::tr("%1 of %2").arg(span.stage + 1).arg(result.trace.stages.size()));
  rows.emplace_back(Text::tr("Lane"), stream_text(result.trace, span));
  rows.emplace_back(Text::tr("Schedule"),
                    QStringLiteral("%1 (%2)").arg(track.name(), origin_text(result.latency.origin)));
  if (!result.trace.source.empty()) rows.emplace_back(Text::tr("Times"), shown_name(result.trace.source));
  return tooltip_table(brief_name(span.name, kMostBytes), rows);
}

QString heat_tooltip(const TimelineTrack& track, const TimelineBand& band, Micros shown) {
  const BandHeat& heat = *band.heat;
  const double value = heat.series.at(band.index->warp().own(shown));
  QString text = QStringLiteral("%1 %2").arg(quantity_text(value, heat.peak), core_words(heat.unit));
  if (heat.peak > 0 && heat.unit != QLatin1String("%")) {
    text += Text::tr(" (%1 of %2)").arg(percent_text(value / heat.peak), quantity_text(heat.peak, heat.peak));
  }
  TooltipRows rows{
      {Text::tr("At"), duration_text(band.index->warp().own(shown))},
      {counter_title(core_words(heat.quantity)), text},
      {Text::tr("Darkest"), QStringLiteral("%1 %2").arg(quantity_text(heat.top, heat.peak), core_words(heat.unit))}};
  if (!heat.source.isEmpty()) rows.emplace_back(Text::tr("Source"), heat.source);
  rows.emplace_back(Text::tr("Plots"), Text::tr("key U"));
  return tooltip_table(track.name(), rows);
}

QString span_description(const TimelineTrack& track, std::size_t index) {
  const KernelSpan& span = track.schedule().trace.kernels[index];
  // In one go: a name may have a place marker in it.
  return Text::tr("%1: %2, stage %3, lane %4, begins at %5, takes %6")
      .arg(track.name(), brief_name(span.name, kMostBytes), QString::number(span.stage + 1),
           QString::number(span.lane + 1), duration_text(span.begin), duration_text(span.end - span.begin));
}

std::optional<double> text_baseline(const QString& text, double top, double bottom, const QFontMetricsF& metrics) {
  const QRectF letters = metrics.tightBoundingRect(text);
  const double middle = std::round((top + bottom + metrics.capHeight()) / 2);
  const double baseline = std::min(middle, std::floor(bottom - letters.bottom()));
  return baseline + letters.top() < top ? std::nullopt : std::optional(baseline);
}

}  // namespace iosx
