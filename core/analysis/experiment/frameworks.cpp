#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <utility>

#include "core/analysis/compare/end_to_end.h"
#include "core/analysis/compare/verify.h"
#include "core/analysis/experiment/lab.h"
#include "core/base/check.h"
#include "core/base/files.h"
#include "core/devices/measure/statistics.h"
#include "core/formats/external/match.h"
#include "core/formats/external/recorded_runs.h"
#include "core/formats/file_kind.h"
#include "core/formats/npy.h"
#include "core/formats/onnx/write/export.h"

namespace iosx {
namespace {

constexpr double kPartsPerMillion = 1e6;

bool whole_numbers(const FileTensor& tensor) {
  return tensor.type.starts_with("int") || tensor.type.starts_with("uint") || tensor.type == "bool";
}

// Returns what a plan is fed, as a file with this input's type can hold it: whole numbers are 0 and 1, which every
// table of tokens has.
Tensor fed(const Tensor& made, const FileTensor& input) {
  if (!whole_numbers(input)) return made;
  std::vector<float> elements(made.elements().begin(), made.elements().end());
  for (float& element : elements) element = element > 0 ? 1 : 0;
  return {{made.dims().begin(), made.dims().end()}, std::move(elements)};
}

Result<void> write_tensor(const Tensor& tensor, const FileTensor& form, const std::filesystem::path& path) {
  std::ofstream file(path, std::ios::binary);
  file << npy_bytes(tensor, form.shape(), form.type);
  file.close();
  if (!file) return fail(message("cannot be written"), path.string(), message("check the free space"));
  return {};
}

// One engine that takes part, or did until its first error.
struct Rival {
  EngineTrial trial;
  std::optional<Engine> engine;  // none: see trial.problem
  std::optional<double> off;     // by so much its outputs are off, as part of their magnitude
  std::optional<EndToEnd> timed;

  void drop(const Error& error) {
    trial.problem = error.where.empty() || error.where == trial.info.title ? error.what : error.line();
    engine.reset();
  }
};

// The frameworks experiment with one network: our schedules, the engines' files, and the participants.
class Field {
 public:
  explicit Field(Lab& lab)
      : lab_(lab),
        device_(*lab.devices().front().device),
        options_(lab.options().rivals),
        batch_(lab.options().compare.batch) {}

  Result<void> run() {
    IOS_TRY(check_computes(device_.info()));
    IOS_CHECK(!options_.file.outputs.empty());
    IOS_TRY(const auto scratch, ScratchFolder::make());
    IOS_TRY(find(scratch.path()));
    IOS_TRY(auto comparison, lab_.compare(lab_.setting(), made_schedule_kinds()));
    if (!lab_.result().complete) return {};
    IOS_TRY(prepare(comparison, scratch.path()));
    IOS_TRY(load_engines(scratch.path()));
    IOS_TRY(race());
    if (options_.profile) ask_profiles();
    tell(comparison);
    lab_.result().comparison = std::make_shared<const Comparison>(std::move(comparison));
    return {};
  }

 private:
  const char* kind() const { return device_.info().threads > 0 ? "cpu" : "cuda"; }

  Result<void> find(const std::filesystem::path& scratch) {
    std::vector<Message> notices;
    IOS_TRY(const auto found, find_engines(options_.engines, scratch, lab_.job(), notices));
    for (Message& notice : notices) lab_.tell(std::move(notice));
    for (const EngineInfo& info : found) {
      Rival& rival = rivals_.emplace_back();
      rival.trial.info = info;
      if (std::ranges::count(info.devices, kind()) == 0) {
        rival.trial.problem = message("does not run on {}", device_.info().id);
      } else if (!info.missing.empty()) {
        rival.trial.problem = message("not installed: {}", info.install);
      }
    }
    // Engines for other machines are skipped unless requested. Where no requested one can run, nothing is measured.
    if (options_.engines.chosen.empty()) {
      std::erase_if(rivals_,
                    [&](const Rival& rival) { return std::ranges::count(rival.trial.info.devices, kind()) == 0; });
    } else if (std::ranges::none_of(rivals_, [](const Rival& rival) { return rival.trial.problem.empty(); })) {
      return fail(rivals_.front().trial.problem, rivals_.front().trial.info.title);
    }
    return {};
  }

