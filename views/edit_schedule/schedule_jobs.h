#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/draft/draft_evaluation.h"
#include "core/model/schedule/schedule_draft.h"
#include "core/search/search.h"
#include "views/app_model/job_runner.h"
#include "views/app_model/jobs.h"

namespace iosx {

class DeviceRegistry;

// Finds the latency of hand-edited lanes, and the times of their kernels. A simulated device is asked at once, on its
// own thread, and during a drag also for every allowed place of the kernel, those near the pointer first. For a
// measuring device only an existing run of the same lanes counts; until then kernels are laid out with their durations
// in the copied run. GUI thread only.
class LaneCosts final : public QObject {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(LaneCosts)

 public:
  explicit LaneCosts(const DeviceRegistry& devices, QObject* parent = nullptr);  // must outlive it
  ~LaneCosts() override;

  // Shows a draft, for a device (null: none) with a batch and a run of these (null: none). `start` is the source
  // of the draft's copy.
  void show(const LaneDraft& draft, const LaneDraft& start, const DeviceInfo* device, std::int64_t batch,
            const Comparison* run);
  void clear();  // no draft

  // Returns the draft for the kernels of the device; null where the device makes others, or there is none:
  // problem() gives the reason.
  const LaneDraft* draft() const { return draft_ ? &*draft_ : nullptr; }
  const QString& problem() const { return problem_; }
  const std::optional<Latency>& latency() const { return latency_; }  // end to end; none: unknown, or not yet known
  bool simulates() const { return draft_.has_value() && device_.origin == Origin::kSimulated && here_; }
  bool busy() const { return runs_.busy(); }  // the latency is being computed
  const std::vector<DraftReference>& references() const { return references_; }

  // Returns every kernel's time, by kernel of the plan with stages.
  const std::vector<KernelTime>& times() const { return times_; }
  enum class Times { kRun, kLaidOut, kOrder };  // from a run; from durations of another run; all of equal length
  Times timesAre() const { return times_are_; }

  // Begins to compute the latency with the kernel at each of its allowed places. Does nothing without a simulated
  // device.
  void findPlaces(KernelId kernel);
  void lookNear(const LaneDraft::Place& place) { near_ = place; }  // has priority
  void forgetPlaces();
  std::optional<Millis> at(const LaneDraft::Place& place) const;  // none: unknown, or not yet known
  // Returns the fastest known allowed place; none before any is known.
  std::optional<LaneDraft::Place> best() const;
  bool findsPlaces() const { return !unknown_.empty(); }

 signals:
  void changed();        // latency(), times(), problem()
  void placesChanged();  // at(), best()

 private:
  struct Clock;  // a device, on the thread of one of the answerers
  using Key = std::pair<std::size_t, std::size_t>;

  void fit(const LaneDraft& draft, std::int64_t batch);
  void lay_out(const LaneDraft& draft, const LaneDraft& start, const Comparison* run);
  void run();
  void forgetRun();  // and the places
  void askPlaces();
  std::vector<LaneDraft::Place> nextPlaces() const;
  Micros timeOf(const LaneDraft::Place& place) const;

  const DeviceRegistry& devices_;
  DeviceInfo device_;
  bool here_ = false;  // the device can be used
  std::optional<LaneDraft> draft_;
  QString problem_;
  std::optional<Latency> latency_;
  std::vector<DraftReference> references_;
  std::vector<KernelTime> times_;
  std::shared_ptr<const LaneKernels> timed_;  // of times_
  std::string timed_on_;                      // fingerprint of the device of their durations
  Times times_are_ = Times::kOrder;
  std::optional<KernelId> placed_;  // whose places are computed
  LaneDraft::Place near_;
  std::vector<LaneDraft::Place> unknown_;
  std::map<Key, Millis> known_;
  std::shared_ptr<Clock> run_clock_;
  std::shared_ptr<Clock> place_clock_;
  LatestAnswer runs_;  // last: their threads end before the rest is destroyed
  LatestAnswer places_;
};

class Session;

// Starts the jobs of hand-edited schedules: measuring stages, searching from a schedule, running a schedule end to
// end. They use the device of the shown run, or else the chosen one, and read the session on request. GUI thread
// only; `done` is called there.
class ScheduleJobs {
 public:
  // Both must outlive the object.
  ScheduleJobs(Session& session, Jobs& jobs) : session_(session), jobs_(jobs) {}

  const DeviceInfo* device() const;  // null: none
  std::int64_t batch() const;

  // Measures one latency per stage, refined by the settings. There must be a device.
  void measure(std::vector<Stage> stages, const std::function<void(const std::vector<Latency>&)>& done);

  // Locked stages stay and the rest is searched, or the search has every stage as a candidate. One runs at a
  // time per network.
  enum class Improving { kNot, kFill, kSearch };
  void improve(const ScheduleDraft& from, Improving how, const std::function<void(const Improvement&)>& done);
  Improving improving() const;  // of the shown network

  // Runs the schedule and adds it to the shown run; with `verify` it also compares its outputs. It joins the others of
  // the run if these are exact; measured schedules are only compared with ones measured in turn with them, which makes
  // another run.
  void run(const GivenSchedule& mine, bool verify);
  QString runDisabledReason() const;     // empty: possible
  QString verifyDisabledReason() const;  // empty: possible

 private:
  Session& session_;
  Jobs& jobs_;
  struct Improver {
    Jobs::JobId job = 0;
    Improving how = Improving::kNot;
  };
  std::map<NetworkId, Improver> improvers_;
};

}  // namespace iosx
