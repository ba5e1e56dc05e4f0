#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>

#include "core/analysis/explain/explain.h"
#include "core/workbench/workbench.h"
#include "views/app_model/job_runner.h"
#include "views/app_model/selection.h"

namespace iosx {

class Jobs;
class Session;

// Explains the selected stage on its own thread, after each change of the selection or the comparison. A simulated
// device is used; for a measuring one the comparison's and the store's latencies count: a click measures nothing.
// It waits for the end of a job that may be measuring. GUI thread only.
class StageExplainer final : public QObject {
  Q_OBJECT

 public:
  // All must outlive it.
  StageExplainer(const Session& session, const Jobs& jobs, const SelectionModel& selection, QObject* parent = nullptr);

  // Returns the explanation of the selected stage; null without a selected one, and until it is computed.
  const StageExplanation* current() const;
  bool busy() const { return waits_ || answers_.busy(); }  // being computed
  const QString& error() const { return error_; }          // why there is none, nor will be; else empty

 signals:
  void changed();

 private:
  void start();
  void begin();
  bool disturbs() const;  // the session's job, whose samples a busy computer would spread
  ExplainRequest request(const ScheduleResult& result) const;  // for comparison_

  const Session& session_;
  const Jobs& jobs_;
  const SelectionModel& selection_;
  std::shared_ptr<const Comparison> comparison_;  // of found_, present or pending
  Selection asked_;
  std::optional<Explanation> found_;
  QString error_;
  bool waits_ = false;    // before its begin
  LatestAnswer answers_;  // last: its thread ends before the rest is destroyed
};

}  // namespace iosx
