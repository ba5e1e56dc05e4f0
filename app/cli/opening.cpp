#include "app/cli/opening.h"

#include <utility>

#include "models/open_graph.h"

namespace iosx::cli {

tl::expected<Document, OpenError> open_graph_argument(const std::string& graph) {
  auto document = open_graph(graph);
  if (document) return std::move(*document);
  return tl::unexpected(OpenError{std::move(document.error()), names_a_file(graph) ? kFailed : kUsage});
}

tl::expected<std::unique_ptr<Device>, OpenError> open_device(const Session& session, const std::string& id) {
  auto device = session.devices().open(id);
  if (device) return std::move(*device);
  return tl::unexpected(OpenError{std::move(device.error()), session.devices().find(id) == nullptr ? kUsage : kFailed});
}

}  // namespace iosx::cli
