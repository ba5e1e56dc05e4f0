#pragma once

#include <QObject>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/operator.h"

namespace iosx {

// What is selected, the same in every view. Units are always filled in: a selected stage has all its units, a selected
// operator its unit. `schedule` and `stage` say where the selection was made, if it was made on a stage.
struct Selection {
  std::vector<UnitId> units;  // by id
  std::string schedule;
  std::optional<std::size_t> stage;

  bool empty() const { return units.empty(); }
  bool contains(UnitId unit) const;
  friend bool operator==(const Selection&, const Selection&) = default;
};

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
