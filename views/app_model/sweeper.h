#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/analysis/experiment/sweep.h"
#include "views/app_model/job_runner.h"

namespace iosx {

class Jobs;
class Session;

// Sweeps over the shown network with the current settings, on its own thread, value by value, the present one first.
// A simulated device is used at once; for a measuring one earlier measurements count, until more are requested. GUI
// thread only.
class Sweeper final : public QObject {
  Q_OBJECT

 public:
  // Both must outlive it.
  Sweeper(const Session& session, Jobs& jobs, QObject* parent = nullptr);

  // Sets whether it is visible. Otherwise nothing is computed; what was stays, unless something has changed meanwhile.
  void setActive(bool active);
  // For a parameter of an operator, also takes the operator; without one of that name nothing is computed.
  void setParameter(SweepParameter parameter);
  void setOperator(const QString& name);
  void setValues(std::vector<std::int64_t> values);  // empty: the usual ones
  // Measures unknown values, in a job after the waiting ones. Does nothing where none are to be measured.
  void measure();

  const Sweep& sweep() const { return sweep_; }
  const QString& operatorName() const { return operator_name_; }
  const std::vector<std::int64_t>& values() const { return values_; }  // of sweep(); empty without anything to vary
  std::vector<SweepPoint> points() const;                              // the present ones, by value
  const SweepPoint* find(std::int64_t value) const;                    // may be null
  bool busy() const { return answers_.busy(); }
  bool canMeasure() const;  // the device measures, some values are unknown and in no job
  QString problem() const;  // why nothing can be varied; empty where it can

 signals:
  void changed();

 private:
  void refresh();  // soon
  void forget();
  void restart();
  void next();
  void take(SweepPoint point);

  const Session& session_;
  Jobs& jobs_;
  bool active_ = false;
  bool stale_ = true;  // something has changed since the last restart
  Sweep sweep_;
  QString operator_name_;
  std::vector<std::int64_t> asked_;  // empty: the usual values
  std::vector<std::int64_t> values_;
  std::map<std::int64_t, SweepPoint> points_;
  JobRunner::JobId measuring_ = 0;  // the last job of measure(); 0: none
  std::uint64_t round_ = 0;         // changes with every restart: earlier measurements are late
  LatestAnswer answers_;            // last: its thread ends before the rest is destroyed
};

}  // namespace iosx
