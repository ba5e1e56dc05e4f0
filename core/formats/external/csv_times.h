#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/duration.h"
#include "core/base/message.h"
#include "core/base/result.h"

namespace iosx::external {

using CsvRow = std::vector<std::string>;  // the fields; at least one

// Reads a field that is exactly one finite number. With `thousands`, commas may separate thousands:
// "1,250.5".
std::optional<double> csv_number(std::string_view field, bool thousands);

// Reads the rows of a table one by one, so that a large file is in memory once. Fields may be quoted; the first row
// tells whether commas, semicolons or tabs separate fields. The text must outlive the reader.
class CsvReader {
 public:
  explicit CsvReader(std::string_view text);

  std::size_t line() const { return line_; }  // of the last row
  bool has_commas_in_fields() const { return separator_ == ','; }

  // Reads the next row that is not empty; returns false at the end. Errors: a quote without its end, or too many
  // columns.
  Result<bool> next(CsvRow& row);

 private:
  void skip_preface();
  Result<void> read_row(CsvRow& row);
  bool read_quoted(std::string& field);

  std::string_view text_;
  char separator_ = ',';
  std::size_t at_ = 0;
  std::size_t line_ = 0;
  std::size_t next_line_ = 1;
};

}  // namespace iosx::external

namespace iosx {

enum class TimeUnit { kNanos, kMicros, kMillis, kSeconds };
// Reads "ns", "us" or "µs", "ms", "s", and the forms of profilers: "nsecond", "usec", "milliseconds".
std::optional<TimeUnit> parse_time_unit(std::string_view word);

}  // namespace iosx

namespace iosx::external {

// What the rows measure, by the header.
enum class RowMeaning { kNotSaid, kOperators, kRuns };

struct NamedTimes {
  std::string name;
  std::string type = {};  // of the first row, like the next
  std::string output = {};
  std::vector<Millis> samples = {};  // one per row
  std::size_t count = 1;             // launches that a row's time is the average of
  std::optional<Millis> begin = {};  // of a row that has one
  std::string lane = {};             // for such a row: its device and stream
};
struct CsvTimes {
  std::vector<NamedTimes> names;  // in the order of their first rows
  RowMeaning meaning = RowMeaning::kNotSaid;
  std::vector<Message> notices = {};  // what was skipped or chosen
};

// Reads rows of a name and a latency. A first row without a number is the header: its words tell the columns of names
// ("name", "layer", "operator", "framework", …), latencies ("latency_ms", "time (us)", …), types and outputs, and the
// unit; otherwise names are in the first column and latencies in the next one with numbers. A median or an average has
// priority over a sum; columns in another unit, such as "Time (%)", and extremes or deviations are no latencies. `unit`
// applies where the table has none; its default is milliseconds. A number may have its own unit ("12.5 us"), and commas
// between thousands where it is quoted. Fields may be quoted; commas, semicolons and tabs separate. Several rows of a
// name are samples.
//
// Tables of Nsight's tools are recognised by their columns: rows with a count of launches, rows of launches with
// begins, and rows of a metric, its unit and its value, of which only durations are read.
Result<CsvTimes> read_csv_times(std::string_view text, std::optional<TimeUnit> unit, const std::string& origin);

struct RecordedRuns;
// Makes a recording of rows that all have begins.
RecordedRuns runs_with_begins(CsvTimes times);

// Returns the text with ASCII letters in lower case.
std::string lower_case(std::string_view text);

// Returns whether a column of this title has names of operators: "layer", "node name", "Kernel Name".
bool names_operators(std::string_view title);

}  // namespace iosx::external
