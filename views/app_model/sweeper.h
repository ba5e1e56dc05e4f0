#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/analysis/sweep/sweep.h"
#include "views/app_model/latest_answer.h"

namespace iosx {

class Jobs;
class Session;

// Answers what would be if one thing were different: it sweeps over the shown network with the settings of now, on a
// thread of its own, value by value, the present one first. A simulated device is asked at once; of one that measures
// counts what was measured before, until somebody asks for more. GUI thread only.
class Sweeper final : public QObject {
  Q_OBJECT

 public:
  // Both must outlive it.
  Sweeper(const Session& session, Jobs& jobs, QObject* parent = nullptr);

  // Says whether anybody looks. While nobody does, nothing is computed.
  void setActive(bool active);
  // The operator says whose parameter it is, where it is one operator's; there is nothing to compute where the network
  // has none of that name.
  void setParameter(SweepParameter parameter);
  void setOperator(const QString& name);
  void setValues(std::vector<std::int64_t> values);  // empty: the usual ones
  // Measures what is not known, in a job after those that wait. Does nothing where nothing is to be measured.
  void measure();

  const SweepBase& base() const { return base_; }
  const Sweep& sweep() const { return sweep_; }
  const QString& operatorName() const { return operator_name_; }
  const std::vector<std::int64_t>& values() const {
    return values_;
  }                                                  // of base(); empty where there is nothing to vary
  std::vector<SweepPoint> points() const;            // those that are there, by value
  const SweepPoint* find(std::int64_t value) const;  // may be null
  bool busy() const { return answers_.busy(); }
  bool canMeasure() const;  // the device measures, some values are not known, and no job measures them
  QString problem() const;  // why there is nothing to vary; empty where there is

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
  SweepBase base_;
  Sweep sweep_;
  QString operator_name_;
  std::vector<std::int64_t> asked_;  // empty: the usual values
  std::vector<std::int64_t> values_;
  std::map<std::int64_t, SweepPoint> points_;
  JobRunner::JobId measuring_ = 0;  // the last job of measure(); 0: there was none
  std::uint64_t round_ = 0;         // another one at every restart: what was measured for an older one is late
  LatestAnswer answers_;            // last: its thread ends before the rest goes
};

}  // namespace iosx
