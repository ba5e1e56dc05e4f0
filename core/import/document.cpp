#include "core/import/document.h"

#include <fmt/format.h>

#include <utility>

#include "core/import/ios_format.h"
#include "core/import/json_view.h"
#include "core/import/onnx/load_onnx.h"
#include "core/import/text_file.h"

namespace iosx {

Result<Document> parse_ios_json(std::string_view text, const std::string& origin) {
  const auto file = read_ios_document(text, origin);
  if (!file) return tl::unexpected(file.error());
  auto graph = to_graph(*file, origin);
  if (!graph) return tl::unexpected(graph.error());
  auto schedule = to_schedule(*file, *graph, origin);
  if (!schedule) return tl::unexpected(schedule.error());
  return Document{std::make_shared<const Graph>(*std::move(graph)), *std::move(schedule)};
}

Result<std::string> to_ios_json(const Graph& graph, const Schedule& schedule) {
  const auto document = to_ios_document(graph, schedule);
  if (!document) return tl::unexpected(document.error());
  return write_ios_document(*document);
}

Result<Document> load_document(const std::filesystem::path& path) {
  if (onnx_import::looks_like_onnx(path)) {
    auto loaded = onnx_import::load_onnx(path);
    if (!loaded) return tl::unexpected(std::move(loaded.error()));
    return Document{std::make_shared<const Graph>(std::move(loaded->graph)), std::nullopt, loaded->batched,
                    std::move(loaded->warnings)};
  }
  const auto text = read_text_file(path);
  if (!text) return tl::unexpected(text.error());
  return parse_ios_json(*text, path.string());
}

}  // namespace iosx
