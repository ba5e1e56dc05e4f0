#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <type_traits>
#include <utility>

#include "app/devices/all_devices.h"
#include "app/python/values.h"
#include "core/analysis/compare/find_lanes.h"
#include "core/analysis/compare/reliability.h"
#include "core/analysis/compare/verify.h"
#include "core/analysis/experiment/report.h"
#include "core/analysis/experiment/sweep.h"
#include "core/analysis/explain/explain_report.h"
#include "core/formats/network_tensors.h"
#include "core/model/plan/stage_planner.h"
#include "core/search/prepare.h"
#include "core/search/search.h"
#include "core/search/space_counts.h"
#include "core/tables/render.h"

namespace iosx::python {
namespace {

// Returns the kind of schedules that a text names; nothing of anything else.
std::optional<ScheduleKind> kind_named(const py::handle& given) {
  if (!py::isinstance<py::str>(given)) return std::nullopt;
  const auto kind = parse_schedule_kind(given.cast<std::string>());
  return kind ? std::optional(*kind) : std::nullopt;
}

// Reads which schedules are asked for: ids of kinds, and schedules themselves.
void read_schedules(const Options& options, const OpenGraph& graph, CompareOptions& compare) {
  const auto& own = graph.document.schedule;
  py::object wanted = options.find("schedules");
  if (wanted.is_none()) {
    if (own) compare.given.push_back(schedule_in_file(own->schedule, own->lanes));
    return;
  }
  if (py::isinstance<py::str>(wanted) || !py::isinstance<py::iterable>(wanted)) wanted = py::make_tuple(wanted);
  compare.schedule_kinds.clear();
  for (const auto& each : wanted) {
    const auto kind = kind_named(each);
    if (kind && !row_of(*kind).given()) {
      compare.schedule_kinds.push_back(*kind);
    } else if (kind == ScheduleKind::kFile && own) {
      compare.given.push_back(schedule_in_file(own->schedule, own->lanes));
    } else {
      compare.given.push_back(schedule_of(graph, py::reinterpret_borrow<py::object>(each)).on(graph.graph()));
    }
  }
}

CompareOptions compare_options(const Options& options, const OpenGraph& graph, Uses uses = use::kAll) {
  CompareOptions compare = compare_options(options, uses);
  compare.batch = graph.batch(options);
  if (const py::object start = options.find("warm_start"); !start.is_none()) {
    compare.warm_start = schedule_of(graph, start).on(graph.graph()).schedule;
  }
  return compare;
}

// Runs a request. `prepare` changes it first, where it may take as long as the request.
template <typename Request, typename Wrap>
py::object run_request(const Options& options, const Workbench& workbench, const Request& request, const Wrap& wrap,
                       const std::function<Result<void>(const Call&)>& prepare = {}) {
  using Answer = typename decltype(workbench.run(request, {}))::value_type;
  return run_job<Answer>(
      options,
      [&](const Call& call) -> Result<Answer> {
        if (prepare) {
          IOS_TRY(prepare(call));
        }
        return workbench.run(request, call.job, call.hooks);
      },
      wrap);
}

// Gives a schedule without barriers lanes for its kernels on this device, and says so, where its own lanes are for the
// kernels of another device or batch size.
Result<void> fit_lanes(GivenSchedule& given, const Graph& graph, const DeviceRegistry& registry, const std::string& id,
                       std::int64_t batch, const TimingOptions& timing, const Call& call) {
  const DeviceRegistry::Entry* const entry = registry.find(id);
  if (!given.lanes || entry == nullptr) return {};
  const ExecutionPlan staged = StagePlanner(graph, batch, entry->info.lowering).plan(given.schedule);
  if (check_kernels(staged, *given.lanes)) return {};
  call.hooks.notice(message("the lanes of '{}' are for other kernels than those of {}, for which lanes are found anew",
                            given.schedule.name, entry->info.name));
  LaneSearch found;
  if (entry->info.barrier_free) {
    IOS_TRY(const auto device, registry.open(id));
    IOS_TRY(found, find_lanes(*device, staged, timing, call.job));
  }
  given.lanes = found.best ? std::move(found.best->lanes) : named(one_lane(staged), staged);
  return {};
}

// Does so for all schedules that a request has, unless it runs nothing.
Result<void> fit_lanes_of(auto& request, const Workbench& workbench, const Call& call) {
  if constexpr (requires { request.replay; }) {
    if (request.replay) return {};
  }
  for (GivenSchedule& given : request.options.given) {
    IOS_TRY(fit_lanes(given, *request.graph, workbench.devices(), request.device, request.options.batch,
                      request.options.timing, call));
  }
  return {};
}

py::object run_compare(const Options& options, const OpenGraphs& graph, const Workbench& workbench,
                       CompareOptions compare) {
  const bool replay = options.flag("replay");
  const bool any = replay && options.find("device").is_none();  // the only one that the store has
  CompareRequest request{.graph = graph->graph(),
                         .device = any ? std::string() : device_of(options, workbench, compare.verify),
                         .options = compare,
                         .replay = replay,
                         .anew = options.flag("remeasure"),
                         .reference = options.text("reference"),
                         .predictor = options.text("predictor")};
  const auto work = [&](const Call& call) -> Result<Comparison> {
    IOS_TRY(fit_lanes_of(request, workbench, call));
    auto comparison = workbench.run(request, call.job, call.hooks);
    if (!comparison || !call.hooks.notice) return comparison;
    for (const Message& sentence : ignored_options(*comparison, compare)) call.hooks.notice(sentence);
    return comparison;
  };
  return run_job<Comparison>(
      options, work, [&](Comparison comparison) { return py::cast(own_run(std::move(comparison), compare, graph)); });
}

py::object compare(const Options& options, const OpenGraphs& graph, const Workbench& workbench) {
  CompareOptions compare = compare_options(options, *graph);
  read_schedules(options, *graph, compare);
  return run_compare(options, graph, workbench, std::move(compare));
}

py::object optimize(const Options& options, const OpenGraphs& graph, const Workbench& workbench) {
  CompareOptions compare = compare_options(options, *graph);
  const auto lanes = options.get<bool>("barrier_free", "True or False");
  compare.schedule_kinds = kinds_to_optimize(compare, lanes);
  // As in a comparison; but a replay has only what was measured.
  if (const auto& own = graph->document.schedule; own && !options.flag("replay")) {
    const DeviceInfo& device = device_named(device_of(options, workbench, compare.verify)).info;
    if (!own->lanes || (lanes.value_or(true) && device.barrier_free))
      compare.given.push_back(schedule_in_file(own->schedule, own->lanes));
  }
  return run_compare(options, graph, workbench, std::move(compare));
}

py::object improve(const Options& options, const OpenGraphs& graph, const Workbench& workbench) {
  const GivenSchedule start = schedule_of(*graph, options.find("schedule")).on(graph->graph());
  if (start.lanes) throw Failed{has_stages_only(message("a search"))};
  const auto stages = static_cast<std::int64_t>(start.schedule.stages.size());
  std::vector<std::size_t> pinned;
  for (const std::int64_t stage : options.wholes("pinned", {0, stages - 1})) {
    pinned.push_back(static_cast<std::size_t>(stage));
  }
  std::ranges::sort(pinned);
  pinned.erase(std::unique(pinned.begin(), pinned.end()), pinned.end());
  const CompareOptions compared = compare_options(options, *graph);
  const ImproveRequest request{.graph = graph->graph(),
                               .device = device_of(options, workbench),
                               .batch = compared.batch,
                               .timing = compared.timing,
                               .start = start,
                               .pinned = std::move(pinned),
                               .search = compared.search,
                               .max_part_size = compared.max_part_size,
                               .anew = options.flag("remeasure"),
                               .run = true,
                               .name = "improved",
                               .verify = compared.verify,
                               .reference = options.text("reference")};
  return run_request(options, workbench, request, [&](ImproveOutcome outcome) {
    return py::cast(own_run(*std::move(outcome.comparison), compared, graph));
  });
}

// Returns what a plan is fed: arrays by the inputs' names, in order, or one. None are made up.
std::vector<Tensor> inputs_of(const py::object& given, const ExecutionPlan& plan, const FileInterface& network) {
  if (given.is_none()) return {};
  const bool named = py::isinstance<py::dict>(given);
  if (named && py::len(given) != network.inputs.size()) {
    std::vector<std::string> names;
    for (const FileTensor& input : network.inputs) names.push_back(input.name);
    throw Failed{{message("{} arrays for {} inputs", py::len(given), names.size()), "inputs",
                  message("give one for each of {}", fmt::format("{}", fmt::join(names, ", ")))}};
  }
  const py::list arrays = named ? py::list() : py::list(given);
  if (!named && arrays.size() != network.inputs.size()) {
    throw Failed{{message("{} arrays for {} inputs", arrays.size(), network.inputs.size()), "inputs",
                  message("give one for each, by name or in order")}};
  }
  return take(network_inputs(plan, network, [&](const FileTensor& input, std::size_t i) -> Result<Tensor> {
    if (named && !given.contains(py::cast(input.name))) {
      return fail(message("there is no array for the input '{}'", input.name), "inputs");
    }
    const py::object array = named ? py::object(given[py::cast(input.name)]) : py::object(arrays[i]);
    Tensor tensor = to_tensor(array);
    const std::vector<std::int64_t> shape = input.shape();
    // Axes of 1 in front may be missing, or be too many.
    const auto without_ones = [](std::span<const std::int64_t> dims) {
      while (!dims.empty() && dims.front() == 1) dims = dims.subspan(1);
      return dims;
    };
    if (!std::ranges::equal(without_ones(tensor.dims()), without_ones(shape))) {
      return fail(message("has the shape ({}), but the network needs ({})",
                          fmt::format("{}", fmt::join(tensor.dims(), ", ")), fmt::format("{}", fmt::join(shape, ", "))),
                  input.name, message("see graph.inputs(batch)"));
    }
    return tensor;
  }));
}

py::dict outputs_of(const ExecutionPlan& plan, std::span<const Tensor> outputs, const FileInterface& network) {
  py::dict arrays;
  for (const auto& [file, tensor] : network_outputs(plan, outputs, network)) {
    py::object array = to_array(tensor, file.shape(), true);
    if (file.type != "float32" && file.type != "float" && file.type != "bfloat16")
      array = array.attr("astype")(file.type);
    arrays[py::cast(file.name)] = std::move(array);
  }
  return arrays;
}

// Returns whether an option says how a run is timed.
bool asks_for_timing(const Options& options) {
  TimingOptions timing;
  const std::vector<BoundOption> rows = bind_options(timing, use::kAll);
  return std::ranges::any_of(
      rows, [&](const BoundOption& row) { return !options.find(std::string(row.info->keyword()).c_str()).is_none(); });
}

constexpr TimingOptions kOneRun{.warmup = 0, .repeats = 1, .max_repeats = 1, .min_time = Millis{0}};

// Runs a schedule once for its outputs. The latency is that of this run.
Result<Evaluation> run_once(const EvaluateRequest& request, const Workbench& workbench, const Call& call) {
  IOS_TRY(const auto device, workbench.devices().open(request.device));
  const GivenSchedule& given = request.given;
  StagePlanner planner(*request.graph, request.batch, device->info().lowering);
  ScheduleResult result = std::move(Comparison().add(given.schedule_kind, planner.canonical(given.schedule)));
  result.lanes = given.lanes;
  IOS_TRY(result.plan, plan_on(device->info(), *request.graph, given, request.batch));
  const RunOptions once{.timing = kOneRun, .outputs = true, .inputs = *request.inputs};
  IOS_TRY(auto run, load_and_run(*device, result.plan, once, call.job));
  result.latency = run.latency;
  result.trace = std::move(run.trace);
  result.peak_bytes = run.peak_bytes;
  return Evaluation{.result = std::move(result), .device = device->info(), .outputs = std::move(run.outputs)};
}

// Runs one schedule; with inputs, or where outputs are wanted, also for what it computes.
py::object evaluate(const Options& options, const OpenGraphs& graph, const Workbench& workbench) {
  const bool outputs = options.get<bool>("outputs", "True or False").value_or(!options.find("inputs").is_none());
  const std::string device = device_of(options, workbench, outputs);
  const DeviceRegistry::Entry* const entry = devices().find(device);
  const CompareOptions compared = compare_options(options, *graph);
  const std::int64_t batch = compared.batch;
  const GivenSchedule given = schedule_of(*graph, options.find("schedule")).on(graph->graph());
  const FileInterface network = interface_of(graph->document, batch);
  EvaluateRequest request{.graph = graph->graph(),
                          .device = device,
                          .batch = batch,
                          .timing = compared.timing,
                          .given = given,
                          .verify = compared.verify,
                          .reference = options.text("reference")};
  if (outputs && entry != nullptr) {
    const ExecutionPlan plan = StagePlanner(*graph->graph(), batch, entry->info.lowering).plan(given.schedule);
    request.inputs = inputs_of(options.find("inputs"), plan, network);
  }
  const auto wrap = [&](Evaluation evaluation) -> py::object {
    Comparison one;
    one.graph = graph->graph();
    one.device = evaluation.device;
    one.batch = batch;
    py::object arrays = py::none();
    if (request.inputs) arrays = outputs_of(evaluation.result.plan, evaluation.outputs, network);
    one.results.push_back(std::move(evaluation.result));
    const OwnRun run = own_run(std::move(one), compared, graph);
    return py::make_tuple(OwnResult{run.run, 0}, std::move(arrays));
  };
  const auto prepare = [&](const Call& call) {
    return fit_lanes(request.given, *request.graph, workbench.devices(), device, batch, request.timing, call);
  };
  const bool computes = request.inputs && entry->info.computes;
  if (!computes || request.verify || asks_for_timing(options)) {
    return run_request(options, workbench, request, wrap, prepare);
  }
  return run_job<Evaluation>(
      options,
      [&](const Call& call) -> Result<Evaluation> {
        IOS_TRY(prepare(call));
        return run_once(request, workbench, call);
      },
      wrap);
}

py::object measure_stages(const Options& options, const OpenGraphs& graph, const Workbench& workbench) {
  const GivenSchedule given = schedule_of(*graph, options.find("schedule")).on(graph->graph());
  const MeasureStagesRequest request{.graph = graph->graph(),
                                     .device = device_of(options, workbench),
                                     .batch = graph->batch(options),
                                     .timing = compare_options(options).timing,
                                     .stages = given.schedule.stages};
  return run_request(options, workbench, request,
                     [](StageLatencies found) { return py::cast(std::move(found.latencies)); });
}

// Returns (document, text).
py::object explain(const Options& options, const OpenGraphs& graph, const Workbench& workbench) {
  const CompareOptions wanted = compare_options(options, *graph, use::kExplain);
  ExplainRequest request{.graph = graph->graph(),
                         .device = device_of(options, workbench),
                         .batch = wanted.batch,
                         .timing = wanted.timing,
                         .schedule = StrategySet::kBoth,
                         .search = wanted.search,
                         .max_part_size = wanted.max_part_size,
                         .replay = options.flag("replay"),
                         .measure = options.flag("measure"),
                         .anew = options.flag("remeasure")};
  const py::object given = options.find("schedule");
  const auto kind = kind_named(given);
  if (kind && row_of(*kind).strategies) {
    request.schedule = *row_of(*kind).strategies;
  } else if (given.is_none() && !graph->document.schedule) {
    request.schedule = request.search.strategies;
  } else {
    request.schedule = schedule_of(*graph, given).on(graph->graph()).schedule;
  }
  if (const auto stage = options.whole("stage", {0, 1'000'000})) request.stage = static_cast<std::size_t>(*stage);
  try {
    return run_request(options, workbench, request, [&](const ExplainOutcome& outcome) -> py::object {
      const Explained explained{
          *outcome.graph, outcome.schedule, outcome.device, request.batch, outcome.search, outcome.explanation, {}};
      return py::make_tuple(
          to_python(explanation_json(explained)),
          request.stage ? stage_text(explained, outcome.explanation.explained.front()) : overview_text(explained));
    });
  } catch (Failed& failed) {
    if (request.stage && failed.error.what == no_such_stage(*request.stage)) {
      throw py::value_error(fmt::format("the schedule has no stage {}; the first is 0", *request.stage));
    }
    const bool searches = std::holds_alternative<StrategySet>(request.schedule);
    if (searches && !request.replay && !request.asks(devices().find(request.device)->info)) {
      failed.error.remedy = message("set measure=True, or run iosx.optimize() with a store first");
    }
    throw;
  }
}

// Returns (document, text, table as CSV).
py::object sweep(const Options& options, const OpenGraphs& graph, const Workbench& workbench) {
  Sweep sweep;
  SweepBase& base = sweep.base;
  base.graph = graph->graph();
  base.options = compare_options(options, *graph);
  if (const auto kinds = options.texts("schedules"); !kinds.empty()) {
    base.options.schedule_kinds.clear();
    for (const std::string& id : kinds) base.options.schedule_kinds.push_back(schedule_kind_of(id));
    if (std::ranges::any_of(base.options.schedule_kinds, [](ScheduleKind kind) { return row_of(kind).given(); })) {
      throw py::value_error("a given schedule is for one graph only");
    }
  } else {
    base.options.schedule_kinds = {ScheduleKind::kSequential, ScheduleKind::kGreedy, ScheduleKind::kIosBoth};
  }
  base.device = device_of(options, workbench);
  sweep.parameter = take(parse_sweep_parameter(options.text("vary")));
  if (const std::string name = options.text("operator"); !name.empty()) {
    const auto op = graph->graph()->find_operator(name);
    if (!op) throw Failed{{message("the network has no operator '{}'", name), {}, message("see graph.operators")}};
    sweep.op = *op;
  }
  if (row_of(sweep.parameter).of_operator && (!sweep.op.valid() || present_value(sweep) == 0)) {
    throw Failed{{message("'{}' applies to one operator", row_of(sweep.parameter).id), "operator",
                  message("name an operator that has this parameter")}};
  }
  std::vector<std::int64_t> tried;
  if (sweep.parameter == SweepParameter::kDevice) {
    base.devices = device_ids(options, "values");
    if (base.devices.empty()) base.devices = paper_devices();
    for (std::size_t i = 0; i < base.devices.size(); ++i) tried.push_back(static_cast<std::int64_t>(i));
  } else {
    tried = options.wholes("values", row_of(sweep.parameter).bounds);
    if (tried.empty()) tried = usual_values(sweep);
  }
  const SweepRequest request{.sweep = sweep, .values = tried, .anew = options.flag("remeasure")};
  return run_request(options, workbench, request, [&](const SweepOutcome& outcome) -> py::object {
    return py::make_tuple(to_python(sweep_json(sweep, outcome.points)), sweep_table_text(sweep, outcome.points),
                          table_csv(sweep_list(sweep, outcome.points)));
  });
}

ExperimentKind experiment_kind(const std::string& id) {
  std::vector<std::string_view> ids;
  for (const ExperimentRow& row : experiment_table()) {
    if (row.id == id) return row.kind;
    ids.push_back(row.id);
  }
  throw py::value_error(fmt::format("'{}' is not an experiment; choose one of {}", id, fmt::join(ids, ", ")));
}

// Returns (document, text, table as CSV, the run of our schedules or None).
py::object experiment(const Options& options, const OpenGraphs& graph, const Workbench& workbench) {
  const ExperimentKind kind = experiment_kind(options.text("kind"));
  std::vector<std::string> ids = device_ids(options, "devices");
  if (ids.empty() && kind == ExperimentKind::kDevices) ids = paper_devices();
  if (ids.empty()) ids.push_back(device_of(options, workbench, kind == ExperimentKind::kFrameworks));
  const CompareOptions compared = compare_options(options, *graph);
  ExperimentOptions wanted;
  read_options(options, bind_options(wanted, use::kExperiment));
  wanted.compare = compared;
  wanted.batches = options.wholes("batches", info_of(&CompareOptions::batch).whole_bounds());
  if (wanted.batches.empty()) wanted.batches = usual_batches(kind);
  const auto limits = [&](const char* name, std::vector<std::size_t>& into) {
    const auto given = options.wholes(name, info_of(&Pruning::r).whole_bounds());
    if (!given.empty()) into.assign(given.begin(), given.end());
  };
  limits("r_values", wanted.r);
  limits("s_values", wanted.s);
  if (kind == ExperimentKind::kFrameworks) {
    wanted.rivals = rivals_of(graph->document, graph->source, compared.batch);
    wanted.rivals.engines.python = options.path("python");
    wanted.rivals.engines.chosen = options.texts("engines");
  }
  take(check_experiment(kind, ids, wanted));
  const ExperimentRequest request{.kind = kind,
                                  .graph = graph->graph(),
                                  .devices = std::move(ids),
                                  .options = wanted,
                                  .anew = options.flag("remeasure")};
  return run_request(options, workbench, request, [&](const ExperimentResult& result) -> py::object {
    py::object run = py::none();
    if (result.comparison != nullptr) {
      run = py::cast(own_run(*result.comparison, compared, graph));
    }
    return py::make_tuple(to_python(experiment_json(result)), experiment_table_text(result),
                          table_csv(trial_list(result)), std::move(run));
  });
}

py::object profile(const Options& options, const OpenGraphs& graph, const Workbench& workbench) {
  CompareOptions compared = compare_options(options, *graph);
  compared.schedule_kinds = {ScheduleKind::kSequential, ScheduleKind::kGreedy};
  if (options.find("schedules").is_none() && !graph->document.schedule) {
    compared.schedule_kinds.push_back(row_of(compared.search.strategies).schedule_kind);
  } else {
    read_schedules(options, *graph, compared);
  }
  ProfileRequest request{.graph = graph->graph(),
                         .device = device_of(options, workbench),
                         .options = compared,
                         .anew = options.flag("remeasure")};
  read_options(options, bind_options(request.profile, use::kProfile));
  return run_request(
      options, workbench, request,
      [&](ProfileOutcome outcome) { return py::cast(own_run(std::move(outcome.comparison), compared, graph)); },
      [&](const Call& call) { return fit_lanes_of(request, workbench, call); });
}

// Asks a function of the user's how long stages take, in ms, where the call was made. Its first exception is kept, and
// ends the search.
class AskingSource final : public LatencySource {
 public:
  using Ask = std::function<bool(const std::function<void()>&)>;

