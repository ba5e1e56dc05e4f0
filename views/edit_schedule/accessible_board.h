#pragma once

namespace iosx::board {

// Exposes the board to assistive technology: its children are stages and steps from left to right, with lane, cost and
// lock in their names, their place on the screen and selected state; pressing one selects it. Call it like
// install_painted_items().
void install_accessible_board();

}  // namespace iosx::board
