#pragma once

#include <QObject>
#include <QString>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "core/analysis/experiment/experiment.h"
#include "core/base/files.h"
#include "core/devices/registry.h"
#include "core/documents/project/workspace.h"
#include "core/documents/run_file/run_file.h"
#include "core/formats/document.h"

namespace iosx {

// Holds what a comparison is made with. Of the options, what is one request's alone stays empty: given schedules and a
// warm start.
struct RunSettings {
  std::string device;  // id in the registry
  CompareOptions options{.sensitivity = true};
  friend bool operator==(const RunSettings&, const RunSettings&) = default;
};

// Returns the settings that would make the run again.
RunSettings settings_of(const Run& run);

// Returns the strategies with exactly these schedule kinds, including baselines; none for others.
std::optional<StrategySet> strategies_of(const std::vector<ScheduleKind>& schedule_kinds);

// The open things of a window and the shown ones: a workspace of networks and their runs, the shown network, run and
// schedule, and the settings of the next run. GUI thread only. Nothing here takes long: jobs
// (views/app_model/jobs.h) take a snapshot, work on their own threads, and add their results here. A result belongs
// to the network for which it was made, whatever the user shows meanwhile; no result is ever replaced.
class Session final : public QObject {
  Q_OBJECT

 public:
  // The registry must outlive the session. Call tellDevices() after changing it.
  explicit Session(const DeviceRegistry& devices, QObject* parent = nullptr);

  const Workspace& workspace() const { return workspace_; }
  void showNetwork(NetworkId id);  // with its last shown run
  void showRun(RunId id);          // with its last shown schedule, or else its best
  void showSchedule(const Choice& choice);
  void useSettingsOf(RunId id);  // to repeat it, or to make something comparable
  void setNote(RunId id, const QString& note);
  void setBaseline(const std::optional<Choice>& baseline);
  void setCompared(const Choice& choice, bool compared);
  // Compares exactly these, in this order, with that baseline.
  void setAllCompared(const std::vector<Choice>& choices, const std::optional<Choice>& baseline);
  void setNotes(const QString& notes);
  // Keeps a network's current hand-edited schedule; none: no edits.
  void setDraft(NetworkId network, std::optional<WorkspaceDraft> draft);
  // Keeps a schedule that beat a search as the start of later ones, unless a better one is kept.
  void offerWarmStart(NetworkId network, WorkspaceWarmStart start);
  void setWarmStartUsed(NetworkId network, bool used);
  // Keeps a column of values, one per unit of the network's graph, in place of the previous one.
  void setColumn(NetworkId network, std::shared_ptr<const UnitColumn> column);
  void removeRun(RunId id);
  // Adds external runs of a network, matched to its graph; does nothing where the network is gone.
  void addExternal(NetworkId network, std::vector<ExternalRun> runs);
  void removeExternal(ExternalId id);
  void removeNetwork(NetworkId id);  // and its runs
  // Returns whether requested results are not in the project file, so that closing would lose them.
  bool modified() const { return modified_ && (!project_path_.isEmpty() || workspace_.asked_for()); }
  const QString& projectPath() const { return project_path_; }  // empty without a project file
  // Returns the project file's stamp when it was read or written here; none if unknown.
  const std::optional<FileStamp>& projectStamp() const { return project_stamp_; }

  // Jobs and editors add their results by the functions below.

  // Shows the network, in addition to the open ones, or the one that was opened the same way before. Returns whether
  // its runs, if any, do not apply to this document: it is new, has other sizes, or weights that were missing.
  bool addDocument(Document document, const QString& source, const InputSizes& sizes);
  // Adds an editor's version of a network (`of`; invalid: none): it replaces the editor's previous version, unless
  // that has runs or is `in_use`. Otherwise it is a later version by the same name, so that earlier results belong
  // to an older one. It is shown; returns its network.
  NetworkId addDrawn(NetworkId of, Document document, const QString& source, bool in_use);
  // Keeps a drawing in its current state; see Workspace::add.
  DrawingId keepDrawing(WorkspaceDrawing drawing);
  void removeDrawing(DrawingId id);
  void addSchedule(NetworkId network, Schedule schedule);  // from a file, for later comparisons
  void addRecorded(std::shared_ptr<const Run> run);        // from a run file; shows it
  // `automatic`: not requested. `grown`: its id from grow(); if the user removed that, nothing is added. Shows it,
  // unless the user looks at something that it must not replace.
  void addRun(NetworkId network, std::shared_ptr<const Run> run, bool automatic, RunId grown = {});
  // Lists the results so far of a running job, shown once the user selects it. `id` is the previous return value, at
  // first none.
  RunId grow(RunId id, NetworkId network, std::shared_ptr<const Run> run);
  void endGrowing(RunId id);  // its job ended without a result: the results so far stay
  // Adds a profile to a run: its traces from a profiler and their notices, for whichever of its schedules were
  // profiled.
  void setProfile(RunId id, const Comparison& profiled);
  void setVerification(RunId id, const ScheduleId& schedule, const Verification& verification);
  // Adds a hand-made schedule to a run, run like its others; it is shown if the run is. It replaces one with the same
  // stages.
  void addHandMade(RunId id, const ScheduleResult& result);
  void addExperiment(std::shared_ptr<const ExperimentResult> result);
  // Replaces everything except experiments. `path` is its file, if any; `modified`: the file lacks something of it.
  void takeProject(Workspace workspace, const QString& path, bool modified, std::optional<FileStamp> stamp = {});
  // Records that the project file has the state after that many changes. Does nothing if another project is open since.
  void savedAs(const QString& path, std::uint64_t changes, std::optional<FileStamp> stamp = {});
  std::uint64_t changes() const { return changes_; }

