#include "views/window/devices/listed_workers.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "views/app_model/session.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"

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

namespace {

struct WorkerWords {
  Q_DECLARE_TR_FUNCTIONS(iosx::WorkerWords)
};

QString activity_text(WorkerActivity activity) {
  switch (activity) {
    case WorkerActivity::kOff: return WorkerWords::tr("not started");
    case WorkerActivity::kStarting: return WorkerWords::tr("starting");
    case WorkerActivity::kIdle: return WorkerWords::tr("idle");
    case WorkerActivity::kWaiting: return WorkerWords::tr("waiting for the hardware");
    case WorkerActivity::kMeasuring: return WorkerWords::tr("measuring");
    case WorkerActivity::kRunning: return WorkerWords::tr("running a schedule");
    case WorkerActivity::kLeftAside: return WorkerWords::tr("set aside");
  }
  return {};
}

// Returns how much was done and how much is being done, as far as there is something to say.
QStringList amounts(std::size_t measured, std::size_t in_flight, int losses) {
  QStringList words;
  if (measured > 0) words << WorkerWords::tr("%1 measured", "stages").arg(measured);
  if (in_flight > 0) words << WorkerWords::tr("%1 in flight", "stages").arg(in_flight);
  if (losses > 0) words << (losses == 1 ? WorkerWords::tr("lost once") : WorkerWords::tr("lost %1 times").arg(losses));
  return words;
}

}  // namespace

std::vector<WorkerDoing> doings_of(const WorkerRow& row, const std::vector<WorkerDoing>& board) {
  std::vector<WorkerDoing> own;
  std::ranges::copy_if(board, std::back_inserter(own), [&](const WorkerDoing& doing) {
    return doing.device == row.device && doing.command == row.command.command;
  });
  return own;
}

QString doing_text(const WorkerDoing& doing) {
  const QStringList words =
      QStringList(activity_text(doing.activity)) + amounts(doing.measured, doing.in_flight, doing.losses);
  return WorkerWords::tr("worker %1: %2").arg(doing.number).arg(words.join(QStringLiteral(", ")));
}

QString doings_text(const std::vector<WorkerDoing>& doings) {
  if (doings.empty()) return {};
  // The most interesting activity comes first.
  constexpr std::array kOrder{WorkerActivity::kMeasuring, WorkerActivity::kRunning, WorkerActivity::kWaiting,
                              WorkerActivity::kStarting,  WorkerActivity::kIdle,    WorkerActivity::kLeftAside,
                              WorkerActivity::kOff};
  const auto count = [&](WorkerActivity activity) {
    return std::ranges::count(doings, activity, &WorkerDoing::activity);
  };
  const WorkerActivity shown = *std::ranges::find_if(kOrder, [&](WorkerActivity each) { return count(each) > 0; });
  std::size_t measured = 0;
  std::size_t in_flight = 0;
  int losses = 0;
  for (const WorkerDoing& doing : doings) {
    measured += doing.measured;
    in_flight += doing.in_flight;
    losses += doing.losses;
  }
  const QString activity = activity_text(shown);
  const QString first =
      doings.size() == 1
          ? activity
          : WorkerWords::tr("%1 of %2 %3", "3 of 4 measuring").arg(count(shown)).arg(doings.size()).arg(activity);
  return (QStringList(first) + amounts(measured, in_flight, losses)).join(QStringLiteral(" · "));
}

QString hello_text(const wire::Hello& hello) {
  QStringList words;
  if (!hello.host.empty()) words << shown_name(hello.host);
  words << (hello.cores == 1 ? WorkerWords::tr("1 core") : WorkerWords::tr("%1 cores").arg(hello.cores))
        << WorkerWords::tr("load %1").arg(hello.load, 0, 'f', 1)
        << WorkerWords::tr("IOS Explorer %1").arg(shown_name(hello.program));
  return words.join(QStringLiteral(" · "));
}

std::vector<WorkerRow> worker_rows(const WorkerList& list, const std::vector<WorkerAnswer>& answers, bool asking) {
  std::vector<WorkerRow> rows;
  for (const ListedDevice& device : list.devices) {
    for (const WorkerCommand& command : device.commands) {
      WorkerRow row{.device = device.name,
                    .command = command,
                    .device_title = shown_name(device.known.info.name),
                    .state = asking ? WorkerState::kAsking : WorkerState::kNotAsked,
                    .said = asking ? WorkerWords::tr("asking…") : WorkerWords::tr("not asked"),
                    .remedy = {}};
      const auto answer = std::ranges::find_if(answers, [&](const WorkerAnswer& each) {
        return each.device == row.device && each.command.command == command.command;
      });
      if (answer != answers.end()) {
        row.state = answer->hello ? WorkerState::kAnswered : WorkerState::kFailed;
        row.said = answer->hello ? hello_text(*answer->hello) : message_text(answer->hello.error().what);
        if (!answer->hello) row.remedy = message_text(answer->hello.error().remedy);
      }
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

QString addition_text(const WorkerList& list, const ListedDevice& asked, const wire::Hello& hello) {
  WorkerList after = list;
  const auto added = add_to_list(after, asked, hello);
  if (!added) return error_text(added.error());
  const QString name = shown_name(*added);
  const auto before = std::ranges::find(list.devices, *added, &ListedDevice::name);
  if (before == list.devices.end()) return WorkerWords::tr("It becomes the device %1.").arg(name);
  const auto now = std::ranges::find(after.devices, *added, &ListedDevice::name);
  return now->commands == before->commands
             ? WorkerWords::tr("%1 has these workers already.").arg(name)
             : WorkerWords::tr("%1 is the same device: it gets these workers as well.").arg(name);
}

}  // namespace iosx

#include "moc_listed_workers.cpp"