  AskingSource(const Graph& graph, py::object function) : graph_(graph), function_(std::move(function)) {}
  // It ends where the interpreter's lock is held.

  void set_ask(const Ask& ask) { ask_ = ask; }

  Result<std::vector<Latency>> stage_latencies(std::span<const Stage> stages, const JobContext& job) override {
    std::vector<Latency> latencies;
    for (const Stage& stage : stages) {
      if (job.stopped() || !ask_([&] { answer(stage, latencies); })) break;
      if (thrown_) return fail(message("the latency function raised an exception"));
    }
    return latencies;
  }
  InterStageOverhead overhead() const override { return {}; }
  void start_tally() override { asked_ = 0; }
  StageTally tally() const override { return {asked_, asked_}; }
  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  void answer(const Stage& stage, std::vector<Latency>& latencies) {
    try {
      const py::object answer = function_(groups_of(graph_, stage));
      const double value = PyFloat_AsDouble(answer.ptr());
      if (PyErr_Occurred() != nullptr) {
        PyErr_Clear();
        Options::refuse("a stage's latency", "a number of ms", answer);
      }
      if (!(value >= 0 && std::isfinite(value)))
        throw py::value_error(fmt::format("the latency of a stage cannot be {} ms", value));
      latencies.emplace_back().value = Millis(value);
      ++asked_;
    } catch (...) {
      thrown_ = std::current_exception();
    }
  }

