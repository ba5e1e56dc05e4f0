#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/schedule/schedule.h"

// Small changes of a schedule at one of its stages.
namespace iosx {

enum class ChangeKind {
  kSplit,
  kJoinBefore,  // with the previous stage
  kJoinAfter,
  kMerge,    // layers of the stage become one
  kUnmerge,  // its merged layers run side by side
  kMoveBefore,
  kMoveAfter,
  kTakeBefore,  // from the previous stage
  kTakeAfter,
};
std::string_view change_name(ChangeKind kind);  // "split", "join-before", …

// Replaces stages [begin, end) of the schedule by `stages`.
struct Change {
  ChangeKind kind;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::vector<Stage> stages;
  // By id: for a split the units that run first; units that move, are taken, merged or were merged; for a join
  // the neighbour's.
  std::vector<UnitId> units;
};

// Returns every change of one kind at the stage, each once, by kind: a split in two (a group, a unit, or all up to
// some depth before the rest), a join with a neighbour, a merge of layers or its undoing, a unit, a merged layer or a
// group moved to a neighbour or taken from it. Each way to run the resulting stages counts: merges and groups kept,
// merged layers separated, the whole as one merged layer. The schedule, which must be legal, is legal after each.
//
// Groups are connected by what units read, unless the schedule had unconnected units in one group.
std::vector<Change> changes_at(const Graph& graph, const Schedule& schedule, std::size_t stage);

Schedule changed(const Schedule& schedule, const Change& change);

// The facts of a change, for its wording.
struct ChangeFacts {
  ChangeKind kind;
  std::vector<UnitId> units;  // units that are split off, moved, taken, merged, or were merged
  bool last = false;          // of a split: they run after the rest
  std::size_t neighbour = 0;  // the other stage of a join or a move, from 0
  // For joins, moves and splits: convolutions that are merged in addition, and those that are no longer merged.
  std::vector<std::vector<UnitId>> merged = {};
  std::vector<std::vector<UnitId>> unmerged = {};
  bool one_was_merged = false;  // there was only one before, so that it needs no names
};
ChangeFacts facts_of(const Schedule& schedule, const Change& change);

// Returns "split off [a b] first", "join with stage 12, merging a and b" for display; stages count from 1.
std::string change_text(const Graph& graph, const Schedule& schedule, const Change& change);

}  // namespace iosx
