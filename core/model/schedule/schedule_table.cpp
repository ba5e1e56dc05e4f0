#include "core/model/schedule/schedule_table.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/check.h"
#include "core/base/text.h"
#include "core/model/schedule/baselines.h"

namespace iosx {
namespace {

Schedule make_sequential(const Graph& graph, std::size_t /*max_streams*/) { return sequential_schedule(graph); }

Schedule make_one_by_one(const Graph& graph, std::size_t /*max_streams*/) { return one_by_one_schedule(graph); }

Schedule make_side_by_side(const Graph& graph, std::size_t /*max_streams*/) { return side_by_side_schedule(graph); }

constexpr std::array kTable{
    ScheduleKindRow{.schedule_kind = ScheduleKind::kSequential,
                    .id = "sequential",
                    .title = said("Sequential"),
                    .color = ColorRole::kSequential,
                    .make_baseline = make_sequential},
    ScheduleKindRow{.schedule_kind = ScheduleKind::kOneByOne,
                    .id = "one-by-one",
                    .title = said("One by one"),
                    .color = ColorRole::kOneByOne,
                    .make_baseline = make_one_by_one,
                    .on_request = true},
    ScheduleKindRow{.schedule_kind = ScheduleKind::kGreedy,
                    .id = "greedy",
                    .title = said("Greedy"),
                    .color = ColorRole::kGreedy,
                    .make_baseline = greedy_schedule},
    ScheduleKindRow{.schedule_kind = ScheduleKind::kSideBySide,
                    .id = "side-by-side",
                    .title = said("Side by side"),
                    .color = ColorRole::kSideBySide,
                    .make_baseline = make_side_by_side,
                    .of_several = true},
    ScheduleKindRow{ScheduleKind::kIosMerge, "ios-merge", said("IOS-Merge"), ColorRole::kMerge, StrategySet::kMerge,
                    "merge"},
    ScheduleKindRow{ScheduleKind::kIosParallel, "ios-parallel", said("IOS-Parallel"), ColorRole::kParallel,
                    StrategySet::kParallel, "parallel"},
    ScheduleKindRow{ScheduleKind::kIosBoth, "ios-both", said("IOS-Both"), ColorRole::kBoth, StrategySet::kBoth, "both"},
    ScheduleKindRow{.schedule_kind = ScheduleKind::kList,
                    .id = "list",
                    .title = said("List"),
                    .color = ColorRole::kList,
                    .barrier_free = true},
    ScheduleKindRow{.schedule_kind = ScheduleKind::kIosFlow,
                    .id = "ios-flow",
                    .title = said("IOS-Flow"),
                    .color = ColorRole::kFlow,
                    .barrier_free = true},
    ScheduleKindRow{ScheduleKind::kFile, "file", said("From a file"), ColorRole::kGiven},
    ScheduleKindRow{ScheduleKind::kByHand, "by-hand", said("By hand"), ColorRole::kGiven},
};

constexpr bool rows_stand_at_their_schedule_kinds() {
  for (std::size_t i = 0; i < kTable.size(); ++i) {
    if (kTable[i].schedule_kind != static_cast<ScheduleKind>(i)) return false;
  }
  return true;
}
static_assert(rows_stand_at_their_schedule_kinds());

// Returns the beginning of the schedule's ids.
std::string stem_of(const ScheduleKindRow& row, std::string_view name) {
  return row.given() ? file_stem(name.empty() ? row.id : name) : std::string(row.id);
}

}  // namespace

std::span<const ScheduleKindRow> schedule_table() { return kTable; }

const ScheduleKindRow& row_of(ScheduleKind schedule_kind) { return kTable.at(static_cast<std::size_t>(schedule_kind)); }

const ScheduleKindRow& row_of(StrategySet strategies) {
  const auto* const row =
      std::ranges::find_if(kTable, [&](const ScheduleKindRow& each) { return each.strategies == strategies; });
  IOS_CHECK(row != kTable.end());
  return *row;
}

std::vector<ScheduleKind> made_schedule_kinds() { return schedule_kinds_within(StrategySet::kBoth); }

std::vector<ScheduleKind> schedule_kinds_within(StrategySet strategies) {
  std::vector<ScheduleKind> schedule_kinds;
  for (const ScheduleKindRow& row : kTable) {
    const bool search = row.strategies && (strategies == StrategySet::kBoth || row.strategies == strategies);
    if ((row.baseline() && !row.on_request && !row.of_several) || search || row.barrier_free)
      schedule_kinds.push_back(row.schedule_kind);
  }
  return schedule_kinds;
}

Result<ScheduleKind> parse_schedule_kind(std::string_view id) {
  std::vector<std::string_view> ids;
  for (const ScheduleKindRow& row : kTable) {
    if (row.id == id) return row.schedule_kind;
    ids.push_back(row.id);
  }
  return fail(message("unknown schedule '{}'", id), "schedules", message("choose from {}", fmt::join(ids, ", ")));
}

Result<StrategySet> parse_strategies(std::string_view word) {
  std::vector<std::string_view> words;
  for (const StrategySet strategies : kStrategySets) {
    words.push_back(row_of(strategies).strategy_word);
    if (words.back() == word) return strategies;
  }
  return fail(message("unknown strategy '{}'", word), "strategy", message("choose from {}", fmt::join(words, ", ")));
}

ScheduleId unused_id(ScheduleKind schedule_kind, std::string_view name, FunctionRef<bool(const ScheduleId&)> taken) {
  const std::string stem = stem_of(row_of(schedule_kind), name);
  const auto usable = [&](const ScheduleId& id) {
    const auto owner = parse_schedule_kind(id.text());
    return (!owner || *owner == schedule_kind) && !taken(id);
  };
  ScheduleId id(stem);
  for (int n = 2; !usable(id); ++n) id = ScheduleId(fmt::format("{}-{}", stem, n));
  return id;
}

std::string schedule_title(ScheduleKind schedule_kind, std::string_view name, const ScheduleId& id) {
  const ScheduleKindRow& row = row_of(schedule_kind);
  std::string title(row.given() && !name.empty() ? name : row.title);
  const std::string stem = stem_of(row, name) + '-';
  if (id.text().starts_with(stem)) title += ' ' + id.text().substr(stem.size());
  return title;
}

}  // namespace iosx
