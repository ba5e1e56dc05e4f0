#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "core/base/result.h"
#include "core/base/sqlite/database.h"

// A measurement store as a file: what its name refers to, and how it is set aside.
namespace iosx::store {

enum class Kind {
  kAbsent,
  kEmpty,    // no bytes
  kStore,    // by its header; the rest may be anything
  kDamaged,  // a broken first page, a missing end, or only zeros, as failing disks leave it
};

// Returns the kind by the file's first bytes, without changing it. Errors: it is not a regular file, cannot be
// read, or is of another kind.
Result<Kind> look_at(const std::filesystem::path& file);

// Returns whether a file with this beginning is a store, by its database header.
bool begins_like_store(std::string_view head);

// Locks a folder while one process opens, makes or sets aside a store in it. A file and its log are renamed in two
// steps, and a process that opens the file in between would use another file's log. The lock ends with the process,
// however it ends. Where the file system has no locks, or another process holds it longer than Database::kPatience,
// work goes on without it.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

// Renames the file and its log to FILE.damaged-N, the first free name, and returns it; the caller holds the folder's
// lock. `connection` found the damage; where another process was quicker and the name now means another file, nothing
// is renamed and the path is empty. Without a connection the file is renamed if look_at() still finds damage.
Result<std::filesystem::path> set_aside(const std::filesystem::path& file, sqlite::Database* connection);

// Returns the bytes of the existing files: the store, its log and SQLite's other files.
std::uintmax_t bytes_on_disk(const std::filesystem::path& file);

// The tables of a measurement store: devices, sets ("series"), methods, measurements with a checksum each (rows.h),
// completed searches, methods of devices (MethodKeeper), and descriptions of stages for training. The form is their
// version.
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
