#pragma once

namespace iosx::board {

// Lets assistive technology walk through the board: its children are stages and steps from left to right, with lane,
// cost and lock in their names, their place on the screen and whether they are selected; pressing one selects it. It is
// called as install_painted_items() is.
void install_accessible_board();

}  // namespace iosx::board
