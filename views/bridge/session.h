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
#include "core/runfile/run.h"
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

// The open network and what is known about it. GUI thread only; reading files, searching and running happen on the
// background thread of its job. A job that fails or is cancelled leaves the document and the comparison as they were.
class Session final : public QObject {
  Q_OBJECT

 public:
  // Reads a network by the name of a built-in one or by path, with sizes of what its file leaves open; called on the
  // job's thread.
  using Opener = std::function<Result<Document>(const std::string& source, const InputSizes& sizes)>;

  // At most this many units: comparing takes moments, so open() does all of it at once.
  static constexpr std::size_t kQuickUnits = 32;
  // The same on a device that measures every stage for real: seconds.
  static constexpr std::size_t kQuickMeasuredUnits = 16;
  // Writes a network to a file; called on the job's thread.
  using Writer = std::function<Result<void>(const Graph& graph, const std::string& path)>;

  // The registry must outlive the session and must not change any more.
  Session(const DeviceRegistry& devices, Opener opener, QObject* parent = nullptr);

  // Opens a network, then compares: everything for a quick network (on a device that measures after the baselines,
  // which are there first), the baselines and the file's own schedule otherwise. A file with one of our schedules joins
  // the comparison of the open network instead, where it is a schedule of that network. A run file is shown as it was
  // saved: nothing is run.
  void open(const QString& source, const InputSizes& sizes = {});
  void optimize();  // compares the schedules of the settings, and those from files; nothing without a document
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
  // Writes what is compared, with what verify() found, as a run file; runSaved() says when it is done. Nothing without
  // a comparison.
  void saveRun(const QString& path);
  // The run file's run, if the comparison was opened from one; else null.
  const Run* recorded() const { return recorded_ ? run_.get() : nullptr; }
  // The document's weights are made up; its own stayed in the file that it was first read from.
  bool weightsLeftBehind() const { return weights_left_behind_; }
  void cancel() { runner_.cancel(); }
  void abandon() { runner_.abandon(); }  // the running job's result is not wanted: before closing

  bool hasDocument() const { return document_.graph != nullptr; }
  // As it was opened, with the parts that the file declares; the comparison's graph has the same units in the parts
  // that were searched.
  const Document& document() const { return document_; }
  const QString& source() const { return source_; }       // what open() was given
  std::shared_ptr<const Comparison> comparison() const {  // may be null
    return run_ ? std::shared_ptr<const Comparison>(run_, &run_->comparison) : nullptr;
  }
  // What the comparison's searches were allowed; their strategies are each schedule's own. Needs a comparison.
  const SearchOptions& searchedWith() const { return run_->options.search; }
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
  const JobRunner& job() const { return runner_; }
  // How the searches of the running job go; null where none has told anything yet.
  const std::shared_ptr<const LiveSearches>& searching() const { return watcher_.current(); }

 signals:
  void documentChanged();
  void comparisonChanged();
  void activeScheduleChanged();
  void settingsChanged();
  void verified(std::size_t result);  // verification() has news
  void experimentEnded(std::shared_ptr<const iosx::ExperimentResult> result);
  void networkWritten(const QString& path);
  void runSaved(const QString& path);
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
  void compareWith(const QString& title, std::vector<Recipe> recipes, const TimingOptions& timing);
  void compareBaselines();
  void deliver(std::shared_ptr<const Run> run, const RunSettings& settings);
  void addSchedule(Schedule schedule);
  void setDocument(Document document, const QString& source);
  void setRun(std::shared_ptr<const Run> run, const RunSettings& settings);
  void showRecorded(std::shared_ptr<const Run> run, const QString& source);

  const DeviceRegistry& devices_;
  Opener opener_;
  RunSettings settings_;
  StorePlace store_;
  std::shared_ptr<Notices> notices_;
  Document document_;
  QString source_;
  std::vector<Schedule> given_;  // from files, their names unlike one another; compared besides those that are made
  std::shared_ptr<const Run> run_;
  std::optional<RunSettings> compared_with_;  // what run_ was made with; none where it was made elsewhere
  bool recorded_ = false;                     // run_ was opened from a file
  bool weights_left_behind_ = false;
  std::string network_;  // what the document's network was first opened by
  std::size_t active_ = 0;
  bool then_optimize_ = false;  // the baselines of a network just opened are run first: they are there in a moment
  std::map<ScheduleId, Verification> verified_;  // of run_
  SearchWatcher watcher_;
  JobRunner runner_;  // last: its thread ends before the rest goes
};

}  // namespace iosx
