#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "core/base/result.h"

namespace iosx {

// After this call, a write beyond the file size limit (ulimit -f) is an ordinary error and does not end the process.
// Programs call it first.
void let_large_writes_fail();

// Writes a file and replaces the old one only when the new one is complete. Where the file system can, the new file has
// no name until then, so a killed process leaves nothing behind. Elsewhere it is called NAME.PID.part; the next NewFile
// of the same name removes such files of ended processes.
class NewFile {
 public:
  // Links in the path stay, also where the last one points to nothing yet. The new file keeps the permissions of
  // the old one. Where the old file has other names, its content is replaced and the names stay. The next call
  // reports a failure.
  explicit NewFile(const std::filesystem::path& path);
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
  bool make_nameless();
  bool give_name();
  bool replace_content() const;

  std::filesystem::path path_;    // as given
  std::filesystem::path target_;  // after following links
  std::filesystem::path part_;
  bool named_ = false;  // part_ exists
  int descriptor_ = -1;
  std::size_t names_ = 1;  // of the replaced file
};

}  // namespace iosx
