#pragma once

namespace iosx::canvas {

// Exposes the canvas to assistive technology: its children are the units of the graph, with name, operators as
// description, place on the screen and selected state; pressing one selects it. Widgets over the canvas come after
// them. Call it like install_painted_items().
void install_accessible_graph();

}  // namespace iosx::canvas