  // Return the shown network and run; invalid without one.
  NetworkId networkId() const { return network_; }
  RunId runId() const { return run_; }
  const WorkspaceNetwork* shownNetwork() const { return workspace_.find(network_); }  // may be null
  const WorkspaceRun* shownRun() const { return workspace_.find(run_); }              // may be null
  // Returns the shown run if it was opened from a file; else null.
  const Run* recorded() const;
  bool weightsLeftBehind() const;  // see WorkspaceNetwork
  bool hasDocument() const { return shownNetwork() != nullptr; }
  // Returns the document as it was opened, with the parts that the file declares; the comparison's graph has the same
  // units in the searched parts. Empty without an open network.
  const Document& document() const;
  QString source() const;                                // its name or path
  std::shared_ptr<const Comparison> comparison() const;  // of the shown run; may be null
  // Returns the options of the comparison's searches; strategies are each schedule's own. Needs a comparison.
  const SearchOptions& searchedWith() const { return shownRun()->run->options.search; }
  // Returns whether the comparison has a schedule from a search.
  bool searched() const;
  // Returns whether the comparison has all results of a run with the current settings.
  bool upToDate() const;
  // Returns the verification of a result of the comparison, or null.
  const Verification* verification(std::size_t result) const;

  static constexpr std::size_t kMostExperiments = 20;  // the oldest is then removed
  // Returns those since the program's start, the newest first.
  const std::vector<std::shared_ptr<const ExperimentResult>>& experiments() const { return experiments_; }

  // Returns the index into comparison()->results of the schedule in canvas and stage table; 0 without one.
  std::size_t activeSchedule() const { return active_; }
  void setActiveSchedule(std::size_t index);
  void setActiveSchedule(const ScheduleId& id);

  const RunSettings& settings() const { return settings_; }
  void setSettings(RunSettings settings);
  const DeviceRegistry& devices() const { return devices_; }
  const DeviceInfo* device() const;  // the chosen one; null where the registry lacks it
  void tellDevices() { emit devicesChanged(); }

 signals:
  void workspaceChanged();   // networks, runs, their notes, choices; everything after takeProject()
  void notesChanged();       // of the project, by setNotes()
  void draftsChanged();      // by setDraft(), offerWarmStart(), setWarmStartUsed()
  void draftLeft();          // by addDrawn(): hand-edited schedules do not fit the new graph
  void drawingsChanged();    // by keepDrawing() and removeDrawing()
  void documentChanged();    // another network is shown
  void comparisonChanged();  // another run is shown, or has more results
  void activeScheduleChanged();
  void settingsChanged();
  void devicesChanged();  // of the registry, by tellDevices()
  void runAdded(iosx::RunId id);
  void handMadeRan(const iosx::Choice& choice);  // a hand-made schedule ran and is in the workspace
  void verified(std::size_t result);             // verification() changed
  void projectOpened();
  void experimentAdded();

 private:
  void turnTo(NetworkId network, RunId run);
  void showLastNetwork();
  void learnFrom(NetworkId network, const Run& run);
  // Reports a change. `asked`: the user requested it, so saving it is worth a question.
  void changed(bool asked = true);
  void touch();  // there is a change worth saving

  const DeviceRegistry& devices_;
  RunSettings settings_;
  Workspace workspace_;
  QString project_path_;
  std::optional<FileStamp> project_stamp_;
  bool modified_ = false;
  std::uint64_t changes_ = 0;               // worth saving
  std::uint64_t taken_at_ = 0;              // of these, those before this project was opened
  NetworkId network_;                       // the shown one
  RunId run_;                               // the shown one
  std::size_t active_ = 0;                  // its shown schedule
  std::map<NetworkId, RunId> last_run_;     // last shown run of a network
  std::map<RunId, ScheduleId> last_shown_;  // last shown schedule of a run
  std::vector<std::shared_ptr<const ExperimentResult>> experiments_;
};

}  // namespace iosx
