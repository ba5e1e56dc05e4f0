#include "core/analysis/compare/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/analysis/compare/comparison.h"
#include "core/devices/measure/statistics.h"

namespace iosx {
namespace {

bool has_noise(const ComparedSchedule& row) { return !is_modelled(row.comparison->device.origin); }

Cell text_cell(std::string_view text) { return {verbatim(std::string(text))}; }
Cell count_cell(std::integral auto number) { return {count_value(number)}; }
Cell millis_cell(Millis time) { return {time.count()}; }
Cell bytes_cell(std::int64_t bytes) { return bytes > 0 ? Cell{bytes} : Cell{}; }

Cell unknown_cell() { return {.value = {}, .shown = Message(Sentence{"unknown"})}; }

Cell percentile_cell(const ScheduleResult& result, std::optional<Millis> Percentiles::*which) {
  const Percentiles told = percentiles_of(result.samples);
  if (const auto& value = told.*which) return millis_cell(*value);
  return {.value = {}, .mark = told.samples > 0 ? Message(Sentence{"few"}) : Message()};
}

// Returns the baseline of the speed-ups of a row; null where there is none.
const ScheduleResult* baseline_of(const ComparedSchedule& row, const ScheduleResult* chosen) {
  return chosen != nullptr ? chosen : row.comparison->find(ScheduleKind::kSequential);
}

std::optional<Speedup> speedup_of(const ComparedSchedule& row, const ScheduleResult* chosen) {
  const ScheduleResult* const baseline = baseline_of(row, chosen);
  if (baseline == nullptr || !row.comparison->knows_latencies()) return std::nullopt;
  const ScheduleResult& result = row.schedule();
  return speedup(baseline->latency, baseline->rounds, result.latency, result.rounds);
}

Cell speedup_cell(const ComparedSchedule& row, const ScheduleResult* chosen) {
  const auto ratio = speedup_of(row, chosen);
  if (!ratio || ratio->value <= 0) return {};
  Cell cell{ratio->value};
  if (&row.schedule() == baseline_of(row, chosen) || !has_noise(row)) return cell;
  if (!ratio->known()) cell.mark = verbatim(std::string(1, '?'));
  if (ratio->known() && ratio->within_noise()) cell.mark = verbatim(std::string(1, '~'));
  return cell;
}

Cell peak_cell(const ComparedSchedule& row) {
  Cell cell = bytes_cell(row.schedule().planned_bytes);
  if (!row.comparison->fits(row.schedule())) cell.mark = Sentence{"over the limit"};
  return cell;
}

using ScheduleColumn = Column<ComparedSchedule>;

std::vector<ScheduleColumn> schedule_columns(const ScheduleResult* baseline) {
  using Row = ComparedSchedule;
  // A schedule's document holds lists and names of its own for most columns: schedule_result_json(). A column with
  // place::kJson is added to it.
  constexpr unsigned kFlat = ~place::kJson;
  return {
      {{.id = "network", .places = place::kData},
       [](const Row& row) { return text_cell(row.comparison->graph->name()); }},
      {{.id = "device", .places = place::kData}, [](const Row& row) { return text_cell(row.comparison->device.id); }},
      {{.id = "batch", .kind = ColumnKind::kCount, .places = place::kData},
       [](const Row& row) { return count_cell(row.comparison->batch); }},
      {{.id = "schedule",
        .title = Sentence{"schedule"},
        .help = Sentence{"the fastest schedule is bold, and so are those that are as fast within the noise"},
        .places = kFlat},
       [](const Row& row) { return text_cell(row.schedule().id.text()); }},
      {{.id = "latency_ms",
        .title = Sentence{"latency"},
        .help = Sentence{"end to end, run alone; ± is the spread of a measured latency"},
        .kind = ColumnKind::kMillis,
        .places = kFlat},
       [](const Row& row) {
         return row.comparison->knows_latencies() ? latency_cell(row.schedule().latency) : unknown_cell();
       }},
      {{.id = "spread_ms", .kind = ColumnKind::kMillis, .places = place::kData},
       [](const Row& row) { return millis_cell(row.schedule().latency.spread); }},
      {{.id = "samples", .kind = ColumnKind::kCount, .places = place::kData},
       [](const Row& row) { return count_cell(row.schedule().latency.samples); }},
      {{.id = "p50_ms", .kind = ColumnKind::kMillis, .places = place::kData},
       [](const Row& row) { return percentile_cell(row.schedule(), &Percentiles::p50); }},
      {{.id = "p95_ms",
        .title = Sentence{"p95"},
        .help = message("95 % of the single runs took no longer; shown for {} runs or more", kLeastForP95),
        .kind = ColumnKind::kMillis,
        .shown_if = ShownIf::kKnown,
        .places = place::kText | place::kData},
       [](const Row& row) { return percentile_cell(row.schedule(), &Percentiles::p95); }},
      {{.id = "p99_ms",
        .title = Sentence{"p99"},
        .help = message("99 % of the single runs took no longer; shown for {} runs or more", kLeastForP99),
        .kind = ColumnKind::kMillis,
        .shown_if = ShownIf::kKnown,
        .places = place::kText | place::kData},
       [](const Row& row) { return percentile_cell(row.schedule(), &Percentiles::p99); }},
      {{.id = "baseline", .places = place::kData},
       [baseline](const Row& row) {
         const ScheduleResult* const against = baseline_of(row, baseline);
         return against == nullptr ? Cell{} : text_cell(against->id.text());
       }},
      {{.id = "speedup",
        .title = Sentence{"speed-up"},
        .help = Sentence{"latency of the baseline divided by this latency; ≈ means within the noise, ? means too few "
                         "runs to decide"},
        .kind = ColumnKind::kFactor,
        .places = kFlat},
       [baseline](const Row& row) { return speedup_cell(row, baseline); }},
      {{.id = "speedup_interval",
        .title = Sentence{"95 % interval"},
        .help = Sentence{"95 % confidence interval of the speed-up"},
        .kind = ColumnKind::kFactor,
        .interval = true,
        .shown_if = ShownIf::kKnown,
        .places = ~place::kWindow},
       [baseline](const Row& row) {
         const auto ratio = speedup_of(row, baseline);
         return ratio && ratio->known() && has_noise(row) ? Cell{ValueInterval{ratio->low, ratio->high}} : Cell{};
       }},
      {{.id = "within_noise", .places = place::kData},
       [baseline](const Row& row) {
         const auto ratio = speedup_of(row, baseline);
         return Cell{ratio.value_or(Speedup{0, 0, 0}).within_noise()};
       }},
      {{.id = "stage_sum_ms",
        .title = Sentence{"stage sum"},
        .help = Sentence{"sum of the latencies of the stages, each run alone"},
        .kind = ColumnKind::kMillis,
        .places = kFlat & ~place::kPage},
       [](const Row& row) {
         if (!row.comparison->knows_latencies()) return unknown_cell();
         return row.schedule().lanes ? Cell{} : millis_cell(row.schedule().stage_sum);
       }},
      {{.id = "stages",
        .title = Sentence{"stages"},
        .help = Sentence{"number of stages"},
        .kind = ColumnKind::kCount,
        .places = kFlat},
       [](const Row& row) {
         const ScheduleResult& result = row.schedule();
         if (!result.lanes) return count_cell(result.schedule.stages.size());
         return Cell{.value = count_value(0), .shown = message("{} lanes", result.plan.lane_count())};
       }},
      {{.id = "lanes", .kind = ColumnKind::kCount, .places = place::kData},
       [](const Row& row) { return count_cell(row.schedule().plan.lane_count()); }},
      {{.id = "planned_peak_bytes",
        .title = Sentence{"planned peak"},
        .help = Sentence{"planned peak of tensors, with inputs and outputs, without weights; not measured"},
        .kind = ColumnKind::kBytes,
        .shown_if = ShownIf::kKnown,
        .places = kFlat},
       peak_cell},
      {{.id = "over_limit", .places = place::kData},
       [](const Row& row) {
         const bool limited = row.comparison->memory_limit > 0;
         return limited ? Cell{!row.comparison->fits(row.schedule())} : Cell{};
       }},
      {{.id = "peak_bytes",
        .title = Sentence{"tensors"},
        .help = Sentence{"peak of tensors that the device reported, without weights"},
        .kind = ColumnKind::kBytes,
        .shown_if = ShownIf::kKnown,
        .places = place::kText | place::kPage | place::kData},
       [](const Row& row) { return bytes_cell(row.schedule().peak_bytes); }},
      {{.id = "origin",
        .title = Sentence{"origin"},
        .help = Sentence{"whether the latencies are simulated or measured"},
        .places = kFlat & ~place::kText},
       [](const Row& row) { return text_cell(origin_name(row.schedule().latency.origin)); }},
      {{.id = "recorded", .places = place::kData},
       [](const Row& row) { return text_cell(row.comparison->recorded.text()); }},
      {{.id = "search_seconds",
        .title = Sentence{"search"},
        .help = Sentence{"time that the search took on this computer"},
        .kind = ColumnKind::kSeconds,
        .places = kFlat & ~place::kPage},
       [](const Row& row) { return row.schedule().search ? Cell{row.schedule().search->elapsed.count()} : Cell{}; }},
      {{.id = "stages_needed",
        .title = Sentence{"stages needed"},
        .help = Sentence{"distinct stages whose latency the search needs. Each is measured once for all searches, and "
                         "not again if an earlier run stored it"},
        .kind = ColumnKind::kCount,
        .places = kFlat & ~place::kPage},
       [](const Row& row) { return row.schedule().search ? count_cell(row.schedule().search->tally.needed) : Cell{}; }},
      {{.id = "stages_measured",
        .title = Sentence{"stages measured"},
        .help = Sentence{"stages that the search measured; the others were known"},
        .kind = ColumnKind::kCount,
        .shown_if = ShownIf::kKnown,
        .places = place::kText | place::kData},
       [](const Row& row) {
         const auto& search = row.schedule().search;
         return search && has_noise(row) ? count_cell(search->tally.measured) : Cell{};
       }},
      {{.id = "verified",
        .title = Sentence{"verified"},
        .help = Sentence{"whether the outputs are those of the sequential schedule"},
        .shown_if = ShownIf::kKnown,
        .places = place::kText | place::kPage | place::kData},
       [](const Row& row) {
         const auto& verification = row.schedule().verification;
         if (!verification) return Cell{};
         const bool passed = verification->passed();
         return Cell{.value = passed, .shown = Message(passed ? Sentence{"yes"} : Sentence{"NO"})};
       }},
  };
}

void add_network_columns(std::vector<ScheduleColumn>& columns, const Graph& graph) {
  for (std::size_t i = 0; i < graph.networks().size(); ++i) {
    const std::string& name = graph.networks()[i];
    columns.push_back({{.id = name + "_ms",
                        .title = verbatim(name),
                        .help = message("own latency of {}: from the start of the run to its last kernel", name),
                        .kind = ColumnKind::kMillis,
                        .places = place::kWindow | place::kData},
                       [i](const ComparedSchedule& row) {
                         if (!row.comparison->knows_latencies()) return unknown_cell();
                         const auto times = network_times(*row.comparison->graph, row.schedule());
                         return i < times.size() ? millis_cell(times[i].ends) : Cell{};
                       }});
  }
}

std::vector<Column<ComparedSchedule>> stage_columns() {
  using Row = ComparedSchedule;
  const auto stage_of = [](const Row& row) -> const Stage& { return row.schedule().schedule.stages[row.stage]; };
  const auto latency_of = [](const Row& row) {
    const auto& all = row.schedule().stage_latencies;
    return row.stage < all.size() ? all[row.stage] : Latency{};
  };
  const auto groups_of = [stage_of](const Row& row) {
    return text_cell(groups_text(*row.comparison->graph, stage_of(row)));
  };
  constexpr unsigned kFlat = ~place::kJson;
  return {
      {{.id = "schedule", .places = place::kData}, [](const Row& row) { return text_cell(row.schedule().id.text()); }},
      {{.id = "stage",
        .title = Sentence{"stage"},
        .help = Sentence{"stages run one after another"},
        .kind = ColumnKind::kCount,
        .places = kFlat},
       [](const Row& row) { return count_cell(row.stage + 1); }},
      {{.id = "part",
        .title = Sentence{"part"},
        .help = Sentence{"part of the network"},
        .places = place::kPage | place::kData},
       [stage_of](const Row& row) {
         const Graph& graph = *row.comparison->graph;
         return text_cell(graph.part(graph.unit(stage_of(row).units().front()).part).name);
       }},
      {{.id = "strategy",
        .title = Sentence{"strategy"},
        .help = Sentence{"how the stage's units run"},
        .places = kFlat},
       [stage_of](const Row& row) {
         const Strategy strategy = strategy_of(*row.comparison->graph, stage_of(row));
         return Cell{.value = verbatim(std::string(strategy_name(strategy))),
                     .shown = strategy == Strategy::kMerge      ? Message(Sentence{"merge"})
                              : stage_of(row).groups.size() > 1 ? Message(Sentence{"concurrent"})
                                                                : Message(Sentence{"one group"})};
       }},
      {{.id = "groups", .kind = ColumnKind::kCount, .places = place::kData},
       [stage_of](const Row& row) { return count_cell(stage_of(row).groups.size()); }},
      {{.id = "units",
        .title = Sentence{"groups"},
        .help = Sentence{"units: → one after another, | side by side, + merged into one layer"},
        .places = kFlat & ~place::kText},
       groups_of},
      {{.id = "unit_count",
        .title = Sentence{"units"},
        .help = Sentence{"number of units"},
        .kind = ColumnKind::kCount,
        .places = place::kWindow | place::kData},
       [stage_of](const Row& row) { return count_cell(stage_of(row).units().size()); }},
      {{.id = "latency_ms",
        .title = Sentence{"latency"},
        .help = Sentence{"latency of the stage, run alone"},
        .kind = ColumnKind::kMillis,
        .places = kFlat},
       [latency_of, stage_of](const Row& row) {
         return row.comparison->knows_latency(stage_of(row)) ? millis_cell(latency_of(row).value) : unknown_cell();
       }},
      {{.id = "spread_ms", .kind = ColumnKind::kMillis, .places = place::kData},
       [latency_of](const Row& row) { return millis_cell(latency_of(row).spread); }},
      {{.id = "share",
        .title = Sentence{"share"},
        .help = Sentence{"share of the sum of all stage latencies"},
        .kind = ColumnKind::kShare,
        .places = kFlat},
       [latency_of](const Row& row) {
         const Millis sum = row.schedule().stage_sum;
         return sum > Millis(0) ? Cell{latency_of(row).value / sum} : Cell{};
       }},
      {{.id = "samples", .kind = ColumnKind::kCount, .places = place::kData},
       [latency_of](const Row& row) { return count_cell(latency_of(row).samples); }},
      {{.id = "origin", .places = place::kData},
       [latency_of](const Row& row) { return text_cell(origin_name(latency_of(row).origin)); }},
      {{.id = "recorded", .places = place::kData},
       [](const Row& row) { return text_cell(row.comparison->recorded.text()); }},
      // The longest text of a line is its last.
      {{.id = "groups_text", .title = Sentence{"groups"}, .places = place::kText}, groups_of},
  };
}

}  // namespace

Cell latency_cell(const Latency& latency) {
  Cell cell{latency.value.count()};
  const std::string spread = fmt::format("± {:.3f}", latency.spread.count());
  if (latency.spread > Millis(0)) cell.mark = verbatim(spread);
  return cell;
}

Table schedule_comparison(const std::vector<ComparedSchedule>& schedules, const ScheduleResult* baseline) {
  std::vector<ScheduleColumn> columns = schedule_columns(baseline);
  const Graph* const graph = schedules.empty() ? nullptr : schedules.front().comparison->graph.get();
  const bool one = std::ranges::all_of(
      schedules, [graph](const ComparedSchedule& row) { return row.comparison->graph.get() == graph; });
  if (graph != nullptr && one) add_network_columns(columns, *graph);
  return table_of(columns, schedules);
}

Table schedule_comparison(const Comparison& comparison, const ScheduleResult* baseline) {
  std::vector<ComparedSchedule> schedules;
  for (std::size_t i = 0; i < comparison.results.size(); ++i) schedules.push_back({&comparison, i});
  return schedule_comparison(schedules, baseline);
}

std::vector<ComparedSchedule> requested_schedules(const Comparison& comparison) {
  std::vector<ComparedSchedule> schedules;
  for (std::size_t i = 0; i < comparison.results.size(); ++i) {
    if (comparison.results[i].asked) schedules.push_back({&comparison, i});
  }
  return schedules;
}

Table stage_list(const std::vector<ComparedSchedule>& stages) { return table_of(stage_columns(), stages); }

Table stage_list(const Comparison& comparison, std::size_t result) {
  std::vector<ComparedSchedule> stages;
  if (result < comparison.results.size()) {
    const std::size_t count = comparison.results[result].schedule.stages.size();
    for (std::size_t i = 0; i < count; ++i) stages.push_back({&comparison, result, i});
  }
  return stage_list(stages);
}

Table stage_list(const Comparison& comparison) {
  std::vector<ComparedSchedule> stages;
  for (std::size_t i = 0; i < comparison.results.size(); ++i) {
    const ScheduleResult& result = comparison.results[i];
    if (!result.asked || result.lanes) continue;
    for (std::size_t stage = 0; stage < result.schedule.stages.size(); ++stage) {
      stages.push_back({&comparison, i, stage});
    }
  }
  return stage_list(stages);
}

Table own_latencies(const Comparison& comparison) {
  struct Row {
    Message schedule;
    std::vector<std::optional<Millis>> networks;
    std::optional<Millis> total = {};
  };
  const auto cell = [](const std::optional<Millis>& time) { return time ? millis_cell(*time) : Cell{}; };
  const Graph& graph = *comparison.graph;
  std::vector<Row> rows;
  if (auto alone = alone_times(comparison); !alone.empty()) rows.push_back({Sentence{"alone"}, std::move(alone)});
  for (const ScheduleResult& result : comparison.results) {
    const auto times = network_times(graph, result);
    if (!result.asked || times.empty()) continue;
    Row& row = rows.emplace_back(Row{verbatim(std::string(result.id.text())), {}, result.latency.value});
    for (const NetworkTime& time : times) row.networks.emplace_back(time.ends);
  }
  std::vector<Column<Row>> columns{
      {{.id = "schedule", .title = Sentence{"schedule"}}, [](const Row& row) { return Cell{row.schedule}; }}};
  for (std::size_t i = 0; i < graph.networks().size(); ++i) {
    columns.push_back({{.id = graph.networks()[i] + "_ms",
                        .title = verbatim(graph.networks()[i]),
                        .help = Sentence{"from the start of the run to the network's last kernel"},
                        .kind = ColumnKind::kMillis},
                       [i, cell](const Row& row) { return cell(row.networks[i]); }});
  }
  columns.push_back({{.id = "total_ms", .title = Sentence{"total"}, .kind = ColumnKind::kMillis},
                     [cell](const Row& row) { return cell(row.total); }});
  return table_of(columns, rows);
}

Table task_list(const Graph* graph, std::span<const SearchTask> tasks) {
  struct Row {
    const SearchTask& task;
    Millis all{0};  // what all parts of the task cost

    double times() const { return static_cast<double>(task.parts.size()); }
    Millis gain() const { return std::max(Millis(0), task.cost - task.least) * times(); }
  };
  Millis total{0};
  std::vector<Row> rows;
  // The cost is unknown where the stages known so far make no whole path.
  const auto known = [](const Row& row) { return std::isfinite(row.task.cost.count()); };
  for (const SearchTask& task : tasks) {
    Row& row = rows.emplace_back(Row{task, task.cost * static_cast<double>(task.parts.size())});
    if (known(row)) total += row.all;
  }
  const auto of_known = [known](auto value) {
    return [known, value](const Row& row) { return known(row) ? Cell{value(row)} : Cell{}; };
  };
  const auto share = [total](Millis time) { return total > Millis(0) ? time / total : 0.0; };
  const auto parts_cell = [graph](const Row& row) {
    std::vector<std::string> names;
    for (const PartId part : row.task.parts) names.push_back(graph->part(part).name);
    Cell cell{.value = verbatim(fmt::to_string(fmt::join(names, " "))),
              .sort_key = static_cast<double>(row.task.parts.front().index())};
    if (names.size() == 2) cell.shown = message("{} and {}", names.front(), names.back());
    if (names.size() > 2) cell.shown = message("{} and {} alike", names.front(), names.size() - 1);
    return cell;
  };
  const std::vector<Column<Row>> columns{
      {{.id = "parts",
        .title = Sentence{"parts"},
        .help = Sentence{"parts of the network; equal parts are searched once"}},
       parts_cell},
      {{.id = "times",
        .title = Sentence{"times"},
        .help = Sentence{"number of equal parts"},
        .kind = ColumnKind::kCount},
       [](const Row& row) { return count_cell(row.task.parts.size()); }},
      {{.id = "cost_ms",
        .title = Sentence{"cost"},
        .help = Sentence{"cost of one such part, with the best stages known so far"},
        .kind = ColumnKind::kMillis},
       of_known([](const Row& row) { return row.task.cost.count(); })},
      {{.id = "cost_share",
        .title = Sentence{"share"},
        .help = Sentence{"share of all these parts together in the time of the whole schedule"},
        .kind = ColumnKind::kShare},
       of_known([share](const Row& row) { return share(row.all); })},
      {{.id = "measured",
        .title = Sentence{"stages requested"},
        .help = Sentence{"stages of such a part that have a latency, out of all its stages"},
        .kind = ColumnKind::kCount},
       [](const Row& row) {
         return Cell{.value = count_value(row.task.measured), .mark = message("of {}", row.task.candidates)};
       }},
      {{.id = "gain_ms",
        .title = Sentence{"gain"},
        .help = Sentence{"largest gain of all these parts together, by estimate: if each unrequested stage took only "
                         "0.9 of its predicted latency. This is not a bound"},
        .kind = ColumnKind::kMillis},
       of_known([](const Row& row) { return row.gain().count(); })},
      {{.id = "gain_share",
        .title = Sentence{"gain"},
        .help = Sentence{"the same as a share of the time of the whole schedule. This is an estimate, not a bound"},
        .kind = ColumnKind::kShare},
       of_known([share](const Row& row) { return share(row.gain()); })},
  };
  return table_of(columns, rows);
}

Table network_list(const Comparison& comparison) {
  struct Row {
    std::string_view schedule;
    NetworkTime time;
  };
  const Graph& graph = *comparison.graph;
  std::vector<Row> rows;
  const auto alone = alone_times(comparison);
  for (std::size_t i = 0; i < alone.size(); ++i) {
    if (alone[i]) rows.push_back({"alone", {graph.networks()[i], Millis(0), *alone[i]}});
  }
  for (const ScheduleResult& result : comparison.results) {
    if (!result.asked) continue;
    for (NetworkTime& time : network_times(graph, result)) rows.push_back({result.id.text(), std::move(time)});
  }
  const std::string_view origin = origin_name(comparison.device.origin);
  const std::vector<Column<Row>> columns{
      {{.id = "schedule"}, [](const Row& row) { return text_cell(row.schedule); }},
      {{.id = "network"}, [](const Row& row) { return text_cell(row.time.name); }},
      {{.id = "begin_ms", .kind = ColumnKind::kMillis}, [](const Row& row) { return millis_cell(row.time.begins); }},
      {{.id = "latency_ms", .kind = ColumnKind::kMillis}, [](const Row& row) { return millis_cell(row.time.ends); }},
      {{.id = "origin"}, [origin](const Row& /*row*/) { return text_cell(origin); }},
  };
  return table_of(columns, rows);
}

Table sample_list(const Comparison& comparison) {
  struct Row {
    const ScheduleResult& result;
    Millis sample;
  };
  std::vector<Row> rows;
  for (const ScheduleResult& result : comparison.results) {
    if (!result.asked) continue;
    for (const Millis sample : result.samples) rows.push_back({result, sample});
  }
  const std::vector<Column<Row>> columns{
      {{.id = "schedule"}, [](const Row& row) { return text_cell(row.result.id.text()); }},
      {{.id = "latency_ms", .kind = ColumnKind::kMillis}, [](const Row& row) { return millis_cell(row.sample); }},
      {{.id = "origin"}, [](const Row& row) { return text_cell(origin_name(row.result.latency.origin)); }},
  };
  return table_of(columns, rows);
}

}  // namespace iosx
