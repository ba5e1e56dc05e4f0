#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/documents/project/workspace.h"
#include "core/formats/external/external_run.h"
#include "core/formats/file_kind.h"
#include "core/model/graph/graph.h"

namespace iosx {

// A project file, FILE.iosproj, is a workspace as a zip file with the entries "mimetype" (kProjectMimeType, not
// compressed), "project.json" (networks with their drafts, runs' notes, recordings' files, choices), "runs/N.json" (a
// run each, as in a run file), "external/N.json" (external runs, as in project_file.h), and "drawings/N.json" (as in
// core/formats/wire/graph_wire.h, without given weights where these are large). Networks are stored as references and
// as graphs, so that a project opens where a file is gone, then without its weights.

// Writes the whole file or, on an error, leaves the old one unchanged.
Result<void> save_project(const Workspace& workspace, const std::filesystem::path& path);

// Facts about a workspace that the program itself keeps.
struct KeptOf {
  std::string file = {};                   // its project file chosen by the user; empty: none
  bool changed = true;                     // it has changes that the file, if any, lacks
  std::vector<std::string> networks = {};  // their names, for a question about it
  friend bool operator==(const KeptOf&, const KeptOf&) = default;
};
struct KeptProject {
  Workspace workspace = {};
  KeptOf of = {};
};

// Saves like save_project(), with these facts in addition.
Result<void> keep_project(const Workspace& workspace, const KeptOf& of, const std::filesystem::path& path);
// Opens like open_project(). A file not saved by keep_project() belongs to no project file.
Result<KeptProject> open_kept_project(const std::filesystem::path& path);
// Reads only the facts, without the workspace.
Result<KeptOf> read_kept_of(const std::filesystem::path& path);

// Returns an error with its place for a file that is no project file, damaged, of a newer version or inconsistent.
// Any bytes are safe to open. Documents have their graph, batch, given schedules, drafts and starts, and made-up
// weights (weights_left_behind where they had others): a caller that can open `source` again replaces them. All runs
// are recorded ones. Ids may differ from those of the saved workspace.
Result<Workspace> open_project(const std::filesystem::path& path);

// Make and read the file's bytes. `origin` begins an error's place.
std::string project_to_bytes(const Workspace& workspace);
Result<Workspace> project_from_bytes(std::string_view bytes, const std::string& origin);

// Writes an external run as one JSON document for a project file. It leaves out matches, which the reader finds
// again.
std::string external_to_json(const ExternalRun& run);

// Any bytes are safe to read. Entries are matched to the graph; the latency is a recorded one, whatever the text
// says. `origin` begins an error's place.
Result<ExternalRun> external_from_json(std::string_view text, const std::string& origin, const Graph& graph);

}  // namespace iosx
