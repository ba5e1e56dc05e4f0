#include "core/documents/html/page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "core/analysis/compare/report.h"
#include "core/analysis/difference/difference_report.h"
#include "core/analysis/difference/part_matrix.h"
#include "core/base/text.h"
#include "core/devices/measure/statistics.h"
#include "core/documents/report/comparison_files.h"
#include "core/formats/external/match.h"
#include "core/model/graph/operator_table.h"
#include "core/model/graph/work.h"
#include "core/tables/render.h"

namespace iosx::html {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostEntries =
    5000;  // of an external run, the longest: more make the page slow, and tell no more

// Returns what the box of a unit has for its heaviest operator: "3×3" of a usual convolution, "pool".
std::string mark_of(const Attributes& attributes) {
  switch (operator_class(attributes)) {
    case OperatorClass::kConv1x1:
    case OperatorClass::kConv3x3:
    case OperatorClass::kConvLine:
    case OperatorClass::kConvOther: {
      const Extent& kernel = std::get<Conv>(attributes).kernel;
      return fmt::format("{}×{}", kernel.height, kernel.width);
    }
    case OperatorClass::kDepthwiseConv: return "dw";
    default: return std::string(operator_row(attributes).mark);
  }
}

double rounded(double value, double steps) { return std::round(value * steps) / steps; }
double micros(Micros time) { return rounded(time.count(), 1e3); }
double millis(Millis time) { return rounded(time.count(), 1e7); }
Json known(std::optional<Millis> time) { return time ? Json(millis(*time)) : Json(); }

// Numbers units over all graphs: those of the baseline's graph first, then those that only others have.
class Units {
 public:
  Units(const std::vector<Subject>& subjects, std::size_t baseline, std::span<const GraphMatch> matches)
      : base_(subjects[baseline].graph()) {
    for (const Part& part : base_.parts()) parts_.push_back(printable(part.name));
    for (std::size_t i = 0; i < base_.units().size(); ++i) add(base_, UnitId(i), subjects[baseline]);
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      const Graph& graph = subjects[i].graph();
      std::vector<std::size_t>& numbers = numbers_[&graph];
      if (!numbers.empty()) continue;
      for (std::size_t u = 0; u < graph.units().size(); ++u) {
        const UnitId twin = &graph == &base_ ? UnitId(u) : matches[i].units_in_a[u];
        numbers.push_back(twin.valid() ? twin.index() : add(graph, UnitId(u), subjects[i]));
      }
    }
  }

  std::size_t number(const Graph& graph, UnitId unit) const { return numbers_.at(&graph)[unit.index()]; }
  std::size_t part(std::size_t number) const { return part_of_[number]; }
  Json units() const { return units_; }
  Json parts() const { return parts_; }

  Json edges() const {
    Json list = Json::array();
    for (std::size_t i = 0; i < base_.units().size(); ++i) {
      for (const UnitId next : base_.successors(UnitId(i))) {
        list.push_back(i);
        list.push_back(next.index());
      }
    }
    return list;
  }

 private:
  // Adds [name, type, class, part, MFLOP, mark, 1 if it is several layers merged in the network's file].
  std::size_t add(const Graph& graph, UnitId id, const Subject& subject) {
    const Unit& unit = graph.unit(id);
    const double flops = work(graph, id, subject.comparison->batch).flops;
    const Attributes& attributes = graph.op(dominant_operator(graph, id)).attributes;
    std::string type(kind_name(attributes));
    if (!unit.hint.empty()) type = printable(unit.hint) + ": " + type;
    std::size_t part = unit.part.index();
    if (&graph != &base_) {
      const std::string name = printable(graph.part(unit.part).name);
      part = static_cast<std::size_t>(std::ranges::find(parts_, name) - parts_.begin());
      if (part == parts_.size()) parts_.push_back(name);
    }
    units_.push_back({printable(unit.name), type, static_cast<int>(operator_class(attributes)), part,
                      rounded(flops / 1e6, 1e3), mark_of(attributes), is_merged(attributes) ? 1 : 0});
    part_of_.push_back(part);
    return part_of_.size() - 1;
  }

