#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "app/cli/options.h"
#include "app/cli/session.h"
#include "core/analysis/compare/profile.h"
#include "core/analysis/compare/report.h"
#include "core/analysis/difference/difference_report.h"
#include "core/base/text.h"
#include "core/documents/html/html_report.h"
#include "core/documents/report/comparison_files.h"
#include "core/documents/report/output_file.h"
#include "core/documents/run_file/run_file.h"
#include "core/formats/external/external_run.h"
#include "core/tables/render.h"

namespace iosx::cli {
namespace {

struct ShowArguments {
  std::string file;
  std::string folder;
  bool json = false;
};

Exit show_command(const ShowArguments& options, Session& session) {
  IOS_TRY(const auto run, open_run(options.file));
  std::vector<std::string> files;
  if (!options.folder.empty()) {
    IOS_TRY(const auto written, write_comparison_files(run.comparison, options.folder, run.external));
    for (const auto& path : written.paths) files.push_back(path.string());
    for (const std::string& sentence : written.left_out) session.note(sentence);
  }
  if (options.json) {
    nlohmann::ordered_json document = comparison_json(run.comparison, run.external);
    document["recorded"] = {{"host", run.place.host},
                            {"when", time_text(run.place.when)},
                            {"system", run.place.system},
                            {"program", run.place.program},
                            {"device", run.comparison.device.name},
                            {"fingerprint", run.comparison.device.fingerprint},
                            {"network", run.network.source}};
    if (profiled(run.comparison)) document["profile"] = profile_json(run.comparison);
    if (!files.empty()) document["files"] = files;
    session.print(document);
    return kSuccess;
  }
  std::string text = comparison_table(run.comparison);
  if (profiled(run.comparison)) text += profile_table(run.comparison) + '\n';
  if (!run.external.empty()) text += '\n' + external_runs_table(run.comparison, run.external);
  text += printable(fmt::format("{} (IOS Explorer {}, {})", recorded_text(run), run.place.program, run.place.system));
  std::vector<std::string> changed;
  for (const OptionChange& each : changed_options(run.options)) {
    changed.push_back(fmt::format("{} {}", each.info->flag(), value_text(*each.info, each.is)));
  }
  if (!changed.empty()) text += fmt::format("\noptions: {}", fmt::join(changed, ", "));
  if (!files.empty()) text += fmt::format("\n\nwrote {}", fmt::join(files, "\n      "));
  session.print(text);
  return kSuccess;
}

struct ReportArguments {
  std::vector<std::string> runs;
  std::string page;
  ExternalFlags external;
};

Exit report_command(const ReportArguments& options, Session& session) {
  for (const std::string& file : options.runs) {
    IOS_TRY(check_output(options.page, {file}, StandardOutput::kPossible));
  }
  IOS_TRY(check_output_external(options.page, options.external));
  Report report;
  for (const std::string& file : options.runs) {
    IOS_TRY(const auto run, open_run(file));
    report.beside.insert(report.beside.end(), run.external.begin(), run.external.end());
    report.runs.push_back(report_run(run));
  }
  const Graph* const graph = report.runs.front().comparison->graph.get();
  IOS_TRY(const auto given, read_recordings(options.external, graph, session));
  report.beside.insert(report.beside.end(), given.begin(), given.end());
  IOS_TRY(const auto page, html_report(report));
  IOS_TRY(write_output(session, options.page, page));
  if (options.page != kStandardOutput) session.print(fmt::format("wrote {}\n", options.page));
  return kSuccess;
}

using Json = nlohmann::ordered_json;

struct DiffArguments : MeasuringArguments {
  std::vector<std::string> runs;
};

// An argument is "FILE.iosrun:ios-both", "squeezenet:greedy" or "FILE.iosrun". A file whose name has a colon is meant
// by its whole name.
struct RunArgument {
  std::string place;     // a run file or a network
  std::string schedule;  // an id, a schedule kind or a schedule file; may be empty
};

RunArgument parse_run(const std::string& text) {
  std::error_code ignored;
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || std::filesystem::exists(text, ignored)) return {text, {}};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

tl::unexpected<Failure> wrong(Error error, int exit_code) {
  return tl::unexpected(Failure{std::move(error), exit_code});
}

// Returns the index of the result of a comparison that an argument means; without a schedule that is the fastest.
tl::expected<std::size_t, Failure> result_of(const Comparison& comparison, const RunArgument& run) {
  if (run.schedule.empty()) return comparison.best();
  if (const auto index = comparison.index_of(ScheduleId(run.schedule))) return *index;
  std::string ids;
  for (const ScheduleResult& result : comparison.results) ids += (ids.empty() ? "" : ", ") + result.id.text();
  return wrong({message("has no schedule '{}'", run.schedule), run.place, message("it has {}", ids)}, kUsage);
}

// Opens run files once each, and makes and runs what is asked for of networks, each network once.
class Opener {
 public:
  Opener(const DiffArguments& options, Session& session) : options_(options), session_(session) {}