  const Graph& graph_;
  py::object function_;
  Ask ask_;
  std::int64_t asked_ = 0;
  std::exception_ptr thrown_;
};

// Searches with latencies that a function says. Returns (schedule, facts).
py::object search_with(const Options& options, const OpenGraphs& graph) {
  const py::object function = options.find("latency");
  if (PyCallable_Check(function.ptr()) == 0) Options::refuse("latency", "a function of a stage", function);
  const CompareOptions given = compare_options(options);
  const SearchOptions& wanted = given.search;
  const auto parts = std::make_shared<const Graph>(take(prepare(*graph->graph(), wanted, given.max_part_size)));
  AskingSource source(*parts, function);
  try {
    return run_job<SearchResult>(
        options,
        [&](const Call& call) {
          source.set_ask(call.ask);
          return search(*parts, source, wanted, call.job);
        },
        [&](SearchResult found) -> py::object {
          py::object facts = to_python(search_facts(*parts, found));
          const ScheduleKind kind = row_of(wanted.strategies).schedule_kind;
          return py::make_tuple(OwnSchedule{parts, GivenSchedule(std::move(found.schedule), kind)}, std::move(facts));
        });
  } catch (const Failed&) {
    source.rethrow();
    throw;
  }
}

// Returns what a search has to choose from, part by part.
py::object count(const Options& options, const OpenGraphs& graph) {
  const CompareOptions given = compare_options(options);
  const SearchOptions& wanted = given.search;
  const std::size_t most = given.max_part_size;
  return run_job<PartCounts>(
      options,
      [&](const Call& call) -> Result<PartCounts> {
        IOS_TRY(const Graph parts, prepare(*graph->graph(), wanted, most, kPartBudget, call.job));
        return count_parts(parts, wanted, call.job);
      },
      [](const PartCounts& counted) -> py::object {
        py::list parts;
        for (const PartCount& part : counted.parts) {
          py::dict row;
          row["units"] = part.units;
          row["width"] = part.width;
          row["states"] = part.space.states;
          row["transitions"] = part.space.transitions;
          row["stages"] = part.space.stages;
          row["schedules"] = py::int_(py::str(part.space.schedules));
          parts.append(std::move(row));
        }
        return parts;
      });
}

// A plan that a device holds, ready to run again and again: iosx.LoadedPlan.
class HeldPlan {
 public:
  HeldPlan(OpenGraphs graph, std::unique_ptr<Device> device, std::unique_ptr<LoadedPlan> plan, std::int64_t batch)
      : graph_(std::move(graph)),
        device_(std::move(device)),
        plan_(std::move(plan)),
        network_(interface_of(graph_->document, batch)) {}

