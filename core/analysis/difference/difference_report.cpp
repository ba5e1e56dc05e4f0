#include "core/analysis/difference/difference_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/analysis/compare/report.h"
#include "core/base/text.h"

namespace iosx {
namespace {

using Json = nlohmann::ordered_json;
using Cells = std::vector<std::string>;

constexpr std::size_t kMostNames = 4;
constexpr std::size_t kMostMoves = 3;

// Returns what the names have in common up to a dot, then the first few names without it, and how many more there are.
Message shortened_names(const Cells& names) {
  std::string prefix = names.size() < 2 ? std::string() : names.front();
  for (const std::string& name : names) {
    while (!name.starts_with(prefix)) prefix.pop_back();
  }
  prefix.resize(prefix.rfind('.') == std::string::npos ? 0 : prefix.rfind('.') + 1);
  Cells shown;
  for (const std::string& name : std::span(names).first(std::min(names.size(), 2 * kMostNames))) {
    shown.push_back(name.substr(prefix.size()));
  }
  const std::string text = prefix + fmt::to_string(fmt::join(shown, ", "));
  if (names.size() == shown.size()) return verbatim(text);
  return message("{} and {} more", text, names.size() - shown.size());
}

// Returns the first few names, and how many more there are.
Message joined_names(const Graph& graph, std::span<const UnitId> units, std::string_view between) {
  Cells names;
  for (const UnitId unit : units.first(std::min(units.size(), kMostNames))) {
    names.push_back(printable(graph.unit(unit).name));
  }
  const std::string text = fmt::format("{}", fmt::join(names, between));
  if (units.size() <= kMostNames) return verbatim(text);
  return message("{} and {} more", text, units.size() - kMostNames);
}

std::string listed_operators(const Graph& graph, const std::vector<OperatorId>& operators) {
  Cells names;
  for (std::size_t i = 0; i < std::min(operators.size(), 2 * kMostNames); ++i) {
    names.push_back(printable(graph.op(operators[i]).name));
  }
  std::string text = fmt::format("{}", fmt::join(names, ", "));
  if (operators.size() > names.size()) text += fmt::format(" and {} more", operators.size() - names.size());
  return text;
}

Cell delta_cell(const Delta& delta) {
  return {.value = delta.value.count(), .mark = verbatim(std::string(verdict_mark(delta)))};
}

Json kernels_json(const RowKernels& kernels) {
  return Json{{"count", kernels.kernels},
              {"lanes", kernels.lanes},
              {"busy_ms", kernels.busy ? Json(kernels.busy->count()) : Json()}};
}

std::string_view per_name(Per per) { return per == Per::kSample ? "sample" : "batch"; }

void put_delta(Json& json, const Delta& delta) {
  json["delta_ms"] = delta.value.count();
  json["noise_ms"] = delta.noise ? Json(delta.noise->count()) : Json();
  json["verdict"] = verdict_name(delta.verdict());
}

Json operator_names(const Graph& graph, const std::vector<OperatorId>& operators) {
  Json names = Json::array();
  for (const OperatorId op : operators) names.push_back(graph.op(op).name);
  return names;
}

Json from_one(std::span<const std::size_t> stages) {
  Json list = Json::array();
  for (const std::size_t stage : stages) list.push_back(stage + 1);
  return list;
}

Json unit_sets(const Graph& graph, const std::vector<std::vector<UnitId>>& sets) {
  Json list = Json::array();
  for (const auto& units : sets) list.push_back(unit_names_json(graph, units));
  return list;
}

Json subject_json(const Subject& subject, const WholeDifference& whole) {
  const ScheduleResult& result = subject.schedule();
  const SubjectStatistics statistics = statistics_of(subject);
  Json json{{"label", subject.label},
            {"network", subject.graph().name()},
            {"device", subject.comparison->device.id},
            {"batch", subject.comparison->batch},
            {"id", result.id.text()},
            {"origin", origin_name(result.latency.origin)},
            {"recorded", subject.comparison->recorded.text()},
            {"latency_ms", result.latency.value.count()},
            {"spread_ms", result.latency.spread.count()},
            {"samples", result.latency.samples},
            {"rounds", statistics.rounds}};
  if (statistics.mean) json["mean_ms"] = statistics.mean->count();
  if (statistics.interval) {
    json["interval_ms"] = {statistics.interval->low.count(), statistics.interval->high.count()};
  }
  if (statistics.percentiles.p95) json["p95_ms"] = statistics.percentiles.p95->count();
  if (statistics.percentiles.p99) json["p99_ms"] = statistics.percentiles.p99->count();
  put_delta(json, whole.delta);
  json["speedup"] = whole.speedup.value;
  return json;
}

// Holds the stages that one line of the stage comparison describes.
struct ComparedStages {
  const Subject& a;
  const Subject& b;
  const StageRow* stages = nullptr;  // null of a total
  Message total = {};                // names it
  std::optional<Millis> latency_a = {};
  std::optional<Millis> latency_b = {};
  Delta delta = {};
  bool known = true;  // the times mean something

