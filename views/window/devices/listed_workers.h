#pragma once

#include <QObject>
#include <memory>
#include <string>
#include <vector>

#include "core/devices/registry.h"
#include "core/workers/worker_list.h"

namespace iosx {

class Session;

// Returns the id of the simulated device that is listed first, or of the best one where none is simulated; empty where
// the registry has none that can be used.
std::string device_to_begin_with(const DeviceRegistry& devices);

// Keeps the user's list of workers and, by it, the registry's devices: what is added can be chosen at once, what is
// removed cannot any more. The list is a file that `iosx workers` changes too, so it is read again before every change.
// A change that fails changes nothing.
class ListedWorkers final : public QObject {
  Q_OBJECT

 public:
  // Registry and session must outlive it; the registry has the devices of the file as it was at the start, whose
  // workers are on the board, as those of devices that come later. Without a board it has one of its own.
  ListedWorkers(DeviceRegistry& devices, Session& session, std::shared_ptr<WorkerBoard> board = nullptr);

  const WorkerList& list() const { return list_; }  // as it was read or changed last
  const WorkerBoard& board() const { return *board_; }

  Result<void> read();
  // Adds what ask_worker() answered, and returns the name of the device.
  Result<std::string> add(ListedDevice added, const wire::Hello& hello);
  // Takes workers of a device off the list; where the chosen device goes with them, another one is chosen.
  Result<void> remove(const std::string& device, const WorkerCommand& command);
  Result<void> setIsolation(Isolation isolation);  // counts from the next start on
  // Takes over what workers say of their devices now, where the list has something else.
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

}  // namespace iosx
