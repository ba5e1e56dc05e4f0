#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "core/base/result.h"

namespace iosx {

// Says what a file is that somebody names, of all that the programs read.
enum class FileKind : std::uint8_t {
  kUnknown,
  kOnnx,      // a model
  kJson,      // JSON that is none of the others: a network of the original program, if it is anything
  kSchedule,  // our schedule file (core/formats/schedule_file.h)
  kRun,       // a saved run (core/documents/run_file)
  kProject,   // a whole workspace (core/documents/project)
  kStore,     // measurements (core/devices/store)
  kExternal,  // what another program recorded (core/formats/external): a table, a trace, a profile
};

inline constexpr std::string_view kRunSuffix = ".iosrun";
inline constexpr std::string_view kProjectSuffix = ".iosproj";
// The entry "mimetype" says this; it is the first one of these zip files and not compressed.
inline constexpr std::string_view kRunMimeType = "application/vnd.ios-explorer.run+zip";
inline constexpr std::string_view kProjectMimeType = "application/vnd.ios-explorer.project+zip";

// This is the only place that tells files apart: by one look at the name and the first 64 KiB. What is wrong with a
// file of its kind is for who reads it to say: a file that is named as a run or a project is one, whatever is in it.
// The error is that there is no such file, or that it is none: a folder, a pipe, which is not waited for.
Result<FileKind> identify(const std::filesystem::path& path);

// Does the same without an error: what cannot be looked at is unknown.
FileKind file_kind(const std::filesystem::path& path);

}  // namespace iosx
