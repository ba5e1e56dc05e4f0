#pragma once

#include <QObject>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "core/documents/project/workspace.h"

namespace iosx {

// Says what is selected, the same in every view. Units are always filled in: a selected stage has all its units, a
// selected operator its unit. `schedule`, `stage` and `run` say where the selection was made, if it was made on a
// stage: another run may have a schedule of the same id with other stages.
struct Selection {
  std::vector<UnitId> units;  // by id
  ScheduleId schedule;
  std::optional<std::size_t> stage;
  RunId run = {};  // not valid where there are no runs to tell apart

  bool empty() const { return units.empty(); }
  bool contains(UnitId unit) const;
  // Says whether it was made in this schedule of this run; `run_key` is as run_key() gives it, empty where it is the
  // only one.
  bool isIn(const ScheduleId& id, const std::string& run_key) const;
  friend bool operator==(const Selection&, const Selection&) = default;
};

// Returns the selection of a stage of a comparison's schedule; it is empty where the schedule has no such stage.
Selection stage_selection(const ScheduleResult& result, std::size_t stage);

// Returns a key that tells runs apart in views that know no workspace; it is empty for a run that is not valid.
std::string run_key(RunId run);

// Holds the one selection of a window. Stages are selected in the run that is shown. GUI thread only.
class SelectionModel final : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  const Selection& current() const { return current_; }
  void select(Selection selection);  // emits changed() only on a change
  void clear() { select({}); }
  // Another run is shown: of a stage of the one before, its units stay selected.
  void setRun(RunId shown);

 signals:
  void changed(const iosx::Selection& selection);

 private:
  Selection current_;
  RunId run_;  // shown
};

}  // namespace iosx
