#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/draft/lane_evaluation.h"
#include "views/app_model/latest_answer.h"

namespace iosx {

class DeviceRegistry;

// Finds out what lanes that are changed by hand take, and when their kernels run. A simulated device is asked at once,
// on a thread of its own, and while a kernel is dragged also for every place where it may be put, those near the
// pointer first. Of one that measures only what a run of the same lanes found counts; until there is one, kernels stand
// where the lengths that they had in the run that was copied put them. GUI thread only.
class LaneCosts final : public QObject {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(LaneCosts)

 public:
  explicit LaneCosts(const DeviceRegistry& devices, QObject* parent = nullptr);  // must outlive it
  ~LaneCosts() override;

  // Turns to a draft, on a device (null: there is none) with a batch, beside a run of that device and batch (null:
  // there is none). `start` is what the draft is a copy of.
  void show(const LaneDraft& draft, const LaneDraft& start, const DeviceInfo* device, std::int64_t batch,
            const Comparison* run);
  void clear();  // there is no draft

  // Returns the draft of the kernels of the device; null where the device makes others, or there is none: problem()
  // says why.
  const LaneDraft* draft() const { return draft_ ? &*draft_ : nullptr; }
  const QString& problem() const { return problem_; }
  const std::optional<Latency>& latency() const { return latency_; }  // end to end; none: not known, or not yet
  bool simulates() const { return draft_.has_value() && device_.origin == Origin::kSimulated && here_; }
  bool busy() const { return runs_.busy(); }  // the latency comes in a moment
  const std::vector<DraftReference>& references() const { return references_; }

  // Says when every kernel runs, by kernel of the plan with stages.
  const std::vector<KernelTime>& times() const { return times_; }
  enum class Times { kRun, kLaidOut, kOrder };  // of a run; by lengths of another run; each as long as the others
  Times timesAre() const { return times_are_; }

  // Begins to find what a run takes with the kernel at each of the places where it may be put. Does nothing where
  // nothing is simulated.
  void findPlaces(KernelId kernel);
  void lookNear(const LaneDraft::Place& place) { near_ = place; }  // first
  void forgetPlaces();
  std::optional<Millis> at(const LaneDraft::Place& place) const;  // none: not known, or not yet
  // Returns the allowed place that is known to take least; none before any is known.
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
  void askPlaces();
  std::vector<LaneDraft::Place> nextPlaces() const;
  Micros timeOf(const LaneDraft::Place& place) const;

  const DeviceRegistry& devices_;
  DeviceInfo device_;
  bool here_ = false;  // the device can be asked
  std::optional<LaneDraft> draft_;
  QString problem_;
  std::optional<Latency> latency_;
  std::vector<DraftReference> references_;
  std::vector<KernelTime> times_;
  std::shared_ptr<const LaneKernels> timed_;  // that times_ are of
  std::string timed_on_;                      // fingerprint of the device whose lengths they are
  Times times_are_ = Times::kOrder;
  std::optional<KernelId> placed_;  // whose places are looked for
  LaneDraft::Place near_;
  std::vector<LaneDraft::Place> unknown_;
  std::map<Key, Millis> known_;
  std::shared_ptr<Clock> run_clock_;
  std::shared_ptr<Clock> place_clock_;
  LatestAnswer runs_;  // last: their threads end before the rest goes
  LatestAnswer places_;
};

}  // namespace iosx
