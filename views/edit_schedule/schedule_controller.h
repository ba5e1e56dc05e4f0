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
#include <variant>
#include <vector>

#include "core/analysis/draft/draft_evaluation.h"
#include "core/documents/project/workspace.h"
#include "core/formats/schedule_file.h"
#include "core/model/plan/lanes/lane_draft.h"
#include "core/model/schedule/schedule_draft.h"
#include "core/search/search.h"
#include "core/workbench/draft_evaluator.h"
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

// Edits schedules by hand: it connects the histories of hand-made schedules (DraftHistory), one per network, and their
// evaluation on the device and with the batch of the shown run (DraftEvaluator, LaneCosts) to the session, and starts
// their jobs (ScheduleJobs). A draft has stages, or barrier-free lanes; a history may have both, because another copy
// is one more step. GUI thread only.
class ScheduleController final : public QObject {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(ScheduleController)

 public:
  // Both must outlive the object. It outlives windows, which are recreated for a change of language, for example.
  ScheduleController(Session& session, Jobs& jobs, QObject* parent = nullptr);
  ~ScheduleController() override;

  // Returns the schedule id for selections of the draft's stages, which no comparison uses.
  static ScheduleId draftId() { return ScheduleId("(draft)"); }

  // Return the draft of the shown network, and the source of its copy; null without one, or with one of the other kind.
  const ScheduleDraft* draft() const;
  const ScheduleDraft* start() const;
  const LaneDraft* lanes() const;
  bool edits() const { return history() != nullptr; }  // of either kind
  std::shared_ptr<const Graph> graph() const;          // of the draft; null without one
  QString startTitle() const;
  // Copies a schedule, with its lanes if any, as one more step of the history.
  void copy(const Choice& choice);
  void copyShown();
  // Copies the stages that chose the kernels of the lanes.
  void copyStages();
  // Copies lanes from a file as one more step, and emits lanesOpened(). Errors: they are for other kernels than the
  // device's, or it cannot run lanes.
  Result<void> openLanes(const ScheduleFile& file);
  // Puts every unit of the draft into its own stage, as one more step.
  void beginOneByOne();

  // Takes an edit as one undo step, unless it changes nothing. A refusal emits refused() and returns false.
  bool take(const QString& name, Result<ScheduleDraft> next);
  bool take(const QString& name, Result<LaneDraft> next);
  QString undoName() const;  // empty: nothing to undo
  QString redoName() const;
  void undo();
  void redo();

  LaneCosts& laneCosts() { return lane_costs_; }  // of lanes()
  const LaneCosts& laneCosts() const { return lane_costs_; }
  // See DraftEvaluation; of draft().
  const DraftCosts& costs() const { return evaluation_.costs; }
  const std::vector<std::optional<Millis>>& changes() const { return evaluation_.changes; }
  const std::vector<DraftReference>& references() const { return evaluation_.references; }
  const DeviceInfo* device() const { return work_.device(); }  // null: none
  std::int64_t batch() const { return work_.batch(); }
  // Returns the batch in the tool bar, for the next search.
  std::int64_t chosenBatch() const { return session_.settings().options.batch; }
  // Compares the draft with the search of the shown run; none where that was not beaten.
  const std::optional<DraftInsight>& insight() const;
  // Returns whether later searches of the network start from the draft.
  bool startsSearches() const;

  // Measures unknown costs in a job; does nothing on a simulated device.
  void measure();
  bool lacksCosts() const;
  void setMeasuresAfterDrop(bool on);

  // fill() starts a job that keeps the locked stages and searches the rest, searchFromHere() a search with all
  // stages as candidates; the result is one step.
  using Improving = ScheduleJobs::Improving;
  void fill() { improve(Improving::kFill); }
  void searchFromHere() { improve(Improving::kSearch); }
  Improving improving() const { return work_.improving(); }  // of the shown network
  QString improveDisabledReason() const;                     // empty: fill() and searchFromHere() are possible
  // Starts a job that runs the draft end to end as a schedule of the shown run; with `verify` it also compares its
  // outputs.
  void run(bool verify = false);
  QString runDisabledReason() const;     // empty: possible
  QString verifyDisabledReason() const;  // empty: possible
  // Returns the draft's id among the results of the shown run; none where it was not run.
  std::optional<ScheduleId> result() const;

 signals:
  void changed();       // another draft, or none
  void costsChanged();  // costs(), changes(), references(), laneCosts()
  void lanesOpened();   // by openLanes()
  void workChanged();   // improving()
  void refused(const QString& why);
  void told(const QString& sentence);
  // Offers a search's result for a schedule that was edited meanwhile; it has an effect only when taken.
  void offered(const QString& sentence, const std::function<void()>& take);
  void failed(const iosx::Error& error);

 private:
  using Draft = std::variant<ScheduleDraft, LaneDraft>;
  using History = DraftHistory<Draft>;
  static History::Step copied(Draft draft, DraftOrigin origin);
  static QString nameOf(const History::Step* step);
  const History* history() const;  // of the shown network; null: none
  History* history();
  // Returns the shown network's kernels for a schedule in canonical form; the draft's where they are equal.
  std::shared_ptr<const LaneKernels> kernelsFor(Schedule schedule, std::int64_t batch,
                                                const LowerOptions& lowering) const;
  GivenSchedule given() const;
  void copyLanes(const ScheduleResult& result);
  void pushCopy(History::Step step);
  bool push(const QString& name, Draft next);
  void keep(NetworkId network);  // gives the draft to the session, which saves it
  void restoreKept();            // the shown network's, from the opened session
  void follow();                 // the session shows something else
  void tellChanged();
  void evaluate();
  void improve(Improving how);
  void acceptImproved(NetworkId network, const ScheduleDraft& from, const Improvement& found, Improving how);
  void acceptLate(NetworkId network, const ScheduleDraft& from, const Schedule& found, const QString& name);

  Session& session_;
  Jobs& jobs_;
  ScheduleJobs work_;
  std::map<NetworkId, History> histories_;
  NetworkId network_;                          // the last shown one
  std::unique_ptr<DraftEvaluator> evaluator_;  // null: no draft evaluated yet, or no device
  DraftEvaluation evaluation_;
  mutable std::optional<DraftInsight> insight_;  // found on request
  mutable bool insight_known_ = false;           // for the current evaluation
  bool measures_after_drop_ = false;
  LaneCosts lane_costs_;
};

}  // namespace iosx
