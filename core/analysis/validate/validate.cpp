#include "core/analysis/validate/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/analysis/validate/published.h"
#include "core/devices/measure/latency_sources.h"
#include "core/model/plan/stage_planner.h"
#include "core/model/schedule/baselines.h"
#include "core/search/search.h"
#include "core/tables/render.h"

namespace iosx {
namespace {

constexpr double kTie = 1.01;  // published differences below this are no ranking

// Keeps the first error and does nothing after it, so that the code below reads as tables.
class Validator {
 public:
  Validator(const NetworkSource& networks, Device& v100, Device& k80, const ValidationOptions& options,
            const JobContext& job)
      : networks_(networks), v100_(v100), k80_(k80), options_(options), job_(job) {
    result_.device = v100.info().name;
  }

  Result<Validation> run() {
    compare_schedules();
    sample_network();
    batches();
    if (options_.searches) batch_specialisation();
    if (options_.searches) device_specialisation();
    if (error_) return tl::unexpected(*std::move(error_));
    if (job_.stopped()) return fail(message("validation was stopped"));
    return std::move(result_);
  }

 private:
  bool ended() const { return error_.has_value() || job_.stopped(); }

  template <typename T>
  T take(Result<T> result, T otherwise) {
    if (result) return *std::move(result);
    if (!error_) error_ = std::move(result.error());
    return otherwise;
  }

  const Graph* network(std::string_view name) {
    const auto at = graphs_.find(std::string(name));
    if (at != graphs_.end()) return &at->second;
    auto graph = networks_(name);
    if (!graph) {
      if (!error_) error_ = std::move(graph.error());
      return nullptr;
    }
    return &graphs_.emplace(std::string(name), *std::move(graph)).first->second;
  }

  // Found schedules are kept.
  Schedule schedule(ScheduleKind schedule_kind, const Graph& graph, Device& device, std::int64_t batch) {
    const ScheduleKindRow& row = row_of(schedule_kind);
    if (row.baseline()) return row.make_baseline(graph, kDefaultMaxStreams);
    const std::string_view name = row.id;
    const std::string key = fmt::format("{} {} {} {}", graph.name(), device.info().id, batch, name);
    const auto at = found_.find(key);
    if (at != found_.end()) return at->second;
    job_.report(message("searching {} for {} with batch {}", name, graph.name(), batch), 0, 0);
    SearchOptions options;
    options.method = SearchMethod::kExhaustive;  // what was published is the optimum
    options.strategies = row.strategies.value();
    auto latencies = source(graph, device, batch);
    auto searched = search(graph, *latencies, options, JobContext{job_.stop, {}});
    if (!searched) {
      if (!error_) error_ = std::move(searched.error());
      return one_by_one_schedule(graph);
    }
    return found_.emplace(key, std::move(searched->schedule)).first->second;
  }

  // One source for all searches of a network on a device, so that they share its answers.
  std::shared_ptr<LatencySource> source(const Graph& graph, Device& device, std::int64_t batch) {
    auto& known = sources_[fmt::format("{} {} {}", graph.name(), device.info().id, batch)];
    if (!known) known = std::make_shared<DeviceLatencySource>(graph, device, batch);
    return known;
  }

  RunResult run(const Graph& graph, const Schedule& schedule, Device& device, std::int64_t batch, bool trace = false) {
    return take(load_and_run(device, StagePlanner(graph, batch, device.info().lowering).plan(schedule),
                             RunOptions{.trace = trace}, job_),
                RunResult{});
  }

  double end_to_end(const Graph& graph, ScheduleKind schedule_kind, Device& device, std::int64_t batch) {
    return run(graph, schedule(schedule_kind, graph, device, batch), device, batch).latency.value.count();
  }

  void row(std::string section, std::string what, double published_ms, double simulated_ms) {
    if (!ended()) result_.rows.push_back({std::move(section), std::move(what), published_ms, simulated_ms});
  }

