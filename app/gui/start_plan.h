#pragma once

#include <QString>
#include <cstdint>
#include <string>

#include "app/gui/arguments.h"
#include "core/devices/registry.h"
#include "views/window/base/settings.h"

namespace iosx {

// Says what the window opens at its start, and on what.
struct StartPlan {
  QString source;      // empty: the start page offers what there is
  std::string device;  // id; empty where the registry has none that can be used
  std::int64_t batch = 1;
  StrategySet strategies = StrategySet::kBoth;
  Pruning pruning = SearchOptions().pruning;
  bool hints = false;  // of the first minute
  friend bool operator==(const StartPlan&, const StartPlan&) = default;
};

// Plans what the command line says. Without it the first minute begins with Inception V3, or with what was open last if
// it is still there; after the first minute the start page is shown. The device is the simulated one that is listed
// first, unless the command line or the last start has another.
StartPlan plan_start(const Arguments& arguments, const Settings& settings, const DeviceRegistry& devices);

}  // namespace iosx
