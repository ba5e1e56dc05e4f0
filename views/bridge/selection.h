#pragma once

#include <QObject>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/compare/comparison.h"

namespace iosx {

// What is selected, the same in every view. Units are always filled in: a selected stage has all its units, a selected
// operator its unit. `schedule` and `stage` say where the selection was made, if it was made on a stage.
struct Selection {
  std::vector<UnitId> units;  // by id
  ScheduleId schedule;
  std::optional<std::size_t> stage;

  bool empty() const { return units.empty(); }
  bool contains(UnitId unit) const;
  friend bool operator==(const Selection&, const Selection&) = default;
};

// A stage of a comparison's schedule; empty where the schedule has no such stage.
Selection stage_selection(const ScheduleResult& result, std::size_t stage);

// The one selection of a window. GUI thread only.
class SelectionModel final : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  const Selection& current() const { return current_; }
  void select(Selection selection);  // emits changed() only on a change
  void clear() { select({}); }

 signals:
  void changed(const iosx::Selection& selection);

 private:
  Selection current_;
};

}  // namespace iosx
