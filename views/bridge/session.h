#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/compare/comparison.h"
#include "core/device/registry.h"
#include "core/experiment/experiment.h"
#include "core/import/document.h"
#include "core/measure/store_place.h"
#include "core/workspace/workspace.h"
#include "views/bridge/job_runner.h"
#include "views/bridge/search_watcher.h"

namespace iosx {

// What a comparison is made with.
struct RunSettings {
  std::string device;  // id in the registry
  std::int64_t batch = 1;
  std::vector<Recipe> recipes = made_recipes();  // of optimize()
  SearchOptions search;
  std::size_t max_part_size = kDefaultMaxPartSize;  // units; larger parts are cut before they are searched
  TimingOptions timing;                             // of a device that measures
  friend bool operator==(const RunSettings&, const RunSettings&) = default;
};

// An experiment and through what it goes, as ExperimentOptions; what it does not vary is as the settings say.
struct ExperimentRequest {
  ExperimentKind kind = ExperimentKind::kSchedules;
  std::vector<std::string> devices = {};  // ids; only of "devices"
  std::vector<std::int64_t> batches = {};
  std::vector<std::size_t> r = {};
  std::vector<std::size_t> s = {};
};

// The settings that would make the run again.
RunSettings settings_of(const Run& run);

// All that a window has open: a workspace of networks and their runs, which of these the views show, and the jobs that
// make more. GUI thread only; reading files, searching and running happen on the background threads of its jobs, one of
// which reads while another one searches. What a job finds belongs to the network that it was started for, wherever the
// user has turned to meanwhile. A job that fails leaves everything as it was; nothing that was found is ever replaced.
class Session final : public QObject {
  Q_OBJECT

 public:
  // Reads a network by the name of a built-in one or by path, with sizes of what its file leaves open; called on the
  // job's thread.
  using Opener = std::function<Result<Document>(const std::string& source, const InputSizes& sizes)>;

  // At most this many units: comparing takes moments, so open() does all of it at once.
  static constexpr std::size_t kQuickUnits = 32;
  // Writes a network to a file; called on the job's thread.
  using Writer = std::function<Result<void>(const Graph& graph, const std::string& path)>;

  // The registry must outlive the session and must not change any more.
  Session(const DeviceRegistry& devices, Opener opener, QObject* parent = nullptr);

  // Opens a network beside those that are open, then compares on a device that is simulated: everything for a quick
  // network, the baselines and the file's own schedule otherwise. Nothing is measured unasked. One that is open already
  // is shown. A file with one of our schedules joins the comparison of the shown network instead, where
  // it is a schedule of that network. A run file is shown as it was saved: nothing is run. A project file takes the
  // place of the whole workspace.
  void open(const QString& source, const InputSizes& sizes = {});
  // As open() of a project file, but of one that the program itself kept: what is open has no project file then.
  void restore(const QString& path);
  // Compares the schedules of the settings, and those from files, as a new run; after the jobs that wait already.
  // Nothing without a document, or where the same is waiting or running.
  void optimize();
  // Runs the active schedule on the device and the sequential one on the registry's reference (on the device too where
  // there is none), on the same inputs, and compares what they compute.
  // Nothing where whyNotVerify() has a reason.
  void verify();
  QString whyNotVerify() const;  // empty where verify() can be done
  // What verify() found about a result of the comparison; null before.
  const Verification* verification(std::size_t result) const;
  // Looks into the runs of all compared schedules (core/compare/profile.h): the comparison then has their timelines and
  // counters; its latencies stay. Nothing where whyNotProfile() has a reason.
  void profile();
  QString whyNotProfile() const;  // empty where profile() can be done
  // Runs an experiment on the open network and the chosen device; experimentEnded() brings what it found, after a
  // cancel too. Nothing where whyNotExperiment() has a reason.
  void experiment(const ExperimentRequest& request);
  QString whyNotExperiment(ExperimentKind kind) const;    // empty where it can be done
  void writeNetwork(const QString& path, Writer writer);  // networkWritten() says when it is done
  // Writes the shown run as a run file; runSaved() says when it is done. Nothing without a comparison.
  void saveRun(const QString& path);
  // Writes the workspace as a project file; projectSaved() says when it is done.
  void saveProject(const QString& path);
  void cancel();   // the running job ends soon, with the best so far; others go on waiting
  void abandon();  // what jobs have is not wanted: before closing

  const Workspace& workspace() const { return workspace_; }
  void showNetwork(NetworkId id);  // with the run of it that was shown last
  void showRun(RunId id);          // with the schedule of it that was shown last, or else its best
  void showSchedule(const Choice& choice);
  void useSettingsOf(RunId id);  // to make the like of it again, or something beside it
  void setNote(RunId id, const QString& note);
  void setBaseline(const std::optional<Choice>& baseline);
  void setCompared(const Choice& choice, bool compared);
  void setNotes(const QString& notes);
  void removeRun(RunId id);
  void removeNetwork(NetworkId id);  // and its runs; jobs for it are abandoned
  // What is there that closing would lose: runs, or notes of a project file that were changed.
  bool modified() const { return modified_; }
  const QString& projectPath() const { return project_path_; }  // empty where no project file is open

