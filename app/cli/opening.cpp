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

tl::expected<std::unique_ptr<Device>, OpenError> open_device(Session& session, const std::string& id, bool verify) {
  auto device = open_device(session, id);
  if (!device || !verify) return device;
  if (auto computes = check_computes((*device)->info()); !computes) {
    return tl::unexpected(OpenError{std::move(computes.error()), kUsage});
  }
  return device;
}

}  // namespace iosx::cli
