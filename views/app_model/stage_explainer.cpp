#include "views/app_model/stage_explainer.h"

#include <utility>

#include "views/app_model/jobs.h"
#include "views/app_model/session.h"
#include "views/text/messages.h"

namespace iosx {

StageExplainer::StageExplainer(const Session& session, const Jobs& jobs, const SelectionModel& selection,
                               QObject* parent)
    : QObject(parent), session_(session), jobs_(jobs), selection_(selection) {
  connect(&session_, &Session::comparisonChanged, this, &StageExplainer::start);
  connect(&session_, &Session::verified, this, &StageExplainer::start);  // with another comparison
  connect(&selection_, &SelectionModel::changed, this, &StageExplainer::start);
  // Later: a job that waits begins first.
  connect(&jobs_, &Jobs::finished, this, &StageExplainer::begin, Qt::QueuedConnection);
  connect(&answers_, &LatestAnswer::failed, this, [this](const Error& error) {
    error_ = error_text(error);
    emit changed();
  });
  start();
}

const StageExplanation* StageExplainer::current() const {
  // Receivers of a change before this one must not get the previous stage's result.
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
  answers_.drop();
  const ScheduleResult* result = comparison == nullptr ? nullptr : comparison->find(selection.schedule);
  waits_ = result != nullptr && selection.stage && *selection.stage < result->schedule.stages.size();
  begin();
  emit changed();
}

void StageExplainer::begin() {
  if (!waits_ || disturbs()) return;
  waits_ = false;
  answers_.ask([request = request(*comparison_->find(asked_.schedule)), workbench = jobs_.workbench()](
                   const JobContext& job,
                   const std::stop_token& abandon) { return workbench.run(request, job, {.abandon = abandon}); },
               [this](ExplainOutcome found) {
                 found_ = std::move(found.explanation);
                 emit changed();
               });
}

bool StageExplainer::disturbs() const {
  if (!jobs_.runner().busy()) return false;
  const DeviceInfo* device = session_.device();
  return !is_modelled(comparison_->device.origin) || (device != nullptr && !is_modelled(device->origin));
}

ExplainRequest StageExplainer::request(const ScheduleResult& result) const {
  ExplainRequest request{.graph = comparison_->graph,
                         .device = comparison_->device.id,
                         .batch = comparison_->batch,
                         .schedule = result.schedule,
                         .stage = asked_.stage,
                         .search = session_.searchedWith(),
                         .max_part_size = {},
                         .known = comparison_};
  if (const auto strategies = row_of(result.schedule_kind).strategies) request.search.strategies = *strategies;
  if (result.search && result.search->lazy) {
    request.search.pruning = result.search->lazy->widened.value_or(request.search.pruning);
  }
  return request;
}

}  // namespace iosx

#include "moc_stage_explainer.cpp"
