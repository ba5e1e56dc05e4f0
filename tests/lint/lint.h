#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace iosx::lint {

// One breach of a house rule: "core/model/graph/graph.h:12: …".
using Finding = std::string;

struct SourceFile {
  std::string path;  // from the root of the sources, with "/"
  std::string text;
};

// Files that git tracks, or, where git does not answer, every file in the folders of the project. Binary files are left
// out.
std::vector<SourceFile> tracked_files(const std::filesystem::path& root);

// A folder includes only what ARCHITECTURE.md lets it.
std::vector<Finding> check_dependencies(const SourceFile& file);
// Folders that, by what the rules let them, could include one another.
std::vector<Finding> check_rules();

// Finds folders with more than 40 sources right in them.
std::vector<Finding> check_folders(const std::vector<SourceFile>& files);

// Qt stays in views and app/gui; CUDA's libraries in gpu; oneDNN in core/devices/cpu; SQLite in core/base/sqlite;
// ONNX's and protobuf's messages in core/formats/onnx and its tests.
std::vector<Finding> check_libraries(const SourceFile& file);

// In the window's folders: words handed to a widget that tr() does not see, and functions called tr() of which lupdate
// does not know whose they are. Finds the usual leaks, in calls that begin with a literal; not what is put together
// before.
std::vector<Finding> check_untranslated(const SourceFile& file);

// An option is named by its row (core/options/option.h) alone: sources with rows, and literals of others that name a
// flag of theirs. A command may have an option of its own of that name.
std::vector<Finding> check_option_names(const std::vector<SourceFile>& files);

// No path that exists on one machine only.
std::vector<Finding> check_machine_paths(const SourceFile& file);

// In a document (.md): links that lead to no file of the project, and paths in backticks, such as `core/base/id.h`,
// that are not there. `root` is the folder of the project.
std::vector<Finding> check_links(const SourceFile& file, const std::filesystem::path& root);

}  // namespace iosx::lint
