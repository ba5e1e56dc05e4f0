#include "app/gui/worker_rows.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

#include "views/text/messages.h"
#include "views/text/qstring.h"

namespace iosx {
namespace {

struct WorkerWords {
  Q_DECLARE_TR_FUNCTIONS(iosx::WorkerWords)
};

}  // namespace

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
