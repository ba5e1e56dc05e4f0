#include "core/analysis/experiment/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace iosx {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSeconds = "Seconds are shown only for searches that found no earlier measurements.";

// A star where it is the best, a tilde where the difference is within the noise.
std::string marks_of(const Trial& trial) {
  return fmt::format("{}{}{}", trial.within_noise ? "~" : "", trial.within_noise && trial.best ? " " : "",
                     trial.best ? "*" : "");
}

// People read "latency ± spread", with a loss "+3.4 %", and the marks in one cell.
Cell matrix_cell(const ExperimentResult& result, const Trial* trial) {
  if (trial == nullptr) return {};
  std::vector<std::string> marks;
  const auto spread = result.value(*trial, "spread_ms");
  if (result.kind != ExperimentKind::kThroughput && !is_modelled(trial->origin) && spread) {
    marks.push_back(fmt::format("± {:.3f}", *spread));
  }
  if (const auto loss = result.value(*trial, "loss_percent")) marks.push_back(fmt::format("{:+.1f} %", *loss));
  if (std::string signs = marks_of(*trial); !signs.empty()) marks.push_back(std::move(signs));
  Cell cell;
  if (const auto value = trial->values.front()) cell.value = *value;
  cell.mark = verbatim(fmt::to_string(fmt::join(marks, " ")));
  return cell;
}

Message factor_title(const Factor& factor) { return Message::sentence(factor.title, {}); }

// A level of the second factor, where it is a device with its origin: "tesla-v100 (simulated)".
Message level_title(const ExperimentResult& result, const std::string& level) {
  const auto device = std::ranges::find(result.devices, level, &DeviceInfo::id);
  const bool names_device = result.kind == ExperimentKind::kDevices && device != result.devices.end();
  if (!names_device) return Message::sentence(level, {});
  return message("{} ({})", level, Message::sentence(origin_name(device->origin), {}));
}

