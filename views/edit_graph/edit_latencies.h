#pragma once

#include <QColor>
#include <QObject>
#include <QString>
#include <QTimer>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/live/live_latencies.h"
#include "views/app_model/job_runner.h"
#include "views/edit_graph/graph_controller.h"
#include "views/style/theme.h"

namespace iosx {

class Jobs;
class Session;

// Finds the latency of the drawing's schedules after every edit: sequential and greedy at once, IOS and List later, on
// its own thread. It uses the chosen device if that is simulated, else the first simulated one; a measuring device only
// on request, or after every edit if switched on. GUI thread.
class EditLatencies final : public QObject {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(EditLatencies)

 public:
  // All must outlive it.
  EditLatencies(GraphController& controller, const Session& session, Jobs& jobs, QObject* parent = nullptr);
  ~EditLatencies() override;

  // Sets whether it is visible. Otherwise nothing is computed.
  void setActive(bool active);

  // Latencies of the current drawing, without its invalid operators. They are compared with earlier drawings
  // without invalid ones.
  struct Figures {
    DeviceInfo device;
    std::int64_t batch = 1;
    LiveFigures now;
    std::optional<LiveFigures> before = {};  // the last edit; of one that goes on, such as a drag, before it began
    std::optional<LiveFigures> first = {};   // when the drawing was opened, or first computable
  };
  const Figures* figures() const;  // null: unknown, or not yet known
  QString problem() const;         // why they are unknown; empty where they are known or being computed
  std::size_t leftOut() const;     // operators missing in the figures
  QString reasonLeftOut() const;   // for the first one; empty without any
  bool searching() const { return searching_; }
  // Returns the place of the last edit; null before the first, and for one without effect.
  const EditSite* site() const { return site_ ? &*site_ : nullptr; }

  // Returns the chosen device, if it measures; else null.
  const DeviceInfo* measuringDevice() const;
  bool measuring() const;
  // Starts a job that measures all three on it; its results are dropped if the drawing is edited meanwhile.
  void measure();
  void setMeasuresAfterEdit(bool on);

 signals:
  void changed();

 private:
  // The known figures on one device.
  struct Book {
    Figures figures;
    bool known = false;  // figures.now is of the current drawing
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
  const Session& session_;
  Jobs& jobs_;
  bool active_ = false;
  std::uint64_t drawing_ = 0;
  std::uint64_t round_ = 0;    // changes with every edit: results for an older one are late
  std::uint64_t gesture_ = 0;  // of the last edit
  std::string device_;         // of the figures, from the settings
  std::int64_t batch_ = 0;
  LiveLimits allowed_;
  Book simulated_;
  Book measured_;
  QString error_;
  std::optional<EditSite> site_;
  bool searching_ = false;
  bool measures_after_edit_ = false;
  JobRunner::JobId measuring_ = 0;
  std::shared_ptr<Clock> clock_;
  QTimer measure_;
  LatestAnswer answers_;  // last: its thread ends before the rest is destroyed
};

namespace editor {

// The latency of one schedule and its change.
struct LatencyRow {
  QString schedule;   // "sequential"
  QString now;        // "4.03 ms"; empty: search running
  QString change;     // "▲ +0.12 ms", "the same"; empty: unknown
  int direction = 0;  // 1: slower than before, -1: faster
};

// Returns the rows of sequential, greedy, IOS and, where it ran, List, compared with their values before; without
// comparison where operators are now left out.
std::vector<LatencyRow> latency_rows(const EditLatencies::Figures& figures, const std::optional<LiveFigures>& before);
QColor change_color(const Theme& theme, int direction);

}  // namespace editor
}  // namespace iosx
