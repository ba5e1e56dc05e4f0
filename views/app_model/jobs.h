#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "core/formats/document.h"
#include "core/workbench/workbench.h"
#include "views/app_model/automatic_search.h"
#include "views/app_model/file_reader.h"
#include "views/app_model/job_runner.h"
#include "views/app_model/search_watcher.h"
#include "views/app_model/session.h"

namespace iosx {

// Returns whether experiments of this kind go through values that a user may choose.
bool has_choice(ExperimentKind kind);

// Does what takes long: reading files, searching, running, writing. A job takes what it needs of the session when it is
// asked for, works on a background thread, and hands what it found in to the session, for the network that it was
// started for. One thread searches, while others read and save. One that fails leaves everything as it was. GUI thread
// only.
class Jobs final : public QObject {
  Q_OBJECT

 public:
  using Opener = FileReader::Opener;  // called on the job's thread
  using JobId = JobRunner::JobId;

  // The session must outlive the jobs.
  Jobs(Session& session, Opener opener, QObject* parent = nullptr);

  // Opens a network beside those that are open, then compares as automatic() says. One that is open already is shown. A
  // file with one of our schedules joins the comparison of the shown network instead, where it is a schedule of that
  // network; one with lanes is handed to who edits them, and where its built-in network was opened along with it, that
  // is compared on the device that the file names, if it is here. A run file is shown as it was saved: nothing is run.
  // A project file takes the place of the whole workspace. What was to be opened before and is not there yet is not
  // wanted any more.
  void open(const QString& source, const InputSizes& sizes = {});
  // Opens a recording with these choices in place of that with the id, if any; open() opens one without choices. The
  // one that is there stays where it cannot be read so.
  void openRecording(const QString& file, const RecordingChoices& choices, RecordingId id = {});
  // Opens a network that runs together with the one that is shown: both are then one network, beside those that are
  // open, compared as open() does. Does nothing without a document.
  void addNetwork(const QString& source);
  // Does what open() does with a project file, but with one that the program itself kept: the project's own file is
  // then the one that it had. restored() or notRestored() says what came of it.
  void restore(const QString& path);
  // `may` is asked before a project takes the place of what is open; where it answers false, that stays. It is called
  // when the project was read, so that nothing can be changed in between.
  void askBeforeReplacing(std::function<bool()> may) { may_replace_ = std::move(may); }
  // Takes lanes that were opened, for the shown network, which has their kernels or whose error says why not. Without
  // somebody who edits lanes they are refused.
  using LanesTaker = std::function<Result<void>(const ScheduleFile& file)>;
  void handLanesTo(LanesTaker taker) { take_lanes_ = std::move(taker); }
  // Compares the schedules of the settings, and those from files, as a new run; after the jobs that wait already. Does
  // nothing without a document, or where the same is waiting or running.
  void optimize();
  // Optimizes on the best device of this machine that measures, which is the chosen one from then on. Does nothing
  // where measureHereDisabledReason() has a reason.
  void measureHere();
  QString measureHereDisabledReason() const;
  // Runs the active schedule on the device and the sequential one on the registry's reference (on the device too where
  // there is none), on the same inputs, and compares what they compute. Does nothing where verifyDisabledReason() has a
  // reason.
  void verify();
  QString verifyDisabledReason() const;  // empty where verify() can be done
  // Looks into the runs of all compared schedules (core/analysis/compare/profile.h): the comparison then has their
  // timelines and counters; its latencies stay. Does nothing where profileDisabledReason() has a reason.
  void profile();
  QString profileDisabledReason() const;  // empty where profile() can be done
  // Runs an experiment on the open network and the chosen device; experimentEnded() brings what it found, after a
  // cancel too. The request has the values of what varies, and the engines; the rest is as the settings say. Does
  // nothing where experimentDisabledReason() has a reason.
  void experiment(ExperimentRequest request);
  QString experimentDisabledReason(ExperimentKind kind) const;  // empty where it can be done
  // Writes any other file, as the next job: `write` is called on the job's thread.
  using FileWriter = std::function<Result<void>(const JobContext& job)>;
  void writeFile(const QString& path, FileWriter write);  // fileWritten() says when it is done
  // Writes the shown run as it is now as a run file, at once, whatever is searched; runSaved() says when it is done.
  // Does nothing without a comparison.
  void saveRun(const QString& path);
  // Writes the workspace as it is now as a project file, in the same way; projectSaved() says when it is done.
  void saveProject(const QString& path);
  bool saving() const { return writer_.busy(); }

  // These start something else that is read or written in the background: reading beside the jobs that run, writing as
  // the next of them. What the work delivers is done on the GUI thread.
  void readBeside(const QString& title, JobRunner::Work work);
  void writeNext(const QString& title, JobRunner::Work work);
  // Enqueues something else, for a network, after the jobs that wait already.
  JobId workFor(NetworkId network, const QString& title, JobRunner::Work work);

  // Returns the work that runs a request; `take` gets its outcome on the GUI thread.
  template <typename Request, typename Take>
  JobRunner::Work running(Request request, Take take) const {
    const auto find = [this, request = std::move(request), workbench = workbench()](const JobContext& job,
                                                                                    const std::stop_token& abandon) {
      return workbench.run(request, job, hooks(abandon));
    };
    return JobRunner::work(find, std::move(take));
  }

