#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "core/base/result.h"
#include "core/formats/external/external_run.h"
#include "core/formats/file_kind.h"

namespace iosx {

// Where and when a comparison was made.
struct RunPlace {
  std::string host;
  std::string system;   // "Linux 6.1.0 x86_64"
  std::string program;  // version of IOS Explorer
  std::chrono::sys_seconds when{};
  friend bool operator==(const RunPlace&, const RunPlace&) = default;
};

// The compared network, as it was opened.
struct RunNetwork {
  std::string source;                  // the name of a built-in one, or a path there
  std::shared_ptr<const Graph> graph;  // the comparison's, in the parts that its file declares
  bool batched = true;                 // as in Document
};

// A comparison with everything needed to show it again, elsewhere and later.
struct Run {
  Comparison comparison;
  CompareOptions options;  // `given`, `start` and options of one computer are empty: the results hold given schedules
  RunNetwork network;
  // Weights or large constants came from the network's file. In a run opened from a file they are made up: the numbers
  // stay in the network's file.
  bool own_weights = false;
  RunPlace place;
  std::vector<ExternalRun> external = {};  // what was shown beside it
};

// Returns this computer, now.
RunPlace this_place(std::string program);

// Says whether a run was made on this computer. Computers without a name of their own are never the same.
bool made_here(const RunPlace& place);

// Makes a run from a comparison that was just made here.
Run make_run(Comparison comparison, CompareOptions options, RunNetwork network, std::string program);

// Checks what views and reports rely on of an external run that was read from a file of ours. Its latency becomes a
// recorded one, whatever the file says, and its entries are matched to the graph.
Result<void> settle_external(ExternalRun& run, const Graph& graph);

// Returns "2026-03-01 14:05 UTC".
std::string time_text(std::chrono::sys_seconds time);
// Returns "recorded on gpu-server, 2026-03-01 14:05 UTC", for Comparison::recorded.
Message recorded_text(const RunPlace& place);
// Returns the same with the device.
Message recorded_text(const Run& run);

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
