#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "core/base/result.h"

namespace iosx {

// From now on a write beyond the limit of a file's size (ulimit -f) is an error like any other, and ends no process.
// Programs call it first.
void let_large_writes_fail();

// Writes a file that takes the place of another only when it is complete, and else leaves that as it was. Where the
// file system can do that, it has no name until then, so that a process that is killed leaves nothing behind. Elsewhere
// it is NAME.PID.part, and those of processes that are gone are removed when the next NewFile of that name is made.
class NewFile {
 public:
  // The path may lead through links, which stay, also where the last one leads to nothing yet. The file keeps the
  // permissions of the one that it replaces; where that has other names, its content is replaced, and they stay its
  // names. A failure shows in what is called next.
  explicit NewFile(const std::filesystem::path& path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  // Returns the descriptor, for who writes by other means; -1 if the file could not be made. finish() closes it.
  int descriptor() const { return descriptor_; }
  Result<void> write(std::span<const std::byte> bytes);
  // Returns once the content is on the disk, as far as the file system can tell.
  Result<void> finish();
  // Returns the error that writing failed, by what errno says.
  Result<void> error() const;

 private:
  void remove_old_parts() const;
  bool make_nameless();
  bool give_name();
  bool replace_content() const;

  std::filesystem::path path_;    // as it was given
  std::filesystem::path target_;  // behind its links
  std::filesystem::path part_;
  bool named_ = false;  // part_ is there
  int descriptor_ = -1;
  std::size_t names_ = 1;  // of the file that it replaces
};

}  // namespace iosx
