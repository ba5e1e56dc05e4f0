#pragma once

#include "tests/support/prelude.h"

namespace iosx::lint {

// One violation of a rule: "core/model/graph/graph.h:12: …".
using Finding = std::string;

struct SourceFile {
  std::string path;  // from the root of the sources, with "/"
  std::string text;
};

// Returns the files that git tracks, or, without git, every file in the folders of the project. Binary files are left
// out.
std::vector<SourceFile> tracked_files(const std::filesystem::path& root);

// A folder includes only what ARCHITECTURE.md allows.
std::vector<Finding> check_dependencies(const SourceFile& file);
// Returns folders that the rules would allow to include one another.
std::vector<Finding> check_rules();

// Finds folders with more than 40 sources right in them.
std::vector<Finding> check_folders(const std::vector<SourceFile>& files);

// Qt stays in views and app/gui; CUDA's libraries in gpu; oneDNN in core/devices/cpu; SQLite in core/base/sqlite;
// ONNX's and protobuf's messages in core/formats/onnx and its tests.
std::vector<Finding> check_libraries(const SourceFile& file);

// In the window's folders: texts passed to a widget without tr(), and functions called tr() whose context lupdate
// cannot tell. Finds the usual leaks, in calls that begin with a literal; not texts composed earlier.
std::vector<Finding> check_untranslated(const SourceFile& file);

// An option is named by its row (core/options/option.h) alone: sources with rows, and literals of others that name a
// flag of theirs. A command may have an option of its own of that name.
std::vector<Finding> check_option_names(const std::vector<SourceFile>& files);

// No path that exists on one machine only.
std::vector<Finding> check_machine_paths(const SourceFile& file);

// In a document (.md): links that lead to no file of the project, and missing paths in backticks, such as
// `core/base/id.h`. `root` is the folder of the project.
std::vector<Finding> check_links(const SourceFile& file, const std::filesystem::path& root);

}  // namespace iosx::lint
