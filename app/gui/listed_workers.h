#pragma once

#include <QObject>
#include <string>

#include "core/workers/worker_list.h"

namespace iosx {

class Session;

// Keeps the user's list of workers and, by it, the registry's devices: what is added can be chosen at once, what is
// removed cannot any more. The list is a file that `iosx workers` changes too, so it is read again before every change.
// A change that fails changes nothing.
class ListedWorkers final : public QObject {
  Q_OBJECT

 public:
  // Both must outlive it; the registry has the devices of the file as it was at the start.
  ListedWorkers(DeviceRegistry& devices, Session& session);

  const WorkerList& list() const { return list_; }  // as it was read or changed last

  Result<void> read();
  // Adds what ask_worker() answered, and returns the name of the device.
  Result<std::string> add(ListedDevice added, const wire::Hello& hello);
  // Takes workers of a device off the list; where the chosen device goes with them, another one is chosen.
  Result<void> remove(const std::string& device, const WorkerCommand& command);
  Result<void> setIsolation(Isolation isolation);  // counts from the next start on

 signals:
  void changed();

 private:
  Result<void> write(WorkerList list);
  void take(WorkerList list);

  DeviceRegistry& devices_;
  Session& session_;
  WorkerList list_;
};

}  // namespace iosx
