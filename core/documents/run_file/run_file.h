#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/documents/run_file/run.h"
#include "core/formats/file_kind.h"

namespace iosx {

// A run file, FILE.iosrun, is a zip file with the entries "mimetype" (kRunMimeType, not compressed, so that the file's
// kind can be told by its first bytes: core/formats/file_kind.h) and "run.json", a document of core/formats/wire with
// graph, device, options, schedules, latencies, plans, traces, counters, search records and verifications. Why this
// form: a run is written once and read whole, so that a database has nothing to offer it; JSON is what any language
// reads without us, its numbers come back exactly, and deflate takes the repeated keys away (Inception V3 with five
// schedules: see tests/bench/runfile_bench); zip has a checksum, room for further entries, and opens with every file
// manager.

// Writes the whole file or, where that fails, leaves the old one as it was.
Result<void> save_run(const Run& run, const std::filesystem::path& path);

// What is not a run file, is damaged, of a newer version or not consistent is an error in words that says where. Any
// bytes are safe to open. Weights are made up (Run::own_weights).
Result<Run> open_run(const std::filesystem::path& path);

// These write and read the entry run.json alone, for files that hold several runs. At most kMostRunBytes can be read.
inline constexpr std::size_t kMostRunBytes = std::size_t{512} << 20U;
std::string run_to_json(const Run& run);
Result<Run> run_from_json(std::string_view text, const std::string& origin);

// These make and read the file's bytes. `origin` leads an error's place.
std::string run_to_bytes(const Run& run);
Result<Run> run_from_bytes(std::string_view bytes, const std::string& origin);

}  // namespace iosx