  const Graph& base_;
  std::map<const Graph*, std::vector<std::size_t>> numbers_;
  Json units_ = Json::array();
  std::vector<std::string> parts_;
  std::vector<std::size_t> part_of_;
};

// Stores repeated texts once each.
class Texts {
 public:
  std::size_t index(const std::string& text) {
    const auto [found, made] = places_.emplace(text, list_.size());
    if (made) list_.push_back(printable(text));
    return found->second;
  }
  const std::vector<std::string>& list() const { return list_; }

 private:
  std::unordered_map<std::string, std::size_t> places_;
  std::vector<std::string> list_;
};

// Returns [name, lane, stage, begin, duration, units, class, 1 if several layers are merged] of every kernel, µs.
Json trace_json(const Subject& subject, const Units& units) {
  const ScheduleResult& result = subject.schedule();
  Texts names;
  Json kernels = Json::array();
  for (const KernelSpan& span : result.trace.kernels) {
    const Kernel& kernel = result.plan.kernel(span.kernel);
    Json of = Json::array();
    for (const UnitId unit : kernel.units) of.push_back(units.number(subject.graph(), unit));
    kernels.push_back({names.index(span.name), span.lane, span.stage, micros(span.begin), micros(span.end - span.begin),
                       std::move(of), static_cast<int>(operator_class(kernel.attributes)), kernel.merged() ? 1 : 0});
  }
  Json stages = Json::array();
  if (!result.lanes) {  // without barriers they overlap
    for (const StageSpan& span : result.trace.stages) stages.push_back({micros(span.begin), micros(span.end)});
  }
  return {{"lanes", result.trace.lanes},
          {"us", micros(result.trace.duration)},
          {"src", printable(result.trace.source)},
          {"names", names.list()},
          {"k", std::move(kernels)},
          {"st", std::move(stages)}};
}

// {s: strategy, p: part, ms, sd: spread, g: groups of steps of units}; ms is null where stages were not timed.
Json stages_of(const Subject& subject, const Units& units) {
  const ScheduleResult& result = subject.schedule();
  Json list = Json::array();
  for (std::size_t i = 0; i < result.schedule.stages.size(); ++i) {
    const Stage& stage = result.schedule.stages[i];
    Json groups = Json::array();
    for (const Group& group : stage.groups) {
      Json steps = Json::array();
      for (const Step& step : group.steps) {
        Json of = Json::array();
        for (const UnitId unit : step.units) of.push_back(units.number(subject.graph(), unit));
        steps.push_back(std::move(of));
      }
      groups.push_back(std::move(steps));
    }
    const std::size_t first = units.number(subject.graph(), stage.groups.front().steps.front().units.front());
    const bool timed = subject.has_stages() && subject.comparison->knows_latency(stage);
    list.push_back({{"s", strategy_name(strategy_of(subject.graph(), stage))},
                    {"p", units.part(first)},
                    {"ms", timed ? Json(millis(result.stage_latencies[i].value)) : Json()},
                    {"sd", timed ? millis(result.stage_latencies[i].spread) : 0.0},
                    {"g", std::move(groups)}});
  }
  return list;
}

Json schedule_json(const Subject& subject, std::size_t run, const Units& units) {
  const ScheduleResult& result = subject.schedule();
  const SubjectStatistics statistics = statistics_of(subject);
  const bool is_known = subject.comparison->knows_latencies();
  return {{"run", run},
          {"id", result.id.text()},
          {"label", printable(subject.label)},
          {"role", static_cast<int>(row_of(result.schedule_kind).color)},
          {"ms", is_known ? Json(millis(result.latency.value)) : Json()},
          {"spread", is_known ? millis(result.latency.spread) : 0.0},
          {"n", result.latency.samples},
          {"mean", known(statistics.mean)},
          {"sum", millis(result.stage_sum)},
          {"between", millis(result.between_stages)},
          {"stages", stages_of(subject, units)},
          {"table", page_table(stage_list(*subject.comparison, subject.result))},
          {"over", !subject.fits()},
          {"chose", result.lanes ? Json(result.plan.lane_count()) : Json()},
          {"trace", trace_json(subject, units)}};
}

