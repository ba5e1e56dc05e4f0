#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/cli/command_line.h"
#include "app/cli/options.h"
#include "app/cli/session.h"
#include "core/formats/external/read_external.h"

namespace iosx::cli {

// The files of other programs to show as external runs.
struct ExternalFlags {
  std::vector<std::string> files = {};  // FILE or FILE=LABEL
  std::string unit = {};
  std::size_t runs = 0;
  std::string layers = {};

  ExternalOptions options(const Graph* graph) const;
};

// Declare --external, --external-unit and --external-runs, or the last two alone with another prefix.
void add_external(Command& command, ExternalFlags& flags);
std::vector<Option> add_external_reading(Command& command, ExternalFlags& flags, const std::string& prefix);

// Checks that the output replaces none of the files.
Result<void> check_output_external(const std::string& output, const ExternalFlags& flags);

// Reads all runs of all files, matched to the graph's operators if there is one.
Result<std::vector<ExternalRun>> read_recordings(const ExternalFlags& flags, const Graph* graph, Session& session);

}  // namespace iosx::cli
