#pragma once

#include <array>
#include <compare>
#include <span>

#include "core/base/function_ref.h"
#include "core/base/result.h"

// The table of schedules: all ways to make one, with everything that the rest of the program says about them. A new
// way is a value of ScheduleKind and a row.
namespace iosx {

class Graph;
struct Schedule;

// Which stages a search may use; single-unit stages are always allowed.
enum class StrategySet { kBoth, kParallel, kMerge };
inline constexpr std::array kStrategySets{StrategySet::kBoth, StrategySet::kParallel, StrategySet::kMerge};
inline constexpr std::array<std::string_view, 3> kStrategyWords{said("both"), said("parallel"),
                                                                said("merge")};  // in that order

// How a schedule is made.
enum class ScheduleKind {
  kSequential,
  kOneByOne,
  kGreedy,
  kSideBySide,
  kIosMerge,
  kIosParallel,
  kIosBoth,
  kList,
  kIosFlow,
  kFile,
  kByHand
};

// The meaning of a colour; themes define the colour (views/style/theme.h).
enum class ColorRole { kSequential, kOneByOne, kGreedy, kSideBySide, kMerge, kParallel, kBoth, kList, kFlow, kGiven };

struct ScheduleKindRow {
  ScheduleKind schedule_kind;
  std::string_view id;     // in commands and documents: "ios-both"
  std::string_view title;  // for display: "IOS-Both"
  ColorRole color;
  // For a search: its stages, and their word on command lines ("both").
  std::optional<StrategySet> strategies = std::nullopt;
  std::string_view strategy_word = {};
  // For a baseline: makes it from the graph alone, with at most max_streams groups per stage.
  Schedule (*make_baseline)(const Graph& graph, std::size_t max_streams) = nullptr;

  // It is made only on request by name: not one of "all schedules".
  bool on_request = false;

  // It is made for graphs of several networks only, and there always.
  bool of_several = false;

  // It has no stages of its own: lanes are found for the kernels of schedules with stages (find_lanes()).
  bool barrier_free = false;

  bool baseline() const { return make_baseline != nullptr; }
  bool given() const {
    return !baseline() && !strategies && !barrier_free;
  }  // given by the user, not made from the graph
};

std::span<const ScheduleKindRow> schedule_table();  // in display order
const ScheduleKindRow& row_of(ScheduleKind schedule_kind);
const ScheduleKindRow& row_of(StrategySet strategies);  // of the search with these

// "All schedules": the baselines, the searches and the barrier-free ones, which need only the graph, without those
// made on request or for several networks only (compare() adds these).
std::vector<ScheduleKind> made_schedule_kinds();
// Returns these without the searches whose stages the strategies do not allow: all three for kBoth.
std::vector<ScheduleKind> schedule_kinds_within(StrategySet strategies);

Result<ScheduleKind> parse_schedule_kind(std::string_view id);  // the error lists the ids
Result<StrategySet> parse_strategies(std::string_view word);    // the error lists the words

// Identifies a schedule of a comparison. It is unique within it, even for equal schedule kinds or names, and the
// same in every run of the same request. Its text is part of file names and documents.
class ScheduleId {
 public:
  ScheduleId() = default;  // none
  explicit ScheduleId(std::string text) : text_(std::move(text)) {}

  const std::string& text() const { return text_; }  // "ios-both", "ios-both-2", "my-plan"
  bool empty() const { return text_.empty(); }
  friend auto operator<=>(const ScheduleId&, const ScheduleId&) = default;

 private:
  std::string text_;
};

// Returns an id for one more schedule: its schedule kind's, or for a given one its name in a form for file names;
// numbered from 2 where that is taken. A given schedule never gets an id of another schedule kind.
ScheduleId unused_id(ScheduleKind schedule_kind, std::string_view name, FunctionRef<bool(const ScheduleId&)> taken);

// Returns the display title: "IOS-Both", "IOS-Both 2"; for a given schedule its name, numbered like its id.
std::string schedule_title(ScheduleKind schedule_kind, std::string_view name, const ScheduleId& id);

}  // namespace iosx