  // The shown network and run; not valid where there is none.
  NetworkId networkId() const { return network_; }
  RunId runId() const { return run_; }
  const WorkspaceRun* shownRun() const { return workspace_.find(run_); }  // may be null
  // The shown run, if it was opened from a file; else null.
  const Run* recorded() const;
  bool weightsLeftBehind() const;  // see WorkspaceNetwork
  bool hasDocument() const { return workspace_.find(network_) != nullptr; }
  // As it was opened, with the parts that the file declares; the comparison's graph has the same units in the parts
  // that were searched. An empty one where no network is open.
  const Document& document() const;
  QString source() const;                                // what it was opened by
  std::shared_ptr<const Comparison> comparison() const;  // of the shown run; may be null
  // What the comparison's searches were allowed; their strategies are each schedule's own. Needs a comparison.
  const SearchOptions& searchedWith() const { return shownRun()->run->options.search; }
  // The comparison has a schedule that a search found.
  bool searched() const;
  // The comparison has all that optimize() would give with the settings of now.
  bool upToDate() const;

  // Index into comparison()->results of the schedule that canvas and stage table show; 0 where there is none.
  std::size_t activeSchedule() const { return active_; }
  void setActiveSchedule(std::size_t index);
  void setActiveSchedule(const ScheduleId& id);

  const RunSettings& settings() const { return settings_; }
  void setSettings(RunSettings settings);
  // Where the jobs from now on look up and keep what devices measure; at first nowhere.
  void setStore(StorePlace place) { store_ = std::move(place); }
  const StorePlace& store() const { return store_; }
  const DeviceRegistry& devices() const { return devices_; }
  const DeviceInfo* device() const;  // the chosen one; null where the registry does not have it
  // A network is being read, or a job runs.
  bool busy() const { return reader_.busy() || runner_.busy(); }
  bool reading() const { return reader_.busy(); }
  // The running job is the first picture of a network, which nobody asked for.
  bool jobIsAutomatic() const { return automatic_ != 0 && runner_.running() == automatic_; }
  const JobRunner& job() const { return runner_; }
  void abandonJob(JobRunner::JobId id);
  // The network that a job that runs or waits belongs to; not valid where it belongs to none.
  NetworkId networkOf(JobRunner::JobId id) const;
  // How the searches of the running job go; null where none has told anything yet.
  const std::shared_ptr<const LiveSearches>& searching() const { return watcher_.current(); }

 signals:
  void opened(const QString& source);  // what open() was given is there
  void workspaceChanged();             // networks, runs, notes or choices
  void documentChanged();              // another network is shown
  void comparisonChanged();
  void activeScheduleChanged();
  void settingsChanged();
  void runAdded(iosx::RunId id);
  void verified(std::size_t result);  // verification() has news
  void experimentEnded(std::shared_ptr<const iosx::ExperimentResult> result);
  void networkWritten(const QString& path);
  void runSaved(const QString& path);
  void projectSaved(const QString& path);
  void projectOpened();
  void jobsChanged();  // what waits
  void jobStarted(const QString& title);
  void jobProgress(const iosx::Progress& progress);
  void searchingChanged();  // searching() has news, at most ten times a second, or the job has ended
  // Sentences for the user that a job found on its way, such as that nothing could be kept: while it runs or soon after
  // its end, also where it failed or was replaced.
  void noticed(const QStringList& sentences);
  void jobFailed(const iosx::Error& error);
  void jobFinished(bool stopped);

 private:
  class Notices;  // shared with the job's thread

  void tellNotices();
  JobRunner::Work openingWork(const QString& source, const InputSizes& sizes);
  JobRunner::Work projectWork(const QString& path, const QString& named);
  JobRunner::Work comparingWork(NetworkId network, const RunSettings& settings, bool automatic);
  void enqueue(NetworkId network, const QString& title, JobRunner::Work work, JobRunner::Turn turn);
  void startAutomatically(std::vector<Recipe> recipes, const QString& title);
  void abandonAutomatic();
  void deliver(NetworkId network, std::shared_ptr<const Run> run, bool automatic);
  void addSchedule(NetworkId network, Schedule schedule);
  void addDocument(Document document, const QString& source, const InputSizes& sizes);
  void addRecorded(std::shared_ptr<const Run> run);
  void takeProject(Workspace workspace, const QString& path);
  void startWith(const Document& document);
  void turnTo(NetworkId network, RunId run);
  void changed(bool modified = true);
  std::shared_ptr<const Run> shared() const;  // the shown run; may be null

  const DeviceRegistry& devices_;
  Opener opener_;
  RunSettings settings_;
  StorePlace store_;
  std::shared_ptr<Notices> notices_;
  Workspace workspace_;
  QString project_path_;
  bool modified_ = false;
  NetworkId network_;                       // shown
  RunId run_;                               // shown
  std::size_t active_ = 0;                  // the shown schedule of it
  std::map<NetworkId, RunId> last_run_;     // that was shown of a network
  std::map<RunId, ScheduleId> last_shown_;  // schedule of a run
  struct Asked {
    NetworkId network;
    std::optional<RunSettings> settings;  // of optimize()
  };
  std::map<JobRunner::JobId, Asked> asked_;  // what jobs that run or wait are for
  JobRunner::JobId automatic_ = 0;           // the first picture of the network that was opened last
  SearchWatcher watcher_;
  JobRunner reader_;
  JobRunner runner_;  // last: its thread ends before the rest goes, as the reader's
};

}  // namespace iosx
