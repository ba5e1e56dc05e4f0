#include "core/formats/external/openvino.h"

#include <charconv>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/base/json/json_view.h"

namespace iosx::external {
namespace {

constexpr std::size_t kLongestWord = 4096;

// Returns a number that is written as a text.
Millis millis_in(const JsonView& view, std::string_view key) {
  const std::string text = view.at(key).text(kLongestWord);
  double value = -1;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (wrong != std::errc() || end != text.data() + text.size() || !(value >= 0) || value > 1e12) {
    view.at(key).fail(message("is not a time in ms"));
    return Millis(0);
  }
  return Millis(value);
}

}  // namespace

bool is_openvino_json(std::string_view head) {
  return head.find("\"detailed_performance\"") != std::string_view::npos ||
         head.find("\"execution_results\"") != std::string_view::npos;
}

bool openvino_ran(std::string_view status) {
  return status.find("NOT_RUN") == std::string_view::npos && status.find("OPTIMIZED_OUT") == std::string_view::npos;
}

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
        if (made) {
          times.names.emplace_back();
          times.names.back().name = name;
          times.names.back().type = node.at("node_type").text(kLongestWord);
        }
        times.names[row->second].samples.push_back(took);
      }
    }
  } else {
    times.meaning = RowMeaning::kRuns;
    times.names.emplace_back();
    times.names.back().name = "OpenVINO";
    times.names.back().samples.push_back(millis_in(all.at("execution_results"), "latency (ms)"));
  }
  if (errors.error()) return tl::unexpected(*errors.error());
  if (times.names.empty()) {
    return fail(message("has no executed layer"), origin,
                message("record it with -report_type detailed_counters -json_stats"));
  }
  return times;
}

}  // namespace iosx::external
