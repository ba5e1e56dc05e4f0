#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "core/analysis/draft/draft_evaluation.h"
#include "core/documents/project/workspace.h"
#include "core/formats/schedule_file.h"
#include "core/model/plan/lanes/lane_draft.h"
#include "core/model/schedule/draft_history.h"
#include "core/model/schedule/schedule_draft.h"
#include "core/workbench/draft_evaluator.h"
#include "views/edit_schedule/lane_costs.h"
#include "views/edit_schedule/schedule_jobs.h"

namespace iosx {

// Schedules are changed by hand through it: it joins the histories of hand-made schedules (DraftHistory), one a
// network, and their evaluation on the device and with the batch of the shown run (DraftEvaluator, LaneCosts) to what
// the session shows, and starts their jobs (ScheduleJobs). A draft has stages, or lanes without barriers; a history may
// have both, because another copy is one more step of it. GUI thread only.
class ScheduleController final : public QObject {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(ScheduleController)

 public:
  // Both must outlive the object. It outlives windows, which come and go, as when another language is chosen.
  ScheduleController(Session& session, Jobs& jobs, QObject* parent = nullptr);
  ~ScheduleController() override;

  // Returns what selections of the draft's stages name as their schedule: none that a comparison has.
  static ScheduleId draftId();

  // These return the draft of the shown network, and what it was copied from; null where nothing is changed by hand, or
  // the other kind.
  const ScheduleDraft* draft() const;
  const ScheduleDraft* start() const;
  const LaneDraft* lanes() const;
  bool edits() const { return history() != nullptr; }  // either kind
  std::shared_ptr<const Graph> graph() const;          // of the draft; null without one
  QString startTitle() const;
  // Copies a schedule, with its lanes if it has any, as one more step of the history.
  void copy(const Choice& choice);
  void copyShown();
  // Copies the stages that chose the kernels of the lanes.
  void copyStages();
  // Copies lanes from a file, as one more step, and tells of it by lanesOpened(). Errors: they are not of the kernels
  // of the device, or it runs stages only.
  Result<void> openLanes(const ScheduleFile& file);
  // Puts every unit of the draft into a stage of its own, as one more step.
  void beginOneByOne();

  // Takes an edit as one undo step; what changes nothing is none. A refusal is told by refused(), and false answered.
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
  const DeviceInfo* device() const { return work_.device(); }  // null: there is none
  std::int64_t batch() const { return work_.batch(); }
  std::int64_t chosenBatch() const;  // in the tool bar, for the next search
  // Compares the draft with the search of the shown run; none where that was not beaten.
  const std::optional<DraftInsight>& insight() const;
  // Says whether the draft is what later searches of the network start from.
  bool startsSearches() const;

  // Measures, as a job, the costs that are not known; does nothing on a simulated device.
  void measure();
  bool lacksCosts() const;
  void setMeasuresAfterDrop(bool on);

  // fill() starts a job that keeps the locked stages and searches the rest, searchFromHere() one that is offered
  // everything; what it finds is one step.
  using Improving = ScheduleJobs::Improving;
  void fill() { improve(Improving::kFill); }
  void searchFromHere() { improve(Improving::kSearch); }
  Improving improving() const { return work_.improving(); }  // of the shown network
  QString improveDisabledReason() const;                     // empty: fill() and searchFromHere() can be done
  // Starts a job that makes the draft a schedule of the shown run, end to end; with `verify` its outputs are compared
  // too.
  void run(bool verify = false);
  QString runDisabledReason() const;     // empty: it can be run
  QString verifyDisabledReason() const;  // empty: it can be verified
  // Returns the draft's id among the results of the shown run; none where it was not run.
  std::optional<ScheduleId> result() const;

 signals:
  void changed();       // another draft, or none
  void costsChanged();  // costs(), changes(), references(), laneCosts()
  void lanesOpened();   // by openLanes()
  void workChanged();   // improving()
  void refused(const QString& why);
  void told(const QString& sentence);
  // Offers what a search found for a schedule that was changed while it ran: nothing is done with it unless it is
  // taken.
  void offered(const QString& sentence, const std::function<void()>& take);
  void failed(const iosx::Error& error);

 private:
  using Draft = std::variant<ScheduleDraft, LaneDraft>;
  using History = DraftHistory<Draft>;
  static History::Step copied(Draft draft, DraftOrigin origin);
  static QString nameOf(const History::Step* step);
  const History* history() const;  // of the shown network; null: it has none
  History* history();
  // Returns the kernels of the shown network for a schedule in canonical form; those of the draft where they are the
  // same.
  std::shared_ptr<const LaneKernels> kernelsFor(Schedule schedule, std::int64_t batch,
                                                const LowerOptions& lowering) const;
  GivenSchedule given() const;
  void copyLanes(const ScheduleResult& result);
  void pushCopy(History::Step step);
  bool push(const QString& name, Draft next);
  void keep(NetworkId network);  // hands the draft to the session, with which it is saved
  void restoreKept();            // the shown network's, as the session was opened with it
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
  NetworkId network_;                          // that was shown last
  std::unique_ptr<DraftEvaluator> evaluator_;  // null: before a draft is evaluated, and where there is no device
  DraftEvaluation evaluation_;
  mutable std::optional<DraftInsight> insight_;  // found when it is asked for
  mutable bool insight_known_ = false;           // for the evaluation as it is
  bool measures_after_drop_ = false;
  LaneCosts lane_costs_;
};

}  // namespace iosx
