#include "views/tables/describe.h"

#include <QStringList>
#include <algorithm>
#include <cmath>

#include "core/analysis/compare/reliability.h"
#include "core/analysis/explain/explain_report.h"
#include "core/model/graph/partition.h"
#include "views/text/counter_text.h"
#include "views/text/format.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/text/stage_text.h"
#include "views/text/translate.h"

namespace iosx {
namespace {

constexpr std::size_t kMostAlternatives = 6;  // of those that a search may take, and of those excluded
constexpr std::size_t kMostKernels = 4;       // of which it is told what they waited for
constexpr std::size_t kMostOutputs = 50;

// Texts of core/analysis/explain, from the same facts as in a terminal.

QString list_of(const Graph& graph, const std::vector<UnitId>& units) {
  constexpr std::size_t kMost = 4;
  const std::size_t shown = units.size() > kMost + 1 ? kMost : units.size();
  QStringList names;
  for (std::size_t i = 0; i < shown; ++i) names << shown_name(graph.unit(units[i]).name);
  const QString list = names.join(QLatin1Char(' '));
  if (shown == units.size()) return QStringLiteral("[%1]").arg(list);
  return QStringLiteral("[%1 +%2]").arg(list).arg(units.size() - shown);
}

QString action_words(const Graph& graph, const ChangeFacts& facts) {
  const QString units = list_of(graph, facts.units);
  const QString stage = QString::number(facts.neighbour + 1);
  switch (facts.kind) {
    case ChangeKind::kSplit:
      return facts.last ? Inspector::tr("split off %1 last").arg(units)
                        : Inspector::tr("split off %1 first").arg(units);
    case ChangeKind::kJoinBefore:
    case ChangeKind::kJoinAfter: return Inspector::tr("join with stage %1").arg(stage);
    case ChangeKind::kMerge: return Inspector::tr("merge %1").arg(units);
    case ChangeKind::kUnmerge: return Inspector::tr("run %1 in parallel, not merged").arg(units);
    case ChangeKind::kMoveBefore:
    case ChangeKind::kMoveAfter: return Inspector::tr("move %1 to stage %2").arg(units, stage);
    case ChangeKind::kTakeBefore:
    case ChangeKind::kTakeAfter: break;
  }
  return Inspector::tr("take %1 from stage %2").arg(units, stage);
}

QString exclusion_words(const Exclusion& why) {
  const QString found = QString::number(why.found);
  switch (why.limit) {
    case Limit::kR: return Inspector::tr("r = %1: a group of %2 units").arg(QString::number(why.allowed), found);
    case Limit::kS: return Inspector::tr("s = %1: %2 groups").arg(QString::number(why.allowed), found);
    case Limit::kEndingRule: return Inspector::tr("single-root: a group with %1 roots").arg(found);
    case Limit::kStrategy:
      return why.found == 1 ? Inspector::tr("strategy parallel: a merged layer")
                            : Inspector::tr("strategy merge: %1 units that are not merged").arg(found);
    case Limit::kParts:
      return Inspector::tr("parts: it would have units of parts %1 and %2").arg(why.allowed + 1).arg(why.found + 1);
    case Limit::kForm: break;
  }
  return why.found == 1 ? Inspector::tr("a search merges whole stages only")
                        : Inspector::tr("a search groups only units that read one another");
}

class Writer {
 public:
  void heading(const QString& name) { lines_.push_back({name, {}, true}); }
  void add(const QString& name, const QString& value) { lines_.push_back({name, value, false}); }
  void sentence(const QString& words) { lines_.push_back({.name = words, .form = Property::Form::kSentence}); }
  void prose(const QString& name, const QString& value) {
    lines_.push_back({.name = name, .value = value, .form = Property::Form::kProse});
  }
  void add(const std::vector<Property>& lines) { lines_.insert(lines_.end(), lines.begin(), lines.end()); }
  std::vector<Property> take() { return std::move(lines_); }

