#include "core/formats/file_kind.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "core/base/byte_source.h"
#include "core/base/files.h"
#include "core/base/json/text_file.h"
#include "core/devices/store/store_file.h"
#include "core/formats/external/open_recording.h"
#include "core/formats/external/read_external.h"
#include "core/formats/onnx/convert/load_onnx.h"
#include "core/formats/schedule_file.h"

namespace iosx {
namespace {

constexpr std::size_t kLookedAt = std::size_t{64} << 10U;  // bytes: PyTorch's profiles begin with their devices
constexpr std::size_t kFormatWithin = 4096;                // also where another program has sorted the keys
constexpr std::string_view kArchive = "PK";
constexpr std::size_t kLocalHeader = 30;  // of a zip file's first entry, before its name
constexpr std::string_view kMimetypeName = "mimetype";
constexpr std::string_view kDatabase("SQLite format 3\0", 16);

FileKind kind_of_archive(std::string_view head) {
  if (head.size() < kLocalHeader) return FileKind::kUnknown;
  std::string_view entry = head.substr(kLocalHeader);
  if (!entry.starts_with(kMimetypeName)) return FileKind::kUnknown;
  entry.remove_prefix(kMimetypeName.size());
  if (entry.starts_with(kRunMimeType)) return FileKind::kRun;
  return entry.starts_with(kProjectMimeType) ? FileKind::kProject : FileKind::kUnknown;
}

FileKind kind_of_text(std::string_view bytes) {
  const std::string text = as_utf8(std::string(bytes));
  const std::string_view head = text;
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || (head[first] != '{' && head[first] != '[')) return FileKind::kUnknown;
  if (names_schedule_format(head.substr(0, kFormatWithin))) return FileKind::kSchedule;
  return has_trace_events(head) ? FileKind::kExternal : FileKind::kJson;
}

// Of "times.csv.gz" it is ".csv".
std::string lower_extension(const std::filesystem::path& path) {
  std::string extension = (path.extension() == ".gz" ? path.stem() : path).extension().string();
  std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return std::tolower(c); });
  return extension;
}

}  // namespace

Result<FileKind> identify(const std::filesystem::path& path) {
  const std::string extension = lower_extension(path);
  if (extension == kRunSuffix) return FileKind::kRun;
  if (extension == kProjectSuffix) return FileKind::kProject;
  IOS_TRY(check_regular_file(path));
  if (extension == ".csv" || extension == ".tsv") return FileKind::kExternal;
  const std::string head = open_source(path)
                               .and_then([](const auto& source) { return head_of(*source, kLookedAt); })
                               .value_or(std::string());
  if (head.starts_with(kArchive)) return kind_of_archive(head);
  if (head.starts_with(kDatabase)) return store::begins_like_store(head) ? FileKind::kStore : FileKind::kExternal;
  if (onnx_import::begins_like_onnx(head, extension == ".onnx")) return FileKind::kOnnx;
  return begins_like_recording(head) ? FileKind::kExternal : kind_of_text(head);
}

FileKind file_kind(const std::filesystem::path& path) { return identify(path).value_or(FileKind::kUnknown); }

}  // namespace iosx