  void compare_schedules() {
    for (const published::NetworkRow& published : published::kNetworks) {
      if (std::ranges::find(options_.compared, published.network) == options_.compared.end()) continue;
      const Graph* graph = network(published.network);
      std::vector<double> simulated;
      for (std::size_t i = 0; i < published::kSchedules.size() && !ended(); ++i) {
        const ScheduleKindRow& schedule_kind = row_of(published::kSchedules[i]);
        if (!options_.searches && schedule_kind.strategies) break;
        simulated.push_back(end_to_end(*graph, schedule_kind.schedule_kind, v100_, 1));
        row("schedules", fmt::format("{}, {}", published.network, schedule_kind.id), published.by_schedule[i],
            simulated.back());
      }
      for (std::size_t i = 0; i < simulated.size(); ++i) {
        for (std::size_t j = 0; j < simulated.size(); ++j) rank(published, simulated, i, j);
      }
    }
  }

  void rank(const published::NetworkRow& published, const std::vector<double>& simulated, std::size_t faster,
            std::size_t slower) {
    const double ratio = published.by_schedule[slower] / published.by_schedule[faster];
    if (ratio < kTie) return;
    result_.rankings.push_back(
        Ranking{std::string(published.network), std::string(row_of(published::kSchedules[faster]).id),
                std::string(row_of(published::kSchedules[slower]).id), ratio, simulated[slower] / simulated[faster]});
  }

  // a, b | c, d | concat: the schedule that the paper draws.
  static Schedule published_sample_schedule(const Graph& graph) {
    const auto units = [](std::initializer_list<std::size_t> ids) {
      Stage stage;
      for (const std::size_t id : ids) stage.groups.push_back(Group{{Step{{UnitId(id)}}}});
      return stage;
    };
    return Schedule{"published", graph.units().size() == 5 ? std::vector{units({0, 1}), units({2, 3}), units({4})}
                                                           : one_by_one_schedule(graph).stages};
  }

  void sample_network() {
    const Graph* graph = network("sample");
    if (ended()) return;
    const RunResult sequential = run(*graph, one_by_one_schedule(*graph), v100_, 1, true);
    const RunResult ios = run(*graph, published_sample_schedule(*graph), v100_, 1, true);
    const auto add = [&](std::string_view name, const RunResult& run, auto published, double published_ms) {
      for (std::size_t i = 0; i < published.size() && i < run.stage_latencies.size(); ++i) {
        row("sample network", fmt::format("{}, stage {}", name, i + 1), published[i],
            run.stage_latencies[i].value.count());
      }
      row("sample network", fmt::format("{}, end to end", name), published_ms, run.latency.value.count());
    };
    add(row_of(ScheduleKind::kOneByOne).id, sequential, published::kSampleSequentialStages,
        published::kSampleSequential);
    add("published IOS schedule", ios, published::kSampleIosStages, published::kSampleIos);
    result_.published_warp_ratio = published::kSampleWarpRatio;
    const double before = mean_warps(sequential.trace);
    result_.simulated_warp_ratio = before > 0 ? mean_warps(ios.trace) / before : 0;
  }

  static double mean_warps(const Trace& trace) {
    return trace.counters.empty() ? 0 : trace.counters.front().mean(Micros(0), trace.duration);
  }

  void batches() {
    const Graph* graph = network("inception_v3");
    for (const published::BatchRow& published : published::kInceptionBatches) {
      if (ended()) return;
      const auto what = [&](ScheduleKind schedule_kind) {
        return fmt::format("batch {}, {}", published.batch, row_of(schedule_kind).id);
      };
      row("inception_v3 by batch", what(ScheduleKind::kOneByOne), published.sequential,
          end_to_end(*graph, ScheduleKind::kOneByOne, v100_, published.batch));
      if (!options_.searches) continue;
      row("inception_v3 by batch", what(ScheduleKind::kIosBoth), published.ios,
          end_to_end(*graph, ScheduleKind::kIosBoth, v100_, published.batch));
    }
  }

  void batch_specialisation() {
    const Graph* graph = network("inception_v3");
    for (std::size_t i = 0; i < published::kSpecialised.size(); ++i) {
      for (std::size_t j = 0; j < published::kSpecialised.size() && !ended(); ++j) {
        const std::int64_t batch = published::kSpecialised[i];
        const Schedule found = schedule(ScheduleKind::kIosBoth, *graph, v100_, published::kSpecialised[j]);
        row("batch specialisation", fmt::format("run with {}, optimised for {}", batch, published::kSpecialised[j]),
            published::kBatchSpecialisation[i][j], run(*graph, found, v100_, batch).latency.value.count());
      }
    }
  }

