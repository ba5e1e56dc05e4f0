#include "views/app_model/stage_explainer.h"

#include <utility>

#include "core/devices/measure/device_latency_source.h"
#include "core/devices/measure/recorded_latency_source.h"
#include "core/devices/store/measurement_store.h"
#include "views/app_model/jobs.h"
#include "views/app_model/session.h"

namespace iosx {
namespace {

// The device of the comparison, if it is simulated and here in the same form; else null.
std::unique_ptr<Device> simulated_device(const DeviceRegistry& devices, const DeviceInfo& info) {
  if (info.origin != Origin::kSimulated || devices.find(info.id) == nullptr) return nullptr;
  auto device = devices.open(info.id);
  if (!device || (*device)->info().fingerprint != info.fingerprint) return nullptr;
  return std::move(*device);
}

// Nothing where nothing is kept or it cannot be read: what the comparison knows is enough to go on with.
std::unique_ptr<MeasurementStore> kept(const StorePlace& place) {
  const auto file = place.path();
  if (!place.kept || !file) return nullptr;
  auto store = MeasurementStore::open(*file, MeasurementStore::Access::kReadOnly);
  return store ? std::move(*store) : nullptr;
}

// A stop leaves latencies of stages within a run, which are not theirs alone.
void give_known(RecordedLatencySource& source, const Comparison& comparison) {
  if (!comparison.complete) return;
  for (const ScheduleResult& result : comparison.results) {
    for (std::size_t i = 0; i < result.stage_latencies.size(); ++i) {
      Latency latency = result.stage_latencies[i];
      if (!comparison.recorded.empty() && latency.origin == Origin::kMeasured) latency.origin = Origin::kRecorded;
      source.give(result.schedule.stages[i], latency);
    }
  }
}

Result<Explanation> explain_stage(const Comparison& comparison, const Schedule& schedule, const ExplainOptions& options,
                                  const DeviceRegistry& devices, const StorePlace& place, const JobContext& job) {
  const Graph& graph = *comparison.graph;
  if (const auto device = simulated_device(devices, comparison.device)) {
    DeviceLatencySource source(graph, *device, comparison.batch);
    return explain(graph, comparison.batch, schedule, source, options, job);
  }
  const auto store = kept(place);
  RecordedLatencySource source(graph, store.get(), measurement_set(comparison.device, comparison.batch),
                               RecordedLatencySource::Where::kHere);
  give_known(source, comparison);
  return explain(graph, comparison.batch, schedule, source, options, job);
}

}  // namespace

StageExplainer::StageExplainer(const Session& session, const Jobs& jobs, const SelectionModel& selection,
                               QObject* parent)
    : QObject(parent), session_(session), jobs_(jobs), selection_(selection) {
  connect(&session_, &Session::comparisonChanged, this, &StageExplainer::start);
  connect(&selection_, &SelectionModel::changed, this, &StageExplainer::start);
  // Later: a job that waits begins first.
  connect(&jobs_, &Jobs::finished, this, &StageExplainer::begin, Qt::QueuedConnection);
  connect(&runner_, &JobRunner::failed, this, [this](const Error& error) {
    busy_ = false;
    error_ = QString::fromStdString(error.text());
    emit changed();
  });
  start();
}

const StageExplanation* StageExplainer::current() const {
  // Who is told of a change before this is must not be given what was found of the stage before.
  if (!found_ || session_.comparison() != comparison_ || selection_.current() != asked_) return nullptr;
  return &found_->explained.front();
}

void StageExplainer::start() {
  const auto comparison = session_.comparison();
  const Selection& selection = selection_.current();
  if (comparison == comparison_ && selection == asked_) return;
  comparison_ = comparison;
  asked_ = selection;
  found_.reset();
  error_.clear();
  runner_.abandon();
  const ScheduleResult* result = comparison == nullptr ? nullptr : comparison->find(selection.schedule);
  busy_ = result != nullptr && selection.stage && *selection.stage < result->schedule.stages.size();
  waits_ = busy_;
  begin();
  emit changed();
}

void StageExplainer::begin() {
  if (!waits_ || disturbs()) return;
  waits_ = false;
  runner_.start({}, work(*comparison_->find(asked_.schedule)));
}

bool StageExplainer::disturbs() const {
  if (!jobs_.runner().busy()) return false;
  const DeviceInfo* device = session_.device();
  return comparison_->device.origin != Origin::kSimulated ||
         (device != nullptr && device->origin != Origin::kSimulated);
}

JobRunner::Work StageExplainer::work(const ScheduleResult& result) {
  ExplainOptions options{.stage = asked_.stage, .search = session_.searchedWith()};
  if (const auto strategies = row_of(result.schedule_kind).strategies) options.search.strategies = *strategies;
  if (result.search && result.search->lazy) {
    options.search.pruning = result.search->lazy->widened.value_or(options.search.pruning);
  }
  return [this, comparison = comparison_, &result, options, &devices = session_.devices(), place = jobs_.store()](
             const JobContext& job, const std::stop_token&) -> Result<JobRunner::Delivery> {
    auto found = explain_stage(*comparison, result.schedule, options, devices, place, job);
    if (!found) return tl::unexpected<Error>(found.error());
    return JobRunner::Delivery{[this, explanation = std::move(*found)] {
      busy_ = false;
      found_ = explanation;
      emit changed();
    }};
  };
}

}  // namespace iosx

#include "moc_stage_explainer.cpp"
