#pragma once

#include <QString>

#include "views/canvas/paint/band_gains.h"
#include "views/canvas/paint/hit.h"
#include "views/canvas/paint/overlay.h"
#include "views/canvas/paint/scene.h"

namespace iosx::canvas {

// Additional content of a tool tip; each may be null.
struct TipExtras {
  const OverlayScale* overlay = nullptr;
  const std::vector<UnitMark>* marks = nullptr;
  const BandGains* gains = nullptr;
};

// Returns rich text about the hit thing, with names as plain text; empty without content.
QString tool_tip(const Model& model, const Layout& layout, const Hit& hit, const TipExtras& extras = {});

}  // namespace iosx::canvas
