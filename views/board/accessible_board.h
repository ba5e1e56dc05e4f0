#pragma once

namespace iosx {
class StageBoard;
}

namespace iosx::board {

// Lets assistive technology walk through the board: its children are stages and steps from left to right, with lane,
// cost and lock in their names, their place on the screen and whether they are selected; pressing one selects it. Once
// a process is enough, more does no harm. GUI thread.
void install_accessible_board();

// Tells it where the board's cursor is.
void announce_cursor(StageBoard& board);

}  // namespace iosx::board
