#pragma once

#include <QObject>
#include <QString>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/devices/measure/device_latency_source.h"
#include "core/documents/project/workspace.h"
#include "core/model/schedule/schedule_draft.h"
#include "core/search/limits.h"
#include "views/app_model/jobs.h"

namespace iosx {

class Session;

// Where schedules are changed by hand: for every network the history of its hand-made schedule, and what each of its
// stages costs on the device and with the batch of the shown run. A simulated device is asked at once; of one that
// measures counts what is known, and the rest is measured when it is asked for. GUI thread only.
class ScheduleController final : public QObject {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(ScheduleController)

 public:
  // Stages, one latency each where it is known, and what all take with the overhead between them.
  struct Costs {
    std::vector<std::optional<Latency>> stages = {};
    std::optional<Millis> sum = {};  // none while a stage's is missing
    Millis spread{0};                // of the sum, as far as stages vary independently
  };
  // A schedule that the draft is held against.
  struct Reference {
    ScheduleKind schedule_kind = ScheduleKind::kSequential;
    QString title;
    Millis sum{0};
  };
  // The draft is faster than what a search found, and why the search has no such stages.
  struct Insight {
    struct Stage {
      std::size_t stage = 0;            // of the draft
      std::vector<Exclusion> why = {};  // empty: the search was free to take it
    };
    QString search;  // its title
    Millis gained{0};
    std::vector<Stage> stages = {};  // those that the search's schedule lacks, what gains most first
  };

  // The one of these jobs, which own it: windows come and go, as when another language is chosen. The session must
  // outlive the jobs.
  static ScheduleController& of(Session& session, Jobs& jobs);
  ~ScheduleController() override;

  // What selections of the draft's stages name as their schedule: none that a comparison has.
  static ScheduleId draftId();

  const ScheduleDraft* draft() const;  // of the shown network; null where nothing is changed by hand
  const ScheduleDraft* start() const;  // what it was copied from
  QString startTitle() const;
  // Copies a schedule, as one more step of the history.
  void copy(const Choice& choice);
  void copyShown();

  // Takes an edit as one undo step; what changes nothing is none. A refusal is told by refused(), and false answered.
  bool take(const QString& name, Result<ScheduleDraft> next);
  QString undoName() const;  // empty: nothing to undo
  QString redoName() const;
  void undo();
  void redo();

  const Costs& costs() const { return costs_; }
  // What each stage takes more than the stages of the start whose units it has most of; none where it is the same
  // stage, or a latency is not known.
  const std::vector<std::optional<Millis>>& changes() const { return changes_; }
  // IOS, greedy, sequential: of the shown run where it has them, else computed on a simulated device.
  const std::vector<Reference>& references() const { return references_; }
  const DeviceInfo* device() const;  // null: there is none
  std::int64_t batch() const;
  // The draft against the search of the shown run; none where that was not beaten.
  const std::optional<Insight>& insight() const;
  // The draft is what later searches of the network start from.
  bool startsSearches() const;

  // Costs that are not known are measured as a job; nothing on a simulated device.
  void measure();
  bool lacksCosts() const;
  bool measuresAfterDrop() const { return measures_after_drop_; }
  void setMeasuresAfterDrop(bool on);

  // A job that keeps the locked stages and searches the rest, or is offered everything; what it finds is one step.
  // One at a time of a network.
  void fill();
  void searchFromHere();
  enum class Improving { kNot, kFill, kSearch };
  Improving improving() const;            // of the shown network
  QString improveDisabledReason() const;  // empty: fill() and searchFromHere() can be done
  // A job that makes the draft a schedule of the shown run, end to end; with `verify` its outputs are compared too.
  void run(bool verify = false);
  QString runDisabledReason() const;     // empty: it can be run
  QString verifyDisabledReason() const;  // empty: it can be verified
  // The draft among the results of the shown run; none: it was not run.
  std::optional<ScheduleId> result() const;

 signals:
  void changed();       // another draft, or none
  void costsChanged();  // costs(), changes(), references()
  void workChanged();   // improving()
  void refused(const QString& why);
  void told(const QString& sentence);
  // What a search found for a schedule that was changed while it ran: nothing is done with it unless it is taken.
  void offered(const QString& sentence, const std::function<void()>& take);
  void failed(const iosx::Error& error);

 private:
  ScheduleController(Session& session, Jobs& jobs);

  struct Entry {
    QString name;
    ScheduleDraft draft;
    bool copied = false;  // the start of what follows
    // Of what was copied; an empty title: an earlier step, which is gone.
    ScheduleKind schedule_kind = ScheduleKind::kByHand;
    std::string title = {};
  };
  struct History {
    std::vector<Entry> entries;
    std::size_t at = 0;
  };
  struct Bench;  // a device, a graph and what is known of stages there

  History* history();
  const History* history() const;
  const Entry* startEntry() const;
  static QString titleOf(ScheduleKind schedule_kind, const std::string& title);  // of a start
  void push(Entry entry);
  void keep(NetworkId network);  // hands the draft to the session, with which it is saved
  void takeKept();               // the shown network's, as the session was opened with it
  void follow();                 // the session shows something else
  void tell();
  void findCosts();
  void findReferences();
  const ScheduleResult* beaten() const;
  std::optional<Insight> findInsight() const;
  void teach();
  std::vector<std::optional<Latency>> known(const std::vector<Stage>& stages);
  Costs costs_of(const Schedule& schedule);
  void improve(bool keeps_locked);
  void takeImproved(NetworkId network, const ScheduleDraft& from, Schedule found, Millis before, Millis after,
                    bool better, bool keeps_locked);
  void takeLate(NetworkId network, const ScheduleDraft& from, const Schedule& found, const QString& name);

  Session& session_;
  Jobs& jobs_;
  std::map<NetworkId, History> histories_;
  NetworkId network_;  // that was shown last
  std::unique_ptr<Bench> bench_;
  Costs costs_;
  Costs start_costs_;
  std::vector<std::optional<Millis>> changes_;
  std::vector<Reference> references_;
  mutable std::optional<Insight> insight_;  // found when it is asked for
  mutable bool insight_known_ = false;      // for the costs as they are
  bool measures_after_drop_ = false;
  struct Improver {
    Jobs::JobId job = 0;
    Improving how = Improving::kNot;
  };
  std::map<NetworkId, Improver> improvers_;
};

}  // namespace iosx
