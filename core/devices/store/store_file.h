#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
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

}  // namespace iosx::store
