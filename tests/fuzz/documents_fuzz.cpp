#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/check.h"
#include "core/documents/project/project_file.h"
#include "core/documents/run_file/archive.h"

namespace {

const std::string kOrigin = "fuzz";

// A run that is read is written so that it is read again, as the same text.
void try_run(std::string_view text) {
  const auto run = iosx::run_from_json(text, kOrigin);
  if (!run) {
    IOS_CHECK(!run.error().what.empty());
    return;
  }
  const std::string written = iosx::run_to_json(*run);
  const auto again = iosx::run_from_json(written, "written");
  IOS_CHECK(again);
  IOS_CHECK(iosx::run_to_json(*again) == written);
}

void try_archive(std::string_view bytes) {
  const auto run = iosx::run_from_bytes(bytes, kOrigin);
  IOS_CHECK(run || !run.error().what.empty());
  const auto project = iosx::project_from_bytes(bytes, kOrigin);
  IOS_CHECK(project || !project.error().what.empty());
}

// The text as a project's own entry: an archive's checksums keep a fuzzer from what is in it.
void try_project(std::string_view text) {
  const std::array<iosx::ArchiveEntry, 2> entries{{{"mimetype", "x", false}, {"project.json", text, false}}};
  try_archive(iosx::zip(entries));
}

}  // namespace

// libFuzzer's entry: any bytes as a run, a project, or the archive that holds them.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (bytes.starts_with("PK")) {
    try_archive(bytes);
  } else {
    try_run(bytes);
    try_project(bytes);
  }
  return 0;
}
