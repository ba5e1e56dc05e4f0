#pragma once

#include <QString>
#include <vector>

#include "core/workers/worker_board.h"
#include "core/workers/worker_list.h"

namespace iosx {

// Says what is known of the workers of one command.
enum class WorkerState { kNotAsked, kAsking, kAnswered, kFailed };

// Is a row of the table of workers: those that one command starts.
struct WorkerRow {
  std::string device;  // its name in the list
  WorkerCommand command;
  QString device_title;
  WorkerState state = WorkerState::kNotAsked;
  QString said;    // in one line: what it says of itself, or what failed
  QString remedy;  // of what failed; may be empty
};

// Returns a row for each command of the list, with the answers that there are. `asking`: more will come.
std::vector<WorkerRow> worker_rows(const WorkerList& list, const std::vector<WorkerAnswer>& answers, bool asking);

// Returns those of the board that the row's command starts.
std::vector<WorkerDoing> doings_of(const WorkerRow& row, const std::vector<WorkerDoing>& board);

// Returns what one worker does: "worker 2: measuring, 34 measured, 12 in flight".
QString doing_text(const WorkerDoing& doing);
// Returns what several do together: "2 of 4 measuring · 61 measured · 20 in flight"; of none an empty text.
QString doings_text(const std::vector<WorkerDoing>& doings);

// Returns what a worker says of itself: "node1 · 64 cores · load 0.3 · IOS Explorer 0.1.0".
QString hello_text(const wire::Hello& hello);

// Returns what becomes of a worker that was asked, once it is added to the list: "It becomes the device gpu@node1".
QString addition_text(const WorkerList& list, const ListedDevice& asked, const wire::Hello& hello);

}  // namespace iosx
