#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

#include "core/base/json/json_view.h"
#include "core/formats/external/open_recording.h"

namespace iosx::external {
namespace {

constexpr std::size_t kMostLayers = 100'000;
constexpr std::size_t kMostLayerStreams = 1'000;

std::string text_member(const Json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::set<std::string> tensors_of(const Json& layer, const char* key) {
  std::set<std::string> names;
  const auto found = layer.find(key);
  if (found == layer.end() || !found->is_array()) return names;
  for (const Json& tensor : *found) {
    std::string name = text_member(tensor, "Name");
    if (!name.empty()) names.insert(std::move(name));
  }
  return names;
}

}  // namespace

bool is_tensorrt_inspector(std::string_view head) {
  const std::size_t first = head.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first == std::string_view::npos || head[first] != '{') return false;
  return head.find("\"Layers\"") != std::string_view::npos && head.find("\"traceEvents\"") == std::string_view::npos;
}

Result<Recording> tensorrt_recording(std::string_view json, const std::string& origin) {
  IOS_TRY(const auto document, parse_json(json, origin));
  const auto layers = document.is_object() ? document.find("Layers") : document.end();
  if (layers == document.end() || !layers->is_array() || layers->size() > kMostLayers)
    return fail(message("has no layers"), origin, message("write it by the inspector of TensorRT"));
  Recording recording;
  recording.timed = false;
  std::map<std::int64_t, std::uint16_t> streams;
  std::map<std::string, std::uint32_t> writer;                // of a tensor
  std::map<std::string, std::vector<std::uint32_t>> readers;  // of a tensor, since it was written
  const auto add = [&](std::uint32_t before, std::uint32_t after) {
    if (before != after) recording.edges.push_back({before, after, EdgeKind::kData, EdgeCertainty::kKnown});
  };
  for (const Json& layer : *layers) {
    if (!layer.is_object()) {
      return fail(message("does not say what its layers read and write"), origin,
                  message("build the engine with --profilingVerbosity=detailed"));
    }
    const auto stream = layer.find("StreamId");
    const std::int64_t number = stream != layer.end() && stream->is_number_integer() ? stream->get<std::int64_t>() : 0;
    const auto [lane, is_new] = streams.emplace(number, static_cast<std::uint16_t>(recording.lanes.size()));
    if (is_new && recording.lanes.size() == kMostLayerStreams) return fail(message("has too many streams"), origin);
    if (is_new) recording.lanes.push_back({.stream = fmt::to_string(number)});
    const auto place = static_cast<std::uint32_t>(recording.kernels.size());
    recording.names.push_back(text_member(layer, "Name"));
    const double begin = place;
    recording.kernels.push_back({.begin = begin,
                                 .end = begin + 1,
                                 .name = static_cast<NameId>(recording.names.size() - 1),
                                 .lane = lane->second,
                                 .kind = kind_of_kernel(recording.names.back())});
    for (const std::string& tensor : tensors_of(layer, "Inputs")) {
      if (const auto made = writer.find(tensor); made != writer.end()) add(made->second, place);
      readers[tensor].push_back(place);
    }
    for (const std::string& tensor : tensors_of(layer, "Outputs")) {
      if (const auto made = writer.find(tensor); made != writer.end()) add(made->second, place);
      for (const std::uint32_t reader : readers[tensor]) add(reader, place);
      readers[tensor].clear();
      writer[tensor] = place;
    }
  }
  recording.in_network.assign(recording.kernels.size(), true);
  recording.notices.push_back(message("it has no times: each layer counts as one"));
  return recording;
}

}  // namespace iosx::external
