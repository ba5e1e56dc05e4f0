#pragma once

#include <cstdint>

#include "core/base/result.h"
#include "core/base/sqlite/database.h"

// These are the tables of a measurement store: devices, sets ("series"), methods, measurements with a checksum each
// (rows.h), and searches that came to their end. The form is their version; a file of another form is refused.
namespace iosx::store {

inline constexpr std::int32_t kApplicationId = 0x494F5358;  // "IOSX", in the file's header
inline constexpr int kForm = 4;
inline constexpr const char* kMark = "IOS Explorer's measurements";  // stands in the text of the schema

inline constexpr int kFormOfNone = 0;  // of a database without tables

Result<int> form_of(sqlite::Database& database);
// Makes the tables of an empty database: entirely or not at all, one process at a time.
Result<void> make_tables(sqlite::Database& database);
// Returns an error, and notes the database as damaged, if its tables are not exactly those that make_tables() makes.
Result<void> check_schema(sqlite::Database& database);

}  // namespace iosx::store
