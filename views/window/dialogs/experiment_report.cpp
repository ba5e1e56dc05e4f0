#include "views/window/dialogs/experiment_report.h"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/analysis/experiment/report.h"
#include "core/documents/report/output_file.h"
#include "core/tables/render.h"
#include "views/compare/comparison_chart.h"
#include "views/compare/latency_plot.h"
#include "views/explore/experiment/experiment_figure.h"
#include "views/explore/experiment/experiment_words.h"
#include "views/explore/utilization/utilization_view.h"
#include "views/figures/exporter.h"

namespace iosx {
namespace {

// Only requested results have a row in the utilization's picture.
std::vector<std::size_t> asked_for(const Comparison& comparison) {
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < comparison.results.size(); ++i) {
    if (comparison.results[i].asked) shown.push_back(i);
  }
  return shown;
}

}  // namespace

std::unique_ptr<Figure> figure_of(const std::shared_ptr<const ExperimentResult>& result) {
  if (result->kind == ExperimentKind::kSchedules) return make_comparison_figure(result->comparison);
  if (result->kind == ExperimentKind::kUtilization) {
    return make_utilization_figure(result->comparison, asked_for(*result->comparison), {});
  }
  if (result->kind == ExperimentKind::kFrameworks && !result->matrix()) {
    return make_latency_figure(engine_bars(*result), {.context = experiment_title(*result),
                                                      .sentence = marks_words(*result),
                                                      .csv = QString::fromStdString(table_csv(trial_list(*result)))});
  }
  return make_experiment_figure(result);
}

Result<std::vector<std::string>> write_experiment_report(const std::shared_ptr<const ExperimentResult>& result,
                                                         const std::filesystem::path& folder,
                                                         const std::optional<PaperFormat>& paper) {
  const std::array<std::pair<const char*, std::string>, 3> tables{{
      {"experiment.txt", experiment_table_text(*result)},
      {"experiment.csv", table_csv(trial_list(*result))},
      {"experiment.json", experiment_json(*result).dump(2) + '\n'},
  }};
  std::vector<std::string> paths;
  for (const auto& [name, text] : tables) {
    const std::filesystem::path path = folder / name;
    IOS_TRY(write_file(path, text));
    paths.push_back(path.string());
  }
  IOS_TRY(const auto figures, write_figure_files(*figure_of(result), QString::fromStdString(folder.string()), paper));
  for (const QString& path : figures) paths.push_back(path.toStdString());
  return paths;
}

}  // namespace iosx
