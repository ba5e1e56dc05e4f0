#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "core/base/file_stamp.h"
#include "core/base/progress.h"
#include "core/documents/project/project_file.h"
#include "core/formats/document.h"
#include "core/formats/schedule_file.h"

namespace iosx {

// Holds a project, and the stamp of its own file as it was when this was read.
struct ReadProject {
  KeptProject project = {};
  std::optional<FileStamp> stamp = {};
};

// Holds a schedule file with lanes: of the network that is shown, or of a built-in one that was read along with it.
struct ReadLanes {
  ScheduleFile file = {};
  std::optional<Document> network = {};
};

// Holds what a file turned out to be: a network, a schedule of the network that is shown, lanes, a run, a project.
using ReadFile = std::variant<Document, Schedule, ReadLanes, std::shared_ptr<const Run>, ReadProject>;

// Reads what a window opens, of whatever kind it is. It is a value, for any thread.
class FileReader {
 public:
  // Reads a network by the name of a built-in one or by path, with sizes of what its file leaves open.
  using Opener = std::function<Result<Document>(const std::string& source, const InputSizes& sizes)>;

  explicit FileReader(Opener opener) : opener_(std::move(opener)) {}

  // `current`: the shown network's graph; may be null. After a stop the answer is of no use.
  Result<ReadFile> read(const std::string& source, const InputSizes& sizes, const Graph* current,
                        const JobContext& job) const;
  // Reads a network that is to run together with another one, which was opened by `first`: both as one document.
  Result<ReadFile> readBeside(const Document& document, const std::string& first, const std::string& source) const;
  // Reads a project that the program itself kept.
  Result<ReadProject> readKept(const std::string& path, const JobContext& job) const;

 private:
  Result<Document> readNetwork(const std::string& source, const InputSizes& sizes) const;
  void readAgain(Workspace& workspace, const JobContext& job) const;

  Opener opener_;
};

}  // namespace iosx
