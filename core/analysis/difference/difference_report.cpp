#include "core/analysis/difference/difference_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/printable.h"
#include "core/base/text_table.h"

namespace iosx {
namespace {

using Json = nlohmann::ordered_json;
using Cells = std::vector<std::string>;

constexpr std::size_t kMostNames = 4;
constexpr std::size_t kMostMoves = 3;
constexpr double kShownMillis = 5e-5;  // what is less reads 0
constexpr double kShownShare = 5e-4;

std::string joined_names(const Graph& graph, std::span<const UnitId> units, std::string_view between) {
  Cells names;
  for (const UnitId unit : units.first(std::min(units.size(), kMostNames))) {
    names.push_back(printable(graph.unit(unit).name));
  }
  std::string text = fmt::format("{}", fmt::join(names, between));
  if (units.size() > kMostNames) text += fmt::format(" and {} more", units.size() - kMostNames);
  return text;
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

std::string millis_cell(Millis value) {
  return fmt::format("{:.4f}", std::abs(value.count()) < kShownMillis ? 0.0 : value.count());  // never "-0.0000"
}

std::string_view unit_of(Per per) { return per == Per::kSample ? "ms per sample" : "ms"; }

std::string noise_cell(const Delta& delta) {
  if (!delta.noise) return "unknown";
  return *delta.noise > Millis{0} ? millis_cell(*delta.noise) : "0";
}

std::string delta_cell(const Delta& delta) {
  std::string text = signed_millis(delta.value);
  const std::string_view mark = verdict_mark(delta);
  return mark.empty() ? text : fmt::format("{} {}", text, mark);
}

std::string percent_cell(std::optional<double> share) {
  if (!share) return {};
  return std::abs(*share) < kShownShare ? "0 %" : fmt::format("{:+.1f} %", *share * 100);
}

std::string_view verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kFaster: return "faster";
    case Verdict::kSlower: return "slower";
    case Verdict::kSame: return "same";
    case Verdict::kUnknown: break;
  }
  return "unknown";
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

Json unit_names(const Graph& graph, std::span<const UnitId> units) {
  Json names = Json::array();
  for (const UnitId unit : units) names.push_back(graph.unit(unit).name);
  return names;
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
  for (const auto& units : sets) list.push_back(unit_names(graph, units));
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

}  // namespace

std::string_view change_name(UnitChange change) {
  switch (change) {
    case UnitChange::kSame: return "same";
    case UnitChange::kMoved: return "moved";
    case UnitChange::kJoined: return "joined";
    case UnitChange::kSplit: return "split";
    case UnitChange::kMerged: return "merged";
    case UnitChange::kRegrouped: return "regrouped";
    case UnitChange::kAdded: return "added";
    case UnitChange::kMissing: break;
  }
  return "missing";
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

std::string change_text(const StageRow& row, const Subject& a, const Subject& b) {
  if (row.same()) return "same";
  Cells words;
  if (row.a.empty()) {
    words.push_back("only in B: " + joined_names(b.graph(), row.added, ", "));
  } else if (row.b.empty()) {
    words.push_back("only in A: " + joined_names(a.graph(), row.missing, ", "));
  } else {
    const bool known = row.kernels_a.kernels > 0 && row.kernels_b.kernels > 0;
    if (known && row.kernels_b.lanes > row.kernels_a.lanes) {
      words.push_back(fmt::format("up to {} groups side by side", row.kernels_b.lanes));
    } else if (known && row.kernels_b.lanes < row.kernels_a.lanes && row.kernels_b.lanes == 1) {
      words.emplace_back("one after another");
    }
    if (known && row.kernels_a.kernels != row.kernels_b.kernels) {
      words.push_back(fmt::format("{} kernels instead of {}", row.kernels_b.kernels, row.kernels_a.kernels));
    }
    // The cuts of a one-stream schedule into stages are arbitrary, so they are only told without anything else to tell.
    const bool told = !words.empty() || !row.merged.empty() || !row.unmerged.empty();
    const bool cut_alone =
        (row.a.size() == 1 && row.kernels_a.lanes == 1) || (row.b.size() == 1 && row.kernels_b.lanes == 1);
    if (row.joined && !(told && cut_alone)) {
      words.push_back(fmt::format("{} stages joined into {}", row.a.size(), row.b.size()));
    }
    if (row.split && !(told && cut_alone)) {
      words.push_back(fmt::format("split from {} into {} stages", row.a.size(), row.b.size()));
    }
    for (std::size_t i = 0; i < std::min(row.moves.size(), kMostMoves); ++i) {
      const UnitMove& move = row.moves[i];
      words.push_back(fmt::format("{} moved from stage {} to {}", joined_names(a.graph(), move.units, ", "),
                                  move.from + 1, move.to + 1));
    }
    if (row.moves.size() > kMostMoves) words.push_back(fmt::format("{} more moves", row.moves.size() - kMostMoves));
    if (!row.missing.empty()) words.push_back(fmt::format("without {}", joined_names(a.graph(), row.missing, ", ")));
    if (!row.added.empty()) words.push_back(fmt::format("with {}", joined_names(b.graph(), row.added, ", ")));
  }
  for (const auto& units : row.merged) {
    words.push_back(fmt::format("{} merged", joined_names(b.graph(), units, " + ")));
  }
  for (const auto& units : row.unmerged) {
    words.push_back(fmt::format("{} no longer merged", joined_names(a.graph(), units, " + ")));
  }
  if (row.regrouped) words.emplace_back("other groups");
  return fmt::format("{}", fmt::join(words, "; "));
}

std::string part_table(std::span<const Subject> subjects, const PartMatrix& matrix) {
  std::vector<Cells> rows{{"part"}};
  rows.front().push_back(subjects[matrix.baseline].label + fmt::format(" ({})", unit_of(matrix.per)));
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    if (i != matrix.baseline) others.push_back(i);
  }
  for (const std::size_t i : others) {
    rows.front().push_back(subjects[i].label + fmt::format(" (Δ {})", unit_of(matrix.per)));
  }
  for (const PartRow& row : matrix.rows) {
    Cells cells{row.name, row.cells[matrix.baseline].empty() ? "–" : millis_cell(row.cells[matrix.baseline].latency)};
    for (const std::size_t i : others) {
      cells.push_back(matrix.has_times[i] && matrix.has_times[matrix.baseline] ? delta_cell(row.cells[i].delta)
                                                                               : "unknown");
    }
    rows.push_back(std::move(cells));
  }
  const auto more = [&](const std::string& name, const std::vector<Millis>& values) {
    Cells cells{name, millis_cell(values[matrix.baseline])};
    for (const std::size_t i : others) cells.push_back(signed_millis(values[i] - values[matrix.baseline]));
    rows.push_back(std::move(cells));
  };
  more("between stages", matrix.between_stages);
  more("run beyond its stages", matrix.rest);
  Cells whole{"whole", millis_cell(matrix.whole[matrix.baseline].b)};
  for (const std::size_t i : others) whole.push_back(delta_cell(matrix.whole[i].delta));
  rows.push_back(std::move(whole));
  return aligned(rows);
}

std::string stage_table(const Subject& a, const Subject& b, const StageDifference& difference) {
  std::vector<Cells> rows{{"stages A", "stages B", fmt::format("A {}", unit_of(difference.per)), "B ms", "Δ ms", "Δ %",
                           "noise ms", "what changed"}};
  std::vector<std::string> changes;
  for (const StageRow& row : difference.rows) {
    rows.push_back({stages_text(row.a), stages_text(row.b), millis_cell(row.latency_a), millis_cell(row.latency_b),
                    delta_cell(row.delta), percent_cell(row.relative()), noise_cell(row.delta), ""});
    changes.push_back(change_text(row, a, b));
  }
  const auto more = [&](const char* name, const Delta& delta) {
    rows.push_back({name, "", "", "", delta_cell(delta), "", noise_cell(delta), ""});
    changes.emplace_back();
  };
  more("between", difference.between_stages);
  more("rest", difference.rest);
  rows.push_back({"whole", "", millis_cell(difference.whole.a), millis_cell(difference.whole.b),
                  delta_cell(difference.whole.delta), percent_cell(difference.whole.delta.value / difference.whole.a),
                  noise_cell(difference.whole.delta), ""});
  changes.emplace_back();
  // Words stand flush left, after the columns of numbers.
  std::string text;
  const std::string table = aligned(rows);
  std::size_t begin = 0;
  for (std::size_t line = 0; begin < table.size(); ++line) {
    const std::size_t end = table.find('\n', begin);
    std::string columns = table.substr(begin, end - begin);
    if (line > 0) {
      columns.resize(columns.find_last_not_of(' ') + 1);
    }
    begin = end + 1;
    text += columns;
    if (line > 0 && !changes[line - 1].empty()) text += "  " + changes[line - 1];
    text += '\n';
  }
  return text;
}

std::string match_text(const Subject& a, const Subject& b, const GraphMatch& match) {
  if (match.identical) return {};
  const auto missing = match.missing();
  const auto added = match.added();
  std::string text = fmt::format("{} of {} operators of A are in B ({} renamed, {} changed)",
                                 match.operators_in_b.size() - missing.size(), match.operators_in_b.size(),
                                 match.renamed.size(), match.changed.size());
  if (!match.changed.empty()) text += "\n  changed: " + listed_operators(a.graph(), match.changed);
  if (!missing.empty()) text += "\n  in A alone: " + listed_operators(a.graph(), missing);
  if (!added.empty()) text += "\n  in B alone: " + listed_operators(b.graph(), added);
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
  Json rows = Json::array();
  for (const StageRow& row : difference.rows) {
    Json json{{"a", from_one(row.a)},
              {"b", from_one(row.b)},
              {"a_ms", row.latency_a.count()},
              {"b_ms", row.latency_b.count()}};
    put_delta(json, row.delta);
    json["relative"] = row.relative() ? Json(*row.relative()) : Json();
    json["change"] = change_text(row, a, b);
    json["a_kernels"] = kernels_json(row.kernels_a);
    json["b_kernels"] = kernels_json(row.kernels_b);
    json["units"] = row.units_a.empty() ? unit_names(b.graph(), row.units_b) : unit_names(a.graph(), row.units_a);
    Json moves = Json::array();
    for (const UnitMove& move : row.moves) {
      moves.push_back({{"units", unit_names(a.graph(), move.units)}, {"from", move.from + 1}, {"to", move.to + 1}});
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
