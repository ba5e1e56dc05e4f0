#pragma once

#include <QString>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/analysis/difference/delta.h"
#include "views/canvas/paint/unit_marks.h"

namespace iosx::canvas {

// Returns what the stages of a schedule take more than a baseline of that name does: by stage, as stage_savings() has
// it.
Deltas stage_deltas(const std::vector<std::optional<iosx::Delta>>& stages, const QString& baseline);

// Knows what the bands of stages say of the time that these save against a baseline: a tint and a figure.
class BandGains {
 public:
  BandGains() = default;
  explicit BandGains(const Deltas& deltas);  // of stages; those of units say nothing here

  bool active() const { return active_; }  // something is known of a stage
  bool anyLoses() const { return any_loses_; }
  const QString& baseline() const { return deltas_.baseline; }
  bool perSample() const { return deltas_.per_sample; }
  // Says how strong the tint is: from -1, as much as any stage saves or loses is saved, to 1. 0 where it is nothing,
  // not known, or inside the noise.
  double lost(std::size_t stage) const;
  QString widestFigure() const;             // empty: no stage has one
  QString figure(std::size_t stage) const;  // "−0.28", in ms; empty where it is not known, or rounds to 0

 private:
  const Delta* find(std::size_t stage) const;  // null: not known

  Deltas deltas_;
  bool active_ = false;
  bool any_loses_ = false;
  Millis largest_{0};
  int decimals_ = 2;
};

}  // namespace iosx::canvas
