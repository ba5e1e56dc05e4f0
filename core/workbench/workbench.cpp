#include "core/workbench/workbench.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>
#include <utility>

#include "core/analysis/compare/compare.h"
#include "core/analysis/compare/make_schedules.h"
#include "core/analysis/compare/profile.h"
#include "core/analysis/compare/reliability.h"
#include "core/model/plan/stage_planner.h"
#include "core/search/prepare.h"
#include "core/workbench/request_resources.h"

namespace iosx {
namespace {

// Returns the result of a search on a predicting device, without measurements.
Result<GivenSchedule> predicted_schedule(const Graph& graph, Device& predictor, const CompareOptions& wanted,
                                         const JobContext& job) {
  if (predictor.info().origin != Origin::kPredicted) {
    return fail(message("makes no predictions"), predictor.info().id,
                message("choose a device made by iosx operators train"));
  }
  CompareOptions options;
  options.batch = wanted.batch;
  options.schedule_kinds = {ScheduleKind::kIosBoth};
  options.search = wanted.search;
  options.max_part_size = wanted.max_part_size;
  IOS_TRY(const auto found, compare(graph, predictor, options, named(job, predictor.info().id)));
  const auto best = std::ranges::find(found.results, ScheduleKind::kIosBoth, &ScheduleResult::schedule_kind);
  if (best == found.results.end()) return fail(message("stopped before the search had ended"), predictor.info().id);
  GivenSchedule given(best->schedule);
  given.schedule.name = predictor.info().id;
  return given;
}

Result<Comparison> compare_on(RequestResources& resources, Device& device, const CompareRequest& request,
                              const JobContext& job, const JobHooks& hooks) {
  CompareContext context;
  context.listener = hooks.compare;
  context.abandon = hooks.abandon;
  if (request.options.verify) {
    IOS_TRY(context.reference, resources.reference(request.reference, device));
  }
  IOS_TRY(context.keeping, resources.keeping(device.info(), request.anew));
  CompareOptions options = request.options;
  if (!request.predictor.empty()) {
    IOS_TRY(context.guesser, resources.device(request.predictor));
    const DeviceInfo& predictor = context.guesser->info();
    const bool predicts = predictor.origin == Origin::kPredicted;
    if (predicts && !predictor.fingerprint.starts_with(fmt::format("predicted {} ", device.info().fingerprint))) {
      resources.tell({message("{} predicts another device than {}", predictor.id, device.info().id)});
    }
    if (predicts && predictor.lowering != device.info().lowering) {
      resources.tell(
          {message("stages run in another form there: searches start without the predictions of {}", predictor.id)});
    }
    IOS_TRY(auto predicted, predicted_schedule(*request.graph, *context.guesser, options, job));
    options.given.push_back(std::move(predicted));
  }
  auto comparison = compare(*request.graph, device, options, job, context);
  if (comparison) resources.tell(comparison->notices);
  return comparison;
}

// Returns what was measured before, without measuring anything.
Result<Comparison> known_comparison(RequestResources& resources, const SweepBase& base, const DeviceInfo& device,
                                    const JobContext& job) {
  MeasurementStore* const store = resources.known();
  if (store == nullptr) return fail(message("not measured yet"));
  auto found = replay(*base.graph, *store, measurement_set(device, base.options.batch), base.options, job);
  if (!found) return fail(message("not measured yet"));
  return found;
}

// Reports the notices of a latency source's store at its end, also after a failed request.
class TellsNotices {
 public:
  TellsNotices(RequestResources& resources, DeviceLatencySource& source) : resources_(resources), source_(source) {}
  ~TellsNotices() { resources_.tell(source_.take_notices()); }
  TellsNotices(const TellsNotices&) = delete;
  TellsNotices& operator=(const TellsNotices&) = delete;

