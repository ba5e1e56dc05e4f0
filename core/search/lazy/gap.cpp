#include "core/search/lazy/gap.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace iosx {
namespace {

// Gives joined parts their current cost, on average.
void apply_joined_costs(SearchTask& task, const SearchResult& found, const std::set<PartId>& joined) {
  if (std::ranges::none_of(task.parts, [&](PartId part) { return joined.contains(part); })) return;
  task.cost = Millis(0);
  for (const PartId part : task.parts) task.cost += found.parts[part.index()].cost;
  task.cost /= static_cast<double>(task.parts.size());
  task.least = std::min(task.least, task.cost);
}

}  // namespace

bool Gap::is_closed() {
  const std::optional<double>& epsilon = state_.options.effort.epsilon;
  if (!epsilon || state_.is_cut()) return true;
  std::vector<LazyState::Wanted> wanted;
  return state_.best <= certificates_.bound(&wanted) * (1 + *epsilon) || wanted.empty();
}

Result<void> Gap::close() {
  const std::optional<double>& epsilon = state_.options.effort.epsilon;
  while (epsilon && !state_.is_cut() && !state_.stopped()) {
    std::vector<LazyState::Wanted> wanted;
    const Millis least = certificates_.bound(&wanted);
    if (wanted.empty() || state_.best <= least * (1 + *epsilon)) break;
    IOS_TRY(measure(state_, progress_, std::move(wanted)));
    progress_.note_best();
  }
  return {};
}

LazyReport Gap::certify(const SearchResult& found, const CutParts& cut) {
  LazyReport& report = state_.report;
  report.candidates = static_cast<std::int64_t>(state_.candidates());
  report.bound = cut.parts.empty() ? certificates_.bound() : certificates_.bound_beside(cut.parts, cut.bound);
  const auto gap = [&](Millis bound) {
    return bound > Millis(0) ? std::max(0.0, found.stage_sum / bound - 1) : std::numeric_limits<double>::infinity();
  };
  report.certified_gap = gap(report.bound);
  report.estimated_gap = cut.parts.empty() ? gap(certificates_.estimate()) : report.certified_gap;
  state_.knowledge.fill_in(report);
  report.tasks = progress_.tasks();
  for (SearchTask& task : report.tasks) apply_joined_costs(task, found, cut.parts);
  progress_.tell_end(found.stage_sum, report.bound);
  return report;
}

}  // namespace iosx
