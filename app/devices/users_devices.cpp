#include "app/devices/users_devices.h"

#include <utility>

#include "app/devices/program_folder.h"
#include "core/operators/predicted_device.h"
#include "core/workers/worker_list.h"

namespace iosx {

std::filesystem::path worker_program() { return program_folder() / "iosx"; }

std::vector<Message> add_users_devices(DeviceRegistry& registry, const std::shared_ptr<WorkerBoard>& board) {
  const auto file = worker_list_file();
  auto list = file ? read_worker_list(*file) : WorkerList();
  std::vector<Message> notices;
  if (!list) {
    notices.push_back(message("the list of workers is not used: {}", list.error().line()));
    list = WorkerList();
  }
  add_worker_devices(registry, *list, worker_program(), board);
  if (const auto folder = predictor_folder()) {
    for (Message& notice : add_predicted_devices(registry, *folder)) notices.push_back(std::move(notice));
  }
  return notices;
}

}  // namespace iosx
