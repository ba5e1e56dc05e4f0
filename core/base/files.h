#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <span>

#include "core/base/result.h"

namespace iosx {

// Checks a path before it is opened: opening a named pipe waits for a writer, and a device may have no end. The
// error names the kind ("is a named pipe, not a regular file") or says that nothing exists there.
Result<void> check_regular_file(const std::filesystem::path& path);

// The time and size of a file. Comparing two stamps tells whether the file changed between them.
struct FileStamp {
  std::filesystem::file_time_type written = {};
  std::uintmax_t size = 0;
  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

// Returns the file's current stamp, or none where the file does not exist.
std::optional<FileStamp> stamp_of(const std::filesystem::path& path);

// After this call, a write beyond the file size limit (ulimit -f) is an ordinary error and does not end the process.
// Programs call it first.
void let_large_writes_fail();

// Says who may read a new file: all whom the system's umask allows, or its owner alone.
enum class Readers { kUsual, kOwner };

// Writes a file and replaces the old one only when the new one is complete. Where the file system can, the new file has
// no name until then, so a killed process leaves nothing behind. Elsewhere it is called NAME.PID.part; the next NewFile
// of the same name removes such files of ended processes.
class NewFile {
 public:
  // Links in the path stay, also where the last one points to nothing yet. The new file keeps the permissions of
  // the old one, of a file for its owner those of its owner. Where the old file has other names, its content is
  // replaced and the names stay. The next call reports a failure.
  explicit NewFile(const std::filesystem::path& path, Readers readers = Readers::kUsual);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  // Returns the descriptor for other ways of writing; -1 where the file could not be made. finish() closes it.
  int descriptor() const { return descriptor_; }
  Result<void> write(std::span<const std::byte> bytes);
  // Returns when the content is on the disk, as far as the file system can tell.
  Result<void> finish();
  // Returns a write error with the text of errno.
  Result<void> error() const;

 private:
  void remove_old_parts() const;
  bool make_nameless(mode_t mode);
  bool give_name();
  bool replace_content() const;

  std::filesystem::path path_;    // as given
  std::filesystem::path target_;  // after following links
  std::filesystem::path part_;
  bool named_ = false;  // part_ exists
  int descriptor_ = -1;
  std::size_t names_ = 1;  // of the replaced file
  Readers readers_;
};

// A temporary folder. Its destructor deletes it with all of its content. What a killed process leaves behind, the next
// start of a program removes: a folder is locked as long as its process lives.
class ScratchFolder {
 public:
  // Makes a folder in the system's place for temporary files, readable by this user only. Returns
  // an error where that fails.
  static Result<ScratchFolder> make();
  // Removes the folders of this user's processes on this host that are gone. Programs call it first.
  static void remove_abandoned();

  ScratchFolder(ScratchFolder&& other) noexcept
      : path_(std::exchange(other.path_, {})), lock_(std::exchange(other.lock_, -1)) {}
  ScratchFolder& operator=(ScratchFolder&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(lock_, other.lock_);
    return *this;
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder();

  const std::filesystem::path& path() const { return path_; }

 private:
  ScratchFolder(std::filesystem::path path, int lock) : path_(std::move(path)), lock_(lock) {}
  std::filesystem::path path_;
  int lock_;  // the folder's descriptor; -1 where it could not be opened
};

}  // namespace iosx
