#pragma once

namespace iosx::editor {

// Lets assistive technology walk through what is drawn: the canvas's children are its operators by key, with what they
// compute, read and give and what is wrong with them in their names, their place on the screen and whether they are
// selected; pressing one selects it. It is called as install_painted_items() is.
void install_accessible_canvas();

}  // namespace iosx::editor