Table matrix_table(const ExperimentResult& result) {
  std::vector<Column<std::string>> columns{{{.id = result.factors[0].id, .title = factor_title(result.factors[0])},
                                            [](const std::string& level) { return Cell{verbatim(level)}; }}};
  for (const std::string& of_second : result.levels(1)) {
    columns.push_back({{.id = of_second,
                        .title = level_title(result, of_second),
                        .kind = ColumnKind::kNumber,
                        .decimals = result.measures.front().decimals},
                       [&result, of_second](const std::string& level) {
                         return matrix_cell(result, result.find(level, of_second));
                       }});
  }
  return table_of(columns, result.levels(0));
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
  static const std::vector<Column<EngineMean>> columns{
      {{.id = "engine", .title = Sentence{"engine"}},
       [](const EngineMean& mean) { return Cell{verbatim(mean.engine)}; }},
      {{.id = "ratio", .title = Sentence{"times ours"}, .kind = ColumnKind::kFactor},
       [](const EngineMean& mean) { return Cell{mean.ratio}; }},
      {{.id = "networks", .title = Sentence{"networks"}, .kind = ColumnKind::kCount},
       [](const EngineMean& mean) { return Cell{count_value(mean.networks)}; }}};
  return text + table_text(table_of(columns, engine_means(result)));
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

// "inception_v3, simulated Tesla V100-SXM2, batch 1"; several devices all stand there, a batch that is varied does not.
std::string experiment_context(const ExperimentResult& result) {
  std::string text = result.network;
  for (const DeviceInfo& device : result.devices) {
    text += fmt::format(", {} {}", origin_name(device.origin), device.name);
  }
  if (result.batch) text += fmt::format(", batch {}", *result.batch);
  return text;
}

// Says what rows, columns and marks of the table mean, in a sentence or two.
std::string experiment_explanation(const ExperimentResult& result) {
  switch (result.kind) {
    case ExperimentKind::kSchedules:
      return "Speed-up is against sequential. Searches share what they measure. " + std::string(kSeconds);
    case ExperimentKind::kPruning:
      return fmt::format(
          "Every search is a separate {} search of IOS-Both: at most r units per group and s groups per stage, 0 = "
          "unlimited. {}",
          result.method == SearchMethod::kLazy ? "lazy" : "exhaustive", kSeconds);
    case ExperimentKind::kBatches:
      return "Rows: the batch that the schedule was found for; columns: the batch that ran. Latency [ms] and loss "
             "against the column's own schedule.";
    case ExperimentKind::kDevices:
      return "Rows: the device that the schedule was found on; columns: the device that ran it. Latency [ms] and loss "
             "against the column's own schedule.";
    case ExperimentKind::kThroughput: return "Samples per second by batch size.";
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

// Says what the marks in the table mean, a line each; empty where there are none.
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

}  // namespace

Table trial_list(const ExperimentResult& result) {
  using Row = Trial;
  std::vector<Column<Row>> columns{
      {{.id = "experiment", .places = place::kData},
       [&result](const Row& /*trial*/) { return Cell{verbatim(std::string(row_of(result.kind).id))}; }},
      {{.id = "network", .places = place::kData},
       [&result](const Row& /*trial*/) { return Cell{verbatim(result.network)}; }}};
  if (result.devices.size() == 1) {
    columns.push_back({{.id = "device", .places = place::kData},
                       [&result](const Row& /*trial*/) { return Cell{verbatim(result.devices.front().id)}; }});
  }
  if (result.batch) {
    columns.push_back({{.id = "batch", .kind = ColumnKind::kCount, .places = place::kData},
                       [&result](const Row& /*trial*/) { return Cell{count_value(*result.batch)}; }});
  }
  for (std::size_t f = 0; f < result.factors.size(); ++f) {
    const Factor& factor = result.factors[f];
    columns.push_back({{.id = factor.id, .title = factor_title(factor)}, [f, &factor](const Row& trial) {
                         const std::string& level = trial.levels[f];
                         Cell cell{verbatim(level)};
                         if (factor.number) cell = {.value = count_value(std::stoll(level)), .shown = verbatim(level)};
                         return cell;
                       }});
  }
  for (std::size_t m = 0; m < result.measures.size(); ++m) {
    const Measure& measure = result.measures[m];
    // Noise says nothing of what was simulated.
    const bool shown = result.measured() || !measure.noise;
    columns.push_back({{.id = measure.id,
                        .title = measure.title == "+-" ? Message(Sentence{"±"}) : Message::sentence(measure.title, {}),
                        .kind = ColumnKind::kNumber,
                        .unit = measure.unit,
                        .decimals = measure.decimals,
                        .places = shown ? place::kEverywhere : place::kDocuments},
                       [m](const Row& trial) {
                         Cell cell;
                         if (trial.values[m]) cell.value = *trial.values[m];
                         if (m == 0) cell.mark = verbatim(marks_of(trial));
                         return cell;
                       }});
  }
  columns.push_back({{.id = "origin", .places = place::kDocuments},
                     [](const Row& trial) { return Cell{verbatim(std::string(origin_name(trial.origin)))}; }});
  columns.push_back({{.id = "best", .places = place::kDocuments}, [](const Row& trial) { return Cell{trial.best}; }});
  columns.push_back(
      {{.id = "within_noise", .places = place::kDocuments}, [](const Row& trial) { return Cell{trial.within_noise}; }});
  return table_of(columns, result.trials);
}

Table experiment_table(const ExperimentResult& result) {
  return result.matrix() ? matrix_table(result) : trial_list(result);
}

std::string experiment_table_text(const ExperimentResult& result) {
  std::string text = fmt::format("{}: {}\n{}\n", row_of(result.kind).title, experiment_context(result),
                                 experiment_explanation(result));
  if (std::ranges::count(result.devices, Origin::kSimulated, &DeviceInfo::origin) > 0) {
    text += "Simulated latencies are computed by a model of the device, not measured on it.\n";
  }
  text += '\n' + table_text(experiment_table(result));
  if (const std::string marks = experiment_marks(result); !marks.empty()) text += '\n' + marks;
  if (result.kind == ExperimentKind::kFrameworks) {
    if (result.matrix()) text += '\n' + means_text(result);
    if (!result.engines.empty()) text += '\n' + engines_text(result);
  }
  if (!result.complete) text += "stopped early: trials are missing, or were run once only\n";
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
  const Table trials = trial_list(result);
  for (const Trial& trial : result.trials) {
    Json row = row_json(trials, json["trials"].size());
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
