#pragma once

#include <QString>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <variant>

#include "core/analysis/experiment/experiment.h"
#include "core/devices/measure/store_place.h"
#include "core/devices/registry.h"
#include "core/formats/onnx/file_interface.h"
#include "views/figures/paper.h"
#include "views/window/base/language.h"
#include "views/window/base/settings.h"

namespace iosx {

// The command line's values.
struct Arguments {
  std::string graph;                  // zoo name or path; empty: the last one opened, for a report the sample network
  std::string device;                 // its id; empty: a simulated one, for a report DeviceRegistry::best()
  InputSizes sizes;                   // for open axes of an ONNX model
  std::vector<std::string> with;      // of a recording: what says which kernels wait for which
  std::optional<std::int64_t> batch;  // 1 to kMaxBatch of core/analysis/compare; none: the network's own, or 1
  std::optional<StorePlace> store;    // for this start; none: from the settings, for a report the usual place
  std::optional<std::filesystem::path> report;  // folder for a report, made without a window
  std::optional<PaperFormat> paper;             // format of the report's figures; none: as on the screen
  std::optional<LanguageMode> language;         // for this start; none: from the settings, for a report English
  std::optional<ExperimentKind> experiment;     // subject of the report; none: a comparison
};

// Returns the arguments, or an exit code where nothing more is to do: 0 after --help or --version (printed on
// `out`), 2 for bad usage (one line on `err`).
std::variant<Arguments, int> parse_arguments(int argc, const char* const* argv, std::ostream& out, std::ostream& err);

// Returns the command line of the same report on another device, for a shell, with its own folder. The arguments are
// those of a comparison's report.
std::string report_command(const std::string& program, const Arguments& arguments, const std::string& device);

// The network, the device and the search with which the window starts.
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
