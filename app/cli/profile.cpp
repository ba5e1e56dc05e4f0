#include "core/analysis/compare/profile.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "app/cli/options.h"
#include "core/documents/report/output_file.h"
#include "core/documents/run_file/run_file.h"

namespace iosx::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ProfileArguments {
  std::string graph;
  OpeningFlags opening;
  // Files or ids of baselines; empty: the one in the graph's file, or else what a search finds.
  std::vector<std::string> schedules;
  DeviceFlags device;
  CompareOptions compare{.batch = 0};
  StoreFlags store;
  ProfileOptions profile;
  std::string run_file;
  bool json = false;
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
    compare.given.emplace_back(*document.schedule);
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
                                                      .anew = options.store.anew},
                                       session.job(), hooks));
  if (!outcome.profiled) {
    session.note("profile: cancelled before any schedule was profiled");
    return kFailed;
  }
  const Comparison* const comparison = &outcome.comparison;
  if (outcome.without_counters) {
    if (kept) session.note(fmt::format("{} contains the timelines without counters", options.run_file));
    return session.fail(*outcome.without_counters);
  }
  if (auto saved = save(*comparison); !saved) {
    if (kept) session.note(fmt::format("{} contains the timelines without counters", options.run_file));
    return session.fail(saved.error());
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

void add_profile(Command& program) {
  Command command = program.add_command("profile", "Profile the runs of schedules: launches and hardware counters");
  auto options = std::make_shared<ProfileArguments>();
  add_graph(command, options->graph, options->opening);
  command
      .add_list("--schedule", options->schedules,
                "Schedule files, separated by commas; sequential and greedy are always included. Default: the schedule "
                "in GRAPH, else the result of a search")
      .type_name("FILE,…");
  add_device(command, options->device);
  add_batch(command, options->compare.batch);
  add_options(command, options->compare, use::kProfile);
  add_store(command, options->store);
  for (const BoundOption& option : bind_options(options->profile, use::kProfile)) add_option(command, option);
  command
      .add_option("-o,--output", options->run_file,
                  "Also save all results as a run file: first with all timelines, then again with the counters. iosx "
                  "show and ios-explorer can open it on any computer")
      .type_name("FILE.iosrun");
  add_json(command, options->json);
  command.runs([options](Session& session) { return profile_command(*options, session); });
}

}  // namespace iosx::cli
