#include "app/gui/report.h"

#include <QFileInfo>
#include <nlohmann/json.hpp>
#include <ostream>

#include "app/gui/files.h"
#include "core/compare/report.h"
#include "views/compare/comparison_chart.h"
#include "views/compare/latency_text.h"
#include "views/compare/stage_latency_chart.h"
#include "views/export/exporter.h"
#include "views/graph/graph_figure.h"
#include "views/timeline/timeline_figure.h"
#include "views/utilization/utilization_view.h"

namespace iosx {
namespace {

class ReportWriter {
 public:
  explicit ReportWriter(const std::filesystem::path& folder) : folder_(folder) {}

  Result<void> file(const QString& name, const std::string& content) {
    const QString path = QString::fromStdString((folder_ / name.toStdString()).string());
    if (auto written = write_file(path, QByteArray::fromStdString(content)); !written) return written;
    paths_.push_back(path.toStdString());
    return {};
  }

  Result<void> figure(const Figure& figure) {
    const auto written = write_figure_files(figure, QString::fromStdString(folder_.string()));
    if (!written) return tl::unexpected<Error>(written.error());
    for (const QString& path : *written) paths_.push_back(path.toStdString());
    return {};
  }

  std::vector<std::string> take() { return std::move(paths_); }

 private:
  std::filesystem::path folder_;
  std::vector<std::string> paths_;
};

Result<void> write_schedules(ReportWriter& out, const Comparison& comparison, std::ostream& notes) {
  for (std::size_t i = 0; i < comparison.results.size(); ++i) {
    const std::string& name = comparison.results[i].schedule.name;
    for (const ScheduleFormat format : kScheduleFormats) {
      const auto text = schedule_text(comparison, i, format);
      if (!text) {
        notes << "ios-explorer: left out schedule '" << name << "' as " << suffix(format).toStdString() << ": "
              << text.error().text() << '\n';
        continue;
      }
      const QString file = QStringLiteral("schedule-%1.%2").arg(file_stem(name), suffix(format));
      if (auto written = out.file(file, *text); !written) return written;
    }
  }
  return {};
}

std::vector<std::unique_ptr<Figure>> report_figures(const std::shared_ptr<const Comparison>& comparison) {
  const ScheduleResult& best = comparison->results[comparison->best()];
  const std::vector<std::size_t> shown = default_results(*comparison);
  std::vector<std::unique_ptr<Figure>> figures;
  figures.push_back(graph_figure(comparison->graph, &best.schedule, best.stage_latencies));
  figures.push_back(make_timeline_figure(comparison, shown, {}));
  figures.push_back(make_utilization_figure(comparison, shown, {}));
  figures.push_back(make_comparison_figure(comparison));
  figures.push_back(make_stage_latency_figure(comparison));
  return figures;
}

}  // namespace

Result<void> make_report_folder(const std::filesystem::path& folder) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem) return fail(problem.message(), folder.string(), "choose a folder that you may write to");
  if (!std::filesystem::is_directory(folder, problem)) {
    return fail("is a file, not a folder", folder.string(), "choose another name for the report's folder");
  }
  return {};
}

Result<std::vector<std::string>> write_report(std::shared_ptr<const Comparison> comparison,
                                              const std::filesystem::path& folder, std::ostream& notes) {
  ReportWriter out(folder);
  const std::string json = comparison_json(*comparison).dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
  const std::vector<std::pair<QString, std::string>> files{
      {QStringLiteral("comparison.json"), json + '\n'},
      {QStringLiteral("comparison.txt"), comparison_table(*comparison)},
      {QStringLiteral("stages.csv"), stage_csv(*comparison)},
      {QStringLiteral("trace.json"), trace_text(*comparison)}};
  for (const auto& [name, text] : files) {
    if (auto written = out.file(name, text); !written) return tl::unexpected<Error>(written.error());
  }
  if (auto written = write_schedules(out, *comparison, notes); !written) return tl::unexpected<Error>(written.error());
  for (const auto& figure : report_figures(comparison)) {
    if (auto written = out.figure(*figure); !written) return tl::unexpected<Error>(written.error());
  }
  return out.take();
}

}  // namespace iosx
