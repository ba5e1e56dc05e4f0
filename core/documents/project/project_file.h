#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/documents/project/workspace.h"
#include "core/formats/file_kind.h"

namespace iosx {

// A project file, FILE.iosproj, is a workspace as a zip file with the entries "mimetype" (kProjectMimeType, not
// compressed), "project.json" (networks with their drafts, runs' notes, what was chosen), "runs/N.json", a run each as
// in a run file, "external/N.json", what others recorded, each as in external_file.h, and "drawings/N.json", what is
// drawn, each as in core/formats/wire/edit_text.h, without given weights where these are many. Networks are kept as
// references and as graphs, so that a project opens where a file has gone: then without its weights.

// Writes the whole file or, where that fails, leaves the old one as it was.
Result<void> save_project(const Workspace& workspace, const std::filesystem::path& path);

// Says what else is known of a workspace that the program itself keeps.
struct KeptOf {
  std::string file = {};                   // the project file that the user gave it; empty: none
  bool changed = true;                     // the file, if any, lacks something of it
  std::vector<std::string> networks = {};  // their names, for a question about it
  friend bool operator==(const KeptOf&, const KeptOf&) = default;
};
struct KeptProject {
  Workspace workspace = {};
  KeptOf of = {};
};

// Saves as save_project() does, with this beside it.
Result<void> keep_project(const Workspace& workspace, const KeptOf& of, const std::filesystem::path& path);
// Opens as open_project() does. What was not kept by keep_project() is of no file.
Result<KeptProject> open_kept_project(const std::filesystem::path& path);
// Reads that alone, without the workspace.
Result<KeptOf> read_kept_of(const std::filesystem::path& path);

// What is not a project file, is damaged, of a newer version or not consistent is an error in words that says where.
// Any bytes are safe to open. Documents have their graph, batch, given schedules, drafts and starts, and made-up
// weights (weights_left_behind where theirs were others): who can open `source` again replaces them. All runs are
// recorded ones. Ids may be other ones than those of the workspace that was saved.
Result<Workspace> open_project(const std::filesystem::path& path);

// These make and read the file's bytes. `origin` leads an error's place.
std::string project_to_bytes(const Workspace& workspace);
Result<Workspace> project_from_bytes(std::string_view bytes, const std::string& origin);

}  // namespace iosx
