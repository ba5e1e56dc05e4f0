#pragma once

#include <filesystem>
#include <utility>

#include "core/base/result.h"

namespace iosx {

// A folder for files that nobody keeps: it goes with all that is in it.
class ScratchFolder {
 public:
  // Makes one where the system has such, for this user alone. The error is that it cannot be made.
  static Result<ScratchFolder> make();

  ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  ScratchFolder& operator=(ScratchFolder&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder();

  const std::filesystem::path& path() const { return path_; }

 private:
  explicit ScratchFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

}  // namespace iosx
