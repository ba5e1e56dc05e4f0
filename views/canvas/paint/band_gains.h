#pragma once

#include <QString>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/analysis/difference/delta.h"
#include "views/canvas/paint/unit_marks.h"

namespace iosx::canvas {

// Returns by stage how much longer the stages of a schedule take than a baseline of that name, from stage_savings().
Deltas stage_deltas(const std::vector<std::optional<iosx::Delta>>& stages, const QString& baseline);

// The display of stage savings against a baseline on bands: a tint and a figure.
class BandGains {
 public:
  BandGains() = default;
  explicit BandGains(const Deltas& deltas);  // for stages; those of units are ignored here

  bool active() const { return active_; }  // a stage is known
  bool anyLoses() const { return any_loses_; }
  const QString& baseline() const { return deltas_.baseline; }
  bool perSample() const { return deltas_.per_sample; }
  // Returns the strength of the tint: from -1, the largest saving or loss of any stage, saved, to 1. 0 for no
  // change, unknown, or within the noise.
  double lost(std::size_t stage) const;
  QString widestFigure() const;             // empty: no stage has one
  QString figure(std::size_t stage) const;  // "−0.28", in ms; empty where unknown, or rounded to 0

 private:
  const Delta* find(std::size_t stage) const;  // null: unknown

  Deltas deltas_;
  bool active_ = false;
  bool any_loses_ = false;
  Millis largest_{0};
  int decimals_ = 2;
};

}  // namespace iosx::canvas
