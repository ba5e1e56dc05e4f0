#include <unordered_map>
#include <utility>

#include "core/base/json/json_view.h"
#include "core/base/text.h"
#include "core/formats/external/engine_profiles.h"
#include "core/tables/render.h"

namespace iosx::external {
namespace {

constexpr std::size_t kLongestWord = 4096;
constexpr std::size_t kMostJsonText = std::size_t{1} << 20;

// Returns a number that is written as a text.
Millis millis_in(const JsonView& view, std::string_view key) {
  const std::string text = view.at(key).text(kLongestWord);
  const auto value = read_number<double>(text);
  if (value && *value >= 0 && *value <= 1e12) return Millis(*value);
  view.at(key).fail(message("is not a time in ms"));
  return Millis(0);
}

constexpr Sentence kSource{"trtexec --exportProfile and --exportTimes write such files"};

bool has(std::string_view text, std::string_view key) { return text.find(key) != std::string_view::npos; }

// Returns the first of these that a layer has.
double first_of(const JsonView& layer, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (layer.has(key)) return layer.at(key).non_negative();
  }
  return layer.at(*keys.begin()).non_negative();  // which says that it is missing
}

// Returns "a + b" from "[ONNX Layer: a][ONNX Layer: b]", with anything between them.
std::string layers_in(std::string_view metadata) {
  constexpr std::string_view kBefore = "[ONNX Layer: ";
  std::string joined;
  for (std::size_t at = metadata.find(kBefore); at != std::string_view::npos; at = metadata.find(kBefore, at)) {
    at += kBefore.size();
    const std::size_t end = metadata.find(']', at);
    if (end == std::string_view::npos) break;
    if (!joined.empty()) joined += " + ";
    joined += metadata.substr(at, end - at);
  }
  return joined;
}

}  // namespace

bool is_openvino_json(std::string_view head) {
  return has(head, "\"detailed_performance\"") || has(head, "\"execution_results\"");
}

bool openvino_ran(std::string_view status) { return !has(status, "NOT_RUN") && !has(status, "OPTIMIZED_OUT"); }

Result<CsvTimes> read_openvino_times(std::string_view json, const std::string& origin) {
  IOS_TRY(const auto document, parse_json(json, origin));
  FirstError errors(origin);
  const JsonView all(document, errors);
  CsvTimes times;
  times.meaning = RowMeaning::kOperators;
  if (document.is_object() && document.contains("detailed_performance")) {
    std::unordered_map<std::string, std::size_t> row_of;
    for (const JsonView& request : all.at("detailed_performance").items()) {
      for (const JsonView& node : request.at("nodes").items()) {
        const std::string name = node.at("name").text(kLongestWord);
        const Millis took = millis_in(node, "real_time");
        if (!openvino_ran(node.at("status").text(kLongestWord))) continue;
        const auto [row, made] = row_of.try_emplace(name, times.names.size());
        if (made) times.names.push_back({.name = name, .type = node.at("node_type").text(kLongestWord)});
        times.names[row->second].samples.push_back(took);
      }
    }
  } else {
    times.meaning = RowMeaning::kRuns;
    times.names.push_back({.name = "OpenVINO"});
    times.names.back().samples.push_back(millis_in(all.at("execution_results"), "latency (ms)"));
  }
  if (errors.error()) return tl::unexpected(*errors.error());
  if (times.names.empty()) {
    return fail(message("has no executed layer"), origin,
                message("record it with -report_type detailed_counters -json_stats"));
  }
  return times;
}

bool is_tensorrt_json(std::string_view head) {
  return has(head, "\"averageMs\"") || has(head, "\"computeMs\"") || has(head, "\"Layers\"");
}

bool is_table_json(std::string_view head) {
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return false;
  if (head[first] == '[') return has(head, "\"Name\"") && has(head, "\"Instances\"");
  // Nothing but names and numbers.
  bool quoted = false;
  for (const char c : head.substr(first + 1)) {
    quoted = quoted != (c == '"');
    if (!quoted && (c == '{' || c == '[' || c == 't' || c == 'f' || c == 'n')) return false;
  }
  return head[first] == '{' && has(head, "\":");
}

Result<std::string> csv_of_json(std::string_view json, const std::string& origin) {
  IOS_TRY(const auto document, parse_json(json, origin));
  std::string csv;
  if (document.is_object()) {
    csv = csv_line({"layer", "ms"});
    for (const auto& [name, value] : document.items()) csv += csv_line({name, value.dump()});
    return csv;
  }
  const Json* const first = document.is_array() && !document.empty() ? &document.front() : nullptr;
  if (first == nullptr || !first->is_object()) return fail(message("has no rows"), origin, kSource);
  std::vector<std::string> titles;
  for (const auto& [title, value] : first->items()) titles.push_back(title);
  csv = csv_line(titles);
  for (const Json& row : document) {
    std::vector<std::string> fields;
    for (const std::string& title : titles) {
      const auto found = row.is_object() ? row.find(title) : row.end();
      const bool missing = !row.is_object() || found == row.end();
      fields.push_back(missing ? "" : found->is_string() ? found->get<std::string>() : found->dump());
    }
    csv += csv_line(fields);
  }
  return csv;
}

Result<CsvTimes> read_tensorrt_times(std::string_view json, const std::string& origin) {
  IOS_TRY(const auto document, parse_json(json, origin));
  if (document.is_object() && document.contains("Layers")) {
    return fail(message("describes the layers of TensorRT, but not how long they take"), origin,
                message("give it together with a profile, as --layers"));
  }
  FirstError errors(origin);
  CsvTimes times;
  NamedTimes runs{.name = "TensorRT"};
  for (const JsonView& row : JsonView(document, errors).items()) {
    if (row.has("computeMs")) {
      runs.samples.emplace_back(row.at("computeMs").non_negative());
    } else if (row.has("name")) {
      NamedTimes& layer = times.names.emplace_back();
      layer.name = row.at("name").text(kMostJsonText);
      layer.samples.emplace_back(first_of(row, {"medianMs", "averageMs"}));
    }
  }
  if (errors.error()) return tl::unexpected(*errors.error());
  times.meaning = RowMeaning::kOperators;
  if (!runs.samples.empty()) {
    times.names = {std::move(runs)};
    times.meaning = RowMeaning::kRuns;
    times.notices.push_back(message("only the computation on the GPU counts; copies to and from it are left out"));
  }
  if (times.names.empty()) return fail(message("has no times of layers or runs"), origin, kSource);
  return times;
}

Result<LayerContents> read_tensorrt_layers(std::string_view json, const std::string& origin) {
  IOS_TRY(const auto document, parse_json(json, origin));
  FirstError errors(origin);
  const std::size_t count = JsonView(document, errors).at("Layers").items().size();
  if (errors.error()) return tl::unexpected(*errors.error());
  LayerContents contents;
  for (std::size_t i = 0; i < count; ++i) {
    // Unchanged, because control characters separate the nodes. A layer may also be only its name, where the engine
    // was built without details.
    const Json& layer = document["Layers"][i];
    const auto text = [&](const char* key) {
      const auto found = layer.is_object() ? layer.find(key) : layer.end();
      return found != layer.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    std::string made_of = layers_in(text("Metadata"));
    if (!made_of.empty()) contents.emplace(text("Name"), std::move(made_of));
  }
  if (contents.empty()) {
    return fail(message("does not say what its layers consist of"), origin,
                message("build the engine with --profilingVerbosity=detailed"));
  }
  return contents;
}

}  // namespace iosx::external
