#include "app/gui/start_plan.h"

#include <QFileInfo>
#include <algorithm>

#include "models/networks/zoo.h"
#include "models/open_graph.h"
#include "views/window/devices/listed_workers.h"

namespace iosx {
namespace {

constexpr const char* kFirstNetwork = "inception_v3";  // its schedules differ a lot, and it is searched in a moment

bool is_built_in(const QString& source) {
  return std::ranges::any_of(zoo(),
                             [name = source.toStdString()](const ZooNetwork& each) { return each.name == name; });
}

// All networks in it.
bool is_there(const QString& source) {
  return std::ranges::all_of(names_of_networks(source.toStdString()), [](const std::string& name) {
    const QString each = QString::fromStdString(name);
    return is_built_in(each) || QFileInfo(each).isFile();
  });
}

bool can_be_used(const DeviceRegistry::Entry* entry) { return entry != nullptr && entry->unavailable.empty(); }

}  // namespace

StartPlan plan_start(const Arguments& arguments, const Settings& settings, const DeviceRegistry& devices) {
  const bool nothing_said = arguments.graph.empty() && arguments.device.empty() && !arguments.batch;
  const auto last = nothing_said ? settings.lastStart() : std::nullopt;
  StartPlan plan;
  plan.batch = arguments.batch.value_or(last ? last->batch : 1);
  if (last) plan.strategies = last->strategies;
  if (last) plan.pruning = last->pruning;
  plan.device = arguments.device;
  if (last && can_be_used(devices.find(last->device))) plan.device = last->device;
  if (plan.device.empty()) plan.device = device_to_begin_with(devices);
  plan.hints = nothing_said && !settings.firstMinuteDone();
  if (nothing_said && !plan.hints) return plan;
  plan.source = QString::fromStdString(arguments.graph);
  if (last && is_there(last->source)) plan.source = last->source;
  if (plan.source.isEmpty()) plan.source = QString::fromLatin1(kFirstNetwork);
  return plan;
}

}  // namespace iosx