// Returns [ms, Δ ms, noise or null, verdict].
Json cell(Millis latency, const Delta& delta) {
  return {millis(latency), millis(delta.value), known(delta.noise), verdict_name(delta.verdict())};
}

// Returns the units of each row, by the page's numbers.
std::vector<std::vector<std::size_t>> units_of_rows(const PartMatrix& matrix, const std::vector<Subject>& subjects,
                                                    const Units& units) {
  std::vector<std::vector<std::size_t>> rows;
  for (const PartRow& row : matrix.rows) {
    std::vector<std::size_t>& of = rows.emplace_back();
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      for (const UnitId unit : row.cells[i].units) of.push_back(units.number(subjects[i].graph(), unit));
    }
    std::ranges::sort(of);
    of.erase(std::unique(of.begin(), of.end()), of.end());
  }
  return rows;
}

Json matrix_of(const PartMatrix& matrix, const std::vector<Subject>& subjects,
               const std::vector<std::vector<std::size_t>>& row_units) {
  Json rows = Json::array();
  for (std::size_t r = 0; r < matrix.rows.size(); ++r) {
    const PartRow& row = matrix.rows[r];
    Json cells = Json::array();
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const bool shown = matrix.has_times[i] && !row.cells[i].empty();
      cells.push_back(shown ? cell(row.cells[i].latency, row.cells[i].delta) : Json());
    }
    rows.push_back({{"name", printable(row.name)}, {"units", row_units[r]}, {"cells", std::move(cells)}});
  }
  Json whole = Json::array();
  for (std::size_t i = 0; i < matrix.whole.size(); ++i) {
    const WholeDifference& one = matrix.whole[i];
    whole.push_back(subjects[i].comparison->knows_latencies() ? cell(one.b, one.delta) : Json());
  }
  const auto list = [](const std::vector<Millis>& times) {
    Json out = Json::array();
    for (const Millis time : times) out.push_back(millis(time));
    return out;
  };
  return {{"baseline", matrix.baseline}, {"sample", matrix.per == Per::kSample},   {"rows", std::move(rows)},
          {"known", matrix.has_times},   {"between", list(matrix.between_stages)}, {"rest", list(matrix.rest)},
          {"whole", std::move(whole)}};
}

// Returns the stages of each schedule against those of the baseline: {table: page_table(), units: of each of its rows};
// null of the baseline, and where nobody timed the stages of both.
Json comparisons_of(const std::vector<Subject>& subjects, const PartMatrix& matrix, std::span<const GraphMatch> matches,
                    const Units& units) {
  Json list = Json::array();
  const Subject& a = subjects[matrix.baseline];
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    list.emplace_back();
    if (i == matrix.baseline) continue;
    const Subject& b = subjects[i];
    const StageDifference difference = compare_stages(a, b, matches[i], matrix.per);
    if (!difference.has_latencies) continue;
    Json of_rows = Json::array();
    for (const StageRow& row : difference.rows) {
      std::vector<std::size_t> of;
      for (const UnitId unit : row.units_a) of.push_back(units.number(a.graph(), unit));
      for (const UnitId unit : row.units_b) of.push_back(units.number(b.graph(), unit));
      std::ranges::sort(of);
      of.erase(std::unique(of.begin(), of.end()), of.end());
      of_rows.push_back(std::move(of));
    }
    list.back() = {{"table", page_table(stage_comparison(a, b, difference))}, {"units", std::move(of_rows)}};
  }
  return list;
}

