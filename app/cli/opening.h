#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "app/cli/options.h"
#include "app/cli/session.h"
#include "core/formats/document.h"
#include "core/formats/schedule_file.h"
#include "core/model/plan/execution_plan.h"
#include "core/workbench/workbench.h"

namespace iosx::cli {

// Prints the file's warnings, and the sizes that were chosen because the file leaves them open. A model that runs with
// a batch of 1 only is an error with any other. `batch` is that of a command with --batch; where it is 0 it becomes the
// network's own.
tl::expected<Document, Failure> open_graph_argument(Session& session, const std::string& graph,
                                                    const OpeningFlags& flags, std::int64_t* batch = nullptr);
struct OpenedSchedule {
  GivenSchedule given;
  ScheduleNotes notes = {};  // of a schedule file
};
// Opens what --schedule names: a file, or the id of a baseline; an empty one means the schedule in the graph's file.
// `graph` is how the command line names the document.
tl::expected<OpenedSchedule, Failure> open_schedule(const Document& document, const std::string& graph,
                                                    const std::string& schedule);
// Returns the plan without barriers whose kernels the schedule's lanes are of, for the device that they were found for;
// none of a schedule with stages. Errors: a device that is not known here.
Result<std::optional<ExecutionPlan>> barrier_free_plan_of(const Session& session, const Graph& graph,
                                                          const OpenedSchedule& opened);
// Returns that plan, or of a schedule with stages the plan of a device without wishes.
Result<ExecutionPlan> plan_of(const Session& session, const Graph& graph, const OpenedSchedule& opened);
// Returns the device that the schedule was found for; null where it is not known here.
const DeviceInfo* device_of(const Session& session, const OpenedSchedule& opened);
// Opens what --warm-start names, a schedule file for the document; an empty name gives none. Of one without barriers it
// takes the stages that chose the kernels, and a note says so.
tl::expected<std::optional<Schedule>, Failure> open_warm_start(Session& session, const Document& document,
                                                               const std::string& file);
// Says whether a command's one file may be standard output ("-"), in place of what the command would print. It may not
// where the command prints JSON.
enum class StandardOutput { kNotPossible, kPossible };
// Checks what check_writable() does, and that the output replaces none of what the command reads.
Result<void> check_output(const std::string& output, std::initializer_list<std::string_view> inputs,
                          StandardOutput standard_output = StandardOutput::kNotPossible);
// Refuses two outputs of a command that are one file, whether it is there yet or not. Empty names are none.
Result<void> check_apart(const std::string& a, const std::string& b);
// Writes by write_file(), or to standard output. The command then prints nothing else there.
Result<void> write_output(Session& session, const std::string& output, std::string_view text);
// Returns the id of the device that a command runs on, which is there, can be used and computes if that is wanted. An
// empty id means the best device there is, or the best that computes if outputs are wanted: a note says which one that
// is and how to choose another. With --verify the device must compute, and the one that --reference names too. With
// --replay no device is asked: the id stays as it is.
// --workers start here, the first of them at once, and are a device of the session from then on: of the id that was
// asked for, or what they say.
tl::expected<std::string, Failure> choose_device(Session& session, const DeviceFlags& flags,
                                                 const VerifyFlags& verify = {}, const StoreFlags& store = {},
                                                 bool wants_outputs = false);
// Returns the device that computes as this one does, by direct methods only; empty stands for the processor. Failures
// are devices that have no such form.
tl::expected<std::string, Failure> accurate_device(const Session& session, const std::string& id);

// Returns what runs the command's requests, with the store that it names.
Workbench workbench_of(const Session& session, const StoreFlags& store = {});
// Returns hooks that print notices.
JobHooks hooks_of(Session& session);

}  // namespace iosx::cli
