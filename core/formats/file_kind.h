#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "core/base/result.h"

namespace iosx {

// The kind of a named file, of all that the programs read.
enum class FileKind : std::uint8_t {
  kUnknown,
  kOnnx,      // a model
  kJson,      // other JSON: possibly a network of the original program
  kSchedule,  // our schedule file (core/formats/schedule_file.h)
  kRun,       // a saved run (core/documents/run_file)
  kProject,   // a whole workspace (core/documents/project)
  kStore,     // measurements (core/devices/store)
  kExternal,  // another program's recording (core/formats/external): a table, a trace, a profile
};

inline constexpr std::string_view kRunSuffix = ".iosrun";
inline constexpr std::string_view kProjectSuffix = ".iosproj";
// The content of the entry "mimetype", which is the first one of these zip files and not compressed.
inline constexpr std::string_view kRunMimeType = "application/vnd.ios-explorer.run+zip";
inline constexpr std::string_view kProjectMimeType = "application/vnd.ios-explorer.project+zip";

// The only function that tells files apart: by the name and the first 64 KiB. Errors in the content are left to the
// reader: a file named as a run or a project is one, whatever its content. Errors: the file does not exist, or is a
// folder or a pipe, for which it does not wait.
Result<FileKind> identify(const std::filesystem::path& path);

// Does the same without an error: an unreadable file is unknown.
FileKind file_kind(const std::filesystem::path& path);

}  // namespace iosx
