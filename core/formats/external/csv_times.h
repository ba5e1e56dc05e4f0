#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/duration.h"
#include "core/base/result.h"

namespace iosx {

enum class TimeUnit { kNanos, kMicros, kMillis, kSeconds };
std::optional<TimeUnit> parse_time_unit(std::string_view word);  // "ns", "us" or "µs", "ms", "s"

}  // namespace iosx

namespace iosx::external {

// Says what the rows are the times of, as far as the header tells.
enum class RowMeaning { kNotSaid, kOperators, kRuns };

struct NamedTimes {
  std::string name;
  std::string type;  // of the first row, as the next
  std::string output;
  std::vector<Millis> samples;  // by row
};
struct CsvTimes {
  std::vector<NamedTimes> names;  // in the order of their first rows
  RowMeaning meaning = RowMeaning::kNotSaid;
};

// Reads rows of a name and a latency. A first row without a number is the header: it says by words where names ("name",
// "layer", "operator", "framework", …), latencies ("latency_ms", "time (us)", …), types and outputs stand, and in which
// unit; else the first column has names and the next one with numbers latencies. `unit` is used where the header says
// none; without it, milliseconds are. Fields may be quoted; commas, semicolons and tabs separate. Several rows of a
// name are samples.
Result<CsvTimes> read_csv_times(std::string_view text, std::optional<TimeUnit> unit, const std::string& origin);

}  // namespace iosx::external
