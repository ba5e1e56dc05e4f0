#include "app/cli/schedule_format.h"

#include <fmt/format.h>

#include <system_error>

#include "app/cli/options.h"
#include "core/formats/document.h"

namespace iosx::cli {

std::string_view format_name(ScheduleFormat format) {
  switch (format) {
    case ScheduleFormat::kIos: return "ios";
    case ScheduleFormat::kCsv: return "csv";
    case ScheduleFormat::kIosx: break;
  }
  return "iosx";
}

void add_format(Command& command, std::string& format) {
  command
      .add_option("--format", format,
                  "iosx: our schedule file; ios: the original's JSON, graph included; csv: a table of stages. "
                  "Without it the extension decides: .csv, or .json for iosx")
      .check(one_of({"iosx", "ios", "csv"}))
      .type_name("iosx|ios|csv");
}

Result<ScheduleFormat> format_of(const std::string& name, const std::filesystem::path& file) {
  if (name == "ios") return ScheduleFormat::kIos;
  if (name == "csv" || (name.empty() && file.extension() == ".csv")) return ScheduleFormat::kCsv;
  const std::string extension = file.extension().string();
  // What is no regular file (a pipe, /dev/stdout) says nothing by its name.
  std::error_code ignored;
  const bool special = std::filesystem::exists(file, ignored) && !std::filesystem::is_regular_file(file, ignored);
  if (!name.empty() || special || extension.empty() || extension == ".json") return ScheduleFormat::kIosx;
  return fail(message("no format has the extension '{}'", extension), file.string(),
              message("use .json or .csv, or choose with --format iosx|ios|csv"));
}

Result<std::string> format_schedule(const Graph& graph, const Schedule& schedule, const ScheduleNotes& notes,
                                    ScheduleFormat format, const std::optional<LaneSchedule>& lanes) {
  switch (format) {
    case ScheduleFormat::kIos:
      if (lanes) return tl::unexpected(has_stages_only());
      return to_ios_json(graph, schedule);
    case ScheduleFormat::kCsv: return schedule_to_csv(graph, schedule, notes, lanes);
    case ScheduleFormat::kIosx: break;
  }
  return schedule_to_json(graph, schedule, notes, lanes);
}

}  // namespace iosx::cli
