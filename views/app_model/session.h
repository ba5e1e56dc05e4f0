#pragma once

#include <QObject>
#include <QString>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "core/analysis/experiment/experiment.h"
#include "core/base/file_stamp.h"
#include "core/devices/registry.h"
#include "core/documents/project/workspace.h"
#include "core/formats/document.h"
#include "views/app_model/run_settings.h"

namespace iosx {

// Holds what a window has open and what of it the views show: a workspace of networks and their runs, the shown
// network, run and schedule, and the settings of the next run. GUI thread only. Nothing here takes long: jobs
// (views/app_model/jobs.h) take a snapshot, work on threads of their own, and hand in here what they found. What is
// handed in belongs to the network that it was made for, wherever the user has turned to meanwhile; nothing that was
// found is ever replaced.
class Session final : public QObject {
  Q_OBJECT

 public:
  // The registry must outlive the session. Whoever changes it calls tellDevices().
  explicit Session(const DeviceRegistry& devices, QObject* parent = nullptr);

  const Workspace& workspace() const { return workspace_; }
  void showNetwork(NetworkId id);  // with the run of it that was shown last
  void showRun(RunId id);          // with the schedule of it that was shown last, or else its best
  void showSchedule(const Choice& choice);
  void useSettingsOf(RunId id);  // to make the like of it again, or something beside it
  void setNote(RunId id, const QString& note);
  void setBaseline(const std::optional<Choice>& baseline);
  void setCompared(const Choice& choice, bool compared);
  // Compares these and no others, in this order, with that baseline.
  void setAllCompared(const std::vector<Choice>& choices, const std::optional<Choice>& baseline);
  void setNotes(const QString& notes);
  // Keeps what is being changed by hand of a network, as it is now; none means that nothing is.
  void setDraft(NetworkId network, std::optional<WorkspaceDraft> draft);
  // Keeps something that was faster than a search as what later searches start from, unless a better one is kept.
  void offerWarmStart(NetworkId network, WorkspaceWarmStart start);
  void setWarmStartUsed(NetworkId network, bool used);
  // Keeps a column of a table of values, one a unit of the network's graph, instead of the one before.
  void setColumn(NetworkId network, std::shared_ptr<const UnitColumn> column);
  void removeRun(RunId id);
  // Adds what others recorded of a network, matched to its graph; does nothing where the network has gone.
  void addExternal(NetworkId network, std::vector<ExternalRun> runs);
  void removeExternal(ExternalId id);
  void removeNetwork(NetworkId id);  // and its runs
  // Says whether something that somebody asked for is not in the project file, so that replacing what is open would
  // lose it.
  bool modified() const { return modified_ && (!project_path_.isEmpty() || workspace_.asked_for()); }
  const QString& projectPath() const { return project_path_; }  // empty where no project file is open
  // Returns the project file's stamp as it was when it was read or written here; none where that is not known.
  const std::optional<FileStamp>& projectStamp() const { return project_stamp_; }

  // Jobs and editors hand in what they have by what follows.

  // Shows the network, beside those that are open, or the one that was opened so before. Answers whether its runs, if
  // it has any, say nothing of this document: it is new, has other sizes, or weights that were missing.
  bool addDocument(Document document, const QString& source, const InputSizes& sizes);
  // Adds what an editor has made of a network (`of`; not valid: of none): it takes the place of what it made of it
  // before, unless there are runs of that or it is `in_use`. Otherwise it stands beside it as a later version by the
  // same name, so that what was found is of an older one. It is shown; the answer says which network has it.
  NetworkId addDrawn(NetworkId of, Document document, const QString& source, bool in_use);
  // Keeps what somebody draws, as it is now; see Workspace::add.
  DrawingId keepDrawing(WorkspaceDrawing drawing);
  void removeDrawing(DrawingId id);
  void addSchedule(NetworkId network, Schedule schedule);  // from a file; the comparisons from now on have it
  void addRecorded(std::shared_ptr<const Run> run);        // from a run file; shows it
  // `automatic`: nobody asked for it. `grown`: what grow() made of it before; if the user removed that, nothing is
  // added. Shows it, unless the user looks at something that it must not push aside.
  void addRun(NetworkId network, std::shared_ptr<const Run> run, bool automatic, RunId grown = {});
  // Lists what a job that still runs has found so far, which is shown once the user turns to it. `id` is what the last
  // call answered, at first none.
  RunId grow(RunId id, NetworkId network, std::shared_ptr<const Run> run);
  void endGrowing(RunId id);  // its job ended without an answer: what it had found stays as it is
  // More is known of a run: its traces as a profiler saw them, and what that says; of whichever of its schedules were
  // profiled.
  void setProfile(RunId id, const Comparison& profiled);
  void setVerification(RunId id, const ScheduleId& schedule, const Verification& verification);
  // Adds one more schedule of a run, made by hand and run as its others were; it is shown where the run is. One of the
  // same stages takes the place of what it was.
  void addHandMade(RunId id, const ScheduleResult& result);
  void addExperiment(std::shared_ptr<const ExperimentResult> result);
  // Takes the place of everything but experiments. `path` is its file, if it has one, which lacks something of it if
  // `modified`.
  void takeProject(Workspace workspace, const QString& path, bool modified, std::optional<FileStamp> stamp = {});
  // The project file has all of it as it was after so many changes. Does nothing if another project is open since.
  void savedAs(const QString& path, std::uint64_t changes, std::optional<FileStamp> stamp = {});
  std::uint64_t changes() const { return changes_; }

