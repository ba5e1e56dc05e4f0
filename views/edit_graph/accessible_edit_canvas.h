#pragma once

namespace iosx::editor {

// Exposes the drawing to assistive technology: the canvas's children are its operators by key, with attributes,
// inputs, outputs and problems in their names, their place on the screen and selected state; pressing one selects it.
// Call it like install_painted_items().
void install_accessible_canvas();

}  // namespace iosx::editor