  std::optional<double> relative() const {
    if (stages != nullptr) return stages->relative();
    return latency_a ? std::optional(delta.value / *latency_a) : std::nullopt;
  }
  const Graph& graph() const { return stages->units_a.empty() ? b.graph() : a.graph(); }
  const std::vector<UnitId>& units() const { return stages->units_a.empty() ? stages->units_b : stages->units_a; }
};

Cell stages_cell(const std::vector<std::size_t>& stages) {
  return {.value = verbatim(stages_text(stages)),
          .sort_key = stages.empty() ? HUGE_VAL : static_cast<double>(stages.front())};
}

// Documents have the number even where people read that it means nothing.
Cell time_cell(std::optional<Millis> time, bool known) {
  if (!time) return {};
  return {.value = time->count(), .shown = known ? std::nullopt : std::optional(missing_mark())};
}

Cell part_cell(const ComparedStages& line) {
  if (line.stages == nullptr || line.units().empty()) return {};
  const PartId first = line.graph().unit(line.units().front()).part;
  const PartId last = line.graph().unit(line.units().back()).part;
  std::string name = line.graph().part(first).name;
  if (first != last) name += " … " + line.graph().part(last).name;
  return {verbatim(std::move(name))};
}

Cell units_cell(const ComparedStages& line) {
  if (line.stages == nullptr) return {};
  Cells names;
  for (const UnitId unit : line.units()) names.push_back(line.graph().unit(unit).name);
  return {.value = verbatim(fmt::to_string(fmt::join(names, " "))), .shown = shortened_names(names)};
}

std::vector<Column<ComparedStages>> comparison_columns() {
  using Line = ComparedStages;
  return {
      {{.id = "stages_a",
        .title = Sentence{"stages of A"},
        .help = Sentence{"stages of A that hold the same operators as those of B"},
        .places = place::kPeople | place::kData},
       [](const Line& line) { return line.stages == nullptr ? Cell{line.total} : stages_cell(line.stages->a); }},
      {{.id = "stages_b",
        .title = Sentence{"stages of B"},
        .help = Sentence{"stages of B that hold the same operators as those of A"},
        .places = place::kPeople | place::kData},
       [](const Line& line) { return line.stages == nullptr ? Cell{Message()} : stages_cell(line.stages->b); }},
      {{.id = "part",
        .title = Sentence{"part"},
        .help = Sentence{"part of the network"},
        .places = place::kWindow | place::kPage | place::kData},
       part_cell},
      {{.id = "units",
        .title = Sentence{"units"},
        .help = Sentence{"units that these stages hold"},
        .places = place::kWindow | place::kPage | place::kData},
       units_cell},
      {{.id = "a_ms",
        .title = Sentence{"A"},
        .help = Sentence{"sum of the latencies of these stages of A"},
        .kind = ColumnKind::kMillis,
        .decimals = 4},
       [](const Line& line) {
         return time_cell(line.latency_a, line.known && (line.stages == nullptr || !line.stages->a.empty()));
       }},
      {{.id = "b_ms",
        .title = Sentence{"B"},
        .help = Sentence{"sum of the latencies of these stages of B"},
        .kind = ColumnKind::kMillis,
        .decimals = 4},
       [](const Line& line) {
         return time_cell(line.latency_b, line.known && (line.stages == nullptr || !line.stages->b.empty()));
       }},
      {{.id = "delta_ms",
        .title = Sentence{"Δ"},
        .help = Sentence{"B minus A: B is faster below zero; ≈ means within the noise"},
        .kind = ColumnKind::kMillis,
        .decimals = 4,
        .difference = true},
       [](const Line& line) { return line.known ? delta_cell(line.delta) : time_cell(line.delta.value, false); }},
      {{.id = "noise_ms",
        .title = Sentence{"noise"},
        .help = Sentence{"half width of the difference's 95 % interval, from the spread of the samples"},
        .kind = ColumnKind::kMillis,
        .decimals = 4},
       [](const Line& line) {
         if (line.delta.noise) return time_cell(line.delta.noise, line.known);
         return Cell{.value = {}, .mark = verbatim(std::string(verdict_mark(line.delta)))};
       }},
      {{.id = "verdict", .places = place::kDocuments},
       [](const Line& line) { return Cell{verbatim(std::string(verdict_name(line.delta.verdict())))}; }},
      {{.id = "relative",
        .title = Sentence{"Δ"},
        .help = Sentence{"Δ as a share of A's latency"},
        .kind = ColumnKind::kShare,
        .difference = true},
       [](const Line& line) { return line.known && line.relative() ? Cell{*line.relative()} : Cell{}; }},
      {{.id = "change", .title = Sentence{"what changed"}, .help = Sentence{"what changed from A to B"}},
       [](const Line& line) {
         return Cell{line.stages == nullptr ? Message() : change_message(*line.stages, line.a, line.b)};
       }},
  };
}

Cell percentile_cell(const Percentiles& told, std::optional<Millis> Percentiles::*which) {
  if (const auto& value = told.*which) return {value->count()};
  return {.value = {}, .mark = told.samples > 1 ? Message(Sentence{"few"}) : Message()};
}

Cell interval_cell(std::optional<Millis> low, std::optional<Millis> high) {
  return low && high ? Cell{ValueInterval{low->count(), high->count()}} : Cell{};
}

std::vector<Column<RunStatistics>> statistics_columns() {
  using Row = RunStatistics;
  const auto exact = [](const Row& row) { return is_modelled(row.statistics.latency.origin); };
  const auto millis = [](const char* id, Sentence title, Message help, auto value) {
    return Column<Row>{{.id = id, .title = title, .help = std::move(help), .kind = ColumnKind::kMillis, .unit = "ms"},
                       value};
  };
  const auto known = [](std::optional<Millis> time) { return time ? Cell{time->count()} : Cell{}; };
  return {
      {{.id = "schedule",
        .title = Sentence{"schedule"},
        .help = Sentence{"the schedule, with the details that distinguish it"}},
       [](const Row& row) { return Cell{verbatim(row.label)}; }},
      millis("median_ms", Sentence{"median"}, Sentence{"end to end, of all rounds"},
             [](const Row& row) { return Cell{row.statistics.latency.value.count()}; }),
      millis("spread_ms", Sentence{"spread"}, Sentence{"half width of the interval that holds 95 % of the samples"},
             [exact](const Row& row) {
               Cell cell{row.statistics.latency.spread.count()};
               if (exact(row)) cell.shown = Sentence{"exact"};
               return cell;
             }),
      millis("p95_ms", Sentence{"p95"},
             message("95 % of the single runs took no longer; shown for {} runs or more", kLeastForP95),
             [](const Row& row) { return percentile_cell(row.statistics.percentiles, &Percentiles::p95); }),
      millis("p99_ms", Sentence{"p99"},
             message("99 % of the single runs took no longer; shown for {} runs or more", kLeastForP99),
             [](const Row& row) { return percentile_cell(row.statistics.percentiles, &Percentiles::p99); }),
      {{.id = "interval_ms",
        .title = Sentence{"95 % of median"},
        .help = Sentence{"95 % confidence interval of the median, from the rounds"},
        .kind = ColumnKind::kMillis,
        .unit = "ms",
        .interval = true},
       [](const Row& row) {
         const auto& interval = row.statistics.interval;
         return interval ? interval_cell(interval->low, interval->high) : Cell{};
       }},
      millis("mean_ms", Sentence{"mean"}, Sentence{"of the rounds' medians"},
             [exact, known](const Row& row) { return exact(row) ? Cell{} : known(row.statistics.mean); }),
      {{.id = "rounds_ms",
        .title = Sentence{"range of rounds"},
        .help = Sentence{"the lowest and the highest of the rounds' medians"},
        .kind = ColumnKind::kMillis,
        .unit = "ms",
        .interval = true},
       [exact](const Row& row) {
         return exact(row) ? Cell{} : interval_cell(row.statistics.lowest, row.statistics.highest);
       }},
      {{.id = "rounds",
        .title = Sentence{"rounds"},
        .help = Sentence{"schedules of one run take turns: one round each"},
        .kind = ColumnKind::kCount},
       [exact](const Row& row) { return exact(row) ? Cell{} : Cell{count_value(row.statistics.rounds)}; }},
      {{.id = "samples",
        .title = Sentence{"samples"},
        .help = Sentence{"number of samples in all rounds"},
        .kind = ColumnKind::kCount},
       [exact](const Row& row) { return exact(row) ? Cell{} : Cell{count_value(row.statistics.latency.samples)}; }},
      {{.id = "speedup",
        .title = Sentence{"speed-up"},
        .help =
            Sentence{
                "latency of the baseline divided by this latency, per sample if the batches differ; ≈ means within "
                "the noise, ? means too few runs to decide"},
        .kind = ColumnKind::kFactor},
       [](const Row& row) {
         if (!row.speedup || row.speedup->value <= 0) return Cell{};
         Cell cell{row.speedup->value};
         const bool noise = row.speedup->low < row.speedup->high;
         if (noise && !row.speedup->known()) cell.mark = verbatim(std::string(1, '?'));
         if (noise && row.speedup->known() && row.speedup->within_noise()) cell.mark = verbatim(std::string(1, '~'));
         return cell;
       }},
      {{.id = "delta_ms",
        .title = Sentence{"Δ"},
        .help = Sentence{"against the baseline"},
        .kind = ColumnKind::kMillis,
        .decimals = 4,
        .difference = true},
       [](const Row& row) { return row.delta ? delta_cell(*row.delta) : Cell{}; }},
      {{.id = "noise_ms", .kind = ColumnKind::kMillis, .places = place::kDocuments},
       [](const Row& row) { return row.delta && row.delta->noise ? Cell{row.delta->noise->count()} : Cell{}; }},
      {{.id = "verdict", .places = place::kDocuments},
       [](const Row& row) {
         return row.delta ? Cell{verbatim(std::string(verdict_name(row.delta->verdict())))} : Cell{};
       }},
      {{.id = "origin",
        .title = Sentence{"origin"},
        .help = Sentence{"simulated, predicted, measured here, or recorded elsewhere"}},
       [](const Row& row) { return Cell{verbatim(std::string(origin_name(row.statistics.latency.origin)))}; }},
      {{.id = "recorded", .places = place::kDocuments}, [](const Row& row) { return Cell{row.recorded}; }},
      {{.id = "remarks", .title = Sentence{"remarks"}}, [](const Row& row) { return Cell{row.remarks}; }},
  };
}

}  // namespace

std::string_view verdict_name(Verdict verdict) {
  constexpr std::array<std::string_view, 4> kNames{"faster", "slower", "same", "unknown"};
  return kNames.at(static_cast<std::size_t>(verdict));
}

std::string stages_text(std::span<const std::size_t> stages) {
  if (stages.empty()) return "–";
  std::string text;
  for (std::size_t i = 0; i < stages.size();) {
    std::size_t last = i;
    while (last + 1 < stages.size() && stages[last + 1] == stages[last] + 1) ++last;
    if (!text.empty()) text += ", ";
    text += last - i >= 1 ? fmt::format("{}–{}", stages[i] + 1, stages[last] + 1) : fmt::format("{}", stages[i] + 1);
    i = last + 1;
  }
  return text;
}

std::string signed_millis(Millis difference) {
  const double ms = difference.count();
  if (std::abs(ms) < 5e-7) return "0";
  return fmt::format("{:+.{}f}", ms, std::abs(ms) < 0.01 ? 5 : 4);
}

std::string_view verdict_mark(const Delta& delta) {
  const Verdict verdict = delta.verdict();
  if (verdict == Verdict::kUnknown) return "?";
  return verdict == Verdict::kSame && delta.noise && *delta.noise > Millis{0} ? "~" : "";
}

Message change_message(const StageRow& row, const Subject& a, const Subject& b) {
  if (row.same()) return Sentence{"same"};
  std::vector<Message> words;
  if (row.a.empty()) {
    words.push_back(message("only in B: {}", joined_names(b.graph(), row.added, ", ")));
  } else if (row.b.empty()) {
    words.push_back(message("only in A: {}", joined_names(a.graph(), row.missing, ", ")));
  } else {
    const bool known = row.kernels_a.kernels > 0 && row.kernels_b.kernels > 0;
    if (known && row.kernels_b.lanes > row.kernels_a.lanes) {
      words.push_back(message("up to {} groups side by side", row.kernels_b.lanes));
    } else if (known && row.kernels_b.lanes < row.kernels_a.lanes && row.kernels_b.lanes == 1) {
      words.emplace_back(Sentence{"one after another"});
    }
    if (known && row.kernels_a.kernels != row.kernels_b.kernels) {
      words.push_back(message("{} kernels instead of {}", row.kernels_b.kernels, row.kernels_a.kernels));
    }
    // The cuts of a one-stream schedule into stages are arbitrary, so they are only told without anything else to tell.
    const bool told = !words.empty() || !row.merged.empty() || !row.unmerged.empty();
    const bool cut_alone =
        (row.a.size() == 1 && row.kernels_a.lanes == 1) || (row.b.size() == 1 && row.kernels_b.lanes == 1);
    if (row.joined && !(told && cut_alone)) {
      words.push_back(message("{} stages joined into {}", row.a.size(), row.b.size()));
    }
    if (row.split && !(told && cut_alone)) {
      words.push_back(message("split from {} into {} stages", row.a.size(), row.b.size()));
    }
    for (std::size_t i = 0; i < std::min(row.moves.size(), kMostMoves); ++i) {
      const UnitMove& move = row.moves[i];
      words.push_back(message("{} moved from stage {} to {}", joined_names(a.graph(), move.units, ", "), move.from + 1,
                              move.to + 1));
    }
    if (row.moves.size() > kMostMoves) words.push_back(message("{} more moves", row.moves.size() - kMostMoves));
    if (!row.missing.empty()) words.push_back(message("without {}", joined_names(a.graph(), row.missing, ", ")));
    if (!row.added.empty()) words.push_back(message("with {}", joined_names(b.graph(), row.added, ", ")));
  }
  for (const auto& units : row.merged) {
    words.push_back(message("{} merged", joined_names(b.graph(), units, " + ")));
  }
  for (const auto& units : row.unmerged) {
    words.push_back(message("{} no longer merged", joined_names(a.graph(), units, " + ")));
  }
  if (row.regrouped) words.emplace_back(Sentence{"other groups"});
  Message all = words.front();
  for (const Message& next : std::span(words).subspan(1)) all = message("{}; {}", all, next);
  return all;
}

Table part_comparison(std::span<const Subject> subjects, const PartMatrix& matrix) {
  const std::size_t base = matrix.baseline;
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    if (i != base) others.push_back(i);
  }
  Table table{
      .columns = {{.id = "part", .title = in_english("part")}}, .rows = {}, .per_sample = matrix.per == Per::kSample};
  const auto add_column_of = [&](const std::string& label, bool difference) {
    table.columns.push_back(
        {.id = label, .title = verbatim(label), .kind = ColumnKind::kMillis, .decimals = 4, .difference = difference});
  };
  add_column_of(subjects[base].label, false);
  for (const std::size_t i : others) add_column_of(subjects[i].label + " Δ", true);
  for (const PartRow& row : matrix.rows) {
    std::vector<Cell>& cells = table.rows.emplace_back();
    cells.push_back({verbatim(row.name)});
    cells.push_back(row.cells[base].empty() ? Cell{} : Cell{row.cells[base].latency.count()});
    for (const std::size_t i : others) {
      const bool known = matrix.has_times[i] && matrix.has_times[base];
      cells.push_back(known ? delta_cell(row.cells[i].delta) : Cell{});
    }
  }
  const auto add_total = [&](const char* name, const std::vector<Millis>& values) {
    std::vector<Cell>& cells = table.totals.emplace_back();
    cells.push_back({in_english(name)});
    cells.push_back({values[base].count()});
    for (const std::size_t i : others) cells.push_back({(values[i] - values[base]).count()});
  };
  add_total("between stages", matrix.between_stages);
  add_total("run beyond its stages", matrix.rest);
  std::vector<Cell>& whole = table.totals.emplace_back();
  whole.push_back({in_english("whole")});
  whole.push_back({matrix.whole[base].b.count()});
  for (const std::size_t i : others) whole.push_back(delta_cell(matrix.whole[i].delta));
  return table;
}

