#include "app/cli/opening.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "core/analysis/compare/verify.h"
#include "core/documents/report/output_file.h"
#include "core/formats/file_kind.h"
#include "core/model/plan/stage_planner.h"
#include "core/model/schedule/finer_units.h"
#include "core/search/baseline.h"
#include "core/workers/worker_list.h"
#include "models/open_graph.h"

namespace iosx::cli {

namespace {

// Refuses other files of this program, but not in place of a network.
Result<void> not_our_other_files(const std::string& path) {
  const FileKind kind = file_kind(path);
  if (kind == FileKind::kRun)
    return fail(message("is a saved run, not a network"), path, message("open it with iosx show"));
  if (kind == FileKind::kStore) {
    return fail(message("is a measurement store, not a network"), path, message("give it to --store"));
  }
  return {};
}

void part_units(Session& session, Document& document, const std::string& graph) {
  if (make_finer(document)) return;
  session.note(message("{}: --finer-units changes nothing: every unit begins with one operator", graph));
}

std::string default_note(const DeviceRegistry& devices, const DeviceInfo& chosen) {
  if (chosen.origin == Origin::kMeasured) {
    return fmt::format("measuring on {} ({}); --device chooses another", chosen.id, chosen.name);
  }
  std::string note = fmt::format("simulating {} ({}); --device chooses another", chosen.id, chosen.name);
  const DeviceRegistry::Entry* const real = devices.best_computing();
  if (real != nullptr) note += fmt::format(", --device {} measures on this machine", real->info.id);
  return note;
}

// Returns the device that computes like this one, by direct methods only; empty means the processor. Fails for
// devices without such a form.
tl::expected<std::string, Failure> accurate_device(const Session& session, const std::string& id) {
  constexpr std::string_view kAccurate = "-accurate";
  if (id.ends_with(kAccurate)) return id;
  std::string accurate = (id.empty() ? "cpu" : id) + std::string(kAccurate);
  if (session.devices().find(accurate) != nullptr) return accurate;
  return wrong_usage(message("{} has no methods to choose from", id), "--accurate",
                     message("use this option with the device cpu"));
}

// Starts a worker of the first command that works, to know what device it is of, and adds that.
tl::expected<std::string, Failure> add_workers(Session& session, const DeviceFlags& flags, const std::string& wanted) {
  std::vector<WorkerCommand> commands;
  for (const std::string& text : flags.workers) {
    IOS_TRY(commands.emplace_back(), usage(worker_command(text)));
  }
  auto link = WorkerLink::start(commands.front().command, {}, session.job());
  for (std::size_t i = 1; !link && i < commands.size() && !session.job().stopped(); ++i) {
    session.note(fmt::format("{}; trying the next device", link.error().text()));
    link = WorkerLink::start(commands[i].command, {}, session.job());
    if (link) std::rotate(commands.begin(), commands.begin() + static_cast<std::ptrdiff_t>(i), commands.end());
  }
  if (!link) return tl::unexpected(Failure{std::move(link.error())});
  const wire::Hello hello = link->hello();
  const std::string id = wanted.empty() ? hello.device.id : wanted;
  if (id != hello.device.id && session.devices().find(id) != nullptr) {
    return wrong_usage(message("is not the device of the workers, '{}'", hello.device.id), id,
                       message("remove --device, or give it a name that no device has"));
  }
  std::vector<WorkerLink> started;
  started.push_back(std::move(*link));
  session.add_device(entry_of({id, std::move(commands), known_of(hello), hello.host}, {}, std::move(started)));
  return id;
}

}  // namespace

tl::expected<Document, Failure> open_graph_argument(Session& session, const std::string& graph,
                                                    const OpeningFlags& flags, std::int64_t* batch) {
  for (const std::string& name : names_of_networks(graph)) {
    if (names_a_file(name)) IOS_TRY(not_our_other_files(name));
  }
  const auto at_once = session.at_once("reading the network");
  IOS_TRY(const auto sizes, usage(flags.sizes()));
  auto document = open_graph(graph, sizes);
  if (!document) {
    const bool file = names_a_file(graph) && !document.error().where.starts_with("--");
    return tl::unexpected(Failure{std::move(document.error()), file ? kFailed : kUsage});
  }
  if (flags.finer_units) part_units(session, *document, graph);
  for (const Message& warning : document->warnings) session.note(warning);
  if (const std::string chosen = chosen_text(document->file); !chosen.empty()) session.note(graph + ": " + chosen);
  if (batch == nullptr) return std::move(*document);
  IOS_TRY(*batch, usage(batch_to_run(*document, graph, *batch == 0 ? std::nullopt : std::optional(*batch))));
  return std::move(*document);
}

tl::expected<OpenedSchedule, Failure> open_schedule(const Document& document, const std::string& graph,
                                                    const std::string& schedule) {
  const auto schedule_kind = parse_schedule_kind(schedule);
  if (schedule_kind && row_of(*schedule_kind).baseline()) {
    return OpenedSchedule{{made_baseline(*schedule_kind, *document.graph), *schedule_kind}};
  }
  std::error_code ignored;
  if (schedule_kind && !row_of(*schedule_kind).given() && !std::filesystem::exists(schedule, ignored)) {
    return wrong_usage(
        message("is a schedule that a search finds, and no file has this name"), "--schedule " + schedule,
        row_of(*schedule_kind).barrier_free
            ? message("run iosx compare {} -o FOLDER, then give FOLDER/{}.schedule.json", graph, schedule)
            : message("run iosx optimize {} -o FILE, then give that FILE", graph));
  }
  if (!schedule.empty()) {
    IOS_TRY(auto file, load_schedule(schedule, *document.graph));
    return OpenedSchedule{GivenSchedule(std::move(file.schedule), std::move(file.lanes)), std::move(file.notes)};
  }
  if (const auto& file = document.schedule) {
    return OpenedSchedule{GivenSchedule(file->schedule, file->lanes), file->notes};
  }
  return wrong_usage(
      message("contains no schedule"), graph,
      message("give one with --schedule FILE, or --schedule {}|{}|{}", row_of(ScheduleKind::kSequential).id,
              row_of(ScheduleKind::kOneByOne).id, row_of(ScheduleKind::kGreedy).id));
}

const DeviceInfo* device_of(const Session& session, const OpenedSchedule& opened) {
  for (const DeviceRegistry::Entry* const each : session.devices().entries()) {
    if (each->info.id == opened.notes.device || each->info.name == opened.notes.device) return &each->info;
  }
  return nullptr;
}

Result<ExecutionPlan> plan_of(const Session& session, const Graph& graph, const OpenedSchedule& opened) {
  if (!opened.given.lanes) {
    return StagePlanner(graph, opened.notes.batch, LowerOptions{}).plan(opened.given.schedule);
  }
  const DeviceInfo* const device = device_of(session, opened);
  if (device == nullptr) {
    return fail(
        message("has lanes for the kernels of '{}', which is not a known device on this computer", opened.notes.device),
        "--schedule", message("use it on a computer with that device, or search lanes for another device"));
  }
  return plan_on(*device, graph, opened.given, opened.notes.batch);
}

tl::expected<std::optional<Schedule>, Failure> open_warm_start(Session& session, const Document& document,
                                                               const std::string& file) {
  if (file.empty()) return std::nullopt;
  IOS_TRY(auto opened, load_schedule(file, *document.graph));
  if (opened.lanes) {
    session.note(
        fmt::format("{}: the search starts from the stages that chose its kernels and ignores its lanes, because a "
                    "search has no lanes",
                    file));
  }
  return std::move(opened.schedule);
}

Result<void> check_output(const std::string& output, std::initializer_list<std::string_view> inputs,
                          StandardOutput standard_output) {
  if (output == kStandardOutput && standard_output == StandardOutput::kPossible) return {};
  for (const std::string_view input : inputs) {
    for (const std::string& name : names_of_networks(std::string(input))) {
      std::error_code ignored;
      if (std::filesystem::is_regular_file(name, ignored) && std::filesystem::equivalent(name, output, ignored)) {
        return fail(message("is an input of this command, and the output would replace it"), output,
                    message("name another file"));
      }
    }
  }
  return check_writable(output);
}

Result<void> check_apart(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return {};
  const auto place = [](const std::string& path) {
    std::error_code error;
    const std::filesystem::path full = std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
    return error ? std::filesystem::path(path) : full;
  };
  std::error_code ignored;
  if (place(a) != place(b) && !std::filesystem::equivalent(a, b, ignored)) return {};
  return fail(message("is the path of two outputs, and one would replace the other"), a, message("name another file"));
}

Result<void> or_another_file(Result<void> result, std::string_view option) {
  if (!result) result.error().remedy = message("choose another file with {}", option);
  return result;
}

Result<void> write_output(Session& session, const std::string& output, std::string_view text) {
  if (output != kStandardOutput) return write_file(output, text);
  session.print_document(text);
  return {};
}

tl::expected<std::string, Failure> choose_device(Session& session, const DeviceFlags& flags, const JobOptions& job,
                                                 bool verify, bool wants_outputs) {
  std::string id = flags.id;
  if (flags.accurate) {
    IOS_TRY(id, accurate_device(session, id));
  }
  if (job.replay) return id;
  if (!flags.workers.empty()) {
    IOS_TRY(id, add_workers(session, flags, id));
  }
  const DeviceRegistry& devices = session.devices();
  const auto* const entry =
      id.empty() ? workbench_of(session).default_device(wants_outputs || verify) : devices.find(id);
  const auto checked = [&](const std::string& which,
                           const DeviceRegistry::Entry* found) -> tl::expected<void, Failure> {
    if (found == nullptr || !found->unavailable.empty()) {
      auto opened = devices.open(which);  // the error of what cannot be opened
      if (!opened) return tl::unexpected(Failure{std::move(opened.error()), found == nullptr ? kUsage : kFailed});
    } else if (verify) {
      IOS_TRY(usage(check_computes(found->info)));
    }
    return {};
  };
  IOS_TRY(checked(id, entry));
  if (id.empty()) session.note(default_note(devices, entry->info));
  if (verify && !job.reference.empty()) {
    IOS_TRY(checked(job.reference, devices.find(job.reference)));
  }
  return entry->info.id;
}

Workbench workbench_of(const Session& session, const StoreFlags& store) {
  return {session.devices(),
          {.place = {.kept = !store.none, .file = store.file}, .named = !store.file.empty()},
          IOSX_VERSION};
}

JobHooks hooks_of(Session& session) {
  return {.notice = [&session](const Message& notice) { session.note(notice); }};
}

}  // namespace iosx::cli
