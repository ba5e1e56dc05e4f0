#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/analysis/live/live_latencies.h"
#include "views/app_model/job_runner.h"
#include "views/app_model/latest_answer.h"
#include "views/edit_graph/graph_controller.h"

namespace iosx {

class Jobs;
class Session;

// Finds out what the drawing's schedules take after every edit: sequential and greedy at once, IOS a moment later, on a
// thread of its own. It asks the chosen device if that is simulated, else the first one that is; one that measures is
// asked where somebody wants that, or after every edit by a switch. GUI thread.
class EditLatencies final : public QObject {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(EditLatencies)

 public:
  // All must outlive it.
  EditLatencies(GraphController& controller, Session& session, Jobs& jobs, QObject* parent = nullptr);
  ~EditLatencies() override;

  // Says whether anybody looks. While nobody does, nothing is computed.
  void setActive(bool active);

  // These are of the drawing as it is now, without what is wrong in it. They are compared with drawings in which
  // nothing was.
  struct Figures {
    DeviceInfo device;
    std::int64_t batch = 1;
    LiveFigures now;
    std::optional<LiveFigures> before = {};  // the last edit; of one that goes on, such as a drag, before it began
    std::optional<LiveFigures> first = {};   // when the drawing was opened, or first could be computed
  };
  const Figures* figures() const;  // null: not known, or not yet
  QString problem() const;         // why they are not known; empty where they are, or are being worked out
  std::size_t leftOut() const;     // operators that the figures are without
  QString reasonLeftOut() const;   // the first one; empty without any
  bool evaluating() const { return evaluating_; }
  bool searching() const { return searching_; }
  // Returns where the last edit happened; null before there was one, and while nothing came of it.
  const EditSite* site() const { return site_ ? &*site_ : nullptr; }

  // Returns the chosen device, if it measures; else null.
  const DeviceInfo* measuringDevice() const;
  bool measuring() const;
  // Starts a job that measures all three on it; what it finds is dropped where the drawing is edited meanwhile.
  void measure();
  bool measuresAfterEdit() const { return measures_after_edit_; }
  void setMeasuresAfterEdit(bool on);

 signals:
  void changed();

 private:
  // Holds what is known on one device.
  struct Book {
    Figures figures;
    bool known = false;  // figures.now is of the drawing as it is
    void edited(bool goes_on);
    void take(const DeviceInfo& device, std::int64_t batch, const LiveFigures& now);
  };
  struct Clock;  // the evaluator, on the runner's thread

  void follow(const EditSite& site, std::uint64_t gesture);
  void followDrawing();
  void followSettings();
  void forget();
  void begin();
  void stop();
  void evaluateSoon();
  void evaluate();
  void search();
  LiveLimits allowed() const;
  const DeviceInfo* simulatedDevice() const;

  GraphController& controller_;
  Session& session_;
  Jobs& jobs_;
  bool active_ = false;
  std::uint64_t drawing_ = 0;
  std::uint64_t round_ = 0;    // another one after every edit: what was measured for an older one is late
  std::uint64_t gesture_ = 0;  // of the last edit
  std::string device_;         // of the settings that figures are of
  std::int64_t batch_ = 0;
  LiveLimits allowed_;
  Book simulated_;
  Book measured_;
  QString error_;
  std::optional<EditSite> site_;
  bool evaluating_ = false;
  bool searching_ = false;
  bool measures_after_edit_ = false;
  JobRunner::JobId measuring_ = 0;
  std::shared_ptr<Clock> clock_;
  QTimer measure_;
  LatestAnswer answers_;  // last: its thread ends before the rest goes
};

}  // namespace iosx
