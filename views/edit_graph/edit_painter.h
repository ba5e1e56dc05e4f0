#pragma once

#include <QPointF>
#include <QString>
#include <optional>
#include <unordered_set>
#include <vector>

#include "views/edit_graph/edit_scene.h"
#include "views/style/theme.h"

class QPainter;

namespace iosx::editor {

// A connection in progress: from an operator to the pointer or the slot under it.
struct PulledWire {
  canvas::Point from;
  canvas::Point to;
  bool refused = false;
};

// What is drawn over the boxes, and the zoom.
struct EditState {
  const EditScene* scene = nullptr;
  const Theme* theme = nullptr;
  std::vector<OperatorKey> selected = {};  // sorted by key
  std::optional<Slot> wire = {};           // the selected one
  std::optional<OperatorKey> hovered = {};
  std::optional<Slot> hovered_slot = {};
  std::optional<std::size_t> hovered_wire = {};
  std::optional<PulledWire> pulled = {};
  std::optional<canvas::Rect> band = {};   // rubber band
  std::optional<OperatorKey> target = {};  // of a connection by keyboard
  double zoom = 1;
  canvas::Rect visible = {};
};

// Paints an edit scene in its own coordinates; the caller has set the transform.
void paint_edit_scene(QPainter& painter, const EditState& state);

}  // namespace iosx::editor
