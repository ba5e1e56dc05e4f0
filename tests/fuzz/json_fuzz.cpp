#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/base/check.h"
#include "core/formats/document.h"
#include "core/formats/schedule_file.h"
#include "core/model/schedule/baselines.h"
#include "models/networks/zoo.h"

namespace {

// The original's JSON. What opens can be written, unless it holds what the format cannot say, and opened again.
void try_graph(std::string_view text) {
  const auto document = iosx::parse_ios_json(text, "fuzz");
  if (!document) {
    IOS_CHECK(!document.error().what.empty());
    return;
  }
  const iosx::Schedule schedule =
      document->schedule ? document->schedule->schedule : iosx::one_by_one_schedule(*document->graph);
  const auto written = iosx::to_ios_json(*document->graph, schedule);
  if (written) IOS_CHECK(iosx::parse_ios_json(*written, "written"));
}

// Our schedule files, of a network that has convolutions to merge.
void try_schedule(std::string_view text) {
  static const iosx::Graph graph = iosx::build_sample();
  const auto file = iosx::parse_schedule_json(text, "fuzz", graph);
  if (!file) {
    IOS_CHECK(!file.error().what.empty());
    return;
  }
  const auto again = iosx::parse_schedule_json(schedule_to_json(graph, file->schedule, file->notes), "written", graph);
  IOS_CHECK(again);
  IOS_CHECK(again->schedule.stages.size() == file->schedule.stages.size());
}

}  // namespace

// libFuzzer's entry: any bytes as the JSON files that we read.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try_graph(text);
  try_schedule(text);
  return 0;
}
