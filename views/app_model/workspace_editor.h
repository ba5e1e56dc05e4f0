#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/files.h"
#include "core/documents/project/workspace.h"

namespace iosx {

// Says what an edit is about, for whoever shows it; nothing where that is of no importance.
struct WorkspaceChange {
  NetworkId network = {};                // was opened or drawn, perhaps again
  RecordingId recording = {};            // was opened, perhaps again
  RunId run = {};                        // ended, or comes from a file
  bool recorded = false;                 // it comes from a file
  std::optional<Choice> hand_made = {};  // ran
  std::optional<Choice> verified = {};   // has a verification, and nothing else is new
};

// Edits the open things of a window, a workspace of networks and their runs, and knows its project
// file. GUI thread only. Nothing here takes long: jobs (views/app_model/jobs.h) take a snapshot, work
// on their own threads, and add their results here. A result belongs to the network for which it was
// made, whatever the user shows meanwhile; no result is ever replaced.
class WorkspaceEditor final : public QObject {
  Q_OBJECT

 public:
  const Workspace& workspace() const { return workspace_; }
  void setNote(RunId id, const QString& note);
  void setBaseline(const std::optional<Choice>& baseline);
  void setCompared(const Choice& choice, bool compared);
  // Compares exactly these, in this order, with that baseline.
  void setAllCompared(const std::vector<Choice>& choices, const std::optional<Choice>& baseline);
  // Keeps what the window shows, for the project file. This is no change.
  void setShown(const std::optional<Choice>& shown) { workspace_.set_shown(shown); }
  void setNotes(const QString& notes);
  // Keeps a network's current hand-edited schedule; none: no edits.
  void setDraft(NetworkId network, std::optional<WorkspaceDraft> draft);
  // Keeps a schedule that beat a search as the start of later ones, unless a better one is kept.
  // This is no change: it follows from a draft or a run, which is one.
  void offerWarmStart(NetworkId network, WorkspaceWarmStart start);
  void setWarmStartUsed(NetworkId network, bool used);
  // Keeps a column of values, one per unit of the network's graph, in place of the previous one.
  void setColumn(NetworkId network, std::shared_ptr<const UnitColumn> column);
  // Adds a recording; it replaces the one with its id, or else of its file.
  void addRecording(WorkspaceRecording recording);
  // Keeps which recording the window shows, for the project file; not valid: none. This is no change.
  void setShownRecording(RecordingId id) { workspace_.set_shown_recording(id); }
  // Removes a run, a network with its runs, an external run, or a recording.
  template <typename ItemId>
  void remove(ItemId id) {
    workspace_.remove(id);
    tell();
  }
  // Adds external runs of a network, matched to its graph; does nothing where the network is gone.
  void addExternal(NetworkId network, std::vector<ExternalRun> runs);

  // Adds a network, or updates the one that was opened the same way before. Returns whether its runs,
  // if any, do not apply to this document: it is new, has other sizes, or weights that were missing.
  bool addDocument(Document document, const QString& source, const InputSizes& sizes);
  // Adds an editor's version of a network (`of`; invalid: none): it replaces the editor's previous
  // version, unless that has runs or is `in_use`. Otherwise it is a later version by the same name, so
  // that earlier results belong to an older one. Returns its network.
  NetworkId addDrawn(NetworkId of, Document document, const QString& source, bool in_use);
  // Keeps a drawing in its current state; see Workspace::add.
  DrawingId keepDrawing(WorkspaceDrawing drawing);
  void removeDrawing(DrawingId id);
  void addSchedule(NetworkId network, Schedule schedule);  // from a file, for later comparisons
  void addRecorded(std::shared_ptr<const Run> run);        // from a run file
  // `automatic`: not requested. `grown`: its id from grow(); if that was removed, nothing is added.
  void addRun(NetworkId network, std::shared_ptr<const Run> run, bool automatic, RunId grown = {});
  // Lists the results so far of a running job, shown once the user selects it. `id` is the previous
  // return value, at first none.
  RunId grow(RunId id, NetworkId network, std::shared_ptr<const Run> run);
  void endGrowing(RunId id);  // its job ended without a result: the results so far stay
  // Adds a profile to a run: its traces from a profiler and their notices, for whichever of its
  // schedules were profiled.
  void setProfile(RunId id, const Comparison& profiled);
  void setVerification(RunId id, const ScheduleId& schedule, const Verification& verification);
  // Adds a hand-made schedule to a run, run like its others. It replaces one with the same stages.
  void addHandMade(RunId id, const ScheduleResult& result);

  // Replaces everything. `path` is its file, if any; `modified`: the file lacks something of it.
  void takeProject(Workspace workspace, const QString& path, bool modified, std::optional<FileStamp> stamp = {});
  // Records that the project file has the state after that many changes, unless another is open since.
  void savedAs(const QString& path, std::uint64_t changes, std::optional<FileStamp> stamp = {});
  std::uint64_t changes() const { return changes_; }
  // Returns whether requested results are not in the project file, so that closing would lose them.
  bool modified() const { return modified_ && (!project_path_.isEmpty() || workspace_.asked_for()); }
  const QString& projectPath() const { return project_path_; }  // empty without a project file
  // Returns the project file's stamp when it was read or written here; none if unknown.
  const std::optional<FileStamp>& projectStamp() const { return project_stamp_; }

 signals:
  void changed(const iosx::WorkspaceChange& change);
  void notesChanged();     // of the project, by setNotes()
  void draftsChanged();    // by setDraft(), offerWarmStart(), setWarmStartUsed()
  void draftLeft();        // by addDrawn(): hand-edited schedules do not fit the new graph
  void drawingsChanged();  // by keepDrawing() and removeDrawing()
  void projectOpened();
  void handMadeRan(const iosx::Choice& choice);  // a hand-made schedule is in the workspace

 private:
  // Reports a change. `asked`: the user requested it, so saving it is worth a question.
  void tell(const WorkspaceChange& change = {}, bool asked = true);
  void touch();  // there is a change worth saving

  Workspace workspace_;
  QString project_path_;
  std::optional<FileStamp> project_stamp_;
  bool modified_ = false;
  std::uint64_t changes_ = 0;   // worth saving
  std::uint64_t taken_at_ = 0;  // of these, those before this project was opened
};

}  // namespace iosx
