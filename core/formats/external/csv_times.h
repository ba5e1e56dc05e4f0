#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/duration.h"
#include "core/base/message.h"
#include "core/base/result.h"

namespace iosx {

enum class TimeUnit { kNanos, kMicros, kMillis, kSeconds };
// Reads "ns", "us" or "µs", "ms", "s", and how profilers write them: "nsecond", "usec", "milliseconds".
std::optional<TimeUnit> parse_time_unit(std::string_view word);

}  // namespace iosx

namespace iosx::external {

// Says what the rows are the times of, as far as the header tells.
enum class RowMeaning { kNotSaid, kOperators, kRuns };

struct NamedTimes {
  std::string name;
  std::string type;  // of the first row, as the next
  std::string output;
  std::vector<Millis> samples;  // by row
  std::size_t count = 1;        // of launches that a row's time is the average of
  std::optional<Millis> begin;  // of a row that says it
  std::string lane;             // of such a row: its device and stream
};
struct CsvTimes {
  std::vector<NamedTimes> names;  // in the order of their first rows
  RowMeaning meaning = RowMeaning::kNotSaid;
  std::vector<Message> notices = {};  // what was left out or chosen
};

// Reads rows of a name and a latency. A first row without a number is the header: it says by words where names ("name",
// "layer", "operator", "framework", …), latencies ("latency_ms", "time (us)", …), types and outputs stand, and in which
// unit; else the first column has names and the next one with numbers latencies. A median or an average counts more
// than a sum, and what has another unit, such as "Time (%)", or is an extreme or a deviation is no latency. `unit` is
// used where nothing says one; without it, milliseconds are. A number may bring its own ("12.5 us"), and has commas
// between thousands where it is quoted. Fields may be quoted; commas, semicolons and tabs separate. Several rows of a
// name are samples.
//
// Tables of Nsight's tools are known by their columns: rows with a count of launches, rows of launches with their
// begins, and rows that have a metric, its unit and its value each, of which durations are read.
Result<CsvTimes> read_csv_times(std::string_view text, std::optional<TimeUnit> unit, const std::string& origin);

// Says whether a column of this title has names of operators: "layer", "node name", "Kernel Name".
bool names_operators(std::string_view title);

}  // namespace iosx::external
