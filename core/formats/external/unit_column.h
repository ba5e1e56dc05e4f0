#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/external/external_run.h"
#include "core/formats/external/value_table.h"
#include "core/model/graph/graph.h"

namespace iosx {

// Says how a unit's value comes from those of its operators. Bytes, energy and times add up; an error, a share or a
// temperature does not.
enum class ColumnJoin {
  kSum,
  kLargest  // the one farthest from zero
};
inline constexpr std::array kColumnJoins{ColumnJoin::kSum, ColumnJoin::kLargest};
std::string_view join_name(ColumnJoin join);  // "sum", "largest"
// Returns kLargest where the title has a word of what does not add up ("error", "sparsity", "accuracy", "%", "max"),
// else kSum: a guess, which is told and may be chosen otherwise.
ColumnJoin join_of(std::string_view title);

// Is a column of a table of values by node name, told by the units of one graph.
struct UnitColumn {
  std::string title;  // anybody's
  std::string file;   // the path of the table
  ColumnJoin join = ColumnJoin::kSum;
  std::vector<std::optional<double>> values;  // a unit; finite; none where no row is an operator of it
  friend bool operator==(const UnitColumn&, const UnitColumn&) = default;
};

// Tells how much of a table was found in a graph. Rows of one name count as one name.
struct ColumnTally {
  std::size_t names = 0;
  std::size_t matched = 0;             // names that are operators or units of the graph
  std::vector<std::string> unmatched;  // the other names, in the order of the table
  std::size_t repeated = 0;            // names with several rows
  std::size_t not_numbers = 0;         // fields of the column
  std::size_t units = 0;               // that have a value
};

// Makes a value a unit of a column of the table. `matches` are those of the table's names (match_names()). Several rows
// of a name are repeated measurements: their median counts. What is several operators of several units gives each an
// equal share of a sum, and its value where the largest is taken; what names a unit as a whole counts instead of its
// operators' rows. The title is the column's.
struct MatchedColumn {
  UnitColumn column;
  ColumnTally tally;
};
MatchedColumn column_of_units(const ValueTable& table, std::size_t column, ColumnJoin join,
                              std::span<const OperatorMatch> matches, const Graph& graph);

// Returns the value of several together; none where there is none, or their sum is beyond kMostValue.
std::optional<double> joined(std::span<const double> values, ColumnJoin join);

// Returns the column of the table with this title, letter for letter, else without regard to case. Without a title it
// is the only column. The error lists the columns there are.
Result<std::size_t> find_value_column(const ValueTable& table, const std::string& title, const std::string& origin);

// Returns a column for another graph with the same units by name; units that it lacks have no value.
UnitColumn carried(const UnitColumn& column, const Graph& from, const Graph& to);

// Says how much was found: "43 of 45 names of values.csv are operators of resnet; not among them: a, b and 2 more", and
// what was left out or counted otherwise.
std::vector<Message> tally_sentences(const ColumnTally& tally, const std::string& file, const Graph& graph);

}  // namespace iosx
