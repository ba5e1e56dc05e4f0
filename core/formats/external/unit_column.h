#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/formats/external/external_run.h"
#include "core/model/graph/graph.h"

namespace iosx {

inline constexpr double kMostValue = 1e300;  // either sign: larger numbers are no values, so that sums are finite

// A column of numbers in a table: memory, an error after quantisation, anything.
struct ValueColumn {
  std::string title;                          // as in the file: "memory (MB)"; "column 2" where it has none
  std::vector<std::optional<double>> values;  // per row; none where the field is empty or not a number
  std::size_t not_numbers = 0;                // fields that are words, infinite, NaN, or beyond kMostValue
};

// An external table of values by node name.
struct ValueTable {
  std::vector<std::string> names;    // per row; several rows may have one name
  std::vector<ValueColumn> columns;  // at least one, each with at least one number
};

// Reads a table with a row per node. In CSV (commas, semicolons or tabs), the first row has titles unless it has
// numbers; the names are in the column "name", else in one recognised by names_operators(), else in the first one that
// is mostly not numbers. Every other column that is mostly numbers is a column of the table. In JSON, it is an object
// {NAME: number, …} or {NAME: {TITLE: number, …}, …}, a list of objects with their names as "name" (or "node", "id",
// "operator", "layer"), or node data of Model Explorer ({"results": {NAME: {"value": number}}}, also within one graph's
// name). Any bytes are safe to read, in bounded memory; the error says in one line what is wrong.
Result<ValueTable> read_value_table(std::string_view text, const std::string& origin);
Result<ValueTable> read_value_table(const std::filesystem::path& path);

// How a unit's value follows from those of its operators. Bytes, energy and times add up; errors, shares and
// temperatures do not.
enum class ColumnJoin {
  kSum,
  kLargest  // the one farthest from zero
};
inline constexpr std::array kColumnJoins{ColumnJoin::kSum, ColumnJoin::kLargest};
std::string_view join_name(ColumnJoin join);  // "sum", "largest"
// Returns kLargest where the title has a word for a value that does not add up ("error", "sparsity", "accuracy",
// "%", "max"), else kSum. This is a guess, which is reported and can be changed.
ColumnJoin join_of(std::string_view title);

// A column of a table of values by node name, by the units of one graph.
struct UnitColumn {
  std::string title;  // untrusted text
  std::string file;   // path of the table
  ColumnJoin join = ColumnJoin::kSum;
  std::vector<std::optional<double>> values;  // per unit; finite; none where no row is an operator of it
  friend bool operator==(const UnitColumn&, const UnitColumn&) = default;
};

// How much of a table was found in a graph. Rows with one name count once.
struct ColumnTally {
  std::size_t names = 0;
  std::size_t matched = 0;             // names of operators or units of the graph
  std::vector<std::string> unmatched;  // the other names, in the order of the table
  std::size_t repeated = 0;            // names with several rows
  std::size_t not_numbers = 0;         // fields of the column
  std::size_t units = 0;               // with a value
};

// Makes a value per unit from a column of the table. `matches` are those of the table's names (match_names()). Several
// rows of a name are repeated measurements: their median counts. A row of operators of several units gives each an
// equal share of a sum, or its value with kLargest; a row for a whole unit replaces the rows of its operators. The
// title is the column's.
struct MatchedColumn {
  UnitColumn column;
  ColumnTally tally;
};
MatchedColumn column_of_units(const ValueTable& table, std::size_t column, ColumnJoin join,
                              std::span<const OperatorMatch> matches, const Graph& graph);

// Returns the time in ms that a recorded run spent in each unit of the graph; none where no entry was matched to it. An
// entry of operators of several units gives each an equal share.
UnitColumn column_of_run(const ExternalRun& run, const Graph& graph);

// Returns the joint value; none without values, or with a sum beyond kMostValue.
std::optional<double> joined(std::span<const double> values, ColumnJoin join);

// Returns the table's column with this exact title, else ignoring case. Without a title it is the only column. The
// error lists the columns.
Result<std::size_t> find_value_column(const ValueTable& table, const std::string& title, const std::string& origin);

// Returns the column for another graph with the same units by name; its other units have no value.
UnitColumn carried(const UnitColumn& column, const Graph& from, const Graph& to);

// Returns what was found: "43 of 45 names of values.csv are operators of resnet; not among them: a, b and 2 more", and
// what was skipped or counted otherwise.
std::vector<Message> tally_sentences(const ColumnTally& tally, const std::string& file, const Graph& graph);

}  // namespace iosx
