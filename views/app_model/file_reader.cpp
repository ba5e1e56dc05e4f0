#include "views/app_model/file_reader.h"

#include <array>
#include <filesystem>
#include <vector>

#include "core/analysis/recording/opened_recording.h"
#include "core/documents/run_file/run_file.h"
#include "core/formats/external/open_recording.h"

namespace iosx {

// Reads what a project file lacks: weights, and the interfaces of files. A network whose file is gone or changed
// stays as saved.
void FileReader::readAgain(Workspace& workspace, const JobContext& job) const {
  for (const WorkspaceNetwork& network : std::vector(workspace.networks())) {
    if (job.stopped()) return;
    if (network.drawn) continue;  // no file ever had it
    auto document = opener_(network.source, network.sizes);
    if (!document) continue;
    if (same_structure(*document->graph, *network.document.graph)) {
      workspace.set_document(network.id, std::move(*document));
    } else {
      workspace.set_changed_since(network.id);
    }
  }
  for (const WorkspaceRecording& kept : std::vector(workspace.recordings())) {
    if (job.stopped()) return;
    auto read = readRecording(kept.file, kept.choices, job);
    WorkspaceRecording now = read ? std::move(*read) : kept;
    if (!read) now.lacks = std::move(read.error());
    now.id = kept.id;
    workspace.add(std::move(now));
  }
}

Result<WorkspaceRecording> FileReader::readRecording(const std::string& file, const RecordingChoices& choices,
                                                     const JobContext& job) {
  job.report(message("reading the recording"), 0, 0);
  RecordingOptions options{.step = choices.step, .range = choices.range, .device = choices.device, .stop = job.stop};
  options.with.assign(choices.with.begin(), choices.with.end());
  IOS_TRY(auto recording, open_recording(file, options));
  if (!job.stopped()) job.report(message("finding what waits for what"), 0, 0);
  return WorkspaceRecording{.file = file,
                            .choices = choices,
                            .opened = job.stopped() ? nullptr : look_into(std::move(recording), choices.share)};
}

Result<Document> FileReader::readNetwork(const std::string& source, const InputSizes& sizes) const {
  auto document = opener_(source, sizes);
  if (document && document->schedule) {
    // The original's files do not name their schedules; the file's own name says more.
    std::string own = document->schedule->schedule.name;
    if (own.empty() || own == row_of(ScheduleKind::kFile).id) own = std::filesystem::path(source).stem().string();
    document->schedule->schedule.name = free_schedule_name(own, {});
  }
  return document;
}

Result<ReadFile> FileReader::read(const std::string& source, const InputSizes& sizes, const Graph* current,
                                  const JobContext& job) const {
  const FileKind kind = file_kind(source);
  if (kind == FileKind::kRun) {
    IOS_TRY(auto run, open_run(source));
    return std::make_shared<const Run>(std::move(run));
  }
  if (kind == FileKind::kProject) {
    const auto stamp = stamp_of(source);  // before: what another program writes meanwhile is then known to be another
    IOS_TRY(auto workspace, open_project(source));
    readAgain(workspace, job);
    return ReadProject{{std::move(workspace), {.file = source, .changed = false}}, stamp};
  }
  if (kind == FileKind::kExternal) {
    IOS_TRY(auto recording, readRecording(source, {}, job));
    return recording;
  }
  std::optional<Error> mismatch;
  if (current != nullptr && kind == FileKind::kSchedule) {
    auto file = load_schedule(source, *current);
    if (file && file->lanes) return ReadLanes{std::move(*file), {}};
    if (file) return std::move(file->schedule);
    mismatch = file.error();
  }
  auto document = readNetwork(source, sizes);
  // A schedule file that neither fits the open network nor opens by itself: what is wrong is how it fits.
  if (!document) return tl::unexpected(mismatch.value_or(document.error()));
  if (kind == FileKind::kSchedule) {
    IOS_TRY(auto file, load_schedule(source, *document->graph));
    if (file.lanes) {
      document->schedule.reset();  // it only chose their kernels
      return ReadLanes{std::move(file), std::move(*document)};
    }
  }
  return std::move(*document);
}

Result<ReadFile> FileReader::readBeside(const Document& document, const std::string& first,
                                        const std::string& source) const {
  IOS_TRY(auto added, opener_(source, {}));
  const std::array documents{document, std::move(added)};
  const std::array names{first, source};
  IOS_TRY(auto both, unite(documents, names));
  return ReadFile(std::move(both));
}

Result<ReadProject> FileReader::readKept(const std::string& path, const JobContext& job) const {
  IOS_TRY(auto kept, open_kept_project(path));
  readAgain(kept.workspace, job);
  // Later changes of the project's file are not in this one.
  const auto when = stamp_of(path);
  const auto of_file = kept.of.file.empty() ? std::nullopt : stamp_of(kept.of.file);
  const bool same = of_file && when && of_file->written <= when->written;
  return ReadProject{std::move(kept), same ? of_file : FileStamp()};
}

}  // namespace iosx
