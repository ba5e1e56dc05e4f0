#pragma once

#include <cstdint>

#include "core/base/result.h"
#include "core/base/sqlite/database.h"

// These are the tables of a measurement store: devices, sets ("series"), methods, measurements with a checksum each
// (rows.h), searches that came to their end, by what methods devices compute (MethodKeeper), and what stages are that
// were measured to learn from them. The form is their version.
namespace iosx::store {

inline constexpr std::int32_t kApplicationId = 0x494F5358;  // "IOSX", in the file's header
inline constexpr int kForm = 6;
inline constexpr const char* kMark = "IOS Explorer's measurements";  // stands in the text of the schema

// Says what the file's header and its tables are together.
enum class State {
  kEmpty,  // no tables, and no form
  kGood,   // exactly the tables that make_tables() makes; from now on the database is trusted
  kLess,   // those without the last ones, which forms 4 and 5 did not have; trusted too
  kNewer,  // a newer version of the program made it: other tables, and a form that this one does not know
};
// Everything else is an error and noted as damage: tables that are not ours, a form that contradicts the tables, and
// what an older version of the program made, which can be measured again. Nothing but the schema is read.
Result<State> state_of(sqlite::Database& database);
// Makes the tables of an empty database, or those that are missing: entirely or not at all, one process at a time.
Result<void> make_tables(sqlite::Database& database);

}  // namespace iosx::store
