#pragma once

#include <QObject>
#include <QString>
#include <chrono>
#include <functional>
#include <memory>
#include <set>
#include <vector>

#include "views/app_model/job_runner.h"
#include "views/app_model/session.h"

namespace iosx {

// Compares the shown network without a request, on a device that is simulated: the baselines first, which takes
// moments, then List, then IOS-Flow of what was found until then, then all schedules of the settings. The search ends
// after a limit, with what was searched to the end until then and lanes for the fastest of that. A network that the
// user left before its search had ended is searched when the user comes back. Nothing is measured automatically. It is
// used on the GUI thread.
class AutomaticSearch final : public QObject {
 public:
  using JobId = JobRunner::JobId;
  // Enqueues a comparison of the shown network by these settings as the next job. `complete`: they are the session's.
  using Compare = std::function<void(const RunSettings& settings, bool complete, const QString& title)>;
  using Abandon = std::function<void(JobId job)>;

  // Session and runner must outlive it.
  AutomaticSearch(const Session& session, JobRunner& runner, Compare compare, Abandon abandon);

  void setLimit(std::chrono::milliseconds limit) { limit_ = limit; }
  std::chrono::milliseconds longest() const { return limit_; }

  void compareBaselines();                           // of the shown network, which was just opened
  void follow(NetworkId network, const Run& found);  // the run of its job is there
  void turn();                                       // the user has turned to another network
  void request(JobId job);                           // the user has requested the same: it is automatic no longer
  void abandon();
  void forget();  // everything, for another project

  bool is(JobId job) const { return job_ != 0 && job_ == job; }
  bool waits() const;  // its job runs or waits
  bool runs() const { return is(runner_.running()); }
  // Returns whether the limit ended the network's last search.
  bool wasLimited(NetworkId network) const { return limited_networks_.contains(network); }
  bool searches() const { return runs() && phase_ != Phase::kBaselines; }
  // Returns what is kept of a run: one that the limit has ended goes through drop_stopped().
  std::shared_ptr<const Run> kept(JobId job, std::shared_ptr<const Run> run) const;

 private:
  enum class Phase { kBaselines, kLanes, kSearch };

  void start(std::vector<ScheduleKind> kinds, const QString& title);
  void limit();  // the running job, if it is the search

  const Session& session_;
  JobRunner& runner_;
  Compare compare_;
  Abandon abandon_;
  std::chrono::milliseconds limit_{5000};
  JobId job_ = 0;      // that was started last; 0: there is none
  NetworkId network_;  // of it
  Phase phase_ = Phase::kBaselines;
  JobId limited_ = 0;                     // the job that the limit has ended
  std::set<NetworkId> limited_networks_;  // whose last search that ended
  std::set<NetworkId> left_;              // that the user left before their search had ended
};

// Removes searches that were stopped before they had found anything faster than what is finished, except the stages
// that lanes are measured against or have the kernels of. What it removes is then missing.
void drop_stopped(Comparison& comparison);

}  // namespace iosx