  tl::expected<std::vector<Subject>, Failure> open() {
    std::vector<RunArgument> runs;
    for (const std::string& text : options_.runs) runs.push_back(parse_run(text));
    for (const RunArgument& run : runs) {
      IOS_TRY(make_ready(run.place, runs));
    }
    std::vector<Subject> subjects;
    if (runs.size() == 1 && runs.front().schedule.empty()) {
      const auto& comparison = known_.at(runs.front().place);
      for (std::size_t i = 0; i < comparison->results.size(); ++i) {
        if (comparison->results[i].asked) subjects.push_back({comparison, i});
      }
      return subjects;
    }
    for (const RunArgument& run : runs) {
      const auto& comparison = known_.at(run.place);
      const auto given = given_.find({run.place, run.schedule});
      IOS_TRY(const auto result,
              result_of(*comparison, given == given_.end() ? run : RunArgument{run.place, given->second}));
      subjects.push_back({comparison, result});
    }
    return subjects;
  }

 private:
  tl::expected<void, Failure> make_ready(const std::string& place, const std::vector<RunArgument>& runs) {
    if (known_.contains(place)) return {};
    if (file_kind(place) == FileKind::kRun) {
      IOS_TRY(auto run, open_run(place));
      known_[place] = std::make_shared<const Comparison>(std::move(run.comparison));
      return {};
    }
    return run_network(place, runs);
  }

  tl::expected<void, Failure> run_network(const std::string& place, const std::vector<RunArgument>& runs) {
    CompareOptions compare_options = options_.compare;
    IOS_TRY(auto document, open_graph_argument(session_, place, options_.opening, &compare_options.batch));
    IOS_TRY(const auto device, choose_device(session_, options_.device, options_.job));
    compare_options.schedule_kinds =
        runs.size() == 1 && runs.front().schedule.empty() ? made_schedule_kinds() : std::vector<ScheduleKind>{};
    std::vector<std::string> files;
    for (const RunArgument& run : runs) {
      if (run.place != place || run.schedule.empty()) continue;
      const auto schedule_kind = parse_schedule_kind(run.schedule);
      if (schedule_kind && !row_of(*schedule_kind).given()) {
        if (std::ranges::find(compare_options.schedule_kinds, *schedule_kind) == compare_options.schedule_kinds.end()) {
          compare_options.schedule_kinds.push_back(*schedule_kind);
        }
      } else if (std::ranges::find(files, run.schedule) == files.end()) {
        IOS_TRY(auto schedule, open_schedule(document, place, run.schedule));
        compare_options.given.push_back(std::move(schedule.given));
        files.push_back(run.schedule);
      }
    }
    IOS_TRY(auto comparison, workbench_of(session_, options_.store)
                                 .run(CompareRequest{.graph = document.graph,
                                                     .device = device,
                                                     .options = std::move(compare_options),
                                                     .replay = options_.job.replay,
                                                     .anew = options_.job.anew},
                                      session_.job(), hooks_of(session_)));
    std::size_t next = 0;
    for (const ScheduleResult& result : comparison.results) {
      if (row_of(result.schedule_kind).given() && next < files.size())
        given_[{place, files[next++]}] = result.id.text();
    }
    known_[place] = std::make_shared<const Comparison>(std::move(comparison));
    return {};
  }