Table statistics_table(const std::vector<RunStatistics>& runs, Per per) {
  Table table = table_of(statistics_columns(), runs);
  table.per_sample = per == Per::kSample;
  return table;
}

Table stage_comparison(const Subject& a, const Subject& b, const StageDifference& difference) {
  std::vector<ComparedStages> rows;
  for (const StageRow& row : difference.rows) {
    rows.push_back({.a = a,
                    .b = b,
                    .stages = &row,
                    .latency_a = row.latency_a,
                    .latency_b = row.latency_b,
                    .delta = row.delta,
                    .known = difference.has_latencies});
  }
  const WholeDifference& whole = difference.whole;
  const std::vector<ComparedStages> totals{
      {.a = a, .b = b, .total = Sentence{"between stages"}, .delta = difference.between_stages},
      {.a = a, .b = b, .total = Sentence{"rest"}, .delta = difference.rest},
      {.a = a, .b = b, .total = Sentence{"whole"}, .latency_a = whole.a, .latency_b = whole.b, .delta = whole.delta}};
  Table table = table_of(comparison_columns(), rows, totals);
  table.per_sample = difference.per == Per::kSample;
  return table;
}

std::string match_text(const Subject& a, const Subject& b, const GraphMatch& match) {
  if (match.identical) return {};
  const auto missing = match.missing();
  const auto added = match.added();
  std::string text = fmt::format("{} of {} operators of A are in B ({} renamed, {} changed)",
                                 match.operators_in_b.size() - missing.size(), match.operators_in_b.size(),
                                 match.renamed.size(), match.changed.size());
  if (!match.changed.empty()) text += "\n  changed: " + listed_operators(a.graph(), match.changed);
  if (!missing.empty()) text += "\n  only in A: " + listed_operators(a.graph(), missing);
  if (!added.empty()) text += "\n  only in B: " + listed_operators(b.graph(), added);
  return text + '\n';
}

