#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/base/sqlite/database.h"

// Here a measurement store is a file among others: what stands under its name, and how it leaves it.
namespace iosx::store {

enum class Kind {
  kAbsent,
  kEmpty,    // no bytes
  kStore,    // by its header; the rest may be anything
  kDamaged,  // a store whose first page is broken or whose end is missing, or nothing but zeros, as failing disks leave
             // it
};

// Tells the kind by the file's first bytes, without touching it. What is no regular file, cannot be read, or is of
// another kind is an error.
Result<Kind> look_at(const std::filesystem::path& file);

// Says whether a file that begins so is a store, by the header of a database.
bool begins_like_store(std::string_view head);

// The lock is held by one process at a time while it opens, makes or sets aside a store of the folder: a file and its
// log leave a name in two steps, and who opened the file in between would take another file's log for its own. It is
// given back when the process ends, however it ends. Where the file system has no locks, or another process does not
// come to an end with it in Database::kPatience, one goes on without.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

// Renames the file and its log to FILE.damaged-N, the first such name that is free, which it returns; the caller holds
// the folder's lock. `connection` is the one that found the damage; where the name has since come to mean another file,
// because another process was quicker, nothing is renamed and the path is empty. Without a connection the file is
// renamed if it is still damaged by look_at().
Result<std::filesystem::path> set_aside(const std::filesystem::path& file, sqlite::Database* connection);

// Returns the bytes of the file, its log and what SQLite keeps beside them, as far as they are there.
std::uintmax_t bytes_on_disk(const std::filesystem::path& file);

}  // namespace iosx::store