 private:
  RequestResources& resources_;
  DeviceLatencySource& source_;
};

// The latency source of explain(), and its subject.
struct Latencies {
  std::unique_ptr<KnownLatencies> known;  // that the source belongs to; null: it is its own
  std::unique_ptr<StageLatencySource> own;
  std::unique_ptr<TellsNotices> notices;  // of its own; null where nothing is kept
  StageLatencySource* source = nullptr;
  DeviceInfo device;
  std::optional<PeakRates> rates = {};
};

Result<Latencies> latencies_for(const Workbench& workbench, RequestResources& resources, const ExplainRequest& request,
                                const Graph& graph) {
  Latencies latencies;
  if (request.known != nullptr) {
    latencies.device = request.known->device;
    latencies.known =
        std::make_unique<KnownLatencies>(workbench, graph, latencies.device, request.batch, request.known.get());
    latencies.source = &latencies.known->source();
    return latencies;
  }
  if (request.replay) {
    IOS_TRY(auto recorded, resources.recorded(request.device, request.batch));
    latencies.device.id = recorded.set.device_id;
    latencies.device.name = recorded.set.device_name;
    latencies.own = std::make_unique<RecordedLatencySource>(graph, recorded.store, std::move(recorded.set));
  } else {
    IOS_TRY(Device* const device, resources.device(request.device));
    IOS_TRY(auto keeping, resources.keeping(device->info(), request.anew));
    latencies.device = device->info();
    latencies.rates = device->peak_rates();
    if (request.asks(latencies.device)) {
      auto asked = std::make_unique<DeviceLatencySource>(graph, *device, request.batch, request.timing, keeping);
      latencies.notices = std::make_unique<TellsNotices>(resources, *asked);
      latencies.own = std::move(asked);
    } else {
      latencies.own = std::make_unique<RecordedLatencySource>(
          graph, keeping.store, measurement_set(latencies.device, request.batch), RecordedLatencySource::Where::kHere);
    }
  }
  latencies.source = latencies.own.get();
  return latencies;
}

// Returns the schedule that a search finds, to be explained; the request's pruning becomes the one that it ended with.
Result<Schedule> search_to_explain(StrategySet strategies, const Graph& graph, StageLatencySource& source,
                                   SearchOptions& options, RequestResources& resources, const JobContext& job) {
  SearchOptions own = options;
  own.strategies = strategies;
  IOS_TRY(auto found, search(graph, source, own, job));
  const bool out_of_budget = found.lazy && found.lazy->out_of_budget;
  if (!found.complete) {
    if (!out_of_budget) return fail(message("stopped before the search had ended"));
    return fail(message("the search found no schedule within its budget"), {},
                message("give a larger {}", info_of(&SearchEffort::budget).flag()));
  }
  if (out_of_budget) resources.tell({message("the budget ended the search")});
  if (!found.knew_all) resources.tell({message("only measured stages were searched; others may be better")});
  if (found.lazy) options.pruning = found.lazy->widened.value_or(options.pruning);
  return std::move(found.schedule);
}

}  // namespace

const DeviceRegistry::Entry* Workbench::default_device(bool computes) const {
  const DeviceRegistry::Entry* const computing = computes ? devices_->best_computing() : nullptr;
  return computing != nullptr ? computing : devices_->best();
}

Result<Outcome> Workbench::run(const Request& request, const JobContext& job, const JobHooks& hooks) const {
  return std::visit(
      [&](const auto& one) -> Result<Outcome> {
        static_assert(!std::is_same_v<decltype(run(one, job, hooks)), Result<Outcome>>,
                      "this kind of request lacks a Workbench::run() of its own");
        IOS_TRY(auto outcome, run(one, job, hooks));
        return Outcome(std::move(outcome));
      },
      request);
}

Result<Comparison> Workbench::run(const CompareRequest& request, const JobContext& asked, const JobHooks& hooks) const {
  RequestResources resources(*this, hooks);
  const JobContext job = resources.telling(asked);
  if (!request.replay) {
    IOS_TRY(Device* const device, resources.device(request.device));
    return compare_on(resources, *device, request, job, hooks);
  }
  IOS_TRY(const auto recorded, resources.recorded(request.device, request.options.batch));
  auto comparison = replay(*request.graph, *recorded.store, recorded.set, request.options, job, hooks.compare);
  if (comparison) resources.tell(comparison->notices);
  return comparison;
}

Result<Evaluation> Workbench::run(const EvaluateRequest& request, const JobContext& asked,
                                  const JobHooks& hooks) const {
  RequestResources resources(*this, hooks);
  const JobContext job = resources.telling(asked);
  const Graph& graph = *request.graph;
  IOS_TRY(Device* const device, resources.device(request.device));
  Device* reference = nullptr;
  if (request.verify) {
    IOS_TRY(reference, resources.reference(request.reference, *device));
  }
  Evaluation evaluation{.result = {}, .device = device->info()};
  if (request.inputs) {
    if (!device->info().computes) {
      return fail(message("does not compute outputs"), device->info().id,
                  message("choose another device with --device, for example cpu"));
    }
    const RunOptions once{.timing = {.warmup = 0, .repeats = 1, .max_repeats = 1, .min_time = Millis{0}},
                          .outputs = true,
                          .inputs = *request.inputs};
    IOS_TRY(auto plan, plan_on(device->info(), graph, request.given, request.batch));
    IOS_TRY(auto run, load_and_run(*device, std::move(plan), once, job));
    evaluation.outputs = std::move(run.outputs);
  }
  IOS_TRY(evaluation.result,
          evaluate(graph, request.given, *device, request.batch, request.timing, job, request.verify, reference));
  if (request.methods) {
    if (const auto loaded = device->load(evaluation.result.plan, {}, job)) evaluation.methods = (*loaded)->methods();
  }
  if (Message sensitivity = does_not_fit(*device, evaluation.result.plan, graph); !sensitivity.empty()) {
    resources.tell({std::move(sensitivity)});
  }
  return evaluation;
}

Result<ImproveOutcome> Workbench::run(const ImproveRequest& request, const JobContext& asked,
                                      const JobHooks& hooks) const {
  RequestResources resources(*this, hooks);
  const JobContext job = resources.telling(asked);
  const Graph& graph = *request.graph;
  const Schedule& start = request.start.schedule;
  IOS_TRY(Device* const device, resources.device(request.device));
  IOS_TRY(auto keeping, resources.keeping(device->info(), request.anew));
  const SearchOptions search = improving(request.search, start, request.pinned);
  IOS_TRY(const auto parts, prepare(graph, search, request.max_part_size, kPartBudget, job));
  DeviceLatencySource source(parts, *device, request.batch, request.timing, keeping);
  const TellsNotices notices(resources, source);
  ImproveOutcome outcome;
  IOS_TRY(outcome.improvement, improve(parts, start, source, search, job));
  Schedule& found = outcome.improvement.found.schedule;
  if (!request.name.empty()) found.name = request.name;
  if (!request.run) return outcome;
  CompareRequest both{.graph = request.graph, .device = request.device};
  both.options.batch = request.batch;
  both.options.schedule_kinds = {};
  both.options.timing = request.timing;
  both.options.verify = request.verify;
  both.options.sensitivity = true;
  both.options.given = {request.start, GivenSchedule(found, ScheduleKind::kByHand)};
  both.anew = request.anew;
  both.reference = request.reference;
  IOS_TRY(outcome.comparison, compare_on(resources, *device, both, job, hooks));
  // The parts of a search from nothing.
  const auto plain = prepare(graph, request.search, request.max_part_size, kPartBudget, job);
  outcome.beyond = beyond_search(plain ? *plain : parts, outcome.comparison->results[1].schedule, request.search);
  return outcome;
}

Result<StageLatencies> Workbench::run(const MeasureStagesRequest& request, const JobContext& asked,
                                      const JobHooks& hooks) const {
  RequestResources resources(*this, hooks);
  const JobContext job = resources.telling(asked);
  IOS_TRY(Device* const device, resources.device(request.device));
  IOS_TRY(auto keeping, resources.keeping(device->info()));
  DeviceLatencySource source(*request.graph, *device, request.batch, request.timing, keeping);
  const TellsNotices notices(resources, source);
  IOS_TRY(auto latencies, source.refined_latencies(request.stages, job));
  if (Message lacks = left_out_among(latencies, request.device); !lacks.empty()) return fail(std::move(lacks));
  return StageLatencies{std::move(latencies)};
}

Result<MeasuredDrawing> Workbench::run(const MeasureDrawingRequest& request, const JobContext& asked,
                                       const JobHooks& hooks) const {
  RequestResources resources(*this, hooks);
  const JobContext job = resources.telling(asked);
  IOS_TRY(Device* const device, resources.device(request.device));
  IOS_TRY(auto keeping, resources.keeping(device->info()));
  DeviceLatencySource source(*request.graph, *device, request.batch, request.timing, keeping);
  const TellsNotices notices(resources, source);
  IOS_TRY(auto figures, measured_figures(*request.graph, source, request.limits, job));
  return MeasuredDrawing{std::move(figures), device->info()};
}

Result<ExplainOutcome> Workbench::run(const ExplainRequest& request, const JobContext& asked,
                                      const JobHooks& hooks) const {
  RequestResources resources(*this, hooks);
  const JobContext job = resources.telling(asked);
  ExplainOutcome outcome;
  outcome.graph = request.graph;
  outcome.search = request.search;
  if (request.max_part_size) {
    IOS_TRY(auto parts, prepare(*request.graph, request.search, *request.max_part_size, kPartBudget, job));
    outcome.graph = std::make_shared<const Graph>(std::move(parts));
  }
  const Graph& graph = *outcome.graph;
  IOS_TRY(auto latencies, latencies_for(*this, resources, request, graph));
  if (is_modelled(latencies.device.origin) && !graph.has_known_cost()) return fail(kUnknownLatencies);
  StageLatencySource& source = *latencies.source;
  if (const auto* strategies = std::get_if<StrategySet>(&request.schedule)) {
    IOS_TRY(outcome.schedule, search_to_explain(*strategies, graph, source, outcome.search, resources, job));
  } else {
    outcome.schedule = std::get<Schedule>(request.schedule);
  }
  outcome.schedule = source.planner().canonical(outcome.schedule);
  outcome.device = std::move(latencies.device);
  outcome.asked_device = source.measures();
  const ExplainOptions options{.stage = request.stage, .search = outcome.search, .rates = latencies.rates};
  IOS_TRY(outcome.explanation, explain(graph, request.batch, outcome.schedule, source, options, job));
  return outcome;
}

Result<SweepOutcome> Workbench::run(const SweepRequest& request, const JobContext& asked, const JobHooks& hooks) const {
  RequestResources resources(*this, hooks);
  const JobContext job = resources.telling(asked);
  if (request.measure) {  // what is wrong with these is not a matter of one point
    IOS_TRY(Device* const device, resources.device(request.sweep.base.device));
    IOS_TRY(resources.keeping(device->info()));
  }
  const SweepEvaluator evaluator = [&](const SweepBase& base, const JobContext& inner) -> Result<Comparison> {
    const DeviceRegistry::Entry* const entry = devices_->find(base.device);
    if (entry == nullptr) return fail(message("there is no such device"));
    if (!is_modelled(entry->info.origin) && !request.measure)
      return known_comparison(resources, base, entry->info, inner);
    IOS_TRY(Device* const device, resources.device(base.device));
    IOS_TRY(auto keeping, resources.keeping(device->info(), request.anew));
    auto comparison =
        compare(*base.graph, *device, base.options, inner, {.keeping = keeping, .abandon = hooks.abandon});
    if (comparison) resources.tell(comparison->notices);
    return comparison;
  };
  SweepOutcome outcome;
  for (const std::int64_t value : request.values) {
    auto point = sweep_point(request.sweep, value, evaluator, job);
    if (!point) break;
    if (hooks.point) hooks.point(*point);
    outcome.points.push_back(std::move(*point));
  }
  if (outcome.points.empty()) return fail(message("stopped before anything was finished"));
  return outcome;
}

Result<Verification> Workbench::run(const VerifyRequest& request, const JobContext& asked,
                                    const JobHooks& hooks) const {
  RequestResources resources(*this, hooks);
  const JobContext job = resources.telling(asked);
  IOS_TRY(Device* const device, resources.device(request.device));
  IOS_TRY(Device* const reference, resources.reference(request.reference, *device));
  StagePlanner planner(*request.graph, request.batch, request.lanes ? request.lowering : device->info().lowering);
  ExecutionPlan plan = planner.plan(request.schedule);
  if (request.lanes) {
    IOS_TRY(plan, barrier_free_plan(plan, *request.lanes));
  }
  IOS_TRY(auto loaded, device->load(std::move(plan), {}, job));
  return Verifier(*request.graph, *device, request.batch, {}, reference).verify(*loaded, job);
}

Result<ProfileOutcome> Workbench::run(const ProfileRequest& request, const JobContext& asked,
                                      const JobHooks& hooks) const {
  RequestResources resources(*this, hooks);
  const JobContext job = resources.telling(asked);
  IOS_TRY(Device* const device, resources.device(request.device));
  ProfileOutcome outcome;
  Comparison& comparison = outcome.comparison;
  if (request.comparison != nullptr) {
    comparison = *request.comparison;
    for (ScheduleResult& result : comparison.results) result.plan.parameters = request.graph->parameters();
  } else {
    const CompareRequest first{
        .graph = request.graph, .device = request.device, .options = request.options, .anew = request.anew};
    IOS_TRY(comparison, compare_on(resources, *device, first, job, hooks));
    if (!comparison.complete) return outcome;
  }
  const std::size_t known = comparison.notices.size();
  bool timelines = false;
  const auto halfway = [&](const Comparison& so_far) -> Result<void> {
    if (hooks.halfway) IOS_TRY(hooks.halfway(so_far));
    timelines = true;
    return {};
  };
  auto done = profile(comparison, *device, request.profile, job, halfway);
  for (std::size_t i = known; i < comparison.notices.size(); ++i) resources.tell({comparison.notices[i]});
  if (!done && !timelines) return tl::unexpected(std::move(done.error()));
  outcome.profiled = true;
  if (!done) outcome.without_counters = std::move(done.error());
  return outcome;
}

Result<ExperimentResult> Workbench::run(const ExperimentRequest& request, const JobContext& asked,
                                        const JobHooks& hooks) const {
  RequestResources resources(*this, hooks);
  const JobContext job = resources.telling(asked);
  std::vector<ExperimentDevice> devices;
  for (const std::string& id : request.devices) {
    IOS_TRY(Device* const device, resources.device(id));
    IOS_TRY(auto keeping, resources.keeping(device->info(), request.anew));
    devices.push_back({device, std::move(keeping)});
  }
  auto result = run_experiment(request.kind, *request.graph, devices, request.options, job, hooks.abandon);
  if (result) resources.tell(result->notices);
  return result;
}

Result<Validation> Workbench::run(const ValidateRequest& request, const JobContext& asked,
                                  const JobHooks& hooks) const {
  RequestResources resources(*this, hooks);
  const JobContext job = resources.telling(asked);
  IOS_TRY(Device* const v100, resources.device("tesla-v100"));
  IOS_TRY(Device* const k80, resources.device("tesla-k80"));
  const auto network = [&](std::string_view name) -> Result<Graph> {
    const auto found = request.networks.find(name);
    if (found == request.networks.end()) return fail(message("is needed for this"), std::string(name));
    return *found->second;
  };
  IOS_TRY(auto validation, validate(network, *v100, *k80, request.options, job));
  validation.operators = validate_operators(request.operators, request.simulated);
  const auto recorded_on =
      std::ranges::find(request.simulated, request.captured.device, &simulated::DeviceDescription::id);
  if (recorded_on != request.simulated.end()) {
    validation.captured = validate_captured(request.recorded, request.captured, recorded_on->machine);
  }
  return validation;
}

Result<OperatorProfile> Workbench::run(const ProfileOperatorsRequest& request, const JobContext& asked,
                                       const JobHooks& hooks) const {
  RequestResources resources(*this, hooks);
  const JobContext job = resources.telling(asked);
  IOS_TRY(Device* const device, resources.device(request.device));
  IOS_TRY(const auto keeping, resources.keeping(device->info()));
  if (keeping.store == nullptr) {
    return fail(message("cannot keep operators without a store"), request.device,
                message("name a file for the measurements with --store"));
  }
  auto found = profile_operators(*request.graph, *device, *keeping.store, version_, request.options, job);
  if (found) resources.tell(found->notices);
  return found;
}

}  // namespace iosx
