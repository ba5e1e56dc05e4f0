#include "app/gui/report.h"

#include <ostream>
#include <system_error>
#include <utility>

#include "core/base/text.h"
#include "core/documents/html/html_report.h"
#include "core/documents/report/comparison_files.h"
#include "core/documents/report/output_file.h"
#include "views/canvas/paint/graph_figure.h"
#include "views/compare/comparison_chart.h"
#include "views/compare/comparison_data.h"
#include "views/compare/difference_tables.h"
#include "views/compare/distribution_figure.h"
#include "views/compare/stage_latency_chart.h"
#include "views/explore/saving/saving_view.h"
#include "views/explore/search/convergence_chart.h"
#include "views/explore/timeline/timeline_figure.h"
#include "views/explore/utilization/utilization_figure.h"
#include "views/explore/utilization/why_view.h"
#include "views/figures/exporter.h"
#include "views/share/picture.h"
#include "views/text/latency_text.h"

namespace iosx {
namespace {

// Compares all schedules with the sequential one (or else the first), and the fastest with it stage by stage.
std::vector<std::unique_ptr<Figure>> difference_figures(const std::shared_ptr<const Comparison>& comparison) {
  std::vector<std::unique_ptr<Figure>> figures;
  std::vector<Subject> subjects;
  std::size_t baseline = 0;
  for (std::size_t i = 0; i < comparison->results.size(); ++i) {
    if (comparison->results[i].schedule_kind == ScheduleKind::kSequential) baseline = i;
    subjects.push_back({comparison, i, {}});
  }
  const auto runs = make_run_matrix(std::move(subjects), baseline);
  if (!runs) return figures;
  figures.push_back(make_part_matrix_figure(runs));
  figures.push_back(make_run_statistics_figure(runs));
  std::vector<LatencyBar> bars = latency_bars(runs->subjects, baseline);
  if (has_distribution(bars)) {
    figures.push_back(make_distribution_figure(std::move(bars), context_text(*comparison)));
  }
  const std::size_t best = comparison->best();
  const SavingFacts saving = saving_of(Subject{comparison, baseline, {}}, {comparison, best, {}});
  if (auto steps = make_saving_figure(saving)) figures.push_back(std::move(steps));
  if (runs->subjects.size() == comparison->results.size() && best != baseline) {
    figures.push_back(
        make_stage_difference_figure(make_stage_pair(runs->baseline(), runs->subjects[best], runs->matches[best])));
  }
  return figures;
}

std::vector<std::unique_ptr<Figure>> report_figures(const std::shared_ptr<const Comparison>& comparison) {
  const ScheduleResult& best = comparison->results[comparison->best()];
  const std::vector<std::size_t> shown = default_results(*comparison);
  std::vector<std::unique_ptr<Figure>> figures;
  if (const auto rivals = rivals_of(comparison, comparison->best())) figures.push_back(make_card_figure(*rivals));
  figures.push_back(graph_figure(comparison->graph, &best.schedule, best.stage_latencies, context_text(*comparison),
                                 canvas::Overlay::kNone,
                                 canvas::schedule_label(*comparison, best, schedule_title(best))));
  figures.push_back(make_timeline_figure(comparison, shown, {}));
  if (auto why = make_why_figure(comparison)) figures.push_back(std::move(why));
  figures.push_back(make_utilization_figure(comparison, shown, {}));
  figures.push_back(make_comparison_figure(comparison));
  figures.push_back(make_stage_latency_figure(comparison));
  for (auto& figure : difference_figures(comparison)) figures.push_back(std::move(figure));
  if (auto searches = make_convergence_figure(*comparison)) figures.push_back(std::move(searches));
  return figures;
}

// Writes one page that any browser opens. Of a run that was opened from a file, Comparison::recorded says where and
// when.
Result<std::string> write_page(const std::shared_ptr<const Comparison>& comparison,
                               const std::filesystem::path& folder) {
  ReportRun run{.comparison = comparison};
  if (comparison->recorded.empty()) run.place = this_place(IOSX_VERSION);
  IOS_TRY(const auto page, html_report({.runs = {std::move(run)}}));
  const std::filesystem::path path = folder / "report.html";
  IOS_TRY(write_file(path, page));
  return path.string();
}

}  // namespace

Result<void> make_report_folder(const std::filesystem::path& folder) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem) return fail(verbatim(problem.message()), folder.string(), message("choose a writable folder"));
  if (!std::filesystem::is_directory(folder, problem)) {
    return fail(message("is a file, not a folder"), folder.string(),
                message("choose another name for the report's folder"));
  }
  return {};
}

Result<std::vector<std::string>> write_report(const std::shared_ptr<const Comparison>& comparison,
                                              const std::filesystem::path& folder, std::ostream& notes,
                                              const std::optional<PaperFormat>& paper) {
  IOS_TRY(const auto files, write_comparison_files(*comparison, folder));
  for (const std::string& sentence : files.left_out) notes << "ios-explorer: " << printable(sentence) << '\n';
  std::vector<std::string> paths;
  for (const auto& path : files.paths) paths.push_back(path.string());
  IOS_TRY(auto page, write_page(comparison, folder));
  paths.push_back(std::move(page));
  for (const auto& figure : report_figures(comparison)) {
    IOS_TRY(const auto written, write_figure_files(*figure, QString::fromStdString(folder.string()), paper));
    for (const QString& path : written) paths.push_back(path.toStdString());
  }
  return paths;
}

}  // namespace iosx
