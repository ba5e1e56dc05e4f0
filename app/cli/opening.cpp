#include "app/cli/opening.h"

#include <fmt/format.h>

#include <utility>

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

tl::expected<std::unique_ptr<Device>, OpenError> open_device(const Session& session, const std::string& id) {
  auto device = session.devices().open(id);
  if (device) return std::move(*device);
  return tl::unexpected(OpenError{std::move(device.error()), session.devices().find(id) == nullptr ? kUsage : kFailed});
}

}  // namespace iosx::cli
