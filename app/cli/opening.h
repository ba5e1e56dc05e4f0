#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/command_line.h"
#include "app/cli/options.h"
#include "app/cli/session.h"
#include "core/formats/document.h"
#include "core/formats/external/read_external.h"
#include "core/formats/schedule_file.h"
#include "core/model/plan/execution_plan.h"
#include "core/workbench/workbench.h"

namespace iosx::cli {

// Prints the file's warnings, and the sizes chosen for its open axes. A model that runs only with a batch of 1 is an
// error with any other. `batch` is that of a command with --batch; 0 becomes the network's own.
tl::expected<Document, Failure> open_graph_argument(Session& session, const std::string& graph,
                                                    const OpeningFlags& flags, std::int64_t* batch = nullptr);
struct OpenedSchedule {
  GivenSchedule given;
  ScheduleNotes notes = {};  // of a schedule file
};
// Opens the argument of --schedule: a file, or the id of a baseline; an empty one means the schedule in the graph's
// file. `graph` is the document's name on the command line.
tl::expected<OpenedSchedule, Failure> open_schedule(const Document& document, const std::string& graph,
                                                    const std::string& schedule);
// Returns the barrier-free plan for the schedule's lanes, on the device for which they were found, or for a schedule
// with stages the plan with default lowering options. Errors: an unknown device.
Result<ExecutionPlan> plan_of(const Session& session, const Graph& graph, const OpenedSchedule& opened);
// Returns the device for which the schedule was found, or null if unknown.
const DeviceInfo* device_of(const Session& session, const OpenedSchedule& opened);
// Opens the argument of --warm-start, a schedule file for the document; none for an empty one. From a barrier-free one
// it takes the stages that chose the kernels, with a note.
tl::expected<std::optional<Schedule>, Failure> open_warm_start(Session& session, const Document& document,
                                                               const std::string& file);
// Whether a command's one file may be standard output ("-"), in place of the command's own output. Not possible where
// the command prints JSON.
enum class StandardOutput { kNotPossible, kPossible };
constexpr StandardOutput beside_json(bool json) {
  return json ? StandardOutput::kNotPossible : StandardOutput::kPossible;
}
// Calls check_writable(), and checks that the output replaces none of the command's inputs.
Result<void> check_output(const std::string& output, std::initializer_list<std::string_view> inputs,
                          StandardOutput standard_output = StandardOutput::kNotPossible);
// Refuses two outputs of a command that are one file, existing or not. Empty names are none.
Result<void> check_apart(const std::string& a, const std::string& b);
// Returns the same result; its error says to choose another file with this option.
Result<void> or_another_file(Result<void> result, std::string_view option);
// Writes by write_file(), or to standard output, to which the command then prints nothing else.
Result<void> write_output(Session& session, const std::string& output, std::string_view text);
// Returns the id of the command's device: it exists, can be used, and computes if wanted. An empty id means the best
// device, or the best that computes for outputs; a note names it and how to choose another. With --verify the device
// must compute, and the one of --reference too. With --replay no device is used: the id stays. --workers start here,
// the first of them at once, and become a device of the session: with the given id, or their own.
tl::expected<std::string, Failure> choose_device(Session& session, const DeviceFlags& flags, const JobOptions& job = {},
                                                 bool verify = false, bool wants_outputs = false);
// Returns the workbench for the command's requests, with its store.
Workbench workbench_of(const Session& session, const StoreFlags& store = {});
// Returns hooks that print notices.
JobHooks hooks_of(Session& session);

// The files of other programs to show as external runs.
struct ExternalFlags {
  std::vector<std::string> files = {};  // FILE or FILE=LABEL
  std::string unit = {};
  std::size_t runs = 0;
  std::string range = {};
  std::string layers = {};

  ExternalOptions options(const Graph* graph) const;
};

// Declare --external, --external-unit and --external-runs, or the last two alone with another prefix.
void add_external(Command& command, ExternalFlags& flags);
std::vector<Option> add_external_reading(Command& command, ExternalFlags& flags, const std::string& prefix);

// Checks that the output replaces none of the files.
Result<void> check_output_external(const std::string& output, const ExternalFlags& flags);

// Reads all runs of all files, matched to the graph's operators if there is one.
Result<std::vector<ExternalRun>> read_recordings(const ExternalFlags& flags, const Graph* graph, Session& session);

}  // namespace iosx::cli
