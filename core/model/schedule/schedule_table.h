#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/function_ref.h"
#include "core/base/result.h"

// The table of schedules: every way to come by one, and all that the rest of the program says about it. A new way is a
// value of ScheduleKind and a row.
namespace iosx {

class Graph;
struct Schedule;

// Says what the stages of a search may be; single-unit stages are always allowed.
enum class StrategySet { kBoth, kParallel, kMerge };
inline constexpr std::array kStrategySets{StrategySet::kBoth, StrategySet::kParallel, StrategySet::kMerge};
inline constexpr std::array<std::string_view, 3> kStrategyWords{"both", "parallel", "merge"};  // in that order

// How a schedule comes about.
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

// Says what a colour stands for; themes say which colour that is (views/style/theme.h).
enum class ColorRole { kSequential, kOneByOne, kGreedy, kSideBySide, kMerge, kParallel, kBoth, kList, kFlow, kGiven };

struct ScheduleKindRow {
  ScheduleKind schedule_kind;
  std::string_view id;     // in commands and documents: "ios-both"
  std::string_view title;  // for people: "IOS-Both"
  ColorRole color;
  // A search has these: what its stages may be, and the word for that on command lines ("both").
  std::optional<StrategySet> strategies = std::nullopt;
  std::string_view strategy_word = {};
  // A baseline has this: it is made from the graph alone, with at most so many groups in a stage.
  Schedule (*make_baseline)(const Graph& graph, std::size_t max_streams) = nullptr;

  // It is made only where somebody asks for it by name: not one of "all schedules".
  bool on_request = false;

  // It is made of graphs of several networks only, and there always.
  bool of_several = false;

  // It has no stages of its own: lanes are found for the kernels of schedules that have (find_lanes()).
  bool barrier_free = false;

  bool baseline() const { return make_baseline != nullptr; }
  bool given() const {
    return !baseline() && !strategies && !barrier_free;
  }  // brought by the user, not made from the graph
};

std::span<const ScheduleKindRow> schedule_table();  // in the order to show them
const ScheduleKindRow& row_of(ScheduleKind schedule_kind);
const ScheduleKindRow& row_of(StrategySet strategies);  // of the search with these

// "All schedules": the baselines, the searches and the barrier-free ones, which need nothing but the graph, without
// those made on request or of several networks only (compare() adds these).
std::vector<ScheduleKind> made_schedule_kinds();
// Of these all but the searches whose stages these strategies do not allow: all three for kBoth.
std::vector<ScheduleKind> schedule_kinds_within(StrategySet strategies);

Result<ScheduleKind> parse_schedule_kind(std::string_view id);  // the error lists the ids
Result<StrategySet> parse_strategies(std::string_view word);    // the error lists the words

// Which schedule of a comparison is meant. Unique within it, even where two schedules have the same schedule kind or
// the same name; the same in every run of the same request. Its text stands in file names and documents.
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

// An id for one more schedule: its schedule kind's, or for a given one its name as far as a file name can say it;
// numbered from 2 where that is taken. A given schedule never gets an id that belongs to another schedule kind.
ScheduleId unused_id(ScheduleKind schedule_kind, std::string_view name, FunctionRef<bool(const ScheduleId&)> taken);

// For people: "IOS-Both", "IOS-Both 2"; the name of a given schedule, numbered as its id is.
std::string schedule_title(ScheduleKind schedule_kind, std::string_view name, const ScheduleId& id);

}  // namespace iosx
