#pragma once

#include <cstdint>

#include "core/base/result.h"
#include "core/base/sqlite/database.h"

// The tables of a measurement store: devices, sets ("series"), methods, measurements with a checksum each (rows.h),
// completed searches, methods of devices (MethodKeeper), and descriptions of stages for training. The form is their
// version.
namespace iosx::store {

inline constexpr std::int32_t kApplicationId = 0x494F5358;  // "IOSX", in the file's header
inline constexpr int kForm = 6;
inline constexpr const char* kMark = "IOS Explorer's measurements";  // part of the schema's text

// The state of the file's header and tables.
enum class State {
  kEmpty,  // no tables and no form
  kGood,   // exactly the tables of make_tables(); the database is now trusted
  kLess,   // without the last tables, which forms 4 and 5 lacked; trusted too
  kNewer,  // made by a newer program: other tables and an unknown form
};
// Every other state is an error and recorded as damage: foreign tables, a form that contradicts the tables, and
// files of an older program, which can be measured again. It reads only the schema.
Result<State> state_of(sqlite::Database& database);
// Makes the tables of an empty database, or the missing ones: completely or not at all, one process at a time.
Result<void> make_tables(sqlite::Database& database);

}  // namespace iosx::store
