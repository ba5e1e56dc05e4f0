#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "app/cli/options.h"
#include "app/cli/session.h"
#include "core/import/document.h"

namespace iosx::cli {

// What the command line names could not be opened; the exit code tells a wrong name from a bad file.
struct OpenError {
  Error error;
  int exit_code = kFailed;
};

// Prints the file's warnings. A model that runs with a batch of 1 only is an error with any other.
tl::expected<Document, OpenError> open_graph_argument(Session& session, const std::string& graph,
                                                      std::int64_t batch = 1);
// An empty id means the best device there is; if that one measures, which takes its time, a note says so.
tl::expected<std::unique_ptr<Device>, OpenError> open_device(Session& session, const std::string& id);

struct Devices {
  std::unique_ptr<Device> device;
  std::unique_ptr<Device> reference;  // null: the device itself, or nothing is verified
};
// The same for a command with --verify, which needs a device that computes, and what its outputs are compared with: the
// device that --reference names, else DeviceRegistry::reference().
tl::expected<Devices, OpenError> open_devices(Session& session, const std::string& id, const VerifyFlags& flags);

}  // namespace iosx::cli