  void setPaused(bool paused);  // of the running job: see JobRunner
  void cancel();                // the running job ends soon, with the best so far; others go on waiting
  void abandon();               // what jobs have is not wanted: before closing; what is saved is written all the same
  void abandon(JobId id);       // the same for one, wherever it is

  // Sets where the jobs from now on look up and keep what devices measure; at first nowhere.
  void setStore(StorePlace place) { store_ = std::move(place); }
  const StorePlace& store() const { return store_; }
  // Returns what runs requests from now on, with that store.
  Workbench workbench() const;

  bool busy() const { return canCancel() || saving(); }
  // Says whether something is read or a job runs.
  bool canCancel() const { return reader_.busy() || runner_.busy(); }
  bool canPause() const { return runner_.running() != 0 && !runner_.stopping(); }
  bool reading() const { return reader_.busy(); }
  const QString& runningTitle() const { return (runner_.busy() ? runner_ : reader_).title(); }  // of what canCancel()
  AutomaticSearch& automatic() { return automatic_; }
  const AutomaticSearch& automatic() const { return automatic_; }
  const JobRunner& runner() const { return runner_; }
  // Returns the network of a job that runs or waits; not valid where it has none.
  NetworkId networkOf(JobId id) const;
  QString settingsText(JobId id) const;  // of a search or what runs: "batch 8, Tesla V100, r 3, s 8"; else empty
  bool has(NetworkId network) const;     // a job that runs or waits is for it
  bool has(JobId id) const;              // it runs or waits
  // Says whether the schedules of the network are being compared, or wait for it; also automatically.
  bool comparing(NetworkId network) const;
  // Returns how the searches of the running job go; null where none has told anything yet.
  const std::shared_ptr<const LiveSearches>& searching() const { return watcher_.current(); }

  // Returns the hooks for requests of a job, which run on any thread: what they notice is told by noticed().
  JobHooks hooks(const std::stop_token& abandon) const;

 signals:
  void opened(const QString& source);  // what open() was given is there
  void restored(const QString& path);
  void notRestored(const QString& path, const iosx::Error& error);
  void experimentEnded(std::shared_ptr<const iosx::ExperimentResult> result);
  void fileWritten(const QString& path);
  void runSaved(const QString& path);
  void projectSaved(const QString& path);
  void projectNotSaved(const iosx::Error& error);
  void waitingChanged();
  void started(const QString& title);
  void progressed(const iosx::Progress& progress);
  void searchingChanged();  // searching() has news, ten times a second at most, or the job ended
  // Brings sentences for the user that a job found on its way, such as that nothing could be kept: while it runs or
  // soon after its end, also where it failed or was replaced.
  void noticed(const QStringList& sentences);
  // `source` is what open() was given, where it could not be opened; else it is empty.
  void failed(const iosx::Error& error, const QString& source);
  void finished(bool stopped);

 private:
  class Notices;  // shared with the job's thread
  struct Asked {
    NetworkId network;
    std::optional<RunSettings> settings;  // of optimize()
  };

  void tellNotices();
  void startReading(const QString& title, const QString& source, bool kept, JobRunner::Work work);
  void tellUnread(const Error& error, JobId id);
  JobRunner::Work comparingWork(NetworkId network, const RunSettings& settings);
  JobId enqueue(NetworkId network, const QString& title, JobRunner::Work work,
                JobRunner::Turn turn = JobRunner::Turn::kLast);
  void grow(JobId job, NetworkId network, std::shared_ptr<const Run> run);
  void forgetEnded();
  std::shared_ptr<const Graph> graphOfShownRun() const;  // which must be there
  void abandonHomeless();                                // whose network or run is gone
  void take(ReadFile read, const QString& source, const InputSizes& sizes, NetworkId network);
  void takeDocument(Document document, const QString& source, const InputSizes& sizes);
  void takeSchedule(NetworkId network, Schedule schedule);
  Result<void> takeLanes(NetworkId network, ReadLanes read, const QString& source);
  bool takeProject(ReadProject read);
  void showFirst(const Document& document);  // what an opened network shows before anybody asks

  Session& session_;
  WorkspaceEditor& editor_;
  FileReader files_;
  StorePlace store_;
  std::function<bool()> may_replace_;
  LanesTaker take_lanes_;
  std::shared_ptr<Notices> notices_;
  std::map<JobId, Asked> asked_;  // what jobs that run or wait are for
  struct {
    JobId id = 0;
    QString source;
    bool kept = false;  // by the program itself
  } opening_;           // the last of these that the reader was given
  RunId growing_;       // what the running job has found so far; not valid where that is nothing
  Postbox postbox_;     // where the running job leaves that
  SearchWatcher watcher_;
  JobRunner reader_;
  JobRunner writer_;           // of what the user saves
  JobRunner runner_;           // its thread ends before the rest goes, as the others'
  AutomaticSearch automatic_;  // last: it uses the runner
};

}  // namespace iosx
