#pragma once

#include <filesystem>
#include <utility>

#include "core/base/result.h"

namespace iosx {

// A temporary folder. Its destructor deletes it with all of its content.
class ScratchFolder {
 public:
  // Makes a folder in the system's place for temporary files, readable by this user only. Returns
  // an error where that fails.
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