// Returns entries: [name, type, ms, rule, units]; k: [entry, lane, begin, duration], µs; parts: ms a row of the matrix.
Json beside_of(ExternalRun run, const Subject& base, const Units& units,
               const std::vector<std::vector<std::size_t>>& row_units) {
  const Graph& graph = base.graph();
  match_operators(run, graph);
  std::vector<std::size_t> order(run.entries.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  if (order.size() > kMostEntries) {
    std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return run.entries[i].duration; });
    order.resize(kMostEntries);
    std::ranges::sort(order);
    run.notices.push_back(message("the page shows the {} longest of its {} kernels", kMostEntries, run.entries.size()));
  }
  std::unordered_map<std::size_t, std::size_t> place;
  Json entries = Json::array();
  for (const std::size_t i : order) {
    const ExternalEntry& entry = run.entries[i];
    std::vector<std::size_t> of;
    for (const OperatorId id : entry.match.operators) {
      if (graph.op(id).unit.valid()) of.push_back(units.number(graph, graph.op(id).unit));
    }
    std::ranges::sort(of);
    of.erase(std::unique(of.begin(), of.end()), of.end());
    place.emplace(i, entries.size());
    entries.push_back({printable(entry.name), printable(entry.type), millis(entry.duration),
                       rule_name(entry.match.rule), std::move(of)});
  }
  Json kernels = Json::array();
  for (std::size_t k = 0; k < run.trace.kernels.size(); ++k) {
    const auto entry = place.find(run.of_kernel[k]);
    if (entry == place.end()) continue;
    const KernelSpan& span = run.trace.kernels[k];
    kernels.push_back({entry->second, span.lane, micros(span.begin), micros(span.end - span.begin)});
  }
  Json parts;  // null where nothing is matched
  if (run.matched() > Millis(0)) {
    const std::vector<Millis> of_units = time_of_units(run, graph);
    parts = Json::array();
    for (const auto& row : row_units) {
      Millis sum{0};
      for (const std::size_t unit : row) sum += unit < of_units.size() ? of_units[unit] : Millis(0);
      parts.push_back(millis(sum));
    }
  }
  Json tally = Json::array();
  const auto tallies = tally_of(run);
  for (std::size_t rule = 0; rule < kMatchRules; ++rule) {
    tally.push_back({rule_name(static_cast<MatchRule>(rule)), tallies[rule].entries, millis(tallies[rule].time)});
  }
  std::vector<std::string> notices;
  for (const Message& notice : notices_of(run, graph)) notices.push_back(printable(notice.text()));
  Json json{{"label", printable(run.label)},
            {"by", printable(recorded_by(run))},
            {"file", printable(run.file)},
            {"ms", millis(run.latency.value)},
            {"spread", millis(run.latency.spread)},
            {"n", run.latency.samples},
            {"share", rounded(run.matched_share(), 1e4)},
            {"tally", std::move(tally)},
            {"parts", std::move(parts)},
            {"entries", std::move(entries)},
            {"lanes", run.trace.lanes},
            {"us", micros(run.trace.duration)},
            {"k", std::move(kernels)},
            {"notices", notices}};
  return json;
}

// Returns the schedule comparison of all subjects, in their order, and below it what others recorded.
Json schedules_of(const std::vector<Subject>& subjects, const Comparison& base, const Report& report) {
  std::vector<ComparedSchedule> schedules;
  for (const Subject& subject : subjects) schedules.push_back({subject.comparison.get(), subject.result});
  Table table = schedule_comparison(schedules);
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    cell_of(table, i, "schedule").value = verbatim(subjects[i].label);
    cell_of(table, i, "origin").value = verbatim(origin_words(subjects[i]));
  }
  for (const ExternalRun& run : report.beside) {
    if (run.latency.value <= Millis(0)) continue;  // its kernels alone are known
    const std::size_t row = table.rows.size();
    table.rows.emplace_back(table.columns.size());
    cell_of(table, row, "schedule").value = verbatim(run.label);
    cell_of(table, row, "latency_ms") = latency_cell(run.latency);
    const Speedup ratio = speedup(base, run);
    if (ratio.value > 0) cell_of(table, row, "speedup").value = ratio.value;
    if (ratio.value > 0 && ratio.known()) {
      cell_of(table, row, "speedup_interval").value = ValueInterval{ratio.low, ratio.high};
    }
    cell_of(table, row, "origin").value = verbatim(recorded_by(run));
  }
  return page_table(table);
}

