#include "app/devices/worker_devices.h"

#include <system_error>

#include "core/workers/worker_list.h"

namespace iosx {

std::filesystem::path worker_program() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / "iosx";
}

std::vector<Message> add_listed_workers(DeviceRegistry& registry) {
  const auto file = worker_list_file();
  auto list = file ? read_worker_list(*file) : WorkerList();
  std::vector<Message> notices;
  if (!list) {
    notices.push_back(message("the list of workers is not used: {}", list.error().line()));
    list = WorkerList();
  }
  add_worker_devices(registry, *list, worker_program());
  return notices;
}

}  // namespace iosx
