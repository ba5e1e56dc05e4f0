#include "core/workers/worker_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <system_error>
#include <thread>
#include <utility>

#include "core/base/files.h"
#include "core/formats/wire/document.h"
#include "core/formats/wire/message_fields.h"

namespace iosx {
namespace wire {

constexpr std::string_view kListFormat = "iosx-workers";
constexpr int kListVersion = 1;  // of what is written here, but for what workers said

// The stored form of an entry. A worker's facts have their own version, and this program may not know that of another
// one.
struct ListedRecord {
  std::string name;
  std::vector<WorkerCommand> commands;
  std::string host;
  std::string fingerprint;
  std::string title;  // of the device
  Lenient<WorkerDeviceInfo> known;
};
struct ListRecord {
  Isolation isolation = Isolation::kGpus;
  std::vector<ListedRecord> devices;
};

inline std::string_view word(Spelled<Isolation> x) {
  switch (x.value) {
    case Isolation::kNone: return "none";
    case Isolation::kGpus: return "gpus";
    case Isolation::kAll: return "all";
  }
  return {};
}
IOS_FIELDS(WorkerCommand, all, field("command", x.command), field("count", x.count, 1, kMostWorkers),
           not_negative("start", x.start));
IOS_FIELDS(WorkerDeviceInfo, all, field("info", x.info), field("methods_key", x.methods_key), field("peak", x.peak));
IOS_FIELDS(ListedRecord, all, field("name", x.name), field("commands", x.commands), field("host", x.host),
           field("fingerprint", x.fingerprint), field("title", x.title), field("known", x.known));
IOS_FIELDS(ListRecord, all, field("isolation", x.isolation), field("devices", x.devices));

}  // namespace wire

Result<std::filesystem::path> worker_list_file() {
  const auto folder = [](const char* variable) -> std::optional<std::filesystem::path> {
    const char* const value = std::getenv(variable);
    if (value == nullptr || !std::filesystem::path(value).is_absolute()) return std::nullopt;
    return value;
  };
  const std::filesystem::path name = std::filesystem::path("ios-explorer") / "workers.json";
  if (const auto config = folder("XDG_CONFIG_HOME")) return *config / name;
  if (const auto home = folder("HOME")) return *home / ".config" / name;
  return fail(message("neither XDG_CONFIG_HOME nor HOME names a folder for settings"), "workers");
}

Result<WorkerList> read_worker_list(const std::filesystem::path& file) {
  std::error_code wrong;
  if (!std::filesystem::exists(file, wrong)) return WorkerList();
  IOS_TRY(check_regular_file(file));
  std::ifstream stream(file, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  if (stream.bad()) return fail(message("cannot be read"), file.string());
  IOS_TRY(auto record,
          wire::read_document<wire::ListRecord>(text, file.string(), wire::kListFormat, wire::kListVersion));
  WorkerList list{record.isolation, {}};
  for (wire::ListedRecord& listed : record.devices) {
    const bool is_known = listed.known.value && listed.known.value->info.fingerprint == listed.fingerprint;
    WorkerDeviceInfo known;
    if (is_known) {
      known = std::move(*listed.known.value);
    } else {
      known.info.name = std::move(listed.title);
      known.info.fingerprint = std::move(listed.fingerprint);
    }
    list.devices.push_back(
        {std::move(listed.name), std::move(listed.commands), std::move(known), std::move(listed.host), is_known});
  }
  return list;
}

Result<void> write_worker_list(const std::filesystem::path& file, const WorkerList& list) {
  std::error_code wrong;
  std::filesystem::create_directories(file.parent_path(), wrong);
  wire::ListRecord record{list.isolation, {}};
  for (const ListedDevice& device : list.devices) {
    std::optional<WorkerDeviceInfo> known;
    if (device.is_known) known = device.known;
    record.devices.push_back({device.name,
                              device.commands,
                              device.host,
                              device.known.info.fingerprint,
                              device.known.info.name,
                              {std::move(known)}});
  }
  const std::string text = wire::write_document(wire::kListFormat, record, wire::kListVersion) + "\n";
  NewFile written(file, Readers::kOwner);  // a launcher's command may hold a secret
  IOS_TRY(written.write(std::as_bytes(std::span(text))));
  return written.finish();
}

std::string free_name(const WorkerList& list, const wire::Hello& hello) {
  const std::string base = fmt::format("{}@{}", hello.device.id, hello.host.empty() ? "worker" : hello.host);
  std::string name = base;
  const auto taken = [&] {
    return std::ranges::any_of(list.devices, [&](const ListedDevice& device) { return device.name == name; });
  };
  for (int number = 2; taken(); ++number) name = fmt::format("{}-{}", base, number);
  return name;
}

Result<ListedDevice> ask_worker(const WorkerCommand& command, const WorkerLimits& limits, const JobContext& job,
                                wire::Hello* said) {
  IOS_TRY(auto link, WorkerLink::start(command.command, limits, job));
  const wire::Hello hello = link.hello();
  link.end();
  if (said != nullptr) *said = hello;
  return ListedDevice{free_name({}, hello), {command}, known_of(hello), hello.host};
}

Result<std::string> add_to_list(WorkerList& list, ListedDevice added, const wire::Hello& hello,
                                const std::string& name) {
  const std::string& fingerprint = added.known.info.fingerprint;
  for (ListedDevice& device : list.devices) {
    const bool same = device.known.info.fingerprint == fingerprint;
    if (!same && device.name == name) {
      return fail(message("is the name of another device, '{}'", device.known.info.name), name,
                  message("choose another name"));
    }
    if (!same || (!name.empty() && device.name != name)) continue;
    for (WorkerCommand& command : added.commands) {
      const auto known = std::ranges::find(device.commands, command.command, &WorkerCommand::command);
      if (known == device.commands.end()) {
        device.commands.push_back(std::move(command));
      } else {
        *known = std::move(command);
      }
    }
    device.known = std::move(added.known);
    device.is_known = true;
    return device.name;
  }
  added.name = name.empty() ? free_name(list, hello) : name;
  list.devices.push_back(std::move(added));
  return list.devices.back().name;
}

bool remove_from_list(WorkerList& list, const std::string& device, const WorkerCommand& command) {
  const auto found = std::ranges::find(list.devices, device, &ListedDevice::name);
  if (found == list.devices.end() || std::erase(found->commands, command) == 0) return false;
  if (found->commands.empty()) list.devices.erase(found);
  return true;
}

std::vector<WorkerAnswer> ask_workers(const WorkerList& list, Seconds patience, const JobContext& job,
                                      const std::function<void(const WorkerAnswer&)>& heard) {
  std::vector<WorkerAnswer> answers;
  std::vector<std::string> fingerprints;
  for (const ListedDevice& device : list.devices) {
    for (const WorkerCommand& command : device.commands) {
      answers.push_back({device.name, command, wire::Hello()});
      fingerprints.push_back(device.known.info.fingerprint);
    }
  }
  std::mutex speaking;
  const auto ask = [&, quiet = JobContext{job.stop, {}}](WorkerAnswer& answer, const std::string& fingerprint) {
    wire::Hello hello;
    const WorkerLimits limits{.start = answer.command.start.value_or(patience)};
    if (auto said = ask_worker(answer.command, limits, quiet, &hello); !said) {
      answer.hello = tl::unexpected(std::move(said.error()));
    } else if (hello.device.fingerprint != fingerprint) {
      answer.hello = fail(message("is another device now: {}", hello.device.name));
    } else {
      answer.hello = std::move(hello);
    }
    const std::scoped_lock lock(speaking);
    if (heard) heard(answer);
  };
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    threads.emplace_back([&ask, &answer = answers[i], &fingerprint = fingerprints[i]] { ask(answer, fingerprint); });
  }
  threads.clear();  // waits for all
  return answers;
}

bool take_answers(WorkerList& list, const std::vector<WorkerAnswer>& answers) {
  const auto text = [](const std::optional<PeakRates>& peak) {
    return peak ? fmt::format("{} {} {} {}", peak->flops_per_s, peak->bytes_per_s, peak->element_bytes,
                              peak->memory_bytes)
                : std::string();
  };
  bool changed = false;
  for (const WorkerAnswer& answer : answers) {
    const auto device = std::ranges::find(list.devices, answer.device, &ListedDevice::name);
    if (!answer.hello || device == list.devices.end()) continue;
    WorkerDeviceInfo said = known_of(*answer.hello);
    WorkerDeviceInfo& known = device->known;
    if (said.info.fingerprint != known.info.fingerprint) continue;
    const bool same = device->is_known && said.info == known.info && said.methods_key == known.methods_key &&
                      text(said.peak) == text(known.peak);
    if (same) continue;
    known = std::move(said);
    device->is_known = true;
    changed = true;
  }
  return changed;
}

namespace {

// Makes a device of which no more is known than what a user may see. A worker that starts says the rest.
Result<std::unique_ptr<Device>> ask_and_make(const WorkerDeviceInfo& seen, const std::vector<WorkerCommand>& commands,
                                             WorkerLimits limits, const std::shared_ptr<WorkerBoard>& board) {
  limits.start = commands.front().start.value_or(limits.start);
  IOS_TRY(auto link, WorkerLink::start(commands.front().command, limits, {}));
  WorkerDeviceInfo known = known_of(link.hello());
  if (known.info.fingerprint != seen.info.fingerprint)
    return fail(message("is another device now: {}", known.info.name), seen.info.id, message("add it again"));
  known.info.id = seen.info.id;
  known.info.name = seen.info.name;
  std::vector<WorkerLink> started;
  started.push_back(std::move(link));
  return make_worker_device(std::move(known), commands, limits, std::move(started), board);
}

// Returns whether the device's library runs in this process, and its kind is to have its own process.
bool to_be_isolated(const DeviceInfo& info, Isolation isolation) {
  if (info.origin != Origin::kMeasured || isolation == Isolation::kNone) return false;
  return isolation == Isolation::kAll || info.id == "gpu" || info.id.starts_with("gpu-");
}

}  // namespace

DeviceRegistry::Entry entry_of(const ListedDevice& device, const WorkerLimits& limits, std::vector<WorkerLink> started,
                               const std::shared_ptr<WorkerBoard>& board) {
  WorkerDeviceInfo known = device.known;
  known.info.id = device.name;
  if (!device.host.empty()) known.info.name = fmt::format("{} ({})", known.info.name, device.host);
  struct Started {
    std::mutex mutex;
    std::vector<WorkerLink> links;
  };
  auto first = std::make_shared<Started>();
  first->links = std::move(started);
  DeviceRegistry::Entry entry;
  entry.info = known.info;
  entry.by_workers = true;
  entry.open = [known, commands = device.commands, limits, first, board,
                is_known = device.is_known]() -> Result<std::unique_ptr<Device>> {
    const std::scoped_lock lock(first->mutex);
    if (is_known) return make_worker_device(known, commands, limits, std::exchange(first->links, {}), board);
    return ask_and_make(known, commands, limits, board);
  };
  return entry;
}

void add_worker_devices(DeviceRegistry& registry, const WorkerList& list, const std::filesystem::path& program,
                        const std::shared_ptr<WorkerBoard>& board) {
  std::error_code wrong;
  const bool can_isolate = std::filesystem::exists(program, wrong);
  for (const DeviceRegistry::Entry* const entry : registry.entries()) {
    if (!can_isolate || !entry->unavailable.empty() || !to_be_isolated(entry->info, list.isolation)) continue;
    DeviceRegistry::Entry isolated = *entry;
    const WorkerCommand command{
        fmt::format("exec {} worker --device {}", shell_word(program.string()), shell_word(entry->info.id))};
    isolated.open = [info = entry->info, command, board]() -> Result<std::unique_ptr<Device>> {
      constexpr Seconds kLocalStart{60};  // no queue
      return ask_and_make({info, {}, {}}, {command}, {.start = kLocalStart}, board);
    };
    registry.add(std::move(isolated));
  }
  for (const ListedDevice& device : list.devices) {
    const auto entries = registry.entries();
    const auto same = std::ranges::find_if(entries, [&](const auto* entry) { return entry->info.id == device.name; });
    // A file may be untrusted: none of its names replaces a device of this program.
    if (same == entries.end() || (*same)->by_workers) registry.add(entry_of(device, {}, {}, board));
  }
}

}  // namespace iosx
