#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "app/cli/options.h"
#include "core/analysis/difference/difference_report.h"
#include "core/base/printable.h"
#include "core/documents/run_file/run_file.h"
#include "core/tables/render.h"

namespace iosx::cli {
namespace {

using Json = nlohmann::ordered_json;

struct DiffArguments {
  std::vector<std::string> runs;
  DeviceFlags device;
  OpeningFlags opening;
  CompareOptions compare{.batch = 0};
  StoreFlags store;
  bool json = false;
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
    IOS_TRY(const auto device, choose_device(session_, options_.device, {}, options_.store));
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
                                                     .replay = options_.store.replay,
                                                     .anew = options_.store.anew},
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

Exit diff_command(DiffArguments& options, Session& session) {
  IOS_TRY(settled(options.compare));
  IOS_TRY(std::vector<Subject> subjects, Opener(options, session).open());
  if (subjects.size() < 2) {
    return session.fail(
        Error{message("there is only one schedule"), options.runs.front(), message("name a second schedule")}, kUsage);
  }
  label_subjects(subjects);
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

}  // namespace

void add_diff(Command& program) {
  Command command = program.add_command("diff",
                                        "Show how schedules differ and where they spend time. They come from saved "
                                        "runs, or from networks that this command runs");
  auto options = std::make_shared<DiffArguments>();
  command
      .add_option("RUN", options->runs,
                  "FILE.iosrun[:ID] or NETWORK:SCHEDULE, where SCHEDULE is an id or a file. The first one is the "
                  "baseline. A run file without an ID stands for all its schedules")
      .required()
      .type_name("RUN[:SCHEDULE]");
  add_device(command, options->device);
  add_batch(command, options->compare.batch);
  add_sizes(command, options->opening);
  add_options(command, options->compare, use::kDiff);
  add_store(command, options->store);
  add_json(command, options->json);
  command.runs([options](Session& session) { return diff_command(*options, session); });
}

}  // namespace iosx::cli
