#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/devices/device.h"
#include "core/model/graph/partition.h"
#include "core/model/plan/lanes/lane_schedule.h"
#include "core/model/schedule/schedule_table.h"
#include "core/search/options.h"
#include "core/search/prepare.h"

namespace iosx {

inline constexpr std::int64_t kMaxBatch = 65536;  // what both programs accept
Result<void> check_batch(std::int64_t batch);     // 1 to that

// A schedule that need not be made. Where nothing else is said, it is from a file.
struct GivenSchedule {
  GivenSchedule(Schedule own, ScheduleKind its_schedule_kind = ScheduleKind::kFile)
      : schedule(std::move(own)), schedule_kind(its_schedule_kind) {}
  GivenSchedule(Schedule own, std::optional<LaneSchedule> its_lanes)
      : schedule(std::move(own)), schedule_kind(ScheduleKind::kFile), lanes(std::move(its_lanes)) {}

  Schedule schedule;
  ScheduleKind schedule_kind;
  std::optional<LaneSchedule> lanes = {};  // of a barrier-free one, of the kernels that the schedule has on the device
  friend bool operator==(const GivenSchedule&, const GivenSchedule&) = default;
};

// Returns the plan of a graph's schedule on a device. The errors are those of barrier_free_plan().
Result<ExecutionPlan> plan_on(const DeviceInfo& device, const Graph& graph, const GivenSchedule& given,
                              std::int64_t batch);

// Returns the schedule of a network's own file, whose name and id are "file" in every comparison.
GivenSchedule schedule_in_file(Schedule own, std::optional<LaneSchedule> lanes);

struct CompareOptions {
  std::int64_t batch = 1;
  std::vector<ScheduleKind> schedule_kinds =
      made_schedule_kinds();  // of those; one that is there twice is made and run twice
  SearchOptions search = {};  // its strategies field is set by each schedule kind
  std::size_t max_part_size = kDefaultMaxPartSize;
  std::size_t max_streams = 10;
  TimingOptions timing = {};              // of every stage, and of every round of the end-to-end runs
  std::vector<GivenSchedule> given = {};  // further schedules
  // An earlier IOS-Flow of the graph, with its lanes: where IOS-Flow is requested, it is no slower than this one.
  std::optional<GivenSchedule> earlier = {};
  // A schedule that somebody made by hand, say: the search whose stages may be most may choose its stages too, and
  // finds nothing worse (core/search/search.h).
  std::optional<Schedule> warm_start = {};
  bool verify = false;
  bool sensitivity = false;
  bool quick = false;             // say what a longer search could still find: see kinds_to_optimize()
  std::int64_t memory_limit = 0;  // bytes of the planned peak (planned_peak()); 0: any
  friend bool operator==(const CompareOptions&, const CompareOptions&) = default;
};
template <>
inline constexpr auto kOptionTable<CompareOptions> = std::tuple{
    option(&CompareOptions::batch,
           {.id = "batch",
            .title = Sentence{"Batch size"},
            .help = Sentence{"Batch size. Default: the batch size in the network's file, else 1"},
            .bounds = {1, kMaxBatch}}),
    member("schedule_kinds", &CompareOptions::schedule_kinds),
    member("search", &CompareOptions::search),
    option(
        &CompareOptions::max_part_size,
        {.id = "max_part_size",
         .title = Sentence{"Part size"},
         .help = Sentence{"Maximum units in a part. A search handles the network part by part, and cuts larger parts"},
         .bounds = {1, kMaxPartUnits},
         .advanced = true,
         .uses = use::kSearches | use::kPruningExperiment | use::kSearchExperiment | use::kCount | use::kInspect}),
    option(&CompareOptions::max_streams, {.id = "max_streams",
                                          .title = Sentence{"Streams of greedy"},
                                          .help = Sentence{"Maximum groups in a stage of the greedy schedule"},
                                          .bounds = {1, kMaxBatch},
                                          .uses = use::kCompare}),
    member("timing", &CompareOptions::timing),
    not_written(&CompareOptions::given),
    not_written(&CompareOptions::earlier),
    not_written(&CompareOptions::warm_start),
    option(
        &CompareOptions::verify,
        {.id = "verify",
         .title = Sentence{"Verify outputs"},
         .help = Sentence{"Also compare the outputs with the outputs of the sequential schedule on the CPU in float32, "
                          "or on the device itself if no CPU device is available. The command fails if they differ"},
         .uses = use::kCompare | use::kOptimize | use::kImprove | use::kRun,
         .not_with_replay = use::kAll}),
    option(&CompareOptions::sensitivity,
           {.id = "sensitivity",
            .title = Sentence{"Sensitivity"},
            .help = Sentence{"Run the schedules again on simulated devices that have the errors of the model, and "
                             "report how often each schedule is the fastest"},
            .key = "doubt",
            .uses = use::kCompare,
            .not_with_replay = use::kAll}),
    option(
        &CompareOptions::quick,
        {.id = "quick",
         .title = Sentence{"Quick"},
         .help = Sentence{"Search no stages: put the kernels of the sequential schedule on lanes (List), and take "
                          "the fastest of List, sequential and greedy. It says what a longer search could still find"},
         .later = true,
         .uses = use::kOptimize}),
    option(&CompareOptions::memory_limit,
           {.id = "memory_limit",
            .title = Sentence{"Memory limit"},
            .help = Sentence{"Maximum planned memory of tensors, without weights (1 MB is 10^6 bytes). The search for "
                             "lanes respects the limit, and a schedule that exceeds it is marked and never the best"},
            .bounds = {0.001, 1e9},
            .unit = "MB",
            .scale = 1e6,
            .none = Sentence{"no limit"},
            .key = "memory_limit_bytes",
            .later = true,
            .python = "memory_limit_mb",
            .uses = use::kCompare | use::kOptimize})};

// These are the options of a job that CompareOptions lacks. Clients set the members of the same names in the requests
// to a workbench, and open warm_start and schedules for CompareOptions.
struct JobOptions {
  bool anew = false;
  bool replay = false;
  std::string reference = {};
  std::string warm_start = {};
  std::string predictor = {};
  std::string schedules = {};
};
template <>
inline constexpr auto kOptionTable<JobOptions> = std::tuple{
    option(
        &JobOptions::anew,
        {.id = "remeasure",
         .title = Sentence{"Measure again"},
         .help = Sentence{"Measure everything again, and replace the kept measurements, for example after measurements "
                          "on a busy machine"},
         .uses = use::kMeasuredSearches}),
    option(
        &JobOptions::replay,
        {.id = "replay",
         .title = Sentence{"Replay"},
         .help = Sentence{"Search again with the stored measurements of any computer, and measure nothing. --device is "
                          "then the id of a stored device, or a fingerprint"},
         .uses = use::kCompare | use::kOptimize | use::kExplain}),
    option(&JobOptions::reference, {.id = "reference",
                                    .title = Sentence{"Reference device"},
                                    .help = Sentence{"The device whose outputs verification uses as the reference"},
                                    .unit = "id",
                                    .uses = use::kCompare | use::kOptimize | use::kImprove | use::kRun}),
    option(&JobOptions::warm_start,
           {.id = "warm_start",
            .title = Sentence{"Warm start"},
            .help = Sentence{"A schedule made by hand. The search may use its stages, regardless of -r, -s and their "
                             "form, and never finds a worse schedule"},
            .text = OptionKind::kSchedule,
            .uses = use::kCompare | use::kOptimize}),
    option(&JobOptions::predictor,
           {.id = "predictor",
            .title = Sentence{"Predictor"},
            .help = Sentence{"Start searches from the predictions of this device, such as predicted:cpu. Also run the "
                             "schedule that a search finds from these predictions only, without measurements"},
            .unit = "id",
            .uses = use::kCompare}),
    option(&JobOptions::schedules, {.id = "schedules",
                                    .title = Sentence{"Schedules"},
                                    .help = Sentence{"Schedules to compare"},
                                    .none = Sentence{"all kinds that the device runs without a request"},
                                    .text = OptionKind::kSchedules,
                                    .uses = use::kCompare})};  // a sweep declares it: it takes kinds only

// Returns the options that one of these uses takes, of `options`, which outlive them.
std::vector<BoundOption> options_of(CompareOptions& options, Uses uses);
// Returns the options of compare() that have other values than in `before`; without it, than their defaults.
std::vector<OptionChange> changed_options(const CompareOptions& options, const CompareOptions& before = {});

// Returns the kinds of schedules to compare for the fastest that these strategies allow: the same as for a comparison,
// so that both call the same schedule best. Lanes are among them, unless `lanes` says otherwise, where all strategies
// are allowed, or memory is limited. A quick answer needs no search of stages: the lanes of List.
std::vector<ScheduleKind> kinds_to_optimize(const CompareOptions& options, std::optional<bool> lanes = {});

// Makes what one option implies of another so, once all are set: who asks for an effort that the lazy search alone
// makes gets that. The error is that options contradict one another, or are about what runs where `replayed`, the use
// that replays stored measurements, runs nothing.
Result<void> settle(CompareOptions& options, Uses replayed = 0);

}  // namespace iosx