  // Loads our plans, and writes the engines' files: the model and its inputs.
  Result<void> prepare(const Comparison& comparison, const std::filesystem::path& scratch) {
    const ScheduleResult* const sequential = comparison.find(ScheduleKind::kSequential);
    if (sequential == nullptr) return fail(message("stopped before anything was finished"));
    network_.model = options_.model;
    if (network_.model.empty()) {
      network_.model = scratch / "network.onnx";
      IOS_TRY(onnx_import::write_onnx(lab_.graph(), network_.model, {.batch = batch_, .file = options_.file}));
    }
    const FileInterface& file = options_.file;
    std::vector<Tensor> inputs = synthetic_inputs(sequential->plan);
    IOS_CHECK(inputs.size() == file.inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      inputs[i] = fed(inputs[i], file.inputs[i]);
      const auto path = scratch / fmt::format("input_{}.npy", i);
      IOS_TRY(write_tensor(inputs[i], file.inputs[i], path));
      network_.inputs.push_back({file.inputs[i].name, path});
    }
    network_.outputs = file.outputs;
    network_.threads = std::max(device_.info().threads, 1);
    network_.device = kind();
    network_.precision = device_.info().precision;
    for (const ScheduleResult& ours : comparison.results) {
      IOS_TRY(plans_.emplace_back(), load_to_time(device_, ours.plan, lab_.job()));
    }
    const RunOptions once{.timing = {.warmup = 0, .repeats = 1, .max_repeats = 1, .min_time = Millis{0}},
                          .outputs = true,
                          .inputs = inputs};
    LoadedPlan& plan = *plans_[static_cast<std::size_t>(sequential - comparison.results.data())];
    IOS_TRY(auto computed, plan.run(once, lab_.job()));
    for (const FileTensor& output : file.outputs) {
      const auto found = std::ranges::find(plan.plan().outputs, output.op, &PlanOutput::name);
      IOS_CHECK(found != plan.plan().outputs.end());
      right_.push_back(computed.outputs[static_cast<std::size_t>(found - plan.plan().outputs.begin())]);
    }
    return {};
  }

  Result<void> load_engines(const std::filesystem::path& scratch) {
    std::int64_t done = 0;
    for (Rival& rival : rivals_) {
      const EngineInfo& info = rival.trial.info;
      lab_.job().report(message("preparing {}", info.title), done++, std::ssize(rivals_));
      if (!rival.trial.problem.empty()) continue;
      auto loaded =
          Engine::load(info, network_, options_.engines, scratch / fmt::format("engine_{}", done), lab_.job());
      if (lab_.job().stopped()) return fail(message("stopped before anything was finished"));
      if (!loaded) {
        rival.drop(loaded.error());
        continue;
      }
      rival.engine = std::move(*loaded);
      rival.trial.info = rival.engine->info();
      rival.trial.settings = rival.engine->settings();
      rival.trial.prepared_in = rival.engine->prepared_in();
      if (auto compared = compare_outputs(rival); !compared) {
        if (lab_.job().stopped()) return fail(message("stopped before anything was finished"));
        rival.drop(compared.error());
      }
    }
    return {};
  }

  // An engine whose outputs are other ones than ours has computed something else: its time says nothing.
  Result<void> compare_outputs(Rival& rival) const {
    IOS_TRY(const auto outputs, rival.engine->outputs(lab_.job()));
    std::vector<std::string> names;
    std::vector<Tensor> shaped;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      names.push_back(network_.outputs[i].name);
      const auto elements = outputs[i].elements();
      shaped.emplace_back(std::vector(right_[i].dims().begin(), right_[i].dims().end()),
                          std::vector(elements.begin(), elements.end()));
    }
    const double tolerance = tolerance_of(network_.precision);
    IOS_TRY(auto compared, differences(names, shaped, right_, tolerance));
    const Verification verification{.reference = {}, .tolerance = tolerance, .outputs = std::move(compared)};
    rival.off = verification.worst().scaled();
    if (verification.passed()) return {};
    return fail(message("computes different results: {} is off by {:.2g} of its magnitude", verification.worst().name,
                        *rival.off));
  }

