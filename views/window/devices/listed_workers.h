#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <string>
#include <vector>

#include "core/devices/registry.h"
#include "core/workers/worker_device.h"
#include "core/workers/worker_list.h"

namespace iosx {

class Session;

// Returns the id of the first simulated device, or of the best one without any; empty where the registry has no usable
// one.
std::string device_to_begin_with(const DeviceRegistry& devices);

// Keeps the user's list of workers, and the registry's devices in step: added ones can be chosen at once, removed ones
// no longer. `iosx workers` changes the file too, so it is read again before every change. A failed change has no
// effect.
class ListedWorkers final : public QObject {
  Q_OBJECT

 public:
  // Registry and session must outlive it. The registry has the devices of the file at the start; their workers,
  // and those of later devices, are on the board. Without a board it makes its own.
  ListedWorkers(DeviceRegistry& devices, Session& session, std::shared_ptr<WorkerBoard> board = nullptr);

  const WorkerList& list() const { return list_; }  // as last read or changed
  const WorkerBoard& board() const { return *board_; }

  Result<void> read();
  // Adds the result of ask_worker(), and returns the device's name.
  Result<std::string> add(ListedDevice added, const wire::Hello& hello);
  // Removes workers of a device from the list; if the chosen device disappears, another one is chosen.
  Result<void> remove(const std::string& device, const WorkerCommand& command);
  Result<void> setIsolation(Isolation isolation);  // effective from the next start on
  // Updates the list from the workers' current reports, where they differ.
  Result<void> take(const std::vector<WorkerAnswer>& answers);

 signals:
  void changed();

 private:
  Result<void> write(WorkerList list);
  void take(WorkerList list);

  DeviceRegistry& devices_;
  Session& session_;
  std::shared_ptr<WorkerBoard> board_;
  WorkerList list_;
};

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