 private:
  std::vector<Property> lines_;
};

void add_work(Writer& out, const Work& work) {
  if (!work.known) return out.add(Inspector::tr("Computation"), Inspector::tr("unknown"));
  out.add(Inspector::tr("Computation"), format::flops(work.flops));
  out.add(Inspector::tr("Memory read"), format::bytes(work.bytes_read));
  out.add(Inspector::tr("Memory written"), format::bytes(work.bytes_written));
  out.add(Inspector::tr("Parameters"), format::count(work.parameters));
}

QString value_text(const Graph& graph, const Value& value) {
  const Operator& producer = graph.op(value.producer);
  QString text = shown_name(producer.name) + QStringLiteral(": ") + format::shape(graph.shape(value));
  if (value.begin != 0 || value.end != producer.output.channels()) {
    text += Inspector::tr(" (channels %1 to %2)").arg(value.begin).arg(value.end - 1);
  }
  return text;
}

void add_operator(Writer& out, const Graph& graph, OperatorId id, std::int64_t batch) {
  const Operator& op = graph.op(id);
  out.heading(Inspector::tr("Operator %1").arg(shown_name(op.name)));
  out.add(Inspector::tr("Kind"), qstring(kind_name(op.attributes)));
  for (const Property& property : attribute_properties(op)) out.add(property.name, property.value);
  for (const Value& input : op.inputs) out.prose(Inspector::tr("Input"), value_text(graph, input));
  out.add(Inspector::tr("Output"), op.sized ? format::shape(op.output) : Inspector::tr("unknown"));
  add_work(out, work(graph, id, batch));
}

// Returns "0.021 ± 0.001 ms (measured)" of a stage.
QString stage_latency(const Comparison& comparison, const ScheduleResult& result, std::size_t stage) {
  if (!comparison.knows_latency(result.schedule.stages[stage])) return Inspector::tr("unknown");
  const Latency& latency = result.stage_latencies[stage];
  QString text = QStringLiteral("%1 ms").arg(format::millis(latency.value));
  if (latency.spread > Millis(0)) {
    text = QString::fromUtf8("%1 \u00B1 %2 ms").arg(format::millis(latency.value), format::millis(latency.spread));
  }
  return text + QStringLiteral(" (%1)").arg(origin_text(latency.origin));
}

// Returns "lane 2, launch 14 of 120; lane 3, launch 15 of 120"; empty where the unit has no kernel.
QString launches_of(const ScheduleResult& result, UnitId unit) {
  QStringList words;
  for (std::size_t k = 0; k < result.plan.kernels.size(); ++k) {
    const Kernel& kernel = result.plan.kernels[k];
    if (std::ranges::find(kernel.units, unit) == kernel.units.end()) continue;
    words << Inspector::tr("lane %1, launch %2 of %3").arg(kernel.lane + 1).arg(k + 1).arg(result.plan.kernels.size());
  }
  return words.join(QStringLiteral("; "));
}

// Returns "stage 3 of 12, group 2 of 4, merged, 0.021 ms (simulated)", or launches_of() where there are lanes; empty
// where the schedule does not have the unit.
QString place_of(const Graph& graph, const Comparison& comparison, const ScheduleResult& result, UnitId unit) {
  if (result.lanes) return launches_of(result, unit);
  const auto& stages = result.schedule.stages;
  for (std::size_t s = 0; s < stages.size(); ++s) {
    for (std::size_t g = 0; g < stages[s].groups.size(); ++g) {
      for (const Step& step : stages[s].groups[g].steps) {
        if (std::find(step.units.begin(), step.units.end(), unit) == step.units.end()) continue;
        QString text = Inspector::tr("stage %1 of %2").arg(s + 1).arg(stages.size());
        if (stages[s].groups.size() > 1)
          text += Inspector::tr(", group %1 of %2").arg(g + 1).arg(stages[s].groups.size());
        if (step.merged() || strategy_of(graph, stages[s]) == Strategy::kMerge) text += Inspector::tr(", merged");
        if (s < result.stage_latencies.size()) {
          text += Inspector::tr(", ") + stage_latency(comparison, result, s);
        }
        return text;
      }
    }
  }
  return {};
}

void describe_network(Writer& out, const Graph& graph, std::int64_t batch) {
  out.heading(Inspector::tr("Network %1").arg(shown_name(graph.name())));
  out.add(Inspector::tr("Parts"), format::count(static_cast<std::int64_t>(shown_parts(graph).size())));
  out.add(Inspector::tr("Units"), format::count(static_cast<std::int64_t>(graph.units().size())));
  const auto operators = graph.operators();
  const auto count = [&](const auto& is) { return std::count_if(operators.begin(), operators.end(), is); };
  out.add(Inspector::tr("Operators"), format::count(count([](const Operator& op) { return !op.is_source(); })));
  if (const auto opaque = count([](const Operator& op) { return op.as<Opaque>() != nullptr; }); opaque > 0) {
    out.add(Inspector::tr("Not executable"), format::count(opaque));
  }
  out.add(Inspector::tr("Batch"), format::count(batch));
  add_work(out, total_work(graph, batch));
}

// Returns "3 of 14 (mixed_5b)", counted as the canvas shows them.
QString part_text(const Graph& graph, UnitId unit) {
  const std::vector<Part> parts = shown_parts(graph);
  const auto part = std::ranges::find_if(
      parts, [&](const Part& each) { return std::ranges::find(each.units, unit) != each.units.end(); });
  if (part == parts.end()) return {};
  return Inspector::tr("%1 of %2 (%3)").arg(part - parts.begin() + 1).arg(parts.size()).arg(shown_name(part->name));
}

// Adds the selected units' values in the user's column: several of them joined like the operators of a unit.
void add_column(Writer& out, const UnitColumn* column, std::span<const UnitId> units) {
  if (column == nullptr) return;
  constexpr qsizetype kMostTitle = 40;
  QString title = shown_name(column->title);
  if (title.size() > kMostTitle) title = title.left(kMostTitle) + QChar(0x2026);
  std::vector<double> values;
  for (const UnitId unit : units) {
    if (unit.index() < column->values.size() && column->values[unit.index()]) {
      values.push_back(*column->values[unit.index()]);
    }
  }
  const auto value = joined(values, column->join);
  if (!value) return out.add(title, Inspector::tr("no value"));
  const QString text = format::number(*value);
  if (units.size() == 1) return out.add(title, text);
  out.add(title, column->join == ColumnJoin::kSum ? Inspector::tr("%1 in sum").arg(text)
                                                  : Inspector::tr("%1, the farthest from zero").arg(text));
}

void describe_unit(Writer& out, const Graph& graph, UnitId id, const Comparison* comparison, std::int64_t batch,
                   const std::vector<Property>& why, const UnitColumn* column) {
  const Unit& unit = graph.unit(id);
  out.heading(Inspector::tr("Unit %1").arg(shown_name(unit.name)));
  if (!unit.hint.empty()) out.add(Inspector::tr("Called"), shown_name(unit.hint));
  out.add(Inspector::tr("Part"), part_text(graph, id));
  add_column(out, column, std::span(&id, 1));
  if (comparison != nullptr) {
    for (const ScheduleResult& result : comparison->results) {
      const QString place = place_of(graph, *comparison, result, id);
      if (!place.isEmpty()) out.add(schedule_title(result), place);
    }
  }
  if (unit.operators.size() > 1) add_work(out, work(graph, id, batch));
  out.add(why);
  for (const OperatorId op : unit.operators) add_operator(out, graph, op, batch);
}

const ScheduleResult* selected_result(const Selection& selection, const Comparison* comparison) {
  if (comparison == nullptr || !selection.stage) return nullptr;
  const ScheduleResult* result = comparison->find(selection.schedule);
  return result != nullptr && *selection.stage < result->schedule.stages.size() ? result : nullptr;
}

void describe_stage(Writer& out, const Graph& graph, const Comparison& comparison, const ScheduleResult& result,
                    std::size_t stage, const std::vector<Property>& why) {
  const Stage& value = result.schedule.stages[stage];
  out.heading(Inspector::tr("Stage %1 of %2").arg(stage + 1).arg(schedule_title(result)));
  if (result.lanes) out.prose(Inspector::tr("Without barriers"), chosen_by_stages_text(result));
  if (stage < result.stage_latencies.size()) {
    out.add(Inspector::tr("Latency"), stage_latency(comparison, result, stage));
    if (result.stage_sum.count() > 0) {
      const double share = result.stage_latencies[stage].value / result.stage_sum;
      out.add(Inspector::tr("Share"), Inspector::tr("%1 % of the stage sum").arg(format::percent(share)));
    }
  }
  if (!why.empty()) {
    out.add(why);
    out.heading(Inspector::tr("How it runs"));
  }
  out.add(Inspector::tr("Strategy"), strategy_text(graph, value));
  const qsizetype prefix = common_prefix(graph, value.units()).size();
  for (std::size_t g = 0; g < value.groups.size(); ++g) {
    out.prose(Inspector::tr("Group %1").arg(g + 1), units_of_group(graph, value.groups[g], prefix));
  }
  if (stage < result.trace.stages.size()) {
    const QString cores = cores_text(result.trace.stages[stage]);
    if (!cores.isEmpty()) out.add(Inspector::tr("Cores"), cores);
  }
  if (const auto share = mean_utilization(result.trace, stage)) {
    const Counter& counter = *main_counter(result.trace);
    out.add(counter_title(core_words(counter.name)),
            Inspector::tr("%1 % of %2 %3, on average")
                .arg(format::percent(*share), quantity_text(counter.peak, counter.peak), core_words(counter.unit)));
  } else if (const auto mean = mean_in_stage(result.trace, stage)) {
    out.add(counter_title(core_words(main_counter(result.trace)->name)),
            Inspector::tr("%1, on average").arg(quantity_text(*mean, 0)));
  }
}

void describe_units(Writer& out, const Graph& graph, const Selection& selection, std::int64_t batch,
                    const std::vector<Property>& why, const UnitColumn* column) {
  const QString prefix = common_prefix(graph, selection.units);
  out.heading(prefix.isEmpty() ? Inspector::tr("%1 units").arg(selection.units.size())
                               : Inspector::tr("%1 units of %2").arg(selection.units.size()).arg(prefix.chopped(1)));
  Work sum;
  for (const UnitId unit : selection.units) sum += work(graph, unit, batch);
  add_work(out, sum);
  add_column(out, column, selection.units);
  out.add(why);
  if (!why.empty()) out.heading(Inspector::tr("Units"));
  for (const UnitId id : selection.units) {
    const Unit& unit = graph.unit(id);
    const QString kind =
        unit.hint.empty() ? qstring(kind_name(graph.op(unit.output()).attributes)) : shown_name(unit.hint);
    const Work own = work(graph, id, batch);
    out.add(shown_name(unit.name).mid(prefix.size()),
            QStringLiteral("%1, %2, %3")
                .arg(kind, format::shapes(graph, id), own.known ? format::flops(own.flops) : Inspector::tr("unknown")));
  }
}

// Returns "+0.041 ms", "+0.041 ± 0.002 ms", "≈ +0.041 ms", "≥ +0.041 ms".
QString signed_millis(const Alternative& alternative) {
  QString text = QString::fromStdString(signed_text(alternative.difference)).replace(QLatin1Char('-'), QChar(0x2212));
  if (alternative.basis == Basis::kPredicted) text.prepend(QString::fromUtf8("\u2248 "));
  if (alternative.basis == Basis::kBound) text.prepend(QString::fromUtf8("\u2265 "));
  if (alternative.error > Millis(0)) text += QString::fromUtf8(" \u00B1 ") + format::millis(alternative.error);
  return Inspector::tr("%1 ms").arg(text);
}

QString basis_text(Basis basis) {
  switch (basis) {
    case Basis::kSimulated: return Inspector::tr("simulated");
    case Basis::kMeasured: return Inspector::tr("measured");
    case Basis::kReused: return Inspector::tr("measured earlier");
    case Basis::kRecorded: return Inspector::tr("recorded");
    case Basis::kLearned:
    case Basis::kPredicted: return Inspector::tr("predicted");
    case Basis::kBound: return Inspector::tr("a bound");
    case Basis::kUnknown: break;
  }
  return Inspector::tr("unknown");
}

// Says what a change does, without what the names of the stage's units have in common.
QString alternative_words(const Graph& graph, const Schedule& schedule, const Alternative& alternative,
                          const QString& prefix) {
  QString text = change_words(graph, schedule, alternative.change);
  return prefix.isEmpty() ? text : text.remove(prefix);
}

// Returns its cost: "+0.002 ms", "−0.004 ms ≈" within the noise.
QString alternative_cost(const Alternative& alternative) {
  if (alternative.basis == Basis::kUnknown) return Inspector::tr("not measured");
  const bool noise = std::abs(alternative.difference.count()) <= alternative.error.count();
  return alternative.error > Millis(0) && noise ? signed_millis(alternative) + QString::fromUtf8(" \u2248")
                                                : signed_millis(alternative);
}

// Returns one sentence on the gain of the best alternative for a search, and its basis.
QString why_sentence(const Graph& graph, const Schedule& schedule, const StageExplanation& stage,
                     const QString& prefix) {
  const Alternative* best = stage.next_best();
  if (best == nullptr) {
    const bool any =
        std::ranges::any_of(stage.alternatives, [](const Alternative& each) { return each.excluded.empty(); });
    return any ? Inspector::tr("Alternatives of a search here are not measured")
               : Inspector::tr("A search has no alternatives here");
  }
  const QString words = alternative_words(graph, schedule, *best, prefix);
  const QString ms = format::millis(Millis(std::abs(best->difference.count())));
  const QString how = basis_text(best->basis);
  if (best->is_better()) return Inspector::tr("Better: %1, saves %2 ms (%3)").arg(words, ms, how);
  const bool same = std::abs(best->difference.count()) <= std::max(best->error, Alternative::kNothing).count();
  return same ? Inspector::tr("As good: %1 (%2)").arg(words, how)
              : Inspector::tr("Next best: %1, costs %2 ms more (%3)").arg(words, ms, how);
}

// Returns "conv_b (lane 2, launch 14)".
QString kernel_text(const ExecutionPlan& plan, KernelId id) {
  const Kernel& kernel = plan.kernel(id);
  return Inspector::tr("%1 (lane %2, launch %3)")
      .arg(shown_name(kernel.name), QString::number(kernel.lane + 1), QString::number(id.index() + 1));
}

// Returns what a kernel waited for: "its lane was free at 20 µs and idle for 5 µs, until conv_b (…) had ended".
QString waited_text(const ExecutionPlan& plan, const KernelWait& wait) {
  const QString waited = duration_text(wait.waited());
  switch (wait.what()) {
    case KernelWait::For::kNothing: return Inspector::tr("nothing: it has no dependency and is the first on its lane");
    case KernelWait::For::kNeed:
      if (wait.before == wait.need) {
        return Inspector::tr("%1, a dependency that precedes it on its lane").arg(kernel_text(plan, *wait.need));
      }
      if (wait.waited() == Micros{0}) return Inspector::tr("%1, a dependency").arg(kernel_text(plan, *wait.need));
      return Inspector::tr("%1, a dependency: its lane was free %2 before").arg(kernel_text(plan, *wait.need), waited);
    case KernelWait::For::kLane:
      if (!wait.need) return Inspector::tr("its lane, for %1: %2").arg(waited, kernel_text(plan, *wait.before));
      return Inspector::tr("its lane: %1; its dependencies had ended %2 before")
          .arg(kernel_text(plan, *wait.before), waited);
  }
  return {};
}

QString earlier_text(const ExecutionPlan& plan, const EarlierStart& earlier) {
  const QString most = duration_text(earlier.most);
  switch (earlier.by) {
    case EarlierStart::By::kNeed:
      return Inspector::tr("by up to %1, if %2 had ended earlier").arg(most, kernel_text(plan, earlier.kernel));
    case EarlierStart::By::kOrder:
      return Inspector::tr("by up to %1 if before %2, on which it does not depend")
          .arg(most, kernel_text(plan, earlier.kernel));
    case EarlierStart::By::kLane:
      return Inspector::tr("by up to %1 on lane %2, which was idle long enough").arg(most).arg(earlier.lane + 1);
  }
  return {};
}

QString error_text(double value) { return QString::number(value, 'g', 3); }

QString dims_text(const std::vector<std::int64_t>& dims) {
  QStringList sizes;
  for (const std::int64_t dim : dims) sizes << QString::number(dim);
  return sizes.join(QStringLiteral(" × "));
}

}  // namespace

QString change_words(const Graph& graph, const Schedule& schedule, const Change& change) {
  const ChangeFacts facts = facts_of(schedule, change);
  QString words = action_words(graph, facts);
  for (const auto& merged : facts.merged) words += Inspector::tr(", merging %1").arg(list_of(graph, merged));
  for (const auto& merged : facts.unmerged) {
    words += facts.one_was_merged ? Inspector::tr(", not merged")
                                  : Inspector::tr(", %1 not merged").arg(list_of(graph, merged));
  }
  return words;
}

QString why_words(const std::vector<Exclusion>& excluded) {
  QStringList words;
  for (const Exclusion& why : excluded) words << exclusion_words(why);
  return words.join(Inspector::tr("; "));
}

std::vector<Property> describe(const Graph& graph, const Selection& selection, const Comparison* comparison,
                               std::int64_t batch, const std::vector<Property>& why, const UnitColumn* column) {
  Writer out;
  const bool known = std::all_of(selection.units.begin(), selection.units.end(),
                                 [&](UnitId unit) { return unit.index() < graph.units().size(); });
  if (selection.empty() || !known) {
    describe_network(out, graph, batch);
    return out.take();
  }
  const ScheduleResult* const result = selected_result(selection, comparison);
  if (result != nullptr) describe_stage(out, graph, *comparison, *result, *selection.stage, why);
  const std::vector<Property> of_units = result != nullptr ? std::vector<Property>() : why;
  if (selection.units.size() == 1) {
    describe_unit(out, graph, selection.units.front(), comparison, batch, of_units, column);
  } else {
    describe_units(out, graph, selection, batch, of_units, column);
  }
  return out.take();
}

std::vector<Property> describe_why(const Graph& graph, const Schedule& schedule, const StageExplanation& stage,
                                   bool with_excluded) {
  Writer out;
  out.heading(Inspector::tr("Why this stage"));
  const Stage& value = schedule.stages[stage.stage];
  const QString prefix = stage_prefix(graph, value);
  out.sentence(why_sentence(graph, schedule, stage, prefix));
  std::vector<std::size_t> possible;
  std::vector<std::size_t> excluded;
  for (std::size_t i = 0; i < stage.alternatives.size(); ++i) {
    (stage.alternatives[i].excluded.empty() ? possible : excluded).push_back(i);
  }
  const std::size_t count = excluded.size();
  if (possible.size() > kMostAlternatives) possible.resize(kMostAlternatives);
  if (excluded.size() > kMostAlternatives) excluded.resize(kMostAlternatives);
  Millis largest{0};
  const auto measure = [&](std::size_t i) {
    const Alternative& each = stage.alternatives[i];
    if (each.basis != Basis::kUnknown) largest = std::max(largest, Millis(std::abs(each.difference.count())));
  };
  std::ranges::for_each(possible, measure);
  std::ranges::for_each(excluded, measure);
  const auto add = [&](std::size_t i) {
    const Alternative& each = stage.alternatives[i];
    const bool known = each.basis != Basis::kUnknown && largest > Millis(0);
    out.add({{.name = alternative_words(graph, schedule, each, prefix),
              .value = alternative_cost(each),
              .form = Property::Form::kAlternative,
              .bar = known ? each.difference / largest : 0,
              .alternative = i}});
  };
  for (const std::size_t i : possible) add(i);
  if (count > 0) {
    const QString words = count == 1 ? Inspector::tr("1 alternative excluded by limits")
                                     : Inspector::tr("%1 alternatives excluded by limits").arg(count);
    const QChar sign(with_excluded ? 0x25BE : 0x25B8);
    out.add({{.name = sign + QLatin1Char(' ') + words, .form = Property::Form::kFold}});
  }
  for (const std::size_t i : excluded) {
    if (!with_excluded) break;
    add(i);
    out.sentence(why_words(stage.alternatives[i].excluded));
  }
  if (value.units().size() > 1 && !stage.no_merge.empty()) {
    out.prose(Inspector::tr("Not merged"), message_text(stage.no_merge));
  }
  if (!stage.excluded.empty()) {
    out.prose(Inspector::tr("Beyond limits"), Inspector::tr("this stage: %1").arg(why_words(stage.excluded)));
  }
  return out.take();
}

std::vector<Property> describe_waits(const ScheduleResult& result, std::span<const UnitId> units) {
  if (!result.lanes || result.trace.kernels.empty()) return {};
  std::vector<KernelId> kernels;
  for (std::size_t k = 0; k < result.plan.kernels.size(); ++k) {
    const bool chosen = std::ranges::any_of(result.plan.kernels[k].units,
                                            [&](UnitId unit) { return std::ranges::find(units, unit) != units.end(); });
    if (chosen) kernels.emplace_back(k);
  }
  Writer out;
  if (kernels.size() > kMostKernels) {
    out.heading(Inspector::tr("When %1 kernels began, in %2").arg(kernels.size()).arg(schedule_title(result)));
    out.sentence(Inspector::tr("Too many kernels to list what each waited for: select fewer units"));
    return out.take();
  }
  if (kernels.empty()) return {};
  const KernelWaits waits(result.plan, result.trace);
  for (const KernelId kernel : kernels) {
    const auto wait = waits.of(kernel);
    if (!wait) continue;
    out.heading(
        Inspector::tr("When %1 began, in %2").arg(shown_name(result.plan.kernel(kernel).name), schedule_title(result)));
    out.add(Inspector::tr("Began at"), duration_text(wait->begin));
    out.prose(Inspector::tr("Waited for"), waited_text(result.plan, *wait));
    if (wait->start() > Micros{0}) {
      out.prose(
          Inspector::tr("Then"),
          Inspector::tr("%1 until it began: its launch, and waits between lanes").arg(duration_text(wait->start())));
    } else if (wait->start() < Micros{0}) {
      out.prose(Inspector::tr("Then"),
                Inspector::tr("in the trace it began %1 earlier; the times of the trace are no finer")
                    .arg(duration_text(-wait->start())));
    }
    for (const EarlierStart& earlier : wait->earlier) {
      out.prose(Inspector::tr("Earlier"), earlier_text(result.plan, earlier));
    }
  }
  return out.take();
}

std::vector<Property> describe_no_why(const QString& error) {
  Writer out;
  out.heading(Inspector::tr("Why this stage"));
  out.prose(Inspector::tr("Next best"), error.isEmpty() ? Inspector::tr("being computed") : error);
  return out.take();
}

std::vector<Property> describe_networks(const Comparison& comparison) {
  const Graph& graph = *comparison.graph;
  if (graph.networks().empty()) return {};
  Writer out;
  const auto alone = alone_times(comparison);
  std::vector<std::vector<NetworkTime>> times;
  for (const ScheduleResult& result : comparison.results) times.push_back(network_times(graph, result));
  for (std::size_t n = 0; n < graph.networks().size(); ++n) {
    out.heading(Inspector::tr("Own latency of %1").arg(shown_name(graph.networks()[n])));
    if (n < alone.size() && alone[n]) out.add(Inspector::tr("Alone"), duration_text(*alone[n]));
    for (std::size_t i = 0; i < times.size(); ++i) {
      if (n < times[i].size()) out.add(schedule_title(comparison.results[i]), duration_text(times[i][n].ends));
    }
  }
  return out.take();
}

std::vector<Property> describe_search(const ScheduleResult& result) {
  if (!result.search) return {};
  const SearchResult& search = *result.search;
  Writer out;
  out.heading(Inspector::tr("Search of %1").arg(schedule_title(result)));
  out.add(Inspector::tr("Requested"),
          search.lazy ? Inspector::tr("%1 of %2 stages")
                            .arg(format::count(search.tally.needed), format::count(search.lazy->candidates))
                      : Inspector::tr("%1 stages").arg(format::count(search.tally.needed)));
  out.add(Inspector::tr("Time"), format::elapsed(search.elapsed));
  out.prose(Inspector::tr("Gap"), gap_text(search));
  return out.take();
}

std::vector<Property> describe_sensitivity(const Comparison& comparison) {
  const ScheduleResult& best = comparison.results[comparison.best()];
  if (!best.sensitivity || !comparison.fits(best)) return {};
  Writer out;
  out.heading(Inspector::tr("Sensitivity to the model's errors"));
  if (best.sensitivity->speedup_low > 0 && best.schedule_kind != ScheduleKind::kSequential) {
    out.add(Inspector::tr("Speed-up"),
            Inspector::tr("%1 to %2 in nine of ten cases")
                .arg(ratio_text(best.sensitivity->speedup_low), ratio_text(best.sensitivity->speedup_high)));
  }
  QStringList ties;
  for (const std::size_t i : ties_with_best(comparison)) ties << schedule_title(comparison.results[i]);
  if (!ties.isEmpty()) out.add(Inspector::tr("Tied with"), ties.join(QStringLiteral(", ")));
  return out.take();
}

std::vector<Property> describe_file(const FileInterface& file, bool any_batch) {
  Writer out;
  const auto shape_of = [](const FileTensor& tensor) {
    const QString sizes = dims_text(tensor.shape());
    return QStringLiteral("%1 %2").arg(sizes.isEmpty() ? Inspector::tr("scalar") : sizes,
                                       QString::fromStdString(tensor.type));
  };
  out.heading(Inspector::tr("Inputs and outputs"));
  for (const FileTensor& input : file.inputs) {
    out.add(Inspector::tr("Input %1").arg(shown_name(input.name)), shape_of(input));
  }
  for (const FileTensor& output : file.outputs) {
    out.add(Inspector::tr("Output %1").arg(shown_name(output.name)), shape_of(output));
  }
  for (const OpenDim* dim : file.deciding()) {
    out.add(shown_name(dim->name), dim->origin == SizeOrigin::kGiven
                                       ? Inspector::tr("%1, as given; open in the file").arg(dim->size)
                                       : Inspector::tr("%1, chosen here; open in the file").arg(dim->size));
  }
  out.add(Inspector::tr("Batch"), !file.leading_batch ? Inspector::tr("no batch axis: the shapes hold all axes")
                                  : any_batch         ? Inspector::tr("the leading axis; any")
                                                      : Inspector::tr("the leading axis; 1 only"));
  return out.take();
}

std::vector<Property> describe_verification(const QString& schedule, const Verification& verification) {
  Writer out;
  out.heading(Inspector::tr("Outputs of %1").arg(schedule));
  out.add(Inspector::tr("Compared with"), shown_name(verification.reference));
  out.add(Inspector::tr("Verdict"), verification.passed() ? Inspector::tr("passed") : Inspector::tr("FAILED"));
  out.add(Inspector::tr("Tolerance"),
          Inspector::tr("%1 of the output's magnitude").arg(error_text(verification.tolerance)));
  const std::size_t shown = std::min(verification.outputs.size(), kMostOutputs);
  for (std::size_t i = 0; i < shown; ++i) {
    const OutputDifference& output = verification.outputs[i];
    QString text = Inspector::tr("%1; largest error %2 absolute, %3 relative; magnitude %4")
                       .arg(output.passed ? Inspector::tr("passed") : Inspector::tr("FAILED"),
                            error_text(output.max_abs), error_text(output.max_rel), error_text(output.magnitude));
    if (!output.finite) text += Inspector::tr("; has values that are not finite");
    if (!output.passed) {
      text += Inspector::tr("; element %1 is %2 instead of %3")
                  .arg(output.worst)
                  .arg(static_cast<double>(output.value))
                  .arg(static_cast<double>(output.reference));
    }
    out.add(QStringLiteral("%1 (%2)").arg(shown_name(output.name), dims_text(output.dims)), text);
  }
  if (shown < verification.outputs.size()) {
    out.add(Inspector::tr("More"), Inspector::tr("%1 more outputs").arg(verification.outputs.size() - shown));
  }
  return out.take();
}

QString verification_sentence(const QString& schedule, const Verification& verification) {
  const auto failed = std::count_if(verification.outputs.begin(), verification.outputs.end(),
                                    [](const OutputDifference& output) { return !output.passed; });
  double absolute = 0;
  double relative = 0;
  for (const OutputDifference& output : verification.outputs) {
    absolute = std::max(absolute, output.max_abs);
    relative = std::max(relative, output.max_rel);
  }
  const QString errors = Inspector::tr("largest error %1 absolute, %2 relative, tolerance %3 of the output's magnitude")
                             .arg(error_text(absolute), error_text(relative), error_text(verification.tolerance));
  const QString reference = shown_name(verification.reference);
  if (failed == 0) return Inspector::tr("%1 computes the same as %2: %3.").arg(schedule, reference, errors);
  return Inspector::tr("%1 does not compute the same as %2: %3 of %4 outputs differ; %5.")
      .arg(schedule, reference)
      .arg(failed)
      .arg(verification.outputs.size())
      .arg(errors);
}

}  // namespace iosx
