#pragma once

#include <QString>
#include <vector>

#include "core/workers/worker_board.h"
#include "core/workers/worker_list.h"

namespace iosx {

// What is known of the workers of one command.
enum class WorkerState { kNotAsked, kAsking, kAnswered, kFailed };

// A row of the table of workers: those of one command.
struct WorkerRow {
  std::string device;  // its name in the list
  WorkerCommand command;
  QString device_title;
  WorkerState state = WorkerState::kNotAsked;
  QString said;    // one line: its report, or the error
  QString remedy;  // of the error; may be empty
};

// Returns a row per command of the list, with the present answers. `asking`: more will come.
std::vector<WorkerRow> worker_rows(const WorkerList& list, const std::vector<WorkerAnswer>& answers, bool asking);

// Returns the board's workers of the row's command.
std::vector<WorkerDoing> doings_of(const WorkerRow& row, const std::vector<WorkerDoing>& board);

// Returns one worker's activity: "worker 2: measuring, 34 measured, 12 in flight".
QString doing_text(const WorkerDoing& doing);
// Returns the joint activity of several: "2 of 4 measuring · 61 measured · 20 in flight"; empty for none.
QString doings_text(const std::vector<WorkerDoing>& doings);

// Returns a worker's report: "node1 · 64 cores · load 0.3 · IOS Explorer 0.1.0".
QString hello_text(const wire::Hello& hello);

// Returns the effect of adding a worker to the list: "It becomes the device gpu@node1".
QString addition_text(const WorkerList& list, const ListedDevice& asked, const wire::Hello& hello);

}  // namespace iosx
