#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/result.h"
#include "core/base/sqlite/database.h"

namespace iosx::external {

// Tables, each perhaps with a version behind it: "NVTX_EVENTS", "NVTX_EVENTS_V2".
inline constexpr std::string_view kNsightKernels = "CUPTI_ACTIVITY_KIND_KERNEL";
inline constexpr std::string_view kNsightRanges = "NVTX_EVENTS";
inline constexpr std::array<std::string_view, 2> kNsightCalls{"CUPTI_ACTIVITY_KIND_RUNTIME",
                                                              "CUPTI_ACTIVITY_KIND_DRIVER"};
inline constexpr std::int64_t kThreadBits = 24;  // of a globalTid, whose others are the process, as in a globalPid
inline constexpr double kMicrosPerNano = 1e-3;

struct NsightTable {
  std::string name;
  std::vector<std::string> columns;
  bool has(std::string_view column) const;
};

// The tables of an SQLite export of Nsight Systems. Only plain tables with plain names are read.
class NsightTables {
 public:
  NsightTables(sqlite::Database database, std::string where)
      : database_(std::move(database)), where_(std::move(where)) {}

  // Lists the tables; is called first, once. Errors: there are too many, or the database is damaged.
  Result<void> list();

  // Returns the tables of this name, or of this name and a version, that have these columns.
  std::vector<NsightTable> of(std::string_view name, std::initializer_list<std::string_view> columns) const;
  // Selects the requested columns of the table, NULL for missing ones, and up to one row more than `most`.
  sqlite::Query query(const NsightTable& table, std::initializer_list<std::string_view> columns, std::size_t most);

  Result<std::string> string(std::int64_t id);
  // Returns a text, or what StringIds has under the number in its place.
  Result<std::string> named(sqlite::Query& row, int text, int id);
  // Returns the first of two columns with ids of names that has one; "kernel" if neither has.
  Result<std::string> kernel_name(sqlite::Query& row, int first, int second);

  // Returns whether the row's columns 0 and 1 are a begin and an end. A time of zero to zero is how nsys writes what
  // it did not see.
  static bool timed(const sqlite::Query& row);

 private:
  sqlite::Database database_;
  std::string where_;
  std::vector<NsightTable> tables_;
  std::vector<NsightTable> strings_tables_;
  std::unordered_map<std::int64_t, std::string> strings_;
};

// Gives the errors of a damaged database the remedy that fits an export.
template <typename T>
Result<T> nsight_remedy(Result<T> result) {
  if (!result && result.error().remedy == "move the file away") result.error().remedy = message("export it again");
  return result;
}

}  // namespace iosx::external
