#include "views/window/devices/listed_workers.h"

#include <algorithm>
#include <utility>

#include "views/app_model/session.h"

namespace iosx {

std::string device_to_begin_with(const DeviceRegistry& devices) {
  for (const DeviceRegistry::Entry* const entry : devices.entries()) {
    if (entry->unavailable.empty() && entry->info.origin == Origin::kSimulated) return entry->info.id;
  }
  const DeviceRegistry::Entry* best = devices.best();
  return best != nullptr ? best->info.id : std::string();
}

ListedWorkers::ListedWorkers(DeviceRegistry& devices, Session& session, std::shared_ptr<WorkerBoard> board)
    : devices_(devices),
      session_(session),
      board_(board != nullptr ? std::move(board) : std::make_shared<WorkerBoard>()) {}

Result<void> ListedWorkers::read() {
  IOS_TRY(const auto file, worker_list_file());
  IOS_TRY(auto list, read_worker_list(file));
  take(std::move(list));
  return {};
}

Result<std::string> ListedWorkers::add(ListedDevice added, const wire::Hello& hello) {
  IOS_TRY(read());
  WorkerList list = list_;
  IOS_TRY(auto name, add_to_list(list, std::move(added), hello));
  IOS_TRY(write(std::move(list)));
  return name;
}

Result<void> ListedWorkers::remove(const std::string& device, const WorkerCommand& command) {
  IOS_TRY(read());
  WorkerList list = list_;
  if (!remove_from_list(list, device, command)) return {};  // somebody else has
  return write(std::move(list));
}

Result<void> ListedWorkers::setIsolation(Isolation isolation) {
  IOS_TRY(read());
  WorkerList list = list_;
  list.isolation = isolation;
  return write(std::move(list));
}

Result<void> ListedWorkers::take(const std::vector<WorkerAnswer>& answers) {
  IOS_TRY(const auto file, worker_list_file());
  IOS_TRY(auto list, read_worker_list(file));
  if (!take_answers(list, answers)) return {};
  return write(std::move(list));
}

Result<void> ListedWorkers::write(WorkerList list) {
  IOS_TRY(const auto file, worker_list_file());
  IOS_TRY(write_worker_list(file, list));
  take(std::move(list));
  return {};
}

void ListedWorkers::take(WorkerList list) {
  list_ = std::move(list);
  for (const DeviceRegistry::Entry* const entry : devices_.entries()) {
    const bool listed = std::ranges::count(list_.devices, entry->info.id, &ListedDevice::name) > 0;
    if (entry->by_workers && !listed) devices_.remove(entry->info.id);
  }
  for (const ListedDevice& device : list_.devices) devices_.add(entry_of(device, {}, {}, board_));
  if (session_.device() == nullptr) {
    RunSettings settings = session_.settings();
    settings.device = device_to_begin_with(devices_);
    session_.setSettings(std::move(settings));
  }
  session_.tellDevices();
  emit changed();
}

}  // namespace iosx

#include "moc_listed_workers.cpp"
