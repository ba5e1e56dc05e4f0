#include "app/gui/files.h"

#include <QCoreApplication>
#include <QSaveFile>
#include <vector>

#include "core/import/document.h"
#include "core/import/schedule_file.h"
#include "core/trace/chrome_trace.h"

namespace iosx {
namespace {

ScheduleNotes notes_of(const Comparison& comparison, const ScheduleResult& result) {
  ScheduleNotes notes;
  notes.device = comparison.device.id;
  notes.batch = comparison.batch;
  notes.origin = std::string(origin_name(result.latency.origin));
  notes.latency_ms = result.latency.value.count();
  for (const Latency& latency : result.stage_latencies) notes.stage_ms.push_back(latency.value.count());
  return notes;
}

}  // namespace

Result<void> write_file(const QString& path, const QByteArray& content) {
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size() || !file.commit()) {
    return fail(file.errorString().toStdString(), path.toStdString(), "choose a folder that you may write to");
  }
  return {};
}

QString suffix(ScheduleFormat format) {
  switch (format) {
    case ScheduleFormat::kOurJson: return QStringLiteral("json");
    case ScheduleFormat::kIosJson: return QStringLiteral("ios.json");
    case ScheduleFormat::kCsv: return QStringLiteral("csv");
  }
  return {};
}

Result<std::string> schedule_text(const Comparison& comparison, std::size_t result, ScheduleFormat format) {
  const Graph& graph = *comparison.graph;
  const ScheduleResult& chosen = comparison.results.at(result);
  switch (format) {
    case ScheduleFormat::kIosJson: return to_ios_json(graph, chosen.schedule);
    case ScheduleFormat::kCsv: return schedule_to_csv(graph, chosen.schedule, notes_of(comparison, chosen));
    case ScheduleFormat::kOurJson: break;
  }
  return schedule_to_json(graph, chosen.schedule, notes_of(comparison, chosen));
}

std::string trace_text(const Comparison& comparison) {
  std::vector<NamedTrace> traces;
  for (const ScheduleResult& result : comparison.results) traces.push_back({result.schedule.name, &result.trace});
  return chrome_trace_json(traces, comparison.device.name, std::string(origin_name(comparison.device.origin)));
}

QString file_stem(const std::string& name) {
  QString stem;
  for (const char letter : name) {
    const bool plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                       (letter >= '0' && letter <= '9') || letter == '.' || letter == '_' || letter == '-';
    stem += QLatin1Char(plain ? letter : '-');
  }
  return stem.isEmpty() || stem.startsWith(QLatin1Char('.')) ? QStringLiteral("schedule") + stem : stem;
}

}  // namespace iosx
