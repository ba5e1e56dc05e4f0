#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/documents/run_file/run_file.h"
#include "core/formats/document.h"
#include "core/formats/schedule_file.h"
#include "core/formats/scheduled_onnx.h"
#include "core/model/plan/execution_plan.h"

namespace iosx {

// Says what an export is made of.
enum class ExportNeeds : std::uint8_t {
  kNetwork,   // the graph with its weights
  kSchedule,  // the graph and a schedule
  kPlan,      // the graph with its weights, a schedule, and the plan that a device makes of it
  kRun        // a run
};

// Holds what an export is made of. A format reads what its `needs` names; the rest may stay empty.
struct ExportSource {
  std::shared_ptr<const Graph> graph = {};
  FileInterface file = {};                // what the network's own file says of its inputs and outputs
  std::vector<std::string> outputs = {};  // output_names()
  Schedule schedule = {};
  ScheduleNotes notes = {};
  std::optional<LaneSchedule> lanes = {};  // of a schedule without barriers
  std::optional<ExecutionPlan> plan = {};
  std::shared_ptr<const Run> run = {};
  std::optional<std::int64_t> batch = {};             // of an ONNX model; none: as in the file, else open
  std::optional<std::filesystem::path> streams = {};  // see ScheduledOnnxOptions
  std::optional<StreamsOn> streams_on = {};           // none: where the schedule was found
  bool on_processor = false;                          // the schedule was found on a processor
};

// Is a format that the command line, the window and Python export. A new format is a row of export_formats().
struct ExportFormat {
  std::string_view id;       // of `iosx export` and of save() in Python; the window's action is "export-ID"
  std::string_view title;    // for people: "ONNX model"
  std::string_view summary;  // what is written, in a sentence
  std::string_view suffix;   // of the file's name, without the first dot; empty: the export is a folder
  ExportNeeds needs;
  bool lanes = true;           // holds schedules without barriers, too
  bool batch = false;          // ExportSource::batch applies
  bool streams = false;        // ExportSource::streams applies
  std::string_view next = {};  // what to do with it, for the command line: {} is the export
  // Returns the text of a format that is one text; `write` is then null.
  Result<std::string> (*text)(const ExportSource& source) = nullptr;
  // Writes the file or folder whole, or leaves what was there.
  Result<void> (*write)(const ExportSource& source, const std::filesystem::path& path) = nullptr;
};

std::span<const ExportFormat> export_formats();  // in the order to show them
const ExportFormat* find_export(std::string_view id);

// Returns the formats that need one of these, in the table's order.
std::vector<const ExportFormat*> export_formats_of(std::span<const ExportNeeds> needs);

// Returns the format of that id; without an id the one whose suffix the file has, the longest first. A file without a
// suffix, or one that is no regular file, gets the first of `among`. The error lists what there is.
Result<const ExportFormat*> export_format_of(std::string_view id, const std::filesystem::path& file,
                                             std::span<const ExportFormat* const> among);

// Refuses a batch or streams in a source whose format has none.
Result<void> check_export(const ExportFormat& format, const ExportSource& source);

// Returns what a format of text writes. Errors: a schedule without barriers in a format of stages; those of the format.
Result<std::string> export_text(const ExportFormat& format, const ExportSource& source);
// Writes the export; the errors are the same, and the file system's.
Result<void> write_export(const ExportFormat& format, const ExportSource& source, const std::filesystem::path& path);

}  // namespace iosx
