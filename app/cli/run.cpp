#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "app/cli/options.h"
#include "app/cli/quantity.h"
#include "core/analysis/compare/profile.h"
#include "core/analysis/compare/reliability.h"
#include "core/analysis/compare/report.h"
#include "core/base/check.h"
#include "core/base/files.h"
#include "core/base/result.h"
#include "core/base/text.h"
#include "core/documents/report/output_file.h"
#include "core/documents/run_file/archive.h"
#include "core/documents/run_file/run_file.h"
#include "core/formats/network_tensors.h"
#include "core/formats/npy.h"
#include "core/formats/onnx/file_interface.h"
#include "core/model/graph/tensor.h"
#include "core/model/plan/execution_plan.h"
#include "core/model/plan/stage_planner.h"
#include "core/model/trace/trace.h"
#include "core/tables/render.h"

namespace iosx::cli {
namespace {

using Json = nlohmann::ordered_json;

struct RunArguments : NetworkArguments {
  std::string schedule;  // a file, the id of a baseline, or empty: the one in the graph's file
  std::string trace_file;
  std::vector<std::string> inputs;
  std::string output_folder;
};

struct WrittenOutput {
  std::string name;  // in the network's file
  std::string file;
};

// Returns whether the file is a .npz: tensors by their names.
bool is_npz(const std::filesystem::path& path) {
  if (!check_regular_file(path)) return false;  // to open a pipe waits
  std::ifstream file(path, std::ios::binary);
  std::array<char, 4> start{};
  file.read(start.data(), start.size());
  return file && std::string_view(start.data(), start.size()) == std::string_view("PK\x03\x04", 4);
}

// Reads the tensor with this name out of a .npz file.
Result<Tensor> read_npz(const std::string& path, std::span<const std::int64_t> dims, const std::string& name) {
  std::ifstream file(path, std::ios::binary);
  const std::string archive{std::istreambuf_iterator<char>(file), {}};
  const auto count = std::accumulate(dims.begin(), dims.end(), std::size_t{1}, std::multiplies<>());
  auto entry = unzip(archive, name + ".npy", count * sizeof(double) + kMostNpyHeader, path);
  if (!entry) {
    return fail(entry.error().what, path,
                message("save it with numpy.savez('FILE.npz', **{{'{}': x}}), where x has the shape {}", name,
                        tuple_text(dims)));
  }
  std::istringstream text(std::move(*entry));
  return read_npy(text, dims, fmt::format("{}, '{}'", path, name));
}

// Reads a plan's inputs: tensors from .npy files, one per network input in order, or all from one .npz by name; none
// without files. `network` has the plan's batch. Errors: files that do not fit.
Result<std::vector<Tensor>> read_inputs(const ExecutionPlan& plan, const FileInterface& network,
                                        const std::vector<std::string>& files) {
  if (files.empty()) return std::vector<Tensor>();
  const std::size_t count = network.inputs.size();
  IOS_CHECK(count == plan.inputs.size());
  for (const std::string& file : files) IOS_TRY(check_regular_file(file));  // a pipe would be waited for
  const bool together = files.size() == 1 && is_npz(files.front());
  if (!together && files.size() != count) {
    return fail(
        message("{} files for {} inputs", files.size(), count), "--input",
        message("give one file for each input of the network, in its order, or one .npz file with all of them"));
  }
  return network_inputs(plan, network, [&](const FileTensor& input, std::size_t i) {
    return together ? read_npz(files.front(), input.shape(), input.name) : read_npy(files[i], input.shape());
  });
}

// Writes a plan's outputs as "output_0.npy", … into the folder, in the order and with the shapes and types of `file`,
// whose batch is the plan's.
Result<std::vector<WrittenOutput>> write_outputs(const ExecutionPlan& plan, std::span<const Tensor> outputs,
                                                 const FileInterface& file, const std::string& folder) {
  std::vector<WrittenOutput> written;
  for (const auto& [output, tensor] : network_outputs(plan, outputs, file)) {
    // Numbered, because a tensor's name may be anything.
    const std::string path = (std::filesystem::path(folder) / fmt::format("output_{}.npy", written.size())).string();
    IOS_TRY(write_file(path, npy_bytes(tensor, output.shape(), output.type)));
    written.push_back({output.name, path});
  }
  return written;
}

// Returns the counters' means over the whole run.
Json counters_json(const Trace& trace) {
  Json counters = Json::array();
  for (const Counter& counter : trace.counters) {
    counters.push_back({{"name", counter.name},
                        {"unit", counter.unit},
                        {"mean", counter.mean(Micros{0}, trace.duration)},
                        {"peak", counter.peak}});
  }
  return counters;
}

// Returns what computed each kernel: one of oneDNN's implementations, a method of ours, or "own" for our other kernels.
Json methods_json(const ExecutionPlan& plan, const std::vector<std::string>& methods) {
  Json json = Json::array();
  for (std::size_t i = 0; i < methods.size(); ++i) {
    json.push_back({{"kernel", plan.kernels[i].name}, {"method", methods[i].empty() ? "own" : methods[i]}});
  }
  return json;
}

// Writes " +- 0.12 ms (35 runs)"; nothing for a latency without noise.
std::string noise_text(const Latency& latency) {
  if (is_modelled(latency.origin)) return {};
  return fmt::format(" +- {:.3f} ms ({} runs)", latency.spread.count(), latency.samples);
}

// Writes what follows the stages or lanes.
std::string rest_text(const ScheduleResult& result, const RunArguments& options) {
  std::string text;
  for (const Counter& counter : result.trace.counters) {
    const std::string of = counter.peak > 0 ? fmt::format(" of {:.0f} {}", counter.peak, counter.unit) : std::string();
    text += fmt::format("{}: mean {:.{}f}{}\n", counter.name, counter.mean(Micros{0}, result.trace.duration),
                        counter.peak < 100 ? 2 : 0, of);
  }
  if (result.peak_bytes > 0) text += fmt::format("memory: {} at most\n", bytes_text(result.peak_bytes));
  if (const std::string clock = clock_text(std::span(&result, 1)); !clock.empty()) text += clock + '\n';
  if (result.verification) text += fmt::format("verify: {}\n", verification_text(*result.verification));
  if (!options.trace_file.empty()) text += fmt::format("wrote {}\n", options.trace_file);
  return text;
}

// Writes a row a lane: how many kernels it runs, and for how long it is busy.
std::string lanes_text(const ScheduleResult& result) {
  std::vector<std::size_t> kernels(result.plan.lane_count(), 0);
  std::vector<Micros> busy(kernels.size(), Micros{0});
  std::size_t waits = 0;
  for (const Kernel& kernel : result.plan.kernels) {
    ++kernels[kernel.lane];
    waits += kernel.waits.size();
  }
  for (const KernelSpan& span : result.trace.kernels) busy[span.lane] += span.end - span.begin;
  std::string text = fmt::format("{:>5}  {:>7}  {:>9}\n", "lane", "kernels", "busy [ms]");
  for (std::size_t lane = 0; lane < kernels.size(); ++lane) {
    text += fmt::format("{:>5}  {:>7}  {:>9.4f}\n", lane + 1, kernels[lane], Millis(busy[lane]).count());
  }
  return text + fmt::format("\nwithout barriers: {} waits between lanes\n", waits);
}

std::string latency_text(const Comparison& comparison, const ScheduleResult& result) {
  if (!comparison.knows_latencies()) return std::string(kUnknownLatencies.pattern);
  return fmt::format("{:.3f} ms{} end to end, {}", result.latency.value.count(), noise_text(result.latency),
                     origin_name(result.latency.origin));
}

std::string run_text(const Comparison& comparison, const RunArguments& options) {
  const ScheduleResult& result = comparison.results.front();
  std::string text =
      fmt::format("{} on {}, batch {}, {} {}: {}\n\n", printable(comparison.graph->name()), comparison.device.name,
                  comparison.batch, result.lanes ? "schedule without barriers" : "schedule",
                  printable(result.schedule.name), latency_text(comparison, result));
  if (result.lanes) {
    if (comparison.knows_latencies()) text += lanes_text(result);
    return text + rest_text(result, options);
  }
  Table stages = stage_list(comparison, 0);
  stages.columns[column_of(stages, "latency_ms")].decimals = 4;
  text += table_text(stages);
  if (comparison.knows_latencies())
    text += fmt::format("\nsum of the stages alone: {:.3f} ms\n", result.stage_sum.count());
  return text + rest_text(result, options);
}

Exit run(RunArguments& options, Session& session) {
  IOS_TRY(settled(options.compare));
  IOS_TRY(const auto device,
          choose_device(session, options.device, options.job, options.compare.verify, !options.output_folder.empty()));
  IOS_TRY(auto document, open_graph_argument(session, options.graph, options.opening, &options.compare.batch));
  IOS_TRY(auto schedule, open_schedule(document, options.graph, options.schedule));
  if (schedule.notes.latency_ms && schedule.notes.batch != options.compare.batch) {
    session.note(fmt::format("{}: found for batch {}, and runs at batch {}; --batch sets it",
                             options.schedule.empty() ? options.graph : options.schedule, schedule.notes.batch,
                             options.compare.batch));
  }
  if (!options.trace_file.empty()) {
    IOS_TRY(check_output(options.trace_file, {options.graph, options.schedule}, beside_json(options.json)));
  }

  const Graph& graph = *document.graph;
  EvaluateRequest request{.graph = document.graph,
                          .device = device,
                          .batch = options.compare.batch,
                          .timing = options.compare.timing,
                          .given = schedule.given,
                          .verify = options.compare.verify,
                          .reference = options.job.reference,
                          .methods = options.json};
  const FileInterface interface = interface_of(document, options.compare.batch);
  if (!options.output_folder.empty()) {
    const DeviceInfo& info = session.devices().find(device)->info;
    const ExecutionPlan plan = StagePlanner(graph, options.compare.batch, info.lowering).plan(schedule.given.schedule);
    IOS_TRY(request.inputs, read_inputs(plan, interface, options.inputs));
    IOS_TRY(make_folder(options.output_folder));
  }
  IOS_TRY(auto outcome, workbench_of(session, options.store).run(request, session.job(), hooks_of(session)));
  Comparison comparison;  // of this schedule alone
  comparison.graph = document.graph;
  comparison.device = outcome.device;
  comparison.batch = options.compare.batch;
  comparison.results.push_back(std::move(outcome.result));
  const ScheduleResult* const result = &comparison.results.front();
  const DeviceInfo& info = outcome.device;
  std::vector<WrittenOutput> outputs;
  if (request.inputs) {
    IOS_TRY(outputs, write_outputs(result->plan, outcome.outputs, interface, options.output_folder));
  }
  if (!options.trace_file.empty()) {
    const NamedTrace trace{result->id.text(), &result->trace, !result->lanes};
    const std::string text = chrome_trace_json(std::span(&trace, 1), info.name, std::string(origin_name(info.origin)));
    IOS_TRY(write_output(session, options.trace_file, text));
  }
  const int exit_code = result->verification && !result->verification->passed() ? kFailed : kSuccess;
  if (options.trace_file == kStandardOutput) return exit_code;
  if (!options.json) {
    std::string text = run_text(comparison, options);
    for (const WrittenOutput& output : outputs)
      text += fmt::format("wrote {}: {}\n", output.file, printable(output.name));
    session.print(text);
    return exit_code;
  }
  Json json{{"graph", graph.name()},
            {"device", info.id},
            {"origin", origin_name(info.origin)},
            {"batch", options.compare.batch},
            {"schedule", schedule_result_json(comparison, *result)},
            {"lanes", result->plan.lane_count()},
            {"kernels", result->plan.kernels.size()},
            {"counters", counters_json(result->trace)}};
  if (!outcome.methods.empty()) json["methods"] = methods_json(result->plan, outcome.methods);
  if (!options.trace_file.empty()) json["trace"] = options.trace_file;
  for (const WrittenOutput& output : outputs) json["outputs"].push_back({{"name", output.name}, {"file", output.file}});
  session.print(json);
  return exit_code;
}

struct ProfileArguments : NetworkArguments {
  // Files or ids of baselines; empty: the one in the graph's file, or else what a search finds.
  std::vector<std::string> schedules;
  ProfileOptions profile;
  std::string run_file;
};

// Chooses the schedules besides sequential and greedy, which are there anyway.
tl::expected<void, Failure> choose_schedules(const Document& document, const ProfileArguments& options,
                                             CompareOptions& compare) {
  compare.schedule_kinds = {ScheduleKind::kSequential, ScheduleKind::kGreedy};
  for (const std::string& name : options.schedules) {
    IOS_TRY(auto opened, open_schedule(document, options.graph, name));
    if (opened.given.schedule_kind == ScheduleKind::kFile) compare.given.push_back(std::move(opened.given));
  }
  if (!options.schedules.empty()) return {};
  if (document.schedule) {
    compare.given.push_back(schedule_in_file(document.schedule->schedule, document.schedule->lanes));
  } else {
    compare.schedule_kinds.push_back(row_of(compare.search.strategies).schedule_kind);
  }
  return {};
}

Exit profile_command(ProfileArguments& options, Session& session) {
  IOS_TRY(settled(options.compare));
  IOS_TRY(auto document, open_graph_argument(session, options.graph, options.opening, &options.compare.batch));
  IOS_TRY(const auto device, choose_device(session, options.device));
  CompareOptions compare_options = options.compare;
  IOS_TRY(choose_schedules(document, options, compare_options));
  if (!options.run_file.empty()) {
    std::vector<std::string> inputs = options.schedules;
    inputs.push_back(options.graph);
    for (const std::string& input : inputs) {
      IOS_TRY(check_output(options.run_file, {input}));
    }
  }
  bool kept = false;  // the timelines are in the file
  const auto save = [&](const Comparison& profiled) -> Result<void> {
    if (options.run_file.empty()) return {};
    auto saved =
        save_run(make_run(profiled, compare_options, {options.graph, document.graph, document.batched}, IOSX_VERSION),
                 options.run_file);
    kept = saved.has_value();
    return saved;
  };
  JobHooks hooks = hooks_of(session);
  hooks.halfway = save;
  IOS_TRY(const auto outcome, workbench_of(session, options.store)
                                  .run(ProfileRequest{.graph = document.graph,
                                                      .device = device,
                                                      .options = compare_options,
                                                      .profile = options.profile,
                                                      .anew = options.job.anew},
                                       session.job(), hooks));
  if (!outcome.profiled) {
    session.note("profile: cancelled before any schedule was profiled");
    return kFailed;
  }
  const Comparison* const comparison = &outcome.comparison;
  for (const Message& sentence : ignored_options(*comparison, compare_options)) session.note(sentence);
  const Result<void> complete =
      outcome.without_counters ? tl::unexpected(*outcome.without_counters) : save(*comparison);
  if (!complete) {
    if (kept) session.note(fmt::format("{} contains the timelines without counters", options.run_file));
    return tl::unexpected(complete.error());
  }
  if (options.json) {
    Json json{{"graph", comparison->graph->name()},
              {"device", comparison->device.id},
              {"origin", origin_name(comparison->device.origin)},
              {"batch", comparison->batch},
              {"notices", comparison->notices},
              {"schedules", profile_json(*comparison)}};
    if (!options.run_file.empty()) json["files"] = {options.run_file};
    session.print(json);
    return kSuccess;
  }
  std::string text = profile_table(*comparison);
  if (!options.run_file.empty()) text += fmt::format("wrote {}\n", options.run_file);
  session.print(text);
  return kSuccess;
}

}  // namespace

void add_run(Command& program) {
  Command command = program.add_command("run", "Run one schedule, and show its latency, stages and trace");
  const auto options = command.runs(run);
  add_graph(command, options->graph, options->opening);
  command.add_option("--schedule", options->schedule, "FILE",
                     "A schedule file, sequential, one-by-one or greedy. Default: the schedule in GRAPH");
  add_device(command, options->device);
  add_accurate(command, options->device);
  add_batch(command, options->compare);
  add_options(command, options->compare, use::kRun);
  add_options(command, options->job, use::kRun);
  add_methods_store(command, options->store);
  command.add_option("-o,--output", options->trace_file, "FILE",
                     "Also write a Chrome trace, which Perfetto opens; - is standard output");
  command.add_option(
      "--output-dir", options->output_folder, "FOLDER",
      "Also write the outputs of the network to this folder as NumPy files: output_0.npy, … in the model's order");
  command
      .add_option(
          "--input", options->inputs, "FILE",
          "Inputs for --output-dir: a NumPy file for each input of the network, in order, with any numeric type and "
          "the shape that iosx inspect shows, or one .npz file with all inputs by name. Default: made-up numbers")
      .needs("--output-dir");
  add_json(command, options->json);
}

void add_profile(Command& program) {
  Command command = program.add_command("profile", "Profile the runs of schedules: launches and hardware counters");
  const auto options = command.runs(profile_command);
  add_graph(command, options->graph, options->opening);
  command.add_list(
      "--schedule", options->schedules, "FILE,…",
      "Schedule files, separated by commas; sequential and greedy are always included. Default: the schedule "
      "in GRAPH, else the result of a search");
  add_device(command, options->device);
  add_batch(command, options->compare);
  add_options(command, options->compare, use::kProfile);
  add_store(command, options->store, options->job);
  for (const BoundOption& option : bind_options(options->profile, use::kProfile)) add_option(command, option);
  command.add_option(
      "-o,--output", options->run_file, "FILE.iosrun",
      "Also save all results as a run file: first with all timelines, then again with the counters. iosx "
      "show and ios-explorer can open it on any computer");
  add_json(command, options->json);
}

}  // namespace iosx::cli
