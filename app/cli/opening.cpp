#include "app/cli/opening.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "core/analysis/compare/compare.h"
#include "core/analysis/compare/replay.h"
#include "core/analysis/compare/verify.h"
#include "core/devices/measure/recorded_latency_source.h"
#include "core/devices/measure/store_place.h"
#include "core/devices/store/store_file.h"
#include "core/documents/report/output_file.h"
#include "core/documents/run_file/run_file.h"
#include "core/model/schedule/baselines.h"
#include "models/open_graph.h"

namespace iosx::cli {

namespace {

// Files that this program writes too, but not for a network's place.
Result<void> not_our_other_files(const std::string& path) {
  if (is_run_file(path)) return fail("is a saved run, not a network", path, "open it with iosx show");
  const auto kind = store::look_at(path);
  if (kind && *kind == store::Kind::kStore) {
    return fail("is a measurement store, not a network", path, "name it after --store");
  }
  return {};
}

}  // namespace

tl::expected<Document, OpenError> open_graph_argument(Session& session, const std::string& graph,
                                                      const SizeFlags& flags, std::int64_t* batch) {
  if (names_a_file(graph)) {
    if (auto network = not_our_other_files(graph); !network) {
      return tl::unexpected(OpenError{std::move(network.error()), kFailed});
    }
  }
  const auto at_once = session.at_once("reading the network");
  const auto sizes = flags.sizes();
  if (!sizes) return tl::unexpected(OpenError{sizes.error(), kUsage});
  auto document = open_graph(graph, *sizes);
  if (!document) {
    const bool file = names_a_file(graph) && !document.error().where.starts_with("--");
    return tl::unexpected(OpenError{std::move(document.error()), file ? kFailed : kUsage});
  }
  for (const std::string& warning : document->warnings) session.note(warning);
  if (const std::string chosen = chosen_text(document->file); !chosen.empty()) session.note(graph + ": " + chosen);
  if (batch == nullptr) return std::move(*document);
  const auto known = batch_to_run(*document, graph, *batch == 0 ? std::nullopt : std::optional(*batch));
  if (!known) return tl::unexpected(OpenError{known.error(), kUsage});
  *batch = *known;
  return std::move(*document);
}

tl::expected<OpenedSchedule, OpenError> open_schedule(const Document& document, const std::string& graph,
                                                      const std::string& schedule) {
  const auto schedule_kind = parse_schedule_kind(schedule);
  if (schedule_kind == ScheduleKind::kSequential)
    return OpenedSchedule{{sequential_schedule(*document.graph), *schedule_kind}};
  if (schedule_kind == ScheduleKind::kGreedy) return OpenedSchedule{{greedy_schedule(*document.graph), *schedule_kind}};
  std::error_code ignored;
  if (schedule_kind && row_of(*schedule_kind).strategies && !std::filesystem::exists(schedule, ignored)) {
    return tl::unexpected(
        OpenError{Error{"is found by a search, and there is no file of that name", "--schedule " + schedule,
                        fmt::format("search it with iosx optimize {} -o FILE, and give that FILE", graph)},
                  kUsage});
  }
  if (!schedule.empty()) {
    auto file = load_schedule(schedule, *document.graph);
    if (file) return OpenedSchedule{{std::move(file->schedule)}, std::move(file->notes)};
    return tl::unexpected(OpenError{std::move(file.error()), kFailed});
  }
  if (document.schedule) return OpenedSchedule{{*document.schedule}};
  return tl::unexpected(
      OpenError{Error{"holds no schedule", graph,
                      fmt::format("give one with --schedule FILE, or --schedule {}|{}",
                                  row_of(ScheduleKind::kSequential).id, row_of(ScheduleKind::kGreedy).id)},
                kUsage});
}

tl::expected<std::optional<Schedule>, OpenError> open_warm_start(const Document& document, const std::string& file) {
  if (file.empty()) return std::nullopt;
  auto opened = load_schedule(file, *document.graph);
  if (!opened) return tl::unexpected(OpenError{std::move(opened.error()), kFailed});
  return std::move(opened->schedule);
}

Result<void> check_output(const std::string& output, std::initializer_list<std::string_view> inputs,
                          StandardOutput standard_output) {
  if (output == kStandardOutput && standard_output == StandardOutput::kPossible) return {};
  for (const std::string_view input : inputs) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(input, ignored) && std::filesystem::equivalent(input, output, ignored)) {
      return fail("is what this command reads, and would be replaced", output, "name another file");
    }
  }
  return check_writable(output);
}

Result<void> write_output(Session& session, const std::string& output, std::string_view text) {
  if (output != kStandardOutput) return write_file(output, text);
  session.print_bytes(text);
  return {};
}

namespace {

std::string default_note(const DeviceRegistry& devices, const DeviceInfo& chosen) {
  if (chosen.origin == Origin::kMeasured) {
    return fmt::format("measuring on {} ({}); --device chooses another", chosen.id, chosen.name);
  }
  std::string note = fmt::format("simulating {} ({}); --device chooses another", chosen.id, chosen.name);
  const DeviceRegistry::Entry* const real = devices.best_computing();
  if (real != nullptr) note += fmt::format(", --device {} measures on this machine", real->info.id);
  return note;
}

}  // namespace

