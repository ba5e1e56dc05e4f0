#pragma once

#include <cstdint>

#include "core/base/result.h"
#include "core/base/sqlite/database.h"

// The tables of a measurement store and how they came to be. A store's form is the number of migrations it went
// through; a new file goes through all of them, so that there is one way only to what this program expects.
//
//   1  devices, sets ("series"), methods, measurements
//   2  a checksum for every measurement (rows.h)
//   3  searches that came to their end
namespace iosx::store {

inline constexpr std::int32_t kApplicationId = 0x494F5358;  // "IOSX", in the file's header
inline constexpr int kForm = 3;
inline constexpr const char* kMark = "IOS Explorer's measurements";  // stands in the text of the schema

Result<int> form_of(sqlite::Database& database);
// Brings an empty database, or one of an older form, to this program's: entirely or not at all, one process at a time.
Result<void> migrate(sqlite::Database& database);
// An error, and the database noted as damaged, if its tables are not exactly those that migrate() makes.
Result<void> check_schema(sqlite::Database& database);

}  // namespace iosx::store
