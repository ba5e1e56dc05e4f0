#include "app/gui/files.h"

#include <QCoreApplication>
#include <QSaveFile>

#include "core/import/document.h"
#include "core/import/schedule_file.h"
#include "core/report/comparison_files.h"

namespace iosx {
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

}  // namespace iosx
