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

#include "core/experiment/experiment.h"
#include "core/import/document.h"
#include "core/measure/store_place.h"
#include "views/bridge/job_runner.h"
#include "views/bridge/search_watcher.h"
#include "views/bridge/session.h"

namespace iosx {

// An experiment and through what it goes, as ExperimentOptions; what it does not vary is as the settings say.
struct ExperimentRequest {
  ExperimentKind kind = ExperimentKind::kSchedules;
  std::vector<std::string> devices = {};  // ids; only of "devices"
  std::vector<std::int64_t> batches = {};
  std::vector<std::size_t> r = {};
  std::vector<std::size_t> s = {};
};

// What takes long: reading files, searching, running, writing. A job takes what it needs of the session when it is
// asked for, works on a background thread, one of which reads while another one searches, and hands what it found in to
// the session, for the network that it was started for. One that fails leaves everything as it was. GUI thread only.
class Jobs final : public QObject {
  Q_OBJECT

 public:
  // Reads a network by the name of a built-in one or by path, with sizes of what its file leaves open; called on the
  // job's thread.
  using Opener = std::function<Result<Document>(const std::string& source, const InputSizes& sizes)>;
  // Writes a network to a file; called on the job's thread.
  using Writer = std::function<Result<void>(const Graph& graph, const std::string& path)>;
  using JobId = JobRunner::JobId;

  // At most this many units: comparing takes moments, so open() does all of it at once.
  static constexpr std::size_t kQuickUnits = 32;

  // The session must outlive the jobs.
  Jobs(Session& session, Opener opener, QObject* parent = nullptr);

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

  // Something else that is read or written in the background: reading beside the jobs that run, writing as the next of
  // them. What the work delivers is done on the GUI thread.
  void readBeside(const QString& title, JobRunner::Work work);
  void writeNext(const QString& title, JobRunner::Work work);

  void cancel();           // the running job ends soon, with the best so far; others go on waiting
  void abandon();          // what jobs have is not wanted: before closing
  void abandon(JobId id);  // the same for one, wherever it is

  // Where the jobs from now on look up and keep what devices measure; at first nowhere.
  void setStore(StorePlace place) { store_ = std::move(place); }
  const StorePlace& store() const { return store_; }

  // A network is being read, or a job runs.
  bool busy() const { return reader_.busy() || runner_.busy(); }
  bool reading() const { return reader_.busy(); }
  // The running job is the first picture of a network, which nobody asked for.
  bool runsUnasked() const { return automatic_ != 0 && runner_.running() == automatic_; }
  const JobRunner& runner() const { return runner_; }
  // The network that a job that runs or waits belongs to; not valid where it belongs to none.
  NetworkId networkOf(JobId id) const;
  // How the searches of the running job go; null where none has told anything yet.
  const std::shared_ptr<const LiveSearches>& searching() const { return watcher_.current(); }

 signals:
  void opened(const QString& source);  // what open() was given is there
  void experimentEnded(std::shared_ptr<const iosx::ExperimentResult> result);
  void networkWritten(const QString& path);
  void runSaved(const QString& path);
  void projectSaved(const QString& path);
  void waitingChanged();
  void started(const QString& title);
  void progressed(const iosx::Progress& progress);
  void searchingChanged();  // searching() has news, at most ten times a second, or the job has ended
  // Sentences for the user that a job found on its way, such as that nothing could be kept: while it runs or soon after
  // its end, also where it failed or was replaced.
  void noticed(const QStringList& sentences);
  void failed(const iosx::Error& error);
  void finished(bool stopped);

 private:
  class Notices;  // shared with the job's thread
  struct Asked {
    NetworkId network;
    std::optional<RunSettings> settings;  // of optimize()
  };

  void tellNotices();
  JobRunner::Work openingWork(const QString& source, const InputSizes& sizes);
  JobRunner::Work projectWork(const QString& path, const QString& named);
  JobRunner::Work comparingWork(NetworkId network, const RunSettings& settings, bool automatic);
  void enqueue(NetworkId network, const QString& title, JobRunner::Work work, JobRunner::Turn turn);
  void grow(JobId job, NetworkId network, std::shared_ptr<const Run> run);
  void forgetEnded();
  void abandonHomeless();  // whose network was closed
  void abandonAutomatic();
  void startAutomatically(std::vector<Recipe> recipes, const QString& title);
  void takeDocument(Document document, const QString& source, const InputSizes& sizes);
  void takeSchedule(NetworkId network, Schedule schedule);
  void takeProject(Workspace workspace, const QString& path);
  void showFirst(const Document& document);  // what a network that was opened shows before anybody asks

  Session& session_;
  Opener opener_;
  StorePlace store_;
  std::shared_ptr<Notices> notices_;
  std::map<JobId, Asked> asked_;  // what jobs that run or wait are for
  JobId automatic_ = 0;           // the first picture of the network that was opened last
  RunId growing_;                 // what the running job has found so far; not valid where that is nothing
  SearchWatcher watcher_;
  JobRunner reader_;
  JobRunner runner_;  // last: its thread ends before the rest goes, as the reader's
};

}  // namespace iosx
