#pragma once

namespace iosx {
class EditCanvas;
}

namespace iosx::editor {

// Lets assistive technology walk through what is drawn: the canvas's children are its operators by key, with what they
// compute, read and give and what is wrong with them in their names, their place on the screen and whether they are
// selected; pressing one selects it. Once a process is enough, more does no harm. GUI thread.
void install_accessible_canvas();

// Tells it which operator is selected.
void announce_selected(EditCanvas& canvas);

}  // namespace iosx::editor
