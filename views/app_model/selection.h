#pragma once

#include <QObject>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "core/documents/project/workspace.h"

namespace iosx {

// The selection, the same in every view. Units are always filled in: a selected stage has all its units, a
// selected operator its unit. `schedule`, `stage` and `run` give the origin of a selected stage: another run may
// have a schedule of the same id with other stages.
struct Selection {
  std::vector<UnitId> units;  // sorted by id
  ScheduleId schedule;
  std::optional<std::size_t> stage;
  RunId run = {};  // invalid without several runs

  bool empty() const { return units.empty(); }
  bool contains(UnitId unit) const;
  // Returns whether it was made in this schedule of this run; `run_key` comes from run_key(), empty for a single
  // run.
  bool isIn(const ScheduleId& id, const std::string& run_key) const;
  friend bool operator==(const Selection&, const Selection&) = default;
};

// Returns the selection of a stage of a comparison's schedule; empty for a missing stage.
Selection stage_selection(const ScheduleResult& result, std::size_t stage);

// Returns a key that identifies runs in views without a workspace; empty for an invalid run.
std::string run_key(RunId run);

// The one selection of a window. Stages are selected in the shown run. GUI thread only.
class SelectionModel final : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  const Selection& current() const { return current_; }
  void select(Selection selection);  // emits changed() only on a change
  void clear() { select({}); }
  // Another run is shown: a stage selected in the previous one becomes its units.
  void setRun(RunId shown);

 signals:
  void changed(const iosx::Selection& selection);

 private:
  Selection current_;
  RunId run_;  // the shown one
};

}  // namespace iosx
