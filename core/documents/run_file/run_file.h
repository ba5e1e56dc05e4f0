#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/documents/run_file/run.h"
#include "core/formats/file_kind.h"

namespace iosx {

// A run file, FILE.iosrun, is a zip file with the entries "mimetype" (kRunMimeType, not compressed, so that the first
// bytes tell the file's kind: core/formats/file_kind.h) and "run.json", a document of core/formats/wire with graph,
// device, options, schedules, latencies, plans, traces, counters, search records and verifications. Reasons for this
// form: a run is written once and read whole, so a database would add nothing; any language reads JSON, its numbers
// come back exactly, and deflate removes repeated keys (Inception V3 with five schedules: see
// tests/bench/runfile_bench); zip has a checksum and room for further entries, and every file manager opens it.

// Writes the whole file or, on an error, leaves the old one unchanged.
Result<void> save_run(const Run& run, const std::filesystem::path& path);

// Returns an error with its place for a file that is no run file, damaged, of a newer version or inconsistent. Any
// bytes are safe to open. Weights are made up (Run::own_weights).
Result<Run> open_run(const std::filesystem::path& path);

// Write and read the entry run.json alone, for files with several runs. The limit for reading is kMostRunBytes.
inline constexpr std::size_t kMostRunBytes = std::size_t{512} << 20U;
std::string run_to_json(const Run& run);
Result<Run> run_from_json(std::string_view text, const std::string& origin);

// Make and read the file's bytes. `origin` begins an error's place.
std::string run_to_bytes(const Run& run);
Result<Run> run_from_bytes(std::string_view bytes, const std::string& origin);

}  // namespace iosx
