#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <variant>

#include "core/analysis/experiment/experiment.h"
#include "core/devices/measure/store_place.h"
#include "core/formats/onnx/file_interface.h"
#include "views/figures/paper.h"
#include "views/window/base/language.h"

namespace iosx {

// Holds what the command line asks for.
struct Arguments {
  std::string graph;                  // zoo name or path; empty: what was open last, for a report the sample network
  std::string device;                 // id; empty: a simulated one, for a report DeviceRegistry::best()
  InputSizes sizes;                   // of what an ONNX model leaves open
  std::optional<std::int64_t> batch;  // 1 to kMaxBatch of core/analysis/compare; none: the network's own, or 1
  std::optional<StorePlace> store;    // for this start; none: as the settings say, for a report the usual place
  std::optional<std::filesystem::path> report;  // folder for a report, made without a window
  std::optional<PaperFormat> paper;             // how the report's figures are drawn; none: as on the screen
  std::optional<LanguageMode> language;         // for this start; none: as the settings say, for a report English
  std::optional<ExperimentKind> experiment;     // what the report is of; none: a comparison
};

// Returns the arguments, or an exit code where there is nothing more to do: 0 after --help or --version (printed on
// `out`), 2 for bad usage (one line on `err`).
std::variant<Arguments, int> parse_arguments(int argc, const char* const* argv, std::ostream& out, std::ostream& err);

// Returns the command line of the same report on another device, to be copied into a shell; it goes to a folder of its
// own. The arguments are a comparison's report's.
std::string report_command(const std::string& program, const Arguments& arguments, const std::string& device);

}  // namespace iosx