tl::expected<std::unique_ptr<Device>, OpenError> open_device(Session& session, const std::string& id,
                                                             bool wants_outputs) {
  const DeviceRegistry& devices = session.devices();
  const DeviceRegistry::Entry* entry = id.empty() ? devices.best() : devices.find(id);
  if (id.empty() && wants_outputs && devices.best_computing() != nullptr) entry = devices.best_computing();
  auto device = devices.open(entry == nullptr ? id : entry->info.id);
  if (!device) return tl::unexpected(OpenError{std::move(device.error()), entry == nullptr ? kUsage : kFailed});
  if (id.empty() && entry != nullptr) session.note(default_note(devices, entry->info));
  return std::move(*device);
}

tl::expected<Devices, OpenError> open_devices(Session& session, const std::string& id, const VerifyFlags& flags,
                                              bool wants_outputs) {
  IOS_TRY(auto device, open_device(session, id, wants_outputs || flags.verify));
  Devices devices{.device = std::move(device), .reference = nullptr};
  if (!flags.verify) return devices;
  const DeviceInfo& info = devices.device->info();
  if (auto computes = check_computes(info); !computes) {
    return tl::unexpected(OpenError{std::move(computes.error()), kUsage});
  }
  const DeviceRegistry::Entry* const usual = session.devices().reference();
  const std::string reference = !flags.reference.empty() ? flags.reference
                                : usual != nullptr       ? usual->info.id
                                                         : info.id;
  if (reference == info.id) return devices;
  auto opened = session.devices().open(reference);
  if (!opened) {
    const int exit_code = session.devices().find(reference) == nullptr ? kUsage : kFailed;
    return tl::unexpected(OpenError{std::move(opened.error()), exit_code});
  }
  devices.reference = std::move(*opened);
  if (auto computes = check_computes(devices.reference->info()); !computes) {
    return tl::unexpected(OpenError{std::move(computes.error()), kUsage});
  }
  return devices;
}

namespace {

// The store that a job on this device reads and adds to; null where there is none: with --no-store, and on a simulated
// device unless --store names a file. What happened to the file is noted. Where the usual file cannot be opened, a note
// says so and the job goes on without; where --store named it, that is an error.
tl::expected<std::unique_ptr<MeasurementStore>, OpenError> open_store(Session& session, const StoreFlags& flags,
                                                                      const DeviceInfo& device) {
  if (flags.none || (flags.file.empty() && device.origin == Origin::kSimulated)) return nullptr;
  const auto file = StorePlace{.file = flags.file}.path();
  auto store = file ? MeasurementStore::open(*file) : tl::unexpected(file.error());
  if (store) {
    for (const std::string& notice : (*store)->take_notices()) session.note(notice);
    return std::move(*store);
  }
  if (!flags.file.empty()) return tl::unexpected(OpenError{std::move(store.error()), kFailed});
  session.note(not_kept(store.error()));
  return nullptr;
}

tl::expected<Source, OpenError> open_recorded(const std::string& device, std::int64_t batch, const StoreFlags& flags) {
  const auto file = StorePlace{.file = flags.file}.path();
  auto store = file ? MeasurementStore::open(*file, MeasurementStore::Access::kReadOnly) : tl::unexpected(file.error());
  if (!store) return tl::unexpected(OpenError{std::move(store.error()), kFailed});
  auto set = recorded_set(**store, device, batch);
  if (!set) return tl::unexpected(OpenError{std::move(set.error()), kFailed});
  return Source{.devices = {}, .store = std::move(*store), .recorded = std::move(*set)};
}

}  // namespace

tl::expected<Source, OpenError> open_source(Session& session, const std::string& device, std::int64_t batch,
                                            const VerifyFlags& verify, const StoreFlags& store) {
  if (store.replay) return open_recorded(device, batch, store);
  IOS_TRY(auto devices, open_devices(session, device, verify));
  IOS_TRY(auto opened, open_store(session, store, devices.device->info()));
  return Source{.devices = std::move(devices), .store = std::move(opened), .anew = store.anew};
}

Result<Comparison> compare_with(const Source& source, const Graph& graph, CompareOptions options, Session& session) {
  options.keeping = {source.store.get(), IOSX_VERSION, source.anew};
  options.reference = source.devices.reference.get();
  auto comparison = source.recorded ? replay(graph, *source.store, *source.recorded, options, session.job())
                                    : compare(graph, *source.devices.device, options, session.job());
  if (source.store != nullptr) {  // also of a job that failed: files set aside, say
    for (const std::string& notice : source.store->take_notices()) session.note(notice);
  }
  if (!comparison) return comparison;
  for (const std::string& notice : comparison->notices) session.note(notice);
  return comparison;
}

}  // namespace iosx::cli
