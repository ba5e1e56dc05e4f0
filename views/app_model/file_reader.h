#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "core/base/files.h"
#include "core/base/progress.h"
#include "core/documents/project/project_file.h"
#include "core/formats/document.h"
#include "core/formats/schedule_file.h"

namespace iosx {

// A project, and its file's stamp at the time of reading.
struct ReadProject {
  KeptProject project = {};
  std::optional<FileStamp> stamp = {};
};

// A schedule file with lanes: for the shown network, or for a built-in one read along with it.
struct ReadLanes {
  ScheduleFile file = {};
  std::optional<Document> network = {};
};

// The content of a file: a network, a schedule of the shown network, lanes, a run, a project, a recording.
using ReadFile =
    std::variant<Document, Schedule, ReadLanes, std::shared_ptr<const Run>, ReadProject, WorkspaceRecording>;

// Reads files that a window opens, of any kind. It is a value, for any thread.
class FileReader {
 public:
  // Reads a network by a built-in one's name or by path, with sizes for its open axes.
  using Opener = std::function<Result<Document>(const std::string& source, const InputSizes& sizes)>;

  explicit FileReader(Opener opener) : opener_(std::move(opener)) {}

  // `current`: the shown network's graph; may be null. After a stop the result is useless.
  Result<ReadFile> read(const std::string& source, const InputSizes& sizes, const Graph* current,
                        const JobContext& job) const;
  // Reads a network to run together with another one, opened by `first`: both as one document.
  Result<ReadFile> readBeside(const Document& document, const std::string& first, const std::string& source) const;
  // Reads a recording of another program by itself. It has no id.
  static Result<WorkspaceRecording> readRecording(const std::string& file, const RecordingChoices& choices,
                                                  const JobContext& job);
  // Reads a project that the program itself kept.
  Result<ReadProject> readKept(const std::string& path, const JobContext& job) const;

 private:
  Result<Document> readNetwork(const std::string& source, const InputSizes& sizes) const;
  void readAgain(Workspace& workspace, const JobContext& job) const;

  Opener opener_;
};

}  // namespace iosx
