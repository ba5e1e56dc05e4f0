#pragma once

#include <QObject>
#include <QString>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "core/analysis/experiment/experiment.h"
#include "core/devices/registry.h"
#include "views/app_model/workspace_editor.h"

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

// Holds what a window shows: a network, one of its runs, one of that run's schedules, and the settings of
// the next run. It follows what the editor of the workspace changes: it turns to what was opened or
// finished, and away from what was removed. GUI thread only.
class Session final : public QObject {
  Q_OBJECT

 public:
  // The registry must outlive the session. Call tellDevices() after changing it.
  explicit Session(const DeviceRegistry& devices, QObject* parent = nullptr);

  WorkspaceEditor& editor() { return editor_; }
  const WorkspaceEditor& editor() const { return editor_; }
  const Workspace& workspace() const { return editor_.workspace(); }

  // Shows a recording in place of the network, which stays chosen; not valid: the network again. Each of the others
  // shows the network again, too.
  void showRecording(RecordingId id);
  RecordingId recordingId() const { return recording_; }
  const WorkspaceRecording* shownRecording() const { return workspace().find(recording_); }  // null: the network
  void showNetwork(NetworkId id);                                                            // with its last shown run
  void showRun(RunId id);  // with its last shown schedule, or else its best
  void showSchedule(const Choice& choice);
  void useSettingsOf(RunId id);  // to repeat it, or to make something comparable

  // Return the shown network and run; invalid or null without one.
  NetworkId networkId() const { return network_; }
  RunId runId() const { return run_; }
  const WorkspaceNetwork* shownNetwork() const { return workspace().find(network_); }
  const WorkspaceRun* shownRun() const { return workspace().find(run_); }
  bool hasDocument() const { return shownNetwork() != nullptr; }
  // Returns the shown run if it was opened from a file; else null.
  const Run* recorded() const;
  bool weightsLeftBehind() const { return hasDocument() && shownNetwork()->weights_left_behind; }
  // Returns the document as it was opened, with the parts that the file declares; the comparison's graph has the same
  // units in the searched parts. Empty without an open network.
  const Document& document() const;
  QString source() const;                                // its name or path
  std::shared_ptr<const Comparison> comparison() const;  // of the shown run; may be null
  // Returns the options of the comparison's searches; strategies are each schedule's own. Needs a comparison.
  const SearchOptions& searchedWith() const { return shownRun()->run->options.search; }
  // Returns whether the comparison has a schedule from a search.
  bool searched() const { return shownRun() != nullptr && has_search(shownRun()->run->comparison); }
  // Returns whether the comparison has all results of a run with the current settings.
  bool upToDate() const;
  // Returns the verification of a result of the comparison, or null.
  const Verification* verification(std::size_t result) const;

  static constexpr std::size_t kMostExperiments = 20;  // the oldest is then removed
  // Returns those since the program's start, the newest first.
  const std::vector<std::shared_ptr<const ExperimentResult>>& experiments() const { return experiments_; }
  void addExperiment(std::shared_ptr<const ExperimentResult> result);

  // Returns the index into comparison()->results of the schedule in canvas and stage table; 0 without one.
  std::size_t activeSchedule() const { return active_; }
  void setActiveSchedule(std::size_t index);
  void setActiveSchedule(const ScheduleId& id) { showSchedule({run_, id}); }

  const RunSettings& settings() const { return settings_; }
  void setSettings(RunSettings settings);
  const DeviceRegistry& devices() const { return devices_; }
  // Says whether a run was made on this computer, and on a device that it still has: names of computers repeat.
  bool madeHere(const Run& run) const;
  const DeviceInfo* device() const;  // the chosen one; null where the registry lacks it
  void tellDevices() { emit devicesChanged(); }

 signals:
  void workspaceChanged();   // networks, runs, their notes, choices, the project
  void documentChanged();    // another network is shown
  void comparisonChanged();  // another run is shown, or has more results
  void recordingChanged();   // another recording is shown, or the same one anew, or none
  void activeScheduleChanged();
  void settingsChanged();
  void devicesChanged();              // of the registry, by tellDevices()
  void verified(std::size_t result);  // verification() changed
  void experimentAdded();

 private:
  void follow(const WorkspaceChange& change);
  void followRecording(bool other_opened);
  bool takes(const WorkspaceRun& finished);
  NetworkId kept();
  RunId lastRun(NetworkId network) const;
  void turnTo(NetworkId network, RunId run, bool reopened = false);
  void settle(const ScheduleId& wanted);

  const DeviceRegistry& devices_;
  RunSettings settings_;
  WorkspaceEditor editor_;
  NetworkId network_;                           // the shown one
  RunId run_;                                   // the shown one
  RecordingId recording_;                       // shown in their place
  std::size_t active_ = 0;                      // its shown schedule
  std::map<NetworkId, WorkspaceRun> last_run_;  // last shown run of a network, as it was then
  std::map<RunId, ScheduleId> last_shown_;      // last shown schedule of a run
  std::vector<std::shared_ptr<const ExperimentResult>> experiments_;
};

}  // namespace iosx
