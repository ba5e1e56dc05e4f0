#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>

#include "core/analysis/explain/explain.h"
#include "core/workbench/requests.h"
#include "views/app_model/latest_answer.h"
#include "views/app_model/selection.h"

namespace iosx {

class Jobs;
class Session;

// Explains the selected stage on a thread of its own, again whenever another one is selected or the comparison is
// another. A simulated device is asked; of one that measures counts what the comparison and the store know: a click
// measures nothing. While a job may be measuring, it waits for its end. GUI thread only.
class StageExplainer final : public QObject {
  Q_OBJECT

 public:
  // All must outlive it.
  StageExplainer(const Session& session, const Jobs& jobs, const SelectionModel& selection, QObject* parent = nullptr);

  // Returns the explanation of the selected stage of what the session shows now; null where none is selected, and until
  // it is found out.
  const StageExplanation* current() const;
  bool busy() const { return waits_ || answers_.busy(); }  // being found out
  const QString& error() const { return error_; }          // why there is none; empty where there is one, or will be

 signals:
  void changed();

 private:
  void start();
  void begin();
  bool disturbs() const;  // the session's job, whose samples a busy computer would spread
  ExplainRequest request(const ScheduleResult& result) const;  // of comparison_

  const Session& session_;
  const Jobs& jobs_;
  const SelectionModel& selection_;
  std::shared_ptr<const Comparison> comparison_;  // that found_ is of, or will be
  Selection asked_;
  std::optional<Explanation> found_;
  QString error_;
  bool waits_ = false;    // to begin
  LatestAnswer answers_;  // last: its thread ends before the rest goes
};

}  // namespace iosx