// Returns how the runs of schedules and of what others recorded are distributed, on one axis: {begin, width (of a bin),
// bins, rows: [{of (a schedule), beside (else what others recorded), n, p50, p95, p99 (null of too few runs), counts:
// [bin, runs, …] of bins that have some, beyond (runs after the last bin), most (the longest)}]}, in ms; null where
// nothing has a distribution.
Json distribution_of(const std::vector<Subject>& subjects, const PartMatrix& matrix, const Report& report) {
  std::vector<std::vector<Millis>> samples;
  const auto add = [&](const std::vector<Millis>& own, double factor) {
    std::vector<Millis>& list = samples.emplace_back();
    if (!percentiles_of(own).p50) return;
    for (const Millis sample : own) list.push_back(sample * factor);
  };
  for (const Subject& subject : subjects) add(subject.schedule().samples, share(subject, matrix.per));
  for (const ExternalRun& run : report.beside) add(run.samples, share(subjects[matrix.baseline], matrix.per));
  const Histograms histograms = histograms_of(samples);
  if (histograms.bins == 0) return {};
  Json rows = Json::array();
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const Histograms::One& one = histograms.of[i];
    if (one.counts.empty()) continue;
    const Percentiles told = percentiles_of(samples[i]);
    Json counts = Json::array();
    for (std::size_t bin = 0; bin < one.counts.size(); ++bin) {
      if (one.counts[bin] == 0) continue;
      counts.push_back(bin);
      counts.push_back(one.counts[bin]);
    }
    const bool ours = i < subjects.size();
    rows.push_back({{"of", ours ? Json(i) : Json()},
                    {"beside", ours ? Json() : Json(i - subjects.size())},
                    {"n", told.samples},
                    {"p50", known(told.p50)},
                    {"p95", known(told.p95)},
                    {"p99", known(told.p99)},
                    {"counts", std::move(counts)},
                    {"beyond", one.beyond},
                    {"most", millis(one.highest)}});
  }
  return {{"begin", millis(histograms.begin)},
          {"width", histograms.width.count()},
          {"bins", histograms.bins},
          {"rows", std::move(rows)}};
}

Json run_json(const ReportRun& run, const std::string& label) {
  const Comparison& comparison = *run.comparison;
  Json options = Json::array();
  for (const auto& [name, value] : run.options) options.push_back({printable(name), printable(value)});
  std::vector<std::string> notices;
  for (const Message& notice : comparison.notices) notices.push_back(printable(notice.text()));
  if (!comparison.complete) notices.emplace_back("stopped early: schedules are missing or their search did not end");
  if (const std::string merged = merged_note(*comparison.graph); !merged.empty()) notices.push_back(merged);
  if (!comparison.device.caution.empty()) notices.push_back(printable(comparison.device.caution.text()));
  const bool timed = run.place.when != std::chrono::sys_seconds{};
  return {{"label", label},
          {"device", printable(comparison.device.name)},
          {"summary", printable(comparison.device.summary)},
          {"origin", origin_name(comparison.device.origin)},
          {"recorded", printable(comparison.recorded.text())},
          {"batch", comparison.batch},
          {"precision", printable(comparison.device.precision)},
          {"host", printable(run.place.host)},
          {"system", printable(run.place.system)},
          {"program", run.place.program.empty() ? std::string() : "IOS Explorer " + printable(run.place.program)},
          {"when", timed ? time_text(run.place.when) : std::string()},
          {"source", printable(run.source)},
          {"options", std::move(options)},
          {"own", comparison.graph->networks().empty() ? Json() : page_table(own_latencies(comparison))},
          {"notices", notices}};
}

std::string run_label(const Comparison& comparison) {
  const Origin origin = comparison.device.origin;
  const std::string how = is_modelled(origin) ? fmt::format("{} ", origin_name(origin)) : std::string();
  return fmt::format("{}, {}{}, batch {}", printable(comparison.graph->name()), how, printable(comparison.device.name),
                     comparison.batch);
}

