#pragma once

namespace iosx::canvas {

// Lets assistive technology walk through the canvas: its children are the units of the graph, by their names, with what
// they compute as description, their place on the screen and whether they are selected; pressing one selects it.
// Widgets over the canvas come after them. It is called as install_painted_items() is.
void install_accessible_graph();

}  // namespace iosx::canvas