  void device_specialisation() {
    const Graph* graph = network("inception_v3");
    const std::array<Device*, 2> devices{&k80_, &v100_};
    for (std::size_t i = 0; i < devices.size(); ++i) {
      for (std::size_t j = 0; j < devices.size() && !ended(); ++j) {
        const Schedule found = schedule(ScheduleKind::kIosBoth, *graph, *devices[j], 1);
        row("device specialisation",
            fmt::format("run on {}, optimised for {}", published::kDevices[i], published::kDevices[j]),
            published::kDeviceSpecialisation[i][j], run(*graph, found, *devices[i], 1).latency.value.count());
      }
    }
  }

  const NetworkSource& networks_;
  Device& v100_;
  Device& k80_;
  const ValidationOptions& options_;
  const JobContext& job_;
  std::map<std::string, Graph> graphs_;
  std::map<std::string, Schedule> found_;
  std::map<std::string, std::shared_ptr<LatencySource>> sources_;
  std::optional<Error> error_;
  Validation result_;
};

double mean_of(const std::vector<ValidationRow>& rows, std::string_view section) {
  double sum = 0;
  std::size_t count = 0;
  for (const ValidationRow& row : rows) {
    if (!section.empty() && row.section != section) continue;
    sum += std::abs(row.relative_error());
    ++count;
  }
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

Cell text_cell(const std::string& text) { return {verbatim(text)}; }

Table errors_table(const std::vector<OperatorErrors>& errors) {
  using Row = OperatorErrors;
  const auto share = [](const char* id, const char* title, double Row::*value) {
    return Column<Row>{{.id = id, .title = in_english(title), .kind = ColumnKind::kShare},
                       [value](const Row& row) { return Cell{row.*value}; }};
  };
  const std::vector<Column<Row>> columns{
      {{.id = "device", .title = in_english("device")}, [](const Row& row) { return text_cell(row.device); }},
      {{.id = "kind", .title = in_english("kind")}, [](const Row& row) { return text_cell(row.kind); }},
      {{.id = "precision", .title = in_english("precision")}, [](const Row& row) { return text_cell(row.precision); }},
      {{.id = "rows", .title = in_english("rows"), .kind = ColumnKind::kCount},
       [](const Row& row) { return Cell{count_value(row.rows)}; }},
      share("mape", "mean error", &Row::mape),
      share("median", "median", &Row::median),
      share("within_25_percent", "within 25 %", &Row::within_25)};
  return table_of(columns, errors);
}

Table rows_table(const Validation& validation) {
  using Row = ValidationRow;
  const auto millis = [](const char* id, const char* title, double Row::*value) {
    return Column<Row>{{.id = id, .title = in_english(title), .kind = ColumnKind::kMillis, .decimals = 4},
                       [value](const Row& row) { return Cell{row.*value}; }};
  };
  const std::vector<Column<Row>> columns{
      {{.id = "section", .title = in_english("section")}, [](const Row& row) { return text_cell(row.section); }},
      {{.id = "what", .title = in_english("what")}, [](const Row& row) { return text_cell(row.what); }},
      millis("published_ms", "published", &Row::published_ms),
      millis("simulated_ms", "simulated", &Row::simulated_ms),
      {{.id = "relative_error", .title = in_english("error"), .kind = ColumnKind::kShare, .difference = true},
       [](const Row& row) { return Cell{row.relative_error()}; }}};
  return table_of(columns, validation.rows);
}

Table sections_table(const Validation& validation) {
  const std::vector<Column<std::string>> columns{
      {{.id = "section", .title = in_english("section")},
       [](const std::string& section) { return text_cell(section); }},
      {{.id = "mean_error", .title = in_english("mean absolute error"), .kind = ColumnKind::kShare},
       [&](const std::string& section) { return Cell{validation.mean_error(section)}; }}};
  return table_of(columns, validation.sections());
}

Table rankings_table(const Validation& validation) {
  using Row = Ranking;
  const std::vector<Column<Row>> columns{
      {{.id = "network", .title = in_english("network")}, [](const Row& row) { return text_cell(row.network); }},
      {{.id = "faster", .title = in_english("faster")}, [](const Row& row) { return text_cell(row.faster); }},
      {{.id = "slower", .title = in_english("slower")}, [](const Row& row) { return text_cell(row.slower); }},
      {{.id = "published_ratio", .title = in_english("published"), .kind = ColumnKind::kFactor},
       [](const Row& row) { return Cell{row.published_ratio}; }},
      {{.id = "simulated_ratio", .title = in_english("simulated"), .kind = ColumnKind::kFactor},
       [](const Row& row) { return Cell{row.simulated_ratio}; }},
      {{.id = "reproduced", .title = in_english("reproduced")}, [](const Row& row) { return Cell{row.reproduced()}; }}};
  return table_of(columns, validation.rankings);
}

struct CapturedLine {
  CapturedRow fitted;
  std::optional<CapturedRow> held_out;
  std::optional<CapturedRow> known;
};

std::vector<CapturedLine> lines_of(const CapturedValidation& captured) {
  std::vector<CapturedLine> lines;
  const auto same_in = [](const CapturedTable& table, const CapturedRow& row) -> std::optional<CapturedRow> {
    for (const CapturedRow& other : table.rows) {
      if (other.network == row.network && other.schedule == row.schedule) return other;
    }
    return std::nullopt;
  };
  for (const CapturedTable* table : {&captured.fitted, &captured.untimed}) {
    for (const CapturedRow& row : table->rows) {
      lines.push_back({row, same_in(captured.held_out, row), same_in(captured.held_out_known, row)});
    }
  }
  return lines;
}

Table captured_table(const CapturedValidation& captured) {
  using Row = CapturedLine;
  const auto share = [](const char* id, const char* title, auto made) {
    return Column<Row>{{.id = id, .title = in_english(title), .kind = ColumnKind::kShare, .difference = true},
                       [made](const Row& row) {
                         const std::optional<CapturedRow> simulated = made(row);
                         return simulated ? Cell{simulated->simulated_us / row.fitted.measured_us - 1} : Cell{};
                       }};
  };
  const auto factor = [](const char* id, const char* title, auto of) {
    return Column<Row>{{.id = id, .title = in_english(title), .kind = ColumnKind::kFactor}, [of](const Row& row) {
                         return row.held_out && of(*row.held_out) > 0 ? Cell{of(*row.held_out)} : Cell{};
                       }};
  };
  const std::vector<Column<Row>> columns{
      {{.id = "network", .title = in_english("network")}, [](const Row& row) { return text_cell(row.fitted.network); }},
      {{.id = "schedule", .title = in_english("schedule")},
       [](const Row& row) { return text_cell(row.fitted.schedule); }},
      {{.id = "measured_ms", .title = in_english("measured"), .kind = ColumnKind::kMillis, .decimals = 4},
       [](const Row& row) { return Cell{row.fitted.measured_us / 1000}; }},
      share("fitted_error", "fitted", [](const Row& row) { return std::optional(row.fitted); }),
      share("held_out_error", "held out", [](const Row& row) { return row.held_out; }),
      share("held_out_known_error", "held out, own families known", [](const Row& row) { return row.known; }),
      factor("gain", "gain", [](const CapturedRow& row) { return row.measured_gain; }),
      factor("held_out_gain_low", "held out from", [](const CapturedRow& row) { return row.gain_low; }),
      factor("held_out_gain_high", "to", [](const CapturedRow& row) { return row.gain_high; })};
  return table_of(columns, lines_of(captured));
}

std::string captured_text(const CapturedValidation& captured) {
  std::string text = "\ncaptured launches as a GPU ran them\n" + table_text(captured_table(captured));
  const auto line = [&](const char* what, const CapturedTable& table) {
    text += fmt::format(
        "{}: latencies off by {:.1f} %, gains by {:.1f} %, pairs in order: {} of {}, "
        "gains in their interval: {} of {}\n",
        what, 100 * table.score.latency_error, 100 * table.score.gain_error, table.score.pairs_right, table.score.pairs,
        table.score.gains_within, table.score.gains);
  };
  line("fitted to all networks", captured.fitted);
  line("each network by constants of the others", captured.held_out);
  line("the same, families that only it has known", captured.held_out_known);
  line("networks without recorded launches", captured.untimed);
  return text;
}

nlohmann::ordered_json score_json(const CapturedScore& score) {
  return {{"latency_error", score.latency_error}, {"gain_error", score.gain_error},
          {"pairs_right", score.pairs_right},     {"pairs", score.pairs},
          {"gains_within", score.gains_within},   {"gains", score.gains}};
}

nlohmann::ordered_json captured_json(const CapturedValidation& captured) {
  nlohmann::ordered_json json{{"fitted", score_json(captured.fitted.score)},
                              {"held_out", score_json(captured.held_out.score)},
                              {"held_out_known", score_json(captured.held_out_known.score)},
                              {"without_launches", score_json(captured.untimed.score)},
                              {"rows", table_json(captured_table(captured))}};
  for (const auto& [network, constants] : captured.folds) {
    nlohmann::ordered_json& fold = json["held_out"]["networks"][network];
    fold = score_json(score_of(captured.held_out.rows, network));
    fold["constants"] = nlohmann::ordered_json::parse(constants);
  }
  return json;
}

std::string operators_text(const OperatorValidation& operators) {
  std::string text = "\nmeasured operators\n" + table_text(errors_table(operators.errors)) + "\nby size\n" +
                     table_text(errors_table(operators.sizes));
  if (operators.skipped > 0) {
    text +=
        fmt::format("left out: {} rows of devices, formats or sessions that are not simulated\n", operators.skipped);
  }
  return text;
}

}  // namespace

double Validation::mean_error() const { return mean_of(rows, {}); }
double Validation::mean_error(std::string_view section) const { return mean_of(rows, section); }

std::size_t Validation::reproduced_rankings() const {
  return static_cast<std::size_t>(std::ranges::count_if(rankings, &Ranking::reproduced));
}

std::vector<std::string> Validation::sections() const {
  std::vector<std::string> names;
  for (const ValidationRow& row : rows) {
    if (std::ranges::find(names, row.section) == names.end()) names.push_back(row.section);
  }
  return names;
}

Result<Validation> validate(const NetworkSource& networks, Device& v100, Device& k80, const ValidationOptions& options,
                            const JobContext& job) {
  return Validator(networks, v100, k80, options, job).run();
}

std::string validation_table(const Validation& validation) {
  std::string text = fmt::format("Simulated {} against the published measurements\n\n", validation.device);
  text += table_text(rows_table(validation)) + '\n' + table_text(sections_table(validation));
  text += "\nwhich schedule is faster (published differences of 1 % and more)\n";
  text += table_text(rankings_table(validation));
  text += fmt::format("\nactive warps of the sample network, IOS over sequential: published {:.2f}, simulated {:.2f}\n",
                      validation.published_warp_ratio, validation.simulated_warp_ratio);
  text += fmt::format("mean absolute relative error: {:.1f} % over {} latencies; rankings reproduced: {} of {}\n",
                      100 * validation.mean_error(), validation.rows.size(), validation.reproduced_rankings(),
                      validation.rankings.size());
  if (!validation.operators.errors.empty()) text += operators_text(validation.operators);
  if (!validation.captured.fitted.rows.empty()) text += captured_text(validation.captured);
  return text;
}

std::string validation_json(const Validation& validation) {
  using Json = nlohmann::ordered_json;
  const Json document{{"device", validation.device},
                      {"mean_absolute_relative_error", validation.mean_error()},
                      {"rankings_reproduced", validation.reproduced_rankings()},
                      {"rankings_published", validation.rankings.size()},
                      {"sample_active_warp_ratio", Json{{"published", validation.published_warp_ratio},
                                                        {"simulated", validation.simulated_warp_ratio}}},
                      {"rows", table_json(rows_table(validation))},
                      {"rankings", table_json(rankings_table(validation))},
                      {"operators", table_json(errors_table(validation.operators.errors))},
                      {"operators_by_size", table_json(errors_table(validation.operators.sizes))},
                      {"operators_left_out", validation.operators.skipped},
                      {"captured", captured_json(validation.captured)}};
  return document.dump(2);
}

}  // namespace iosx