  // Times all in turn. An engine that fails on the way is left out, and the others start again.
  Result<void> race() {
    const Timing timing{.round = lab_.options().compare.timing};
    while (true) {
      std::vector<Contestant> contestants;
      std::vector<Rival*> racing;
      Rival* failed = nullptr;
      // By the clock of the others: on a GPU, with the launch and the wait.
      for (const auto& plan : plans_) {
        contestants.push_back({Origin::kMeasured, [&plan](RunOptions options, const JobContext& job) {
                                 options.host_clock = true;
                                 return plan->run(options, job);
                               }});
      }
      for (Rival& rival : rivals_) {
        if (!rival.engine) continue;
        racing.push_back(&rival);
        contestants.push_back(
            {Origin::kMeasured,
             [&rival, &failed](const RunOptions& options, const JobContext& job) -> Result<RunResult> {
               RunResult run;
               auto latency = rival.engine->time(options.timing, job, &run.samples);
               if (latency) {
                 run.latency = *latency;
                 return run;
               }
               failed = &rival;
               return tl::unexpected(std::move(latency.error()));
             }});
      }
      auto timed = run_interleaved(contestants, timing, lab_.job());
      if (!timed && failed != nullptr && !lab_.job().stopped()) {
        failed->drop(timed.error());
        continue;
      }
      if (!timed) return tl::unexpected(std::move(timed.error()));
      for (std::size_t i = 0; i < racing.size(); ++i) racing[i]->timed = std::move((*timed)[plans_.size() + i]);
      timed->resize(plans_.size());
      ours_ = std::move(*timed);
      return {};
    }
  }

  void ask_profiles() {
    for (Rival& rival : rivals_) {
      if (!rival.engine || lab_.job().stopped()) continue;
      lab_.job().report(message("profiling {}", rival.trial.info.title), 0, 0);
      if (auto operators = rival.engine->profile(lab_.job())) rival.trial.operators = std::move(*operators);
    }
  }

  void tell(const Comparison& comparison) {
    ExperimentResult& result = lab_.result();
    result.factors = {{"engine", said("engine")}};
    result.measures = {latency_measure(),
                       spread_measure(),
                       {"p95_ms", "p95", "ms", 3, true},
                       {"p99_ms", "p99", "ms", 3, true},
                       {"ratio", said("times ours"), "", 2},
                       {"ratio_low", said("95 % from"), "", 2, true},
                       {"ratio_high", said("to"), "", 2, true},
                       {"outputs_off_ppm", said("output error"), "ppm", 2},
                       {"prepared_in_seconds", said("preparation"), "s", 1}};
    // Ours was chosen by runs before these: the fastest of several that are equally fast would be favoured by noise.
    const std::size_t best = comparison.best();
    const auto against_ours = [&](const EndToEnd& one) {
      return speedup(one.latency, one.rounds, ours_[best].latency, ours_[best].rounds);
    };
    const EndToEnd* fastest = &ours_[best];
    const auto look = [&](const EndToEnd& one) {
      if (one.latency.value < fastest->latency.value) fastest = &one;
    };
    for (const EndToEnd& one : ours_) look(one);
    for (const Rival& rival : rivals_) {
      if (rival.timed) look(*rival.timed);
    }
    const auto trial = [&](std::string title, const EndToEnd& one, std::optional<double> off,
                           std::optional<double> prepared) {
      const Speedup ratio = against_ours(one);
      const auto bound = [&](double value) { return ratio.known() ? std::optional(value) : std::nullopt; };
      const bool same = &one == &ours_[best];
      const Speedup to_fastest = speedup(fastest->latency, fastest->rounds, one.latency, one.rounds);
      const Percentiles told = percentiles_of(one.samples);
      const auto millis = [](const std::optional<Millis>& time) {
        return time ? std::optional(time->count()) : std::nullopt;
      };
      return Trial{.levels = {std::move(title)},
                   .values = {one.latency.value.count(), one.latency.spread.count(), millis(told.p95), millis(told.p99),
                              same ? 1 : ratio.value, same ? std::nullopt : bound(ratio.low),
                              same ? std::nullopt : bound(ratio.high),
                              off ? std::optional(kPartsPerMillion * *off) : std::nullopt, prepared},
                   .origin = one.latency.origin,
                   .best = &one == fastest || (to_fastest.known() && to_fastest.high >= 1),
                   .within_noise = !same && ratio.known() && ratio.within_noise()};
    };
    for (std::size_t i = 0; i < ours_.size(); ++i) {
      const ScheduleResult& ours = comparison.results[i];
      if (!ours.asked) continue;
      if (ours.search) lab_.note_budget(*ours.search, ours.title());
      Trial made = trial("IOS Explorer, " + ours.title(), ours_[i], std::nullopt, std::nullopt);
      made.schedule_kind = ours.schedule_kind;
      result.trials.push_back(std::move(made));
    }
    for (Rival& rival : rivals_) {
      const std::string& title = rival.trial.info.title;
      if (rival.timed) {
        result.trials.push_back(trial(title, *rival.timed, rival.off, rival.trial.prepared_in.count()));
      } else {
        result.trials.push_back({.levels = {title},
                                 .values = std::vector<std::optional<double>>(result.measures.size()),
                                 .origin = Origin::kMeasured});
      }
      result.engines.push_back(std::move(rival.trial));
    }
  }

