#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "app/cli/command_line.h"
#include "core/base/result.h"
#include "core/formats/schedule_file.h"

namespace iosx::cli {

// A schedule is written as our schedule JSON, the original's JSON (graph and schedule), or a table of stages.
enum class ScheduleFormat { kIosx, kIos, kCsv };
std::string_view format_name(ScheduleFormat format);  // "iosx", "ios", "csv"

void add_format(Command& command, std::string& format);
// An empty name means by extension: .csv is CSV, .json or none ours. The error is another extension.
Result<ScheduleFormat> format_of(const std::string& name, const std::filesystem::path& file);

// The error says what the original's JSON cannot hold.
Result<std::string> format_schedule(const Graph& graph, const Schedule& schedule, const ScheduleNotes& notes,
                                    ScheduleFormat format, const std::optional<LaneSchedule>& lanes = {});

}  // namespace iosx::cli