std::string result_sentence(const std::vector<Subject>& subjects, const PartMatrix& matrix, const Report& report) {
  const Finding finding = find_out(subjects, matrix);
  std::string text = finding_sentence(subjects, matrix, finding);
  if (text.empty()) {
    const ScheduleResult& only = subjects.front().schedule();
    text = fmt::format("{} takes {:.3f} ms ({}).", printable(subjects.front().label), only.latency.value.count(),
                       origin_words(subjects.front()));
  }
  for (const ExternalRun& run : report.beside) {
    if (report.beside.size() > 3) break;
    if (run.latency.value <= Millis(0)) continue;  // its kernels alone are known
    text += fmt::format(" {}: {:.3f} ms, {}.", printable(run.label), run.latency.value.count(),
                        printable(recorded_by(run)));
  }
  return text;
}

}  // namespace

Result<PageData> page_data(const Report& report) {
  PageData out;
  std::vector<std::size_t> run_of;
  for (std::size_t r = 0; r < report.runs.size(); ++r) {
    const auto& comparison = report.runs[r].comparison;
    for (std::size_t i = 0; i < comparison->results.size(); ++i) {
      const Subject subject{.comparison = comparison, .result = i, .label = {}};
      if (!comparison->results[i].asked || !subject.valid() || comparison->results[i].schedule.stages.empty()) continue;
      out.subjects.push_back(subject);
      run_of.push_back(r);
    }
  }
  if (out.subjects.empty())
    return fail(message("there is no schedule to report"), {}, message("compare a network first"));
  label_subjects(out.subjects);
  const auto sequential = std::ranges::find_if(out.subjects, [](const Subject& subject) {
    return subject.schedule().schedule_kind == ScheduleKind::kSequential;
  });
  if (sequential != out.subjects.end()) out.baseline = static_cast<std::size_t>(sequential - out.subjects.begin());
  for (std::size_t i = 0; report.baseline && i < out.subjects.size(); ++i) {
    const auto& [run, schedule] = *report.baseline;
    if (run_of[i] == run && out.subjects[i].schedule().id == schedule) out.baseline = i;
  }

  const std::vector<GraphMatch> matches = match_with_all(out.subjects, out.baseline);
  const PartMatrix matrix = part_matrix(out.subjects, out.baseline, matches);
  const Units units(out.subjects, out.baseline, matches);
  const auto row_units = units_of_rows(matrix, out.subjects, units);

  Json runs = Json::array();
  for (const ReportRun& run : report.runs) runs.push_back(run_json(run, run_label(*run.comparison)));
  Json schedules = Json::array();
  for (std::size_t i = 0; i < out.subjects.size(); ++i) {
    schedules.push_back(schedule_json(out.subjects[i], run_of[i], units));
  }
  Json beside = Json::array();
  for (const ExternalRun& run : report.beside) {
    beside.push_back(beside_of(run, out.subjects[out.baseline], units, row_units));
  }
  Json classes = Json::array();
  for (std::size_t i = 0; i < kOperatorClasses; ++i) {
    const auto what = static_cast<OperatorClass>(i);
    classes.push_back({class_letter(what), class_name(what)});
  }
  out.json = {{"units", units.units()},
              {"edges", units.edges()},
              {"parts", units.parts()},
              {"classes", std::move(classes)},
              {"unmatched", static_cast<int>(OperatorClass::kInput)},  // the class of kernels whose units nobody knows
              {"runs", std::move(runs)},
              {"schedules", std::move(schedules)},
              {"table", schedules_of(out.subjects, *out.subjects[out.baseline].comparison, report)},
              {"matrix", matrix_of(matrix, out.subjects, row_units)},
              {"comparisons", comparisons_of(out.subjects, matrix, matches, units)},
              {"beside", std::move(beside)},
              {"distribution", distribution_of(out.subjects, matrix, report)}};
  out.sentence = result_sentence(out.subjects, matrix, report);
  out.place = run_label(*report.runs.front().comparison);
  if (report.runs.size() > 1) out.place += fmt::format(", and {} more", report.runs.size() - 1);
  return out;
}

}  // namespace iosx::html