Json matrix_json(std::span<const Subject> subjects, const PartMatrix& matrix) {
  Json list = Json::array();
  for (std::size_t i = 0; i < subjects.size(); ++i) list.push_back(subject_json(subjects[i], matrix.whole[i]));
  Json parts = Json::array();
  for (const PartRow& row : matrix.rows) {
    Json cells = Json::array();
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      const PartCell& cell = row.cells[i];
      Json json{{"latency_ms", matrix.has_times[i] ? Json(cell.latency.count()) : Json()}};
      if (matrix.has_times[i] && matrix.has_times[matrix.baseline]) put_delta(json, cell.delta);
      json["units"] = cell.units.size();
      cells.push_back(std::move(json));
    }
    parts.push_back({{"name", row.name}, {"cells", std::move(cells)}});
  }
  Json between = Json::array();
  Json rest = Json::array();
  for (const Millis value : matrix.between_stages) between.push_back(value.count());
  for (const Millis value : matrix.rest) rest.push_back(value.count());
  return Json{{"sentence", finding_sentence(subjects, matrix, find_out(subjects, matrix))},
              {"baseline", matrix.baseline},
              {"per", per_name(matrix.per)},
              {"subjects", std::move(list)},
              {"parts", std::move(parts)},
              {"between_stages_ms", std::move(between)},
              {"rest_ms", std::move(rest)}};
}

