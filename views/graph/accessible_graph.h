#pragma once

namespace iosx {
class GraphView;
}

namespace iosx::canvas {

// Lets assistive technology walk through the canvas: its children are the units of the graph, by their names, with what
// they compute as description, their place on the screen and whether they are selected; pressing one selects it.
// Widgets over the canvas come after them. Once a process is enough, more does no harm. GUI thread.
void install_accessible_graph();

// Tells it that the selection is another one: the first selected unit has the focus.
void announce_selection(GraphView& view);

}  // namespace iosx::canvas
