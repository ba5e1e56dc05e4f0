#pragma once

#include <QString>
#include <cstdint>
#include <string>

#include "app/gui/arguments.h"
#include "core/devices/registry.h"
#include "views/window/base/settings.h"

namespace iosx {

// What the window opens at its start, and the device.
struct StartPlan {
  QString source;      // empty: the start page
  std::string device;  // its id; empty where the registry has no usable one
  std::int64_t batch = 1;
  StrategySet strategies = StrategySet::kBoth;
  Pruning pruning = SearchOptions().pruning;
  bool hints = false;  // for the first minute
  friend bool operator==(const StartPlan&, const StartPlan&) = default;
};

// Plans the start by the command line. Without arguments the first minute begins with Inception V3, or with the last
// opened network if it still exists; after the first minute the start page is shown. The device is the first simulated
// one, unless the command line or the last start has another.
StartPlan plan_start(const Arguments& arguments, const Settings& settings, const DeviceRegistry& devices);

}  // namespace iosx