Json stages_json(const Subject& a, const Subject& b, const GraphMatch& match, const StageDifference& difference) {
  Json renamed = Json::array();
  for (const OperatorId op : match.renamed) {
    renamed.push_back({a.graph().op(op).name, b.graph().op(match.operators_in_b[op.index()]).name});
  }
  const Table table = stage_comparison(a, b, difference);
  Json rows = Json::array();
  for (const StageRow& row : difference.rows) {
    Json json{{"a", from_one(row.a)}, {"b", from_one(row.b)}};
    json.update(row_json(table, rows.size()));
    json["a_kernels"] = kernels_json(row.kernels_a);
    json["b_kernels"] = kernels_json(row.kernels_b);
    json["units"] =
        row.units_a.empty() ? unit_names_json(b.graph(), row.units_b) : unit_names_json(a.graph(), row.units_a);
    Json moves = Json::array();
    for (const UnitMove& move : row.moves) {
      moves.push_back(
          {{"units", unit_names_json(a.graph(), move.units)}, {"from", move.from + 1}, {"to", move.to + 1}});
    }
    json["moves"] = std::move(moves);
    json["merged"] = unit_sets(b.graph(), row.merged);
    json["unmerged"] = unit_sets(a.graph(), row.unmerged);
    rows.push_back(std::move(json));
  }
  return Json{{"a", a.label},
              {"b", b.label},
              {"per", per_name(difference.per)},
              {"identical", match.identical},
              {"missing", operator_names(a.graph(), match.missing())},
              {"added", operator_names(b.graph(), match.added())},
              {"changed", operator_names(a.graph(), match.changed)},
              {"renamed", std::move(renamed)},
              {"has_stage_latencies", difference.has_latencies},
              {"traced", difference.traced},
              {"rows", std::move(rows)},
              {"between_stages_ms", difference.between_stages.value.count()},
              {"rest_ms", difference.rest.value.count()},
              {"delta_ms", difference.whole.delta.value.count()}};
}

}  // namespace iosx