  py::dict call(const py::object& inputs) {
    process_.check("a loaded plan");
    RunOptions once{.timing = kOneRun, .outputs = true};
    once.inputs = inputs_of(inputs, plan_->plan(), network_);
    const RunResult run = [&] {
      const OtherThreads others;
      const std::lock_guard one_at_a_time(mutex_);
      return take(plan_->run(once, {}));
    }();
    return outputs_of(plan_->plan(), run.outputs, network_);
  }
  py::object time(const py::dict& values) {
    process_.check("a loaded plan");
    const Options options(values);
    const TimingOptions timing = compare_options(options).timing;
    return run_job<RunResult>(
        options,
        [&](const Call& call) {
          const std::lock_guard one_at_a_time(mutex_);
          return plan_->run({.timing = timing}, call.job);
        },
        [](const RunResult& run) { return py::cast(run.latency); });
  }
  std::vector<std::string> methods() const { return plan_->methods(); }
  const DeviceInfo& info() const { return device_->info(); }
  const std::string& name() const { return graph_->graph()->name(); }

 private:
  Process process_;
  OpenGraphs graph_;
  std::unique_ptr<Device> device_;
  std::unique_ptr<LoadedPlan> plan_;
  FileInterface network_;
  std::mutex mutex_;
};

std::unique_ptr<HeldPlan> load(const Options& options, const OpenGraphs& graph, const Workbench& workbench) {
  const std::int64_t batch = graph->batch(options);
  const std::string id = device_of(options, workbench, true);
  const OwnSchedule schedule = schedule_of(*graph, options.find("schedule"));
  auto device = take(devices().open(id));
  take(check_computes(device->info()));
  GivenSchedule given = schedule.on(graph->graph());
  const bool tune = options.flag("tune");
  std::unique_ptr<LoadedPlan> loaded;
  run_job<std::unique_ptr<LoadedPlan>>(
      options,
      [&](const Call& call) -> Result<std::unique_ptr<LoadedPlan>> {
        IOS_TRY(fit_lanes(given, *graph->graph(), workbench.devices(), id, batch, TimingOptions(), call));
        IOS_TRY(auto plan, plan_on(device->info(), *graph->graph(), given, batch));
        return device->load(std::move(plan), {.tune = tune}, call.job);
      },
      [&](std::unique_ptr<LoadedPlan> made) -> py::object {
        loaded = std::move(made);
        return py::none();
      });
  return std::make_unique<HeldPlan>(graph, std::move(device), std::move(loaded), batch);
}

std::string allowed_schedules() {
  std::string ids;
  for (const ScheduleKindRow& row : schedule_table()) {
    if (!row.given()) ids += fmt::format("{}'{}'", ids.empty() ? "" : ", ", row.id);
  }
  return fmt::format("ids of kinds ({}), Schedules, or schedule files", ids);
}

// Returns (keyword, type, what it does) of the options that a function of the package takes.
py::list options_of_function(const std::string& function) {
  const Uses uses = use::named(function);
  CompareOptions compare;
  ProfileOptions profile;
  ExperimentOptions experiment;
  JobOptions job;
  std::vector<BoundOption> options = options_of(compare, uses);
  std::ranges::move(bind_options(profile, uses), std::back_inserter(options));
  std::ranges::move(bind_options(experiment, uses), std::back_inserter(options));
  std::ranges::move(bind_options(job, uses), std::back_inserter(options));
  py::list rows;
  for (const BoundOption& option : options) {
    const OptionInfo& info = *option.info;
    constexpr std::array kTypes{
        "bool", "int", "float", "str", "str", "AnySchedule", "Union[str, Schedule, Sequence[AnySchedule]]"};
    std::string help(info.help.pattern);
    const bool schedules = option.kind == OptionKind::kSchedules;
    if (schedules || (option.kind != OptionKind::kFlag && option.kind < OptionKind::kText)) {
      const Message value = value_text(info, option.get());
      help += fmt::format(": {}{}{}", schedules ? allowed_schedules() : allowed_text(option),
                          info.unit.empty() ? "" : fmt::format(" {}", info.unit),
                          value.empty() ? std::string() : fmt::format("; default: {}", value));
    }
    rows.append(py::make_tuple(std::string(info.keyword()), kTypes.at(static_cast<std::size_t>(option.kind)),
                               python_text(verbatim(help + '.'))));
  }
  return rows;
}

// Defines a function of the package, which takes its options by name.
template <auto kFunction>
void define(py::module_& module, const char* name) {
  module.def(name, [](const py::dict& values) {
    const Options options(values);
    constexpr const char* kType = "an iosx.Graph";
    const auto graph = options.get<OpenGraphs>("graph", kType);
    if (!graph) Options::refuse("graph", kType, py::none());
    if constexpr (std::is_invocable_v<decltype(kFunction), const Options&, const OpenGraphs&>) {
      return kFunction(options, *graph);  // asks no device
    } else {
      return kFunction(options, *graph, workbench_of(options));
    }
  });
}

}  // namespace

void bind_requests(py::module_& module) {
  module.def("options", &options_of_function, py::arg("function"));
  define<&compare>(module, "compare");
  define<&optimize>(module, "optimize");
  define<&improve>(module, "improve");
  define<&evaluate>(module, "run");
  define<&measure_stages>(module, "measure_stages");
  define<&explain>(module, "explain");
  define<&sweep>(module, "sweep");
  define<&experiment>(module, "experiment");
  define<&profile>(module, "profile");
  define<&search_with>(module, "search");
  define<&count>(module, "count");
  module.attr("MAX_PART_SIZE") = kMaxPartUnits;
}

void bind_loaded_plans(py::module_& module) {
  Class<HeldPlan>(module, "LoadedPlan",
                  "A schedule that is loaded on a device and can run many times: see iosx.load(). Only one run is "
                  "active at a time; other threads that call it wait.")
      .def("_call", &HeldPlan::call)
      .def("_time", &HeldPlan::time)
      .property("device", "Id of its device.", [](const HeldPlan& plan) { return plan.info().id; })
      .property("methods", "The method that computes each kernel.", &HeldPlan::methods);
  define<&load>(module, "load");
}

}  // namespace iosx::python