  // These return the shown network and run; not valid where there is none.
  NetworkId networkId() const { return network_; }
  RunId runId() const { return run_; }
  const WorkspaceNetwork* shownNetwork() const { return workspace_.find(network_); }  // may be null
  const WorkspaceRun* shownRun() const { return workspace_.find(run_); }              // may be null
  // Returns the shown run, if it was opened from a file; else null.
  const Run* recorded() const;
  bool weightsLeftBehind() const;  // see WorkspaceNetwork
  bool hasDocument() const { return shownNetwork() != nullptr; }
  // Returns the document as it was opened, with the parts that the file declares; the comparison's graph has the same
  // units in the parts that were searched. It is an empty one where no network is open.
  const Document& document() const;
  QString source() const;                                // what it was opened by
  std::shared_ptr<const Comparison> comparison() const;  // of the shown run; may be null
  // Returns what the comparison's searches were allowed; their strategies are each schedule's own. Needs a comparison.
  const SearchOptions& searchedWith() const { return shownRun()->run->options.search; }
  // Says whether the comparison has a schedule that a search found.
  bool searched() const;
  // Says whether the comparison has all that a run of the network with the settings of now would give.
  bool upToDate() const;
  // Returns what was found when a result of the comparison was verified; null before.
  const Verification* verification(std::size_t result) const;

  static constexpr std::size_t kMostExperiments = 20;  // the oldest then goes
  // Returns those of this sitting, the newest first.
  const std::vector<std::shared_ptr<const ExperimentResult>>& experiments() const { return experiments_; }

  // Returns the index into comparison()->results of the schedule that canvas and stage table show; 0 where there is
  // none.
  std::size_t activeSchedule() const { return active_; }
  void setActiveSchedule(std::size_t index);
  void setActiveSchedule(const ScheduleId& id);

  const RunSettings& settings() const { return settings_; }
  void setSettings(RunSettings settings);
  const DeviceRegistry& devices() const { return devices_; }
  const DeviceInfo* device() const;  // the chosen one; null where the registry does not have it
  void tellDevices() { emit devicesChanged(); }

 signals:
  void workspaceChanged();   // networks, runs, their notes, choices; all of it after takeProject()
  void notesChanged();       // of the project, by setNotes()
  void draftsChanged();      // by setDraft(), offerWarmStart(), setWarmStartUsed()
  void draftLeft();          // by addDrawn(): what was changed by hand does not fit the new graph
  void drawingsChanged();    // by keepDrawing() and removeDrawing()
  void documentChanged();    // another network is shown
  void comparisonChanged();  // another run is shown, or more is known of it
  void activeScheduleChanged();
  void settingsChanged();
  void devicesChanged();  // of the registry, by tellDevices()
  void runAdded(iosx::RunId id);
  void handMadeRan(
      const iosx::Choice& choice);    // a schedule that somebody made by hand has run, and is in the workspace
  void verified(std::size_t result);  // verification() has news
  void projectOpened();
  void experimentAdded();

 private:
  void turnTo(NetworkId network, RunId run);
  void learnFrom(NetworkId network, const Run& run);
  // Tells of a change; where nobody `asked` for it, saving it is not worth a question.
  void changed(bool asked = true);
  std::shared_ptr<const Run> shared() const;  // the shown run; may be null

  const DeviceRegistry& devices_;
  RunSettings settings_;
  Workspace workspace_;
  QString project_path_;
  std::optional<FileStamp> project_stamp_;
  bool modified_ = false;
  std::uint64_t changes_ = 0;               // that are worth saving
  std::uint64_t taken_at_ = 0;              // of them, those before this project was opened
  NetworkId network_;                       // shown
  RunId run_;                               // shown
  std::size_t active_ = 0;                  // the shown schedule of it
  std::map<NetworkId, RunId> last_run_;     // that was shown of a network
  std::map<RunId, ScheduleId> last_shown_;  // schedule of a run
  std::vector<std::shared_ptr<const ExperimentResult>> experiments_;
};

}  // namespace iosx
