#pragma once

#include <memory>
#include <string>

#include "app/cli/session.h"
#include "core/import/document.h"

namespace iosx::cli {

// What the command line names could not be opened; the exit code tells a wrong name from a bad file.
struct OpenError {
  Error error;
  int exit_code = kFailed;
};

tl::expected<Document, OpenError> open_graph_argument(const std::string& graph);
tl::expected<std::unique_ptr<Device>, OpenError> open_device(const Session& session, const std::string& id);

}  // namespace iosx::cli