  const DiffArguments& options_;
  Session& session_;
  std::map<std::string, std::shared_ptr<const Comparison>> known_;
  std::map<std::pair<std::string, std::string>, std::string> given_;  // schedule files by network: their ids
};

// Refuses options of what is run where everything is saved.
tl::expected<void, Failure> check_used(const DiffArguments& options, const CompareOptions& usual) {
  const auto runs = [](const std::string& text) { return file_kind(parse_run(text).place) != FileKind::kRun; };
  if (std::ranges::any_of(options.runs, runs)) return {};
  const OpeningFlags& opening = options.opening;
  const bool given = !options.device.id.empty() || !options.device.workers.empty() || !opening.shapes.empty() ||
                     !opening.dims.empty() || opening.finer_units || options.compare != usual ||
                     !options.store.file.empty() || options.store.none || options.job.anew;
  if (!given) return {};
  return wrong_usage(message("is a saved run, and nothing is run"), options.runs.front(),
                     message("leave out the options of networks, devices and searches"));
}

Exit diff_command(DiffArguments& options, Session& session) {
  IOS_TRY(check_used(options, DiffArguments().compare));
  IOS_TRY(settled(options.compare));
  IOS_TRY(std::vector<Subject> subjects, Opener(options, session).open());
  if (subjects.size() < 2) {
    return wrong_usage(message("there is only one schedule"), options.runs.front(), message("name a second schedule"));
  }
  label_subjects(subjects);
  for (const Subject& subject : subjects) {
    if (!subject.comparison->knows_latencies()) return fail(kUnknownLatencies, subject.label);
  }
  const auto matches = match_with_all(subjects, 0);
  const PartMatrix matrix = part_matrix(subjects, 0, matches);
  const Finding finding = find_out(subjects, matrix);
  const std::size_t other = finding.subject;
  const StageDifference difference = compare_stages(subjects[0], subjects[other], matches[other], matrix.per);
  if (options.json) {
    Json document = matrix_json(subjects, matrix);
    document["stages"] = stages_json(subjects[0], subjects[other], matches[other], difference);
    session.print(document);
    return kSuccess;
  }
  std::string text = finding_sentence(subjects, matrix, finding) + "\n\n";
  if (const std::string match = match_text(subjects[0], subjects[other], matches[other]); !match.empty()) {
    text += match + '\n';
  }
  text += table_text(part_comparison(subjects, matrix)) + '\n';
  text += fmt::format("A: {}, B: {}; ~ means within the noise, ? means too few samples\n\n",
                      printable(subjects[0].label), printable(subjects[other].label));
  text += difference.has_latencies ? table_text(stage_comparison(subjects[0], subjects[other], difference))
                                   : "The stage latencies of at least one schedule are not known.\n";
  if (difference.traced) text += "stage times of a schedule without barriers are shares of a traced run\n";
  session.print(text);
  return kSuccess;
}

constexpr std::size_t kListed = 30;

struct ExternalArguments {
  std::string file;
  std::string graph;
  OpeningFlags opening;
  ExternalFlags how;
  bool all = false;
  bool json = false;
};

Exit external_command(const ExternalArguments& options, Session& session) {
  std::shared_ptr<const Graph> graph;
  if (!options.graph.empty()) {
    IOS_TRY(auto document, open_graph_argument(session, options.graph, options.opening));
    graph = document.graph;
  }
  const auto at_once = session.at_once("reading the file");
  IOS_TRY(const auto runs, read_external(options.file, {}, options.how.options(graph.get())));
  if (options.json) {
    Json list = Json::array();
    for (const ExternalRun& run : runs) list.push_back(external_json(run, graph.get()));
    session.print(Json{{"runs", std::move(list)}});
    return kSuccess;
  }
  std::string text;
  for (const ExternalRun& run : runs) {
    if (!text.empty()) text += '\n';
    text += external_text(run, graph.get(), options.all ? 0 : kListed);
  }
  session.print(text);
  return kSuccess;
}

// Splits FILE=LABEL: the file is what exists, for either may have an equals sign in it.
std::pair<std::string, std::string> file_and_label(const std::string& given) {
  std::error_code ignored;
  std::size_t equals = given.size();
  while (!std::filesystem::exists(given.substr(0, equals), ignored)) {
    equals = equals == 0 ? std::string::npos : given.rfind('=', equals - 1);
    if (equals == std::string::npos) break;
  }
  if (equals == std::string::npos) equals = given.find('=');
  if (equals >= given.size()) return {given, {}};
  return {given.substr(0, equals), given.substr(equals + 1)};
}

}  // namespace

void add_show(Command& program) {
  Command command = program.add_command("show", "Print a saved run as compare printed it (see compare --save)");
  const auto options = command.runs(show_command);
  command.add_option("RUN", options->file, "FILE", "A run file, FILE.iosrun").required();
  command.add_option("-o,--output", options->folder, "DIR",
                     "Also write table, JSON, CSV, schedules and traces to this folder");
  add_json(command, options->json);
}

void add_report(Command& program) {
  Command command = program.add_command(
      "report", "Write saved runs as one interactive HTML page that opens in any browser and loads no other files");
  const auto options = command.runs(report_command);
  command
      .add_option("RUN", options->runs, "FILE...",
                  "Run files, FILE.iosrun (see compare --save); the first one is the baseline")
      .required();
  command.add_option("-o,--output", options->page, "FILE.html", "The HTML page to write").required();
  add_external(command, options->external);
}

void add_diff(Command& program) {
  Command command = program.add_command("diff",
                                        "Show how schedules differ and where they spend time. They come from saved "
                                        "runs, or from networks that this command runs");
  const auto options = command.runs(diff_command);
  command
      .add_option("RUN", options->runs, "RUN[:SCHEDULE]",
                  "FILE.iosrun[:ID] or NETWORK:SCHEDULE, where SCHEDULE is an id or a file. The first one is the "
                  "baseline. A run file without an ID stands for all its schedules")
      .required();
  add_device(command, options->device);
  add_batch(command, options->compare);
  add_sizes(command, options->opening);
  add_finer_units(command, options->opening);
  add_options(command, options->compare, use::kDiff);
  add_store(command, options->store, options->job);
  add_json(command, options->json);
}

ExternalOptions ExternalFlags::options(const Graph* graph) const {
  return {.unit = parse_time_unit(unit), .runs = runs, .range = range, .layers = layers, .graph = graph};
}

std::vector<Option> add_external_reading(Command& command, ExternalFlags& flags, const std::string& prefix) {
  const Option unit = command
                          .add_option("--" + prefix + "unit", flags.unit, "ns|us|ms|s",
                                      "Unit of the latencies in a CSV table whose header names no unit. Default: ms")
                          .check(one_of({"ns", "us", "ms", "s"}));
  const Option layers =
      command.add_option("--" + prefix + "layers", flags.layers, "FILE",
                         "The layer information of TensorRT (trtexec --exportLayerInfo), for its profile");
  const Option runs = command
                          .add_option("--" + prefix + "runs", flags.runs, "N",
                                      "Number of runs in a trace that does not mark its runs. Default: 1")
                          .check(whole_number(1, 1'000'000, "a number of runs"));
  const Option range = command.add_option("--" + prefix + "range", flags.range, "NAME",
                                          "The range of record_function() or NVTX that is a run. Default: the steps "
                                          "of PyTorch's profiler, or all of the file");
  return {unit, layers, runs, range};
}

void add_external(Command& command, ExternalFlags& flags) {
  command.add_repeated(
      "--external", flags.files, "FILE[=LABEL]",
      "Also show a recording of another program: a CSV table (name, latency), a Chrome trace, a profile "
      "of ONNX Runtime or PyTorch, times of trtexec or benchmark_app, or an export of nsys or ncu. "
      "Repeat the option for several files");
  for (Option option : add_external_reading(command, flags, "external-")) option.needs("--external");
}

Result<void> check_output_external(const std::string& output, const ExternalFlags& flags) {
  for (const std::string& given : flags.files) {
    const std::string file = file_and_label(given).first;
    if (auto possible = check_output(output, {file}, StandardOutput::kPossible); !possible) return possible;
  }
  return {};
}

Result<std::vector<ExternalRun>> read_recordings(const ExternalFlags& flags, const Graph* graph, Session& session) {
  const auto at_once = session.at_once("reading the recordings of other programs");
  std::vector<ExternalRun> all;
  for (const std::string& given : flags.files) {
    const auto [file, label] = file_and_label(given);
    IOS_TRY(auto runs, read_external(file, label, flags.options(graph)));
    for (ExternalRun& run : runs) all.push_back(std::move(run));
  }
  return all;
}

void add_external(Command& program) {
  Command command = program.add_command(
      "external", "List the kernels that another program recorded, and the operators of a network that they match");
  const auto options = command.runs(external_command);
  command
      .add_option("FILE", options->file, "FILE",
                  "A CSV table, a Chrome trace, a profile of ONNX Runtime or PyTorch, times of trtexec or "
                  "benchmark_app, or an export of nsys or ncu")
      .required();
  command.add_option("GRAPH", options->graph, "NAME|FILE",
                     "The network: the name of a built-in network, or a graph file");
  add_sizes(command, options->opening);
  add_external_reading(command, options->how, "");
  command.add_flag("--all", options->all, "List every kernel, in the file's order");
  add_json(command, options->json);
}

}  // namespace iosx::cli
