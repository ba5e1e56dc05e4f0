#include "core/analysis/experiment/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/text_table.h"

namespace iosx {
namespace {

using Json = nlohmann::ordered_json;
using Row = std::vector<std::string>;

constexpr const char* kSeconds = "Seconds are shown of searches that found nothing measured before.";

// A star where it is the best, a tilde where the difference is within the noise.
std::string marks_of(const Trial& trial) {
  return std::string(trial.within_noise ? " ~" : "") + (trial.best ? " *" : "  ");
}

// "4.034", "4.034 +-0.050", with a loss "4.170 +3.4 %"; then the marks.
std::string cell_text(const ExperimentResult& result, const Trial& trial) {
  std::string text = value_text(result.measures.front(), trial.values.front());
  const auto spread = result.value(trial, "spread_ms");
  if (result.kind != ExperimentKind::kThroughput && !is_modelled(trial.origin) && spread) {
    text += fmt::format(" +-{:.3f}", *spread);
  }
  if (const auto loss = result.value(trial, "loss_percent")) text += fmt::format(" {:+6.1f} %", *loss);
  return text + marks_of(trial);
}

std::vector<Row> matrix_rows(const ExperimentResult& result) {
  const std::vector<std::string> columns = result.levels(1);
  std::vector<Row> rows{{result.factors[0].title}};
  for (const std::string& column : columns) rows.front().push_back(column_title(result, column) + "  ");
  for (const std::string& level : result.levels(0)) {
    Row row{level};
    for (const std::string& column : columns) {
      const Trial* const trial = result.find(level, column);
      row.push_back(trial == nullptr ? "-  " : cell_text(result, *trial));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<Row> list_rows(const ExperimentResult& result) {
  const std::vector<std::size_t> measures = shown_measures(result);
  std::vector<Row> rows(1);
  for (const Factor& factor : result.factors) rows.front().push_back(factor.title);
  for (const std::size_t m : measures) rows.front().push_back(title_of(result.measures[m]));
  for (const Trial& trial : result.trials) {
    Row row = trial.levels;
    for (const std::size_t m : measures) row.push_back(value_text(result.measures[m], trial.values[m]));
    row[result.factors.size()] += marks_of(trial);  // the main measure
    rows.push_back(std::move(row));
  }
  rows.front()[result.factors.size()] += "  ";
  return rows;
}

// Writes a line an engine: versions and settings, or why it has no time.
std::string engines_text(const ExperimentResult& result) {
  std::string text;
  for (const EngineTrial& engine : result.engines) {
    text += engine.info.title;
    for (const auto& [package, version] : engine.info.versions) text += fmt::format(", {} {}", package, version);
    const std::string more = engine.problem.empty() ? engine.settings : engine.problem.text();
    text += (more.empty() ? "" : ": " + more) + '\n';
  }
  return text;
}

// Writes how engines do on all networks together.
std::string means_text(const ExperimentResult& result) {
  std::string text = "Latency over that of our fastest schedule, geometric mean of the networks that an engine ran:\n";
  std::vector<Row> rows;
  for (const EngineMean& mean : engine_means(result)) {
    rows.push_back({mean.engine, fmt::format("{:.2f}", mean.ratio), fmt::format("{} networks", mean.networks)});
  }
  return text + aligned(rows);
}

Json engine_json(const EngineTrial& engine) {
  Json json{{"id", engine.info.id},
            {"title", engine.info.title},
            {"versions", engine.info.versions},
            {"settings", engine.settings},
            {"timed", engine.problem.empty()}};
  if (!engine.problem.empty()) json["problem"] = engine.problem;
  if (!engine.info.missing.empty()) json["install"] = engine.info.install;
  for (const EngineOperator& one : engine.operators) {
    json["operators"].push_back({{"name", one.name}, {"kind", one.kind}, {"ms", one.latency.count()}});
  }
  return json;
}

const char* yes_or_no(bool flag) { return flag ? "true" : "false"; }

}  // namespace

std::string title_of(const Measure& measure) {
  return measure.unit.empty() ? measure.title : fmt::format("{} [{}]", measure.title, measure.unit);
}

std::string value_text(const Measure& measure, std::optional<double> value) {
  return value ? fmt::format("{:.{}f}", *value, measure.decimals) : "-";
}

std::vector<std::size_t> shown_measures(const ExperimentResult& result) {
  std::vector<std::size_t> shown;
  for (std::size_t m = 0; m < result.measures.size(); ++m) {
    if (result.measured() || !result.measures[m].noise) shown.push_back(m);
  }
  return shown;
}

std::string column_title(const ExperimentResult& result, const std::string& level) {
  const auto device = std::ranges::find(result.devices, level, &DeviceInfo::id);
  const bool names_device = result.kind == ExperimentKind::kDevices && device != result.devices.end();
  return names_device ? fmt::format("{} ({})", level, origin_name(device->origin)) : level;
}

std::string experiment_context(const ExperimentResult& result) {
  std::string text = result.network;
  for (const DeviceInfo& device : result.devices) {
    text += fmt::format(", {} {}", origin_name(device.origin), device.name);
  }
  if (result.batch) text += fmt::format(", batch {}", *result.batch);
  return text;
}

std::string experiment_explanation(const ExperimentResult& result) {
  switch (result.kind) {
    case ExperimentKind::kSchedules:
      return "Speed-up is against sequential. Searches share what they measure. " + std::string(kSeconds);
    case ExperimentKind::kPruning:
      return fmt::format(
          "Every search is {} one of IOS-Both by itself: at most r units in a group and s groups in a stage, 0 = "
          "unlimited. {}",
          result.method == SearchMethod::kLazy ? "a lazy" : "an exhaustive", kSeconds);
    case ExperimentKind::kBatches:
      return "Rows: the batch that the schedule was found for; columns: the batch that ran. Latency [ms] and loss "
             "against the column's own schedule.";
    case ExperimentKind::kDevices:
      return "Rows: the device that the schedule was found on; columns: the device that ran it. Latency [ms] and loss "
             "against the column's own schedule.";
    case ExperimentKind::kThroughput: return "Samples a second, by batch size.";
    case ExperimentKind::kUtilization: return "Means are over the whole run.";
    case ExperimentKind::kMemory:
      return "Kernels of a schedule with stages on lanes without barriers, under limits of memory; without lanes: the "
             "schedule itself. The peak is planned, not measured: most that tensors take at once, inputs and outputs "
             "too, weights not.";
    case ExperimentKind::kFrameworks:
      return "Latency of one inference [ms]; times ours: over that of our fastest schedule, so that above 1 an engine "
             "takes "
             "longer. All get the same model, weights, input and number of threads and are timed in turn, while the "
             "others stand still. No engine has a time whose outputs are not ours.";
    case ExperimentKind::kSearch: break;
  }
  return fmt::format(
      "Loss is of the schedule's stage sum against exhaustive search; gaps are what a search itself says it may miss. "
      "{}",
      kSeconds);
}

std::vector<std::vector<std::string>> experiment_rows(const ExperimentResult& result) {
  return result.matrix() ? matrix_rows(result) : list_rows(result);
}

std::string experiment_marks(const ExperimentResult& result) {
  std::string text;
  if (result.kind == ExperimentKind::kMemory) return "* nothing takes less memory and is as fast\n";
  if (std::ranges::any_of(result.trials, &Trial::best)) {
    const char* const among = !result.matrix()                             ? ""
                              : result.kind == ExperimentKind::kThroughput ? " of its row"
                                                                           : " of its column";
    text += fmt::format("* best{}{}\n", among, result.measured() ? ", or no worse beyond the noise" : "");
  }
  if (std::ranges::any_of(result.trials, &Trial::within_noise)) text += "~ no difference beyond the noise\n";
  return text;
}

std::string experiment_table_text(const ExperimentResult& result) {
  std::string text = fmt::format("{}: {}\n{}\n", row_of(result.kind).title, experiment_context(result),
                                 experiment_explanation(result));
  if (std::ranges::count(result.devices, Origin::kSimulated, &DeviceInfo::origin) > 0) {
    text += "Simulated latencies are computed by a model of the device, not measured on it.\n";
  }
  text += '\n' + aligned(experiment_rows(result));
  if (const std::string marks = experiment_marks(result); !marks.empty()) text += '\n' + marks;
  if (result.kind == ExperimentKind::kFrameworks) {
    if (result.matrix()) text += '\n' + means_text(result);
    if (!result.engines.empty()) text += '\n' + engines_text(result);
  }
  if (!result.complete) text += "stopped early: trials are missing, or were run once only\n";
  return text;
}

std::string experiment_csv(const ExperimentResult& result) {
  const bool one_device = result.devices.size() == 1;
  std::string text = "experiment,network";
  if (one_device) text += ",device";
  if (result.batch) text += ",batch";
  for (const Factor& factor : result.factors) text += ',' + factor.id;
  for (const Measure& measure : result.measures) text += ',' + measure.id;
  text += ",origin,best,within_noise\n";
  for (const Trial& trial : result.trials) {
    text += fmt::format("{},{}", row_of(result.kind).id, csv_field(result.network));
    if (one_device) text += ',' + csv_field(result.devices.front().id);
    if (result.batch) text += fmt::format(",{}", *result.batch);
    for (const std::string& level : trial.levels) text += ',' + csv_field(level);
    for (const auto& value : trial.values) text += value ? fmt::format(",{:.9g}", *value) : ",";
    text += fmt::format(",{},{},{}\n", origin_name(trial.origin), yes_or_no(trial.best), yes_or_no(trial.within_noise));
  }
  return text;
}

nlohmann::ordered_json experiment_json(const ExperimentResult& result) {
  Json json{{"experiment", row_of(result.kind).id}, {"network", result.network}, {"devices", Json::array()}};
  for (const DeviceInfo& device : result.devices) {
    json["devices"].push_back({{"id", device.id}, {"name", device.name}, {"origin", origin_name(device.origin)}});
  }
  if (result.batch) json["batch"] = *result.batch;
  if (result.method) json["method"] = *result.method == SearchMethod::kLazy ? "lazy" : "exhaustive";
  json["complete"] = result.complete;
  json["factors"] = Json::array();
  for (const Factor& factor : result.factors) json["factors"].push_back({{"id", factor.id}, {"title", factor.title}});
  json["measures"] = Json::array();
  for (const Measure& measure : result.measures) {
    json["measures"].push_back({{"id", measure.id}, {"title", measure.title}, {"unit", measure.unit}});
  }
  json["trials"] = Json::array();
  for (const Trial& trial : result.trials) {
    Json row;
    for (std::size_t f = 0; f < result.factors.size(); ++f) {
      const Factor& factor = result.factors[f];
      row[factor.id] = factor.number ? Json(std::stoll(trial.levels[f])) : Json(trial.levels[f]);
    }
    for (std::size_t m = 0; m < result.measures.size(); ++m) {
      row[result.measures[m].id] = trial.values[m] ? Json(*trial.values[m]) : Json();
    }
    row["origin"] = origin_name(trial.origin);
    row["best"] = trial.best;
    row["within_noise"] = trial.within_noise;
    for (const TrialPoint& point : trial.course) {
      row["course"].push_back({{"stages_needed", static_cast<std::int64_t>(point.x)}, {"cost_ms", point.y}});
    }
    json["trials"].push_back(std::move(row));
  }
  for (const EngineTrial& engine : result.engines) json["engines"].push_back(engine_json(engine));
  if (result.kind == ExperimentKind::kFrameworks && result.matrix()) {
    for (const EngineMean& mean : engine_means(result)) {
      json["means"].push_back({{"engine", mean.engine}, {"networks", mean.networks}, {"ratio", mean.ratio}});
    }
  }
  json["notices"] = result.notices;
  return json;
}

}  // namespace iosx