  Lab& lab_;
  Device& device_;
  const RivalOptions& options_;
  std::int64_t batch_;
  EngineNetwork network_;
  std::vector<Tensor> right_;  // what ours computes, one an output of the model
  LoadedPlans plans_;
  std::vector<EndToEnd> ours_;  // one a result of the comparison
  std::vector<Rival> rivals_;
};

}  // namespace

RivalOptions rivals_of(const Document& document, const std::string& source, std::int64_t batch) {
  RivalOptions rivals{.file = interface_of(document, batch)};
  if (document.file.inputs.empty() || file_kind(source) != FileKind::kOnnx) return rivals;
  const auto open = [](const FileTensor& input) { return !input.axes.empty() && input.axes.front().open; };
  if (document.batch == batch || (document.file.any_batch && std::ranges::all_of(document.file.inputs, open))) {
    rivals.model = std::filesystem::absolute(source);
  }
  return rivals;
}

Result<void> try_frameworks(Lab& lab) { return Field(lab).run(); }

std::vector<ExternalRun> engine_records(const ExperimentResult& frameworks, const Graph& graph) {
  std::vector<ExternalRun> records;
  for (const EngineTrial& engine : frameworks.engines) {
    const auto trial = std::ranges::find_if(frameworks.trials, [&](const Trial& one) {
      return !one.schedule_kind && one.levels.front() == engine.info.title;
    });
    const auto latency = trial == frameworks.trials.end() ? std::nullopt : frameworks.value(*trial, "latency_ms");
    if (!latency) continue;
    external::RecordedRuns recording;
    recording.tool = ExternalTool::kEngine;
    Micros begin(0);
    for (const EngineOperator& one : engine.operators) {
      const Micros end = begin + one.latency;
      external::RecordedSpan span;
      span.entry.name = one.name;
      span.entry.type = one.kind;
      span.lane = engine.info.title;
      span.begin = span.told = begin.count();
      span.end = end.count();
      recording.add(std::move(span));
      begin = end;
    }
    ExternalRun record;
    record.label = engine.info.title;
    record.tool = ExternalTool::kEngine;
    record.file = engine.info.id;
    if (auto made = external::assemble(std::move(recording), engine.info.title, engine.info.id, 1)) {
      record = std::move(*made);
      match_operators(record, graph);
    }
    // An operator's time under its profiler is longer than without: what a run takes was measured without.
    record.latency = {.value = Millis(*latency),
                      .spread = Millis(frameworks.value(*trial, "spread_ms").value_or(0)),
                      .origin = Origin::kRecorded};
    record.samples.clear();
    records.push_back(std::move(record));
  }
  return records;
}

ExperimentResult side_by_side(std::vector<ExperimentResult> results) {
  IOS_CHECK(!results.empty());
  if (results.size() == 1) return std::move(results.front());
  ExperimentResult all{.kind = results.front().kind, .devices = results.front().devices};
  all.batch = results.front().batch;
  all.factors = {results.front().factors.front(), {"model", "network"}};
  all.measures = results.front().measures;
  for (ExperimentResult& one : results) {
    all.network += (all.network.empty() ? "" : ", ") + one.network;
    all.complete = all.complete && one.complete;
    if (one.batch != all.batch) all.batch.reset();
    for (Trial& trial : one.trials) {
      trial.levels.push_back(one.network);
      all.trials.push_back(std::move(trial));
    }
    for (const Message& notice : one.notices) all.notices.push_back(message("{}: {}", one.network, notice));
    for (const EngineTrial& engine : one.engines) {
      if (!engine.problem.empty()) {
        all.notices.push_back(message("{}, {}: {}", one.network, engine.info.title, engine.problem));
      }
    }
  }
  return all;
}

std::vector<EngineMean> engine_means(const ExperimentResult& frameworks) {
  std::vector<EngineMean> means;
  for (const std::string& engine : frameworks.levels(0)) {
    double logarithms = 0;
    std::size_t count = 0;
    for (const Trial& trial : frameworks.trials) {
      const auto ratio = frameworks.value(trial, "ratio");
      if (trial.levels.front() != engine || !ratio) continue;
      logarithms += std::log(*ratio);
      ++count;
    }
    if (count > 0) means.push_back({engine, count, std::exp(logarithms / static_cast<double>(count))});
  }
  return means;
}

}  // namespace iosx
