#include "app/cli/opening.h"

#include <fmt/format.h>

#include <utility>

#include "core/compare/verify.h"
#include "models/open_graph.h"

namespace iosx::cli {

tl::expected<Document, OpenError> open_graph_argument(Session& session, const std::string& graph, std::int64_t batch) {
  auto document = open_graph(graph);
  if (!document) return tl::unexpected(OpenError{std::move(document.error()), names_a_file(graph) ? kFailed : kUsage});
  for (const std::string& warning : document->warnings) session.note(warning);
  if (document->batched || batch == 1) return std::move(*document);
  return tl::unexpected(
      OpenError{{fmt::format("runs with a batch of 1 only, not {}", batch), graph, "give no batch"}, kUsage});
}

tl::expected<std::unique_ptr<Device>, OpenError> open_device(Session& session, const std::string& id) {
  const DeviceRegistry::Entry* entry = id.empty() ? session.devices().best() : session.devices().find(id);
  auto device = session.devices().open(entry == nullptr ? id : entry->info.id);
  if (!device) return tl::unexpected(OpenError{std::move(device.error()), entry == nullptr ? kUsage : kFailed});
  if (id.empty() && entry->info.origin == Origin::kMeasured) {
    session.note(fmt::format("measuring on {} ({}); --device chooses another", entry->info.id, entry->info.name));
  }
  return std::move(*device);
}

tl::expected<Devices, OpenError> open_devices(Session& session, const std::string& id, const VerifyFlags& flags) {
  auto device = open_device(session, id);
  if (!device) return tl::unexpected(std::move(device.error()));
  Devices devices{.device = std::move(*device), .reference = nullptr};
  if (!flags.verify) return devices;
  const DeviceInfo& info = devices.device->info();
  if (auto computes = check_computes(info); !computes) {
    return tl::unexpected(OpenError{std::move(computes.error()), kUsage});
  }
  const DeviceRegistry::Entry* const usual = session.devices().reference();
  const std::string reference = !flags.reference.empty() ? flags.reference
                                : usual != nullptr       ? usual->info.id
                                                         : info.id;
  if (reference == info.id) return devices;
  auto opened = session.devices().open(reference);
  if (!opened) {
    const int exit_code = session.devices().find(reference) == nullptr ? kUsage : kFailed;
    return tl::unexpected(OpenError{std::move(opened.error()), exit_code});
  }
  devices.reference = std::move(*opened);
  if (auto computes = check_computes(devices.reference->info()); !computes) {
    return tl::unexpected(OpenError{std::move(computes.error()), kUsage});
  }
  return devices;
}

}  // namespace iosx::cli
